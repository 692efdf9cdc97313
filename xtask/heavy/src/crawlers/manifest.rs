//! conformance/crawlers/crawlers.toml: a crawler, and how it is called.

use serde::Deserialize;

use crate::manifests::Listed;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Crawler {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) registry: String,
    packages: Vec<String>,
    pub(super) exec: String,
    pub(super) token: String,
    pub(super) switch: String,
    pub(super) obeys: bool,
    #[serde(default)]
    pub(super) together: bool,
    /// What explains many of its failures at once, or how its time-out is set.
    pub(super) note: Option<String>,
}

impl Crawler {
    /// Returns the name as that of a file.
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

    fn packages(&self) -> Vec<String> {
        self.packages.clone()
    }
}
