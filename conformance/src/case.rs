//! The suite as a validated model: requirements, tables, cases.
//!
//! Start at [`Suite`]; [`crate::load`] makes one. Nothing here knows YAML or an engine.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use robots_core::engine::{QuestionKind, Role};
use robots_core::{Edition, Profile};

use crate::kind::{self, Expected, Member};
use crate::octets::Part;
use crate::problem::{Place, Problem};

/// The requirements, the tables and the cases.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// Every requirement, in the order of the file.
    pub requirements: Vec<Requirement>,
    /// Every table of every edition.
    pub tables: Vec<Table>,
    /// Every normative sentence of the documents, section by section.
    pub sentences: Vec<Sentence>,
    /// Every case, file by file.
    pub cases: Vec<Arc<Case>>,
    /// Where the observed profile's answers do not fit the cases, each with how to mend it. They break
    /// no run of the editions, so that a case may be added before the library is asked.
    pub unobserved: Vec<Problem>,
}

impl Suite {
    /// Returns the requirement with this id.
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| requirement.id == id)
    }

    /// Returns the case with this id.
    pub fn case(&self, id: &str) -> Option<&Arc<Case>> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// Returns the areas that have cases, each once, in the order of the files.
    pub fn areas(&self) -> Vec<&str> {
        let mut areas: Vec<&str> = Vec::new();
        for case in &self.cases {
            if !areas.contains(&case.area.as_str()) {
                areas.push(&case.area);
            }
        }
        areas
    }
}

/// How strongly an edition states a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
pub struct Statement {
    /// How strongly.
    pub level: Level,
    /// In which section.
    pub source: String,
}

/// A table of an edition.
#[derive(Clone, Debug)]
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

/// A case: one kind of question, its data, and what each edition expects.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id, unique in the suite.
    pub id: String,
    /// Its area, the stem of its file.
    pub area: String,
    /// The requirement it is about.
    pub requirement: String,
    /// Who is asked: to whom the requirement is addressed.
    pub role: Role,
    /// What it shows, in one sentence.
    pub about: String,
    /// What kind of question it asks.
    pub ask: QuestionKind,
    /// What it asks: one member, or those of its lists.
    pub members: Vec<Member>,
    /// The parts of its robots.txt, where it is written in parts: their octets joined are the file.
    pub robots_parts: Vec<Part>,
    /// What the editions expect, oldest first.
    pub expect: BTreeMap<Edition, Expect>,
    /// What the library behind the observed profile was seen to answer.
    pub observed: Option<Observed>,
    /// The table its rows are looked up in.
    pub table: Option<String>,
    /// The line of its id.
    pub place: Place,
}

impl Case {
    /// Returns the name of a trial of the case: `area::case-id::edition`, with `::member` where it has lists.
    #[must_use]
    pub fn trial_name(&self, profile: Profile, member: &Member) -> String {
        let suffix = member.name.as_ref().map_or_else(String::new, |name| format!("::{name}"));
        format!("{}::{}::{profile}{suffix}", self.area, self.id)
    }
}

/// What a library was seen to answer to a case.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The library and its version, as the source; its answers stand in `answers`.
    pub expect: Expect,
    /// Its answers, member by member.
    pub answers: Vec<Expected>,
}

/// What one edition expects of a case.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Which answers conform, with `as-listed` still to be looked up in the member.
    pub conforming: Conforming<Stated>,
    /// How strongly.
    pub level: Level,
    /// In which section.
    pub source: String,
    /// The row of the table.
    pub row: Option<String>,
    /// How a derived answer follows.
    pub why: Option<String>,
}

/// An answer as an expectation states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stated {
    /// What the list a member stands in says.
    AsListed,
    /// This answer.
    Answer(Expected),
}

/// Which answers conform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conforming<A = Expected> {
    /// This one.
    One(A),
    /// Any of these.
    AnyOf(Vec<A>),
    /// Contested: two readings or more.
    Readings(Vec<Reading<A>>),
    /// Any well-formed answer: the edition says that it is undefined.
    Undefined,
}

impl<A> Conforming<A> {
    /// Returns whether the edition settles the question: one answer, and no other.
    #[must_use]
    pub fn is_normative(&self) -> bool {
        matches!(self, Self::One(_))
    }

    /// Returns every answer that is stated.
    pub fn answers(&self) -> Vec<&A> {
        match self {
            Self::One(answer) => vec![answer],
            Self::AnyOf(answers) => answers.iter().collect(),
            Self::Readings(readings) => readings.iter().map(|reading| &reading.answer).collect(),
            Self::Undefined => Vec::new(),
        }
    }

    /// Makes the same expectation of other answers.
    pub fn map<B>(&self, mut f: impl FnMut(&A) -> B) -> Conforming<B> {
        match self {
            Self::One(answer) => Conforming::One(f(answer)),
            Self::AnyOf(answers) => Conforming::AnyOf(answers.iter().map(f).collect()),
            Self::Readings(readings) => Conforming::Readings(
                readings
                    .iter()
                    .map(|reading| Reading {
                        answer: f(&reading.answer),
                        passage: reading.passage.clone(),
                    })
                    .collect(),
            ),
            Self::Undefined => Conforming::Undefined,
        }
    }
}

impl Conforming {
    /// Returns whether every well-formed answer to a question of this kind conforms, so that none can fail.
    ///
    /// ```
    /// use robots_conformance::case::Conforming;
    /// use robots_conformance::kind::{Expected, ExpectedVerdict};
    /// use robots_core::engine::QuestionKind;
    /// let verdict =
    ///     |allowed| Expected::Verdict(ExpectedVerdict { allowed, lines: Vec::new() });
    /// let both = Conforming::AnyOf(vec![verdict(true), verdict(false)]);
    /// assert!(both.is_open(QuestionKind::Verdict));
    /// assert!(!Conforming::One(verdict(true)).is_open(QuestionKind::Verdict));
    /// ```
    #[must_use]
    pub fn is_open(&self, ask: QuestionKind) -> bool {
        matches!(self, Self::Undefined) || kind::is_open(ask, &self.answers())
    }

    /// Renders which answers conform, alternatives divided by a line.
    #[must_use]
    pub fn text(&self) -> String {
        const OR: &str = "\n-- or --\n";
        let reading = |Reading { answer, passage }: &Reading| {
            format!("{}\n   by: {passage}", kind::text(answer))
        };
        match self {
            Self::One(answer) => kind::text(answer),
            Self::AnyOf(answers) => answers.iter().map(kind::text).collect::<Vec<_>>().join(OR),
            Self::Readings(readings) => readings.iter().map(reading).collect::<Vec<_>>().join(OR),
            Self::Undefined => "any well-formed answer (undefined)".to_owned(),
        }
    }
}

/// One reading of a contested passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<A = Expected> {
    /// What follows from it.
    pub answer: A,
    /// Where it stands.
    pub passage: String,
}
