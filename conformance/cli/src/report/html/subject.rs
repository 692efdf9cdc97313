//! A subject of the page: [`Subject`].

use crate::report::record::RunRecord;

/// An implementation, and the results of its run.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name. No two subjects of a page have the same name.
    pub name: String,
    /// The version.
    pub version: Option<String>,
    /// The language in which it is written.
    pub language: Option<String>,
    /// The results.
    pub record: RunRecord,
    /// How many questions it answered rightly, if the record lacks the trials that passed.
    pub passed: Option<usize>,
}

impl Subject {
    /// Makes a subject from a record, with the name in the record.
    pub fn new(record: RunRecord) -> Self {
        Self { name: record.subject.clone(), version: None, language: None, record, passed: None }
    }

    /// Returns version and language as one text, which is empty if both are unknown.
    pub(super) fn about(&self) -> String {
        let facts: Vec<&str> =
            [&self.version, &self.language].into_iter().flatten().map(String::as_str).collect();
        facts.join(" · ")
    }
}
