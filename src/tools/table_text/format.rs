//! The forms of an answer's rows. Each starts with the metadata on a line of its own, or in the same object; nothing that
//! a row holds can end its row, or stand where metadata stands.

use std::fmt::Write as _;

use crate::value::unquoted;

/// How a tool writes rows for a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// `{"metadata":{…},"rows":[{column: value, …}, …]}`.
    Records,
    /// `{"metadata":{…},"columns":[…],"rows":[[value, …], …]}`.
    Columns,
    /// The metadata's line, a line of column names, a line for each row: RFC 4180 with line feeds. NULL is nothing, an
    /// empty text is `""`.
    Csv,
    /// The metadata's line, an empty one, a table. NULL is nothing, an empty text is `""`; a text's own backslashes,
    /// pipes, backticks and leading double quote have a backslash before them, and its line breaks are `\n`.
    Markdown,
}

impl ResultFormat {
    /// The names the options use.
    pub const CHOICES: &[(&str, ResultFormat)] = &[
        ("records", ResultFormat::Records),
        ("columns", ResultFormat::Columns),
        ("csv", ResultFormat::Csv),
        ("markdown", ResultFormat::Markdown),
    ];

    /// One row of cells, each as JSON, without what stands between rows.
    pub(super) fn row(self, cells: &[String]) -> String {
        let (open, between, close) = match self {
            ResultFormat::Csv => ("", ",", ""),
            ResultFormat::Markdown => ("|", "|", "|"),
            _ => ("[", ",", "]"),
        };
        let mut row = open.to_owned();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                row.push_str(between);
            }
            self.cell(cell, &mut row);
        }
        row.push_str(close);
        row
    }

    /// A cell as it stands in a row.
    fn cell(self, json: &str, row: &mut String) {
        let text = unquoted(json);
        match (self, &text) {
            (ResultFormat::Csv | ResultFormat::Markdown, None) if json == "null" => {}
            (ResultFormat::Csv | ResultFormat::Markdown, Some(text)) if text.is_empty() => {
                row.push_str("\"\"");
            }
            (ResultFormat::Csv, _) => field(text.as_deref().unwrap_or(json), row),
            (ResultFormat::Markdown, _) => escaped(text.as_deref().unwrap_or(json), row),
            _ => row.push_str(json),
        }
    }

    /// The whole answer of the rows as [`ResultFormat::row`] wrote them, all column names first.
    pub(super) fn whole(self, metadata: &str, names: &[String], rows: &str) -> String {
        let head = self.row(names);
        match self {
            ResultFormat::Records => format!("{{\"metadata\":{metadata},\"rows\":[{rows}]}}"),
            ResultFormat::Columns => {
                format!("{{\"metadata\":{metadata},\"columns\":{head},\"rows\":[{rows}]}}")
            }
            ResultFormat::Csv => format!("{metadata}\n{head}\n{rows}"),
            ResultFormat::Markdown => {
                let mut rule = String::from("|");
                for _ in names {
                    rule.push_str("---|");
                }
                format!("{metadata}\n\n{head}\n{rule}\n{rows}")
            }
        }
    }

    /// What stands between two rows.
    pub(super) fn between_rows(self) -> char {
        match self {
            ResultFormat::Records | ResultFormat::Columns => ',',
            ResultFormat::Csv | ResultFormat::Markdown => '\n',
        }
    }
}

/// A field of RFC 4180. Every line break is quoted, not only the two that the RFC knows: readers split at others too.
fn field(text: &str, row: &mut String) {
    if !text.chars().any(|c| matches!(c, '"' | ',') || breaks_line(c)) {
        row.push_str(text);
        return;
    }
    row.push('"');
    for character in text.chars() {
        if character == '"' {
            row.push('"');
        }
        row.push(character);
    }
    row.push('"');
}

/// The text of a markdown cell, on one line.
fn escaped(text: &str, row: &mut String) {
    for (at, character) in text.chars().enumerate() {
        match character {
            '\n' => row.push_str("\\n"),
            '\\' | '|' | '`' => {
                row.push('\\');
                row.push(character);
            }
            '"' if at == 0 => row.push_str("\\\""),
            other if breaks_line(other) => {
                // Rare: by its code, as JSON would.
                let _ = write!(row, "\\u{:04x}", u32::from(other));
            }
            other => row.push(other),
        }
    }
}

fn breaks_line(character: char) -> bool {
    character.is_control() && character != '\t' || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    const EVERY: [ResultFormat; 3] =
        [ResultFormat::Columns, ResultFormat::Csv, ResultFormat::Markdown];

    fn row(format: ResultFormat, cells: Json) -> String {
        let cells: Vec<String> = cells.as_array().unwrap().iter().map(Json::to_string).collect();
        format.row(&cells)
    }

    #[test]
    fn null_is_told_from_an_empty_text_and_from_texts_that_look_like_either() {
        let cells = json!([null, "", "null", "\"\"", 1.5, true, [1, "a"]]);
        let [columns, csv, markdown] = EVERY.map(|format| row(format, cells.clone()));
        assert_eq!(columns, r#"[null,"","null","\"\"",1.5,true,[1,"a"]]"#);
        assert_eq!(csv, r#","",null,"""""",1.5,true,"[1,""a""]""#);
        assert_eq!(markdown, r#"||""|null|\""|1.5|true|[1,"a"]|"#);
    }

    #[test]
    fn digits_stay_as_the_engine_sent_them() {
        for format in EVERY {
            let cells = ["9007199254740993", "1.50", "0.1234567890123456789", "1e-7"];
            let row = format.row(&cells.map(str::to_owned));
            for digits in cells {
                assert!(row.contains(digits), "{row}");
            }
        }
    }

    /// What RFC 4180 reads back.
    fn read_csv(text: &str) -> Vec<Vec<Option<String>>> {
        let mut rows = vec![vec![]];
        let mut chars = text.chars().peekable();
        loop {
            let mut field = None;
            if chars.peek() == Some(&'"') {
                chars.next();
                let mut quoted = String::new();
                while let Some(c) = chars.next() {
                    if c == '"' && chars.next_if_eq(&'"').is_none() {
                        break;
                    }
                    quoted.push(c);
                }
                field = Some(quoted);
            } else {
                while let Some(c) = chars.next_if(|c| !matches!(c, ',' | '\n')) {
                    field.get_or_insert_default().push(c);
                }
            }
            rows.last_mut().unwrap().push(field);
            match chars.next() {
                None => return rows,
                Some(',') => {}
                Some('\n') => rows.push(vec![]),
                Some(other) => panic!("{other:?} after a field"),
            }
        }
    }

    /// The cells of a row of a markdown table.
    fn read_markdown(line: &str) -> Vec<Option<String>> {
        let (mut cells, mut cell, mut plain) = (vec![], String::new(), true);
        let mut chars = line.strip_prefix('|').unwrap().chars();
        while let Some(c) = chars.next() {
            match c {
                '|' => {
                    let cell = std::mem::take(&mut cell);
                    let told = if cell == "\"\"" && plain { String::new() } else { cell.clone() };
                    cells.push((!cell.is_empty()).then_some(told));
                    plain = true;
                }
                '\\' => {
                    plain = false;
                    match chars.next().unwrap() {
                        'n' => cell.push('\n'),
                        'u' => {
                            let code: String = chars.by_ref().take(4).collect();
                            let code = u32::from_str_radix(&code, 16).unwrap();
                            cell.push(char::from_u32(code).unwrap());
                        }
                        other => cell.push(other),
                    }
                }
                other => cell.push(other),
            }
        }
        assert!(cell.is_empty(), "{line} ends in a cell");
        cells
    }

    #[test]
    fn every_text_can_be_read_back() {
        let pieces = [
            "\"", ",", "|", "`", "\\", "\n", "\r\n", "\u{2028}", "\u{7}", " ", "\t", "a", "\\n",
            "null", "é",
        ];
        let mut seed = 7_u32;
        for _ in 0..2_000 {
            let mut texts: Vec<Option<String>> = Vec::new();
            for _ in 0..4 {
                let mut text = String::new();
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                for at in 0..(seed >> 29) {
                    let piece = (seed >> (3 * at)) as usize % pieces.len();
                    text.push_str(pieces[piece]);
                }
                texts.push((seed & 8 == 0).then_some(text));
            }
            let cells = json!(texts);
            assert_eq!(
                read_csv(&row(ResultFormat::Csv, cells.clone())),
                std::slice::from_ref(&texts)
            );
            let line = row(ResultFormat::Markdown, cells);
            assert!(!line.chars().any(breaks_line), "{line:?}");
            assert_eq!(read_markdown(&line), texts);
        }
    }
}
