//! The input and output of the code that makes findings: [`File`] is the checked file, and [`Sink`] is the checked line
//! with a queue for its findings.

use alloc::collections::VecDeque;

use super::kind::FindingKind;
use super::one::{Detail, Finding};
use robots_core::syntax::{Line, LineNumber, Span};
use robots_core::{Edition, RobotsTxtRef};

/// A file that is checked.
#[derive(Clone, Copy)]
pub(super) struct File<'r> {
    pub(super) robots: RobotsTxtRef<'r>,
    pub(super) edition: Edition,
    /// All octets of the file, including the octets beyond the size limit.
    pub(super) body: &'r [u8],
    /// The origin that serves the file: scheme, host and port.
    pub(super) origin: Option<&'r str>,
}

impl<'r> File<'r> {
    pub(super) fn of(robots: RobotsTxtRef<'r>) -> Self {
        Self { robots, edition: robots.edition(), body: robots.body(), origin: None }
    }

    /// Returns the octets within the size limit.
    pub(super) fn read(&self) -> &'r [u8] {
        &self.body[..self.robots.truncated_at().unwrap_or(self.body.len())]
    }

    pub(super) fn finding(
        &self,
        kind: FindingKind,
        line: LineNumber,
        span: Span,
        detail: Detail,
    ) -> Finding<'r> {
        let Self { body, edition, origin, .. } = *self;
        Finding { body, edition, kind, line, span, detail, origin }
    }
}

/// The line that is checked, and the queue for its findings.
pub(super) struct Sink<'r, 's> {
    pub(super) file: File<'r>,
    pub(super) line: Line,
    pub(super) found: &'s mut VecDeque<Finding<'r>>,
}

impl<'r> Sink<'r, '_> {
    pub(super) fn octets(&self, span: Span) -> &'r [u8] {
        &self.file.body[span.range()]
    }

    pub(super) fn add(&mut self, kind: FindingKind, span: Span) {
        self.add_with(kind, span, Detail::None);
    }

    pub(super) fn add_with(&mut self, kind: FindingKind, span: Span, detail: Detail) {
        let finding = self.file.finding(kind, self.line.number, span, detail);
        self.found.push_back(finding);
    }
}

/// Returns the span of the text before the comment, without the white space around the text.
pub(super) fn before_comment(line: &Line, sink: &Sink<'_, '_>) -> Span {
    let end = line.comment.map_or(line.content.end(), Span::start);
    let start = line.content.start();
    let text = sink.octets(Span::new(start, end));
    let begins = text.len() - text.trim_ascii_start().len();
    let ends = text.trim_ascii_end().len().max(begins);
    Span::new(start + begins, start + ends)
}
