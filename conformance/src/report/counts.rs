//! The counts of a report: in all, by edition and role, by area and edition.

use std::collections::BTreeMap;

use robots_core::Profile;
use robots_core::engine::Role;
use serde::{Deserialize, Serialize, Serializer};

use super::trial::TrialRecord;
use crate::run::outcome::OutcomeKind;
use crate::suite::requirement::Level;

/// How many trials ended how. In JSON it is an object of the outcomes' names, each with its count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, usize>")]
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

    /// Returns the outcomes that a table shows: *passed*, *failed*, and every other one that occurs.
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

    /// Returns the count of several outcomes together.
    #[must_use]
    pub fn sum(&self, kinds: &[OutcomeKind]) -> usize {
        kinds.iter().map(|kind| self.get(*kind)).sum()
    }

    /// Returns the sum of both.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
        self
    }

    /// Returns the number of trials that were asked and decided, and that some answer fails: what a share is of.
    #[must_use]
    pub fn closed(&self) -> usize {
        self.trials() - self.sum(&UNDECIDED) - self.sum(&[OutcomeKind::Open, OutcomeKind::NotAsked])
    }

    /// Returns the number of closed trials whose answer conforms.
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

impl TryFrom<BTreeMap<String, usize>> for Totals {
    type Error = String;

    fn try_from(mut counts: BTreeMap<String, usize>) -> Result<Self, String> {
        // An outcome that an older report does not know did not occur.
        let totals = Self(OutcomeKind::ALL.map(|kind| counts.remove(kind.id()).unwrap_or(0)));
        match counts.into_keys().next() {
            Some(name) => Err(format!("the totals count {name:?}, which is no outcome")),
            None => Ok(totals),
        }
    }
}

/// All counts of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All trials.
    pub totals: Totals,
    /// The editions that were asked about, oldest first, and the observed profile, each role by itself.
    pub editions: Vec<EditionRecord>,
    /// The areas in the order of the suite, each with its editions.
    pub areas: Vec<AreaRecord>,
}

/// The counts of one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EditionRecord {
    /// The edition's id.
    pub edition: String,
    /// To whom its requirements are addressed: `parser` or `crawler`.
    pub role: String,
    /// Whether everything was asked and decided, and nothing failed or deviates.
    pub conforms: bool,
    /// The failed and errored trials of the level *must*. An error on an open question is not counted.
    pub must_failures: usize,
    /// The failed and errored trials of the level *should*.
    pub should_failures: usize,
    /// The failed and errored trials of the level *may*.
    pub may_failures: usize,
    /// The findings that are advice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub advice: usize,
    /// All its trials.
    pub totals: Totals,
}

/// The counts of one area under one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaRecord {
    /// The area.
    pub area: String,
    /// The edition's id.
    pub edition: String,
    /// The trials.
    pub totals: Totals,
}

/// The outcomes that decide nothing.
const UNDECIDED: [OutcomeKind; 4] =
    [OutcomeKind::Unanswered, OutcomeKind::Inconclusive, OutcomeKind::Waited, OutcomeKind::NotRun];

impl Counts {
    /// Counts trials. Of a selection, no edition is said to conform.
    #[must_use]
    pub fn of(trials: &[TrialRecord], is_selection: bool) -> Self {
        let mut editions = Vec::new();
        for profile in Profile::ALL {
            for role in Role::ALL {
                let is_own =
                    |trial: &&TrialRecord| trial.edition == profile.id() && trial.role == role.id();
                let own: Vec<&TrialRecord> = trials.iter().filter(is_own).collect();
                if own.iter().any(|trial| trial.outcome != OutcomeKind::NotAsked) {
                    editions.push(EditionRecord::of(*profile, *role, &own, is_selection));
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
                let is_own =
                    |trial: &&TrialRecord| trial.area == area && trial.edition == profile.id();
                let totals = Totals::of(trials.iter().filter(is_own));
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
            let counts = |trial: &&&TrialRecord| {
                trial.outcome.is_failure() && !trial.open && trial.level == level.id()
            };
            trials.iter().filter(counts).count()
        };
        let mut record = Self {
            edition: profile.id().to_owned(),
            role: role.id().to_owned(),
            conforms: false,
            must_failures: failures(Level::Must),
            should_failures: failures(Level::Should),
            may_failures: failures(Level::May),
            advice: trials.iter().map(|trial| trial.advice()).sum(),
            totals: Totals::of(trials.iter().copied()),
        };
        record.conforms = !is_selection && record.is_right() && record.totals.sum(&UNDECIDED) == 0;
        record
    }

    /// Returns whether this is the observed profile, which no document states.
    #[must_use]
    pub fn is_observed(&self) -> bool {
        self.edition == Profile::GoogleCpp.id()
    }

    /// Returns how many answers differ from the observed profile; 0 for an edition.
    #[must_use]
    pub fn differences(&self) -> usize {
        let wrong = self.totals.sum(&[OutcomeKind::Failed, OutcomeKind::Errored]);
        if self.is_observed() { wrong } else { 0 }
    }

    /// Returns whether no decided trial failed or deviates.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.must_failures + self.should_failures + self.may_failures + self.differences() == 0
            && self.totals.get(OutcomeKind::Deviation) == 0
    }

    /// Returns how many trials were asked and not decided.
    #[must_use]
    pub fn undecided(&self) -> usize {
        self.totals.sum(&UNDECIDED)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
