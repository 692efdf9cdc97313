//! A line in eight octets. Parsers report most lines in this form, and the index stores most lines in it.
//!
//! Start at [`CompactLine`]. If a line does not fit into this form, the index stores the line in a separate list. In
//! place of the compact line, the index stores the position in that list.

use core::ops::Range;

use super::code::KindCode;
use super::field::Field;
use super::span::Span;
use super::{Line, LineNumber};

/// A line whose content begins at the start of the line and has at most 254 octets. A compact line stores its parts as
/// offsets from the line's start, in octets. It does not store the position of the line in the file. Its parts are
/// always inside the content: parts that reach beyond the content are cut at its end, and a colon beyond the content is
/// dropped. A parser should report a compact line whenever it can, because making a [`Line`] takes several times as
/// long (`cargo bench -p robots-nom-parser`).
///
/// ```
/// use robots_core::syntax::{CompactLine, LineNumber, Span};
/// // "Allow : /x # why\r\n", at octet 100
/// let compact = CompactLine::new(16).with_record(0..5, 6, 8..10).with_comment(11);
/// let line = compact.line(LineNumber::FIRST, Span::new(100, 118));
/// assert_eq!(line.value, Some(Span::new(108, 110)));
/// assert_eq!(line.comment, Some(Span::new(111, 116)));
/// assert!(CompactLine::of(&line).is_some_and(|compact| compact.line(line.number, line.span) == line));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactLine {
    /// The eight octets that store the line. [`CODE`] and the constants after it are indices of this array.
    parts: [u8; 8],
}

/// The indices of `parts`. Each part except the code is an offset, or [`NONE`]. If the line is stored in a separate
/// list, the four parts after the code are the position of the line in that list.
const CODE: usize = 0;
const CONTENT_END: usize = 1;
const FIELD_START: usize = 2;
const FIELD_END: usize = 3;
const COLON: usize = 4;
const VALUE_START: usize = 5;
const VALUE_END: usize = 6;
const COMMENT: usize = 7;

const NONE: u8 = 0xFF;

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "passing it by value costs the parser five per cent more instructions (bench, instructions)"
)]
impl CompactLine {
    /// The maximum length of the content of a compact line, in octets.
    pub const MAX: usize = 254;

    /// Makes a line without field, colon, value and comment, from the length of its content. The length is at most 254
    /// octets; 255 becomes 254.
    #[must_use]
    #[inline]
    pub const fn new(content: u8) -> Self {
        // The eight octets are computed as one number, because reading eight octets at once is slow if they were just
        // written one by one.
        let parts = u64::from_le_bytes([0, 0, NONE, NONE, NONE, NONE, NONE, NONE]);
        let content = if content == NONE { NONE - 1 } else { content };
        Self { parts: (parts | (content as u64) << (8 * CONTENT_END)).to_le_bytes() }
    }

    /// Adds the field, the colon and the value, given the offsets where they begin and end.
    #[must_use]
    #[inline]
    pub const fn with_record(mut self, field: Range<u8>, colon: u8, value: Range<u8>) -> Self {
        let content = self.parts[CONTENT_END];
        let field_end = least(field.end, content);
        let value_end = least(value.end, content);
        self.parts[FIELD_START] = least(field.start, field_end);
        self.parts[FIELD_END] = field_end;
        self.parts[COLON] = if colon < content { colon } else { NONE };
        self.parts[VALUE_START] = least(value.start, value_end);
        self.parts[VALUE_END] = value_end;
        self
    }

    /// Adds the comment, which begins at an offset and ends with the content.
    #[must_use]
    #[inline]
    pub const fn with_comment(mut self, hash: u8) -> Self {
        self.parts[COMMENT] = least(hash, self.parts[CONTENT_END]);
        self
    }

    /// Returns a line in compact form, or `None` if the line does not fit. The content must begin where the line begins
    /// and have at most 254 octets. The parts of the line must be in the content. The line must have both field and
    /// value, or neither.
    #[must_use]
    pub fn of(line: &Line) -> Option<Self> {
        let start = line.span.first();
        let offset = |at: u32| u8::try_from(at.checked_sub(start)?).ok();
        let part = |span: Span| Some(offset(span.first())?..offset(span.behind())?);
        let mut compact = Self::new(offset(line.content.behind())?);
        if let (Some(field), Some(value)) = (line.field, line.value) {
            let colon = match line.colon {
                Some(colon) => offset(colon.first())?,
                None => NONE,
            };
            compact = compact.with_record(part(field)?, colon, part(value)?);
        }
        if let Some(comment) = line.comment {
            compact = compact.with_comment(offset(comment.first())?);
        }
        // If the compact form has lost a part of the line, the two lines differ.
        (compact.line(line.number, line.span) == *line).then_some(compact)
    }

    /// Returns the line, given its number and its span with the line ending.
    #[must_use]
    #[inline]
    pub fn line(&self, number: LineNumber, span: Span) -> Line {
        let start = span.first();
        Line {
            number,
            span,
            content: Span::between(start, start + self.content()),
            field: self.field(start),
            colon: self
                .part(start, COLON, COLON)
                .map(|colon| Span::between(colon.first(), colon.first() + 1)),
            value: self.value(start),
            comment: self.part(start, COMMENT, CONTENT_END),
        }
    }

    /// Makes a line with a known field. The line begins with the field's name, and the colon follows directly. The
    /// value begins at the offset `value` and ends with the content. The caller must check the offsets.
    #[inline]
    pub(crate) const fn record(field: Field, value: u8, content: u8) -> Self {
        // The content ends where the value ends, so `content` is written to both positions. The octets in `RECORDS`
        // depend only on the field.
        let parts = (content as u64) << (8 * CONTENT_END)
            | (content as u64) << (8 * VALUE_END)
            | (value as u64) << (8 * VALUE_START);
        Self { parts: (RECORDS[field as usize] | parts).to_le_bytes() }
    }

    /// Makes the entry for a line that is stored in a separate list, from the position of the line in that list.
    #[inline]
    pub(crate) const fn reference(kind: KindCode, position: u32) -> Self {
        let [a, b, c, d] = position.to_le_bytes();
        Self { parts: [kind.long().octet(), a, b, c, d, 0, 0, 0] }
    }

    /// If the line is stored in a separate list, returns its position in that list.
    #[inline]
    pub(crate) fn long_position(&self) -> Option<usize> {
        let [_, a, b, c, d, ..] = self.parts;
        self.kind().is_long().then(|| u32::from_le_bytes([a, b, c, d]) as usize)
    }

    /// Returns the kind that was set, or [`KindCode::BLANK`] if no kind was set.
    #[inline]
    pub(crate) const fn kind(&self) -> KindCode {
        KindCode::of_octet(self.parts[CODE])
    }

    #[inline]
    pub(crate) const fn with_kind(self, kind: KindCode) -> Self {
        let parts = u64::from_le_bytes(self.parts) & !0xFF;
        Self { parts: (parts | kind.octet() as u64).to_le_bytes() }
    }

    /// Returns the length of the line's content in octets.
    #[inline]
    pub(crate) fn content(&self) -> u32 {
        self.parts[CONTENT_END].into()
    }

    /// Returns the span of the field, given the offset of the line.
    #[inline]
    pub(crate) fn field(&self, start: u32) -> Option<Span> {
        self.part(start, FIELD_START, FIELD_END)
    }

    /// Returns the span of the value if there is a field, given the offset of the line.
    #[inline]
    pub(crate) fn value(&self, start: u32) -> Option<Span> {
        self.part(start, VALUE_START, VALUE_END)
    }

    /// Returns the span of the content before the comment, and whether there is a comment.
    #[inline]
    pub(crate) fn text(&self, start: u32) -> (Span, bool) {
        let has_comment = self.parts[COMMENT] != NONE;
        let end = self.parts[if has_comment { COMMENT } else { CONTENT_END }];
        (Span::between(start, start + u32::from(end)), has_comment)
    }

    #[inline]
    fn part(&self, start: u32, from: usize, to: usize) -> Option<Span> {
        let (from, to) = (self.parts[from], self.parts[to]);
        // If `from` is not `NONE`, it is at most `to`: `with_record` and `with_comment` cut offsets that are too great,
        // and the callers of `record` check the offsets.
        let at = |offset: u8| start + u32::from(offset);
        (from != NONE).then(|| Span::between(at(from), at(to)))
    }
}

/// For each field, in the order of [`Field::ALL`], the octets that are the same in every line that
/// [`CompactLine::record`] makes for this field: the kind of a line whose value has effect, the offsets of the name and
/// the colon, and the mark for no comment.
const RECORDS: [u64; Field::ALL.len()] = {
    let (mut records, mut at) = ([0; Field::ALL.len()], 0);
    while at < records.len() {
        let field = Field::ALL[at];
        #[expect(clippy::cast_possible_truncation, reason = "names are short")]
        let (code, name) = (KindCode::record(field, Ok(())).octet(), field.name().len() as u8);
        records[field as usize] = u64::from_le_bytes([code, 0, 0, name, name, 0, 0, NONE]);
        at += 1;
    }
    records
};

const fn least(a: u8, b: u8) -> u8 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{CompactLine, Line, LineNumber, Span};

    #[test]
    fn a_colon_behind_the_content_is_dropped() {
        let colon = |content| {
            let line = CompactLine::new(content).with_record(0..2, 5, 6..7);
            line.line(LineNumber::FIRST, Span::new(0, 9)).colon
        };
        assert_eq!((colon(5), colon(6)), (None, Some(Span::new(5, 6))));
    }

    proptest! {
        /// The parts of a compact line are in its content, whatever a parser reports.
        #[test]
        fn parts_lie_in_the_content(parts in any::<[u8; 8]>()) {
            let [content, a, b, c, d, e, hash, which] = parts;
            let mut compact = CompactLine::new(content);
            if which & 1 == 1 { compact = compact.with_record(a..b, c, d..e); }
            if which & 2 == 2 { compact = compact.with_comment(hash); }
            let line = compact.line(LineNumber::FIRST, Span::new(7, 7 + 255));
            prop_assert!(line.span.contains(line.content));
            for part in [line.field, line.colon, line.value, line.comment].into_iter().flatten() {
                prop_assert!(line.content.contains(part), "{line:?}");
            }
            prop_assert_eq!(CompactLine::of(&line), Some(compact));
        }

        /// If a line fits into a compact line, the compact line converts back to exactly the same line.
        #[test]
        fn a_line_comes_back_as_it_was(spans in any::<[u8; 12]>(), which in any::<u8>()) {
            let span = |at: usize| {
                let (from, to) = (usize::from(spans[at]), usize::from(spans[at + 1]));
                Span::new(from.min(to), from.max(to))
            };
            let mut line = Line::new(span(0), span(2));
            if which & 1 == 1 {
                line = line.with_record(span(4), (which & 2 == 2).then(|| span(6)), span(8));
            }
            if which & 4 == 4 { line = line.with_comment(span(10)); }
            if let Some(compact) = CompactLine::of(&line) {
                prop_assert_eq!(compact.line(line.number, line.span), line);
            }
        }
    }
}
