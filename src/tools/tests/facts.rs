//! The table of what a model is told: each place says what the table quotes.

use super::*;
use crate::lint::lint;
use crate::search::refusal_of;

const FACTS: &str = include_str!("../contract_facts.md");

/// On one line, so that a quotation may run over the end of one.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_fact_that_changes_what_a_model_writes_is_told_where_the_table_says() {
    let told: Vec<(String, String)> = sets::sets()
        .into_iter()
        .flat_map(|(_, tools)| tools.definitions().iter().map(all_text).collect::<Vec<_>>())
        .collect();
    let guide = flat(SQL_GUIDE);
    let first = FACTS.split("## What a model need not know").next().unwrap();
    let rows: Vec<Vec<&str>> = first
        .lines()
        .filter(|line| {
            line.starts_with("| ") && !line.starts_with("| ---") && !line.starts_with("| claim |")
        })
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect();
    assert!(rows.len() > 70);
    for row in rows {
        let [claim, place, quoted] = row[..] else { panic!("{row:?}") };
        match place {
            "SQL_GUIDE" => assert!(guide.contains(quoted), "{claim}: {quoted}"),
            "lint" => {
                let (code, sql) = quoted.split_once(": ").unwrap();
                assert!(lint(sql, &[]).iter().any(|lint| lint.code == code), "{claim}: {sql}");
            }
            "hint" => {
                let known = refusal_of(quoted).unwrap_or_else(|| panic!("{claim}: {quoted}"));
                assert!(!known.0.hint.is_empty(), "{claim}");
            }
            tool => {
                let says = |(name, text): &(String, String)| name == tool && text.contains(quoted);
                assert!(told.iter().any(says), "{claim}: {tool} does not say {quoted}");
            }
        }
    }
}

fn all_text(tool: &Definition) -> (String, String) {
    (tool.name.clone(), format!("{} {}", tool.description, tool.input_schema.to_json()))
}
