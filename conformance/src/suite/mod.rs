//! The suite as a validated model: requirements, tables, cases.
//!
//! [`load`] reads the YAML files into a [`Suite`]. The modules [`requirement`] and [`case`] define the content of a
//! suite. Start at [`Suite`]. This module does not know engines, and only `load` reads YAML.

pub mod case;
pub mod load;
pub mod requirement;

use std::collections::BTreeMap;
use std::sync::Arc;

use self::case::Case;
use self::load::Followed;
use self::requirement::{Requirement, Sentence, Table};
use crate::problem::Problem;

/// The requirements, the tables and the cases.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Suite {
    /// Every requirement, in the order of the file.
    pub requirements: Vec<Requirement>,
    /// Every table of every edition.
    pub tables: Vec<Table>,
    /// The editions that follow another edition, each with the followed edition.
    pub(crate) followed: Followed,
    /// The ids of cases that were withdrawn, with the reasons. These ids are not used again.
    pub withdrawn: BTreeMap<String, String>,
    /// Every normative sentence of the documents, section by section.
    pub sentences: Vec<Sentence>,
    /// Every case, file by file.
    pub cases: Vec<Arc<Case>>,
    /// The problems with the observed answers, for example a missing answer, each with the way to fix it. These
    /// problems do not affect runs about editions, so a case can be added before the library is observed.
    pub unobserved: Vec<Problem>,
}

impl Suite {
    /// Returns the requirement with this id.
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| requirement.id == id)
    }

    /// Returns the text of the requirement with this id. The text is empty if the suite does not list the requirement.
    #[must_use]
    pub fn says(&self, id: &str) -> &str {
        self.requirement(id).map_or("", |requirement| requirement.says.trim())
    }

    /// Returns the case with this id.
    pub fn case(&self, id: &str) -> Option<&Arc<Case>> {
        self.cases.iter().find(|case| case.id == id)
    }

    /// Returns the areas that have cases, each once, in the order of the files.
    pub fn areas(&self) -> Vec<&str> {
        let mut areas: Vec<&str> = Vec::new();
        for case in &self.cases {
            if !areas.contains(&case.area.as_str()) {
                areas.push(&case.area);
            }
        }
        areas
    }
}
