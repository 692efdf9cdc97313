//! Defines positions in a file: [`Span`], [`LineNumber`], and [`Place`], the index of a stored line.
//!
//! All three types store 32-bit numbers, because at most 512 MiB of a file are read. Only [`narrow`] converts lengths
//! and offsets of a file to 32 bits without a check.

use core::fmt;
use core::ops::Range;

/// A half-open range of octets in a file.
///
/// Offsets are 32 bits wide, because [`Options::limit`](crate::Options::limit) allows at most 512 MiB.
///
/// ```
/// use robots_core::syntax::Span;
/// let span = Span::new(4, 6);
/// assert_eq!(&b"abcdefgh"[span.range()], b"ef");
/// assert_eq!(span.to_string(), "4..6");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Span {
    start: u32,
    end: u32,
}

impl Span {
    /// Makes the span of the octets from `start` up to, not including, `end`.
    ///
    /// # Panics
    /// Panics if `end` is less than `start`, or is 4 GiB or more.
    #[must_use]
    #[inline]
    pub const fn new(start: usize, end: usize) -> Self {
        assert!(start <= end && end <= u32::MAX as usize, "a span must not end before its start");
        Self { start: narrow(start), end: narrow(end) }
    }

    /// Returns the span between two offsets. The second must not be less than the first.
    #[inline]
    pub(crate) const fn between(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the span moved by a number of octets. The addition wraps around on overflow, so that the caller can also
    /// move a span back.
    #[inline]
    pub(crate) const fn moved(self, by: u32) -> Self {
        Self { start: self.start.wrapping_add(by), end: self.end.wrapping_add(by) }
    }

    /// Returns the offset of the first octet, as the 32-bit number that is stored.
    #[inline]
    pub(crate) const fn first(self) -> u32 {
        self.start
    }

    /// Returns the offset after the last octet, as the 32-bit number that is stored.
    #[inline]
    pub(crate) const fn behind(self) -> u32 {
        self.end
    }

    /// Returns the offset of the first octet.
    #[must_use]
    #[inline]
    pub const fn start(self) -> usize {
        self.start as usize
    }

    /// Returns the offset after the last octet.
    #[must_use]
    #[inline]
    pub const fn end(self) -> usize {
        self.end as usize
    }

    /// Returns the number of octets.
    #[must_use]
    #[inline]
    pub const fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns whether the span is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns whether the other span is inside this one.
    #[must_use]
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Returns the span as a range, which can index octets.
    #[must_use]
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The number of a line in a file, from 1.
///
/// ```
/// use robots_core::syntax::LineNumber;
/// let second = LineNumber::FIRST.next();
/// assert_eq!(second.get(), 2);
/// assert_eq!(second, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNumber(u32);

impl LineNumber {
    /// The first line.
    pub const FIRST: Self = Self(1);

    /// Returns the number, from 1.
    #[must_use]
    #[inline]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the number of the next line.
    #[must_use]
    #[inline]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl PartialEq<u32> for LineNumber {
    fn eq(&self, number: &u32) -> bool {
        self.0 == *number
    }
}

impl From<LineNumber> for u32 {
    fn from(number: LineNumber) -> Self {
        number.0
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The index of a stored line, from 0.
///
/// If all lines of a file are stored, the index is the line number minus one. A rule set stores only some lines of a
/// file, so its indices may be less than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u32);

impl Place {
    pub(crate) const FIRST: Self = Self(0);

    /// Returns the place with this index.
    #[inline]
    pub(crate) const fn at(position: usize) -> Self {
        Self(narrow(position))
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next place.
    #[inline]
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the line number, given how many lines before it are not stored.
    #[inline]
    pub(crate) const fn number(self, not_kept: u32) -> LineNumber {
        LineNumber(self.0 + not_kept + 1)
    }
}

/// Narrows a length or an offset to 32 bits. No other code narrows lengths or offsets of a file without a check.
///
/// Every length and every offset fits into 32 bits, because `Options` limits a file to 512 MiB. Every number of lines
/// fits too, because a line has at least one octet, and because the lines of a rule set come from a file.
#[inline]
pub(crate) const fn narrow(len: usize) -> u32 {
    debug_assert!(len <= u32::MAX as usize);
    #[expect(clippy::cast_possible_truncation, reason = "see above")]
    {
        len as u32
    }
}
