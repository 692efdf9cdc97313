//! conformance/crawlers/crawlers.toml: who the crawlers are, and how each is installed and called.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

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
}

/// The folders that commands name.
pub(super) struct Folders {
    pub(super) crawlers: PathBuf,
    pub(super) install: PathBuf,
}

impl Manifest {
    pub(super) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join("crawlers.toml");
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Refuses names that no crawler has.
    pub(super) fn known(&self, names: &[String]) -> Result<(), String> {
        let known: Vec<&str> = self.crawlers.iter().map(|crawler| crawler.name.as_str()).collect();
        match names.iter().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                Err(format!("there is no crawler {name:?}; the crawlers are {}", known.join(", ")))
            }
            None => Ok(()),
        }
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
        for command in registry.install.iter().filter(|_| install) {
            run(&crawler.words(command, folders))?;
        }
        let version = run(&crawler.words(&registry.version, folders))?;
        let version = version.trim().rsplit(['@', '#']).next().unwrap_or_default().to_owned();
        Ok((folders.fill(&crawler.exec), version))
    }
}

impl Crawler {
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

fn run(words: &[String]) -> Result<String, String> {
    let failed = |why: &str| format!("`{}` failed: {why}", words.join(" "));
    let output = Command::new(&words[0]).args(&words[1..]).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(failed(said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()))
}
