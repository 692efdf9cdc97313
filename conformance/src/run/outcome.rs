//! An answer against an expectation.

use robots_core::engine::{Answer, QuestionKind};

use crate::kind;
use crate::suite::case::Conforming;

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The answer conforms.
    Passed,
    /// The answer does not conform, exactly as the deviations file says.
    Deviation {
        /// The reason the file gives.
        why: String,
    },
    /// The question is contested, and the answer is one of the readings.
    Contested {
        /// Which reading, from 1.
        reading: usize,
        /// Where that reading stands.
        passage: String,
    },
    /// Every well-formed answer conforms, and this is one.
    Open {
        /// Where the reading stands that it is, where the question is contested.
        passage: Option<String>,
    },
    /// The engine does not answer such questions.
    Unanswered {
        /// The engine's reason.
        reason: String,
    },
    /// The question is for another role than the engine has.
    NotAsked,
    /// The answer does not conform, or a deviations entry does not hold.
    Failed {
        /// What is wrong beside the answer: a deviations entry that healed or drifted.
        note: Option<String>,
    },
    /// There is no answer: an error, a panic, a hang, or an answer to another question.
    Errored {
        /// What happened.
        message: String,
    },
    /// The crawler did not fetch the control pages, so that what it left out shows nothing.
    Inconclusive,
    /// The crawler had done nothing wrong and was still at work, or waiting, at the time limit.
    Waited,
    /// The crawl could not be made on this machine, or with this crawler.
    NotRun {
        /// What was missing.
        why: String,
    },
}

impl Outcome {
    /// How the message of [`Errored`](Self::Errored) begins where no answer came in time: that says more of the
    /// machine and the limit than of the answer.
    pub const LATE: &str = "no answer within";

    /// Returns which outcome it is, without the text that belongs to it.
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
            Self::NotAsked => OutcomeKind::NotAsked,
            Self::Inconclusive => OutcomeKind::Inconclusive,
            Self::Waited => OutcomeKind::Waited,
            Self::NotRun { .. } => OutcomeKind::NotRun,
        }
    }

    /// Returns the outcome's name, `passed` for example.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind().id()
    }

    /// Returns the reading, the reason, the note or the error that belongs to the outcome.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Deviation { why: text }
            | Self::Contested { passage: text, .. }
            | Self::Unanswered { reason: text }
            | Self::Errored { message: text }
            | Self::NotRun { why: text } => Some(text),
            Self::Failed { note: text } | Self::Open { passage: text } => text.as_deref(),
            Self::Passed | Self::NotAsked | Self::Inconclusive | Self::Waited => None,
        }
    }

    /// Returns whether the trial counts against the engine: it failed or errored.
    #[must_use]
    pub const fn is_failure(&self) -> bool {
        self.kind().is_failure()
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
    /// Holds every outcome in the order of the reports, which is that of the enum.
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

    /// Returns whether the trial counts against the subject: it failed or errored.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Errored)
    }
}

impl std::fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.id())
    }
}

/// Judges an answer to a question of this kind.
///
/// ```
/// use robots_conformance::case::Conforming;
/// use robots_conformance::judge::{Outcome, judge};
/// use robots_conformance::kind::{Expected, ExpectedVerdict};
/// use robots_core::engine::{Answer, QuestionKind};
///
/// let expected = Expected::Verdict(ExpectedVerdict { allowed: true, lines: vec![3] });
/// let conforming = Conforming::One(expected);
/// // Without a line, the line is not judged.
/// assert_eq!(judge(QuestionKind::Verdict, &conforming, &Answer::verdict(true)), Outcome::Passed);
/// assert!(judge(QuestionKind::Verdict, &conforming, &Answer::verdict(false)).is_failure());
/// ```
#[must_use]
pub fn judge(asked: QuestionKind, conforming: &Conforming, answer: &Answer) -> Outcome {
    match answer {
        Answer::Unsupported(reason) => return Outcome::Unanswered { reason: reason.clone() },
        Answer::Error(message) => return Outcome::Errored { message: message.clone() },
        _ => {}
    }
    let answered = answer.kind();
    if answered != Some(asked) {
        let answered = answered.map_or("something unknown", QuestionKind::id);
        let message = format!("the question was of kind {asked}, the answer is of kind {answered}");
        return Outcome::Errored { message };
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
