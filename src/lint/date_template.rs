//! PostgreSQL's date templates. The engine's date functions take strftime codes and give a template back as it is, on every
//! row and without an error (contract, "to_char").

use super::lexer::Kind;
use super::statement::Statement;
use super::{Found, Lint};

const FUNCTIONS: [&str; 4] = ["to_char", "date_format", "to_date", "to_timestamp"];

/// Templates with the codes that say the same, longer ones first.
const CODES: [(&str, &str); 22] = [
    ("yyyy", "%Y"),
    ("iyyy", "%G"),
    ("month", "%B"),
    ("hh24", "%H"),
    ("hh12", "%I"),
    ("day", "%A"),
    ("ddd", "%j"),
    ("mon", "%b"),
    ("a.m.", "%p"),
    ("p.m.", "%p"),
    ("yy", "%y"),
    ("mm", "%m"),
    ("dd", "%d"),
    ("dy", "%a"),
    ("hh", "%I"),
    ("mi", "%M"),
    ("ss", "%S"),
    ("ms", "%3f"),
    ("us", "%6f"),
    ("iw", "%V"),
    ("am", "%p"),
    ("pm", "%p"),
];

pub(super) fn find(statement: &Statement, found: &mut Found) {
    for call in statement.calls(&FUNCTIONS) {
        let Some((start, end)) = call.arguments.get(1) else { continue };
        let format = statement.tokens.get(*start).filter(|format| format.kind == Kind::Text);
        if let Some(format) = format
            && end - start == 1
            && let Some(codes) = in_codes(format.text)
        {
            let name = statement.text(call.at).to_ascii_lowercase();
            let comes = if name.starts_with("to_d") || name.starts_with("to_t") {
                "fails"
            } else {
                "comes back as it is"
            };
            let message = format!(
                "{name} takes strftime codes, not PostgreSQL's templates: write {codes}, where {} {comes}.",
                format.text
            );
            let span = statement.span(*start, *start);
            found.push(Lint::at(span, "date_template", message).fixed(codes));
        }
    }
}

/// The literal in strftime codes; nothing where it has some already, or no template.
fn in_codes(literal: &str) -> Option<String> {
    if literal.contains('%') {
        return None;
    }
    let mut codes = String::new();
    let mut rest = literal;
    let (mut found, mut rest_is_text) = (false, true);
    while let Some(character) = rest.chars().next() {
        let template = CODES.iter().find(|(template, _)| {
            rest.get(..template.len()).is_some_and(|start| start.eq_ignore_ascii_case(template))
        });
        let length = match template {
            Some((template, code)) => {
                codes.push_str(code);
                found = true;
                template.len()
            }
            None => {
                // A letter that is part of no template may be one of another kind: FM, TH, or plain text.
                rest_is_text &= !character.is_ascii_alphabetic() || codes.contains('"');
                codes.push(character);
                character.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    (found && rest_is_text).then_some(codes)
}

#[cfg(test)]
mod tests {
    use crate::lint::warnings;

    fn date_templates(sql: &str) -> Vec<String> {
        warnings(sql, &[], false)
    }

    #[test]
    fn h24_templates_are_told_of_with_the_codes_to_write() {
        for (sql, codes) in [
            ("SELECT to_char(d,'YYYY-MM-DD') FROM t", "'%Y-%m-%d'"),
            ("SELECT TO_CHAR (d, 'YYYY')", "'%Y'"),
            ("SELECT to_char(date_trunc('month', (d)), 'Mon YYYY')", "'%b %Y'"),
            ("SELECT to_char(d, 'HH24:MI:SS.MS \"it''s\"')", "'%H:%M:%S.%3f \"it''s\"'"),
            ("SELECT to_date('2026-08-12', 'yyyy-mm-dd')", "'%Y-%m-%d'"),
            ("-- it's\nSELECT to_char(d, 'Day')", "'%A'"),
            ("SELECT to_char(x[1, 2], 'DD')", "'%d'"),
        ] {
            let told = date_templates(sql);
            assert_eq!(told.len(), 1, "{sql}");
            assert!(told[0].contains(&format!("write {codes},")), "{}", told[0]);
        }
        assert_eq!(date_templates("SELECT to_char(a, 'YY'), to_char(b, 'MM')").len(), 2);
    }

    #[test]
    fn h24_everything_else_is_silent() {
        for sql in [
            "SELECT 1 -- to_char(d,'YYYY')",
            "SELECT 1 /* to_char(d,'YYYY') */",
            "SELECT 'to_char(d, ''YYYY'')'",
            "SELECT x AS \"to_char\", ('YYYY')",
            "SELECT \"to_char\"(d, 'YYYY')",
            "SELECT to_char(d, '%Y')",
            "SELECT to_char(d, '-')",
            "SELECT to_char(d, fmt)",
            "SELECT to_char(d, 'YYYY' || x)",
            "SELECT to_char(d)",
            "SELECT to_char(",
            "SELECT to_char",
            "SELECT date_trunc('month', d)",
        ] {
            assert_eq!(date_templates(sql), Vec::<String>::new(), "{sql}");
        }
    }
}
