//! From a parser's lines to the index.
//!
//! Start at [`index`].

use crate::edition::{Observed, Semantics};
use crate::index::{Folded, Index, narrow};
use crate::kind_code::KindCode;
use crate::robots_txt::Options;
use crate::{Field, Line, Parser, ShortLine, Sink, Span, meaning, observed};

/// Returns the index of a body.
pub(crate) fn index<P: Parser>(parser: &P, octets: &[u8], options: Options) -> Index {
    let truncated_at = cut(octets, options.octets().min(u32::MAX as usize));
    let octets = &octets[..truncated_at.unwrap_or(octets.len())];
    let index = Index::new(options.profile, truncated_at, octets.len());
    let semantics = options.profile.semantics();
    let mut builder = Builder { index, octets, semantics, in_run_of_agents: false };
    match &semantics.observed {
        None => parser.report(octets, &mut builder),
        Some(observed) => builder.observe(parser, observed),
    }
    let mut index = builder.index;
    index.lines.push(ShortLine::new(narrow(octets.len()), 0));
    index
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
        self.keep(line.with_kind(kind));
    }

    #[expect(clippy::inline_always, reason = "nearly every line of rules comes by here")]
    #[inline(always)]
    fn record(&mut self, field: Field, line: ShortLine, _: u32, _: u32) {
        debug_assert!(line.kind() == KindCode::with(field, Ok(())), "a record of another field");
        // What `meaning` and `group` tell of any line, by one look at the field.
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
                let value = line.value().unwrap_or_default();
                meaning::absolute(&self.octets[value.range()]).inspect(|()| self.sitemap())
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
        let in_order = line.number == index.number(index.lines.len());
        let short = ShortLine::of(line).filter(|_| in_order).map(|short| short.with_kind(kind));
        let short = short.unwrap_or_else(|| {
            index.wide.push(*line);
            ShortLine::stand_in(line.span.start, kind, narrow(index.wide.len() - 1))
        });
        self.keep(short);
    }

    #[inline]
    fn keep(&mut self, line: ShortLine) {
        let lines = &self.index.lines;
        if lines.len() == lines.capacity() && line.is_empty() {
            self.fold(line.start());
        }
        self.index.lines.push(line);
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

    /// Notes the next line, which names a sitemap.
    #[inline]
    fn sitemap(&mut self) {
        let line = narrow(self.index.lines.len());
        let sitemaps = &mut self.index.sitemaps;
        let first = if sitemaps.end == 0 { line } else { sitemaps.start };
        *sitemaps = first..line + 1;
    }

    /// Begins a group with the next line, a user-agent line, or goes on with the run before it.
    #[inline]
    fn agent(&mut self) {
        if !self.in_run_of_agents {
            self.index.groups.push(narrow(self.index.lines.len()));
            self.in_run_of_agents = true;
        }
    }

    /// Folds runs of empty lines, so that a file of little else takes little room: called where the lines,
    /// which end at an offset, have filled what was set aside for them and an empty one comes.
    #[cold]
    fn fold(&mut self, end: u32) {
        /// The lines of a run that is folded, at least.
        const FEWEST: usize = 16;
        let Index { lines, folded, groups, sitemaps, .. } = &mut self.index;
        folded.clear();
        let before = lines.len();
        let (mut kept, mut place, mut group, mut hidden) = (0, 0, 0, 0);
        while place < before {
            let len = |place: usize| {
                lines.get(place + 1).map_or(end, ShortLine::start) - lines[place].start()
            };
            let unit = len(place);
            let is_alike = |other: &usize| lines[*other].is_empty() && len(*other) == unit;
            let run = || (place..before).take_while(is_alike).count();
            let (line, count, places) = match (lines[place].empty_lines(), u8::try_from(unit)) {
                (Some(unit_before), _) => (lines[place], unit / unit_before, 1),
                (None, Ok(short @ 1..)) => match run() {
                    run @ FEWEST.. => (lines[place].folded(short), narrow(run), run),
                    _ => (lines[place], 1, 1),
                },
                _ => (lines[place], 1, 1),
            };
            if groups.get(group) == Some(&narrow(place)) {
                groups[group] = narrow(kept);
                group += 1;
            }
            if sitemaps.start == narrow(place) {
                sitemaps.start = narrow(kept);
            }
            if sitemaps.end == narrow(place + 1) {
                sitemaps.end = narrow(kept + 1);
            }
            if count > 1 {
                hidden += count - 1;
                folded.push(Folded { place: narrow(kept), hidden });
            }
            lines[kept] = line;
            (kept, place) = (kept + 1, place + places);
        }
        lines.truncate(kept);
        // Where little was gained, the next attempt waits until as many lines have come again.
        if kept > before / 2 {
            lines.reserve(before);
        }
    }
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
