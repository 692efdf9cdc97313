//! The parser [`ScanParser`]: it looks at many octets at a time to find lines.
//!
//! Start at [`scan`]. Nearly all rules are records such as `disallow: /x`, and the fastest code is for such records.
//! This code compares the field name in words of eight octets, and searches for the first octet that may end the value.
//! For other short lines, [`scan`] and [`line()`] compute masks with one bit per octet, for endings, colons, hashes and
//! white space. The code counts bits of these masks to find all offsets. [`lines`], the reference implementation, reads
//! a first line with a byte order mark, very long lines, and some of the last lines of a file. `tests/parsers.rs`
//! compares the two parsers on any octets.

// Offsets have 32 bits, because a file has less than 4 GiB. Because some functions are always inlined, the compiler
// puts the parser and the core's work on a record into one loop. One loop halves the time.
#![expect(clippy::cast_possible_truncation, clippy::inline_always, reason = "see above")]

use core::ops::Range;

use robots_core::syntax::{CompactLine, Field, Grammar, GrammarMatch, Parser, Report};
use wide::u8x16;

use crate::spelling::named;
use crate::{derive, lines};

/// The fast parser, which [`parse`](crate::parse()) uses. `ScanParser` reports the same lines as
/// [`NomParser`](crate::NomParser), but reads many octets at a time.
///
/// `ScanParser` and [`NomParser`](crate::NomParser) have the same recogniser, [`Parser::derives`].
///
/// ```
/// use robots_nom_parser::{NomParser, ScanParser, robots_core::syntax::lines};
/// let octets = b"Disallow : /x # why\r\nno colon";
/// assert_eq!(lines(&ScanParser, octets), lines(&NomParser, octets));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ScanParser;

impl Parser for ScanParser {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
        scan(octets, report);
    }

    fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
        derive::derivation(grammar, octets)
    }
}

/// Reports every line of the octets in order: the same lines as [`NomParser`](crate::NomParser).
fn scan(octets: &[u8], report: &mut Report<'_>) {
    let mut start = 0;
    if let Some(line) = lines::marked_line(octets) {
        start = line.span.end();
        report.line(line);
    }
    // At the end of the file, the last octets are copied into a separate window, followed by zeros.
    let mut last = [0; WINDOW];
    while start < octets.len() {
        let window = octets[start..].first_chunk().unwrap_or_else(|| {
            let rest = &octets[start..];
            last = [0; WINDOW];
            last[..rest.len()].copy_from_slice(rest);
            &last
        });
        if let Some((field, value, content, ending)) = record(octets, window, start) {
            start += content + ending;
            report.record(field, value as u8, content as u8, ending as u8);
        } else {
            let (endings, marks) = endings_and_marks_of_window(window);
            let content = endings.trailing_zeros();
            if content < WINDOW as u32 - 1 && marks & below(content) == 0 {
                let ending = ending_in(window, content as usize);
                start += content as usize + ending;
                report.compact(CompactLine::new(content as u8), ending as u8);
            } else {
                start += line(octets, window, start, (content, marks), report);
            }
        }
    }
}

/// Reads the record that begins at an offset. Returns its field, the start and the end of its value, counted from this
/// offset, and the length of its line ending. Returns `None` if the record does not have the usual form. The window
/// must begin at the same offset.
#[inline(always)]
fn record(
    octets: &[u8],
    window: &[u8; WINDOW],
    start: usize,
) -> Option<(Field, usize, usize, usize)> {
    let (field, name) = named(window)?;
    // The search for the value's end does not wait for the value's start, so that the processor can find the two at the
    // same time.
    let behind = name + 1;
    let spaces = u32::from(window[behind] == b' ');
    let stops = stops(window[behind..].first_chunk()?) & !spaces;
    let value = behind + spaces as usize;
    let (end, ending) = if stops == 0 {
        long_value(octets, start, behind + HALF)?
    } else {
        let end = behind + stops.trailing_zeros() as usize;
        let ending = match window[end] {
            b'\n' => 1,
            b'\r' => 1 + usize::from(window[end + 1] == b'\n'),
            0 if start + end == octets.len() => 0,
            _ => return None,
        };
        (end, ending)
    };
    (end > value).then_some((field, value, end, ending))
}

/// Returns the end of a record's value, counted from `start`, and the length of the line ending after it. The search
/// begins at `end`, which must not be after the value's end.
#[inline(never)]
fn long_value(octets: &[u8], start: usize, mut end: usize) -> Option<(usize, usize)> {
    let rest = octets.get(start..)?;
    let visible = loop {
        let Some(half) = rest[end..].first_chunk() else {
            break rest[end..].iter().take_while(|octet| !is_stop(**octet)).count();
        };
        let stops = stops(half);
        if stops != 0 {
            break stops.trailing_zeros() as usize;
        }
        end += HALF;
        if end > CompactLine::MAX {
            return None;
        }
    };
    end += visible;
    let ending = ending(&rest[end..]);
    let ends = ending > 0 || end == rest.len();
    (ends && end <= CompactLine::MAX).then_some((end, ending))
}

/// Returns whether [`stops`] marks the octet.
const fn is_stop(octet: u8) -> bool {
    octet <= b'#'
}

/// Returns one bit for each octet that is white space, a C0 control, a hash, or one of the rare octets `!` and `"`. The
/// lowest bit stands for the first octet.
#[inline(always)]
fn stops(half: &[u8; HALF]) -> u32 {
    let mask = |octets: u8x16| octets.min(u8x16::splat(b'#')).simd_eq(octets).to_bitmask();
    let [low, high] = lanes(half);
    mask(low) | mask(high) << LANES
}

/// Reports the line that begins at an offset, and returns its length. The window must begin at the same offset.
/// `content` is the end of the line's content if this end is in the window. `marks` are the colons and hashes of the
/// window.
#[inline(never)]
fn line(
    octets: &[u8],
    window: &[u8; WINDOW],
    start: usize,
    (content, marks): (u32, u64),
    report: &mut Report<'_>,
) -> usize {
    let short = if content < WINDOW as u32 - 1 {
        let line = CompactLine::new(content as u8);
        let ending = ending_in(window, content as usize);
        Some((with_parts(line, window, content), content as usize, ending))
    } else {
        long_line(octets, start, marks as u32)
    };
    if let Some((line, content, ending)) = short {
        report.compact(line, ending as u8);
        return content + ending;
    }
    let line = lines::line_at(octets, start);
    report.line(line);
    line.span.len()
}

/// Returns the length of the line ending that begins at an offset of a window. This offset must not be the last one of
/// the window.
#[inline(always)]
fn ending_in(window: &[u8; WINDOW], content: usize) -> usize {
    1 + usize::from(window[content] == b'\r' && window[content + 1] == b'\n')
}

/// Returns two masks of a window: the octets that end a line, and the colons and hashes. The lowest bit stands for the
/// first octet. If the first half contains an ending, only the bits of this half are computed.
#[inline(always)]
fn endings_and_marks_of_window(window: &[u8; WINDOW]) -> (u64, u64) {
    let (halves, _) = window.as_chunks();
    let (endings, marks) = endings_and_marks(&halves[0]);
    if endings != 0 {
        return (endings, marks);
    }
    let (high_endings, high_marks) = endings_and_marks(&halves[1]);
    (high_endings << HALF, marks | high_marks << HALF)
}

/// Returns two masks of half a window: the octets that end a line, and the colons and hashes. The lowest bit stands for
/// the first octet.
#[inline(always)]
fn endings_and_marks(half: &[u8; HALF]) -> (u64, u64) {
    let mask = |a: u8, b: u8| {
        let is = |octets: &u8x16| octets.simd_eq(u8x16::splat(a)) | octets.simd_eq(u8x16::splat(b));
        let [low, high] = lanes(half);
        u64::from(is(&low).to_bitmask() | is(&high).to_bitmask() << LANES)
    };
    (mask(b'\r', b'\n'), mask(b':', b'#'))
}

/// Adds the field, the value and the comment to a line whose content is completely in a window. `content` is the end of
/// this content.
#[inline(always)]
fn with_parts(mut line: CompactLine, window: &[u8; WINDOW], content: u32) -> CompactLine {
    let mask = |is: &dyn Fn(u8x16) -> u8x16| {
        let (low, high) = window.split_at(HALF);
        let half = |half: &[u8]| {
            let [low, high] = lanes(half.first_chunk().unwrap_or(&[0; HALF]));
            u64::from(is(low).to_bitmask() | is(high).to_bitmask() << LANES)
        };
        half(low) | half(high) << HALF
    };
    let is = |octets: u8x16, octet: u8| octets.simd_eq(u8x16::splat(octet));
    let hashes = mask(&|octets| is(octets, b'#')) & below(content);
    let hash = if hashes == 0 { content } else { hashes.trailing_zeros() };
    if hashes != 0 {
        line = line.with_comment(hash as u8);
    }
    let colons = mask(&|octets| is(octets, b':')) & below(hash);
    if colons == 0 {
        return line;
    }
    let text = mask(&|octets| !(is(octets, b' ') | is(octets, b'\t')));
    let colon = colons.trailing_zeros();
    let field = trimmed(text & below(colon), 0);
    let value = trimmed(text & below(hash) & !below(colon + 1), colon as u8 + 1);
    line.with_record(field, colon as u8, value)
}

/// Returns a line that is at least as long as a window, or the last line of the file, together with the lengths of its
/// content and of its ending. `marks` are the colons and hashes of the window's first half. Returns `None` if the line
/// is too long for a [`CompactLine`].
fn long_line(octets: &[u8], start: usize, marks: u32) -> Option<(CompactLine, usize, usize)> {
    let rest = &octets[start..];
    let mut first = (marks != 0).then(|| marks.trailing_zeros() as usize);
    let mut seen = HALF;
    let content = loop {
        let Some(half) = rest.get(seen..).and_then(<[u8]>::first_chunk) else {
            let line = lines::line_at(octets, start);
            let parts = CompactLine::of(&line)?;
            return Some((parts, line.content.len(), line.ending().len()));
        };
        let (endings, marks) = endings_and_marks(half);
        if marks != 0 && first.is_none() {
            first = Some(seen + marks.trailing_zeros() as usize);
        }
        if endings != 0 {
            break seen + endings.trailing_zeros() as usize;
        }
        seen += HALF;
        if seen > CompactLine::MAX {
            return None;
        }
    };
    if content > CompactLine::MAX {
        return None;
    }
    let line = CompactLine::new(content as u8);
    let line = match first.filter(|first| *first < content) {
        None => line,
        Some(first) => with_long_parts(line, &rest[..content], first),
    };
    Some((line, content, ending(&rest[content..])))
}

/// Returns the length of the line ending with which the octets begin, or 0 if they do not begin with a line ending.
const fn ending(octets: &[u8]) -> usize {
    match octets {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Adds the field, the value and the comment to a long line. `first` is the offset of the first colon or hash in its
/// content.
fn with_long_parts(line: CompactLine, content: &[u8], first: usize) -> CompactLine {
    let hash = memchr::memchr(b'#', &content[first..]).map(|found| first + found);
    let line = hash.map_or(line, |hash| line.with_comment(hash as u8));
    if hash == Some(first) {
        return line;
    }
    let is_text = |octet: &u8| !matches!(octet, b' ' | b'\t');
    let trimmed = |range: Range<usize>| {
        let text = &content[range.clone()];
        let end = text.iter().rposition(is_text).map_or(0, |last| last + 1);
        let start = text[..end].iter().position(is_text).unwrap_or(0);
        (range.start + start) as u8..(range.start + end) as u8
    };
    let value = trimmed(first + 1..hash.unwrap_or(content.len()));
    line.with_record(trimmed(0..first), first as u8, value)
}

const WINDOW: usize = 64;
const HALF: usize = WINDOW / 2;
const LANES: usize = 16;

#[inline(always)]
fn lanes(half: &[u8; HALF]) -> [u8x16; 2] {
    let lanes = |octets: Option<&[u8; LANES]>| u8x16::new(*octets.unwrap_or(&[0; LANES]));
    [lanes(half.first_chunk()), lanes(half.last_chunk())]
}

/// Returns a mask of the bits below a position, which must be at most 63.
#[inline]
const fn below(position: u32) -> u64 {
    (1 << position) - 1
}

/// Returns the range from the first to the last bit that is set in a mask. If no bit is set, returns an empty range at
/// the given position.
#[inline(always)]
fn trimmed(text: u64, empty_at: u8) -> Range<u8> {
    if text == 0 {
        return empty_at..empty_at;
    }
    text.trailing_zeros() as u8..(WINDOW as u32 - text.leading_zeros()) as u8
}

#[cfg(test)]
mod tests;
