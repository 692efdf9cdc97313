//! Defines a line as a parser reports it, and the types for its meaning.
//!
//! [`Line`] describes syntax: it contains a number and spans, but no octets. [`LineKind`] is the meaning of a line
//! under an edition. The module `meaning` computes this meaning.

pub(crate) mod code;
mod compact;
pub(crate) mod field;
mod kind;
pub(crate) mod span;

pub use compact::CompactLine;
pub use field::{Field, RuleKind};
pub use kind::{LineKind, Malformed, NoEffect, Remark};
pub use span::{LineNumber, Span};

/// A line as a parser reports it. It contains a number and spans, but no octets.
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
    /// The line's number. The core numbers the lines in the order in which the parser reports them.
    pub number: LineNumber,
    /// The whole line, with byte order mark and line ending.
    pub span: Span,
    /// The line without byte order mark and line ending.
    pub content: Span,
    /// The field name, without surrounding white space: the text before the colon. If a parser accepts lines without a
    /// colon, the field may be the first word.
    pub field: Option<Span>,
    /// The colon.
    pub colon: Option<Span>,
    /// The value, without surrounding white space. A line with a field has a value too, but the value may be empty.
    pub value: Option<Span>,
    /// The comment, from its `#` to the end of the content.
    pub comment: Option<Span>,
}

impl Line {
    /// Makes a line without field, colon, value and comment, from its span and the span of its content.
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

    /// Adds the field, the colon if there is one, and the value.
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

    /// Returns the line with another number.
    #[inline]
    pub(crate) const fn numbered(self, number: LineNumber) -> Self {
        Self { number, ..self }
    }

    /// Returns the line with all spans moved towards the end by a number of octets.
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

    /// Returns the line with all spans moved towards the beginning by a number of octets.
    pub(crate) fn moved_back(self, by: u32) -> Self {
        self.moved(by.wrapping_neg())
    }

    /// Returns the span of the line ending. The span is empty if the line has no line ending, for example at the end of
    /// a file.
    #[must_use]
    pub const fn ending(&self) -> Span {
        Span::new(self.content.end(), self.span.end())
    }
}
