//! The index of a parsed body: twelve octets for each line, four for each group, and little else.
//!
//! The [`build`](super::build) module makes the index. A group is a run of lines. For each group, the index stores only
//! the place of the first line. A place is the position of a line in the index. A rule is one line, and the stored kind
//! of the line shows that it is a rule.

use alloc::vec::Vec;
use core::ops::Range;

use super::slot::Slot;
use crate::edition::{Edition, Semantics};
use crate::line::Line;
use crate::line::span::Place;

/// The result of reading a body. The index contains offsets into the body, but no copy of the octets.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) edition: Edition,
    /// The semantics of the edition. Some tests set semantics that no edition has.
    pub(crate) semantics: &'static Semantics,
    pub(crate) truncated_at: Option<usize>,
    /// The lines, followed by one slot that begins where the last line ends.
    pub(crate) lines: Vec<Slot>,
    /// The lines that do not fit into a [`CompactLine`](crate::line::CompactLine). Each of them has a slot in `lines`.
    /// This slot contains the position of the line in this list.
    pub(crate) long: Vec<Line>,
    /// The place of the first line of each group.
    pub(crate) groups: Vec<Place>,
    /// The range from the first to the last line that names a sitemap. The range may also contain other lines.
    pub(crate) sitemaps: Range<Place>,
    /// The stored groups with their positions in the file, if only some groups of the file are stored. Empty if the
    /// whole file is stored.
    pub(crate) excerpts: Vec<Excerpt>,
}

/// A group whose lines were copied from a file.
#[derive(Clone, Copy)]
pub(crate) struct Excerpt {
    /// The place of the group's first line.
    pub(crate) place: Place,
    /// The number of lines of the file before the group that are not stored.
    pub(crate) lines: u32,
    /// The number of octets of the file before the group that are not stored.
    pub(crate) octets: u32,
    /// The position of the group among all groups of the file.
    pub(crate) group: u32,
}

impl Index {
    /// Makes an index without lines.
    pub(crate) const fn new(edition: Edition, truncated_at: Option<usize>) -> Self {
        Self {
            edition,
            semantics: edition.semantics(),
            truncated_at,
            lines: Vec::new(),
            long: Vec::new(),
            groups: Vec::new(),
            sitemaps: Place::FIRST..Place::FIRST,
            excerpts: Vec::new(),
        }
    }

    /// Returns the memory that the index has allocated, in octets.
    pub(crate) fn size(&self) -> usize {
        let Self { lines, long, groups, excerpts, .. } = self;
        [held(lines), held(long), held(groups), held(excerpts)].iter().sum()
    }

    /// Returns how many lines and how many octets of the file before a line are not stored.
    #[inline]
    pub(crate) fn not_kept_before(&self, place: Place) -> (u32, u32) {
        if self.excerpts.is_empty() { (0, 0) } else { self.not_kept_before_excerpt(place) }
    }

    #[cold]
    fn not_kept_before_excerpt(&self, place: Place) -> (u32, u32) {
        let after = self.excerpts.partition_point(|excerpt| excerpt.place <= place);
        let excerpt = after.checked_sub(1).map(|at| self.excerpts[at]);
        excerpt.map_or((0, 0), |excerpt| (excerpt.lines, excerpt.octets))
    }
}

/// Returns the memory that a vector has allocated, in octets.
pub(crate) fn held<T>(items: &Vec<T>) -> usize {
    items.capacity() * size_of::<T>()
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::held;

    #[test]
    fn room_that_is_set_aside_is_held() {
        assert_eq!(held(&Vec::<u64>::with_capacity(10)), 80);
        assert_eq!(held(&Vec::<u64>::new()), 0);
    }
}
