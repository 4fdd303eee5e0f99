//! Whether a failed attempt is made again, and when.

use crate::error::{Code, Error, Result};

use super::Client;
use super::transport::Transport;

const FIRST_BACKOFF_MS: f64 = 500.0;
const LONGEST_BACKOFF_MS: f64 = 8_000.0;
/// The most that chance adds to a wait the service asks for, so that clients turned away together do not return together.
const MOST_ADDED_MS: f64 = 1_000.0;

/// Whether sending a request again is harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repeat {
    /// A read, or what does no harm when it is done twice.
    Freely,
    /// A write that the service applies once however often it comes. Holds how the caller can go on.
    Keyed(String),
    /// A read that may keep the service busy for long: not sent again after a time-out.
    Costly,
    /// A step that nothing is lost by: sent again only where it was certainly not applied.
    Once,
    /// A write: sent again only where it was certainly not applied. Holds what tells whether it was.
    Never(&'static str),
}

/// An attempt that failed, as far as it decides about the next.
#[derive(Debug, Clone, Copy)]
struct Attempt<'a> {
    /// How many were made, from 1.
    made: u32,
    /// How many more than one may be made.
    max_retries: u32,
    /// Whether the request may be sent again.
    repeat: &'a Repeat,
    /// Milliseconds left of the call.
    time_left_ms: f64,
    /// Milliseconds since 1970.
    now: f64,
    /// From 0 on and below 1.
    random: f64,
}

/// What follows an attempt that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// The next one after so many milliseconds.
    Wait(u32),
    /// Nothing, since the service asks for a longer wait, in milliseconds, than the call has time for.
    TooLong(u64),
    /// Nothing.
    Stop,
}

/// 429, 503 with `Retry-After` and a locked table are the service's words for "not now": nothing was applied. Whatever
/// else may pass is repeated only where that is harmless.
fn decide(failure: &Error, attempt: &Attempt<'_>) -> Decision {
    if attempt.made > attempt.max_retries || !may_repeat(failure, attempt.repeat) {
        return Decision::Stop;
    }
    let asked = failure.retry_after.as_deref().and_then(|text| retry_after_ms(text, attempt.now));
    let wait = match asked {
        // Never less than asked for.
        Some(asked) => asked + attempt.random * (asked / 4.0).min(MOST_ADDED_MS),
        None => {
            let doubled = FIRST_BACKOFF_MS * f64::from(1u32 << (attempt.made - 1).min(10));
            doubled.min(LONGEST_BACKOFF_MS) * (0.5 + attempt.random / 2.0)
        }
    };
    match asked {
        _ if wait < attempt.time_left_ms => Decision::Wait(wait.ceil() as u32),
        Some(asked) => Decision::TooLong(asked as u64),
        None => Decision::Stop,
    }
}

fn may_repeat(failure: &Error, repeat: &Repeat) -> bool {
    let harmless = !matches!(repeat, Repeat::Once | Repeat::Never(_));
    match failure.status {
        // Shed before it ran.
        Some(429) => true,
        Some(503) if failure.retry_after.is_some() => true,
        Some(502..=504) => harmless,
        Some(409) => is_locked(failure),
        _ => match failure.code {
            Code::Network => harmless || failure.unapplied,
            Code::Timeout => matches!(repeat, Repeat::Freely | Repeat::Keyed(_)),
            _ => false,
        },
    }
}

/// Milliseconds from `now` of a `Retry-After` header, in whole seconds or as a date; none where it is neither.
pub(super) fn retry_after_ms(text: &str, now: f64) -> Option<f64> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) {
        // More seconds than fit are as many as do.
        return Some(text.parse::<u32>().unwrap_or(u32::MAX) as f64 * 1_000.0);
    }
    Some((http_date_ms(text)? - now).max(0.0))
}

/// Milliseconds since 1970 of a date as HTTP servers have to write it, `Wed, 12 Aug 2026 02:40:00 GMT` (RFC 9110, 5.6.7).
fn http_date_ms(text: &str) -> Option<f64> {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    if text.len() != 29 || !text.ends_with(" GMT") {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<u16>().ok().map(i64::from);
    let name = text.as_bytes().get(8..11)?;
    let month = MONTHS.chunks(3).position(|month| month == name)? as i64 + 1;
    let (day, year) = (number(5, 7)?, number(12, 16)?);
    // Years that begin in March have their leap day last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let days = year * 365 + leap_days + (month * 153 + 2) / 5 + day - 1 - 719_468;
    let seconds = days * 86_400 + number(17, 19)? * 3_600 + number(20, 22)? * 60 + number(23, 25)?;
    Some(seconds as f64 * 1_000.0)
}

/// The attempts of one request.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    made: u32,
    /// Whether one of them may have been applied without an answer that said so.
    may_have_landed: bool,
}

impl Attempts {
    /// Waits for the next attempt, or fails where there is none.
    pub async fn next<T: Transport>(
        &mut self,
        client: &Client<T>,
        failure: Error,
        repeat: &Repeat,
    ) -> Result<()> {
        self.made += 1;
        self.may_have_landed |= is_without_outcome(&failure);
        let now = client.transport.now();
        let attempt = Attempt {
            made: self.made,
            max_retries: client.settings.max_retries,
            repeat,
            time_left_ms: client.time.left(now),
            now,
            random: client.transport.random(),
        };
        let mut failure = match decide(&failure, &attempt) {
            Decision::Wait(milliseconds) => return client.sleep(milliseconds).await,
            Decision::TooLong(asked) => failure.with_hint(format!(
                "The service asks to wait {} s, which is longer than this call has time for (`deadlineMs`).",
                asked.div_ceil(1_000)
            )),
            Decision::Stop => failure,
        };
        failure.after_lost = self.may_have_landed;
        // That it was turned away now says nothing of an attempt before it.
        let is_unknown = self.may_have_landed && !is_refusal(&failure);
        Err(if is_unknown { unknown_for(failure, repeat) } else { failure })
    }
}

/// Whether the service has looked at what it was sent and refused it: the same again is refused for the same reason.
fn is_refusal(failure: &Error) -> bool {
    matches!(failure.status, Some(400 | 404 | 409 | 413 | 422)) && !is_locked(failure)
}

/// Whether what the request works on is busy with another.
pub(super) fn is_locked(failure: &Error) -> bool {
    failure.engine_code.as_deref() == Some("RESOURCE_LOCKED")
}

/// Whether the service may have applied what it was sent, and has not said so.
fn is_without_outcome(failure: &Error) -> bool {
    match failure.status {
        Some(503) => failure.retry_after.is_none(),
        // Not implemented: the one that says so.
        Some(501) => false,
        Some(500..) => true,
        _ => match failure.code {
            Code::Network => !failure.unapplied,
            Code::Timeout => !failure.unapplied,
            // A success whose body is not the API's, or is more than was to be read.
            Code::UnexpectedResponse | Code::TooLarge => {
                !failure.unapplied && failure.status.is_none_or(|status| status < 300)
            }
            _ => false,
        },
    }
}

/// The failure as the caller gets it: of a write that may have been applied, with a code of its own.
pub(super) fn ended(failure: Error, repeat: &Repeat) -> Error {
    if is_without_outcome(&failure) { unknown_for(failure, repeat) } else { failure }
}

fn unknown_for(failure: Error, repeat: &Repeat) -> Error {
    match repeat {
        Repeat::Never(how_to_tell) => unknown(failure, how_to_tell),
        Repeat::Keyed(how_to_repeat) => unknown(failure, how_to_repeat),
        _ => failure,
    }
}

/// The failure of a write, or of a look at what became of one, where it is not known whether it was applied. An abort
/// stays the caller's own.
pub(super) fn unknown(mut failure: Error, how_to_go_on: &str) -> Error {
    if failure.code == Code::Aborted {
        return failure;
    }
    failure.code = Code::OutcomeUnknown;
    failure.retryable = false;
    failure.message = format!("It may have been applied, or not: {}", failure.message);
    failure.hint = Some(how_to_go_on.to_owned());
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: f64 = 1_786_500_000_000.0; // Wed, 12 Aug 2026 02:00:00 GMT

    fn failure(status: u16, retry_after: Option<&str>) -> Error {
        let mut error = Error::new(Code::of_status(status), "m");
        error.status = Some(status);
        error.retry_after = retry_after.map(str::to_owned);
        error
    }

    fn attempt(repeat: &Repeat) -> Attempt<'_> {
        let (made, max_retries, time_left_ms, random) = (1, 4, 300_000.0, 0.0);
        Attempt { made, max_retries, repeat, time_left_ms, now: NOW, random }
    }

    const WRITE: Repeat = Repeat::Never("look");

    fn waits(failure: &Error, repeat: &Repeat) -> bool {
        matches!(decide(failure, &attempt(repeat)), Decision::Wait(_))
    }

    #[test]
    fn what_was_shed_is_sent_again_whatever_it_is() {
        for repeat in &[Repeat::Freely, Repeat::Costly, WRITE] {
            assert!(waits(&failure(429, None), repeat));
            assert!(waits(&failure(503, Some("1")), repeat));
            let mut locked = failure(409, None);
            assert!(!waits(&locked, repeat));
            locked.engine_code = Some("IDEMPOTENCY_KEY_CONFLICT".to_owned());
            assert!(!waits(&locked, repeat));
            locked.engine_code = Some("RESOURCE_LOCKED".to_owned());
            assert!(waits(&locked, repeat));
        }
    }

    #[test]
    fn what_may_have_been_applied_is_sent_again_only_where_that_is_harmless() {
        for status in [502, 503, 504] {
            assert!(waits(&failure(status, None), &Repeat::Freely));
            assert!(waits(&failure(status, None), &Repeat::Costly));
            assert!(!waits(&failure(status, None), &WRITE));
        }
        let mut lost = Error::new(Code::Network, "m");
        assert!(waits(&lost, &Repeat::Costly) && !waits(&lost, &WRITE));
        lost.unapplied = true;
        assert!(waits(&lost, &WRITE));
        let late = Error::new(Code::Timeout, "m");
        assert!(waits(&late, &Repeat::Freely));
        assert!(!waits(&late, &Repeat::Costly) && !waits(&late, &WRITE));
        for status in [400, 401, 404, 413, 500] {
            assert!(!waits(&failure(status, Some("1")), &Repeat::Freely), "{status}");
        }
    }

    #[test]
    fn h4_retry_after_in_seconds_as_a_date_and_as_junk() {
        for (text, expected) in [
            ("0", 0),
            (" 2 ", 2_000),
            ("Wed, 12 Aug 2026 02:00:02 GMT", 2_000),
            // In the past.
            ("Wed, 12 Aug 2026 01:30:00 GMT", 0),
            // Neither: the ordinary backoff, halved by chance at 0.
            ("banana", 250),
            ("120junk", 250),
            ("-5", 250),
            ("1.5", 250),
            ("", 250),
        ] {
            let decision = decide(&failure(429, Some(text)), &attempt(&WRITE));
            assert_eq!(decision, Decision::Wait(expected), "{text}");
        }
    }

    #[test]
    fn http_dates_are_read_as_a_library_reads_them() {
        for day in (0..60_000u64).step_by(13) {
            let at = day * 86_400 + day * 7 % 86_400;
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(at);
            let text = httpdate::fmt_http_date(time);
            assert_eq!(http_date_ms(&text), Some(at as f64 * 1_000.0), "{text}");
        }
    }

    #[test]
    fn h37_a_wait_beyond_the_deadline_ends_the_call() {
        for (text, asked) in [
            ("99999999", 99_999_999_000),
            ("300", 300_000),
            ("9999999999999999999999", 4_294_967_295_000),
        ] {
            let decision = decide(&failure(429, Some(text)), &attempt(&Repeat::Freely));
            assert_eq!(decision, Decision::TooLong(asked));
        }
        let short = Attempt { time_left_ms: 100.0, ..attempt(&Repeat::Freely) };
        assert_eq!(decide(&failure(429, None), &short), Decision::Stop);
    }

    #[test]
    fn backoff_doubles_to_a_bound_and_chance_spreads_it() {
        let wait = |made: u32, random: f64| {
            let attempt = Attempt { made, max_retries: 99, random, ..attempt(&Repeat::Freely) };
            decide(&failure(429, None), &attempt)
        };
        for (made, least, most) in [
            (1, 250, 500),
            (2, 500, 1_000),
            (3, 1_000, 2_000),
            (5, 4_000, 8_000),
            (60, 4_000, 8_000),
        ] {
            assert_eq!(wait(made, 0.0), Decision::Wait(least));
            assert_eq!(wait(made, 0.999_999_9), Decision::Wait(most));
        }
        let asked = |random: f64| {
            decide(&failure(429, Some("2")), &Attempt { random, ..attempt(&Repeat::Freely) })
        };
        assert_eq!(
            (asked(0.0), asked(0.999_999_9)),
            (Decision::Wait(2_000), Decision::Wait(2_500))
        );
    }

    #[test]
    fn attempts_are_counted() {
        let last = Attempt { made: 5, ..attempt(&Repeat::Freely) };
        assert_eq!(decide(&failure(429, Some("0")), &last), Decision::Stop);
        let none = Attempt { max_retries: 0, ..attempt(&Repeat::Freely) };
        assert_eq!(decide(&failure(429, Some("0")), &none), Decision::Stop);
    }

    #[test]
    fn h36_a_write_without_an_outcome_says_so() {
        let mut lost = Error::new(Code::Network, "No answer");
        let told = ended(lost.clone(), &WRITE);
        assert_eq!((told.code, told.retryable), (Code::OutcomeUnknown, false));
        assert_eq!(told.message, "It may have been applied, or not: No answer");
        assert_eq!(told.hint.as_deref(), Some("look"));
        assert_eq!(ended(failure(504, None), &WRITE).code, Code::OutcomeUnknown);
        assert_eq!(ended(failure(503, Some("1")), &WRITE).code, Code::Unavailable);
        assert_eq!(ended(failure(400, None), &WRITE).code, Code::BadRequest);
        assert_eq!(ended(lost.clone(), &Repeat::Freely).code, Code::Network);
        lost.unapplied = true;
        assert_eq!(ended(lost, &WRITE).code, Code::Network);
    }
}
