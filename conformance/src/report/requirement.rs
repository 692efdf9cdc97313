//! Decides which requirements of an edition a subject keeps: [`RequirementRecord`].
//!
//! Start at [`RequirementState::of`]. Reports, badges and tables all use this decision. Only levels that oblige count:
//! *must*, and *stated* in a draft. A question to which every answer conforms shows nothing, and neither does a question
//! for a role that the subject does not have.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::counts::EditionRecord;
use super::trial::{Finding, TrialRecord};
use crate::suite::requirement::Level;

/// Whether a subject keeps a requirement. The order is from the worst state to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RequirementState {
    /// A question that can fail failed.
    Broken,
    /// No question failed, but at least one was not decided or not asked.
    Open,
    /// Every question was decided, and none failed.
    Kept,
}

impl RequirementState {
    /// Decides the state from the number of questions that failed, and the number of those without a decision.
    ///
    /// ```
    /// use robots_conformance::report::RequirementState;
    /// assert_eq!(RequirementState::of(1, 2), RequirementState::Broken);
    /// assert_eq!(RequirementState::of(0, 2), RequirementState::Open);
    /// assert_eq!(RequirementState::of(0, 0), RequirementState::Kept);
    /// ```
    #[must_use]
    pub const fn of(failing: usize, undecided: usize) -> Self {
        match (failing, undecided) {
            (1.., _) => Self::Broken,
            (0, 1..) => Self::Open,
            (0, 0) => Self::Kept,
        }
    }
}

/// A requirement of an edition, and whether the subject keeps it in a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct RequirementRecord {
    /// The requirement's id.
    pub id: String,
    /// The edition's id.
    pub edition: String,
    /// The role of the subject.
    pub role: String,
    /// The section that states the requirement.
    pub section: String,
    /// The level, which is `must` or `stated`.
    pub level: String,
    /// Whether the subject keeps the requirement. If only some trials were selected, it is not *kept*.
    pub state: RequirementState,
    /// The questions that failed, as [`TrialRecord::question`] names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failing: Vec<String>,
    /// The questions that were not decided or not asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<String>,
}

impl EditionRecord {
    /// Returns whether a trial belongs to this edition and role.
    pub(super) fn contains(&self, trial: &TrialRecord) -> bool {
        (&self.edition, &self.role) == (&trial.edition, &trial.role)
    }
}

/// What one trial shows about a requirement.
struct Shown<'t> {
    requirement: &'t str,
    section: &'t str,
    level: &'t str,
    verdict: RequirementState,
}

/// Returns the requirements that the trials are about, in the order of the trials. `editions` has the roles of the
/// subject. `is_part` is true if only some trials were selected or run.
pub(super) fn requirements(
    trials: &[TrialRecord],
    editions: &[EditionRecord],
    is_part: bool,
) -> Vec<RequirementRecord> {
    let mut records: Vec<RequirementRecord> = Vec::new();
    let mut places = HashMap::new();
    for trial in trials.iter().filter(|trial| editions.iter().any(|line| line.contains(trial))) {
        for shown in shown(trial) {
            let key = (&*trial.edition, &*trial.role, shown.requirement);
            let place = *places.entry(key).or_insert_with(|| {
                records.push(RequirementRecord {
                    id: shown.requirement.to_owned(),
                    edition: trial.edition.clone(),
                    role: trial.role.clone(),
                    section: shown.section.to_owned(),
                    level: shown.level.to_owned(),
                    state: RequirementState::Open,
                    failing: Vec::new(),
                    undecided: Vec::new(),
                });
                records.len() - 1
            });
            let questions = match shown.verdict {
                RequirementState::Broken => &mut records[place].failing,
                RequirementState::Open => &mut records[place].undecided,
                RequirementState::Kept => continue,
            };
            // A crawl may violate a requirement several times.
            if questions.last() != Some(&trial.question()) {
                questions.push(trial.question());
            }
        }
    }
    for record in &mut records {
        let undecided = record.undecided.len() + usize::from(is_part);
        record.state = RequirementState::of(record.failing.len(), undecided);
    }
    records
}

/// Returns what a trial shows about requirements that oblige. If a crawl violates only other requirements than the one of
/// its case, it shows nothing about the latter.
fn shown(trial: &TrialRecord) -> impl Iterator<Item = Shown<'_>> {
    let findings: &[Finding] = if trial.outcome.is_wrong() { &trial.findings } else { &[] };
    let violated = findings.iter().filter_map(|finding| {
        let (requirement, section) = (&*finding.requirement, &*finding.source);
        let level = finding.level?.id();
        Some(Shown { requirement, section, level, verdict: RequirementState::Broken })
    });
    let is_of_others = violated.clone().next().is_some();
    let verdict = match trial.outcome {
        outcome if outcome.is_wrong() && !is_of_others => RequirementState::Broken,
        outcome if outcome.is_decided() && !is_of_others => RequirementState::Kept,
        _ => RequirementState::Open,
    };
    let (requirement, section) = (&*trial.requirement, &*trial.source);
    let level = trial.case_level.as_deref().unwrap_or(&trial.level);
    let is_violated = violated.clone().any(|shown| shown.requirement == requirement);
    let own = Shown { requirement, section, level, verdict };
    let own = (!trial.open && !is_violated).then_some(own);
    let obliges = [Level::Must.id(), Level::Stated.id()];
    own.into_iter().chain(violated).filter(move |shown| obliges.contains(&shown.level))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::report::counts::Counts;
    use crate::run::outcome::OutcomeKind::{self, *};

    fn trial(requirement: &str, level: &str, outcome: OutcomeKind) -> TrialRecord {
        let mut trial = TrialRecord::new("me::area::one::rfc9309::/a".to_owned(), outcome);
        (trial.case, trial.member) = ("one".to_owned(), Some("/a".to_owned()));
        "rfc9309".clone_into(&mut trial.edition);
        level.clone_into(&mut trial.level);
        requirement.clone_into(&mut trial.requirement);
        trial
    }

    /// Returns each requirement with its state and its failing questions.
    fn decided(trials: &[TrialRecord], is_part: bool) -> String {
        let editions = Counts::of(trials, is_part).editions;
        let records = requirements(trials, &editions, is_part).into_iter();
        let lines = records.map(|it| {
            format!("{} {:?} {} {}", it.id, it.state, it.failing.join(" "), it.undecided.join(" "))
        });
        lines.collect::<Vec<_>>().join("; ")
    }

    #[rstest]
    #[trace]
    #[case::passed(&[("A", "must", Passed)], "A Kept  ")]
    #[case::contested(&[("A", "must", Contested)], "A Kept  ")]
    #[case::failed(&[("A", "must", Passed), ("A", "must", Failed)], "A Broken one::/a ")]
    #[case::errored(&[("A", "must", Errored)], "A Broken one::/a ")]
    #[case::known(&[("A", "must", Deviation)], "A Broken one::/a ")]
    #[case::of_a_draft(&[("A", "stated", Failed)], "A Broken one::/a ")]
    #[case::unanswered(&[("A", "must", Passed), ("A", "must", Unanswered)], "A Open  one::/a")]
    #[case::not_asked(&[("A", "must", Passed), ("B", "must", NotAsked)], "A Kept  ; B Open  one::/a")]
    #[case::failed_and_waited(&[("A", "must", Waited), ("A", "must", Failed)], "A Broken one::/a one::/a")]
    #[case::recommended(&[("A", "should", Failed), ("B", "must", Passed)], "B Kept  ")]
    #[case::at_two_levels(&[("A", "should", Failed), ("A", "must", Passed)], "A Kept  ")]
    #[case::a_role_that_it_lacks(&[("A", "must", NotAsked)], "")]
    fn a_requirement_is_decided_once(
        #[case] trials: &[(&str, &str, OutcomeKind)],
        #[case] expected: &str,
    ) {
        let trials: Vec<_> = trials.iter().map(|(id, level, of)| trial(id, level, *of)).collect();
        assert_eq!(decided(&trials, false), expected);
        let selected = expected.replace("Kept", "Open");
        assert_eq!(decided(&trials, true), selected);
    }

    #[test]
    fn an_open_question_shows_nothing() {
        let mut open = trial("A", "must", Errored);
        open.open = true;
        assert_eq!(decided(&[open, trial("B", "must", Passed)], false), "B Kept  ");
    }

    /// The crawl of a case at *should* violates a requirement at *must*.
    #[test]
    fn a_crawl_violates_the_requirements_of_its_findings() {
        let mut crawl = trial("A", "must", Failed);
        let finding = |requirement: &str, level| {
            let mut finding = Finding::new("main", "fetched /a", "fetched /a");
            requirement.clone_into(&mut finding.requirement);
            finding.level = level;
            finding
        };
        crawl.findings = vec![
            finding("B", Some(Level::Must)),
            finding("B", Some(Level::Must)),
            finding("C", Some(Level::Should)),
            finding("D", None),
        ];
        assert_eq!(decided(&[crawl.clone()], false), "A Open  one::/a; B Broken one::/a ");
        crawl.case_level = Some("should".to_owned());
        assert_eq!(decided(&[crawl.clone()], false), "B Broken one::/a ");
        crawl.findings.push(finding("A", Some(Level::Must)));
        assert_eq!(decided(&[crawl], false), "B Broken one::/a ; A Broken one::/a ");
    }
}
