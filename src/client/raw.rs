//! A result's JSON text taken apart with its cells unread: each stays the text the engine sent, digit for digit.

use crate::value::Parser;

/// The text without its rows, and each row's cells; nothing where the text is no object with an array of arrays `rows`.
/// Of a member that is there twice the last one counts, as for every reader of JSON.
pub(super) fn split(text: &str) -> Option<(String, Vec<Vec<String>>)> {
    // What the numbers are does not matter here.
    let mut parser = Parser::new(text, |_| 0.0);
    let (mut head, mut rows, mut copied) = (String::new(), None, 0);
    parser.take(b'{')?;
    loop {
        parser.peek()?;
        let name = parser.string()?;
        parser.take(b':')?;
        parser.peek()?;
        if name == "rows" {
            head += text.get(copied..parser.at())?;
            head += "null";
            rows = Some(items(&mut parser, |parser| items(parser, |parser| cell(parser, text)))?);
            copied = parser.at();
        } else {
            parser.value(1)?;
        }
        if parser.peek()? == b'}' {
            break;
        }
        parser.take(b',')?;
    }
    parser.take(b'}')?;
    if parser.peek().is_some() {
        return None;
    }
    head += text.get(copied..)?;
    Some((head, rows?))
}

fn items<T>(parser: &mut Parser, item: impl Fn(&mut Parser) -> Option<T>) -> Option<Vec<T>> {
    let mut items = Vec::new();
    parser.take(b'[')?;
    while parser.peek()? != b']' {
        if !items.is_empty() {
            parser.take(b',')?;
        }
        items.push(item(parser)?);
    }
    parser.take(b']')?;
    Some(items)
}

fn cell(parser: &mut Parser, text: &str) -> Option<String> {
    parser.peek()?;
    let start = parser.at();
    parser.value(3)?;
    text.get(start..parser.at()).map(str::to_owned)
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
