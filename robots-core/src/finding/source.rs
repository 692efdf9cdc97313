//! Where a document says what a finding rests on.

use core::fmt;

use crate::edition::section::{Requirement, section_of};
use crate::edition::{Edition, Profile};

/// A section of an edition, and the requirement it states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    requirement: &'static str,
    edition: Edition,
    section: &'static str,
}

impl Source {
    pub(super) fn of(requirement: Requirement, profile: Profile) -> Option<Self> {
        let (edition, section) = section_of(requirement, profile)?;
        Some(Self { requirement: requirement.id(), edition, section })
    }

    /// Returns the requirement's id in the catalogue of the suite, `RULE-ROOT` say.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        self.requirement
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the section: its number, or its heading in English.
    #[must_use]
    pub const fn section(&self) -> &'static str {
        self.section
    }
}

/// Writes edition and section: `rfc9309, 2.2.2`, or a heading in quotes.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edition, section, .. } = self;
        if section.starts_with(|first: char| first.is_ascii_digit()) {
            write!(f, "{edition}, {section}")
        } else {
            write!(f, "{edition}, \"{section}\"")
        }
    }
}
