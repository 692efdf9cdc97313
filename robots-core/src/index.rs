//! What is kept of a parsed body: twelve octets a line, four a group, and nothing else.
//!
//! Start at [`Index::build`]. Groups and rules are no tables of their own: they are runs of lines, found
//! by the kind each line keeps.

use alloc::vec::Vec;
use core::ops::Range;

use crate::edition::{Observed, Semantics};
use crate::group::Group;
use crate::kind_code::KindCode;
use crate::observed;
use crate::robots_txt::Options;
use crate::{Field, Line, LineKind, Parser, Profile, ShortLine, Sink, Span, meaning};

/// What was read of a body: offsets only.
#[derive(Clone)]
pub(crate) struct Index {
    pub(crate) profile: Profile,
    pub(crate) truncated_at: Option<usize>,
    /// The lines, and at last one that begins where they end.
    lines: Vec<ShortLine>,
    /// Lines that are no short ones; those stand in for them.
    wide: Vec<Line>,
    /// For each group the number, from 0, of its first line.
    groups: Vec<u32>,
    /// From the first sitemap line to behind the last.
    sitemaps: Range<u32>,
}

impl Index {
    pub(crate) fn build<P: Parser>(parser: &P, octets: &[u8], options: Options) -> Self {
        let truncated_at = cut(octets, options.octets().min(u32::MAX as usize));
        let octets = &octets[..truncated_at.unwrap_or(octets.len())];
        let index = Self {
            profile: options.profile,
            truncated_at,
            // Lines of real files are 28 octets long in the middle; more are grown for.
            lines: Vec::with_capacity(octets.len() / 24 + 4),
            wide: Vec::new(),
            groups: Vec::new(),
            sitemaps: 0..0,
        };
        let semantics = options.profile.semantics();
        let mut builder = Builder { index, octets, semantics, in_run_of_agents: false };
        match &semantics.observed {
            None => parser.report(octets, &mut builder),
            Some(observed) => builder.observe(parser, observed),
        }
        let mut index = builder.index;
        index.lines.push(ShortLine::new(number(octets.len()), 0));
        index
    }
}

/// An index under way.
struct Builder<'o> {
    index: Index,
    octets: &'o [u8],
    semantics: &'static Semantics,
    /// Whether only lines of no effect on groups came since the last user-agent line.
    in_run_of_agents: bool,
}

impl Sink for Builder<'_> {
    #[inline]
    fn line(&mut self, line: Line) {
        let kind = meaning::of_line(&line, self.octets, self.semantics);
        self.add(&line, kind);
    }

    #[inline]
    fn short(&mut self, line: ShortLine, _: u32, _: u32) {
        let octets = |span: Span| &self.octets[span.range()];
        let kind = if let (Some(field), Some(value)) = (line.field(), line.value()) {
            meaning::of_field(octets(field), octets(value), self.semantics)
        } else {
            let (text, has_comment) = line.text();
            meaning::without_field(octets(text), has_comment)
        };
        self.group(kind);
        self.index.lines.push(line.with_kind(kind));
    }

    #[expect(clippy::inline_always, reason = "nearly every line of rules comes by here")]
    #[inline(always)]
    fn record(&mut self, field: Field, line: ShortLine, _: u32, _: u32) {
        let effect = match field {
            Field::Allow | Field::Disallow => {
                self.in_run_of_agents = false;
                meaning::slash(self.octets.get(line.value_start()), self.semantics)
            }
            Field::UserAgent => {
                self.agent();
                Ok(())
            }
            Field::Sitemap => {
                self.sitemap();
                let value = line.value().unwrap_or_default();
                meaning::absolute(&self.octets[value.range()])
            }
        };
        // A record is made with the kind it has where its value has effect.
        let line = match effect {
            Ok(()) => line,
            Err(_) => line.with_kind(KindCode::with(field, effect)),
        };
        self.index.lines.push(line);
    }
}

impl Builder<'_> {
    /// Adds lines as an observed library reads them.
    #[cold]
    fn observe<P: Parser>(&mut self, parser: &P, observed: &Observed) {
        let octets = self.octets;
        parser.parse(octets, &mut |line| {
            let line = observed::line(octets, line, observed);
            self.add(&line, observed::kind(&line, octets, observed));
        });
    }

    fn add(&mut self, line: &Line, kind: KindCode) {
        self.group(kind);
        let index = &mut self.index;
        // A line keeps no number, so one that counts on its own is kept whole.
        let in_order = line.number as usize == index.lines.len() + 1;
        let short = ShortLine::of(line).filter(|_| in_order).map(|short| short.with_kind(kind));
        let short = short.unwrap_or_else(|| {
            index.wide.push(*line);
            ShortLine::stand_in(line.span.start, kind, number(index.wide.len() - 1))
        });
        index.lines.push(short);
    }

    /// Notes the next line, of the kind given: a user-agent line begins a run of such, and every other line
    /// but an allow or disallow line leaves it open.
    #[inline]
    fn group(&mut self, kind: KindCode) {
        if kind.is_agent() {
            self.agent();
        } else if kind.is_rule() {
            self.in_run_of_agents = false;
        } else if kind.is_sitemap() {
            self.sitemap();
        }
    }

    /// Notes the next line, a sitemap line.
    #[inline]
    fn sitemap(&mut self) {
        let line = number(self.index.lines.len());
        let sitemaps = &mut self.index.sitemaps;
        let first = if sitemaps.end == 0 { line } else { sitemaps.start };
        *sitemaps = first..line + 1;
    }

    /// Begins a group with the next line, a user-agent line, or goes on with the run before it.
    #[inline]
    fn agent(&mut self) {
        if !self.in_run_of_agents {
            self.index.groups.push(number(self.index.lines.len()));
            self.in_run_of_agents = true;
        }
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
        number(self.index.lines.len() - 1)
    }

    /// Every line with what it means, in order.
    #[inline]
    pub(crate) fn lines(self) -> impl Iterator<Item = (Line, LineKind)> + use<'r> {
        let Index { lines, wide, .. } = self.index;
        lines.iter().zip(&lines[1..]).enumerate().map(move |(at, (line, next))| {
            (whole(line, at, next.start(), wide), line.kind().kind())
        })
    }

    /// A range of lines as they are kept, each with its number, from 0.
    #[inline]
    pub(crate) fn short_lines(
        self,
        lines: Range<u32>,
    ) -> impl Iterator<Item = (u32, &'r ShortLine)> + use<'r> {
        let short = &self.index.lines[lines.start as usize..lines.end as usize];
        lines.zip(short)
    }

    /// The lines from the first sitemap line to the last.
    pub(crate) fn sitemaps(self) -> Range<u32> {
        self.index.sitemaps.clone()
    }

    #[inline]
    pub(crate) fn line(self, line: u32) -> Line {
        let at = line as usize;
        let Index { lines, wide, .. } = self.index;
        whole(&lines[at], at, lines[at + 1].start(), wide)
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

    /// The lines of a group: from its first user-agent line to the next group's, by number from 0.
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

/// Returns the line at a place, from 0, given where it ends.
#[inline]
fn whole(short: &ShortLine, at: usize, end: u32, wide: &[Line]) -> Line {
    match short.stands_in_for() {
        None => short.line(number(at + 1), end),
        Some(at) => wide[at],
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
