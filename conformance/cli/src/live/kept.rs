//! Crawls that are over: the access logs of a JSON report, to be judged again.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use robots_test_web::live::{Case, NotRun, Record};
use serde::Deserialize;

use super::crawl::Crawl;
use super::report::record::KIND;

/// What of a report is read: what happened, and nothing that was said of it.
#[derive(Deserialize)]
pub(super) struct Kept {
    report: String,
    pub(super) crawler: String,
    pub(super) agent: String,
    records: Vec<Record>,
}

impl Kept {
    /// Reads a JSON report.
    pub(super) fn read(path: &Path) -> Result<Self, String> {
        let file = path.display();
        let text = fs::read_to_string(path)
            .map_err(|error| format!("cannot read the report {file}: {error}"))?;
        let kept: Self = serde_json::from_str(&text)
            .map_err(|error| format!("{file} is no JSON report of live: {error}"))?;
        if kept.report == KIND {
            Ok(kept)
        } else {
            Err(format!("{file} is a report of {:?}, not of {KIND:?}", kept.report))
        }
    }

    /// Returns the crawls of cases; of one that was not crawled, that it was not run.
    pub(super) fn crawls<'c>(self, cases: impl Iterator<Item = &'c Case>) -> Vec<Crawl> {
        let mut records: HashMap<String, Record> =
            self.records.into_iter().map(|record| (record.case.clone(), record)).collect();
        let crawl = |case: &Case| {
            let record = records.remove(&case.id);
            let record = record.ok_or_else(|| NotRun::because("the report holds no crawl of it"));
            Crawl { case: case.clone(), edition: None, record, said: None }
        };
        cases.map(crawl).collect()
    }
}
