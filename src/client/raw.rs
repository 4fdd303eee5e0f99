//! A result's JSON text taken apart without reading its cells: each stays the text the engine sent, digit for digit.

/// The text without its rows, and each row's cells; nothing where the text is no object with an array of arrays `rows`.
pub(super) fn split(text: &str) -> Option<(String, Vec<Vec<String>>)> {
    let mut scanner = Scanner { text, at: 0 };
    scanner.take(b'{')?;
    if scanner.peek()? == b'}' {
        return None;
    }
    loop {
        let key = scanner.value()?;
        scanner.take(b':')?;
        if key == "\"rows\"" {
            scanner.peek()?;
            let start = scanner.at;
            let rows = scanner.rows()?;
            let head = format!("{}null{}", text.get(..start)?, text.get(scanner.at..)?);
            return Some((head, rows));
        }
        scanner.value()?;
        scanner.take(b',')?;
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at)?, b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn rows(&mut self) -> Option<Vec<Vec<String>>> {
        let mut rows = Vec::new();
        self.take(b'[')?;
        while self.peek()? != b']' {
            if !rows.is_empty() {
                self.take(b',')?;
            }
            rows.push(self.cells()?);
        }
        self.take(b']')?;
        Some(rows)
    }

    fn cells(&mut self) -> Option<Vec<String>> {
        let mut cells = Vec::new();
        self.take(b'[')?;
        while self.peek()? != b']' {
            if !cells.is_empty() {
                self.take(b',')?;
            }
            cells.push(self.value()?.to_owned());
        }
        self.take(b']')?;
        Some(cells)
    }

    /// Any value, by its brackets and quotes alone.
    fn value(&mut self) -> Option<&'a str> {
        self.peek()?;
        let start = self.at;
        let mut depth = 0usize;
        loop {
            let byte = *self.text.as_bytes().get(self.at)?;
            match byte {
                b'"' => self.string()?,
                b'[' | b'{' => depth += 1,
                b']' | b'}' if depth > 0 => depth -= 1,
                b',' | b':' | b']' | b'}' if depth == 0 => break,
                _ => {}
            }
            self.at += 1;
            if depth == 0 && matches!(byte, b'"' | b']' | b'}') {
                break;
            }
        }
        let value = self.text.get(start..self.at)?.trim_ascii_end();
        (!value.is_empty()).then_some(value)
    }

    /// Moves to the closing quote.
    fn string(&mut self) -> Option<()> {
        loop {
            self.at += 1;
            match self.text.as_bytes().get(self.at)? {
                b'\\' => self.at += 1,
                b'"' => return Some(()),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_text() {
        let text = r#" {"a":"\"rows\":[[1]]" , "rows" : [ [1.50, "x,]\"" ,{"y":[9007199254740993]}, null ], [ ] ],"b":[]} "#;
        let (head, rows) = split(text).unwrap();
        assert_eq!(head, r#" {"a":"\"rows\":[[1]]" , "rows" : null,"b":[]} "#);
        assert_eq!(
            rows,
            [vec!["1.50", r#""x,]\"""#, r#"{"y":[9007199254740993]}"#, "null"], vec![]]
        );
        assert_eq!(split(r#"{"rows":[]}"#).unwrap().1, Vec::<Vec<String>>::new());
    }

    #[test]
    fn what_is_no_result_is_refused() {
        for text in [
            "",
            "{",
            "{}",
            "[]",
            "<html>",
            r#"{"rows":1}"#,
            r#"{"rows":[1]}"#,
            r#"{"rows":[[1]"#,
            r#"{"rows":[[1,]]}"#,
            r#"{"rows":[[1 2"#,
            r#"{"rows":[[,1]]}"#,
            r#"{"rows":[[1][2]]}"#,
            r#"{"a":1"#,
            r#"{"rows":[["x]]}"#,
            r#"{"é":"#,
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
