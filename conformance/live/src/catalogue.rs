//! What the catalogue of requirements says of levels and sections.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use robots_conformance::case::Level;
use robots_core::Edition;
use serde::Deserialize;

/// The level and the section of a requirement, by edition.
pub(crate) type Statements = BTreeMap<Edition, (Level, String)>;

/// The file of the suite that this crate was built with.
pub(crate) const FILE: &str = "requirements.yaml";

/// Returns the section of an edition that states a requirement of the suite.
pub(crate) fn source(requirement: &str, edition: Edition) -> Option<&'static str> {
    static EMBEDDED: LazyLock<Option<Catalogue>> =
        LazyLock::new(|| Catalogue::read(robots_spec_cases::file(FILE)?).ok());
    let (_, source) = EMBEDDED.as_ref()?.get(requirement)?.get(&edition)?;
    Some(source)
}

/// The requirements by id, and the editions that follow another.
pub(crate) struct Catalogue {
    requirements: HashMap<String, Statements>,
    /// The requirements that only cases on the wire test.
    on_the_wire: BTreeSet<String>,
    followed: BTreeMap<Edition, Edition>,
    withdrawn: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "same-as", default)]
    same_as: BTreeMap<String, String>,
    #[serde(default)]
    withdrawn: BTreeMap<String, String>,
    requirements: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Requirement {
    id: String,
    editions: BTreeMap<String, Stated>,
    #[serde(rename = "on-the-wire", default)]
    on_the_wire: bool,
}

/// A statement, or the word by which an edition says that it does not follow here.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stated {
    Statement { level: Level, source: String },
    NotAsked(NotAsked),
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NotAsked {
    NotAsked,
}

impl Catalogue {
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let file: File = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let edition = |id: &str| id.parse::<Edition>().map_err(|error| error.to_string());
        let mut followed = BTreeMap::new();
        for (further, base) in &file.same_as {
            followed.insert(edition(further)?, edition(base)?);
        }
        let mut requirements = HashMap::new();
        let mut on_the_wire = BTreeSet::new();
        for requirement in file.requirements {
            let mut statements = Statements::new();
            let mut said = Vec::new();
            for (id, stated) in requirement.editions {
                said.push(edition(&id)?);
                if let Stated::Statement { level, source } = stated {
                    statements.insert(edition(&id)?, (level, source));
                }
            }
            for (further, base) in followed.iter().filter(|(further, _)| !said.contains(further)) {
                let inherited = statements.get(base).cloned();
                statements.extend(inherited.map(|statement| (*further, statement)));
            }
            if requirement.on_the_wire {
                on_the_wire.insert(requirement.id.clone());
            }
            requirements.insert(requirement.id, statements);
        }
        Ok(Self { requirements, on_the_wire, followed, withdrawn: file.withdrawn })
    }

    /// Returns why the id of a case was withdrawn, if it was.
    pub(super) fn withdrawn(&self, id: &str) -> Option<&str> {
        self.withdrawn.get(id).map(String::as_str)
    }

    /// Returns the requirements that only cases on the wire test, each with the editions that state it.
    pub(super) fn on_the_wire(&self) -> impl Iterator<Item = (&str, Edition)> {
        self.on_the_wire
            .iter()
            .flat_map(|id| self.requirements[id].keys().map(|edition| (id.as_str(), *edition)))
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Statements> {
        self.requirements.get(id)
    }

    /// Returns the editions that follow another, with that other.
    pub(crate) fn followed(&self) -> &BTreeMap<Edition, Edition> {
        &self.followed
    }
}
