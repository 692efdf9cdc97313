//! Finds the section of an edition that states a requirement on readers of a file: [`Edition::section`].
//!
//! The module `sections` lists the sections of each edition.

use core::fmt;

use super::Edition;

impl Edition {
    /// Returns the section that states the requirement with this id in the suite's catalogue. If this edition does not
    /// state the requirement, returns the section of the newest published edition that states it. If no published
    /// edition states the requirement, returns the section of a draft. Returns `None` if no edition states the
    /// requirement. Also returns `None` if no finding of `robots-lint` cites the requirement, because the core stores
    /// only the sections that findings cite.
    ///
    /// ```
    /// use robots_core::Edition;
    /// let section = Edition::Rfc9309.section("RULE-ROOT").unwrap();
    /// assert_eq!(section.to_string(), "rfc9309, 2.2.2");
    /// let section = Edition::Rfc9309.section("SITEMAP-ABSOLUTE").unwrap();
    /// assert_eq!(section.to_string(), "google-2022, \"Syntax, sitemap\"");
    /// ```
    #[must_use]
    pub fn section(self, requirement: &str) -> Option<Section> {
        let editions =
            core::iter::once(self).chain(Self::ALL.iter().rev().chain(Self::DRAFTS).copied());
        editions.into_iter().find_map(|edition| {
            let sections = edition.semantics().sections;
            let &(requirement, section) = sections.iter().find(|(id, _)| *id == requirement)?;
            Some(Section { requirement, edition, name: section })
        })
    }
}

/// A section of an edition, and the requirement that it states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    requirement: &'static str,
    edition: Edition,
    /// The number of the section, its heading, or the name of a draft and a number.
    name: &'static str,
}

impl Section {
    /// Returns the requirement's id in the catalogue of the suite, for example `RULE-ROOT`.
    #[must_use]
    pub const fn requirement(&self) -> &'static str {
        self.requirement
    }

    /// Returns the edition.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the section: its number, its heading in English, or the name of a draft and a number.
    #[must_use]
    pub const fn section(&self) -> &'static str {
        self.name
    }
}

/// Writes the edition and the section: `rfc9309, 2.2.2`. A section that does not begin with a digit is in quotes. The
/// text ` (draft)` follows the id of a draft edition.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edition, name, .. } = self;
        let mark = edition.mark();
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            write!(f, "{edition}{mark}, {name}")
        } else {
            write!(f, "{edition}{mark}, \"{name}\"")
        }
    }
}
