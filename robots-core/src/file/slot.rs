//! How a line is kept: [`Slot`], twelve octets.

use crate::line::code::KindCode;
use crate::line::span::{LineNumber, Span};
use crate::line::{CompactLine, Line};

/// A line as it is kept: where it begins, and a compact line with its kind, or the stand-in of a long line.
///
/// It keeps neither number nor end: the number follows from its place, the end is where the next begins.
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

    /// The slot behind the last line, which says where that ends.
    pub(crate) const fn end(at: u32) -> Self {
        Self { start: at, line: CompactLine::new(0) }
    }

    /// The slot, so many octets further to the front.
    #[inline]
    pub(crate) const fn moved_back(self, by: u32) -> Self {
        Self { start: self.start - by, ..self }
    }

    /// The offset at which the line begins.
    #[inline]
    pub(crate) const fn start(&self) -> u32 {
        self.start
    }

    #[inline]
    pub(crate) const fn kind(&self) -> KindCode {
        self.line.kind()
    }

    /// The position of the long line for which this one stands in.
    #[inline]
    pub(crate) fn stands_in_for(&self) -> Option<usize> {
        self.line.stands_in_for()
    }

    /// The span of the value of a compact line, if there is a field.
    #[inline]
    pub(crate) fn value(&self) -> Option<Span> {
        self.line.value(self.start)
    }

    /// The line, given its number and where it ends; of a long one, from where those are kept.
    #[inline]
    pub(crate) fn line(&self, number: LineNumber, end: u32, long: &[Line]) -> Line {
        match self.line.stands_in_for() {
            None => self.line.line(number, Span::between(self.start, end)),
            Some(at) => long[at].numbered(number),
        }
    }
}

const _: () = assert!(size_of::<Slot>() == 12, "every line of a file is kept in one");
