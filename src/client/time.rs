//! The time of one call: over all its attempts, waits and polls together.

use std::cell::Cell;

use crate::error::{Code, Error, Result};

/// What a call and each of its requests may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds for one request; a query may run this long before it is answered or handed over to polling.
    pub timeout_ms: u32,
    /// Milliseconds for one call with all its requests and waits.
    pub deadline_ms: u32,
}

/// What one request may take, and by which option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// From now on.
    pub milliseconds: u32,
    option: &'static str,
    set_to: u32,
}

impl Allowed {
    /// The error for work that took longer.
    pub fn ran_out(self) -> Error {
        let Self { option, set_to, .. } = self;
        Error::new(
            Code::Timeout,
            format!("No answer within {set_to} ms (`{option}` sets the time)"),
        )
    }
}

/// The time of a call under way.
#[derive(Debug)]
pub(super) struct CallTime {
    limits: Limits,
    ends_at: f64,
    /// Counted beside the clock, which stands still between requests on some hosts.
    slept: Cell<f64>,
}

impl CallTime {
    /// Starts at `now`, in milliseconds of the transport's clock.
    pub fn start(limits: Limits, now: f64) -> Self {
        Self { limits, ends_at: now + f64::from(limits.deadline_ms), slept: Cell::new(0.0) }
    }

    /// The milliseconds of the whole call.
    pub fn deadline_ms(&self) -> u32 {
        self.limits.deadline_ms
    }

    /// The milliseconds left.
    pub fn left(&self, now: f64) -> f64 {
        let unslept = f64::from(self.limits.deadline_ms) - self.slept.get();
        (self.ends_at - now).min(unslept).max(0.0)
    }

    /// What a request that starts now may take; an error where the time is over.
    pub fn allowed(&self, now: f64) -> Result<Allowed> {
        let Limits { timeout_ms, deadline_ms } = self.limits;
        let left = self.left(now) as u32;
        let allowed = if left < timeout_ms {
            Allowed { milliseconds: left, option: "deadlineMs", set_to: deadline_ms }
        } else {
            Allowed { milliseconds: timeout_ms, option: "timeoutMs", set_to: timeout_ms }
        };
        if allowed.milliseconds > 0 {
            return Ok(allowed);
        }
        let mut error = allowed.ran_out();
        // Nothing is sent.
        error.unapplied = true;
        Err(error)
    }

    /// Takes note of a wait.
    pub fn slept(&self, milliseconds: u32) {
        self.slept.set(self.slept.get() + f64::from(milliseconds));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { timeout_ms: 60, deadline_ms: 100 };

    #[test]
    fn a_request_gets_its_own_time_or_what_is_left_of_the_calls() {
        let time = CallTime::start(LIMITS, 1_000.0);
        let of = |now: f64| time.allowed(now).map(|allowed| (allowed.milliseconds, allowed.option));
        assert_eq!(of(1_000.0).unwrap(), (60, "timeoutMs"));
        assert_eq!(of(1_070.0).unwrap(), (30, "deadlineMs"));
        let error = of(1_100.0).unwrap_err();
        assert_eq!(error.message, "No answer within 100 ms (`deadlineMs` sets the time)");
    }

    #[test]
    fn waits_count_where_the_clock_stands_still() {
        let time = CallTime::start(LIMITS, 0.0);
        time.slept(70);
        assert_eq!(time.left(0.0), 30.0);
        assert_eq!(time.left(90.0), 10.0);
        time.slept(70);
        assert_eq!(time.left(0.0), 0.0);
    }
}
