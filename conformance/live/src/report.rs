//! The results of a run: [`CrawlReport`].
//!
//! A [`CrawlReport`] contains the crawls of a run and the trials that were judged from them. [`CrawlReport::records`]
//! converts the trials to plain data, from which the formats of reports are written.

use std::collections::BTreeMap;

use robots_conformance::report::TrialRecord;
use robots_conformance::report::record::RunRecord;
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
    /// Makes the record of the run, from which every format of a report is written.
    #[must_use]
    pub fn record(&self) -> RunRecord {
        let crawls = self.crawls.iter().filter_map(|crawl| crawl.record.as_ref().ok());
        let mut record = RunRecord::from(self.records());
        record.command = Some(self.crawler.clone());
        // A run that gave up on the crawler is not complete.
        record.clean &= self.gave_up.is_none();
        record.not_on_the_wire.clone_from(&self.unwired);
        // The record of a crawl contains nothing that JSON cannot represent, so no crawl is lost here.
        record.crawls = crawls.filter_map(|record| serde_json::to_value(record).ok()).collect();
        record
    }

    /// Returns the results with the trials as plain data.
    #[must_use]
    pub fn records(&self) -> run::Report<TrialRecord> {
        self.run.map(|trial| trial.record(&self.crawls[trial.crawl]))
    }
}
