//! Reads conformance/peers/retrievers.toml: the retrievers and their usage.
//!
//! [`Retriever`] is an entry. The keys that all manifests have are described in `manifests.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::manifests::Listed;
use crate::reports::ReportPage;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retriever {
    pub(super) name: String,
    /// Whether the retriever is a part of this project.
    #[serde(default)]
    ours: bool,
    language: String,
    registry: String,
    packages: BTreeMap<String, String>,
    adapter: String,
    pub(super) usage: String,
    /// The way in which the retriever gets the time of a timeline, or the reason why this is not possible.
    pub(super) clock: String,
    /// The reports for the retriever's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Retriever {
    /// Returns the versions of all packages of the retriever as one text.
    pub(super) fn version(&self) -> String {
        self.packages.values().cloned().collect::<Vec<_>>().join(", ")
    }
}

impl Listed for Retriever {
    const KIND: &'static str = "retriever";

    fn name(&self) -> &str {
        &self.name
    }

    fn registry(&self) -> &str {
        &self.registry
    }

    fn language(&self) -> &str {
        &self.language
    }

    fn reports(&self) -> &[ReportPage] {
        &self.reports
    }

    fn is_ours(&self) -> bool {
        self.ours
    }

    fn packages(&self) -> Vec<String> {
        self.packages.keys().cloned().collect()
    }

    fn values(&self) -> Vec<(&'static str, &str)> {
        vec![("adapter", &self.adapter), ("name", &self.name)]
    }
}
