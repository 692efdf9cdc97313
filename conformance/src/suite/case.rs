//! A case: one kind of question, its data, and what each edition expects.
//!
//! Start at [`Case`]. Nothing here knows YAML or an engine.

use std::collections::BTreeMap;

use robots_core::engine::{QuestionKind, Role};
use robots_core::{Edition, Profile};

use super::requirement::Level;
use crate::kind::{self, Expected, Member};
use crate::octets::Part;
use crate::problem::Place;

/// A case: one kind of question, its data, and what each edition expects.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
#[non_exhaustive]
pub struct Observed {
    /// The library and its version, as the source; its answers stand in `answers`.
    pub expect: Expect,
    /// Its answers, member by member.
    pub answers: Vec<Expected>,
}

/// What one edition expects of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
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
