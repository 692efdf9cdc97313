//! The texts of the findings about preferences.
//!
//! [`cause()`] and [`fix()`] are tables with a sentence for each kind of finding about preferences. The crate's module
//! `text` calls them, and defines the form of the sentences. If the intended text is clear, [`corrected()`] returns it,
//! and the fix names it. Text of the file is shown only through [`Shown`], which escapes it.

use alloc::string::String;
use core::fmt;

use super::super::kind::FindingKind;
use super::super::one::{Detail, Finding};
use robots_core::syntax::Shown;

/// Writes the cause. `another` writes the other line that the finding mentions.
pub(crate) fn cause(
    finding: &Finding<'_>,
    another: &dyn fmt::Display,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let (shown, key) = (Shown(finding.octets()), Shown(key(finding)));
    match finding.kind {
        FindingKind::PreferenceBetweenAgents => write!(
            f,
            "{another} is between this line and a user-agent line above it; most parsers read these groups as one, so \
             the rules below are also for the crawlers above"
        ),
        FindingKind::PreferenceBeforeAgent => {
            f.write_str("no user-agent line comes before this preference, so it belongs to no group")
        }
        FindingKind::PreferenceNotCrawled => write!(
            f,
            "the crawlers of this group may not fetch these pages ({another}), so the preference is about none of them"
        ),
        FindingKind::UsageEmpty if is_path(finding) => {
            f.write_str("the line has a path and no preference, and readers differ on what that means")
        }
        FindingKind::UsageEmpty => f.write_str("the line states no preference"),
        FindingKind::UsageOldLabel => {
            write!(f, "`{shown}` is a label of an older draft, and readers of the current one ignore it")
        }
        FindingKind::UsageSignalKey => {
            write!(f, "`{key}` is a key of Content-Signal, and readers of Content-Usage ignore it")
        }
        FindingKind::UsageValue => {
            write!(f, "`{shown}` states nothing, because its value is not `y` or `n`")
        }
        FindingKind::UsageCapitals => write!(
            f,
            "`{shown}` contains a capital letter, which no label may have, so readers ignore the whole line"
        ),
        FindingKind::UsageTrailingMark if finding.octets() == b";" => {
            f.write_str("a semicolon ends the preference, and strict readers therefore ignore the whole line")
        }
        FindingKind::UsageTrailingMark => {
            f.write_str("a comma ends the preference, so readers ignore the whole line")
        }
        FindingKind::UsageQuotedHash => f.write_str(
            "`#` begins a comment even in quotation marks, so the preference ends here and readers ignore the whole line",
        ),
        FindingKind::SignalUsageKey => {
            write!(f, "`{key}` is a label of Content-Usage, and not a key of Content-Signal")
        }
        FindingKind::SignalValue => {
            write!(f, "the values of Content-Signal are `yes` and `no`, and `{shown}` has another one")
        }
        _ => write!(f, "`{shown}` is not a preference of the form `label=value`, so readers ignore the whole line"),
    }
}

/// Writes the fix.
pub(crate) fn fix(finding: &Finding<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let key = Shown(key(finding));
    let write_or =
        |f: &mut fmt::Formatter<'_>, without: fmt::Arguments<'_>| match corrected(finding) {
            Some(text) => write!(f, "write `{}`", Shown(text.as_bytes())),
            None => f.write_fmt(without),
        };
    match finding.kind {
        FindingKind::PreferenceBetweenAgents => {
            f.write_str("end the group above with a rule, for example `Disallow:`, directly before this line")
        }
        FindingKind::PreferenceBeforeAgent => f.write_str("write `User-agent: *` before it"),
        FindingKind::PreferenceNotCrawled => {
            f.write_str("remove the line, or allow the pages that it is about")
        }
        FindingKind::UsageEmpty if is_path(finding) => write!(
            f,
            "write a preference after the path, for example `{} train-ai=n`, or remove the line",
            Shown(finding.octets())
        ),
        FindingKind::UsageEmpty => {
            f.write_str("write a preference, for example `train-ai=n`, or remove the line")
        }
        FindingKind::UsageOldLabel => f.write_str("write `train-ai` or `search`"),
        FindingKind::UsageSignalKey => {
            write_or(f, format_args!("put it into a Content-Signal line; Content-Usage has no label for it"))
        }
        FindingKind::UsageValue => write_or(f, format_args!("write `{key}=y` or `{key}=n`")),
        FindingKind::UsageCapitals => write_or(f, format_args!("write it in lower case")),
        FindingKind::UsageTrailingMark => f.write_str("remove it"),
        FindingKind::UsageQuotedHash => {
            f.write_str("remove the text in quotation marks, or write it without `#`")
        }
        FindingKind::SignalUsageKey => {
            write_or(f, format_args!("put it into a Content-Usage line; Content-Signal has no key for it"))
        }
        FindingKind::SignalValue => write_or(f, format_args!("write `{key}=yes` or `{key}=no`")),
        _ => f.write_str(
            "write `label=value`, with commas between several, for example `train-ai=n, search=y`; a path before it \
             begins with `/`",
        ),
    }
}

fn is_path(finding: &Finding<'_>) -> bool {
    finding.octets().first() == Some(&b'/')
}

/// Returns the key of the member in the span.
fn key<'r>(finding: &Finding<'r>) -> &'r [u8] {
    let len = if let Detail::Part(len) = finding.detail { len } else { 0 };
    finding.octets().get(..len).unwrap_or_default()
}

/// Returns the text that the author probably intended, or `None` if this is not clear.
fn corrected(finding: &Finding<'_>) -> Option<String> {
    let octets = finding.octets();
    if finding.kind == FindingKind::UsageCapitals {
        return String::from_utf8(octets.to_ascii_lowercase()).ok();
    }
    let key = key(finding).to_ascii_lowercase();
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
