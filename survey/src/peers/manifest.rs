//! Reads survey/peers/peers.toml: the peers and their usage.
//!
//! [`Peer`] is an entry. The keys that all manifests have are described in `manifests.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, listed};
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

impl Listed for Peer {
    listed!("peer", with an adapter);

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }
}
