//! One finding: its data, and the methods that return them. The module `text` writes the texts of a finding. The module
//! `replacement` makes the text that fixes the problem.

use core::fmt;

use super::engines::Engines;
use super::field_name::Extension;
use super::kind::{FindingKind, Level};
use robots_core::syntax::{Field, LineNumber, Span};
use robots_core::{Edition, Section};

/// A finding: a fact about a file that the author of the file should know.
#[derive(Clone, Copy)]
pub struct Finding<'r> {
    pub(super) body: &'r [u8],
    pub(super) edition: Edition,
    pub(super) kind: FindingKind,
    pub(super) line: LineNumber,
    pub(super) span: Span,
    pub(super) detail: Detail,
    /// The origin that serves the file, if it is known: scheme, host and port.
    pub(super) origin: Option<&'r str>,
}

/// The details of a finding besides its kind and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    None,
    /// The field that the author probably intended.
    Field(Field),
    /// A field that another document defines.
    Extension(&'static Extension),
    /// The intended field, which is a field that another document defines.
    MeantExtension(&'static Extension),
    /// The crawler's name that the author probably intended.
    Agent(&'static str),
    /// Another line, and the span of the relevant part.
    Line(LineNumber, Span),
    /// A number of octets.
    Octets(usize),
    /// A fix would change the length of the rule, and this may change a verdict.
    Decides,
    /// The number of octets that the text of the finding quotes from the line, for example the length of a product
    /// token.
    Part(usize),
    /// The search engines that are blocked.
    Engines(Engines),
}

impl<'r> Finding<'r> {
    /// Returns the kind of the finding.
    #[must_use]
    pub fn kind(&self) -> FindingKind {
        self.kind
    }

    /// Returns the severity of the finding, which depends only on its kind.
    #[must_use]
    pub fn level(&self) -> Level {
        self.kind.level()
    }

    /// Returns the number of the line that the finding is about. For octets beyond the size limit, this is the first
    /// line that is not read.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }

    /// Returns the span of the problem in the body.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the number of another line that the finding mentions, and the span of the relevant part of that line. An
    /// example is the rule that overrides this rule.
    #[must_use]
    pub fn other(&self) -> Option<(LineNumber, Span)> {
        match self.detail {
            Detail::Line(number, span) => Some((number, span)),
            _ => None,
        }
    }

    /// Returns the section that supports the finding. If the edition under which the file is read states the
    /// requirement, the section is from this edition. Otherwise it is from the newest edition that states the
    /// requirement.
    #[must_use]
    pub fn source(&self) -> Option<Section> {
        self.kind.source(self.edition)
    }

    pub(super) fn octets(&self) -> &'r [u8] {
        &self.body[self.span.range()]
    }
}

impl fmt::Debug for Finding<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{} {}", self.line, self.span, self.kind)
    }
}
