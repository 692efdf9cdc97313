//! Defines [`View`]: a body together with its index, and the functions that read the lines.
//!
//! The body is a file, or the copied lines of a rule set. The code for groups, verdicts and preferences reads the lines
//! through this type. This code names a line by its place: the position of the line in the index. Start at
//! [`View::slots`].

use core::ops::Range;
use core::slice;

use super::index::Index;
use super::slot::Slot;
use crate::edition::Semantics;
use crate::line::span::{Place, Span};
use crate::line::{Line, LineKind, LineNumber};

/// A body together with its index.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) octets: &'r [u8],
    pub(crate) index: &'r Index,
}

impl<'r> View<'r> {
    #[inline]
    pub(crate) fn semantics(self) -> &'static Semantics {
        self.index.semantics
    }

    /// Returns every line with its meaning, in order.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        self.lines_at(Place::FIRST..self.end())
    }

    /// Returns a range of lines with their meanings, in order. The spans refer to the octets of the view.
    #[inline]
    pub(crate) fn lines_at(
        self,
        places: Range<Place>,
    ) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        let Index { lines, long, .. } = self.index;
        let (not_kept, _) = self.index.not_kept_before(places.start);
        let number = places.start.number(not_kept);
        let slots = lines[places.start.index()..=places.end.index()].windows(2);
        Lines { slots, long, number }
    }

    /// Returns a range of stored lines, each with its place.
    #[inline]
    pub(crate) fn slots(
        self,
        places: Range<Place>,
    ) -> impl Iterator<Item = (Place, &'r Slot)> + use<'r> {
        let slots = &self.index.lines[places.start.index()..places.end.index()];
        (places.start.index()..).map(Place::at).zip(slots)
    }

    /// Returns the line at a place. The spans of the line refer to the original file.
    #[inline]
    pub(crate) fn line(self, place: Place) -> Line {
        let Index { lines, long, .. } = self.index;
        let (not_kept, octets) = self.index.not_kept_before(place);
        let (slot, end) = (&lines[place.index()], lines[place.index() + 1].start());
        let line = slot.line(place.number(not_kept), end, long);
        if octets == 0 { line } else { line.moved(octets) }
    }

    /// Returns the number of the line at a place.
    #[inline]
    pub(crate) fn number(self, place: Place) -> LineNumber {
        place.number(self.index.not_kept_before(place).0)
    }

    /// Returns the span of the value of the line at a place. The line must have a value. The span refers to the octets
    /// of the view.
    #[inline]
    pub(crate) fn value(self, place: Place) -> Span {
        self.value_of(&self.index.lines[place.index()])
    }

    /// Returns the span of the value of a line. The line must have a value. The span refers to the octets of the view.
    #[inline]
    pub(crate) fn value_of(self, slot: &Slot) -> Span {
        let value = match slot.long_position() {
            None => slot.value(),
            Some(at) => self.index.long[at].value,
        };
        value.unwrap_or_default()
    }

    /// Returns the place after the last line.
    #[inline]
    pub(crate) fn end(self) -> Place {
        Place::at(self.index.lines.len() - 1)
    }

    /// Returns the lines of a group: from its first user-agent line to the first user-agent line of the next group.
    #[inline]
    pub(crate) fn lines_of(self, group: usize) -> Range<Place> {
        let groups = &self.index.groups;
        groups[group]..groups.get(group + 1).copied().unwrap_or_else(|| self.end())
    }

    /// Returns the position of the group that contains a line, or `None` if the line comes before all groups.
    #[inline]
    pub(crate) fn group_of(self, place: Place) -> Option<usize> {
        self.index.groups.partition_point(|first| *first <= place).checked_sub(1)
    }
}

/// An iterator over consecutive lines, each with its meaning.
struct Lines<'r> {
    /// Pairs of adjacent stored lines. The start of the second line of a pair is the end of the first line.
    slots: slice::Windows<'r, Slot>,
    long: &'r [Line],
    number: LineNumber,
}

impl Iterator for Lines<'_> {
    type Item = (Line, LineKind);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let &[slot, next] = self.slots.next()? else { return None };
        let number = self.number;
        self.number = number.next();
        Some((slot.line(number, next.start(), self.long), slot.kind().kind()))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}
