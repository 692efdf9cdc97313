//! Defines [`Case`], which has a form (for example, questions with their data) and the expectations of the editions.
//!
//! Start at [`Case`]. Most cases ask an engine questions ([`Questions`]). The crate for live cases adds another form: a
//! crawl. For a question, [`Conforming`] contains the answers that conform to an edition, and decides whether the
//! question is open: whether every well-formed answer conforms. This module does not know YAML or engines.

use std::collections::BTreeMap;

use crate::engine::Profile;
use crate::kind::{QuestionKind, Role};
use robots_core::Edition;

use super::requirement::{Level, shown};
use crate::kind::{self, Expected, Member};
use crate::octets::Part;
use crate::problem::Place;

/// A case. Its form is a list of questions or, for example, a crawl. Each edition may have an expectation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Case<F = Questions, C = Conforming<Stated>> {
    /// The id, which is unique in the suite.
    pub id: String,
    /// The area, which is the name of the case's file without `.yaml`.
    pub area: String,
    /// The id of the requirement that the case tests.
    pub requirement: String,
    /// One sentence about the case.
    pub about: String,
    /// The content of the case, apart from its expectations.
    pub form: F,
    /// The expectations of the editions, oldest edition first. The case does not ask about an edition that has no
    /// expectation.
    pub expect: BTreeMap<Edition, Expect<C>>,
    /// The table to which the rows of the expectations belong.
    pub table: Option<String>,
    /// The place of the case's id: the file below `spec-cases/` and the line.
    pub place: Place,
}

/// The form of a case that asks an engine: questions of one kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Questions {
    /// The role that the subject needs: *retriever* for a timeline, otherwise the role to which the requirement is
    /// addressed.
    pub role: Role,
    /// The kind of the questions.
    pub ask: QuestionKind,
    /// The questions. A case without lists has one member. In a case with lists, each item of a list is a member.
    pub members: Vec<Member>,
    /// The parts of the robots.txt, if the case writes the file in parts. Otherwise the list is empty. The joined parts
    /// are the file.
    pub robots_parts: Vec<Part>,
    /// The recorded answers of the observed library.
    pub(crate) observed: Option<Observed>,
}

impl<F, C> Case<F, C> {
    /// Returns the name of a trial of the case, which is `area::case-id::edition`, with `::member` if there is a
    /// member.
    #[must_use]
    pub fn trial_name(&self, profile: Profile, member: Option<&str>) -> String {
        trial_name(&self.area, &self.id, profile, member)
    }

    /// Returns the same case with another form and other expectations.
    pub fn with_form<G, D>(&self, form: G, expect: BTreeMap<Edition, Expect<D>>) -> Case<G, D> {
        Case {
            id: self.id.clone(),
            area: self.area.clone(),
            requirement: self.requirement.clone(),
            about: self.about.clone(),
            form,
            expect,
            table: self.table.clone(),
            place: self.place.clone(),
        }
    }
}

impl<F, C: PartialEq> Case<F, C> {
    /// Returns the editions with their expectations, oldest first. A draft with the same expectation as a published
    /// edition is left out, because lists for human readers need not repeat the expectation.
    pub fn shown(&self) -> impl Iterator<Item = (Edition, &Expect<C>)> {
        shown(&self.expect, |one, other| one.conforming == other.conforming)
    }

    /// Returns whether an edition is a draft that has the same expectation as a published edition. Lists for human
    /// readers leave out such a draft.
    pub fn is_repeated(&self, edition: Edition) -> bool {
        !self.shown().any(|(shown, _)| shown == edition)
    }
}

/// Makes the name of a trial from its parts. The name is `area::case-id::edition`, with `::member` if there is a
/// member.
#[must_use]
pub fn trial_name(area: &str, id: &str, profile: Profile, member: Option<&str>) -> String {
    let suffix = member.map_or_else(String::new, |name| format!("::{name}"));
    format!("{area}::{id}::{profile}{suffix}")
}

/// The answers that a library was observed to give to a case.
#[derive(Clone, Debug)]
pub(crate) struct Observed {
    /// The expectation, whose source is the library and its version. The field `answers` contains the answers.
    pub(crate) expect: Expect,
    /// The answer to each member, in the order of the members.
    pub(crate) answers: Vec<Expected>,
}

/// The expectation of one edition for a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Expect<C = Conforming<Stated>> {
    /// The expectation itself. For a question, these are the conforming answers. `as-listed` means the answer of the
    /// list that contains the member.
    pub conforming: C,
    /// The level of the requirement.
    pub level: Level,
    /// The section that states the requirement.
    pub source: String,
    /// The row of the edition's table that the expectation is about.
    pub row: Option<String>,
    /// An explanation of the expected answer, if the document does not state the answer directly.
    pub why: Option<String>,
}

impl<C> Expect<C> {
    /// Makes an expectation with the level of its requirement and the section that states it.
    pub fn new(conforming: C, level: Level, source: impl Into<String>) -> Self {
        Self { conforming, level, source: source.into(), row: None, why: None }
    }
}

/// An answer as an expectation writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stated {
    /// The answer of the list that contains the member.
    AsListed,
    /// This answer.
    Answer(Expected),
}

impl Stated {
    /// Returns the answer for a member of the case.
    ///
    /// # Panics
    /// Panics if the expectation is `as-listed` and the member is in no list. The loader refuses such a case.
    #[must_use]
    pub fn answer<'a>(&'a self, member: &'a Member) -> &'a Expected {
        match (self, &member.listed) {
            (Self::Answer(answer), _) | (Self::AsListed, Some(answer)) => answer,
            (Self::AsListed, None) => unreachable!("as-listed without lists is refused"),
        }
    }
}

/// The conforming answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conforming<A = Expected> {
    /// Exactly this answer conforms.
    One(A),
    /// Each of these answers conforms.
    AnyOf(Vec<A>),
    /// The question is contested: there are two or more readings.
    Readings(Vec<Reading<A>>),
    /// Every well-formed answer conforms, because the edition leaves the question undefined.
    Undefined,
}

impl<A> Conforming<A> {
    /// Returns whether the edition settles the question: exactly one answer conforms.
    #[must_use]
    pub fn is_normative(&self) -> bool {
        matches!(self, Self::One(_))
    }

    /// Returns every stated answer.
    pub fn answers(&self) -> Vec<&A> {
        match self {
            Self::One(answer) => vec![answer],
            Self::AnyOf(answers) => answers.iter().collect(),
            Self::Readings(readings) => readings.iter().map(|reading| &reading.answer).collect(),
            Self::Undefined => Vec::new(),
        }
    }

    /// Returns the conforming answers with each answer converted by `f`.
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
    /// Returns whether every well-formed answer to a question of this kind conforms, so that no answer fails.
    ///
    /// ```
    /// use robots_conformance::suite::case::Conforming;
    /// use robots_conformance::kind::{Expected, ExpectedVerdict};
    /// use robots_conformance::kind::QuestionKind;
    /// let verdict = |allowed| {
    ///     let mut expected = ExpectedVerdict::default();
    ///     expected.allowed = allowed;
    ///     Expected::Verdict(expected)
    /// };
    /// let both = Conforming::AnyOf(vec![verdict(true), verdict(false)]);
    /// assert!(both.is_open(QuestionKind::Verdict));
    /// assert!(!Conforming::One(verdict(true)).is_open(QuestionKind::Verdict));
    /// ```
    #[must_use]
    pub fn is_open(&self, ask: QuestionKind) -> bool {
        matches!(self, Self::Undefined) || kind::is_open(ask, &self.answers())
    }

    /// Renders the conforming answers, with a line between alternatives.
    #[must_use]
    pub fn text(&self) -> String {
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

/// The line between alternatives in the text of conforming answers.
const OR: &str = "\n-- or --\n";

/// Renders the text of an answer or of [conforming answers](Conforming::text) on one line.
///
/// ```
/// use robots_conformance::suite::case::on_one_line;
/// assert_eq!(on_one_line("allow\n  by line 2\n-- or --\ndisallow"), "allow; by line 2 or disallow");
/// ```
#[must_use]
pub fn on_one_line(text: &str) -> String {
    text.replace(OR, " or ").lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

/// One reading of a contested passage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading<A = Expected> {
    /// The answer that follows from the reading.
    pub answer: A,
    /// The passage.
    pub passage: String,
}
