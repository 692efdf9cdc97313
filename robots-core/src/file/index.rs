//! The index of a parsed body: twelve octets for each line, four for each group, and little else.
//!
//! The [`build`](super::build) module makes the index. A group is a run of lines, and the index stores the place where
//! it begins. A rule is one line, and the stored kind of the line identifies it.

use alloc::vec::Vec;
use core::ops::Range;

use super::slot::Slot;
use crate::edition::{Edition, Semantics};
use crate::line::Line;
use crate::line::span::Place;

/// The result of reading a body. It contains offsets into the body, but no copy of its octets.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) edition: Edition,
    /// The row of the edition. Tests also use rows that no edition has.
    pub(crate) semantics: &'static Semantics,
    pub(crate) truncated_at: Option<usize>,
    /// The lines, followed by one slot that begins where the last line ends.
    pub(crate) lines: Vec<Slot>,
    /// The lines that do not fit into a compact line. A slot in `lines` refers to each of them by its position here.
    pub(crate) long: Vec<Line>,
    /// The place of the first line of each group.
    pub(crate) groups: Vec<Place>,
    /// The places from the first to the last line that names a sitemap.
    pub(crate) sitemaps: Range<Place>,
    /// For each run of lines, its position in the original file, if only parts of that file are stored. Empty if the
    /// whole file is stored.
    pub(crate) excerpts: Vec<Excerpt>,
}

/// A run of lines that was copied from a file: a group.
#[derive(Clone, Copy)]
pub(crate) struct Excerpt {
    /// The place of its first line.
    pub(crate) place: Place,
    /// The number of lines before it that are not stored.
    pub(crate) lines: u32,
    /// The number of octets before it that are not stored.
    pub(crate) octets: u32,
    /// The position of the group among the groups of the file.
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

    /// Returns the numbers of lines and octets before a line that are not stored.
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
