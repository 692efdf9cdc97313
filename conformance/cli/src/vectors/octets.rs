//! Writes octets as a value of JSON: as text, as base64, or in parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use robots_conformance::octets::Part;
use serde_json::{Value, json};

/// The maximum length in octets of a body that is not written in parts.
const WHOLE: usize = 1024;

/// Writes octets under the key for their form. Readers can compare the length of joined parts with the stated one.
pub(super) fn written(key: &str, octets: &[u8], parts: &[Part], put: &mut impl FnMut(&str, Value)) {
    if octets.len() > WHOLE && !parts.is_empty() {
        put(&format!("{key}_parts"), parts.iter().map(part).collect());
        return put(&format!("{key}_length"), octets.len().into());
    }
    match str::from_utf8(octets) {
        Ok(text) => put(key, text.into()),
        Err(_) => put(&format!("{key}_base64"), BASE64.encode(octets).into()),
    }
}

fn part(part: &Part) -> Value {
    let mut value = match str::from_utf8(&part.octets) {
        Ok(text) => json!({ "text": text }),
        Err(_) => json!({ "base64": BASE64.encode(&part.octets) }),
    };
    if part.times != 1 {
        value["times"] = part.times.into();
    }
    if let Some(counter) = &part.counter {
        value["counter"] = counter.as_str().into();
    }
    value
}
