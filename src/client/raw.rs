//! A result's JSON text taken apart without reading its cells: each stays the text the engine sent, digit for digit.

use lossless_numbers::is_number;

use super::lossless::is_rows;

/// The text without its rows, and each row's cells; nothing where the text is no object with an array of arrays `rows`.
/// Of a member that is there twice the last one counts, as for every reader of JSON.
pub(super) fn split(text: &str) -> Option<(String, Vec<Vec<String>>)> {
    let mut scanner = Scanner { text, at: 0 };
    let (mut head, mut rows, mut copied) = (String::new(), None, 0);
    scanner.take(b'{')?;
    if scanner.peek()? == b'}' {
        return None;
    }
    loop {
        let key = scanner.value()?.strip_prefix('"')?.strip_suffix('"')?;
        scanner.take(b':')?;
        if is_rows(key.as_bytes()) {
            scanner.peek()?;
            head += text.get(copied..scanner.at)?;
            head += "null";
            rows = Some(scanner.rows()?);
            copied = scanner.at;
        } else {
            scanner.value()?;
        }
        if scanner.peek()? == b'}' {
            head += text.get(copied..)?;
            return Some((head, rows?));
        }
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
            let cell = self.value()?;
            let is_json = match cell.as_bytes() {
                [b'"' | b'[' | b'{', ..] | b"null" | b"true" | b"false" => true,
                other => is_number(other),
            };
            cells.push(is_json.then(|| cell.to_owned())?);
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
    fn numbers_stay_as_they_were_written() {
        let cells =
            ["1E400", "-0", "-0.0", "1e-400", "0.10000000000000001", "-9223372036854775808"];
        let text = format!("\t{{\r\n\"rows\" : [ [ {} ] ]}} ", cells.join(" ,\n"));
        assert_eq!(split(&text).unwrap().1, [cells.map(str::to_owned)]);
    }

    #[test]
    fn rows_are_found_however_their_key_is_written_and_the_last_ones_count() {
        let text =
            r#"{"rows":[[1]],"rowss":[[2]],"a":"rows","ro\u0077s":[[9007199254740993]],"b":3}"#;
        let (head, rows) = split(text).unwrap();
        assert_eq!(head, r#"{"rows":null,"rowss":[[2]],"a":"rows","ro\u0077s":null,"b":3}"#);
        assert_eq!(rows, [["9007199254740993"]]);
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
            r#"{rows:[[1]]}"#,
            r#"{"rows":[[01]]}"#,
            r#"{"rows":[[NaN]]}"#,
            r#"{"rows":[[-Infinity]]}"#,
            r#"{"rows":[[1-2]]}"#,
            r#"{"rows":[[1]]"#,
            r#"{"rows":[[1]],"rows":1}"#,
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }
}
