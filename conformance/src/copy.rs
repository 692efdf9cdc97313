//! The suite as files, for those who use it without the runner.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::case::{Conforming, Suite};
use crate::protocol;
use crate::question::{self, Trial};

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
    let questions = questions(suite);
    let own = [
        ("PROTOCOL.md", protocol::DESCRIPTION),
        ("schema/protocol.schema.json", protocol::SCHEMA),
        (QUESTIONS, &questions),
    ];
    let mut files: Vec<(&str, &str)> = robots_spec_cases::files().collect();
    files.extend(own);
    for (path, text) in &files {
        let path = folder.join(path);
        write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(files.len())
}

/// Returns every trial as a JSON line: its name, where it comes from, its question exactly as the protocol
/// sends it, and which answers conform.
///
/// `expected` has one key: `one` (an answer), `any-of` (answers), `readings` (each an `answer` and its
/// `passage`), or `undefined` (any answer of the kind); `open` stands beside it where every well-formed
/// answer conforms. An answer is written as in the protocol, but for
/// `lines`: any of these may decide; and what is not judged is absent.
#[must_use]
pub fn questions(suite: &Suite) -> String {
    let trials = question::trials(suite);
    let lines = trials.iter().zip(1..).map(|(trial, id)| protocol::line(&entry(trial, id)) + "\n");
    lines.collect()
}

fn entry(trial: &Trial, id: u64) -> Value {
    let (case, expect) = (trial.case(), trial.expect());
    let mut entry = Map::new();
    entry.insert("name".to_owned(), trial.name().into());
    entry.insert("requirement".to_owned(), case.requirement.as_str().into());
    entry.insert("role".to_owned(), trial.role().id().into());
    entry.insert("level".to_owned(), expect.level.id().into());
    entry.insert("source".to_owned(), expect.source.as_str().into());
    if let Some(row) = &expect.row {
        entry.insert("row".to_owned(), row.as_str().into());
    }
    entry.insert("about".to_owned(), case.about.trim().into());
    entry.insert("question".to_owned(), protocol::question(id, &trial.question()).into());
    entry.insert("expected".to_owned(), conforming(trial.conforming()));
    if trial.is_open() {
        entry.insert("open".to_owned(), true.into());
    }
    Value::Object(entry)
}

fn conforming(conforming: &Conforming) -> Value {
    match conforming {
        Conforming::One(answer) => json!({ "one": protocol::expected(answer) }),
        Conforming::AnyOf(answers) => {
            json!({ "any-of": answers.iter().map(protocol::expected).collect::<Vec<_>>() })
        }
        Conforming::Readings(readings) => {
            let readings: Vec<Value> = readings
                .iter()
                .map(|reading| {
                    let answer = protocol::expected(&reading.answer);
                    json!({ "answer": answer, "passage": reading.passage })
                })
                .collect();
            json!({ "readings": readings })
        }
        Conforming::Undefined => json!({ "undefined": true }),
    }
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
