//! What the catalogue of requirements says of levels and sections.

use std::collections::{BTreeMap, HashMap};

use robots_core::Edition;
use serde::Deserialize;

use super::case::Level;

/// The requirements by id; of each, level and section by edition.
pub(super) struct Catalogue(HashMap<String, BTreeMap<Edition, (Level, String)>>);

#[derive(Deserialize)]
struct File {
    requirements: Vec<Requirement>,
}

#[derive(Deserialize)]
struct Requirement {
    id: String,
    editions: BTreeMap<String, Statement>,
}

#[derive(Deserialize)]
struct Statement {
    level: Level,
    source: String,
}

impl Catalogue {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let file: File = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
        let mut requirements = HashMap::new();
        for requirement in file.requirements {
            let editions = requirement.editions.into_iter().map(|(edition, statement)| {
                let edition: Edition = edition.parse().map_err(|error| format!("{error}"))?;
                Ok((edition, (statement.level, statement.source)))
            });
            requirements.insert(requirement.id, editions.collect::<Result<_, String>>()?);
        }
        Ok(Self(requirements))
    }

    pub(super) fn get(&self, id: &str) -> Option<&BTreeMap<Edition, (Level, String)>> {
        self.0.get(id)
    }
}
