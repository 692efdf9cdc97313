//! A report as plain data, which one program writes and another reads: [`RunRecord`].
//!
//! A [`RunRecord`] is the JSON object of a report, and its parts are the lines of [`super::jsonl`]. Every format is
//! written from records, so a page can also show runs from other days and from other machines. Runs of questions and
//! runs of crawls make the same type of record.

use std::collections::BTreeMap;

use crate::report::counts::Counts;
use crate::report::requirement::{self, RequirementRecord, RequirementState};
use crate::report::{AreaRecord, EditionRecord, Totals, TrialRecord};
use crate::run::Report;
use crate::run::outcome::OutcomeKind;
use robots_console::render::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use robots_console::error::Error;
use robots_console::json;

/// The version of the object. The version changes when a key is removed or its meaning changes.
pub const VERSION: u32 = 2;

/// The kind of the object, which is the value of its first key.
pub const KIND: &str = "robots-conformance";

/// Checks the first two keys of a report.
///
/// # Errors
/// Returns a message if this build cannot read the report.
pub fn check(report: &str, version: u32) -> Result<(), Error> {
    if report == KIND && version == VERSION {
        return Ok(());
    }
    Err(Error::new(format!(
        "is a report of {report:?}, version {version}; this build reads only {KIND:?}, version {VERSION}"
    )))
}

/// The JSON Schema of the object.
pub const SCHEMA: &str = include_str!("../../schema/report.schema.json");

/// A report: the JSON object described by `schema/report.schema.json`.
///
/// ```
/// use robots_conformance::report::record::RunRecord;
/// let problem = serde_json::from_str::<RunRecord>(r#"{ "report": "something else" }"#).unwrap_err();
/// assert!(problem.to_string().starts_with("missing field `version`"), "{problem}");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RunRecord {
    /// [`KIND`].
    pub report: String,
    /// [`VERSION`].
    pub version: u32,
    /// The name of the subject: an engine's name, or a crawler's product token.
    pub subject: String,
    /// The command that started the crawler.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The version of the suite.
    pub suite: String,
    /// The duration of the run.
    pub seconds: f64,
    /// Whether the run was complete, at least one trial was decided, no trial failed or errored, and every entry of the
    /// deviations file is still valid. A run is complete if no signal ended it, and if it did not give up on the
    /// crawler. A trial without a decision does not count against the subject.
    pub clean: bool,
    /// Whether only some of the trials were selected. A report of a selection does not state that the subject conforms
    /// to an edition.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub selection: bool,
    /// The number of trials that were not run because the run ended early. The report is partial if this number is not
    /// 0.
    #[serde(default, skip_serializing_if = "json::is_zero")]
    pub unasked: usize,
    /// The number of trials by outcome.
    pub totals: Totals,
    /// The counts of each edition.
    pub editions: Vec<EditionRecord>,
    /// The counts of each area and edition.
    pub areas: Vec<AreaRecord>,
    /// The requirements of each edition and role, and whether the subject keeps them. Older reports have none.
    #[serde(default)]
    pub requirements: Vec<RequirementRecord>,
    /// A message for each entry of the deviations file that is no longer valid.
    pub stale_deviations: Vec<String>,
    /// The verdict questions that cannot be tested with a crawler, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub not_on_the_wire: BTreeMap<String, Vec<String>>,
    /// Every trial.
    pub trials: Vec<TrialRecord>,
    /// Every crawl with its access log. `live --judge` reads the crawls and judges them again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crawls: Vec<Value>,
}

impl From<Report<TrialRecord>> for RunRecord {
    /// Counts the trials of a run.
    fn from(report: Report<TrialRecord>) -> Self {
        let is_part = !report.is_whole();
        let Counts { totals, editions, areas, .. } = Counts::of(&report.trials, is_part);
        let requirements = requirement::requirements(&report.trials, &editions, is_part);
        let is_decided = report.trials.iter().any(|trial| trial.outcome.is_decided());
        let has_failed = report.trials.iter().any(|trial| trial.outcome.is_failure());
        let is_complete = report.unasked == 0;
        Self {
            report: KIND.to_owned(),
            version: VERSION,
            subject: report.subject,
            command: None,
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: report.took.as_secs_f64(),
            clean: is_complete && is_decided && !has_failed && report.stale.is_empty(),
            selection: report.is_selection,
            unasked: report.unasked,
            totals,
            editions,
            areas,
            requirements,
            stale_deviations: report.stale.iter().map(ToString::to_string).collect(),
            not_on_the_wire: BTreeMap::new(),
            trials: report.trials,
            crawls: Vec::new(),
        }
    }
}

impl RunRecord {
    /// Makes the record of a run of questions.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        report.map(|done| TrialRecord::of(done, &report.subject)).into()
    }

    /// Returns the trials that failed or errored.
    pub fn failures(&self) -> impl Iterator<Item = &TrialRecord> {
        self.trials.iter().filter(|trial| trial.outcome.is_failure())
    }

    /// If the report is partial, returns a sentence that says so.
    #[must_use]
    pub fn partial(&self) -> Option<String> {
        let (asked, all) = (self.trials.len(), self.trials.len() + self.unasked);
        let text = || format!("PARTIAL: the run was ended after {asked} of {all} trials");
        (self.unasked > 0).then(text)
    }

    /// Returns the reasons why trials with one of these outcomes were not decided, each with the number of trials.
    /// Trials for a role that the subject does not have are omitted.
    pub(crate) fn reasons(&self, kinds: &[OutcomeKind]) -> BTreeMap<(OutcomeKind, &str), usize> {
        let mut reasons = BTreeMap::new();
        let is_counted = |trial: &&TrialRecord| {
            kinds.contains(&trial.outcome) && self.editions.iter().any(|line| line.contains(trial))
        };
        for trial in self.trials.iter().filter(is_counted) {
            let reason = trial.detail.as_deref().unwrap_or_default();
            *reasons.entry((trial.outcome, reason)).or_default() += 1;
        }
        reasons
    }

    /// Returns the mark of an edition: a cross only if a trial failed.
    #[must_use]
    pub fn mark(line: &EditionRecord) -> &'static str {
        match line {
            _ if line.has_failures() => "✗",
            _ if line.conforms => "✓",
            _ => "–",
        }
    }

    /// Returns whether the run asked only a part of the questions that the subject answers.
    pub(crate) fn is_part(&self) -> bool {
        self.selection || self.unasked > 0
    }

    /// Returns the result of an edition: `conforms`, or the number of failures. For a selection, returns how many of
    /// the asked trials are right.
    #[must_use]
    pub fn result(&self, line: &EditionRecord) -> String {
        let of = |kind| line.totals.get(kind);
        let mut facts = Vec::new();
        if self.is_part() {
            let (right, closed) = (line.totals.conforming(), line.totals.closed());
            facts.push(format!("{right} of {closed} asked"));
        }
        let is_selection = !facts.is_empty();
        let observed = line.is_observed();
        if observed && line.differences() > 0 {
            facts.push(counted(line.differences(), "difference"));
        } else if line.has_failures() && !observed {
            facts.push(counted(line.must_failures, "must-failure"));
            if line.stated_failures > 0 {
                facts.push(counted(line.stated_failures, "stated-failure"));
            }
            facts.push(counted(line.should_failures, "should-failure"));
        } else if line.is_right() && !is_selection {
            let all = if observed { "answers as the library" } else { "conforms" };
            let undecided = line.totals.undecided();
            let some = match (line.not_asked, of(OutcomeKind::Unanswered)) {
                _ if line.is_complete() => "",
                (0, unanswered) if undecided == unanswered => " where it answers",
                (1.., _) if undecided == 0 => " where it was asked",
                _ => " where it was decided",
            };
            facts.push(format!("{all}{some}"));
        }
        if line.may_failures > 0 {
            facts.push(counted(line.may_failures, "may-failure"));
        }
        let deviations = of(OutcomeKind::Deviation);
        if deviations > 0 {
            facts.push(counted(deviations, "deviation"));
        }
        let trials = line.totals.trials();
        for (kind, count) in line.totals.all().filter(|(kind, _)| kind.is_undecided()) {
            if count > 0 {
                facts.push(format!("{count} of {trials} {kind}"));
            }
        }
        if line.not_asked > 0 {
            facts.push(format!("{} of {trials} not asked", line.not_asked));
        }
        if line.advice > 0 {
            facts.push(format!("{} advice", line.advice));
        }
        let facts = facts.join(", ");
        match self.kept(line) {
            Some(kept) if !is_selection => format!("{facts}; {kept}"),
            _ => facts,
        }
    }

    /// Counts the requirements of an edition and role by state, for example `31 of 36 requirements kept, 5 broken`.
    /// Returns `None` if no requirement obliges the role.
    fn kept(&self, line: &EditionRecord) -> Option<String> {
        let is_of =
            |it: &&RequirementRecord| (&it.edition, &it.role) == (&line.edition, &line.role);
        let of_line = || self.requirements.iter().filter(is_of);
        let count = |state| of_line().filter(|it| it.state == state).count();
        let (kept, all) = (count(RequirementState::Kept), of_line().count());
        let mut facts = vec![format!("{kept} of {} kept", counted(all, "requirement"))];
        for (state, word) in
            [(RequirementState::Broken, "broken"), (RequirementState::Open, "open")]
        {
            if count(state) > 0 {
                facts.push(format!("{} {word}", count(state)));
            }
        }
        (all > 0).then(|| facts.join(", "))
    }
}
