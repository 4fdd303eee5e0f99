//! Waiting for work at the service: growing pauses within the call's deadline.

use crate::error::Result;

use super::transport::Transport;

const FIRST_PAUSE_MS: u32 = 100;
const LONGEST_PAUSE_MS: u32 = 2_000;
/// Ends a wait on hosts whose clock stands still between requests.
const MAX_PAUSES: u32 = 10_000;

/// One wait, from its first request on.
pub(super) struct Poll {
    started: f64,
    deadline_ms: u32,
    pause_ms: u32,
    pauses: u32,
}

impl Poll {
    /// A wait whose time runs from `started`, in the transport's milliseconds.
    pub fn new(started: f64, deadline_ms: u32) -> Self {
        Self { started, deadline_ms, pause_ms: FIRST_PAUSE_MS, pauses: 0 }
    }

    /// Pauses and gives true, or gives false where the pause would outlast the deadline.
    pub async fn pause(&mut self, transport: &impl Transport) -> Result<bool> {
        let passed = transport.now() - self.started;
        if self.pauses >= MAX_PAUSES
            || passed + f64::from(self.pause_ms) > f64::from(self.deadline_ms)
        {
            return Ok(false);
        }
        transport.sleep(self.pause_ms).await?;
        self.pauses += 1;
        self.pause_ms = (self.pause_ms * 2).min(LONGEST_PAUSE_MS);
        Ok(true)
    }
}
