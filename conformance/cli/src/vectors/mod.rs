//! Writes the suite as flat files, for test frameworks of any language.
//!
//! There are three kinds of file ([`Content`]). A file of an edition contains the verdict questions about a short
//! robots.txt and one product token: an array of comments and flat objects. `other.json` contains the other questions
//! that a program can answer in one call, and `fetch-vectors.json` the timelines for retrievers. A question is in a
//! file only if an edition requires exactly one answer. The files are generated from the cases and never edited.
//! [`kind::vector_keys`] writes the keys of a kind of question, so this module does not depend on the kinds. Start at
//! [`Flat::text`]; `changes.rs` reads the list of changes, from which the ids and the stamp of each file come.

mod changes;
mod older;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use robots_conformance::kind::{QuestionKind, Role};
use robots_core::Edition;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use robots_conformance::kind::{self, Expected};
use robots_conformance::protocol;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming};
use robots_console::error::Error;

use self::changes::FOLDER;
pub(crate) use self::changes::{Change, Changes};
pub(crate) use self::older::unlisted;

/// The licence of the flat files.
const LICENSE: &str = "LICENSE";

/// The files beside the flat files, which are written by hand.
const BESIDE: [&str; 3] = [changes::FILE, LICENSE, "README.md"];

/// A flat file of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flat(Content);

/// The questions of a flat file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The verdicts of an edition, each about a short file and one product token.
    Verdicts(Edition),
    /// All other questions for parsers and crawlers, by all editions.
    Other,
    /// The timelines for retrievers, by all editions.
    Timelines,
}

/// The questions for parsers that are in no file of an edition.
pub(crate) const OTHER: Flat = Flat(Content::Other);

/// The timelines for retrievers.
pub(crate) const TIMELINES: Flat = Flat(Content::Timelines);

impl Flat {
    /// Returns the file of an edition.
    pub(crate) fn of(edition: Edition) -> Self {
        Self(Content::Verdicts(edition))
    }

    /// Returns every flat file.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        // A draft adds no verdict question, so it has no file.
        Edition::ALL.iter().map(|edition| Self::of(*edition)).chain([OTHER, TIMELINES])
    }

    /// Returns the name of the file.
    pub(crate) fn file(self) -> String {
        match self.0 {
            Content::Verdicts(edition) => format!("{edition}.json"),
            Content::Other => "other.json".to_owned(),
            Content::Timelines => "fetch-vectors.json".to_owned(),
        }
    }

    /// Returns the JSON Schema of the file.
    pub(crate) fn schema(self) -> &'static str {
        robots_spec_cases::file(match self.0 {
            Content::Verdicts(_) => "schema/vectors.schema.json",
            Content::Other => "schema/other-vectors.schema.json",
            Content::Timelines => "schema/fetch-vectors.schema.json",
        })
        .unwrap_or_default()
    }

    /// Returns whether the file contains a vector.
    fn contains(self, vector: &Vector) -> bool {
        match self.0 {
            Content::Verdicts(edition) => {
                vector.is_plain() && vector.editions.contains_key(&edition)
            }
            Content::Other => !vector.is_plain() && !is_for_retrievers(vector.trial.kind()),
            Content::Timelines => is_for_retrievers(vector.trial.kind()),
        }
    }

    /// Returns the text of the file in ASCII: an array with one item on each line. The first item is the stamp, and the
    /// second says what the file is. The next ones have what each requirement says, because a sentence in each object
    /// would make the file too large. The README of the folder describes the keys, and the schema checks them.
    pub(crate) fn text(self, suite: &Suite, changes: &Changes) -> String {
        let vectors = suite.cases.iter().flat_map(vectors);
        let vectors: Vec<Vector> = vectors.filter(|vector| self.contains(vector)).collect();
        let requirements: BTreeSet<&String> =
            vectors.iter().map(|vector| &vector.trial.case().requirement).collect();
        let mut lines: Vec<(String, String)> = vectors
            .iter()
            .map(|vector| {
                let object = match self.0 {
                    Content::Verdicts(edition) => vector.flat(edition, changes),
                    _ => vector.whole(),
                };
                // The id of a question that was answered anew is not that of its case.
                (object["id"].to_string(), protocol::line(&object))
            })
            .collect();
        lines.sort();
        let about = protocol::line(&self.about(lines.len()));
        let says = |id: &String| protocol::line(&format!("{id}: {}", suite.says(id)));
        let says = requirements.into_iter().map(says);
        let lines = lines.into_iter().map(|(_, line)| line);
        let lines: Vec<String> = [about].into_iter().chain(says).chain(lines).collect();
        let rest = format!("{}\n]\n", lines.join(",\n"));
        format!("[\n{},\n{rest}", protocol::line(&changes.stamp(&sum(&rest))))
    }

    fn about(self, count: usize) -> String {
        let of = match self.0 {
            Content::Verdicts(edition) => {
                format!("verdicts of {edition}: may the crawler user_agent fetch the URL url?")
            }
            Content::Other => {
                "further questions, each with the one answer of the listed editions.".to_owned()
            }
            Content::Timelines => "timelines for programs that fetch robots.txt.".to_owned(),
        };
        format!(
            "{count} {of} The README beside this file explains the keys. Generated from the cases of {}; do not edit.",
            env!("CARGO_PKG_REPOSITORY")
        )
    }
}

/// The ids in the files of the editions: those that a list of known failures may have.
pub(crate) struct Ids(BTreeMap<(Edition, String), String>);

impl Ids {
    pub(crate) fn of(suite: &Suite, changes: &Changes) -> Self {
        let vectors = suite.cases.iter().flat_map(vectors).filter(Vector::is_plain);
        let of = |vector: Vector| {
            let question = vector.id();
            let id = |edition| ((edition, question.clone()), changes.id(edition, &question).0);
            vector.editions.into_keys().map(id).collect::<Vec<_>>()
        };
        Self(vectors.flat_map(of).collect())
    }

    /// Returns the id of the question of a trial in the file of its edition.
    pub(crate) fn of_trial(&self, trial: &Trial) -> Option<&str> {
        self.0.get(&(trial.profile().edition()?, question(trial))).map(String::as_str)
    }

    /// Returns whether the file of an edition has this id.
    pub(crate) fn contains(&self, id: &str) -> bool {
        self.0.values().any(|one| one == id)
    }
}

/// Returns the case's id, with `::member` if the case has lists.
fn question(trial: &Trial) -> String {
    let (case, member) = (&trial.case().id, &trial.member().name);
    member.as_ref().map_or_else(|| case.clone(), |member| format!("{case}::{member}"))
}

/// Returns the SHA-256 of a text in hex.
fn sum(text: &str) -> String {
    let mut hex = String::new();
    for octet in Sha256::digest(text) {
        let _ = write!(hex, "{octet:02x}");
    }
    hex
}

/// Writes the flat files, and the files beside them, to a folder. If editions are named, writes only their verdicts.
/// Files of the same names are replaced. Returns the number of files.
///
/// # Errors
/// Returns a message if a file cannot be written.
pub(crate) fn copy(suite: &Suite, editions: &[Edition], folder: &Path) -> Result<usize, Error> {
    let is_named = |flat: &Flat| match flat.0 {
        _ if editions.is_empty() => true,
        Content::Verdicts(edition) => editions.contains(&edition),
        Content::Other | Content::Timelines => false,
    };
    let files = files(suite, is_named)?;
    for (name, text) in &files {
        let path = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, text));
        written.map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(files.len())
}

/// Compares the files in a folder that [`copy`] wrote with those of this version. Returns a sentence about each file
/// that differs. A flat file need not be there, because a copy may have only some of them, but the licence must be.
///
/// # Errors
/// Returns a message if a file cannot be read, or the folder has no flat file.
pub(crate) fn check(suite: &Suite, folder: &Path) -> Result<Vec<String>, Error> {
    let is_there = |name: &str| folder.join(name).exists();
    if !Flat::all().any(|flat| is_there(&flat.file())) {
        let folder = folder.display();
        return Err(Error::new(format!(
            "{folder} has no vectors; `copy --vectors {folder}` writes them"
        )));
    }
    let mut problems = Vec::new();
    for (name, text) in files(suite, |flat| is_there(&flat.file()))? {
        let path = folder.join(&name);
        if !path.exists() {
            if name == LICENSE {
                problems.push(format!("{name} is missing; `copy --vectors` writes it"));
            }
            continue;
        }
        let copy = robots_console::file::text(&path)
            .map_err(|error| Error::new(format!("cannot read {}: {error}", path.display())))?;
        if copy == text {
            continue;
        }
        // The files that are written by hand have no stamp.
        let is_generated = !BESIDE.contains(&&*name);
        let problem = match stamped(&copy) {
            Some((version, sum_of_rest, rest)) if sum(rest) == sum_of_rest => {
                format!("is of version {version}")
            }
            _ if is_generated => "was edited".to_owned(),
            _ => "is not the one of this version".to_owned(),
        };
        let edition = name.strip_suffix(".json").filter(|id| id.parse::<Edition>().is_ok());
        let option = edition.map_or_else(String::new, |id| format!(" --edition {id}"));
        problems.push(format!("{name} {problem}; `copy --vectors{option}` replaces it"));
    }
    Ok(problems)
}

/// Returns the version and the sum in the stamp of a flat file, and the text that the sum is of.
fn stamped(text: &str) -> Option<(&str, &str, &str)> {
    let (stamp, rest) = text.strip_prefix("[\n\"")?.split_once("\",\n")?;
    let version = stamp.split_whitespace().nth(1)?.trim_end_matches(',');
    Some((version, stamp.rsplit(' ').next()?, rest))
}

/// Returns the name and the text of the chosen flat files, and of the files beside them.
fn files(suite: &Suite, is_chosen: impl Fn(&Flat) -> bool) -> Result<Vec<(String, String)>, Error> {
    let changes = Changes::embedded()?;
    let beside = BESIDE.map(|name| {
        let text = robots_spec_cases::file(&format!("{FOLDER}/{name}")).unwrap_or_default();
        (name.to_owned(), text.to_owned())
    });
    let flat = Flat::all().filter(is_chosen).map(|flat| (flat.file(), flat.text(suite, &changes)));
    Ok(flat.chain(beside).collect())
}

fn is_for_retrievers(kind: QuestionKind) -> bool {
    kind.role() == Some(Role::Retriever)
}

/// One question with one answer, and the editions that require it.
struct Vector {
    /// One of the trials with this question and this answer, which differ only in their editions.
    trial: Arc<Trial>,
    expected: Value,
    /// The keys of the question.
    keys: Map<String, Value>,
    /// For each edition, the trial.
    editions: BTreeMap<Edition, Arc<Trial>>,
}

/// Returns the vectors of a case: for each member, one vector for each different answer.
fn vectors(case: &Arc<Case>) -> Vec<Vector> {
    if !kind::has_vectors(case.form.ask) {
        return Vec::new();
    }
    let mut vectors: Vec<Vector> = Vec::new();
    for trial in trial::of_case(case).into_iter().filter(|trial| !trial.is_repeated()) {
        let (Some(expected), Some(edition)) = (closed(&trial), trial.profile().edition()) else {
            continue;
        };
        let expected = json!(protocol::expected(expected));
        let same = vectors.iter_mut().find(|vector| {
            vector.expected == expected && std::ptr::eq(vector.trial.member(), trial.member())
        });
        if let Some(vector) = same {
            vector.editions.insert(edition, trial);
        } else {
            let keys = kind::vector_keys(&trial.member().ask, &case.form.robots_parts);
            let editions = BTreeMap::from([(edition, Arc::clone(&trial))]);
            vectors.push(Vector { trial, expected, keys, editions });
        }
    }
    vectors
}

/// Returns the conforming answer, or `None` if the edition does not require exactly one answer.
fn closed(trial: &Trial) -> Option<&Expected> {
    match trial.conforming() {
        Conforming::One(answer) if !trial.is_open() => Some(answer),
        _ => None,
    }
}

impl Vector {
    /// Returns the id, unless the question was answered anew.
    fn id(&self) -> String {
        question(&self.trial)
    }

    /// Returns whether the question fits into a flat object: the verdict for one product token, about a file that is
    /// not written in parts.
    fn is_plain(&self) -> bool {
        let is_verdict = self.expected["verdict"].is_string();
        let tokens = self.keys.get("tokens").and_then(Value::as_array);
        is_verdict
            && self.trial.case().form.role == Role::Parser
            && tokens.is_some_and(|tokens| tokens.len() == 1)
            && !self.keys.contains_key("identification")
            && !self.keys.contains_key("robots_txt_parts")
    }

    /// Returns the flat object for an edition: only strings, and whether the URL is allowed.
    fn flat(&self, edition: Edition, changes: &Changes) -> Value {
        let trial = &self.editions[&edition];
        let (case, expect) = (trial.case(), trial.expect());
        let (id, replaces) = changes.id(edition, &self.id());
        let mut object = json!({ "id": id });
        if let Some(replaces) = replaces {
            object["replaces"] = replaces.into();
        }
        for key in ["robots_txt", "robots_txt_base64", "url"] {
            if let Some(value) = self.keys.get(key) {
                object[key] = value.clone();
            }
        }
        object["user_agent"] = self.keys["tokens"][0].clone();
        object["allowed"] = (self.expected["verdict"] == "allow").into();
        if let Some(lines) = self.expected["lines"].as_array() {
            let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
            object["lines"] = lines.join(" ").into();
        }
        object["level"] = trial.level_id().into();
        object["section"] = expect.source.as_str().into();
        if let Some(row) = &expect.row {
            object["row"] = row.as_str().into();
        }
        object["requirement"] = case.requirement.as_str().into();
        object["about"] = case.about.trim().into();
        object
    }

    /// Returns the object with the keys of the question, and the editions with their levels and sections.
    fn whole(&self) -> Value {
        let case = self.trial.case();
        let mut object = json!({
            "id": self.id(),
            "requirement": case.requirement,
            "about": case.about.trim(),
        });
        if case.form.role != Role::Parser {
            object["role"] = case.form.role.id().into();
        }
        object["ask"] = case.form.ask.id().into();
        for (key, value) in &self.keys {
            object[key] = value.clone();
        }
        object["expected"] = self.expected.clone();
        let editions = self.editions.iter().map(|(edition, trial)| {
            let stated = format!("{} {}", trial.level_id(), trial.expect().source);
            (edition.id().to_owned(), Value::from(stated))
        });
        object["editions"] = editions.collect();
        object
    }
}

#[cfg(test)]
mod tests;
