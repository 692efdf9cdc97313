//! Files to a [`Suite`], or to everything that is wrong with them.
//!
//! Start at [`suite`]. Each file is YAML first, then structs of raw keys, then the model; what
//! fails at one step is reported with file and line, and the rest goes on.

mod case;
mod depth;
mod documents;
mod observed;
mod raw;
mod requirements;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

use robots_core::Edition;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use self::source::Block;
pub(crate) use self::source::Source;
use crate::problem::{Place, Problem, Problems};
use crate::suite::Suite;
use crate::suite::requirement::Requirement;
use crate::yaml::read_keys;

const CATALOGUE: &str = "requirements.yaml";

/// Loads the embedded suite.
///
/// # Errors
/// Everything that is wrong with the files, which is nothing in a published version.
pub fn embedded() -> Result<Suite, Problems> {
    suite(robots_spec_cases::files())
}

/// Loads a suite from files: their paths below the suite's folder, and their text.
///
/// Files in the folder itself that end in `.yaml` are read: `requirements.yaml` is the catalogue,
/// `documents.yaml` lists the sentences of the documents, and every other one holds the cases of the area its
/// stem names. `observed/google-cpp.yaml` holds the answers of
/// the observed profile. The rest is left alone.
///
/// # Errors
/// Everything that is wrong with the files, in the order of the files.
///
/// ```
/// let files = [
///     ("requirements.yaml", "requirements:
///   - id: MATCH-PREFIX
///     area: path-matching
///     says: A pattern matches from the start.
///     editions: { rfc9309: { level: must, source: 2.2.2 } }
/// "),
///     ("path-matching.yaml", "area: path-matching
/// cases:
///   - id: prefix
///     requirement: MATCH-PREFIX
///     about: A pattern matches every path that begins with it.
///     pattern: /fish
///     matches: [/fishheads]
///     expect: { rfc9309: as-listed }
/// "),
/// ];
/// let suite = robots_conformance::load::suite(files)?;
/// assert_eq!(suite.case("prefix").unwrap().members.len(), 1);
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn suite<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Suite, Problems> {
    let is_suite = |path: &str| {
        Path::new(path).extension().is_some_and(|extension| extension == "yaml")
            && !path.contains('/')
    };
    let (mut files, others): (Vec<(&str, &str)>, Vec<_>) =
        files.into_iter().partition(|(path, _)| is_suite(path));
    // The catalogue first: cases refer to it.
    files.sort_by_key(|(path, _)| (*path != CATALOGUE, *path));

    let mut loader = Loader::default();
    if files.first().is_none_or(|(path, _)| *path != CATALOGUE) {
        let place = Place { file: CATALOGUE.to_owned(), line: 1 };
        loader
            .report(place, "the file is missing; it lists the requirements and tables".to_owned());
    }
    for (path, text) in &files {
        let source = Source::new(path, text);
        for problem in source.cut_prose() {
            loader.problems.push(problem);
        }
        let Some(mapping) = loader.yaml(&source, text) else { continue };
        if *path == documents::FILE {
            loader.documents(&source, &mapping);
        } else if *path == CATALOGUE {
            loader.requirements(&source, &mapping);
        } else {
            loader.case_file(&source, &mapping);
        }
    }
    if let Some((path, text)) = others.iter().find(|(path, _)| *path == observed::FILE) {
        loader.observed(&Source::new(path, text), text);
    }
    if loader.problems.is_empty() { Ok(loader.suite) } else { Err(Problems(loader.problems)) }
}

/// The catalogue of requirements, for cases that another crate reads.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Catalogue {
    /// Every requirement, in the order of the file.
    pub requirements: Vec<Requirement>,
    /// The editions that follow another, each with the one it follows.
    pub followed: BTreeMap<Edition, Edition>,
    /// The ids of cases that were withdrawn, each with the reason; none is used again.
    pub withdrawn: BTreeMap<String, String>,
}

impl Catalogue {
    /// Reads the text of `requirements.yaml`.
    ///
    /// # Errors
    /// Everything that is wrong with it, with file and line.
    pub fn read(text: &str) -> Result<Self, Problems> {
        let source = Source::new(CATALOGUE, text);
        let mut loader = Loader { problems: source.cut_prose(), ..Loader::default() };
        if let Some(mapping) = loader.yaml(&source, text) {
            loader.requirements(&source, &mapping);
        }
        let Loader { suite, followed, withdrawn, problems, .. } = loader;
        if problems.is_empty() {
            Ok(Self { requirements: suite.requirements, followed, withdrawn })
        } else {
            Err(Problems(problems))
        }
    }

    /// Returns the requirement with this id.
    #[must_use]
    pub fn requirement(&self, id: &str) -> Option<&Requirement> {
        self.requirements.iter().find(|requirement| requirement.id == id)
    }

    /// Reads the list `cases` of a file whose cases are no questions. Each is returned with the place of its id.
    ///
    /// # Errors
    /// Everything that is wrong with the YAML, the keys and the ids, with file and line.
    pub fn cases<T: DeserializeOwned>(
        &self,
        file: &str,
        text: &str,
    ) -> Result<Vec<(T, Place)>, Problems> {
        let source = Source::new(file, text);
        let mut loader = Loader { problems: source.cut_prose(), ..Loader::default() };
        let mapping = loader.yaml(&source, text).unwrap_or_default();
        for key in mapping.keys().filter_map(Value::as_str).filter(|key| *key != "cases") {
            loader.report(source.top(key), format!("unknown key `{key}`; known here: `cases`"));
        }
        let values = mapping.get("cases").and_then(Value::as_sequence);
        if values.is_none_or(Vec::is_empty) && loader.problems.is_empty() {
            loader.report(source.place(1), "no cases; a case file has at least one".to_owned());
        }
        let blocks = source.items("cases");
        let (mut cases, mut ids) = (Vec::new(), BTreeMap::new());
        for (index, value) in values.into_iter().flatten().enumerate() {
            let place = source.key(blocks.get(index), "id");
            let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
            let mut wrong = |message: String| {
                loader.problems.push(Problem {
                    place: place.clone(),
                    message: format!("case {id}: {message}"),
                });
            };
            if !case::is_kebab(id) {
                wrong("the id is not in kebab-case: a-z, 0-9, single hyphens between".to_owned());
            }
            if let Some(why) = self.withdrawn.get(id) {
                wrong(format!("the id was withdrawn ({why}); choose another"));
            }
            if let Some(first) = ids.insert(id, place.clone()) {
                wrong(format!("the id stands at {first} already; give it another"));
            }
            match serde_yaml::from_value(value.clone()) {
                Ok(case) => cases.push((case, place)),
                Err(error) => wrong(error.to_string()),
            }
        }
        if loader.problems.is_empty() { Ok(cases) } else { Err(Problems(loader.problems)) }
    }
}

/// What is read so far, and what was wrong with it.
#[derive(Default)]
struct Loader {
    suite: Suite,
    /// The editions that follow another, each with the one it follows.
    followed: BTreeMap<Edition, Edition>,
    /// The ids of cases that were withdrawn, each with the reason; none is used again.
    withdrawn: BTreeMap<String, String>,
    /// The keys of the item in hand that are there but wrong.
    refused: BTreeSet<String>,
    problems: Vec<Problem>,
}

impl Loader {
    fn report(&mut self, place: Place, message: String) {
        self.problems.push(Problem { place, message });
    }

    fn yaml(&mut self, source: &Source<'_>, text: &str) -> Option<Mapping> {
        match mapping(source, text) {
            Ok(mapping) => Some(mapping),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Reads an item's keys; what is no mapping is reported.
    fn keys<T: DeserializeOwned + Default>(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        value: &Value,
        what: &str,
    ) -> Option<T> {
        let Some(mapping) = value.as_mapping() else {
            self.report(source.key(block, "id"), format!("{what} is a mapping of keys to values"));
            return None;
        };
        let who = match mapping.get("id").and_then(Value::as_str) {
            Some(id) => format!("{} {id}", what.trim_start_matches("a ")),
            None => what.to_owned(),
        };
        Some(self.read(mapping, |loader, key, message| {
            loader.report(source.key(block, key), format!("{who}: {message}"));
        }))
    }

    /// Reads keys, and keeps which of them were refused.
    fn read<T: DeserializeOwned + Default>(
        &mut self,
        mapping: &Mapping,
        report: impl Fn(&mut Self, &str, String),
    ) -> T {
        self.refused.clear();
        read_keys(mapping, |key, message| {
            self.refused.insert(key.to_owned());
            report(self, key, message);
        })
    }

    /// Returns the value of a key that must be there. One that was refused is reported already.
    fn present<T>(
        &mut self,
        place: &Place,
        who: impl Display,
        key: &str,
        value: Option<T>,
    ) -> Option<T> {
        if value.is_none() && !self.refused.contains(key) {
            self.report(place.clone(), format!("{who}: `{key}` is missing"));
        }
        value
    }
}

/// Reads a file as a YAML mapping; a raw CR is refused.
pub(crate) fn mapping(source: &Source<'_>, text: &str) -> Result<Mapping, Problem> {
    if let Some(at) = text.find('\r') {
        let line = text[..at].matches('\n').count() + 1;
        let message = "a raw CR, which an editor or a checkout may change; end lines in LF alone, and \
                       write a CR in octets as `\\r` in `robots-escaped`";
        return Err(Problem { place: source.place(line), message: message.to_owned() });
    }
    if let Some(line) = depth::too_deep(text) {
        let message = "brackets nest more than 512 deep; nothing in these files needs that";
        return Err(Problem { place: source.place(line), message: message.to_owned() });
    }
    match serde_yaml::from_str::<Value>(text) {
        Ok(Value::Mapping(mapping)) => Ok(mapping),
        Ok(Value::Null) => Ok(Mapping::new()),
        Ok(_) => {
            let message = "the file is no mapping of keys to values".to_owned();
            Err(Problem { place: source.place(1), message })
        }
        Err(error) => {
            let line = error.location().map_or(1, |location| location.line());
            Err(Problem { place: source.place(line), message: format!("no YAML: {error}") })
        }
    }
}
