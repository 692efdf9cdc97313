//! Counts the trials of a report: in total, by edition and role, and by area and edition.
//!
//! Start at [`Counts::of`]. It counts the records of trials once, and every format shows these numbers. An edition has
//! an entry for a role only if the subject was asked a trial for this role. [`EditionRecord::is_right`] and
//! [`EditionRecord::is_complete`] together decide whether the subject conforms to the edition. If only some trials were
//! selected, the counts never state that the subject conforms to an edition. [`Totals`] also reads older reports, which
//! may lack an outcome.

use std::collections::BTreeMap;

use crate::engine::Profile;
use crate::kind::Role;
use robots_core::Edition;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::trial::TrialRecord;
use crate::run::outcome::OutcomeKind;
use crate::suite::requirement::Level;

/// The number of trials for each outcome. In JSON it is an object with the names of the outcomes as keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals([usize; OutcomeKind::ALL.len()]);

impl Totals {
    /// Counts trials.
    pub fn of<'t>(trials: impl IntoIterator<Item = &'t TrialRecord>) -> Self {
        let mut totals = Self::default();
        for trial in trials {
            totals.0[trial.outcome as usize] += 1;
        }
        totals
    }

    /// Returns the outcomes with their counts.
    pub fn all(&self) -> impl Iterator<Item = (OutcomeKind, usize)> {
        OutcomeKind::ALL.into_iter().zip(self.0)
    }

    /// Returns the outcomes that a table shows: *passed*, *failed*, and every other outcome that occurs.
    #[must_use]
    pub fn columns(&self) -> Vec<OutcomeKind> {
        let is_shown = |(kind, count): &(OutcomeKind, usize)| {
            *count > 0 || matches!(kind, OutcomeKind::Passed | OutcomeKind::Failed)
        };
        self.all().filter(is_shown).map(|(kind, _)| kind).collect()
    }

    /// Returns the count of an outcome.
    #[must_use]
    pub fn get(&self, kind: OutcomeKind) -> usize {
        self.0[kind as usize]
    }

    /// Sets the count of an outcome.
    pub fn set(&mut self, kind: OutcomeKind, count: usize) {
        self.0[kind as usize] = count;
    }

    /// Returns the total count of several outcomes.
    #[must_use]
    pub fn sum(&self, kinds: &[OutcomeKind]) -> usize {
        kinds.iter().map(|kind| self.get(*kind)).sum()
    }

    /// Adds the counts of two totals, outcome by outcome.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
        self
    }

    /// Returns the number of decided trials whose outcome is not *open*. [`Self::conforming`] counts the trials
    /// among them whose answer conforms.
    #[must_use]
    pub fn closed(&self) -> usize {
        let is_closed = |kind: OutcomeKind| kind.is_decided() && kind != OutcomeKind::Open;
        self.all().filter(|(kind, _)| is_closed(*kind)).map(|(_, count)| count).sum()
    }

    /// Returns the number of trials that ended without a decision.
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.all().filter(|(kind, _)| kind.is_undecided()).map(|(_, count)| count).sum()
    }

    /// Returns the number of trials that can fail and whose answer conforms.
    #[must_use]
    pub fn conforming(&self) -> usize {
        self.sum(&[OutcomeKind::Passed, OutcomeKind::Contested])
    }

    /// Returns the number of trials.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.0.iter().sum()
    }
}

impl Serialize for Totals {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.all().map(|(kind, count)| (kind.id(), count)))
    }
}

impl<'de> Deserialize<'de> for Totals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = BTreeMap::<String, usize>::deserialize(deserializer)?;
        // If an older report lacks an outcome, its count is zero.
        let totals = Self(OutcomeKind::ALL.map(|kind| counts.remove(kind.id()).unwrap_or(0)));
        match counts.into_keys().next() {
            Some(name) => {
                Err(D::Error::custom(format!("the totals count {name:?}, which is not an outcome")))
            }
            None => Ok(totals),
        }
    }
}

/// All counts of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of all trials for each outcome.
    pub(crate) totals: Totals,
    /// The counts of each edition and role for which the subject was asked a trial, oldest edition first, and then of
    /// the observed profile.
    pub(crate) editions: Vec<EditionRecord>,
    /// The counts of each area under each edition, oldest edition first, and then under the observed profile. An
    /// edition without trials in an area has no entry. Each entry counts the trials of all roles.
    pub(crate) areas: Vec<AreaRecord>,
}

/// The counts of one edition and one role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct EditionRecord {
    /// The edition's id.
    pub edition: String,
    /// The role that the subject needs for these trials, which is `parser`, `crawler` or `retriever`.
    pub role: String,
    /// Whether every trial was asked and decided, and none failed or deviates. The value is false if only some trials
    /// were selected.
    pub conforms: bool,
    /// The number of trials that the subject was not asked although it has the role. These trials need the runner's
    /// clock, which the subject does not use.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub not_asked: usize,
    /// Whether the edition is a draft.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// The number of failed and errored trials of the level *must*. Errors on open questions, to which every
    /// well-formed answer conforms, are not counted.
    pub must_failures: usize,
    /// The number of failed and errored trials of the level *stated*, which is as strict as *must*.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stated_failures: usize,
    /// The number of failed and errored trials of the level *should*.
    pub should_failures: usize,
    /// The number of failed and errored trials of the level *may*.
    pub may_failures: usize,
    /// The number of findings that are only advice. Only crawls have findings.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub advice: usize,
    /// The counts of all trials of this edition and role.
    pub totals: Totals,
}

/// The counts of one area under one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct AreaRecord {
    /// The area.
    pub area: String,
    /// The edition's id.
    pub edition: String,
    /// The number of trials for each outcome.
    pub totals: Totals,
}

impl Counts {
    /// Counts trials. If only some trials were selected, `conforms` is false for every edition.
    pub(crate) fn of(trials: &[TrialRecord], is_selection: bool) -> Self {
        let mut editions = Vec::new();
        for profile in Profile::ALL {
            for role in Role::ALL {
                let is_counted =
                    |trial: &&TrialRecord| trial.edition == profile.id() && trial.role == role.id();
                let counted: Vec<&TrialRecord> = trials.iter().filter(is_counted).collect();
                // If no trial was asked, the subject does not have the role, or only trials that need a clock were
                // selected.
                if counted.iter().any(|trial| trial.outcome != OutcomeKind::NotAsked) {
                    editions.push(EditionRecord::of(*profile, *role, &counted, is_selection));
                }
            }
        }
        let mut names: Vec<&str> = Vec::new();
        for trial in trials {
            if !names.contains(&trial.area.as_str()) {
                names.push(&trial.area);
            }
        }
        let areas = names.into_iter().flat_map(|area| {
            Profile::ALL.iter().map(move |profile| {
                let is_counted =
                    |trial: &&TrialRecord| trial.area == area && trial.edition == profile.id();
                let totals = Totals::of(trials.iter().filter(is_counted));
                AreaRecord { area: area.to_owned(), edition: profile.id().to_owned(), totals }
            })
        });
        let areas = areas.filter(|area| area.totals.trials() > 0).collect();
        Self { totals: Totals::of(trials), editions, areas }
    }
}

impl EditionRecord {
    fn of(profile: Profile, role: Role, trials: &[&TrialRecord], is_selection: bool) -> Self {
        let failures = |level: Level| {
            let counts =
                |trial: &&&TrialRecord| trial.counts_against() && trial.level == level.id();
            trials.iter().filter(counts).count()
        };
        let totals = Totals::of(trials.iter().copied());
        let mut record = Self {
            edition: profile.id().to_owned(),
            role: role.id().to_owned(),
            conforms: false,
            not_asked: totals.get(OutcomeKind::NotAsked),
            draft: profile.edition().is_some_and(Edition::is_draft),
            must_failures: failures(Level::Must),
            stated_failures: failures(Level::Stated),
            should_failures: failures(Level::Should),
            may_failures: failures(Level::May),
            advice: trials.iter().map(|trial| trial.advice()).sum(),
            totals,
        };
        record.conforms = !is_selection && record.is_right() && record.is_complete();
        record
    }

    /// Returns the edition as reports for human readers show it: a draft is marked with `(draft)`.
    #[must_use]
    pub fn shown_edition(&self) -> String {
        format!("{}{}", self.edition, if self.draft { " (draft)" } else { "" })
    }

    /// Returns whether this is the observed profile, which no document defines.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        self.edition == Profile::GoogleCpp.id()
    }

    /// Returns the number of trials under the observed profile that failed or errored. The result is 0 for an edition.
    #[must_use]
    pub fn differences(&self) -> usize {
        let wrong = self.totals.sum(&[OutcomeKind::Failed, OutcomeKind::Errored]);
        if self.is_observed() { wrong } else { 0 }
    }

    /// Returns whether a trial failed. A known deviation is not a failure.
    #[must_use]
    pub fn has_failures(&self) -> bool {
        let failures = [
            self.must_failures,
            self.stated_failures,
            self.should_failures,
            self.may_failures,
            self.differences(),
        ];
        failures != [0; 5]
    }

    /// Returns whether no decided trial failed or deviates.
    #[must_use]
    pub fn is_right(&self) -> bool {
        !self.has_failures() && self.totals.get(OutcomeKind::Deviation) == 0
    }

    /// Returns whether every trial was asked and decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.not_asked == 0 && self.totals.undecided() == 0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
