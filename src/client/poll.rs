//! Waiting for work at the service: growing pauses within the call's time.

use crate::error::Result;

use super::Client;
use super::retry::retry_after_ms;
use super::transport::Transport;

const FIRST_PAUSE_MS: u32 = 100;
const LONGEST_PAUSE_MS: u32 = 2_000;

/// One wait for something at the service.
pub(super) struct Poll {
    pause_ms: u32,
}

impl Poll {
    /// A wait that has not begun.
    pub fn new() -> Self {
        Self { pause_ms: FIRST_PAUSE_MS }
    }

    /// Pauses, never for less than a `Retry-After` asks; gives false, without a pause, where that would outlast the call.
    pub async fn pause<T: Transport>(
        &mut self,
        client: &Client<T>,
        retry_after: Option<&str>,
    ) -> Result<bool> {
        let now = client.transport.now();
        let asked = retry_after.and_then(|text| retry_after_ms(text, now)).unwrap_or(0.0);
        let pause = f64::from(self.pause_ms).max(asked);
        if pause > client.time.left(now) {
            return Ok(false);
        }
        client.sleep(pause as u32).await?;
        self.pause_ms = (self.pause_ms * 2).min(LONGEST_PAUSE_MS);
        Ok(true)
    }
}
