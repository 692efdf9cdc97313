//! The replacement text that fixes a finding, if there is only one sensible text.
//!
//! Start at [`Finding::replacement`], which returns the text that programs apply. [`Finding::suggestion`] returns the
//! text that messages mention, even if it belongs in another file. The two methods use the table [`of()`]. The table
//! has no text for a finding that could be fixed in several ways, or whose fix would change which rule wins
//! ([`Detail::Decides`]). But some texts in the table change verdicts for other reasons, for example a corrected field
//! name. `fix.rs` does not apply such texts.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use super::field_name;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::values::{joined, of_header, paths, without_odd_space};
use robots_core::path::split_url;
use robots_core::syntax::Field;

impl Finding<'_> {
    /// Returns the text with which the span must be replaced to fix the finding, or `None` if no such text is known.
    #[must_use]
    pub fn replacement(&self) -> Option<String> {
        match self.kind {
            // The rule belongs in the robots.txt of the URL's host, which may be another host.
            FindingKind::AbsoluteUrl if !self.is_of_origin() => None,
            _ => self.suggestion(),
        }
    }

    /// Returns whether the span contains a URL of the origin that serves the file.
    pub(super) fn is_of_origin(&self) -> bool {
        self.origin.is_some_and(|origin| {
            let url = self.octets();
            let (begins, rest) = url.split_at(url.len().min(origin.len()));
            begins.eq_ignore_ascii_case(origin.as_bytes())
                && matches!(rest.first(), None | Some(b'/' | b'?'))
        })
    }

    /// Returns the text that the fix mentions, even if the text belongs in another file.
    pub(super) fn suggestion(&self) -> Option<String> {
        of(self)
    }
}

fn of(finding: &Finding<'_>) -> Option<String> {
    let octets = finding.octets();
    let path = |octets: &[u8]| String::from_utf8(octets.to_vec()).ok();
    match (finding.kind, finding.detail) {
        // The fix would change the length of the rule, and then another rule may win.
        (
            FindingKind::UselessStar | FindingKind::UselessDollar | FindingKind::LeadingStar,
            Detail::Decides,
        ) => None,
        (FindingKind::ByteOrderMark | FindingKind::UselessStar | FindingKind::UselessDollar, _) => {
            Some(String::new())
        }
        // After the token, a version or a star can be removed. But a second word may be a part of the crawler's name.
        (FindingKind::AgentSuffix, _) => {
            matches!(octets.first(), Some(b'/' | b'*')).then(String::new)
        }
        (FindingKind::MisspeltField, Detail::Field(field)) => Some(spelling(field)),
        (FindingKind::NoColon, Detail::Field(field)) => {
            let (_, end) = field_name::leading(octets)?;
            let value = path(octets[end..].trim_ascii_start())?;
            let value = value.trim_start_matches(['=', ';', ' ', '\t']);
            Some(alloc::format!("{}: {value}", spelling(field)))
        }
        (FindingKind::OddSpace, _) => path(without_odd_space(octets)),
        (FindingKind::BareUrl, _) => Some(alloc::format!("Sitemap: {}", path(octets)?)),
        (FindingKind::LinesJoined, Detail::Field(_)) => Some(alloc::format!("\n{}", path(octets)?)),
        (FindingKind::AgentHeader, _) => of_header(octets).filter(|token| is_whole(octets, token)),
        (FindingKind::AgentsJoined, _) => lines(Field::UserAgent, joined(octets), path),
        (FindingKind::PathsJoined, Detail::Field(field)) => lines(field, paths(octets), path),
        (FindingKind::AbsoluteUrl, _) => {
            let (_, rest) = split_url(octets)?;
            match rest {
                [] => Some(String::from("/")),
                at @ [b'/', ..] => path(at),
                at => Some(alloc::format!("/{}", path(at)?)),
            }
        }
        (FindingKind::RelativeSitemap, _) => match octets {
            [b'/', rest @ ..] if !rest.starts_with(b"/") => {
                finding.origin.and_then(|origin| Some(alloc::format!("{origin}{}", path(octets)?)))
            }
            _ => None,
        },
        (FindingKind::NoSlash | FindingKind::SlashAssumed, _) => slashed(octets),
        (FindingKind::LeadingStar, _) => match octets.iter().position(|octet| *octet != b'*') {
            None => Some(String::from("/")),
            // If a slash or `$` follows the stars, no text is returned. For example, `*/x` matches the path `/x`, but
            // `/*/x` does not.
            Some(rest) if matches!(octets[rest], b'/' | b'$') => None,
            Some(rest) => Some(alloc::format!("/*{}", path(&octets[rest..])?)),
        },
        (FindingKind::RawSpace, _) => Some(encoded(octets, |octet| matches!(octet, b' ' | b'\t'))),
        (FindingKind::NonAscii, _) => Some(encoded(octets, |octet| !octet.is_ascii())),
        (FindingKind::StrayPercent, _) => Some(String::from("%25")),
        (FindingKind::DollarInside, _) => Some(String::from("%24")),
        (FindingKind::AgentAll, _) => Some(String::from("*")),
        (FindingKind::MisspeltAgent, Detail::Agent(name)) => Some(String::from(name)),
        _ => None,
    }
}

/// Returns a field's name in its usual spelling.
pub(super) fn spelling(field: Field) -> String {
    let mut name = String::from(field.name());
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// Returns whether a product in a header consists only of its token, or of its token and a version. If another word
/// follows, this word may be a part of the name.
fn is_whole(header: &[u8], token: &str) -> bool {
    let at = memchr::memmem::find_iter(header, token.as_bytes());
    let mut behind = at.map(|at| &header[at + token.len()..]);
    behind.any(|behind| matches!(behind.first(), None | Some(b'/' | b';' | b')')))
}

/// Returns a path with a slash, or with `/*`, put before it, if the intended path is clear.
fn slashed(octets: &[u8]) -> Option<String> {
    let octets = octets.strip_prefix(b"./").unwrap_or(octets);
    let text = core::str::from_utf8(octets).ok()?;
    let first = text.split('/').next().unwrap_or_default();
    if first.len() < text.len() && first.matches('.').count() > 1 {
        // The text looks like a host.
        return None;
    }
    match octets.first()? {
        // The text looks like a file extension or a part of a query.
        b'?' | b'.' => Some(alloc::format!("/*{text}")),
        _ if first.contains('=') => Some(alloc::format!("/*{text}")),
        octet if octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'~' | b'%') => {
            Some(alloc::format!("/{text}"))
        }
        _ => None,
    }
}

/// Returns the values as lines of a field. The first line has no field name, because the file already has it.
fn lines<'v>(
    field: Field,
    values: impl Iterator<Item = &'v [u8]>,
    text: impl Fn(&[u8]) -> Option<String>,
) -> Option<String> {
    let values: Option<Vec<String>> = values.map(text).collect();
    Some(values?.join(&alloc::format!("\n{}: ", spelling(field))))
}

fn encoded(octets: &[u8], is_to_be: impl Fn(u8) -> bool) -> String {
    let mut out = String::new();
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut octets = [0; 4];
            let octets = character.encode_utf8(&mut octets).as_bytes();
            if octets.iter().any(|octet| is_to_be(*octet)) {
                for octet in octets {
                    let _ = write!(out, "%{octet:02X}");
                }
            } else {
                out.push(character);
            }
        }
        for octet in chunk.invalid() {
            let _ = write!(out, "%{octet:02X}");
        }
    }
    out
}
