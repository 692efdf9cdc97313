//! The lenient parser: every line of any octets, whether it derives or not.
//!
//! Start at [`parse`]. It says where the parts of a line are, never what they mean: a field may be
//! unknown, a value invalid, and a line without a colon is reported with neither.

use core::ops::Range;

use memchr::{memchr, memchr2};
use robots_core::{Line, Span};

use crate::grammar::rfc9309::{nl, ws};

/// The byte order mark, U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reports every line of the octets, in order.
///
/// The field is what stands before the first colon, the value what stands behind it, both without
/// white space around them; a `#` ends either and starts the comment, so a colon behind it is none.
pub(crate) fn parse(octets: &[u8], sink: &mut dyn FnMut(Line)) {
    let mut mark = if octets.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    for (number, (span, content_end)) in (1..).zip(Lines::of(octets)) {
        let content = span.start + mark..content_end;
        mark = 0;
        sink(line(octets, number, span, content));
    }
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
        let ending = &self.octets[content_end..];
        self.start = match nl(ending) {
            Ok((next, _)) => self.octets.len() - next.len(),
            Err(_) => self.octets.len(),
        };
        Some((start..self.start, content_end))
    }
}

fn line(octets: &[u8], number: u32, span: Range<usize>, content: Range<usize>) -> Line {
    let (start, end) = (content.start, content.end);
    let mut line = Line::new(number, Span::new(span.start, span.end), Span::new(start, end));
    let Some(found) = memchr2(b':', b'#', &octets[content]) else {
        return line;
    };
    let mark = start + found;
    let comment = if octets[mark] == b'#' {
        Some(mark)
    } else {
        let comment = memchr(b'#', &octets[mark + 1..end]).map(|found| mark + 1 + found);
        line.field = Some(trimmed(octets, start..mark));
        line.colon = Some(Span::new(mark, mark + 1));
        line.value = Some(trimmed(octets, mark + 1..comment.unwrap_or(end)));
        comment
    };
    line.comment = comment.map(|comment| Span::new(comment, end));
    line
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
