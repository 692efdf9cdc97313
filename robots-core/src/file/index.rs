//! What is kept of a parsed body: twelve octets a line, four a group, and little else.
//!
//! [`build`](super::build) makes it. Groups and rules are no tables of their own: they are runs of lines,
//! found by the kind each line keeps.

use alloc::vec::Vec;
use core::ops::Range;

use super::slot::Slot;
use crate::edition::Edition;
use crate::line::Line;
use crate::line::span::Place;

/// What was read of a body: offsets only.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) edition: Edition,
    pub(crate) truncated_at: Option<usize>,
    /// The lines, and at last one that begins where they end.
    pub(crate) lines: Vec<Slot>,
    /// Lines that are no compact ones; those stand in for them.
    pub(crate) long: Vec<Line>,
    /// For each group the place of its first line.
    pub(crate) groups: Vec<Place>,
    /// The places from the first line that names a sitemap to behind the last.
    pub(crate) sitemaps: Range<Place>,
    /// Where the lines come from, where they are a part of a file; empty where they are a whole one.
    pub(crate) excerpts: Vec<Excerpt>,
}

/// A run of lines that is taken from a file: a group.
#[derive(Clone, Copy)]
pub(crate) struct Excerpt {
    /// The place of its first line.
    pub(crate) place: Place,
    /// The lines before it that are not kept.
    pub(crate) lines: u32,
    /// The octets before it that are not kept.
    pub(crate) octets: u32,
    /// The position of the group among those of the file.
    pub(crate) group: u32,
}

impl Index {
    /// Makes an index without lines.
    pub(crate) const fn new(edition: Edition, truncated_at: Option<usize>) -> Self {
        Self {
            edition,
            truncated_at,
            lines: Vec::new(),
            long: Vec::new(),
            groups: Vec::new(),
            sitemaps: Place::FIRST..Place::FIRST,
            excerpts: Vec::new(),
        }
    }

    /// The octets of memory it takes.
    pub(crate) fn size(&self) -> usize {
        let Self { lines, long, groups, excerpts, .. } = self;
        [held(lines), held(long), held(groups), held(excerpts)].iter().sum()
    }

    /// What is not kept before a line: lines and octets.
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

/// Returns the octets of memory that a vector holds.
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
