//! Finished crawls, which can be judged again without crawling: [`Kept`].
//!
//! [`Kept::read`] reads the records of crawls from a JSON report of a run.

use std::path::Path;

use robots_conformance::report::record::check;
use robots_console::error::Error;
use robots_console::file;
use serde::Deserialize;

use crate::run::CrawlRecord;

/// The maximum length of a report in octets. The report of a run of every case is less than a tenth as long.
const LONGEST: u64 = 512 * 1024 * 1024;

/// The part of a report that `--judge` needs: the crawls, without the judgements.
#[derive(Debug, Deserialize)]
pub struct Kept {
    report: String,
    version: u32,
    /// The crawler's product token.
    pub subject: String,
    /// The command that started the crawler.
    pub command: Option<String>,
    /// The crawls.
    #[serde(default)]
    pub crawls: Vec<CrawlRecord>,
}

impl Kept {
    /// Reads a JSON report.
    ///
    /// # Errors
    /// Returns a message with the reason if the file cannot be read or is not a JSON report with crawls.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file = path.display();
        let octets = file::octets(path, LONGEST)
            .map_err(|error| Error::new(format!("cannot read the report {file}: {error}")))?;
        let kept: Self = serde_json::from_slice(&octets)
            .map_err(|error| Error::new(format!("{file} is not a JSON report of live: {error}")))?;
        check(&kept.report, kept.version).map_err(|message| format!("{file} {message}"))?;
        if kept.crawls.is_empty() {
            return Err(
                format!("{file} has no crawls; `live --report json=FILE` writes them").into()
            );
        }
        Ok(kept)
    }
}
