//! The findings of one line, and what is carried from line to line to find them.

use alloc::collections::VecDeque;

use super::field_name::{self, FieldName};
use super::whole::Whole;
use super::{Detail, Finding, FindingKind, rules, user_agents};
use crate::file::view::View;
use crate::line::span::{Place, narrow};
use crate::line::{Field, Line, LineKind, LineNumber, Malformed, NoEffect, Remark, Span};

/// The octets of a line that Google's published library reads.
const LINE_OCTETS: usize = 16_663;

/// A file, and the place in it.
#[derive(Clone)]
pub(super) struct Lines<'r> {
    pub(super) view: View<'r>,
    body: &'r [u8],
    whole: Whole,
    /// The last line of the run of user-agent lines, while it goes on, and whether something else came since.
    agents: Option<(LineNumber, Span, bool)>,
    any_agent: bool,
}

/// The line that is looked at, and where its findings go.
pub(super) struct Sink<'r, 's> {
    lines: &'s Lines<'r>,
    pub(super) line: Line,
    found: &'s mut VecDeque<Finding<'r>>,
}

impl<'r> Sink<'r, '_> {
    pub(super) fn octets(&self, span: Span) -> &'r [u8] {
        &self.lines.body[span.range()]
    }

    pub(super) fn add(&mut self, kind: FindingKind, span: Span) {
        self.add_with(kind, span, Detail::None);
    }

    pub(super) fn add_with(&mut self, kind: FindingKind, span: Span, detail: Detail) {
        let finding = self.lines.finding(kind, self.line.number, span, detail);
        self.found.push_back(finding);
    }
}

impl<'r> Lines<'r> {
    pub(super) fn new(view: View<'r>, body: &'r [u8], whole: Whole) -> Self {
        Self { view, body, whole, agents: None, any_agent: false }
    }

    pub(super) fn finding(
        &self,
        kind: FindingKind,
        line: LineNumber,
        span: Span,
        detail: Detail,
    ) -> Finding<'r> {
        let Self { body, view, .. } = *self;
        Finding { body, profile: view.index.profile, kind, line, span, detail }
    }

    /// Returns what is to be said of a file that is no text of lines.
    pub(super) fn of_the_whole(&self) -> Option<Finding<'r>> {
        let kind = match self.whole {
            Whole::Text => return None,
            Whole::Utf16 => FindingKind::Utf16,
            Whole::Html => FindingKind::HtmlPage,
            Whole::NotText => FindingKind::NotText,
        };
        let first = self.view.lines().next().map_or(Span::default(), |(line, _)| line.content);
        Some(self.finding(kind, LineNumber::FIRST, first, Detail::None))
    }

    /// Returns what is to be said of the octets that are not read.
    pub(super) fn of_the_rest(&self) -> Option<Finding<'r>> {
        let read = self.view.index.truncated_at?;
        let end = self.body.len().min(u32::MAX as usize);
        let line = self.view.end().number(0);
        let detail = Detail::Octets(self.body.len() - read);
        Some(self.finding(FindingKind::Truncated, line, Span::new(read, end), detail))
    }

    /// Adds the findings of a line.
    pub(super) fn of_the_line(&mut self, place: Place, found: &mut VecDeque<Finding<'r>>) {
        let line = self.view.line(place);
        let kind = self.view.index.lines[place.index()].kind().kind();
        let before = self.clone();
        let mut sink = Sink { lines: &before, line, found };
        if line.content.start() > line.span.start() {
            let mark = Span::new(line.span.start(), line.content.start());
            sink.add(FindingKind::ByteOrderMark, mark);
        }
        match kind {
            LineKind::Record { field, effect } => self.of_record(field, effect, &mut sink),
            // Nothing else in a page is a line that somebody wrote.
            _ if self.whole == Whole::Html => return,
            LineKind::Unknown => unknown(&mut sink),
            LineKind::Malformed(Malformed::NoColon) => no_colon(&mut sink),
            LineKind::Malformed(Malformed::NoField) => {
                sink.add(FindingKind::NoField, line.colon.unwrap_or(line.content));
            }
            LineKind::Malformed(Malformed::ControlInField) => {
                sink.add(FindingKind::ControlInField, line.field.unwrap_or(line.content));
            }
            LineKind::Blank | LineKind::Comment => {}
        }
        if !matches!(kind, LineKind::Comment | LineKind::Record { field: Field::UserAgent, .. })
            && let Some((_, _, parted)) = &mut self.agents
        {
            *parted = true;
        }
        remarks(&mut sink);
    }

    fn of_record(&mut self, field: Field, effect: Result<(), NoEffect>, sink: &mut Sink<'r, '_>) {
        let line = sink.line;
        let (name, value) = (line.field.unwrap_or_default(), line.value.unwrap_or_default());
        let is_named = Field::named(sink.octets(name)) == Some(field);
        if !is_named || line.colon.is_none() {
            sink.add_with(FindingKind::AcceptedMisspelling, name, Detail::Field(field));
        }
        if field == Field::UserAgent {
            self.any_agent = true;
            if let Some((number, span, true)) = self.agents {
                sink.add_with(FindingKind::AgentsRunOn, line.content, Detail::Line(number, span));
            }
            self.agents = Some((line.number, line.content, false));
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
                user_agents::of_line(effect, value, self.view.semantics(), sink);
            }
            None => sitemap(effect, value, sink),
        }
    }
}

/// Adds what may be wrong with any value: another field within it, or white space that is none. Returns whether
/// it did.
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
            sink.add(FindingKind::EmptySitemap, before_comment(&sink.line, sink))
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
    if let Some(field) = Field::named(without_odd_space(octets)) {
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
        FieldName::Unknown => sink.add(FindingKind::UnknownField, name),
    }
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
    for remark in line.remarks(sink.lines.body) {
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
        }
    }
    if line.content.len() > LINE_OCTETS {
        let rest = line.content.first() + narrow(LINE_OCTETS);
        sink.add(FindingKind::LongLine, Span::between(rest, line.content.behind()));
    }
}

/// Returns what stands before the comment, without the white space around it.
pub(super) fn before_comment(line: &Line, sink: &Sink<'_, '_>) -> Span {
    let end = line.comment.map_or(line.content.end(), Span::start);
    let start = line.content.start();
    let text = sink.octets(Span::new(start, end));
    let begins = text.len() - text.trim_ascii_start().len();
    let ends = text.trim_ascii_end().len().max(begins);
    Span::new(start + begins, start + ends)
}

/// Finds a field of robots.txt and its colon within a value: behind white space, or behind a line ending that is
/// spelled out. Returns where it begins, and which it is.
fn field_within(value: &[u8]) -> Option<(usize, Field)> {
    memchr::memchr_iter(b':', value).find_map(|colon| {
        let before = &value[..colon];
        let end = before.trim_ascii_end().len();
        Field::ALL.iter().find_map(|&field| {
            let start = end.checked_sub(field.name().len())?;
            let is_named = before[start..end].eq_ignore_ascii_case(field.name().as_bytes());
            let behind = |text: &[u8]| before[..start].ends_with(text);
            let apart = [&b" "[..], b"\t", b"\\n", b"\\r"].into_iter().any(behind);
            (is_named && apart).then_some((start, field))
        })
    })
}

/// Returns octets without the characters around them that look like white space and are none in robots.txt.
pub(super) fn without_odd_space(mut octets: &[u8]) -> &[u8] {
    while let Some(rest) = ODD_SPACE.iter().find_map(|space| octets.strip_prefix(*space)) {
        octets = rest.trim_ascii_start();
    }
    while let Some(rest) = ODD_SPACE.iter().find_map(|space| octets.strip_suffix(*space)) {
        octets = rest.trim_ascii_end();
    }
    octets
}

/// NEL, the no-break spaces, the spaces of typography, those of no width, U+2028 and U+2029, the ideographic
/// space, the byte order mark.
const ODD_SPACE: [&[u8]; 22] = [
    "\u{85}".as_bytes(),
    "\u{A0}".as_bytes(),
    "\u{2000}".as_bytes(),
    "\u{2001}".as_bytes(),
    "\u{2002}".as_bytes(),
    "\u{2003}".as_bytes(),
    "\u{2004}".as_bytes(),
    "\u{2005}".as_bytes(),
    "\u{2006}".as_bytes(),
    "\u{2007}".as_bytes(),
    "\u{2008}".as_bytes(),
    "\u{2009}".as_bytes(),
    "\u{200A}".as_bytes(),
    "\u{200B}".as_bytes(),
    "\u{200C}".as_bytes(),
    "\u{200D}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202F}".as_bytes(),
    "\u{2060}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{FEFF}".as_bytes(),
];
