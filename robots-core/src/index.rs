//! What is kept of a parsed body: twelve octets a line, four a group, and nothing else.
//!
//! Start at [`Index::build`]. Groups and rules are no tables of their own: they are runs of lines, found
//! by the kind each line keeps.

use alloc::vec::Vec;

use crate::edition::{Observed, Semantics};
use crate::group::Group;
use crate::kind_code::KindCode;
use crate::observed;
use crate::robots_txt::Options;
use crate::{Line, LineKind, Parser, Profile, Span};

/// What was read of a body: offsets only.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) profile: Profile,
    pub(crate) truncated_at: Option<usize>,
    lines: Vec<PackedLine>,
    /// Lines whose spans do not fit a packed line.
    wide: Vec<Line>,
    /// For each group the number, from 0, of its first line.
    groups: Vec<u32>,
    /// The offset behind the last line.
    end: u32,
}

impl Index {
    pub(crate) fn build<P: Parser + ?Sized>(parser: &P, octets: &[u8], options: Options) -> Self {
        let semantics = options.profile.semantics();
        if let Some(observed) = &semantics.observed {
            return Self::observed(parser, octets, options, observed);
        }
        let (mut index, octets) = Self::empty(octets, options);
        let mut in_run_of_agents = false;
        parser.parse(octets, &mut |line| {
            index.push::<false>(&line, line.code(octets, semantics), &mut in_run_of_agents);
        });
        index
    }

    /// Builds the index of lines as an observed library reads them.
    #[cold]
    fn observed<P: Parser + ?Sized>(
        parser: &P,
        octets: &[u8],
        options: Options,
        observed: &Observed,
    ) -> Self {
        let (mut index, octets) = Self::empty(octets, options);
        let mut in_run_of_agents = false;
        parser.parse(octets, &mut |line| {
            let line = observed::line(octets, line, observed);
            index.push::<true>(&line, line.observed(octets, observed), &mut in_run_of_agents);
        });
        index
    }

    /// Makes an index without lines, and cuts the octets at the limit.
    #[inline]
    fn empty(octets: &[u8], options: Options) -> (Self, &[u8]) {
        let truncated_at = cut(octets, options.octets().min(u32::MAX as usize));
        let octets = &octets[..truncated_at.unwrap_or(octets.len())];
        let index = Self {
            profile: options.profile,
            truncated_at,
            // Lines of real files are 28 octets long in the middle; the rest is grown for.
            lines: Vec::with_capacity(octets.len() / 32 + 4),
            wide: Vec::new(),
            groups: Vec::new(),
            end: 0,
        };
        (index, octets)
    }

    /// Adds a line. User-agent lines that no allow or disallow line parts share a group; every other
    /// line leaves the run of user-agent lines open. `OBSERVED` gives each of the two callers a copy of its
    /// own, so that it is inlined in both.
    #[inline]
    fn push<const OBSERVED: bool>(
        &mut self,
        line: &Line,
        kind: KindCode,
        in_run_of_agents: &mut bool,
    ) {
        if kind.is_agent() && !*in_run_of_agents {
            self.groups.push(number(self.lines.len()));
        }
        *in_run_of_agents = kind.is_agent() || (*in_run_of_agents && !kind.is_rule());
        self.end = line.span.end;
        let packed = PackedLine::pack(line, kind, self.lines.len()).unwrap_or_else(|| {
            self.wide.push(*line);
            PackedLine::wide(line, kind, number(self.wide.len() - 1))
        });
        self.lines.push(packed);
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

    /// The number of lines.
    #[inline]
    pub(crate) fn len(self) -> u32 {
        number(self.index.lines.len())
    }

    /// Every line with what it means, in order.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        let Index { lines, wide, end, .. } = self.index;
        let ends = lines.iter().skip(1).map(|next| next.start).chain([*end]);
        lines
            .iter()
            .zip(ends)
            .enumerate()
            .map(move |(at, (line, end))| (line.unpack(at, end, wide), line.kind.kind()))
    }

    /// The kinds of a range of lines, each with its line.
    #[inline]
    pub(crate) fn codes(
        self,
        lines: core::ops::Range<u32>,
    ) -> impl Iterator<Item = (u32, KindCode)> + use<'r> {
        let packed = &self.index.lines[lines.start as usize..lines.end as usize];
        lines.zip(packed).map(|(line, packed)| (line, packed.kind))
    }

    #[inline]
    pub(crate) fn code(self, line: u32) -> KindCode {
        self.index.lines[line as usize].kind
    }

    #[inline]
    pub(crate) fn line(self, line: u32) -> Line {
        let at = line as usize;
        let end = self.index.lines.get(at + 1).map_or(self.index.end, |next| next.start);
        self.index.lines[at].unpack(at, end, &self.index.wide)
    }

    /// The value of a line that has one.
    #[inline]
    pub(crate) fn value(self, line: u32) -> &'r [u8] {
        &self.octets[self.span(line).range()]
    }

    /// The span of that value.
    #[inline]
    pub(crate) fn span(self, line: u32) -> Span {
        self.index.lines[line as usize].value(&self.index.wide).unwrap_or_default()
    }

    #[inline]
    pub(crate) fn groups(self) -> impl Iterator<Item = Group<'r>> {
        (0..self.index.groups.len()).map(move |position| Group::new(self, position))
    }

    /// The lines of a group: from its first user-agent line to the next group's, by number from 0.
    #[inline]
    pub(crate) fn lines_of(self, group: usize) -> core::ops::Range<u32> {
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

/// A line in twelve octets, where its parts begin and end within 254 octets of its start.
#[derive(Clone, Copy)]
struct PackedLine {
    start: u32,
    kind: KindCode,
    /// Offsets from `start`, or [`NONE`]; of a wide line the first four octets are its position in
    /// `wide`.
    parts: [u8; 7],
}

const NONE: u8 = 0xFF;
const CONTENT_END: usize = 0;
const FIELD_START: usize = 1;
const FIELD_END: usize = 2;
const COLON: usize = 3;
const VALUE_START: usize = 4;
const VALUE_END: usize = 5;
const COMMENT: usize = 6;

impl PackedLine {
    /// Packs a line that begins with its content, fits, and whose number follows its place.
    #[inline]
    fn pack(line: &Line, kind: KindCode, at: usize) -> Option<Self> {
        let start = line.span.start;
        let fits = line.content.end - start < u32::from(NONE)
            && line.content.start == start
            && line.number as usize == at + 1;
        // Parts lie in the content, as `Parser` demands, so that every offset is below NONE.
        #[expect(clippy::cast_possible_truncation, reason = "see above")]
        let offset = |at: u32| (at - start) as u8;
        let mut parts = [NONE; 7];
        parts[CONTENT_END] = offset(line.content.end);
        if let (Some(field), Some(value)) = (line.field, line.value) {
            parts[FIELD_START] = offset(field.start);
            parts[FIELD_END] = offset(field.end);
            parts[VALUE_START] = offset(value.start);
            parts[VALUE_END] = offset(value.end);
        }
        if let Some(colon) = line.colon {
            parts[COLON] = offset(colon.start);
        }
        if let Some(comment) = line.comment {
            parts[COMMENT] = offset(comment.start);
        }
        fits.then_some(Self { start, kind, parts })
    }

    #[inline]
    fn wide(line: &Line, kind: KindCode, at: u32) -> Self {
        let mut parts = [NONE; 7];
        parts[..4].copy_from_slice(&at.to_le_bytes());
        Self { start: line.span.start, kind: kind.wide(), parts }
    }

    #[inline]
    fn wide_position(&self) -> Option<usize> {
        let [a, b, c, d, ..] = self.parts;
        self.kind.is_wide().then(|| u32::from_le_bytes([a, b, c, d]) as usize)
    }

    #[inline]
    fn span(&self, from: usize, to: usize) -> Option<Span> {
        let (from, to) = (self.parts[from], self.parts[to]);
        (from != NONE).then(|| Span::of(self.start + u32::from(from), self.start + u32::from(to)))
    }

    #[inline]
    fn value(&self, wide: &[Line]) -> Option<Span> {
        match self.wide_position() {
            None => self.span(VALUE_START, VALUE_END),
            Some(at) => wide[at].value,
        }
    }

    #[inline]
    fn unpack(&self, at: usize, end: u32, wide: &[Line]) -> Line {
        if let Some(at) = self.wide_position() {
            return wide[at];
        }
        let start = self.start;
        let content = Span::of(start, start + u32::from(self.parts[CONTENT_END]));
        Line {
            field: self.span(FIELD_START, FIELD_END),
            colon: self.span(COLON, COLON).map(|colon| Span::of(colon.start, colon.start + 1)),
            value: self.span(VALUE_START, VALUE_END),
            comment: self.span(COMMENT, CONTENT_END),
            ..Line::new(number(at + 1), Span::of(start, end), content)
        }
    }
}

/// Lines are at least one octet long and offsets have 32 bits, so that every number fits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "see above")]
const fn number(len: usize) -> u32 {
    len as u32
}

/// Returns where reading ends when a body is longer than the limit: behind the last line whose content
/// lies within it.
fn cut(octets: &[u8], limit: usize) -> Option<usize> {
    let within = octets.get(..limit).filter(|_| octets.len() > limit)?;
    if matches!(octets[limit], b'\r' | b'\n') {
        return Some(limit);
    }
    Some(memchr::memrchr2(b'\r', b'\n', within).map_or(0, |end| end + 1))
}
