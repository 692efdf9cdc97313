//! The requirements of the editions, their tables, and the sentences of their documents. Start at [`Requirement`].
//! `suite/load/requirements.rs` and `suite/load/documents.rs` read them from the files.

use std::collections::BTreeMap;

use crate::kind::Role;
use robots_core::Edition;

use crate::problem::Place;

/// The level of a requirement.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Level {
    /// The document states the requirement as a fact, or with MUST.
    Must,
    /// A draft states the requirement in a plain sentence, without the words of RFC 2119. This level is as strict as
    /// [`Must`](Self::Must). It is a separate level because the draft may still weaken the sentence.
    Stated,
    /// The document recommends what the requirement describes, or says SHOULD.
    Should,
    /// The document permits what the requirement describes, or says MAY.
    May,
}

impl Level {
    /// Contains the levels, strongest first.
    pub const ALL: [Self; 4] = [Self::Must, Self::Stated, Self::Should, Self::May];

    /// Returns the level as the files write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Stated => "stated",
            Self::Should => "should",
            Self::May => "may",
        }
    }
}

robots_core::named!(Level, id, "level", "levels");

/// A requirement of one or more editions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Requirement {
    /// The id, for example `MATCH-STAR`.
    pub id: String,
    /// The area of its cases.
    pub area: String,
    /// The requirement in our words.
    pub says: String,
    /// The role to which the requirement is addressed.
    pub role: Role,
    /// A note about the passage, for example about errata.
    pub note: Option<String>,
    /// The editions that state the requirement, with level and section.
    pub editions: BTreeMap<Edition, Statement>,
    /// The reason why no test can check the requirement, if it is not testable.
    pub not_testable: Option<String>,
    /// Whether live cases test the requirement, so that it needs no question to an engine. The requirement may still
    /// have questions, such as timelines.
    pub on_the_wire: bool,
    /// The place of its id.
    pub place: Place,
}

impl Requirement {
    /// Returns the editions that state the requirement, with their statements. A draft with the same statement as a
    /// published edition is left out.
    pub fn shown(&self) -> impl Iterator<Item = (Edition, &Statement)> {
        shown(&self.editions, PartialEq::eq)
    }
}

/// The statement of a requirement in one edition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// The level.
    pub level: Level,
    /// The section.
    pub source: String,
}

/// A table of an edition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The id. If several editions have the same table, their tables have the same id.
    pub id: String,
    /// The edition that contains the table.
    pub edition: Edition,
    /// The section.
    pub source: String,
    /// The keys of its rows.
    pub rows: Vec<String>,
    /// The place of its id.
    pub place: Place,
}

/// A normative sentence of a document, in our words.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sentence {
    /// The edition that contains the sentence.
    pub edition: Edition,
    /// The section.
    pub section: String,
    /// A short form of the sentence.
    pub gloss: String,
    /// The requirements that come from the sentence.
    pub requirements: Vec<String>,
    /// The reason why no requirement comes from the sentence, if the file gives one.
    pub not_testable: Option<String>,
    /// The place in `documents.yaml`.
    pub place: Place,
}

/// Returns the address of the first section that a source names, or `None` if the sections of the document have no
/// permanent addresses.
///
/// ```
/// use robots_conformance::suite::requirement::address;
/// let section = "https://www.rfc-editor.org/rfc/rfc9309#section-2.1";
/// assert_eq!(address("rfc9309", "2.1, 2.2.2").as_deref(), Some(section));
/// assert_eq!(address("google-2018", "File format"), None);
/// ```
#[must_use]
pub fn address(edition: &str, source: &str) -> Option<String> {
    let section = source.split(',').next().unwrap_or_default();
    let of_rfc = || format!("https://www.rfc-editor.org/rfc/rfc9309#section-{section}");
    (edition == "rfc9309").then(of_rfc)
}

/// Returns the entries of a map whose keys are editions, oldest edition first. A draft with the same entry as a
/// published edition is left out. `is_same` compares two entries.
pub(super) fn shown<T>(
    entries: &BTreeMap<Edition, T>,
    is_same: impl Fn(&T, &T) -> bool,
) -> impl Iterator<Item = (Edition, &T)> {
    let is_shown = move |(edition, entry): &(Edition, &T)| {
        let mut published = entries.iter().filter(|(other, _)| !other.is_draft());
        !edition.is_draft() || !published.any(|(_, other)| is_same(entry, other))
    };
    entries.iter().map(|(edition, entry)| (*edition, entry)).filter(is_shown)
}
