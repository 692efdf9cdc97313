//! Reads the manifests of peers, crawlers and retrievers. [`Manifest`] also installs the entries, and fills in their
//! commands.
//!
//! A manifest is TOML. The tables `registry.NAME` of a manifest contain the commands of a registry, and each
//! `[[peer]]`, `[[crawler]]` or `[[retriever]]` names a registry. No shell is used. A command is split at spaces, then
//! its placeholders are filled in. To put a space into a word, write a no-break space.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A manifest of one kind of software.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest<T> {
    registry: BTreeMap<String, Registry>,
    /// The entries to measure.
    #[serde(alias = "peer", alias = "crawler", alias = "retriever")]
    pub(crate) listed: Vec<T>,
    /// The entries that are not measured, with reasons.
    #[serde(default)]
    pub(crate) unmeasured: BTreeMap<String, String>,
}

/// The commands of a registry.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Registry {
    /// The commands that prepare the registry. These commands run when an entry is installed, before `install_peer`.
    install: Vec<String>,
    /// The commands that install one entry.
    #[serde(default)]
    install_peer: Vec<String>,
    /// The command that runs the adapter of a peer.
    run: Option<String>,
    /// The command that prints the version of a crawler.
    version: Option<String>,
}

/// An entry of a manifest.
pub(crate) trait Listed: DeserializeOwned {
    /// The kind of entry, for example `peer`. For the kind `peer`, the manifest is `peers.toml`, and `{peers}` is its
    /// folder.
    const KIND: &'static str;

    fn name(&self) -> &str;

    fn registry(&self) -> &str;

    fn language(&self) -> &str;

    /// Returns the reason why an older release is measured, or `None` if this is the newest one.
    fn older(&self) -> Option<&str> {
        None
    }

    /// Returns whether the software is a part of this project.
    fn is_ours(&self) -> bool {
        false
    }

    /// Returns the reason why the software counts as old, or `None` if it is in current use.
    fn old(&self) -> Option<&str> {
        None
    }

    /// Returns the newest release in the registries. Software of this project has none.
    fn newest(&self) -> Option<&Newest> {
        None
    }

    /// Returns a sentence about the newest release, and what changed since the measured one.
    fn release(&self) -> String {
        self.newest().map_or_else(String::new, |Newest { version, day, changes }| {
            let changes = changes.as_deref().unwrap_or_default();
            format!("The newest release in the registries was {version} on {day}. {changes}")
        })
    }

    /// Returns the names of the software's packages, for the placeholder `{packages}`.
    fn packages(&self) -> Vec<String>;

    /// Returns the other placeholders of the entry, with their values.
    fn values(&self) -> Vec<(&'static str, &str)> {
        Vec::new()
    }
}

/// The newest release of an entry in the registries.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Newest {
    pub(crate) version: String,
    /// The day on which the release was looked up.
    pub(crate) day: String,
    /// What changed since the measured release, if this is another one.
    pub(crate) changes: Option<String>,
}

/// Writes the getters of [`Listed`] for the fields that all manifests have. A common struct is not possible, because
/// serde does not combine `flatten` with `deny_unknown_fields`.
macro_rules! listed {
    ($kind:literal, with an adapter) => {
        listed!($kind);

        fn packages(&self) -> Vec<String> {
            self.packages.keys().cloned().collect()
        }

        fn values(&self) -> Vec<(&'static str, &str)> {
            vec![("adapter", &self.adapter), ("name", &self.name)]
        }
    };
    ($kind:literal) => {
        const KIND: &'static str = $kind;

        fn name(&self) -> &str {
            &self.name
        }

        fn registry(&self) -> &str {
            &self.registry
        }

        fn language(&self) -> &str {
            &self.language
        }

        fn older(&self) -> Option<&str> {
            self.older.as_deref()
        }

        fn is_ours(&self) -> bool {
            self.ours
        }

        fn newest(&self) -> Option<&Newest> {
            self.newest.as_ref()
        }
    };
}

pub(crate) use listed;

/// The folders for which commands contain placeholders.
pub(crate) struct Folders {
    /// The folder of the manifest.
    pub(crate) manifest: PathBuf,
    /// The folder of all installations.
    pub(crate) install: PathBuf,
}

impl<T: Listed> Manifest<T> {
    /// Reads the manifest in a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let path = folder.join(format!("{}s.toml", T::KIND));
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Returns an error for a name that the manifest does not list.
    pub(crate) fn known(&self, asked: &[String]) -> Result<(), String> {
        let names: Vec<&str> = self.listed.iter().map(Listed::name).collect();
        let kind = T::KIND;
        match asked.iter().find(|name| !names.contains(&name.as_str())) {
            Some(name) => {
                Err(format!("there is no {kind} {name:?}; the {kind}s are {}", names.join(", ")))
            }
            None => Ok(()),
        }
    }

    /// Installs an entry of the manifest.
    pub(crate) fn install(&self, listed: &T, folders: &Folders) -> Result<(), String> {
        let registry = self.registry_of(listed)?;
        fs::create_dir_all(folders.install.join("node")).map_err(|error| error.to_string())?;
        for command in registry.install.iter().chain(&registry.install_peer) {
            run(&folders.words(listed, command), &folders.manifest)?;
        }
        Ok(())
    }

    /// Returns the words of the command that runs the adapter.
    pub(crate) fn adapter(&self, listed: &T, folders: &Folders) -> Result<Vec<String>, String> {
        let command = self.registry_of(listed)?.run.as_ref();
        let command = command.ok_or_else(|| lacks::<T>(listed.registry(), "run"))?;
        Ok(folders.words(listed, command))
    }

    /// Returns the installed version.
    pub(crate) fn version(&self, listed: &T, folders: &Folders) -> Result<String, String> {
        let command = self.registry_of(listed)?.version.as_ref();
        let command = command.ok_or_else(|| lacks::<T>(listed.registry(), "version"))?;
        let version = run(&folders.words(listed, command), &folders.manifest)?;
        Ok(version.trim().rsplit(['@', '#']).next().unwrap_or_default().to_owned())
    }

    fn registry_of(&self, listed: &T) -> Result<&Registry, String> {
        let (kind, name) = (T::KIND, listed.registry());
        self.registry.get(name).ok_or_else(|| {
            format!("{kind}s.toml has no registry {name:?}, which {} names", listed.name())
        })
    }
}

fn lacks<T: Listed>(registry: &str, key: &str) -> String {
    format!("{}s.toml: the registry {registry:?} has no `{key}`", T::KIND)
}

impl Folders {
    /// Fills in the placeholders of the folders.
    pub(crate) fn fill<T: Listed>(&self, text: &str) -> String {
        text.replace("{unstable}", &self.unstable().join(" "))
            .replace(&format!("{{{}s}}", T::KIND), &self.manifest.to_string_lossy())
            .replace("{install}", &self.install.to_string_lossy())
    }

    /// Returns the words that run a command in Debian's unstable suite.
    fn unstable(&self) -> [String; 3] {
        let [script, root] = [self.manifest.join("../unstable"), self.install.join("../unstable")];
        let [script, root] = [script, root].map(|path| path.to_string_lossy().into_owned());
        [script, "run".to_owned(), root]
    }

    /// Splits a command at spaces and fills in the placeholders.
    fn words<T: Listed>(&self, listed: &T, command: &str) -> Vec<String> {
        let packages = listed.packages();
        let values = listed.values();
        let fill = |word: &str| {
            let word = word.replace("{packages}", &packages.join(" "));
            let word = values
                .iter()
                .fold(word, |word, (name, value)| word.replace(&format!("{{{name}}}"), value));
            self.fill::<T>(&word).replace('\u{a0}', " ")
        };
        let words = command.split_ascii_whitespace().flat_map(|word| match word {
            "{packages}" => packages.clone(),
            "{unstable}" => self.unstable().to_vec(),
            word => vec![fill(word)],
        });
        words.collect()
    }
}

/// Runs a command and returns its output. An error ends with the last line of the command's error output.
pub(crate) fn run(words: &[String], folder: &Path) -> Result<String, String> {
    let failed = |why: &str| format!("`{}` failed: {why}", words.join(" "));
    let (program, arguments) = words.split_first().ok_or("a command of the manifest is empty")?;
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| failed(&error.to_string()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(failed(errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use crate::files::workspace;
    use serde::Deserialize;

    use super::{Folders, Listed, Manifest, run};
    use crate::peers::Peer;
    use crate::results::Results;
    use crate::retrievers::Retriever;

    #[test]
    fn a_command_returns_its_output_or_its_last_error() {
        let words = |script: &str| ["sh", "-c", script].map(str::to_owned);
        assert_eq!(run(&words("echo a"), Path::new("/")).unwrap(), "a\n");
        let problem = run(&words("echo b >&2; echo; exit 3"), Path::new("/")).unwrap_err();
        assert!(problem.ends_with(" failed: b"), "{problem}");
        assert!(run(&[], Path::new("/")).is_err());
        assert!(run(&["/no/such/program".to_owned()], Path::new("/")).is_err());
    }

    #[derive(Deserialize)]
    struct Crawler {
        name: String,
        packages: Vec<String>,
    }

    impl Listed for Crawler {
        const KIND: &'static str = "crawler";

        fn name(&self) -> &str {
            &self.name
        }

        fn registry(&self) -> &str {
            "shop"
        }

        fn language(&self) -> &str {
            "C"
        }

        fn packages(&self) -> Vec<String> {
            self.packages.clone()
        }

        fn values(&self) -> Vec<(&'static str, &str)> {
            vec![("name", &self.name)]
        }
    }

    fn manifest() -> Manifest<Crawler> {
        let text = "registry.shop = { install = [], version = 'echo {name}@1.2' }
crawler = [{ name = 'wget', packages = ['a', 'b'] }]";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn unknown_names_are_refused() {
        let problem = manifest().known(&["wgot".to_owned()]).unwrap_err();
        assert_eq!(problem, "there is no crawler \"wgot\"; the crawlers are wget");
        assert!(manifest().known(&[]).is_ok());
    }

    /// Every entry of a manifest has a result, and every result has an entry.
    #[test]
    fn every_entry_is_measured() {
        fn names<T: Listed>(folder: &str) -> (BTreeSet<String>, BTreeSet<String>) {
            let manifest = Manifest::<T>::read(&workspace().join("survey").join(folder)).unwrap();
            let results = Results::read(&format!("{}s", T::KIND)).unwrap().measured;
            let listed = manifest.listed.iter().map(|one| one.name().to_owned());
            (listed.collect(), results.into_iter().map(|one| one.head.software).collect())
        }
        for (listed, measured) in [
            names::<Peer>("peers"),
            names::<crate::crawlers::Crawler>("crawlers"),
            names::<Retriever>("peers"),
        ] {
            assert_eq!(listed, measured, "measure the entry: `cargo survey`");
        }
    }

    #[test]
    fn commands_are_filled_in() {
        let folders =
            Folders { manifest: PathBuf::from("/"), install: PathBuf::from("/installed") };
        let manifest = manifest();
        let wget = &manifest.listed[0];
        let words =
            folders.words(wget, "{install}/run {packages} -p={packages} {crawlers}{name} a\u{a0}b");
        assert_eq!(words, ["/installed/run", "a", "b", "-p=a b", "/wget", "a b"]);
        let words = folders.words(wget, "{unstable} ls");
        assert_eq!(words, ["/../unstable", "run", "/installed/../unstable", "ls"]);
        assert_eq!(folders.fill::<Crawler>("{unstable} ls"), words.join(" "));
        assert_eq!(manifest.version(wget, &folders).unwrap(), "1.2");
        let problem = manifest.adapter(wget, &folders).unwrap_err();
        assert_eq!(problem, "crawlers.toml: the registry \"shop\" has no `run`");
    }
}
