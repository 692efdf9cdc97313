//! conformance/peers/peers.toml: a peer, and how it is used.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::manifests::Listed;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    pub(crate) name: String,
    pub(crate) language: String,
    pub(crate) registry: String,
    pub(crate) packages: BTreeMap<String, String>,
    adapter: String,
    pub(crate) usage: String,
    pub(crate) editions: Vec<String>,
    #[serde(default)]
    pub(crate) claims: Option<String>,
}

impl Peer {
    /// The versions as one text.
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

    fn packages(&self) -> Vec<String> {
        self.packages.keys().cloned().collect()
    }

    fn values(&self) -> Vec<(&'static str, &str)> {
        vec![("adapter", &self.adapter), ("name", &self.name)]
    }
}
