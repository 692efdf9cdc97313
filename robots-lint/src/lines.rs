//! The findings about one line, and the state that is kept between lines to find them.
//!
//! Start at [`Lines::of_the_line`], which passes rules, user-agent lines and preferences to the modules `rules`,
//! `user_agents` and `preferences`, and handles all other lines itself.

use alloc::collections::VecDeque;

use super::field_name::{self, FieldName};
use super::file::{File, Sink, before_comment};
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::preferences::{self, Stating};
use super::values::{field_within, without_odd_space};
use super::whole::Whole;
use super::{rules, user_agents};
use robots_core::syntax::{Field, Line, LineKind, LineNumber, Malformed, NoEffect, Remark, Span};

/// The maximum number of octets of a line that Google's published library reads.
const LINE_OCTETS: usize = 16_663;

/// A file, and what is remembered about the lines before the current line.
#[derive(Clone)]
pub(super) struct Lines<'r> {
    pub(super) file: File<'r>,
    whole: Whole,
    /// The last line of the current run of user-agent lines, and the kind of lines after it.
    agents: Option<(LineNumber, Span, After)>,
    any_agent: bool,
}

/// The kind of line that came after the last user-agent line of a run (user-agent lines of one group).
#[derive(Clone, Copy)]
enum After {
    Nothing,
    Lines,
    /// A line with a preference. According to the drafts, such a line ends the run of user-agent lines. Other readers
    /// continue the run after the line.
    Preference(LineNumber, Span),
}

impl<'r> Lines<'r> {
    pub(super) fn new(file: File<'r>, whole: Whole) -> Self {
        Self { file, whole, agents: None, any_agent: false }
    }

    /// Returns the finding about a file that is not plain text, for example a binary file or an HTML page.
    pub(super) fn of_the_whole(&self) -> Option<Finding<'r>> {
        let kind = match self.whole {
            Whole::Text => return None,
            Whole::Utf16 => FindingKind::Utf16,
            Whole::Html => FindingKind::HtmlPage,
            Whole::NotText => FindingKind::NotText,
        };
        let first = self.file.robots.line(LineNumber::FIRST);
        let first = first.map_or(Span::default(), |(line, _)| line.content);
        Some(self.file.finding(kind, LineNumber::FIRST, first, Detail::None))
    }

    /// Returns the finding about the octets beyond the limit.
    pub(super) fn of_the_rest(&self) -> Option<Finding<'r>> {
        let read = self.file.robots.truncated_at()?;
        let end = self.file.body.len().min(u32::MAX as usize);
        // The finding is about the first line that is not read.
        let line = self
            .file
            .robots
            .lines()
            .last()
            .map_or(LineNumber::FIRST, |(last, _)| last.number.next());
        let detail = Detail::Octets(self.file.body.len() - read);
        Some(self.file.finding(FindingKind::Truncated, line, Span::new(read, end), detail))
    }

    /// Returns the line with this number, or `None` after the last line. A file that is UTF-16 or binary has no lines
    /// to check.
    pub(super) fn line(&self, number: LineNumber) -> Option<(Line, LineKind)> {
        if self.whole.has_lines() { self.file.robots.line(number) } else { None }
    }

    /// Adds the findings of a line.
    pub(super) fn of_the_line(
        &mut self,
        line: Line,
        kind: LineKind,
        found: &mut VecDeque<Finding<'r>>,
    ) {
        let mut sink = Sink { file: self.file, line, found };
        if line.content.start() > line.span.start() {
            let mark = Span::new(line.span.start(), line.content.start());
            sink.add(FindingKind::ByteOrderMark, mark);
        }
        match kind {
            LineKind::Record { field, effect } => self.of_record(field, effect, &mut sink),
            // The other lines of an HTML page are not checked, because they were not written for robots.txt.
            _ if self.whole == Whole::Html => return,
            LineKind::Unknown => unknown(&mut sink),
            LineKind::Malformed(Malformed::NoColon) => no_colon(&mut sink),
            LineKind::Malformed(Malformed::NoField) => {
                sink.add(FindingKind::NoField, line.colon.unwrap_or(line.content));
            }
            LineKind::Malformed(Malformed::ControlInField) => {
                sink.add(FindingKind::ControlInField, line.field.unwrap_or(line.content));
            }
            // Blank lines and comments are not problems. Kinds of lines that a later version of the core adds are not
            // checked.
            _ => {}
        }
        if !matches!(kind, LineKind::Comment | LineKind::Record { field: Field::UserAgent, .. })
            && let Some((_, _, after @ After::Nothing)) = &mut self.agents
        {
            *after = After::Lines;
        }
        let name = sink.octets(line.field.unwrap_or_default());
        if let Some(stating) = Stating::named(name)
            && !matches!(kind, LineKind::Malformed(_))
            && !matches!(kind, LineKind::Record { effect: Err(NoEffect::Control), .. })
        {
            self.of_preference(stating, &mut sink);
        }
        remarks(&mut sink);
    }

    fn of_record(&mut self, field: Field, effect: Result<(), NoEffect>, sink: &mut Sink<'r, '_>) {
        let line = sink.line;
        let value = line.value.unwrap_or_default();
        if field == Field::UserAgent {
            self.any_agent = true;
            match self.agents {
                Some((_, _, After::Preference(number, span))) => {
                    let (kind, detail) =
                        (FindingKind::PreferenceBetweenAgents, Detail::Line(number, span));
                    sink.add_with(kind, line.content, detail);
                }
                Some((number, span, After::Lines)) => {
                    let detail = Detail::Line(number, span);
                    sink.add_with(FindingKind::AgentsRunOn, line.content, detail);
                }
                _ => {}
            }
            self.agents = Some((line.number, line.content, After::Nothing));
        } else if field.rule().is_some() {
            self.agents = None;
            if !self.any_agent {
                return sink.add(FindingKind::RuleBeforeAgent, before_comment(&line, sink));
            }
        }
        if effect == Err(NoEffect::Control) {
            return sink.add(FindingKind::ControlInValue, value);
        }
        if effect != Err(NoEffect::Empty) && joined_or_spaced(value, sink) {
            return;
        }
        match field.rule() {
            Some(kind) => rules::of_line(kind, effect, value, sink),
            None if field == Field::UserAgent => {
                user_agents::of_line(effect, value, sink);
            }
            None if field == Field::Sitemap => sitemap(effect, value, sink),
            None => {}
        }
    }
}

impl<'r> Lines<'r> {
    /// Adds the findings about a line with a preference, even if the edition does not define its field.
    fn of_preference(&mut self, stating: Stating, sink: &mut Sink<'r, '_>) {
        let line = sink.line;
        if let Some((_, _, after)) = &mut self.agents {
            *after = After::Preference(line.number, before_comment(&line, sink));
        }
        if !self.any_agent {
            sink.add(FindingKind::PreferenceBeforeAgent, before_comment(&line, sink));
        }
        preferences::of_line(stating, sink);
    }
}

/// Adds the findings about problems that any value may have: another field inside the value, or characters that only
/// look like white space. Returns whether it added a finding.
fn joined_or_spaced(value: Span, sink: &mut Sink<'_, '_>) -> bool {
    let octets = sink.octets(value);
    if let Some((at, field)) = field_within(octets) {
        let rest = Span::new(value.start() + at, value.end());
        sink.add_with(FindingKind::LinesJoined, rest, Detail::Field(field));
        return true;
    }
    let inner = without_odd_space(octets);
    if inner.len() < octets.len() {
        sink.add(FindingKind::OddSpace, value);
        return true;
    }
    false
}

fn sitemap(effect: Result<(), NoEffect>, value: Span, sink: &mut Sink<'_, '_>) {
    match effect {
        Err(NoEffect::Empty) => {
            sink.add(FindingKind::EmptySitemap, before_comment(&sink.line, sink));
        }
        Err(_) => sink.add(FindingKind::RelativeSitemap, value),
        Ok(()) if sink.octets(value).iter().any(|octet| matches!(octet, b' ' | b'\t')) => {
            sink.add(FindingKind::SitemapsJoined, value);
        }
        Ok(()) => {}
    }
}

fn unknown(sink: &mut Sink<'_, '_>) {
    let (name, line) = (sink.line.field.unwrap_or_default(), sink.line);
    let octets = sink.octets(name);
    if let Some(field) = field_name::named(without_odd_space(octets)) {
        return sink.add_with(FindingKind::OddSpace, name, Detail::Field(field));
    }
    let is_scheme = octets.eq_ignore_ascii_case(b"http") || octets.eq_ignore_ascii_case(b"https");
    if is_scheme && sink.octets(line.value.unwrap_or_default()).starts_with(b"//") {
        return sink.add(FindingKind::BareUrl, before_comment(&line, sink));
    }
    match field_name::of(octets) {
        FieldName::Misspelt(field) => {
            sink.add_with(FindingKind::MisspeltField, name, Detail::Field(field));
        }
        FieldName::Extension(known) => {
            let kind = match known.instead {
                Some(_) => FindingKind::ObsoleteField,
                None => FindingKind::ExtensionField,
            };
            sink.add_with(kind, name, Detail::Extension(known));
        }
        FieldName::MisspeltExtension(known) => {
            sink.add_with(FindingKind::UnknownField, name, Detail::MeantExtension(known));
        }
        FieldName::Unknown => match field_name::leading(octets) {
            // The colon of this line is part of the value, as in `Sitemap https://example.com/sitemap.xml`.
            Some((field, end)) if begins_value(octets[end..].trim_ascii_start()) => {
                sink.add_with(
                    FindingKind::NoColon,
                    before_comment(&line, sink),
                    Detail::Field(field),
                );
            }
            _ => sink.add(FindingKind::UnknownField, name),
        },
    }
}

/// Returns whether the octets begin with a path or a URL.
fn begins_value(octets: &[u8]) -> bool {
    let is_url = octets.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"http"));
    is_url || matches!(octets.first(), Some(b'/' | b'*'))
}

fn no_colon(sink: &mut Sink<'_, '_>) {
    let text = before_comment(&sink.line, sink);
    let detail = match field_name::leading(sink.octets(text)) {
        Some((field, _)) => Detail::Field(field),
        None => Detail::None,
    };
    sink.add_with(FindingKind::NoColon, text, detail);
}

fn remarks(sink: &mut Sink<'_, '_>) {
    let line = sink.line;
    for remark in line.remarks(sink.file.body) {
        match remark {
            Remark::InvalidUtf8 => {
                let content = sink.octets(line.content);
                let Err(error) = core::str::from_utf8(content) else { continue };
                let start = line.content.start() + error.valid_up_to();
                let len = error.error_len().unwrap_or(line.content.end() - start);
                sink.add(FindingKind::InvalidUtf8, Span::new(start, start + len));
            }
            Remark::ControlInComment => {
                sink.add(FindingKind::ControlInComment, line.comment.unwrap_or(line.content));
            }
            // Remarks that a later version of the core adds are ignored.
            _ => {}
        }
    }
    if line.content.len() > LINE_OCTETS {
        let rest = Span::new(line.content.start() + LINE_OCTETS, line.content.end());
        sink.add(FindingKind::LongLine, rest);
    }
}
