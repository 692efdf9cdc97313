//! Where each edition states the requirements that a reader of a file meets: [`Edition::section`].
//!
//! Each row of the table in `edition` has a list of requirements with their sections. The ids are those of the
//! catalogue of the suite, `spec-cases/requirements.yaml`; `robots-lint/tests/sections.rs` compares the two. Only
//! requirements that a finding rests on are listed.

use core::fmt;

use super::Edition;

/// Ids of requirements, each with the section of an edition that states it.
pub(crate) type Sections = &'static [(&'static str, &'static str)];

impl Edition {
    /// Returns the section that states a requirement of the suite's catalogue, given by its id: the edition's
    /// own, or, where this edition is silent, that of the newest edition that states it.
    ///
    /// `None` where no edition states it, or where no finding about a file can rest on it: the core knows the
    /// sections of those requirements only.
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
        let editions = core::iter::once(self).chain(Self::ALL.iter().rev().copied());
        editions.into_iter().find_map(|edition| {
            let sections = edition.semantics().sections;
            let &(requirement, section) = sections.iter().find(|(id, _)| *id == requirement)?;
            Some(Section { requirement, edition, name: section })
        })
    }
}

/// A section of an edition, and the requirement it states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    requirement: &'static str,
    edition: Edition,
    /// A number, or a heading.
    name: &'static str,
}

impl Section {
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
        self.name
    }
}

/// Writes edition and section: `rfc9309, 2.2.2`, or a heading in quotes.
impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { edition, name, .. } = self;
        if name.starts_with(|first: char| first.is_ascii_digit()) {
            write!(f, "{edition}, {name}")
        } else {
            write!(f, "{edition}, \"{name}\"")
        }
    }
}

/// The sections of google-2018, by the headings in English.
pub(super) const GOOGLE_2018: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "File format"),
    ("FORMAT-FIELDS", "Grouping of records"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "File format"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "File format"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-ORPHAN", "Grouping of records"),
    ("GROUP-SHAPE", "Grouping of records"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("MATCH-TRAILING-STAR", "Example path matches"),
    ("PREC-LENGTH", "Order of precedence for group-member records"),
    ("RULE-EMPTY", "Group-member records"),
    ("RULE-ROOT", "Group-member records"),
    ("SITEMAP-ABSOLUTE", "Supported non-group-member records"),
];

/// The sections of google-2019, by the headings in English.
pub(super) const GOOGLE_2019: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "File format"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "File format"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "File format"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-MERGE", "Order of precedence for user agents, example 2"),
    ("GROUP-SHAPE", "Grouping of lines and rules"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("PREC-LENGTH", "Order of precedence for group-member rules"),
    ("PREC-TIE", "Order of precedence for group-member rules"),
    ("RULE-EMPTY", "Group-member rules"),
    ("RULE-ROOT", "Group-member rules"),
    ("SITEMAP-ABSOLUTE", "Supported non-group-member rules"),
];

/// The sections of google-2022, by the headings in English.
pub(super) const GOOGLE_2022: Sections = &[
    ("AGENT-ONE", "Order of precedence for user agents"),
    ("AGENT-SUFFIX", "Order of precedence for user agents"),
    ("FORMAT-BOM", "File format"),
    ("FORMAT-COMMENT", "Syntax"),
    ("FORMAT-FIELDS", "Syntax"),
    ("FORMAT-GARBAGE", "File format"),
    ("FORMAT-LINE", "Syntax"),
    ("FORMAT-SIZE", "File format"),
    ("FORMAT-TYPO", "Syntax"),
    ("FORMAT-UTF8", "File format"),
    ("GROUP-MERGE", "Grouping of rules"),
    ("GROUP-SHAPE", "Grouping of lines and rules"),
    ("MATCH-ENCODING", "URL matching based on path values"),
    ("MATCH-END", "URL matching based on path values"),
    ("MATCH-STAR", "URL matching based on path values"),
    ("MATCH-TRAILING-STAR", "Example path matches"),
    ("PREC-LENGTH", "Order of precedence for rules"),
    ("PREC-TIE", "Order of precedence for rules"),
    ("RULE-EMPTY", "Syntax"),
    ("RULE-ROOT", "Syntax"),
    ("SITEMAP-ABSOLUTE", "Syntax, sitemap"),
];

/// The sections of RFC 9309, by numbers.
pub(super) const RFC_9309: Sections = &[
    ("AGENT-ONE", "2.2.1"),
    ("AGENT-SUFFIX", "2.2.1"),
    ("AGENT-TOKEN", "2.2.1"),
    ("FORMAT-COMMENT", "2.2.3"),
    ("FORMAT-GARBAGE", "2.3.1.5"),
    ("FORMAT-LINE", "2.2"),
    ("FORMAT-SIZE", "2.5"),
    ("FORMAT-TYPO", "2.2.4"),
    ("FORMAT-UTF8", "2.3"),
    ("GROUP-MERGE", "2.2.1"),
    ("GROUP-ORPHAN", "2.2.2"),
    ("GROUP-SHAPE", "2.1"),
    ("MATCH-ENCODING", "2.2.2"),
    ("MATCH-END", "2.2.3"),
    ("MATCH-STAR", "2.2.3"),
    ("PREC-LENGTH", "2.2.2"),
    ("PREC-TIE", "2.2.2"),
    ("RULE-EMPTY", "2.2"),
    ("RULE-ROBOTS-TXT", "2.2.2"),
    ("RULE-ROOT", "2.2.2"),
];
