//! What is kept of a parsed body: twelve octets a line, four a group, and little else.
//!
//! [`builder`](crate::builder) makes it. Groups and rules are no tables of their own: they are runs of
//! lines, found by the kind each line keeps. A line is known by its place, from 0, which is its number less
//! one unless runs of empty lines before it are folded.

use alloc::vec::Vec;
use core::ops::Range;
use core::slice;

use crate::edition::Semantics;
use crate::group::Group;
use crate::{Line, LineKind, Profile, ShortLine, Span};

/// What was read of a body: offsets only.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) profile: Profile,
    pub(crate) truncated_at: Option<usize>,
    /// The lines, and at last one that begins where they end.
    pub(crate) lines: Vec<ShortLine>,
    /// Lines that are no short ones; those stand in for them.
    pub(crate) wide: Vec<Line>,
    /// The places in `lines` that are runs of empty lines; in nearly every file none is.
    pub(crate) folded: Vec<Folded>,
    /// For each group the place of its first line.
    pub(crate) groups: Vec<u32>,
    /// The places from the first line that names a sitemap to behind the last.
    pub(crate) sitemaps: Range<u32>,
}

/// A place that is a run of empty lines.
#[derive(Clone, Copy)]
pub(crate) struct Folded {
    pub(crate) place: u32,
    /// How many lines, up to here, have no place of their own.
    pub(crate) hidden: u32,
}

impl Index {
    /// Makes an index without lines, with room for those of so many octets.
    pub(crate) fn new(profile: Profile, truncated_at: Option<usize>, octets: usize) -> Self {
        Self {
            profile,
            truncated_at,
            // Lines of real files are 25 octets long in the middle; more are grown for.
            lines: Vec::with_capacity(octets / 24 + 4),
            wide: Vec::new(),
            folded: Vec::new(),
            groups: Vec::new(),
            sitemaps: 0..0,
        }
    }

    /// The number, from 1, of a line at a place.
    #[inline]
    pub(crate) fn number(&self, place: usize) -> u32 {
        narrow(place + 1) + if self.folded.is_empty() { 0 } else { self.folded_before(place) }
    }

    /// How many lines before a place have none of their own.
    #[cold]
    fn folded_before(&self, place: usize) -> u32 {
        let runs = self.folded.partition_point(|run| (run.place as usize) < place);
        runs.checked_sub(1).map_or(0, |last| self.folded[last].hidden)
    }
}

/// A body with its index.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) octets: &'r [u8],
    pub(crate) index: &'r Index,
}

impl<'r> View<'r> {
    #[inline]
    pub(crate) fn semantics(self) -> &'static Semantics {
        self.index.profile.semantics()
    }

    /// The number of places.
    #[inline]
    pub(crate) fn len(self) -> u32 {
        narrow(self.index.lines.len() - 1)
    }

    /// Every line with what it means, in order.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        let Index { lines, wide, .. } = self.index;
        Lines { places: lines.windows(2), wide, number: 0, run: Span::default(), len: 0 }
    }

    /// A range of lines as they are kept, each with its place.
    #[inline]
    pub(crate) fn short_lines(
        self,
        lines: Range<u32>,
    ) -> impl Iterator<Item = (u32, &'r ShortLine)> + use<'r> {
        let short = &self.index.lines[lines.start as usize..lines.end as usize];
        lines.zip(short)
    }

    /// The places from the first line that names a sitemap to the last.
    pub(crate) fn sitemaps(self) -> Range<u32> {
        self.index.sitemaps.clone()
    }

    #[inline]
    pub(crate) fn line(self, line: u32) -> Line {
        let place = line as usize;
        let Index { lines, wide, .. } = self.index;
        whole(&lines[place], self.index.number(place), lines[place + 1].start(), wide)
    }

    /// The span of the value of a line that has one.
    #[inline]
    pub(crate) fn value(self, line: u32) -> Span {
        self.value_of(&self.index.lines[line as usize])
    }

    /// The span of the value of a line that has one, as it is kept.
    #[inline]
    pub(crate) fn value_of(self, line: &ShortLine) -> Span {
        let value = match line.stands_in_for() {
            None => line.value(),
            Some(at) => self.index.wide[at].value,
        };
        value.unwrap_or_default()
    }

    #[inline]
    pub(crate) fn groups(self) -> impl Iterator<Item = Group<'r>> {
        (0..self.index.groups.len()).map(move |position| Group::new(self, position))
    }

    /// The lines of a group: from its first user-agent line to the next group's, by place.
    #[inline]
    pub(crate) fn lines_of(self, group: usize) -> Range<u32> {
        let groups = &self.index.groups;
        groups[group]..groups.get(group + 1).copied().unwrap_or_else(|| self.len())
    }

    /// The group in which a line stands, if in any.
    #[inline]
    pub(crate) fn group_of(self, line: u32) -> Option<Group<'r>> {
        let after = self.index.groups.partition_point(|first| *first <= line);
        after.checked_sub(1).map(|position| Group::new(self, position))
    }
}

/// Every line with what it means, those of runs among them.
struct Lines<'r> {
    /// Each line as it is kept, and the next.
    places: slice::Windows<'r, ShortLine>,
    wide: &'r [Line],
    /// The number of the line before.
    number: u32,
    /// What is left of a run of empty lines, and how long each is.
    run: Span,
    len: u32,
}

impl Iterator for Lines<'_> {
    type Item = (Line, LineKind);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.number = self.number.wrapping_add(1);
        if self.run.is_empty() {
            let &[line, next] = self.places.next()? else { return None };
            if !line.kind().is_wide() {
                return Some((line.line(self.number, next.start()), line.kind().kind()));
            }
            let Some(len) = line.empty_lines() else {
                let whole = whole(&line, self.number, next.start(), self.wide);
                return Some((whole, line.kind().kind()));
            };
            (self.run, self.len) = (Span { start: line.start(), end: next.start() }, len);
        }
        let start = self.run.start;
        let end = start + self.len;
        self.run.start = end;
        let line = Line::new(self.number, Span { start, end }, Span { start, end: start });
        Some((line, LineKind::Blank))
    }
}

/// Returns a line, given its number, from 1, and where it ends.
#[inline]
fn whole(short: &ShortLine, number: u32, end: u32, wide: &[Line]) -> Line {
    match short.stands_in_for() {
        None => short.line(number, end),
        Some(at) => wide[at],
    }
}

/// Lines are at least one octet long and offsets have 32 bits, so that every number fits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "see above")]
pub(crate) const fn narrow(len: usize) -> u32 {
    len as u32
}
