//! conformance/crawlers/crawlers.toml: who the crawlers are, and how each is installed and called.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::manifests;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    registry: BTreeMap<String, Registry>,
    #[serde(rename = "crawler")]
    pub(super) crawlers: Vec<Crawler>,
    /// What is not measured, and why.
    pub(super) unmeasured: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Registry {
    install: Vec<String>,
    version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Crawler {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) registry: String,
    packages: Vec<String>,
    exec: String,
    pub(super) token: String,
    pub(super) switch: String,
    pub(super) obeys: bool,
    #[serde(default)]
    pub(super) together: bool,
    /// What explains many of its failures at once, or how its time-out is set.
    pub(super) note: Option<String>,
}

/// The folders that commands name.
pub(super) struct Folders {
    pub(super) crawlers: PathBuf,
    pub(super) install: PathBuf,
}

impl Manifest {
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        manifests::read(&folder.join("crawlers.toml"))
    }

    /// Refuses names that no crawler has.
    pub(super) fn known(&self, names: &[String]) -> Result<(), String> {
        let known = self.crawlers.iter().map(|crawler| crawler.name.as_str());
        manifests::known("crawler", names, known)
    }

    /// Installs a crawler, unless that is left out, and returns its command and version.
    pub(super) fn ready(
        &self,
        crawler: &Crawler,
        folders: &Folders,
        install: bool,
    ) -> Result<(String, String), String> {
        let registry = self.registry.get(&crawler.registry).ok_or_else(|| {
            format!(
                "crawlers.toml has no registry {:?}, which {} names",
                crawler.registry, crawler.name
            )
        })?;
        fs::create_dir_all(folders.install.join("node")).map_err(|error| error.to_string())?;
        let run =
            |command: &str| manifests::run(&crawler.words(command, folders), &folders.crawlers);
        for command in registry.install.iter().filter(|_| install) {
            run(command)?;
        }
        let version = run(&registry.version)?;
        let version = version.trim().rsplit(['@', '#']).next().unwrap_or_default().to_owned();
        Ok((folders.fill(&crawler.exec), version))
    }
}

impl Crawler {
    /// Returns the name as that of a file.
    pub(super) fn file_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '-' };
        self.name.chars().map(plain).collect()
    }

    fn words(&self, command: &str, folders: &Folders) -> Vec<String> {
        let words = command.split(' ').flat_map(|word| match word {
            "{packages}" => self.packages.clone(),
            word => vec![word.replace("{packages}", &self.packages.join(" "))],
        });
        words.map(|word| folders.fill(&word).replace('\u{a0}', " ")).collect()
    }
}

impl Folders {
    fn fill(&self, text: &str) -> String {
        text.replace("{crawlers}", &self.crawlers.to_string_lossy())
            .replace("{install}", &self.install.to_string_lossy())
    }
}
