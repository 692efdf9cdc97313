//! A short line in twelve octets: how parsers report most lines, and how all are kept.

use core::ops::Range;

use crate::kind_code::KindCode;
use crate::line::{Field, Line, Span};

/// A line whose content begins where it begins and has at most 254 octets, without number and end.
///
/// Its parts are told by their offsets from the line's start, in octets: at most 254, for 255 says that there
/// is no such part. They lie in the content. A parser may report such a line in place of a [`Line`], which
/// takes several times as long to make.
///
/// ```
/// use robots_core::{Line, ShortLine, Span};
/// // "Allow : /x # why\r\n", at octet 100
/// let short = ShortLine::new(100, 16).with_field(0..5, 6, 8..10).with_comment(11);
/// let line = short.line(7, 118);
/// assert_eq!(line.value, Some(Span::new(108, 110)));
/// assert_eq!(line.comment, Some(Span::new(111, 116)));
/// assert!(ShortLine::of(&line).is_some_and(|short| short.line(7, 118) == line));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ShortLine {
    start: u32,
    /// The octets of [`CODE`] and of the others.
    rest: [u8; 8],
}

/// What stands where in `rest`. All but the code are offsets, or [`NONE`].
const CODE: usize = 0;
const CONTENT_END: usize = 1;
const FIELD_START: usize = 2;
const FIELD_END: usize = 3;
const COLON: usize = 4;
const VALUE_START: usize = 5;
const VALUE_END: usize = 6;
const COMMENT: usize = 7;

const NONE: u8 = 0xFF;

impl ShortLine {
    /// The octets its content has at most.
    pub const LONGEST: usize = 254;

    /// Makes a line of which only its offset in the file and the length of its content are known.
    #[must_use]
    #[inline]
    pub const fn new(start: u32, content: u8) -> Self {
        // Registers instead of octets: what was written octet by octet is slow to read as a word.
        let parts = u64::from_le_bytes([0, 0, NONE, NONE, NONE, NONE, NONE, NONE]);
        Self { start, rest: (parts | (content as u64) << (8 * CONTENT_END)).to_le_bytes() }
    }

    /// Makes a record, as [`Sink::record`](crate::Sink::record) takes it: the field's name, with which the
    /// line begins, the colon directly behind it, and the value, from its offset to the end of the content.
    ///
    /// # Panics
    /// With debug assertions, where the value begins behind the content's end; without them such a line is
    /// of no use.
    ///
    /// ```
    /// use robots_core::{Field, ShortLine, Span};
    /// // "Disallow: /x\n"
    /// let line = ShortLine::record(0, Field::Disallow, 10, 12).line(1, 13);
    /// assert_eq!(line.colon, Some(Span::new(8, 9)));
    /// ```
    #[must_use]
    #[inline]
    pub const fn record(start: u32, field: Field, value: u8, content: u8) -> Self {
        debug_assert!(value <= content, "the value lies in the content");
        // Twice the content's end, once the value's start; the rest depends on the field alone.
        let parts = (content as u64) << (8 * CONTENT_END)
            | (content as u64) << (8 * VALUE_END)
            | (value as u64) << (8 * VALUE_START);
        Self { start, rest: (RECORDS[field as usize] | parts).to_le_bytes() }
    }

    /// Adds the comment, which begins at an offset and ends with the content.
    #[must_use]
    #[inline]
    pub const fn with_comment(mut self, hash: u8) -> Self {
        self.rest[COMMENT] = until(hash, self.rest[CONTENT_END]);
        self
    }

    /// Adds the field, the colon and the value, by the offsets where they begin and end.
    #[must_use]
    #[inline]
    pub const fn with_field(mut self, field: Range<u8>, colon: u8, value: Range<u8>) -> Self {
        self.rest[FIELD_START] = until(field.start, field.end);
        self.rest[FIELD_END] = field.end;
        self.rest[COLON] = colon;
        self.rest[VALUE_START] = until(value.start, value.end);
        self.rest[VALUE_END] = value.end;
        self
    }

    /// Returns a line as a short one, where it is short: its content begins where it begins and has at
    /// most 254 octets, and it has a field and a value or neither.
    #[must_use]
    #[inline]
    pub fn of(line: &Line) -> Option<Self> {
        let start = line.span.start;
        if line.content.start != start || line.content.end - start >= u32::from(NONE) {
            return None;
        }
        let has_field = line.field.is_some();
        if line.value.is_some() != has_field || line.colon.is_some() && !has_field {
            return None;
        }
        // Parts lie in the content, as `Parser` demands, so that every offset is below NONE.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        let offset = |at: u32| (at - start) as u8;
        let range = |span: Span| offset(span.start)..offset(span.end);
        let mut short = Self::new(start, offset(line.content.end));
        if let (Some(field), Some(value)) = (line.field, line.value) {
            let colon = line.colon.map_or(NONE, |colon| offset(colon.start));
            short = short.with_field(range(field), colon, range(value));
        }
        Some(line.comment.map_or(short, |comment| short.with_comment(offset(comment.start))))
    }

    /// Returns the line, given its number, from 1, and the offset where it ends with its line ending.
    #[must_use]
    #[inline]
    pub fn line(&self, number: u32, end: u32) -> Line {
        let start = self.start;
        let content = Span { start, end: start + u32::from(self.rest[CONTENT_END]) };
        Line {
            field: self.span(FIELD_START, FIELD_END),
            colon: self.span(COLON, COLON).map(|colon| Span { end: colon.start + 1, ..colon }),
            value: self.value(),
            comment: self.span(COMMENT, CONTENT_END),
            ..Line::new(number, Span { start, end }, content)
        }
    }

    /// The offset in the file at which the line begins.
    #[inline]
    pub(crate) const fn start(&self) -> u32 {
        self.start
    }

    /// The kind the line was given; of a line that was given none, the first.
    #[inline]
    pub(crate) const fn kind(&self) -> KindCode {
        KindCode::of_octet(self.rest[CODE])
    }

    #[inline]
    pub(crate) const fn with_kind(self, kind: KindCode) -> Self {
        let parts = u64::from_le_bytes(self.rest) & !0xFF;
        Self { rest: (parts | kind.octet() as u64).to_le_bytes(), ..self }
    }

    /// The span of the value, if there is a field.
    #[inline]
    pub(crate) fn value(&self) -> Option<Span> {
        self.span(VALUE_START, VALUE_END)
    }

    /// The offset in the file of the value of a record.
    #[inline]
    pub(crate) fn value_start(&self) -> usize {
        self.start as usize + usize::from(self.rest[VALUE_START])
    }

    #[inline]
    pub(crate) fn field(&self) -> Option<Span> {
        self.span(FIELD_START, FIELD_END)
    }

    /// The span of the content before the comment, and whether there is a comment.
    #[inline]
    pub(crate) fn text(&self) -> (Span, bool) {
        let has_comment = self.rest[COMMENT] != NONE;
        let end = self.rest[if has_comment { COMMENT } else { CONTENT_END }];
        (Span { start: self.start, end: self.start + u32::from(end) }, has_comment)
    }

    /// Makes the stand-in of a line that is no short one and kept elsewhere.
    #[inline]
    pub(crate) const fn stand_in(start: u32, kind: KindCode, position: u32) -> Self {
        let [a, b, c, d] = position.to_le_bytes();
        Self { start, rest: [kind.wide().octet(), a, b, c, d, 0, 0, 0] }
    }

    /// The position of the line for which this one stands in.
    #[inline]
    pub(crate) fn stands_in_for(&self) -> Option<usize> {
        let [_, a, b, c, d, ..] = self.rest;
        self.kind().is_wide().then(|| u32::from_le_bytes([a, b, c, d]) as usize)
    }

    /// Whether the line is known to have no content.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rest == Self::new(0, 0).with_kind(KindCode::BLANK).rest
    }

    /// Makes a run of empty lines of this first one, each of so many octets.
    #[inline]
    pub(crate) const fn folded(&self, len: u8) -> Self {
        let code = KindCode::EMPTY_LINES.octet();
        Self { start: self.start, rest: [code, len, NONE, NONE, NONE, NONE, NONE, NONE] }
    }

    /// The octets of each line of a run of empty ones, if this is one.
    #[inline]
    pub(crate) fn empty_lines(&self) -> Option<u32> {
        (self.kind() == KindCode::EMPTY_LINES).then(|| self.rest[CONTENT_END].into())
    }

    #[inline]
    fn span(&self, from: usize, to: usize) -> Option<Span> {
        let (from, to) = (self.rest[from], self.rest[to]);
        // No `from` is beyond its `to`; see `until` and `record`.
        let at = |offset: u8| self.start + u32::from(offset);
        (from != NONE).then(|| Span { start: at(from), end: at(to) })
    }
}

/// What all records of a field have in common, by the field's place in its enumeration: the kind, where the
/// value has effect, the name and the colon, and no comment.
const RECORDS: [u64; Field::ALL.len()] = {
    let (mut records, mut at) = ([0; Field::ALL.len()], 0);
    while at < Field::ALL.len() {
        let (code, name) = (KindCode::with(Field::ALL[at], Ok(())).octet(), Field::ALL[at].len());
        records[Field::ALL[at] as usize] = u64::from_le_bytes([code, 0, 0, name, name, 0, 0, NONE]);
        at += 1;
    }
    records
};

/// Returns where a part begins that ends at an offset: there at last.
const fn until(start: u8, end: u8) -> u8 {
    if end < start { end } else { start }
}
