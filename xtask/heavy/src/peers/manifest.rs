//! Reads conformance/peers/peers.toml: the peers and their usage.
//!
//! [`Peer`] is an entry. The keys that all manifests have are described in `manifests.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::Listed;
use crate::reports::ReportPage;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    pub(crate) name: String,
    language: String,
    registry: String,
    pub(crate) packages: BTreeMap<String, String>,
    adapter: String,
    pub(crate) usage: String,
    pub(crate) editions: Vec<String>,
    pub(crate) claims: Claim,
    /// The reason why the parser counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    pub(crate) old: Option<String>,
    /// Whether this project wrote the parser.
    #[serde(default)]
    ours: bool,
    /// The reports for the parser's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Peer {
    /// Returns the versions of all packages of the parser as one text.
    pub(crate) fn version(&self) -> String {
        self.packages.values().cloned().collect::<Vec<_>>().join(", ")
    }
}

impl Listed for Peer {
    const KIND: &'static str = "peer";

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

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }

    fn packages(&self) -> Vec<String> {
        self.packages.keys().cloned().collect()
    }

    fn values(&self) -> Vec<(&'static str, &str)> {
        vec![("adapter", &self.adapter), ("name", &self.name)]
    }
}
