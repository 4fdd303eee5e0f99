//! Claim-by-claim tests of the engine contract: one test a claim, over the HTTP router in-process.
//!
//! `cargo test -p hotdata-local-server --test contract [filter]` runs them and writes `contract-claims.md` into the
//! target directory.
#![forbid(unsafe_code)]
#![deny(dead_code)]

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "contract/claims.rs"]
mod claims;
#[path = "contract/data.rs"]
mod data;
#[path = "contract/databases.rs"]
mod databases;
#[path = "contract/dates.rs"]
mod dates;
#[path = "contract/discovery.rs"]
mod discovery;
#[path = "contract/errors.rs"]
mod errors;
#[path = "contract/fusion.rs"]
mod fusion;
#[path = "contract/identifiers.rs"]
mod identifiers;
#[path = "contract/indexes.rs"]
mod indexes;
#[path = "contract/report.rs"]
mod report;
#[path = "contract/rewrite.rs"]
mod rewrite;
#[path = "contract/scope.rs"]
mod scope;
#[path = "contract/service.rs"]
mod service;
#[path = "contract/sql.rs"]
mod sql;
#[path = "contract/text_search.rs"]
mod text_search;
#[path = "contract/vector_search.rs"]
mod vector_search;

use claims::CLAIMS;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    // One runtime for all: builds that a request starts must outlive it.
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => Arc::new(runtime),
        Err(error) => {
            eprintln!("no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let outcomes = Arc::new(Mutex::new(report::Outcomes::new()));

    let mut trials = vec![Trial::test("table_and_tests_match_one_to_one", table_and_tests_match)];
    trials.push(Trial::test("every_claim_has_its_place_for_a_model", facts_match));
    for claim in CLAIMS {
        let (runtime, outcomes) = (Arc::clone(&runtime), Arc::clone(&outcomes));
        let trial = Trial::test(claim.test, move || {
            let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on((claim.run)())));
            if let Ok(mut outcomes) = outcomes.lock() {
                outcomes.insert(claim.test, outcome.is_ok());
            }
            outcome.map_err(|panic| resume_unwind(panic))
        });
        trials.push(trial);
    }

    let listing = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !listing {
        let outcomes = outcomes.lock().map(|outcomes| outcomes.clone()).unwrap_or_default();
        let passed = outcomes.values().filter(|passed| **passed).count();
        let path = report::path();
        match std::fs::write(&path, report::markdown(&outcomes)) {
            Ok(()) => println!(
                "contract claims: {passed} of {} pass, table in {}",
                CLAIMS.len(),
                path.display()
            ),
            Err(error) => {
                eprintln!("cannot write {}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        }
    }
    conclusion.exit_code()
}

/// Every claim has a test of its own. The other direction is the compiler's: an unlisted test is dead code.
fn table_and_tests_match() -> Result<(), Failed> {
    let tests: BTreeSet<&str> = CLAIMS.iter().map(|claim| claim.test).collect();
    let words: BTreeSet<&str> = CLAIMS.iter().map(|claim| claim.words).collect();
    if tests.len() != CLAIMS.len() || words.len() != CLAIMS.len() {
        return Err("a claim or a test is listed twice".into());
    }
    Ok(())
}

/// The table of what a model is told has each claim once, in the contract's own words.
fn facts_match() -> Result<(), Failed> {
    const FACTS: &str = include_str!("../../../../src/tools/contract_facts.md");
    let told: Vec<&str> = FACTS
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next())
        .filter(|words| !["claim", "---"].contains(words))
        .collect();
    for claim in CLAIMS {
        if told.iter().filter(|words| **words == claim.words).count() != 1 {
            return Err(format!("not once in contract_facts.md: {}", claim.words).into());
        }
    }
    if told.len() != CLAIMS.len() {
        return Err("contract_facts.md has a claim that the contract has not".into());
    }
    Ok(())
}
