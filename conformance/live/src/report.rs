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
    /// The name of the crawler, for example its command.
    pub crawler: String,
    /// The product token.
    pub agent: String,
    /// The crawls.
    pub crawls: Vec<Crawl>,
    /// The trials.
    pub trials: Vec<Trial>,
    /// The number of trials that were not judged, because the run was ended.
    pub unasked: usize,
    /// The verdict cases that cannot be tested with a crawler, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// The problems of the deviations file.
    pub stale: Vec<Problem>,
    /// The reason why the remaining cases were not run, if the run stopped because the crawler made no requests.
    pub gave_up: Option<String>,
    /// Whether only a selection was run.
    pub is_selection: bool,
    /// The duration of the run.
    pub took: Duration,
}

impl Report {
    /// Converts the trials to plain data.
    pub fn records(&self) -> impl Iterator<Item = TrialRecord> {
        self.trials.iter().map(|trial| trial.record(&self.crawls[trial.crawl]))
    }
}
