//! The text that the author of a preference probably intended: [`corrected()`]. The fix of a finding names it, but no
//! program applies it, because it states another preference.

use alloc::string::String;

use super::super::kind::FindingKind;
use super::super::one::{Detail, Finding};

/// Returns the text that the author probably intended, or `None` if this is not clear.
pub(crate) fn corrected(finding: &Finding<'_>) -> Option<String> {
    let octets = finding.octets();
    if finding.kind == FindingKind::UsageCapitals {
        return String::from_utf8(octets.to_ascii_lowercase()).ok();
    }
    let Detail::Part(len) = finding.detail else { return None };
    let key = octets.get(..len)?.to_ascii_lowercase();
    let value = octets.get(key.len()..)?.trim_ascii_start().strip_prefix(b"=")?;
    let end = memchr::memchr(b';', value).unwrap_or(value.len());
    let allows = meant(value[..end].trim_ascii())?;
    let (yes, no) = match finding.kind {
        FindingKind::UsageSignalKey | FindingKind::UsageValue => ("y", "n"),
        _ => ("yes", "no"),
    };
    let value = if allows { yes } else { no };
    let key = match (finding.kind, &key[..]) {
        (FindingKind::UsageSignalKey, b"ai-train") => "train-ai",
        (FindingKind::SignalUsageKey, b"train-ai") => "ai-train",
        (FindingKind::UsageValue | FindingKind::SignalValue, key) => {
            core::str::from_utf8(key).ok()?
        }
        _ => return None,
    };
    Some(alloc::format!("{key}={value}"))
}

/// Returns true for a usual word for *allowed*, false for a usual word for *disallowed*, and `None` for any other word.
fn meant(value: &[u8]) -> Option<bool> {
    let value =
        value.strip_prefix(b"\"").and_then(|value| value.strip_suffix(b"\"")).unwrap_or(value);
    let is = |words: &[&str]| words.iter().any(|word| value.eq_ignore_ascii_case(word.as_bytes()));
    if is(&["y", "yes", "true", "?1", "1", "allow", "allowed"]) {
        Some(true)
    } else if is(&["n", "no", "false", "?0", "0", "disallow", "disallowed"]) {
        Some(false)
    } else {
        None
    }
}
