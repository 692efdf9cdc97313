//! The suite as files, for those who use it without the runner.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::protocol::{self, ExpectedMessage};
use crate::run::trial::{self, Trial};
use crate::suite::Suite;
use crate::suite::case::{Case, Conforming};

/// The name of the file of questions and answers.
pub const QUESTIONS: &str = "questions.jsonl";

/// Writes the suite into a folder that does not exist yet or is empty: the YAML files, the grammars, the
/// schemas, the protocol, and [`QUESTIONS`]. Returns how many files there are.
///
/// # Errors
/// A message that says what cannot be written, or that the folder holds something already.
pub fn copy(suite: &Suite, folder: &Path) -> Result<usize, String> {
    let is_taken = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some());
    if is_taken {
        let folder = folder.display();
        return Err(format!("{folder} is not empty; name a folder that is new or empty"));
    }
    let Questions { lines, bodies } = questions(suite);
    let own = [
        ("PROTOCOL.md", protocol::DESCRIPTION),
        ("schema/protocol.schema.json", protocol::SCHEMA),
        (QUESTIONS, &lines),
    ];
    let mut files: Vec<(&str, &[u8])> = Vec::new();
    files.extend(robots_spec_cases::files().map(|(path, text)| (path, text.as_bytes())));
    files.extend(own.map(|(path, text)| (path, text.as_bytes())));
    files.extend(bodies.iter().map(|(path, octets)| (path.as_str(), &**octets)));
    for (path, octets) in &files {
        let path = folder.join(path);
        write(&path, octets)
            .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(files.len())
}

/// Every trial as a JSON line, and the long files the lines refer to.
#[derive(Clone, Debug)]
pub struct Questions {
    /// The text of [`QUESTIONS`].
    pub lines: String,
    /// The octets of each long file, by its path below the folder.
    pub bodies: Vec<(String, Arc<[u8]>)>,
}

/// How long a robots.txt may be that stands in its question, in octets.
const IN_LINE: usize = 1024;

/// Returns every trial, those by the observed profile last: its name, where it comes from, its question as the
/// protocol sends it, and which answers conform. The README of the copied folder describes the keys.
///
/// ```
/// let suite = robots_conformance::load::embedded()?;
/// let questions = robots_conformance::copy::questions(&suite);
/// assert!(questions.lines.len() < 4_000_000 && !questions.bodies.is_empty());
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
#[must_use]
pub fn questions(suite: &Suite) -> Questions {
    let mut trials = trial::trials(suite);
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
    /// Returns the path of a long file, which is kept once and named after the first case that has it.
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
        Conforming::One(answer) => json!({ "one": ExpectedMessage(answer) }),
        Conforming::AnyOf(answers) => {
            json!({ "any-of": answers.iter().map(ExpectedMessage).collect::<Vec<_>>() })
        }
        Conforming::Readings(readings) => {
            let readings: Vec<Value> = readings
                .iter()
                .map(|reading| {
                    let answer = ExpectedMessage(&reading.answer);
                    json!({ "answer": answer, "passage": reading.passage })
                })
                .collect();
            json!({ "readings": readings })
        }
        Conforming::Undefined => json!({ "undefined": true }),
    }
}

fn write(path: &Path, octets: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, octets)
}
