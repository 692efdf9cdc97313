//! A line as a parser reports it, and the words for what it means.
//!
//! [`Line`] is syntax, spans only. [`LineKind`] is meaning; it is found in `meaning`, by profile.

pub(crate) mod code;
mod compact;
pub(crate) mod field;
mod kind;
pub(crate) mod span;

pub use compact::CompactLine;
pub use field::{Field, RuleKind, UnknownField};
pub use kind::{LineKind, Malformed, NoEffect, Remark};
pub use span::{LineNumber, Span};

/// A line as a parser reports it: spans, no meaning.
///
/// ```
/// use robots_core::syntax::{Line, Span};
/// // "Allow : /x # why\r\n"
/// let line = Line::new(Span::new(0, 18), Span::new(0, 16))
///     .with_record(Span::new(0, 5), Some(Span::new(6, 7)), Span::new(8, 10))
///     .with_comment(Span::new(11, 16));
/// assert_eq!(line.ending().len(), 2);
/// assert_eq!(line.value, Some(Span::new(8, 10)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Line {
    /// The line's number. Lines are numbered as they are reported.
    pub number: LineNumber,
    /// The whole line, byte order mark and line ending included.
    pub span: Span,
    /// The line without byte order mark and line ending.
    pub content: Span,
    /// The field name, without surrounding white space: what stands before the colon, or, in a
    /// dialect that lets the colon be left out, the first word.
    pub field: Option<Span>,
    /// The colon.
    pub colon: Option<Span>,
    /// The value, without surrounding white space; present, maybe empty, wherever `field` is.
    pub value: Option<Span>,
    /// The comment, from its `#` to the end of the content.
    pub comment: Option<Span>,
}

impl Line {
    /// Makes a line of which only the spans of the whole and of its content are known.
    #[must_use]
    #[inline]
    pub const fn new(span: Span, content: Span) -> Self {
        Self {
            number: LineNumber::FIRST,
            span,
            content,
            field: None,
            colon: None,
            value: None,
            comment: None,
        }
    }

    /// Adds the field, the colon, where there is one, and the value.
    #[must_use]
    #[inline]
    pub const fn with_record(self, field: Span, colon: Option<Span>, value: Span) -> Self {
        Self { field: Some(field), colon, value: Some(value), ..self }
    }

    /// Adds the comment.
    #[must_use]
    #[inline]
    pub const fn with_comment(self, comment: Span) -> Self {
        Self { comment: Some(comment), ..self }
    }

    /// The line, by another number.
    #[inline]
    pub(crate) const fn numbered(self, number: LineNumber) -> Self {
        Self { number, ..self }
    }

    /// The line, so many octets further on.
    pub(crate) fn moved(self, by: u32) -> Self {
        let moved = |span: Option<Span>| span.map(|span| span.moved(by));
        Self {
            number: self.number,
            span: self.span.moved(by),
            content: self.content.moved(by),
            field: moved(self.field),
            colon: moved(self.colon),
            value: moved(self.value),
            comment: moved(self.comment),
        }
    }

    /// The line, so many octets further to the front.
    pub(crate) fn moved_back(self, by: u32) -> Self {
        self.moved(by.wrapping_neg())
    }

    /// Returns the span of the line ending; empty in a last line without one.
    #[must_use]
    pub const fn ending(&self) -> Span {
        Span::new(self.content.end(), self.span.end())
    }
}
