//! Which faults are waiting for a request, and what has happened to requests so far.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;

use axum::http::HeaderMap;
use axum::http::request::Parts;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::faults::fault::Fault;
use crate::http::wildcard;
use crate::state::lock;

/// Requests beyond this many are forgotten, oldest first.
const KEPT: usize = 1000;

/// Which requests a rule is about; what is left out fits every request. `*` stands for any characters.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    #[serde(skip_serializing_if = "Option::is_none")]
    method: Option<String>,
    /// Compared with path and query where it holds `?`, else with the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    headers: BTreeMap<String, String>,
}

impl Match {
    fn fits(&self, request: &Parts) -> bool {
        let path = |pattern: &String| {
            let path = match request.uri.path_and_query() {
                Some(whole) if pattern.contains('?') => whole.as_str(),
                _ => request.uri.path(),
            };
            wildcard::matches(pattern, path, '*')
        };
        self.method
            .as_ref()
            .is_none_or(|method| method.eq_ignore_ascii_case(request.method.as_str()))
            && self.path.as_ref().is_none_or(path)
            && self.headers.iter().all(|(name, value)| has(&request.headers, name, value))
    }
}

fn has(headers: &HeaderMap, name: &str, pattern: &str) -> bool {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| wildcard::matches(pattern, value, '*'))
}

/// A fault that waits for requests.
#[derive(Debug, Clone)]
pub struct Rule {
    pub of: Match,
    pub fault: Fault,
    /// How often it fires; none: always.
    pub times: Option<u64>,
    /// Matching requests let through first.
    pub skip: u64,
}

struct Waiting {
    id: u64,
    rule: Rule,
    skipped: u64,
    fired: u64,
}

impl Waiting {
    fn record(&self) -> Value {
        let mut record = Map::new();
        record.insert("id".to_owned(), self.id.into());
        record.insert("match".to_owned(), json!(self.rule.of));
        if let Value::Object(members) = json!(self.rule.fault) {
            record.extend(members);
        }
        let times = self.rule.times.map_or_else(|| "always".into(), Value::from);
        record.insert("times".to_owned(), times);
        record.insert("skip".to_owned(), self.rule.skip.into());
        record.insert("fired".to_owned(), self.fired.into());
        Value::Object(record)
    }
}

/// What happened to one request.
#[derive(Debug, Clone, Serialize)]
pub struct Seen {
    pub method: String,
    /// With its query.
    pub path: String,
    /// The fault that fired.
    pub fault: Option<&'static str>,
    pub rule: Option<u64>,
    /// Handed to the engine and answered below 400.
    pub applied: bool,
    /// What the engine answered; none where the request was not handed to it.
    pub status: Option<u16>,
}

#[derive(Default)]
pub struct FaultStore(Mutex<Faults>);

#[derive(Default)]
struct Faults {
    rules: Vec<Waiting>,
    last_id: u64,
    seen: VecDeque<Seen>,
}

impl FaultStore {
    /// Adds rules and answers with their records.
    pub fn add(&self, rules: Vec<Rule>) -> Vec<Value> {
        let mut faults = lock(&self.0);
        rules
            .into_iter()
            .map(|rule| {
                faults.last_id += 1;
                let waiting = Waiting { id: faults.last_id, rule, skipped: 0, fired: 0 };
                let record = waiting.record();
                faults.rules.push(waiting);
                record
            })
            .collect()
    }

    /// The fault of the first rule that fires on this request, and the rule's id.
    pub fn fire(&self, request: &Parts) -> Option<(Fault, u64)> {
        for waiting in &mut lock(&self.0).rules {
            let rule = &waiting.rule;
            let spent = rule.times.is_some_and(|times| waiting.fired >= times);
            if spent
                || !rule.fault.fits(&request.method, request.uri.path())
                || !rule.of.fits(request)
            {
                continue;
            }
            if waiting.skipped < rule.skip {
                waiting.skipped += 1;
                continue;
            }
            waiting.fired += 1;
            return Some((rule.fault.clone(), waiting.id));
        }
        None
    }

    pub fn note(&self, seen: Seen) {
        let mut faults = lock(&self.0);
        if faults.seen.len() == KEPT {
            faults.seen.pop_front();
        }
        faults.seen.push_back(seen);
    }

    /// Every rule, spent ones included, and the requests seen, oldest first.
    pub fn all(&self) -> (Vec<Value>, Vec<Seen>) {
        let faults = lock(&self.0);
        (faults.rules.iter().map(Waiting::record).collect(), faults.seen.iter().cloned().collect())
    }

    pub fn clear(&self) {
        let mut faults = lock(&self.0);
        faults.rules.clear();
        faults.seen.clear();
    }

    /// Removes one rule; false where there is none of this id.
    pub fn remove(&self, id: u64) -> bool {
        let rules = &mut lock(&self.0).rules;
        let before = rules.len();
        rules.retain(|waiting| waiting.id != id);
        rules.len() < before
    }
}
