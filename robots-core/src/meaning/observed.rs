//! What Google's published C++ library reads where it departs from every edition: lines and user-agent
//! values.
//!
//! Start at [`line()`]. Nothing here is the editions'; no file read by an edition comes by. Paths are in
//! `path::as_given`.

use core::ops::Range;

use super::of_line_without_field;
use crate::line::code::KindCode;
use crate::line::{Field, Line, NoEffect, Span};
use crate::text::before_nul;

/// What a field's name begins with, ASCII case ignored, misspellings included; what follows in the name is
/// ignored.
const FIELDS: [(&str, Field); 12] = [
    ("user-agent", Field::UserAgent),
    ("useragent", Field::UserAgent),
    ("user agent", Field::UserAgent),
    ("allow", Field::Allow),
    ("disallow", Field::Disallow),
    ("dissallow", Field::Disallow),
    ("dissalow", Field::Disallow),
    ("disalow", Field::Disallow),
    ("diasllow", Field::Disallow),
    ("disallaw", Field::Disallow),
    ("sitemap", Field::Sitemap),
    ("site-map", Field::Sitemap),
];

/// The octets of a line that are read, byte order mark and line ending not counted.
const LINE_OCTETS: usize = 16_663;

/// The octets a file may begin with, all or some of the first of them, that no line holds.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The octets that count for nothing around a field and a value.
const WHITE_SPACE: &[u8] = b" \t\x0B\x0C\r\n";

/// Returns a line as the library reads it, of what a parser reported.
///
/// The parser's ends of the line, its first colon and its comment are kept; the field and the value are
/// found anew within what the library reads. A NUL ends that. Without a colon two words are a field and its
/// value. Reading a line so twice changes nothing.
#[cold]
pub(crate) fn line(octets: &[u8], mut line: Line) -> Line {
    if line.span.start() == 0 && line.content.start() == 0 {
        let content = &octets[line.content.range()];
        let marks = content.iter().zip(MARK).take_while(|(octet, mark)| octet == mark);
        line.content = Span::new(marks.count(), line.content.end());
    }
    let start = line.content.start();
    let read = &octets[start..line.content.end().min(start + LINE_OCTETS)];
    let end = start + before_nul(read).len();
    line.comment = line.comment.filter(|comment| (start..end).contains(&comment.start()));
    let text = start..line.comment.map_or(end, Span::start);
    // A parser may have said anything of a line's parts, but that they lie in it.
    let before_comment = Span::new(text.start, text.end);
    line.colon = line.colon.filter(|colon| before_comment.contains(*colon));
    let parts = match line.colon {
        Some(colon) => Some([start..colon.start(), colon.end()..text.end]),
        None => two_words(octets, trim(octets, text)),
    };
    let parts = parts.map(|parts| parts.map(|part| trim(octets, part)));
    (line.field, line.value) = match parts {
        Some([field, value]) => (Some(field), Some(value)),
        None => (None, None),
    };
    line
}

/// Returns the kind of a line as the library has it, of a line as it reads it.
#[cold]
pub(crate) fn kind(line: &Line, octets: &[u8]) -> KindCode {
    let (Some(name), Some(value)) = (line.field, line.value) else {
        return of_line_without_field(line, octets);
    };
    let (name, value) = (&octets[name.range()], &octets[value.range()]);
    match field(name) {
        Some(field) if value.is_empty() => KindCode::record(field, Err(NoEffect::Empty)),
        // No other pattern matches a path.
        Some(field) if field.rule().is_some() && !matches!(value[0], b'/' | b'*') => {
            KindCode::record(field, Err(NoEffect::NoSlash))
        }
        Some(field) => KindCode::record(field, Ok(())),
        None if name.is_empty() => KindCode::NO_FIELD,
        None => KindCode::UNKNOWN,
    }
}

/// Returns the field whose name, or an accepted misspelling of it, a name begins with.
#[cold]
fn field(name: &[u8]) -> Option<Field> {
    let begins = |with: &str| {
        name.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
    };
    FIELDS.iter().find(|(with, _)| begins(with)).map(|(_, field)| *field)
}

/// Returns whether a user-agent line's value is the global agent: `*`, alone or before white space.
pub(crate) fn is_global(value: &[u8]) -> bool {
    match value {
        [b'*', rest @ ..] => rest.first().is_none_or(|octet| WHITE_SPACE.contains(octet)),
        _ => false,
    }
}

/// Returns whether a user-agent line's value names a token: the value's letters, `-` and `_` up to any other
/// octet are the token as given.
pub(crate) fn names(value: &[u8], token: &str) -> bool {
    let kept = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
    let end = value.iter().position(|octet| !kept(octet)).unwrap_or(value.len());
    !is_global(value) && value[..end].eq_ignore_ascii_case(token.as_bytes())
}

/// Cuts text at its only run of spaces and tabs, if it has one.
fn two_words(octets: &[u8], text: Span) -> Option<[Range<usize>; 2]> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let words = &octets[text.range()];
    let first = words.iter().position(is_space)?;
    let space = words[first..].iter().position(|octet| !is_space(octet))?;
    let second = text.start() + first + space;
    let one_run = !octets[second..text.end()].iter().any(is_space);
    one_run.then(|| [text.start()..text.start() + first, second..text.end()])
}

fn trim(octets: &[u8], range: Range<usize>) -> Span {
    let text = |octet: &u8| !WHITE_SPACE.contains(octet);
    let part = &octets[range.clone()];
    let before = part.iter().position(text).unwrap_or(0);
    let end = part.iter().rposition(text).map_or(before, |last| last + 1);
    Span::new(range.start + before, range.start + end)
}
