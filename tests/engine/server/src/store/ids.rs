//! Identifiers, tokens, digests and times as they stand on the wire.

use std::fmt::Write;
use std::hash::Hasher;

use chrono::{SecondsFormat, Utc};
use hotdata_local_engine::error::{EngineError, Result};

/// `prefix` and 96 random bits in hex.
pub fn random_id(prefix: &str) -> Result<String> {
    random_hex(prefix, 12)
}

/// 192 random bits in hex: unguessable.
pub fn token() -> Result<String> {
    random_hex("", 24)
}

fn random_hex(prefix: &str, bytes: usize) -> Result<String> {
    let mut raw = vec![0u8; bytes];
    getrandom::fill(&mut raw)
        .map_err(|e| EngineError::internal(format!("no random numbers: {e}")))?;
    let mut text = String::with_capacity(prefix.len() + 2 * bytes);
    text.push_str(prefix);
    for byte in raw {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// RFC 3339 in UTC with microseconds.
pub fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// 128 bits in hex that tell byte strings apart. Not cryptographic.
pub fn digest(parts: &[&[u8]]) -> String {
    let mut text = String::with_capacity(32);
    for salt in [0u8, 1] {
        let mut hasher = std::hash::DefaultHasher::new();
        hasher.write_u8(salt);
        for part in parts {
            hasher.write_usize(part.len());
            hasher.write(part);
        }
        let _ = write!(text, "{:016x}", hasher.finish());
    }
    text
}
