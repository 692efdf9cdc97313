//! The findings about a line that states a preference about the use of content: `Content-Usage`, which drafts of the
//! IETF define, and `Content-Signal`, which Cloudflare defines.
//!
//! Start at [`of_line`]. The drafts read a preference as a dictionary of structured fields (RFC 9651), in which one
//! mistake makes the whole line invalid. So this module looks for each mistake separately. The module accepts more than
//! the grammar: if it reports a value as invalid, no reader of structured fields accepts the value. A property test
//! compares the module with a reader of structured fields. This module does not know the edition under which a file is
//! read, because it reports the same findings in every edition.
//!
//! Sources: draft-ietf-aipref-attach-05, section 3; draft-ietf-aipref-vocab-07, section 6; contentsignals.org.

mod corrected;
mod members;

use alloc::vec::Vec;

pub(super) use self::corrected::corrected;
use self::members::{Member, members, pairs};
use super::file::{Sink, before_comment};
use super::kind::FindingKind;
use super::one::Detail;
use robots_core::syntax::Span;
use robots_core::usage::{Category, Vocabulary, split};

/// A field that states a preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stating {
    Usage,
    Signal,
}

impl Stating {
    /// Returns the field with this name. The comparison ignores ASCII case.
    pub(super) fn named(name: &[u8]) -> Option<Self> {
        let is = |field: &str| name.eq_ignore_ascii_case(field.as_bytes());
        if is(USAGE) {
            Some(Self::Usage)
        } else if is(SIGNAL) {
            Some(Self::Signal)
        } else {
            None
        }
    }
}

/// The name of the field that the drafts define.
pub(super) const USAGE: &str = "content-usage";

/// The name of the field that Cloudflare defines.
pub(super) const SIGNAL: &str = "content-signal";

/// Returns the path of a line with this field, and whether the line allows AI training. Returns `None` if the line says
/// nothing about it.
pub(super) fn training(stating: Stating, value: &[u8]) -> Option<(Option<&[u8]>, bool)> {
    let is = |octets: &[u8], word: &str| octets.eq_ignore_ascii_case(word.as_bytes());
    match stating {
        Stating::Usage => {
            let (path, preference) = split(value);
            let members: Vec<Member> = members(preference).collect::<Result<_, _>>().ok()?;
            let last =
                members.into_iter().rfind(|it| preference[it.key.clone()] == *b"train-ai")?;
            match &preference[last.value?] {
                b"y" => Some((path, true)),
                b"n" => Some((path, false)),
                _ => None,
            }
        }
        Stating::Signal => {
            let last = pairs(value).filter(|it| is(&value[it.key.clone()], "ai-train")).last()?;
            let stated = &value[last.value?];
            (is(stated, "yes") || is(stated, "no")).then(|| (None, is(stated, "yes")))
        }
    }
}

/// The labels of older drafts of the vocabulary.
const OLD_LABELS: [&str; 8] =
    ["bots", "all", "tdm", "ai", "genai", "train-genai", "ai-output", "inference"];

/// The keys of Content-Signal that are not labels of Content-Usage.
const SIGNAL_KEYS: [&str; 3] = ["ai-train", "ai-input", "use"];

/// The keys of Content-Signal whose values are `yes` and `no`.
const YES_OR_NO: [&str; 3] = ["search", "ai-input", "ai-train"];

/// Adds the findings about a line with this field.
pub(super) fn of_line(stating: Stating, sink: &mut Sink<'_, '_>) {
    let value = sink.line.value.unwrap_or_default();
    match stating {
        Stating::Usage => usage(value, sink),
        Stating::Signal => signal(value, sink),
    }
}

fn usage(value: Span, sink: &mut Sink<'_, '_>) {
    let (path, preference) = split(sink.octets(value));
    let start = value.end() - preference.len();
    if preference.is_empty() {
        let mark = if path.is_some() { value } else { before_comment(&sink.line, sink) };
        return sink.add(FindingKind::UsageEmpty, mark);
    }
    let is_open = members::is_open(preference);
    if let Some(comment) = sink.line.comment
        && is_open
    {
        let mark = Span::new(comment.start(), comment.start() + 1);
        return sink.add(FindingKind::UsageQuotedHash, mark);
    }
    let whole = if is_open { preference } else { without_trailing_marks(preference) };
    if let [_, ..] = preference[whole.len()..].trim_ascii() {
        let last = Span::new(value.end() - 1, value.end());
        sink.add(FindingKind::UsageTrailingMark, last);
    }
    let mut is_invalid = false;
    for member in members(whole) {
        match member {
            Ok(member) => label(whole, &member, start, sink),
            // One invalid member makes the whole dictionary invalid, so only the first invalid member is reported.
            Err(part) if !is_invalid => {
                is_invalid = true;
                let mark = Span::new(start + part.start, start + part.end);
                sink.add(FindingKind::UsageInvalid, mark);
            }
            Err(_) => {}
        }
    }
}

/// Returns the preference without the commas, semicolons and white space at its end.
fn without_trailing_marks(preference: &[u8]) -> &[u8] {
    let is_mark = |octet: &u8| matches!(octet, b',' | b';' | b' ' | b'\t');
    let end = preference.iter().rposition(|octet| !is_mark(octet)).map_or(0, |last| last + 1);
    &preference[..end]
}

/// Adds the findings about a member of a Content-Usage dictionary. The dictionary begins at the offset `start` of the
/// file.
fn label(octets: &[u8], member: &Member, start: usize, sink: &mut Sink<'_, '_>) {
    let key = &octets[member.key.clone()];
    let is = |known: &&str| key.eq_ignore_ascii_case(known.as_bytes());
    let mark = Span::new(start + member.key.start, start + member.key.end);
    let whole = Span::new(start + member.key.start, start + member.end);
    let part = Detail::Part(key.len());
    if SIGNAL_KEYS.iter().any(is) {
        return sink.add_with(FindingKind::UsageSignalKey, whole, part);
    }
    if OLD_LABELS.iter().any(is) {
        return sink.add(FindingKind::UsageOldLabel, mark);
    }
    if key.iter().any(u8::is_ascii_uppercase) {
        sink.add(FindingKind::UsageCapitals, mark);
    }
    let categories = Vocabulary::default().categories().iter().copied().map(Category::label);
    let value = member.value.clone().map(|value| &octets[value]);
    if categories.into_iter().any(|label| is(&label)) && !matches!(value, Some(b"y" | b"n")) {
        sink.add_with(FindingKind::UsageValue, whole, part);
    }
}

fn signal(value: Span, sink: &mut Sink<'_, '_>) {
    let octets = sink.octets(value);
    for member in pairs(octets) {
        let key = &octets[member.key.clone()];
        let is = |known: &&str| key.eq_ignore_ascii_case(known.as_bytes());
        let whole = Span::new(value.start() + member.key.start, value.start() + member.end);
        let part = Detail::Part(key.len());
        let is_label = ["train-ai", "ai-use"].iter().any(is);
        let stated = member.value.map(|value| &octets[value]);
        let is_value =
            |value: &[u8]| value.eq_ignore_ascii_case(b"yes") || value.eq_ignore_ascii_case(b"no");
        if is_label {
            sink.add_with(FindingKind::SignalUsageKey, whole, part);
        } else if YES_OR_NO.iter().any(is) && !stated.is_some_and(is_value) {
            sink.add_with(FindingKind::SignalValue, whole, part);
        }
    }
}
