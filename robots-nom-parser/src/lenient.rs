//! The lenient parser: every line of any octets, whether it derives or not.
//!
//! Start at [`line_at`]. It says where the parts of a line are, never what they mean: a field may be
//! unknown, a value invalid, and a line without a colon is reported with neither.

use core::ops::Range;

use memchr::{memchr, memchr2};
use robots_core::syntax::{Line, Span};

use crate::grammar::rfc9309::{nl, ws};

/// The byte order mark, U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the line that begins at an offset before the end, with a byte order mark of so many octets.
///
/// The field is what stands before the first colon, the value what stands behind it, both without
/// white space around them; a `#` ends either and starts the comment, so a colon behind it is none.
pub(crate) fn line_at(octets: &[u8], start: usize, mark: usize) -> Line {
    let (span, content_end) = Lines { octets, start }.next().unwrap_or((start..start, start));
    let content = span.start + mark..content_end;
    let first = memchr2(b':', b'#', &octets[content.clone()]).map(|found| content.start + found);
    line(octets, span, content, first)
}

/// Returns the length of the byte order mark with which the octets begin.
pub(crate) fn byte_order_mark(octets: &[u8]) -> usize {
    if octets.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// The lines of a file: of each, its range with the ending, and where the ending begins.
///
/// CR, LF and CR LF end a line, mixed freely; nothing else does.
pub(crate) struct Lines<'a> {
    octets: &'a [u8],
    start: usize,
}

impl<'a> Lines<'a> {
    pub(crate) const fn of(octets: &'a [u8]) -> Self {
        Self { octets, start: 0 }
    }
}

impl Iterator for Lines<'_> {
    type Item = (Range<usize>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.start;
        let rest = &self.octets[start..];
        if rest.is_empty() {
            return None;
        }
        let content_end = start + memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        self.start = behind_ending(self.octets, content_end);
        Some((start..self.start, content_end))
    }
}

/// Returns the offset behind the line ending at an offset; that of the end where there is none.
fn behind_ending(octets: &[u8], content_end: usize) -> usize {
    nl(&octets[content_end..]).map_or(octets.len(), |(next, _)| octets.len() - next.len())
}

/// Returns a line, given its first colon or hash, if it has either.
fn line(
    octets: &[u8],
    span: Range<usize>,
    content: Range<usize>,
    first: Option<usize>,
) -> Line {
    let (start, end) = (content.start, content.end);
    let mut line = Line::new(Span::new(span.start, span.end), Span::new(start, end));
    let Some(mark) = first else { return line };
    let comment = if octets[mark] == b'#' {
        Some(mark)
    } else {
        let comment = memchr(b'#', &octets[mark + 1..end]).map(|found| mark + 1 + found);
        line = line.with_record(
            trimmed(octets, start..mark),
            Some(Span::new(mark, mark + 1)),
            trimmed(octets, mark + 1..comment.unwrap_or(end)),
        );
        comment
    };
    comment.map_or(line, |comment| line.with_comment(Span::new(comment, end)))
}

/// Returns the range without the white space at its ends; where there is nothing else, its start.
fn trimmed(octets: &[u8], range: Range<usize>) -> Span {
    let is_ws = |at: usize| ws(&octets[at..]).is_ok();
    let Range { mut start, mut end } = range;
    while start < end && is_ws(end - 1) {
        end -= 1;
    }
    while start < end && is_ws(start) {
        start += 1;
    }
    Span::new(start, end)
}
