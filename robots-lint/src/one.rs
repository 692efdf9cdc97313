//! One finding: what is kept of it, and what it says without words.

use core::fmt;

use super::field_name::Extension;
use super::kind::{FindingKind, Level};
use robots_core::syntax::{Field, LineNumber, Span};
use robots_core::{Edition, Section};

/// Something about a file that its author should know.
#[derive(Clone, Copy)]
pub struct Finding<'r> {
    pub(super) body: &'r [u8],
    pub(super) edition: Edition,
    pub(super) kind: FindingKind,
    pub(super) line: LineNumber,
    pub(super) span: Span,
    pub(super) detail: Detail,
}

/// What a finding says besides its kind and its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    None,
    /// The field that is meant.
    Field(Field),
    /// A field of others.
    Extension(&'static Extension),
    /// A field of others that is meant.
    MeantExtension(&'static Extension),
    /// Another line, and the span of what it says.
    Line(LineNumber, Span),
    /// A number of octets.
    Octets(usize),
    /// That the octets of the span may decide, by their number.
    Decides,
    /// The length of the part of the span that counts, a product token say.
    Part(usize),
}

impl<'r> Finding<'r> {
    /// Returns its kind.
    #[must_use]
    pub fn kind(&self) -> FindingKind {
        self.kind
    }

    /// Returns how much it matters; short for that of its kind.
    #[must_use]
    pub fn level(&self) -> Level {
        self.kind.level()
    }

    /// Returns the number of its line; of what is not read, that of the first line not read.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }

    /// Returns the octets of the body that it is about.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns another line that it speaks of, the rule that overrides this one say: its number, and the octets
    /// that are meant.
    #[must_use]
    pub fn other(&self) -> Option<(LineNumber, Span)> {
        match self.detail {
            Detail::Line(number, span) => Some((number, span)),
            _ => None,
        }
    }

    /// Returns the section that the finding rests on: that of the edition by which the file is read, or, where
    /// that is silent, of the newest edition that states it.
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
