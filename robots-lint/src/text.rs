//! Writes the texts of findings: causes and fixes, in words that a site owner understands.
//!
//! The table of the kinds has the sentences. [`VALUES`] has the values that a sentence can name. Text of the file is
//! shown only through [`Shown`], which escapes it.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use core::fmt;

use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::preferences;
use robots_core::ProductToken;
use robots_core::syntax::Shown;

impl<'r> Finding<'r> {
    /// Returns the problem as a sentence without a capital letter at its start and without a full stop.
    pub fn cause(&self) -> impl fmt::Display + use<'r> {
        Text(*self, self.kind.row().cause)
    }

    /// Returns the fix, in the same form as [`cause`](Self::cause).
    pub fn fix(&self) -> impl fmt::Display + use<'r> {
        Text(*self, self.kind.row().fix)
    }
}

/// Writes the finding as one line: `line 2: error: …; did you mean …`.
impl fmt::Display for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, .. } = self;
        write!(f, "line {line}: {}: {}; {}", self.level(), self.cause(), self.fix())
    }
}

/// Writes the first sentence whose values the finding has.
struct Text<'r>(Finding<'r>, &'static [&'static str]);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(finding, sentences) = self;
        let text = sentences.iter().find_map(|sentence| filled(sentence, finding));
        f.write_str(&text.unwrap_or_default())
    }
}

/// Returns a sentence with its values, or `None` if the finding does not have all of them.
fn filled(sentence: &str, finding: &Finding<'_>) -> Option<String> {
    let mut text = String::new();
    for (literal, name) in parts(sentence) {
        text.push_str(literal);
        let Some(name) = name else { continue };
        let is_written = !name.starts_with('?');
        let (_, value) = VALUES.iter().find(|(known, _)| *known == name.trim_start_matches('?'))?;
        let value = value(finding)?;
        text.push_str(if is_written { &value } else { "" });
    }
    Some(text)
}

/// Splits a sentence into literal texts, each with the name of the value after it.
fn parts(sentence: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    sentence.split('}').map(|part| match part.split_once('{') {
        Some((literal, name)) => (literal, Some(name)),
        None => (part, None),
    })
}

/// A value of a finding, or `None` if the finding has no such value.
type Value = fn(&Finding<'_>) -> Option<String>;

/// The values that a sentence can name.
const VALUES: &[(&str, Value)] = &[
    // The text of the span.
    ("shown", |finding| shown(finding.octets())),
    // The relevant part of the line: the beginning of the span, or the product token before it.
    ("part", |finding| {
        let Detail::Part(len) = finding.detail else { return None };
        let start = finding.span.start();
        shown(match finding.kind {
            FindingKind::AgentSuffix => &finding.body[start.saturating_sub(len)..start],
            _ => &finding.body[start..(start + len).min(finding.span.end())],
        })
    }),
    // The product token that a user-agent line names.
    ("token", |finding| shown(ProductToken::leading(finding.octets()))),
    ("another", |finding| {
        let (number, span) = finding.other()?;
        Some(format!("`{}` in line {number}", Shown(&finding.body[span.range()])))
    }),
    ("suggestion", |finding| shown(finding.suggestion()?.as_bytes())),
    ("replacement", |finding| shown(finding.replacement()?.as_bytes())),
    ("corrected", |finding| shown(preferences::corrected(finding)?.as_bytes())),
    // The text of the span without the stars at its start; `path` needs a slash or a `$` after them.
    ("rest", |finding| shown(without_stars(finding))),
    ("path", |finding| {
        let rest = without_stars(finding);
        if matches!(rest.first(), Some(b'/' | b'$')) { shown(rest) } else { None }
    }),
    ("semicolon", |finding| (finding.octets() == b";").then(String::new)),
    ("extension", |finding| match finding.detail {
        Detail::Extension(known) => Some(known.of.to_owned()),
        _ => None,
    }),
    ("instead", |finding| match finding.detail {
        Detail::Extension(known) => known.instead.map(String::from),
        _ => None,
    }),
    ("meant", |finding| match finding.detail {
        Detail::MeantExtension(known) => Some(known.name.to_owned()),
        _ => None,
    }),
    ("engines", |finding| match finding.detail {
        Detail::Engines(engines) => Some(engines.to_string()),
        _ => None,
    }),
    ("octets", |finding| match finding.detail {
        Detail::Octets(octets) => Some(octets.to_string()),
        _ => None,
    }),
    ("line", |finding| Some(finding.line.to_string())),
    ("start", |finding| Some(finding.span.start().to_string())),
    ("length", |finding| Some(finding.span.len().to_string())),
    // The whole URL of a sitemap.
    ("url", |finding| {
        let path = match finding.octets() {
            path @ [b'/', rest @ ..] if !rest.starts_with(b"/") => path,
            _ => b"/sitemap.xml",
        };
        let origin = finding.origin.unwrap_or("https://example.com").as_bytes();
        Some(format!("{}{}", Shown(origin), Shown(path)))
    }),
];

#[expect(clippy::unnecessary_wraps, reason = "a value of a finding is optional")]
fn shown(octets: &[u8]) -> Option<String> {
    Some(Shown(octets).to_string())
}

fn without_stars<'r>(finding: &Finding<'r>) -> &'r [u8] {
    let octets = finding.octets();
    let stars = octets.iter().take_while(|octet| **octet == b'*').count();
    &octets[stars..]
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::{VALUES, parts};
    use crate::FindingKind;

    /// The sentences of the table name every value, and no value that does not exist.
    #[test]
    fn sentences_name_the_values() {
        let sentences = FindingKind::ALL.iter().flat_map(|kind| {
            let row = kind.row();
            row.cause.iter().chain(row.fix)
        });
        let named = sentences.flat_map(|sentence| parts(sentence)).filter_map(|(_, name)| name);
        let named: BTreeSet<&str> = named.map(|name| name.trim_start_matches('?')).collect();
        assert_eq!(named, VALUES.iter().map(|(name, _)| *name).collect());
    }
}
