//! Reads survey/crawlers/crawlers.toml: the crawlers and their commands.
//!
//! [`Crawler`] is an entry. The keys that all manifests have are described in `manifests.rs`.

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, listed};
use crate::reports::ReportPage;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Crawler {
    pub(super) name: String,
    language: String,
    registry: String,
    packages: Vec<String>,
    pub(super) exec: String,
    pub(super) token: String,
    pub(super) switch: String,
    pub(super) obeys: bool,
    #[serde(default)]
    pub(super) together: bool,
    /// Whether the crawler stays on the host of its start URL. Such a crawler is tested only with the cases that have
    /// one origin.
    #[serde(default)]
    pub(super) own_host: bool,
    /// Whether the crawler follows only links without a port. Such a crawler is measured in a network namespace, which
    /// has host names and default ports.
    #[serde(default)]
    pub(super) names: bool,
    /// Whether this project wrote the crawler.
    #[serde(default)]
    ours: bool,
    pub(super) claims: Claim,
    /// An explanation of many failures of the crawler, or of its time-out.
    pub(super) note: Option<String>,
    /// The reason why the crawler counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    pub(crate) old: Option<String>,
    /// The reports for the crawler's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Crawler {
    /// Returns the name in the form of a file name.
    pub(super) fn file_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '-' };
        self.name.chars().map(plain).collect()
    }
}

impl Listed for Crawler {
    listed!("crawler");

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }

    fn packages(&self) -> Vec<String> {
        self.packages.clone()
    }
}
