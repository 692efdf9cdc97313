//! Writes the suite as files, for users without the runner.
//!
//! Start at [`copy()`], which copies the embedded files and the protocol unchanged, and adds [`QUESTIONS`]: the trials,
//! each with its question in the form of the protocol and its conforming answers. A long robots.txt is a separate file.
//! A question contains the path of this file, and several questions may share it.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use robots_conformance::protocol::{self, expected};
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming};
use robots_console::error::Error;

/// The name of the file of questions and answers.
pub(crate) const QUESTIONS: &str = "questions.jsonl";

/// Writes the suite to a new or empty folder: the YAML files, the grammars, the schemas, the protocol, and
/// [`QUESTIONS`]. Returns the number of files.
///
/// # Errors
/// Returns a message if a file cannot be written or the folder is not empty.
pub(crate) fn copy(suite: &Suite, folder: &Path) -> Result<usize, Error> {
    let is_taken = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_taken {
        let folder = folder.display();
        return Err(Error::new(format!(
            "{folder} is not empty; name a folder that is new or empty"
        )));
    }
    let Questions { lines, bodies } = questions(suite);
    let further = [
        ("PROTOCOL.md", protocol::DESCRIPTION),
        ("schema/protocol.schema.json", protocol::SCHEMA),
        (QUESTIONS, &lines),
    ];
    let mut files: Vec<(&str, &[u8])> = Vec::new();
    files.extend(robots_spec_cases::files().map(|(path, text)| (path, text.as_bytes())));
    files.extend(further.map(|(path, text)| (path, text.as_bytes())));
    files.extend(bodies.iter().map(|(path, octets)| (path.as_str(), &**octets)));
    for (path, octets) in &files {
        let path = folder.join(path);
        write(&path, octets)
            .map_err(|error| Error::new(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(files.len())
}

/// The trials as JSON lines, and the long files to which the lines refer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub(crate) struct Questions {
    /// The text of [`QUESTIONS`].
    pub(crate) lines: String,
    /// The octets of each long file, by its path below the folder.
    pub(crate) bodies: Vec<(String, Arc<[u8]>)>,
}

/// The maximum length in octets of a robots.txt that is written inside its question.
const IN_LINE: usize = 1024;

/// Returns the trials of the suite as lines. Trials that repeat a trial of another edition are omitted. The trials of
/// the observed profile, `google-cpp`, come last. A line has the name, the source, the question in the form of the
/// protocol, and the conforming answers. The README of the copied folder describes the keys.
#[must_use]
pub(crate) fn questions(suite: &Suite) -> Questions {
    let mut trials = trial::trials(suite);
    trials.retain(|trial| !trial.is_repeated());
    trials.extend(trial::observed(suite));
    let mut questions = Questions { lines: String::new(), bodies: Vec::new() };
    for (trial, id) in trials.iter().zip(1..) {
        let mut entry = entry(trial, id);
        let long = trial.member().ask.robots_txt().filter(|octets| octets.len() > IN_LINE);
        if let Some(octets) = long {
            let path = questions.path_of(octets, trial.case());
            if let Some(question) = entry["question"].as_object_mut() {
                question.remove("robots_txt");
                question.insert("robots_txt_file".to_owned(), path.into());
            }
        }
        questions.lines.push_str(&protocol::line(&entry));
        questions.lines.push('\n');
    }
    questions
}

impl Questions {
    /// Returns the path of a long file. A shared file is stored once, under the name of the first case that uses it.
    fn path_of(&mut self, octets: &[u8], case: &Case) -> String {
        if let Some((path, _)) = self.bodies.iter().find(|(_, known)| **known == *octets) {
            return path.clone();
        }
        let names = (1..).map(|number| match number {
            1 => format!("bodies/{}.txt", case.id),
            number => format!("bodies/{}-{number}.txt", case.id),
        });
        let is_free = |path: &String| self.bodies.iter().all(|(known, _)| known != path);
        let path = names.into_iter().find(is_free).unwrap_or_default();
        self.bodies.push((path.clone(), octets.into()));
        path
    }
}

fn entry(trial: &Trial, id: u64) -> Value {
    let (case, expect) = (trial.case(), trial.expect());
    let mut entry = Map::new();
    entry.insert("name".to_owned(), trial.name().into());
    entry.insert("requirement".to_owned(), case.requirement.as_str().into());
    entry.insert("role".to_owned(), trial.role().id().into());
    entry.insert("level".to_owned(), trial.level_id().into());
    entry.insert("source".to_owned(), expect.source.as_str().into());
    if let Some(row) = &expect.row {
        entry.insert("row".to_owned(), row.as_str().into());
    }
    entry.insert("about".to_owned(), case.about.trim().into());
    entry.insert("question".to_owned(), json!(protocol::question(id, &trial.question())));
    entry.insert("expected".to_owned(), conforming(trial.conforming()));
    if trial.is_open() {
        entry.insert("open".to_owned(), true.into());
    }
    Value::Object(entry)
}

fn conforming(conforming: &Conforming) -> Value {
    match conforming {
        Conforming::One(answer) => json!({ "one": expected(answer) }),
        Conforming::AnyOf(answers) => {
            json!({ "any-of": answers.iter().map(expected).collect::<Vec<_>>() })
        }
        Conforming::Readings(readings) => {
            let readings: Vec<Value> = readings
                .iter()
                .map(|reading| {
                    let answer = expected(&reading.answer);
                    json!({ "answer": answer, "passage": reading.passage })
                })
                .collect();
            json!({ "readings": readings })
        }
        _ => json!({ "undefined": true }),
    }
}

fn write(path: &Path, octets: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, octets)
}
