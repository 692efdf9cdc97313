//! conformance/peers/peers.toml: who the peers are, and how each is installed and run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::manifests;

#[derive(Deserialize)]
pub(crate) struct Manifest {
    registry: BTreeMap<String, Registry>,
    #[serde(rename = "peer")]
    pub(crate) peers: Vec<Peer>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Registry {
    install: Vec<String>,
    install_peer: Vec<String>,
    run: String,
}

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

impl Manifest {
    pub(crate) fn read(peers: &Path) -> Result<Self, String> {
        manifests::read(&peers.join("peers.toml"))
    }

    /// Refuses names that no peer has.
    pub(crate) fn known(&self, names: &[String]) -> Result<(), String> {
        manifests::known("peer", names, self.peers.iter().map(|peer| peer.name.as_str()))
    }

    /// Installs a peer and returns the words of the command that runs its adapter.
    pub(crate) fn command(
        &self,
        peer: &Peer,
        peers: &Path,
        install: &Path,
    ) -> Result<Vec<String>, String> {
        let registry = self.registry.get(&peer.registry).ok_or_else(|| {
            format!("peers.toml has no registry {:?}, which {} names", peer.registry, peer.name)
        })?;
        let words = |command: &str| peer.words(command, peers, install);
        fs::create_dir_all(install.join("node")).map_err(|error| error.to_string())?;
        for command in registry.install.iter().chain(&registry.install_peer) {
            manifests::run(&words(command), peers)?;
        }
        Ok(words(&registry.run))
    }
}

impl Peer {
    /// The versions as one text.
    pub(crate) fn version(&self) -> String {
        self.packages.values().cloned().collect::<Vec<_>>().join(", ")
    }

    /// Splits a command at spaces and fills in the placeholders; no shell takes part.
    fn words(&self, command: &str, peers: &Path, install: &Path) -> Vec<String> {
        let filled = |word: &str| {
            word.replace("{peers}", &peers.to_string_lossy())
                .replace("{install}", &install.to_string_lossy())
                .replace("{adapter}", &self.adapter)
                .replace("{name}", &self.name)
        };
        let packages = || self.packages.keys().cloned().collect::<Vec<_>>();
        command
            .split_whitespace()
            .flat_map(|word| if word == "{packages}" { packages() } else { vec![filled(word)] })
            .collect()
    }
}
