//! Reads conformance/crawlers/crawlers.toml: the crawlers and their commands.

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::Listed;
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
    /// Whether it stays on the host of a start URL. Then it is tested only with the cases that have one origin.
    #[serde(default)]
    pub(super) own_host: bool,
    /// Whether it does not follow links to an address with a port. Then it is measured in a network namespace, which
    /// has host names and default ports.
    #[serde(default)]
    pub(super) names: bool,
    /// Whether this project wrote the crawler.
    #[serde(default)]
    ours: bool,
    pub(super) claims: Claim,
    /// An explanation of many of its failures, or of its time-out.
    pub(super) note: Option<String>,
    /// The reason why it counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    pub(crate) old: Option<String>,
    /// The reports for its maintainers.
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
    const KIND: &'static str = "crawler";

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
        self.packages.clone()
    }
}
