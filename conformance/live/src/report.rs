//! The results of a run: [`Report`].

use std::collections::BTreeMap;
use std::time::Duration;

use robots_conformance::problem::Problem;
use robots_conformance::report::TrialRecord;

use crate::crawl::Crawl;
use crate::trial::Trial;

/// The results of a run.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report {
    /// The crawler's command.
    pub crawler: String,
    /// Its product token.
    pub agent: String,
    /// The crawls.
    pub crawls: Vec<Crawl>,
    /// The trials.
    pub trials: Vec<Trial>,
    /// How many trials were not judged, because the run was told to end.
    pub unasked: usize,
    /// The verdict cases that cannot be put on the wire, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// What is wrong with the deviations file.
    pub stale: Vec<Problem>,
    /// Whether only a selection was asked.
    pub is_selection: bool,
    /// How long it took.
    pub took: Duration,
}

impl Report {
    /// Returns the trials as plain data.
    pub fn records(&self) -> impl Iterator<Item = TrialRecord> {
        self.trials.iter().map(|trial| trial.record(&self.crawls[trial.crawl]))
    }
}
