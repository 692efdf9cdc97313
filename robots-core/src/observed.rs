//! What an observed library reads where it departs from every edition: lines, user-agent values, paths.
//!
//! Start at [`line()`] and [`path`]. Everything here is [`Observed`]'s, nothing the editions'; no file read
//! by an edition comes by.

use crate::edition::Observed;
use crate::kind_code::KindCode;
use crate::{Field, Line, NoEffect, Span, meaning};

/// Returns a line as the library reads it, of what a parser reported.
///
/// The parser's ends of the line, its first colon and its comment are kept; the field and the value are
/// found anew within what the library reads. Reading a line so twice changes nothing.
#[cold]
pub(crate) fn line(octets: &[u8], mut line: Line, observed: &Observed) -> Line {
    if line.span.start() == 0 && line.content.start() == 0 {
        let content = &octets[line.content.range()];
        let marks = content.iter().zip(observed.mark).take_while(|(octet, mark)| octet == mark);
        line.content = Span::new(marks.count(), line.content.end());
    }
    let start = line.content.start();
    let read = &octets[start..line.content.end().min(start + observed.line_octets)];
    let end = start + before_nul(read, observed).len();
    line.comment = line.comment.filter(|comment| comment.start() < end);
    line.colon = line.colon.filter(|colon| colon.start() < end);
    let text = start..line.comment.map_or(end, Span::start);
    let parts = match line.colon {
        Some(colon) => Some([start..colon.start(), colon.end()..text.end]),
        None if observed.colon_optional => two_words(octets, trim(octets, text, observed)),
        None => None,
    };
    let parts = parts.map(|parts| parts.map(|part| trim(octets, part, observed)));
    (line.field, line.value) = match parts {
        Some([field, value]) => (Some(field), Some(value)),
        None => (None, None),
    };
    line
}

/// Returns the kind of a line as the library has it, of a line as it reads it.
#[cold]
pub(crate) fn kind(line: &Line, octets: &[u8], observed: &Observed) -> KindCode {
    let (Some(name), Some(value)) = (line.field, line.value) else {
        return meaning::of_line_without_field(line, octets);
    };
    let (name, value) = (&octets[name.range()], &octets[value.range()]);
    match field(name, observed) {
        Some(field) if value.is_empty() => KindCode::with(field, Err(NoEffect::Empty)),
        // No other pattern matches a path.
        Some(field @ (Field::Allow | Field::Disallow)) if !matches!(value[0], b'/' | b'*') => {
            KindCode::with(field, Err(NoEffect::NoSlash))
        }
        Some(field) => KindCode::with(field, Ok(())),
        None if name.is_empty() => KindCode::NO_FIELD,
        None => KindCode::UNKNOWN,
    }
}

/// Returns the field whose name, or an accepted misspelling of it, a name begins with.
#[cold]
pub(crate) fn field(name: &[u8], observed: &Observed) -> Option<Field> {
    let begins = |with: &str| {
        name.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
    };
    observed.fields.iter().find(|(with, _)| begins(with)).map(|(_, field)| *field)
}

/// Returns whether a user-agent line's value is the global agent.
pub(crate) fn is_global(value: &[u8], observed: &Observed) -> bool {
    match value {
        [b'*', rest @ ..] if observed.global_agent_may_go_on => {
            rest.first().is_none_or(|octet| observed.white_space.contains(octet))
        }
        _ => value == b"*",
    }
}

/// Returns whether a user-agent line's value names a token, given whole.
pub(crate) fn names(value: &[u8], token: &str, observed: &Observed) -> bool {
    let kept = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
    let end = value.iter().position(|octet| !kept(octet)).unwrap_or(value.len());
    !is_global(value, observed) && value[..end].eq_ignore_ascii_case(token.as_bytes())
}

/// Returns the path, parameters and query of a text, taken for a URL whatever it is; `None` stands for
/// `/`, and what begins without a slash lacks it.
///
/// They begin at the first `/`, `?` or `;` behind a `://` that none of these precedes, and end at the
/// fragment. Two slashes at the very start are passed over.
pub(crate) fn path<'u>(text: &'u [u8], observed: &Observed) -> Option<&'u [u8]> {
    let (_, text) = text.split_at(if text.starts_with(b"//") { 2 } else { 0 });
    let begins =
        |octets: &[u8]| octets.iter().position(|octet| matches!(octet, b'/' | b'?' | b';'));
    let scheme = memchr::memmem::find(text, b"://").filter(|at| begins(&text[..*at]).is_none());
    let authority = scheme.map_or(0, |at| at + b"://".len());
    let start = authority + begins(&text[authority..])?;
    let end = memchr::memchr(b'#', text).unwrap_or(text.len());
    Some(before_nul(text.get(start..end)?, observed))
}

/// Returns the part of an allow rule's value that is a pattern of its own, to match whole: the folder of
/// an index page, its slash included.
pub(crate) fn folder<'v>(value: &'v [u8], observed: &Observed) -> Option<&'v [u8]> {
    let slash = memchr::memrchr(b'/', value)?;
    value[slash..].starts_with(observed.index_page).then(|| &value[..=slash])
}

fn before_nul<'o>(octets: &'o [u8], observed: &Observed) -> &'o [u8] {
    let nul = memchr::memchr(0, octets).filter(|_| observed.nul_ends_text);
    &octets[..nul.unwrap_or(octets.len())]
}

/// Cuts text at its only run of spaces and tabs, if it has one.
fn two_words(octets: &[u8], text: Span) -> Option<[core::ops::Range<usize>; 2]> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let words = &octets[text.range()];
    let first = words.iter().position(is_space)?;
    let space = words[first..].iter().position(|octet| !is_space(octet))?;
    let second = text.start() + first + space;
    let one_run = !octets[second..text.end()].iter().any(is_space);
    one_run.then(|| [text.start()..text.start() + first, second..text.end()])
}

fn trim(octets: &[u8], range: core::ops::Range<usize>, observed: &Observed) -> Span {
    let text = |octet: &u8| !observed.white_space.contains(octet);
    let part = &octets[range.clone()];
    let before = part.iter().position(text).unwrap_or(0);
    let end = part.iter().rposition(text).map_or(before, |last| last + 1);
    Span::new(range.start + before, range.start + end)
}
