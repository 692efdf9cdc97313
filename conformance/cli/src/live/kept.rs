//! Crawls that are over: [`Kept`] reads the access logs of a JSON report, so that they can be judged again.

use std::fs;
use std::path::Path;

use robots_conformance_live::Record;
use serde::Deserialize;

use super::report::record::KIND;

/// The part of a report that is read: what happened, without the judgements.
#[derive(Debug, Deserialize)]
pub struct Kept {
    report: String,
    /// The name of the crawler: its command.
    pub crawler: String,
    /// Its product token.
    pub agent: String,
    /// The crawls.
    pub records: Vec<Record>,
}

impl Kept {
    /// Reads a JSON report.
    ///
    /// # Errors
    /// A sentence that says why the file is no such report.
    pub fn read(path: &Path) -> Result<Self, String> {
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
}
