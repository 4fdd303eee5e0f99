//! The outcome of every claim, as a Markdown table beside the build.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::claims::{CLAIMS, CLIENT_SIDE, READINGS};

/// Test name → whether it passed.
pub type Outcomes = BTreeMap<&'static str, bool>;

/// `contract-claims.md` in the target directory: `CARGO_TARGET_TMPDIR` is its `tmp`.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("contract-claims.md")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

pub fn markdown(outcomes: &Outcomes) -> String {
    let mut out = String::from(
        "# Claims of the engine contract\n\n| section | claim | test | result |\n| --- | --- | --- | --- |\n",
    );
    for claim in CLAIMS {
        let result = match outcomes.get(claim.test) {
            Some(true) => "pass",
            Some(false) => "FAIL",
            None => "not run",
        };
        let _ = writeln!(
            out,
            "| {} | {} | `{}` | {result} |",
            claim.section,
            cell(claim.words),
            claim.test
        );
    }
    let passed = outcomes.values().filter(|passed| **passed).count();
    let _ = writeln!(out, "\n{passed} of {} claims pass.", CLAIMS.len());
    out.push_str("\n## Readings\n\n| contract | reading |\n| --- | --- |\n");
    for (words, why) in READINGS {
        let _ = writeln!(out, "| {} | {} |", cell(words), cell(why));
    }
    out.push_str(
        "\n## Client-side statements\n\n| contract | why no engine test |\n| --- | --- |\n",
    );
    for (words, why) in CLIENT_SIDE {
        let _ = writeln!(out, "| {} | {} |", cell(words), cell(why));
    }
    out
}
