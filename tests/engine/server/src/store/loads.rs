//! Which tables are busy with a load or an index build, and which keyed loads have been done.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Mutex;

use serde_json::Value;

use crate::state::lock;

/// Idempotency keys beyond this many are forgotten, oldest first.
const KEPT: usize = 10_000;

/// Connection, schema, table.
pub type TableKey = (String, String, String);

#[derive(Default)]
pub struct LoadLedger {
    busy: Mutex<Busy>,
    done: Mutex<Done>,
}

#[derive(Default)]
struct Busy {
    loading: HashSet<TableKey>,
    /// Builds of one table wait for each other, so there may be several.
    building: HashMap<TableKey, usize>,
}

#[derive(Default)]
struct Done {
    by_key: HashMap<String, (String, Value)>,
    order: VecDeque<String>,
}

/// What an idempotency key stands for.
pub enum Replay {
    /// Never used.
    New,
    /// Used for this very load, which answered so.
    Same(Value),
    /// Used for another load.
    Conflict,
}

impl LoadLedger {
    /// Takes a table for a load; false while another load or a build has it.
    pub fn take(&self, table: &TableKey) -> bool {
        let mut busy = lock(&self.busy);
        !busy.building.contains_key(table) && busy.loading.insert(table.clone())
    }

    pub fn release(&self, table: &TableKey) {
        lock(&self.busy).loading.remove(table);
    }

    /// Notes an index build, which waits for a running load but holds off new ones.
    pub fn start_build(&self, table: &TableKey) {
        *lock(&self.busy).building.entry(table.clone()).or_default() += 1;
    }

    pub fn end_build(&self, table: &TableKey) {
        let mut busy = lock(&self.busy);
        if let Some(builds) = busy.building.get_mut(table) {
            *builds -= 1;
            if *builds == 0 {
                busy.building.remove(table);
            }
        }
    }

    pub fn replay(&self, key: &str, fingerprint: &str) -> Replay {
        match lock(&self.done).by_key.get(key) {
            None => Replay::New,
            Some((known, answer)) if known == fingerprint => Replay::Same(answer.clone()),
            Some(_) => Replay::Conflict,
        }
    }

    /// Records a load that succeeded; one that failed may be sent again under its key.
    pub fn record(&self, key: String, fingerprint: String, answer: Value) {
        let mut done = lock(&self.done);
        if done.by_key.insert(key.clone(), (fingerprint, answer)).is_none() {
            done.order.push_back(key);
        }
        if done.order.len() > KEPT
            && let Some(oldest) = done.order.pop_front()
        {
            done.by_key.remove(&oldest);
        }
    }
}
