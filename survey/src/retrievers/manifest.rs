//! Reads survey/peers/retrievers.toml: the retrievers and their usage.
//!
//! [`Retriever`] is an entry. The keys that all manifests have are described in `manifests.rs`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::manifests::{Listed, listed};
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
    pub(super) packages: BTreeMap<String, String>,
    adapter: String,
    pub(super) usage: String,
    /// The way in which the retriever gets the time of a timeline, or the reason why this is not possible.
    pub(super) clock: String,
    /// The reports for the retriever's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Listed for Retriever {
    listed!("retriever", with an adapter);
}
