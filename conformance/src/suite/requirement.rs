//! The requirements of the editions, their tables, and the sentences of their documents.

use std::collections::BTreeMap;
use std::fmt;

use robots_core::Edition;
use robots_core::engine::Role;

use crate::problem::Place;

/// How strongly an edition states a requirement.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Stated as fact, or MUST.
    Must,
    /// SHOULD, or recommended.
    Should,
    /// MAY, or can.
    May,
}

impl Level {
    /// Holds the three levels, strongest first.
    pub const ALL: [Self; 3] = [Self::Must, Self::Should, Self::May];

    /// Returns the level as the files write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A requirement of one or more editions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Requirement {
    /// Its id, `MATCH-STAR` say.
    pub id: String,
    /// The area whose file holds its cases.
    pub area: String,
    /// What it says, in our words.
    pub says: String,
    /// To whom it is addressed.
    pub role: Role,
    /// What is reported of the document at this place: errata, say.
    pub note: Option<String>,
    /// The editions that state it, and how.
    pub editions: BTreeMap<Edition, Statement>,
    /// Why no test can show it, where that is so.
    pub not_testable: Option<String>,
    /// Whether only cases on the wire test it: no question to an engine shows it.
    pub on_the_wire: bool,
    /// Where it stands.
    pub place: Place,
}

/// How one edition states a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statement {
    /// How strongly.
    pub level: Level,
    /// In which section.
    pub source: String,
}

/// A table of an edition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table {
    /// Its id; editions of the same table share it.
    pub id: String,
    /// The edition it stands in.
    pub edition: Edition,
    /// In which section.
    pub source: String,
    /// The keys of its rows.
    pub rows: Vec<String>,
    /// Where it stands.
    pub place: Place,
}

/// A normative sentence of a document, in our words.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sentence {
    /// The edition it stands in.
    pub edition: Edition,
    /// In which section.
    pub section: String,
    /// What it says, in short.
    pub gloss: String,
    /// The requirements made of it.
    pub requirements: Vec<String>,
    /// Why there are none, where that is so.
    pub not_testable: Option<String>,
    /// Where it stands in `documents.yaml`.
    pub place: Place,
}
