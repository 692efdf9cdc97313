//! The results of a run: [`CrawlReport`].
//!
//! A [`CrawlReport`] contains the crawls of a run and the trials that were judged from them. [`CrawlReport::records`]
//! converts the trials to plain data, from which the formats of reports are written.

use std::collections::BTreeMap;

use robots_conformance::report::TrialRecord;
use robots_conformance::run;

use crate::crawl::Crawl;
use crate::trial::Trial;

/// The results of a run, with the crawls from which its trials were judged.
#[derive(Debug)]
#[non_exhaustive]
pub struct CrawlReport {
    /// The results. Runs of questions to engines use the same type. The field `subject` contains the crawler's product
    /// token.
    pub run: run::Report<Trial>,
    /// The name of the crawler, for example its command.
    pub crawler: String,
    /// The crawls.
    pub crawls: Vec<Crawl>,
    /// The verdict questions that cannot be tested with a crawler, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// The reason why the remaining cases were not run, if the run stopped because the crawler made no requests.
    pub gave_up: Option<String>,
}

impl CrawlReport {
    /// Returns the results with the trials as plain data.
    #[must_use]
    pub fn records(&self) -> run::Report<TrialRecord> {
        self.run.map(|trial| trial.record(&self.crawls[trial.crawl]))
    }
}
