//! The results of a run: [`Report`].
//!
//! A [`Report`] contains the trials that ended: questions ([`Finished`]) or judged crawls. [`Report::compare`] compares
//! a deviations file with these trials. Runs of questions and runs of crawls make reports in the same way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::kind::{self, Answer, QuestionKind};
use crate::problem::Problem;
use crate::run::deviations::{Deviations, Known};
use crate::run::outcome::{Outcome, judge};
use crate::run::trial::Trial;

/// A finished trial.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// The trial.
    pub trial: Arc<Trial>,
    /// The outcome.
    pub outcome: Outcome,
    /// The engine's answer, if it gave one.
    pub answer: Option<Answer>,
    /// The duration of the question, without waits for other questions.
    pub took: Duration,
}

impl Finished {
    /// Returns whether the answer itself does not conform. A trial with a healed entry fails although its answer
    /// conforms.
    pub(super) fn is_wrong(&self) -> bool {
        let judged = |answer| judge(self.trial.kind(), self.trial.conforming(), answer);
        self.answer.as_ref().is_some_and(|answer| matches!(judged(answer), Outcome::Failed { .. }))
    }
}

impl AsRef<Outcome> for Finished {
    fn as_ref(&self) -> &Outcome {
        &self.outcome
    }
}

/// A trial that has ended, with its name and outcome: a question, or a judged crawl.
pub trait Ended: AsRef<Outcome> {
    /// Returns the full name of the trial, which is `subject::area::case::edition`, with `::member` if there is a member.
    fn full_name(&self, subject: &str) -> String;

    /// Returns the behaviour with which the trial passes as a deviation, and the reason. The reason is empty if the user
    /// must give it. Returns `None` if the trial needs no entry in a deviations file.
    fn entry(&self) -> Option<(Known, String)>;
}

impl Ended for Finished {
    fn full_name(&self, subject: &str) -> String {
        self.trial.full_name(subject)
    }

    fn entry(&self) -> Option<(Known, String)> {
        let stated = || {
            let stated = self.answer.as_ref().and_then(kind::stated);
            stated.map_or_else(|| "error".into(), |stated| kind::yaml(&stated))
        };
        let (stated, why) = match &self.outcome {
            Outcome::Deviation { why } => (stated(), why.clone()),
            Outcome::Errored { .. } => ("error".into(), String::new()),
            _ if self.is_wrong() => (stated(), String::new()),
            _ => return None,
        };
        Some((Known::Answers(stated), why))
    }
}

/// The results of one run of one subject. `T` is a trial that has ended: a question, a judged crawl, or the record of
/// one of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report<T = Finished> {
    /// The name of the subject: an engine's name, or a crawler's product token.
    pub subject: String,
    /// Every trial that was run, in the order of the suite or of the crawls.
    pub trials: Vec<T>,
    /// The problems with entries of the deviations file. For example, an entry names no trial (a stale entry), or it
    /// covers a whole case of which no trial fails any more (a healed entry).
    pub stale: Vec<Problem>,
    /// The duration of the run.
    pub took: Duration,
    /// Whether only some trials were selected. If so, reports do not state that the subject conforms to an edition.
    pub is_selection: bool,
    /// The number of selected trials that did not finish, because the run was ended.
    pub unasked: usize,
}

impl<T> Report<T> {
    /// Makes the report of a complete run without stale deviations, with a duration of zero.
    pub fn new(subject: impl Into<String>, trials: Vec<T>) -> Self {
        Self {
            subject: subject.into(),
            trials,
            stale: Vec::new(),
            took: Duration::ZERO,
            is_selection: false,
            unasked: 0,
        }
    }

    /// Returns whether every trial of the subject has ended. Only a complete run shows that a subject conforms, or that
    /// the deviations file no longer needs the entry of a whole case.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.is_selection && self.unasked == 0
    }

    /// Returns the report with each trial converted by `convert`.
    #[must_use]
    pub fn map<U>(&self, convert: impl FnMut(&T) -> U) -> Report<U> {
        Report {
            subject: self.subject.clone(),
            trials: self.trials.iter().map(convert).collect(),
            stale: self.stale.clone(),
            took: self.took,
            is_selection: self.is_selection,
            unasked: self.unasked,
        }
    }
}

impl<T: Ended> Report<T> {
    /// Compares a deviations file with the run, and stores the stale entries of the file. If the run is complete, also
    /// stores the entries of whole cases that no longer apply to any trial. `names` contains the full names of all
    /// trials of the subject, selected or not, with the kinds of their questions. A crawl has no kind.
    pub fn compare(
        &mut self,
        deviations: &Deviations,
        names: &BTreeMap<String, Option<QuestionKind>>,
    ) {
        self.stale = deviations.stale(names);
        if self.is_whole() {
            let ended = self.trials.iter();
            let ended = ended.map(|trial| (trial.full_name(&self.subject), trial.as_ref()));
            self.stale.extend(deviations.healed(ended));
        }
    }
}

impl<T: AsRef<Outcome>> Report<T> {
    /// Returns the trials that failed or errored.
    pub fn failures(&self) -> impl Iterator<Item = &T> {
        self.trials.iter().filter(|trial| (*trial).as_ref().is_failure())
    }

    /// Returns whether any trial was decided. If none was, the run shows nothing about the subject.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.trials.iter().any(|trial| trial.as_ref().kind().is_decided())
    }
}
