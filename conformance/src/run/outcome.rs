//! The outcome of a trial. This module compares an answer with an expectation.
//!
//! Start at [`judge()`]. The module `kind` decides whether an answer agrees with an expected answer. An error or an
//! answer of another kind never conforms, even to an open question. [`judge()`] does not return all outcomes: the
//! runner does not ask some trials, the deviations file can change an outcome, and some outcomes exist only for crawls.
//! Reports count trials by [`OutcomeKind`], the name of an outcome.

use crate::kind::{Answer, QuestionKind, Role};

use crate::kind;
use crate::suite::case::Conforming;
use robots_console::render;

/// The outcome of a trial.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The answer conforms.
    Passed,
    /// The answer does not conform, and is exactly the answer that the deviations file states.
    Deviation {
        /// The reason from the deviations file.
        why: String,
    },
    /// The question is contested, and the answer matches one of the readings.
    Contested {
        /// The number of the reading, from 1.
        reading: usize,
        /// The passage from which the reading follows.
        passage: String,
    },
    /// Every well-formed answer conforms, and this answer is well-formed.
    Open {
        /// The passage of the reading that the answer matches, if the question is contested.
        passage: Option<String>,
    },
    /// The engine answers that it does not support the question.
    Unanswered {
        /// The engine's reason.
        reason: String,
    },
    /// The engine lacks the role or the clock that the question needs.
    NotAsked {
        /// What the engine lacks.
        missing: Missing,
    },
    /// The answer does not conform, or the trial's entry in the deviations file does not apply.
    Failed {
        /// The problem with the trial's entry in the deviations file, for example that the trial now conforms.
        note: Option<String>,
    },
    /// There is no usable answer: an error, a panic, a time-out, or an answer of another kind.
    Errored {
        /// A description of the event.
        message: String,
        /// Whether no answer came in time. The cause may be a slow machine or a short limit, not the engine.
        is_late: bool,
        /// The `id` of the question in the protocol, if a process was asked and gave no usable answer.
        id: Option<u64>,
    },
    /// The crawl shows nothing, for example because the crawler did not fetch the control pages.
    Inconclusive,
    /// At the time limit, the crawler had made no mistake but was still working or waiting.
    Waited,
    /// There is no crawl: it is not possible on this machine or with this crawler, or the run ended before it.
    NotRun {
        /// The reason.
        why: String,
    },
}

impl Outcome {
    /// Returns the outcome with its text escaped. The text may come from a subject, and every report shows it.
    pub(crate) fn rendered(self) -> Self {
        match self {
            Self::Errored { message, is_late, id } => {
                Self::Errored { message: render::message(&message), is_late, id }
            }
            Self::Unanswered { reason } => Self::Unanswered { reason: render::message(&reason) },
            Self::Deviation { why } => Self::Deviation { why: render::message(&why) },
            Self::Failed { note } => Self::Failed { note: note.map(|note| render::message(&note)) },
            other => other,
        }
    }

    /// Returns the name of the outcome, without its text.
    #[must_use]
    pub const fn kind(&self) -> OutcomeKind {
        match self {
            Self::Passed => OutcomeKind::Passed,
            Self::Failed { .. } => OutcomeKind::Failed,
            Self::Errored { .. } => OutcomeKind::Errored,
            Self::Deviation { .. } => OutcomeKind::Deviation,
            Self::Contested { .. } => OutcomeKind::Contested,
            Self::Open { .. } => OutcomeKind::Open,
            Self::Unanswered { .. } => OutcomeKind::Unanswered,
            Self::NotAsked { .. } => OutcomeKind::NotAsked,
            Self::Inconclusive => OutcomeKind::Inconclusive,
            Self::Waited => OutcomeKind::Waited,
            Self::NotRun { .. } => OutcomeKind::NotRun,
        }
    }

    /// Returns the outcome's name, for example `passed`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind().id()
    }

    /// Returns the text of the outcome: a reading, a reason, a note or an error.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Deviation { why: text }
            | Self::Contested { passage: text, .. }
            | Self::Unanswered { reason: text }
            | Self::Errored { message: text, .. }
            | Self::NotRun { why: text } => Some(text),
            Self::Failed { note: text } | Self::Open { passage: text } => text.as_deref(),
            Self::NotAsked { missing } => Some(missing.text()),
            Self::Passed | Self::Inconclusive | Self::Waited => None,
        }
    }

    /// Returns whether the trial failed or errored.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        self.kind().is_failure()
    }

    /// If the outcome is an error, adds the `id` of the question. Other outcomes do not change.
    pub(crate) fn with_id(self, id: Option<u64>) -> Self {
        match self {
            Self::Errored { message, is_late, .. } => Self::Errored { message, is_late, id },
            other => other,
        }
    }
}

/// The reason why an engine is not asked a question: the part that it lacks.
///
/// ```
/// use robots_conformance::run::outcome::Missing;
/// use robots_conformance::kind::Role;
/// assert_eq!(Missing::Role(Role::Retriever).to_string(), "the subject is not a retriever");
/// assert_eq!(Missing::Clock.to_string(), "the subject does not take the runner's clock");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// The engine does not have the role that the question is for.
    Role(Role),
    /// The engine does not use the runner's clock, but time passes or the retriever restarts in the question.
    Clock,
}

impl Missing {
    /// Returns the reason as a sentence.
    const fn text(self) -> &'static str {
        match self {
            Self::Role(Role::Parser) => "the subject is not a parser",
            Self::Role(Role::Crawler) => "the subject is not a crawler",
            Self::Role(Role::Retriever) => "the subject is not a retriever",
            Self::Clock => "the subject does not take the runner's clock",
        }
    }
}

impl std::fmt::Display for Missing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text())
    }
}

/// An [`Outcome`] without the text that belongs to it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum OutcomeKind {
    /// See [`Outcome::Passed`].
    Passed,
    /// See [`Outcome::Failed`].
    Failed,
    /// See [`Outcome::Errored`].
    Errored,
    /// See [`Outcome::Deviation`].
    Deviation,
    /// See [`Outcome::Contested`].
    Contested,
    /// See [`Outcome::Open`].
    Open,
    /// See [`Outcome::Unanswered`].
    Unanswered,
    /// See [`Outcome::NotAsked`].
    NotAsked,
    /// See [`Outcome::Inconclusive`].
    Inconclusive,
    /// See [`Outcome::Waited`].
    Waited,
    /// See [`Outcome::NotRun`].
    NotRun,
}

impl OutcomeKind {
    /// Contains every outcome in the order of the reports, which is the order of the enum.
    pub const ALL: [Self; 11] = [
        Self::Passed,
        Self::Failed,
        Self::Errored,
        Self::Deviation,
        Self::Contested,
        Self::Open,
        Self::Unanswered,
        Self::NotAsked,
        Self::Inconclusive,
        Self::Waited,
        Self::NotRun,
    ];

    /// Returns the name, as reports write it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Errored => "errored",
            Self::Deviation => "deviation",
            Self::Contested => "contested",
            Self::Open => "open",
            Self::Unanswered => "unanswered",
            Self::NotAsked => "not-asked",
            Self::Inconclusive => "inconclusive",
            Self::Waited => "waited",
            Self::NotRun => "not-run",
        }
    }

    /// Returns whether the trial failed or errored.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Errored)
    }

    /// Returns whether the trial failed or errored, or would do so without its entry in the deviations file.
    #[must_use]
    pub const fn is_wrong(self) -> bool {
        self.is_failure() || matches!(self, Self::Deviation)
    }

    /// Returns whether the trial ended without a decision. A question that was not asked is neither decided nor
    /// undecided.
    #[must_use]
    pub const fn is_undecided(self) -> bool {
        matches!(self, Self::Unanswered | Self::Inconclusive | Self::Waited | Self::NotRun)
    }

    /// Returns whether the trial was decided. An error decides it too.
    #[must_use]
    pub const fn is_decided(self) -> bool {
        !self.is_undecided() && !matches!(self, Self::NotAsked)
    }
}

robots_core::named!(OutcomeKind, id, "outcome", "outcomes");

/// Judges an answer to a question of this kind.
///
/// ```
/// use robots_conformance::suite::case::Conforming;
/// use robots_conformance::run::outcome::{judge, Outcome};
/// use robots_conformance::kind::Expected;
/// use robots_conformance::kind::{Answer, QuestionKind};
/// use robots_core::fetch::Access;
///
/// let conforming = Conforming::One(Expected::Access(Access::FullAllow));
/// let answer = |access| judge(QuestionKind::Access, &conforming, &Answer::Access(access));
/// assert_eq!(answer(Access::FullAllow), Outcome::Passed);
/// assert!(answer(Access::FullDisallow).is_failure());
/// ```
#[must_use]
pub fn judge(asked: QuestionKind, conforming: &Conforming, answer: &Answer) -> Outcome {
    match answer {
        Answer::Unsupported(reason) => return Outcome::Unanswered { reason: reason.clone() },
        Answer::Error(message) => {
            return Outcome::Errored { message: message.clone(), is_late: false, id: None };
        }
        Answer::TimedOut(message) => {
            return Outcome::Errored { message: message.clone(), is_late: true, id: None };
        }
        _ => {}
    }
    let answered = answer.kind();
    if answered != Some(asked) {
        let answered = answered.map_or("something unknown", QuestionKind::id);
        let message = format!("the question was of kind {asked}, the answer is of kind {answered}");
        return Outcome::Errored { message, is_late: false, id: None };
    }
    if conforming.is_open(asked) {
        let passage = match conforming {
            Conforming::Readings(readings) => {
                let held = readings.iter().find(|reading| kind::conforms(&reading.answer, answer));
                held.map(|reading| reading.passage.clone())
            }
            _ => None,
        };
        return Outcome::Open { passage };
    }
    let failed = Outcome::Failed { note: None };
    match conforming {
        Conforming::One(expected) if kind::conforms(expected, answer) => Outcome::Passed,
        Conforming::AnyOf(answers)
            if answers.iter().any(|expected| kind::conforms(expected, answer)) =>
        {
            Outcome::Passed
        }
        Conforming::Readings(readings) => {
            let held = readings.iter().position(|reading| kind::conforms(&reading.answer, answer));
            held.map_or(failed, |index| Outcome::Contested {
                reading: index + 1,
                passage: readings[index].passage.clone(),
            })
        }
        Conforming::Undefined => Outcome::Open { passage: None },
        Conforming::One(_) | Conforming::AnyOf(_) => failed,
    }
}

#[cfg(test)]
mod tests;
