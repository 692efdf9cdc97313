//! A stored line in twelve octets: [`Slot`]. The index has one slot for every line of a file, so the size of a slot
//! matters. An assertion at the end of this source file checks the size.

use crate::line::code::KindCode;
use crate::line::span::{LineNumber, Span};
use crate::line::{CompactLine, Line};

/// A stored line: the offset where it begins, and a compact line with its kind, or a reference to a long line.
///
/// A slot stores neither the number of the line nor its end. The number follows from the slot's position in the index,
/// and the line ends where the next slot begins.
#[derive(Clone, Copy)]
pub(crate) struct Slot {
    start: u32,
    line: CompactLine,
}

impl Slot {
    #[inline]
    pub(crate) const fn new(start: u32, line: CompactLine) -> Self {
        Self { start, line }
    }

    /// Makes the slot after the last line. This slot marks the end of the last line.
    pub(crate) const fn end(at: u32) -> Self {
        Self { start: at, line: CompactLine::new(0) }
    }

    /// Returns the slot with its offset reduced by a number of octets.
    #[inline]
    pub(crate) const fn moved_back(self, by: u32) -> Self {
        Self { start: self.start - by, ..self }
    }

    /// Returns the offset where the line begins.
    #[inline]
    pub(crate) const fn start(&self) -> u32 {
        self.start
    }

    #[inline]
    pub(crate) const fn kind(&self) -> KindCode {
        self.line.kind()
    }

    /// Returns the position of the long line that this slot refers to, if it refers to one.
    #[inline]
    pub(crate) fn long_position(&self) -> Option<usize> {
        self.line.long_position()
    }

    /// Returns the span of the line's value, if the line is compact and has a field.
    #[inline]
    pub(crate) fn value(&self) -> Option<Span> {
        self.line.value(self.start)
    }

    /// Returns the line, given its number and its end. If the slot refers to a long line, the function reads this line
    /// from `long`.
    #[inline]
    pub(crate) fn line(&self, number: LineNumber, end: u32, long: &[Line]) -> Line {
        match self.line.long_position() {
            None => self.line.line(number, Span::between(self.start, end)),
            Some(at) => long[at].numbered(number),
        }
    }
}

const _: () = assert!(size_of::<Slot>() == 12, "the index has one for every line of a file");
