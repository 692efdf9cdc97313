//! A body with its index, and what can be read from the two.

use core::ops::Range;
use core::slice;

use super::index::Index;
use super::slot::Slot;
use crate::edition::Semantics;
use crate::line::span::{Place, Span};
use crate::line::{Line, LineKind, LineNumber};

/// A body with its index.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) octets: &'r [u8],
    pub(crate) index: &'r Index,
}

impl<'r> View<'r> {
    #[inline]
    pub(crate) fn semantics(self) -> &'static Semantics {
        self.index.edition.semantics()
    }

    /// Every line with what it means, in order.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        self.lines_at(Place::FIRST..self.end())
    }

    /// A range of lines with what they mean, in order. Their spans lie in the view's own octets.
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

    /// A range of lines as they are kept, each with its place.
    #[inline]
    pub(crate) fn slots(
        self,
        places: Range<Place>,
    ) -> impl Iterator<Item = (Place, &'r Slot)> + use<'r> {
        let slots = &self.index.lines[places.start.index()..places.end.index()];
        (places.start.index()..).map(Place::at).zip(slots)
    }

    /// The line at a place, as it stands in its file.
    #[inline]
    pub(crate) fn line(self, place: Place) -> Line {
        let Index { lines, long, .. } = self.index;
        let (not_kept, octets) = self.index.not_kept_before(place);
        let (slot, end) = (&lines[place.index()], lines[place.index() + 1].start());
        let line = slot.line(place.number(not_kept), end, long);
        if octets == 0 { line } else { line.moved(octets) }
    }

    /// The number of the line at a place.
    #[inline]
    pub(crate) fn number(self, place: Place) -> LineNumber {
        place.number(self.index.not_kept_before(place).0)
    }

    /// The span, in the view's octets, of the value of the line at a place that has one.
    #[inline]
    pub(crate) fn value(self, place: Place) -> Span {
        self.value_of(&self.index.lines[place.index()])
    }

    /// The span, in the view's octets, of the value of a line that has one.
    #[inline]
    pub(crate) fn value_of(self, slot: &Slot) -> Span {
        let value = match slot.stands_in_for() {
            None => slot.value(),
            Some(at) => self.index.long[at].value,
        };
        value.unwrap_or_default()
    }

    /// The place behind the last line.
    #[inline]
    pub(crate) fn end(self) -> Place {
        Place::at(self.index.lines.len() - 1)
    }

    /// The lines of a group: from its first user-agent line to the next group's.
    #[inline]
    pub(crate) fn lines_of(self, group: usize) -> Range<Place> {
        let groups = &self.index.groups;
        groups[group]..groups.get(group + 1).copied().unwrap_or_else(|| self.end())
    }

    /// The position of the group in which a line stands, if in any.
    #[inline]
    pub(crate) fn group_of(self, place: Place) -> Option<usize> {
        self.index.groups.partition_point(|first| *first <= place).checked_sub(1)
    }
}

/// Every line of a run with what it means.
struct Lines<'r> {
    /// Each line as it is kept, and the next.
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
