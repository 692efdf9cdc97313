//! Builds the index of a file from the lines that a parser reports: [`Report`].
//!
//! Each line begins where the line before ended. The report refuses a [`Line`] with another position. So the lines
//! always cover the octets without a gap, whatever the parser reports. [`Report::finish`] handles the octets of refused
//! lines. Nearly all rule lines pass through [`Report::record`].

#[cfg(test)]
pub(crate) mod drawn;

use super::index::Index;
use super::options::Options;
use super::slot::Slot;
use crate::edition::role::Run;
use crate::line::code::KindCode;
use crate::line::field::Form;
use crate::line::span::{Place, Span, narrow};
use crate::line::{CompactLine, Field, Line, NoEffect};
use crate::meaning;

/// Receives the lines that a parser reports.
///
/// A parser may report each line as a [`Line`], as a [`CompactLine`] or as a record ([`Report::record`]). The result is
/// the same. The report checks and numbers each line. A line is wrong if it is empty, if it is longer than the
/// remaining octets, or if it does not begin where the line before it ended. A line with parts outside its content is
/// wrong too. The report refuses a wrong line and all lines after it. The octets of the refused lines become one line
/// without a field. Release builds make these checks too, so a faulty parser cannot make the stored file inconsistent.
pub struct Report<'o> {
    index: Index,
    octets: &'o [u8],
    /// The offset where the last accepted line ends.
    at: u32,
    /// The offset that no line may exceed: the end of the octets or, after a line was refused, the end of the last
    /// accepted line.
    end: u32,
    /// Whether the next user-agent line belongs to the same group, because no line has ended the run of user-agent
    /// lines.
    in_run_of_agents: bool,
}

impl<'o> Report<'o> {
    /// Starts the index of a body. If the body is longer than the limit, the report ignores the rest.
    pub(crate) fn new(body: &'o [u8], options: Options) -> Self {
        let truncated_at = cut(body, options.limit());
        let octets = &body[..truncated_at.unwrap_or(body.len())];
        let mut index = Index::new(options.edition(), truncated_at);
        // The median length of the lines in real files is 25 octets, so this call reserves one slot for every 24
        // octets. If the file has more lines, `grow` reserves more slots.
        index.lines.reserve_exact(octets.len() / 24 + 4);
        let end = narrow(octets.len());
        Self { index, octets, at: 0, end, in_run_of_agents: false }
    }

    /// Returns the octets that the parser reads: the body up to the limit.
    #[inline]
    pub(crate) fn octets(&self) -> &'o [u8] {
        self.octets
    }

    /// Accepts the next line as a record: a line with a known field. The line begins with the name of the field, in
    /// upper or lower case, and the colon follows directly. `value` is the offset of the value in the line, in octets.
    /// The value goes to the end of the content. The value has at least one octet, and no space, tab, control octet or
    /// `#`. `content` is the length of the line without its ending, and `ending` is the length of the ending, both in
    /// octets. The report does not check the octets themselves. If a parser reports a wrong field, the line counts as a
    /// line with that field.
    // Nearly every rule line passes through this function. This function needs a third of the instructions of
    // `compact` (`cargo xtask bench instructions`, "parse"), because the field is known and the value has no control
    // octet. `compact` is the reference implementation. `tests/seam.rs` and the tests below compare the results of
    // both functions.
    #[expect(clippy::inline_always, reason = "inlined into the parser's loop")]
    #[inline(always)]
    pub fn record(&mut self, field: Field, value: u8, content: u8, ending: u8) {
        let start = self.at;
        let end = start + u32::from(content) + u32::from(ending);
        let name = field.name().len();
        let in_order = name < usize::from(value) && value < content && content < u8::MAX;
        if !in_order || end > self.end {
            return self.refuse();
        }
        self.at = end;
        let (from, to) = (start + u32::from(value), start + u32::from(content));
        // In the first two arms of this `match`, the compiler knows the role of the field, and knows that the field is
        // not a sitemap. So for a rule, `note` compiles to one store instruction.
        let effect = match field {
            Field::UserAgent => {
                self.note(Field::UserAgent, true);
                Ok(())
            }
            Field::Allow | Field::Disallow => {
                self.note(Field::Disallow, true);
                self.effect_at(field, from, to)
            }
            _ => return self.other_record(field, start, value, content),
        };
        // `CompactLine::record` sets the kind of a line whose value has effect, so any other kind is set here.
        let line = CompactLine::record(field, value, content);
        let line = match effect {
            Ok(()) => line,
            Err(_) => line.with_kind(KindCode::record(field, effect)),
        };
        // Unlike `keep`, this call may double the capacity of the vector. A record with its line ending has at least
        // eight octets, so even a doubled vector needs less memory per octet than a file of blank lines.
        self.index.lines.push(Slot::new(start, line));
    }

    /// Adds a record that is neither a user-agent line nor an allow or disallow line.
    ///
    /// A file has few records with other fields, so this function is not inlined. When the function was inlined, all
    /// other lines needed one per cent more instructions (`cargo xtask bench instructions`, "parse").
    #[inline(never)]
    fn other_record(&mut self, field: Field, start: u32, value: u8, content: u8) {
        let line = CompactLine::record(field, value, content);
        let kind = if self.index.semantics.role(field).is_some() {
            let effect =
                self.effect_at(field, start + u32::from(value), start + u32::from(content));
            self.note(field, effect.is_ok());
            KindCode::record(field, effect)
        } else {
            KindCode::UNKNOWN
        };
        self.index.lines.push(Slot::new(start, line.with_kind(kind)));
    }

    /// Accepts the next line, given in compact form and with the length of its line ending in octets.
    ///
    /// ```
    /// use robots_core::syntax::{CompactLine, Parser, Report, lines};
    ///
    /// /// Lines end in LF, and every line is a comment.
    /// struct Comments;
    ///
    /// impl Parser for Comments {
    ///     fn name(&self) -> &str { "comments" }
    ///     fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
    ///         for line in octets.split_inclusive(|octet| *octet == b'\n') {
    ///             let ending = u8::from(line.ends_with(b"\n"));
    ///             let compact = CompactLine::new(line.len() as u8 - ending).with_comment(0);
    ///             report.compact(compact, ending);
    ///         }
    ///     }
    /// }
    /// assert_eq!(lines(&Comments, b"# a\n# b")[1].comment.unwrap().range(), 4..7);
    /// ```
    #[inline]
    pub fn compact(&mut self, line: CompactLine, ending: u8) {
        let start = self.at;
        let end = start + line.content() + u32::from(ending);
        if end == start || end > self.end {
            return self.refuse();
        }
        self.at = end;
        let octets = |span: Span| &self.octets[span.range()];
        let kind = if let (Some(field), Some(value)) = (line.field(start), line.value(start)) {
            meaning::of_field(octets(field), octets(value), self.index.semantics)
        } else {
            let (text, has_comment) = line.text(start);
            meaning::without_field(octets(text), has_comment)
        };
        if let Some((field, has_effect)) = kind.field() {
            self.note(field, has_effect);
        }
        self.keep(Slot::new(start, line.with_kind(kind)));
    }

    /// Accepts the next line. The number of the line is ignored.
    pub fn line(&mut self, line: Line) {
        let parts = [line.field, line.colon, line.value, line.comment];
        let fits = line.span.first() == self.at
            && !line.span.is_empty()
            && line.span.behind() <= self.end
            && line.span.contains(line.content)
            && parts.into_iter().flatten().all(|part| line.content.contains(part));
        if !fits {
            return self.refuse();
        }
        self.at = line.span.behind();
        let kind = meaning::of_line(&line, self.octets, self.index.semantics);
        self.add(&line, kind);
    }

    /// Finishes the index.
    ///
    /// If the parser stopped early, or if the report refused a line, the remaining octets become one line without a
    /// field.
    pub(crate) fn finish(mut self) -> Index {
        let end = narrow(self.octets.len());
        if self.at < end {
            self.end = end;
            let rest = Span::between(self.at, end);
            self.line(Line::new(rest, rest));
        }
        self.index.lines.push(Slot::end(end));
        self.index
    }

    /// Returns `Ok` if the value between two offsets has effect, or the reason why it has no effect. The value must
    /// have at least one octet.
    #[inline]
    fn effect_at(&self, field: Field, start: u32, end: u32) -> Result<(), NoEffect> {
        // A path pattern that begins with `/` or `*` has effect. Only other values need more checks.
        if let (Form::PathPattern, Some(b'/' | b'*')) =
            (field.form(), self.octets.get(start as usize))
        {
            return Ok(());
        }
        let value = Span::between(start, end);
        meaning::effect(field, &self.octets[value.range()], self.index.semantics)
    }

    fn add(&mut self, line: &Line, kind: KindCode) {
        if let Some((field, has_effect)) = kind.field() {
            self.note(field, has_effect);
        }
        let compact = CompactLine::of(line).unwrap_or_else(|| {
            self.index.long.push(*line);
            CompactLine::reference(kind, narrow(self.index.long.len() - 1))
        });
        let compact = if compact.kind().is_long() { compact } else { compact.with_kind(kind) };
        self.keep(Slot::new(line.span.first(), compact));
    }

    #[inline]
    fn keep(&mut self, slot: Slot) {
        let lines = &mut self.index.lines;
        if lines.len() == lines.capacity() {
            self.grow();
        }
        self.index.lines.push(slot);
    }

    /// Reserves room for the remaining lines. The function counts the line endings, so that the index of a file with
    /// short lines has hardly more slots than lines. If a parser ends lines at other places, the vector grows by its
    /// usual policy.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let ends = memchr::memchr2_iter(b'\r', b'\n', &self.octets[self.at as usize..]).count();
        let lines = &mut self.index.lines;
        if lines.len() <= self.octets.len() / 24 + 4 {
            lines.reserve_exact(ends + 3);
        } else {
            lines.reserve(1);
        }
    }

    /// Refuses all further lines.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self) {
        self.end = self.at;
    }

    /// Updates the groups for the next line, which is a record. If the line names a sitemap, extends the range of the
    /// sitemap lines.
    ///
    /// Every record passes through this function, however the parser reported it. The role of the field in the edition
    /// decides how the line affects groups.
    #[expect(clippy::inline_always, reason = "inlined into the parser's loop")]
    #[inline(always)]
    fn note(&mut self, field: Field, has_effect: bool) {
        match self.index.semantics.role(field).map(|role| role.run) {
            Some(Run::Continues) => {
                if !self.in_run_of_agents {
                    self.index.groups.push(Place::at(self.index.lines.len()));
                    self.in_run_of_agents = true;
                }
            }
            Some(Run::Ends) => self.in_run_of_agents = false,
            Some(Run::Leaves) | None => {}
        }
        if field == Field::Sitemap && has_effect {
            let place = Place::at(self.index.lines.len());
            let sitemaps = &mut self.index.sitemaps;
            let first = if sitemaps.is_empty() { place } else { sitemaps.start };
            *sitemaps = first..place.next();
        }
    }
}

/// Returns the offset where reading ends if a body is longer than the limit, or `None` if the body is not. Reading ends
/// after the last line whose whole content is within the limit.
fn cut(octets: &[u8], limit: usize) -> Option<usize> {
    let within = octets.get(..limit).filter(|_| octets.len() > limit)?;
    if matches!(octets[limit], b'\r' | b'\n') {
        return Some(limit);
    }
    Some(memchr::memrchr2(b'\r', b'\n', within).map_or(0, |end| end + 1))
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;
    use core::mem::size_of;

    use proptest::prelude::*;
    use rstest::rstest;

    use super::super::slot::Slot;
    use super::{Report, drawn};
    use crate::edition::role::Run;
    use crate::file::Options;
    use crate::line::CompactLine;

    proptest! {
        /// Only the roles decide where groups begin. The form in which a parser reports records does not matter.
        #[test]
        fn groups_follow_from_the_roles(file in drawn::file()) {
            let (mut groups, mut in_run) = (Vec::new(), false);
            for (place, role) in file.roles().enumerate() {
                match role.map(|role| role.run) {
                    Some(Run::Continues) if in_run => {}
                    Some(Run::Continues) => {
                        groups.push(place);
                        in_run = true;
                    }
                    Some(Run::Ends) => in_run = false,
                    Some(Run::Leaves) | None => {}
                }
            }
            let index = file.index();
            let found: Vec<usize> = index.groups.iter().map(|place| place.index()).collect();
            prop_assert_eq!(found, groups);
            prop_assert_eq!(index.lines.len() - 1, file.roles().count());
        }
    }

    /// The index needs at most twelve and a half octets of memory for each octet of the file: twelve if every octet is
    /// a line of its own, and half an octet that is reserved in advance.
    #[rstest]
    #[trace]
    #[case("\n")]
    #[case("a\n")]
    #[case("\n\n\n\n\n\n\n\n\n\n\n\n\n\n\na\n")]
    #[case("\r\n")]
    #[case("\r\r\n\n")]
    #[case("user-agent: a\n")]
    #[case("allow:/\n\n\n\n")]
    #[case("twenty-four octets long\n")]
    #[case(
        "a line that is far longer than the room that was reserved for it\n\n\n\n\n\n\n\n\n\n\n\n\n"
    )]
    #[cfg_attr(
        miri,
        ignore = "Miri takes minutes for a file that a processor reads in a millisecond"
    )]
    fn memory_is_bounded_by_the_file(#[case] unit: &str, #[values(1, 100, 10_000)] times: usize) {
        let body: Vec<u8> = unit.repeat(times).into_bytes();
        let mut report = Report::new(&body, Options::default().with_limit(body.len()));
        let mut most = report.index.lines.capacity();
        let mut rest = &body[..];
        while let Some(end) = rest.iter().position(|octet| matches!(octet, b'\r' | b'\n')) {
            let ending = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
            let before = report.index.lines.capacity();
            report.compact(CompactLine::new(u8::try_from(end).unwrap()), ending);
            let after = report.index.lines.capacity();
            // While the vector grows, the old and the new allocation exist together.
            most = most.max(if after > before { before + after } else { after });
            rest = &rest[end + usize::from(ending)..];
        }
        let octets = most * size_of::<Slot>();
        assert!(2 * octets <= 25 * body.len() + 1024, "{octets} octets for {}", body.len());
        assert_eq!(
            report.finish().lines.len() - 1,
            unit.matches(['\r', '\n']).count() * times - unit.matches("\r\n").count() * times
        );
    }

    /// If a parser ends lines where there is no line ending, the vector grows by many lines at a time.
    #[test]
    fn room_grows_with_the_lines() {
        let body = [b'x'; 2400];
        let mut report = Report::new(&body, Options::default());
        let mut grown = 0;
        for _ in body {
            let before = report.index.lines.capacity();
            report.compact(CompactLine::new(1), 0);
            grown += usize::from(report.index.lines.capacity() > before);
        }
        assert!((1..20).contains(&grown), "{grown}");
        assert_eq!(report.finish().lines.len() - 1, body.len());
    }
}
