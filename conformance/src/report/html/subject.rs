//! A subject of the page: [`Subject`].
//!
//! A subject is an implementation with the record of its run. The name comes from the record; the caller can also set a
//! version and a language.

use crate::report::record::RunRecord;

/// An implementation, and the results of its run.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name. No two subjects of a page have the same name.
    pub name: String,
    /// The version.
    pub version: Option<String>,
    /// The programming language of the implementation.
    pub language: Option<String>,
    /// The results.
    pub record: RunRecord,
}

impl Subject {
    /// Makes a subject from a record, with the name in the record.
    pub fn new(record: RunRecord) -> Self {
        Self { name: record.subject.clone(), version: None, language: None, record }
    }

    /// Returns the version and the language as one text, which is empty if neither is known.
    pub(super) fn about(&self) -> String {
        let facts: Vec<&str> =
            [&self.version, &self.language].into_iter().flatten().map(String::as_str).collect();
        facts.join(" · ")
    }
}
