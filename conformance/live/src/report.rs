//! A report of crawls, counted.

use std::collections::BTreeMap;
use std::time::Duration;

use robots_conformance::judge::Outcome;
use robots_core::Edition;
use serde::{Deserialize, Serialize};

use crate::case::Level;
use crate::crawl::Crawl;
use crate::trial::Trial;

/// What crawls showed.
#[derive(Debug)]
pub struct Report {
    /// The crawler's command.
    pub crawler: String,
    /// Its product token.
    pub agent: String,
    /// What was run.
    pub crawls: Vec<Crawl>,
    /// What was judged.
    pub trials: Vec<Trial>,
    /// How many trials were not judged, because the run was told to end.
    pub unasked: usize,
    /// The verdict cases that cannot be put on the wire, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// What is wrong with the deviations file.
    pub stale: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// The counts of an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EditionCounts {
    /// The edition's id.
    pub edition: String,
    /// Whether everything was asked, and passed or was open.
    pub conforms: bool,
    /// The failures of the level *must*.
    pub must_failures: usize,
    /// The failures of the level *should*.
    pub should_failures: usize,
    /// The findings that are advice.
    pub advice: usize,
    /// The trials by outcome.
    pub totals: BTreeMap<String, usize>,
}

impl Report {
    /// Returns whether everything was asked, nothing failed, and the crawler came at all.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let failed = |trial: &Trial| trial.outcome.is_failure();
        let told = |trial: &Trial| {
            matches!(
                trial.outcome,
                Outcome::Passed | Outcome::Deviation { .. } | Outcome::Open { .. }
            )
        };
        self.unasked == 0
            && self.stale.is_empty()
            && !self.trials.iter().any(failed)
            && self.trials.iter().any(told)
    }

    /// Says that the report is partial, where it is.
    #[must_use]
    pub fn partial(&self) -> String {
        let asked = self.trials.len();
        let all = asked + self.unasked;
        format!("PARTIAL: the run was told to end after {asked} of {all} trials")
    }

    /// Counts, edition by edition; the filter says which trials count.
    pub fn editions(&self, counts: impl Fn(&Trial) -> bool) -> Vec<EditionCounts> {
        let counted = Edition::ALL.iter().filter_map(|edition| {
            let of_edition = |trial: &&Trial| trial.edition == *edition && counts(trial);
            let trials: Vec<&Trial> = self.trials.iter().filter(of_edition).collect();
            let failures = |level| {
                let failed = |trial: &&&Trial| trial.outcome.is_failure() && trial.level == level;
                trials.iter().filter(failed).count()
            };
            let totals = Outcome::NAMES.map(|name| {
                let of_name = trials.iter().filter(|trial| trial.outcome.name() == name);
                (name.to_owned(), of_name.count())
            });
            let fine =
                |trial: &&Trial| matches!(trial.outcome, Outcome::Passed | Outcome::Open { .. });
            (!trials.is_empty()).then(|| EditionCounts {
                edition: edition.id().to_owned(),
                conforms: self.unasked == 0 && trials.iter().all(fine),
                must_failures: failures(Level::Must),
                should_failures: failures(Level::Should),
                advice: trials.iter().map(|trial| trial.advice()).sum(),
                totals: totals.into_iter().collect(),
            })
        });
        counted.collect()
    }
}
