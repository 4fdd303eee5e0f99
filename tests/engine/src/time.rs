//! Clock, ids and expiry.

use chrono::{DateTime, Duration, SecondsFormat, Utc};

use crate::error::{EngineError, Result};

/// RFC 3339 in UTC, with microseconds.
pub fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// `prefix` and 20 random hexadecimal digits.
pub fn new_id(prefix: &str) -> Result<String> {
    let mut bytes = [0u8; 10];
    getrandom::fill(&mut bytes)
        .map_err(|error| EngineError::internal(format!("no randomness: {error}")))?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("{prefix}{digits}"))
}

/// The moment an `expires_at` stands for, in RFC 3339. Accepts `24h`, `90m`, `7d` and RFC 3339; refuses the past.
pub fn parse_expiry(text: &str) -> Result<String> {
    let refused = || {
        EngineError::bad_request(format!(
            "expires_at: expected a time from now as '24h', '90m' or '7d', or an RFC 3339 time, got {text:?}"
        ))
    };
    let text = text.trim();
    let now = Utc::now();
    let moment = if let Some(unit @ ('m' | 'h' | 'd')) = text.chars().last() {
        let count: i64 = text[..text.len() - 1].parse().map_err(|_| refused())?;
        let length = match unit {
            'm' => Duration::try_minutes(count),
            'h' => Duration::try_hours(count),
            _ => Duration::try_days(count),
        };
        length.and_then(|length| now.checked_add_signed(length)).ok_or_else(refused)?
    } else {
        DateTime::parse_from_rfc3339(text).map_err(|_| refused())?.with_timezone(&Utc)
    };
    if moment <= now {
        return Err(EngineError::bad_request(format!("expires_at: {text:?} is in the past")));
    }
    Ok(moment.to_rfc3339_opts(SecondsFormat::Micros, true))
}

/// Whether a stored expiry has come.
pub fn is_past(expires_at: Option<&str>) -> bool {
    expires_at
        .and_then(|text| DateTime::parse_from_rfc3339(text).ok())
        .is_some_and(|moment| moment <= Utc::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiries() {
        for good in ["24h", "90m", "7d", "2999-01-01T00:00:00Z", "2999-01-01T00:00:00+02:00"] {
            assert!(!is_past(Some(&parse_expiry(good).unwrap())), "{good}");
        }
        let bad = [
            "",
            "h",
            "-1h",
            "0m",
            "12",
            "1w",
            "2001-01-01T00:00:00Z",
            "99999999999999999999d",
            "9999999999999d",
            "é",
        ];
        for bad in bad {
            assert_eq!(parse_expiry(bad).unwrap_err().status, 400, "{bad}");
        }
        assert!(is_past(Some("2001-01-01T00:00:00Z")));
        assert!(!is_past(None));
    }

    #[test]
    fn ids_differ() {
        assert_ne!(new_id("db").unwrap(), new_id("db").unwrap());
    }
}
