//! The suite of this checkout as data: the questions, the cases of crawls, and the requirements.
//!
//! [`Suite::read`] reads what `robots-conformance copy` and `list --live --json` write. Each question has a *print*: a
//! hash of the question and of the conforming answers. A stored result is valid as long as the print is the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::command::Command;

/// The editions that are measured, oldest first.
pub(crate) const EDITIONS: [&str; 4] = ["google-2018", "google-2019", "google-2022", "rfc9309"];

/// The edition that tables show if they show only one.
pub(crate) const SHOWN: &str = "rfc9309";

/// The beginning of the name of a crawl that repeats a verdict case.
pub(crate) const VERDICT: &str = "verdict-";

/// Questions by name and edition.
pub(crate) type Questions = BTreeMap<String, BTreeMap<String, Question>>;

pub(crate) struct Suite {
    pub(crate) requirements: Vec<Requirement>,
    /// The questions to parsers, crawlers and retrievers.
    pub(crate) questions: Questions,
    /// The cases for crawls. The name of a question is the id of the case.
    pub(crate) crawls: Questions,
    /// The verdicts of Google's published library, by the name of the question.
    pub(crate) library: BTreeMap<String, String>,
}

/// A question under one edition.
#[derive(Default)]
pub(crate) struct Question {
    pub(crate) area: String,
    /// The case; for a crawl that repeats a verdict case, the verdict case.
    pub(crate) case: String,
    pub(crate) about: String,
    pub(crate) requirement: String,
    /// The role and the kind, for example `parser verdict`. For a crawl, this is `crawler crawl`.
    pub(crate) ask: String,
    pub(crate) level: String,
    /// Whether every answer conforms.
    pub(crate) open: bool,
    /// Whether the edition's own text decides. If it does not, each of several readings conforms.
    pub(crate) is_normative: bool,
    /// The conforming answers as text.
    pub(crate) expected: String,
    pub(crate) print: String,
    /// The robots.txt and the product tokens of a verdict question, or the sites of a crawl.
    pub(crate) file: Vec<u8>,
    pub(crate) tokens: Vec<String>,
    pub(crate) url: String,
}

/// A requirement, as `requirements.yaml` states it.
#[derive(Deserialize)]
pub(crate) struct Requirement {
    pub(crate) id: String,
    pub(crate) area: String,
    #[serde(default = "parser")]
    pub(crate) role: String,
    pub(crate) says: String,
    pub(crate) note: Option<String>,
    pub(crate) editions: BTreeMap<String, Statement>,
    #[serde(rename = "not-testable")]
    pub(crate) not_testable: Option<String>,
}

/// Returns the role of a requirement that states none.
fn parser() -> String {
    "parser".to_owned()
}

/// The statement of a requirement in an edition.
#[derive(Deserialize)]
pub(crate) struct Statement {
    pub(crate) level: String,
    pub(crate) source: String,
}

impl Suite {
    /// Reads the suite of this checkout.
    ///
    /// # Errors
    /// Returns a message if the command fails, or writes something unexpected.
    pub(crate) fn read(command: &Command) -> Result<Self, String> {
        let folder = command.suite()?;
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let mut suite = Self {
            requirements: requirements(&read("requirements.yaml")?)?,
            questions: Questions::new(),
            crawls: Questions::new(),
            library: BTreeMap::new(),
        };
        for line in read("questions.jsonl")?.lines() {
            suite.add(line, &folder).map_err(|error| format!("questions.jsonl: {error}"))?;
        }
        for line in command.crawls()?.lines() {
            let case = serde_json::from_str(line).map_err(|error| format!("list: {error}"))?;
            suite.add_crawl(&case);
        }
        Ok(suite)
    }

    /// Returns the level of a requirement in an edition, or `None` if the edition does not state the requirement.
    pub(crate) fn level(&self, requirement: &str, edition: &str) -> Option<&str> {
        let found = self.requirements.iter().find(|one| one.id == requirement)?;
        Some(&found.editions.get(edition)?.level)
    }

    /// Adds a line of `questions.jsonl`.
    fn add(&mut self, line: &str, folder: &Path) -> Result<(), String> {
        #[derive(Deserialize)]
        struct Line {
            name: String,
            requirement: String,
            role: String,
            level: String,
            about: String,
            question: Value,
            expected: Value,
            #[serde(default)]
            open: bool,
        }
        let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let mut parts = line.name.splitn(4, "::");
        let [Some(area), Some(case), Some(edition)] = [(); 3].map(|()| parts.next()) else {
            return Err(format!("{:?} is not the name of a trial", line.name));
        };
        let name = parts.next().map_or_else(|| case.to_owned(), |it| format!("{case}::{it}"));
        if edition == "google-cpp" {
            let verdict = line.expected["one"]["verdict"].as_str().unwrap_or_default();
            self.library.insert(name, verdict.to_owned());
            return Ok(());
        }
        if !EDITIONS.contains(&edition) {
            return Ok(());
        }
        let mut question = line.question;
        let file = file(&question, folder)?;
        let ask = question["ask"].as_str().unwrap_or_default().to_owned();
        let tokens = question["crawler"].as_array().into_iter().flatten();
        let tokens = tokens.filter_map(|token| Some(token.as_str()?.to_owned())).collect();
        let url = question["url"].as_str().unwrap_or_default().to_owned();
        if let Some(keys) = question.as_object_mut() {
            keys.remove("id");
            keys.remove("edition");
            if let Some(path) = keys.get_mut("robots_txt_file") {
                *path = format!("{:016x}", hash(&file)).into();
            }
        }
        let print = print(&json!({ "question": question, "expected": line.expected }));
        let question = Question {
            area: area.to_owned(),
            case: case.to_owned(),
            about: line.about,
            requirement: line.requirement,
            ask: format!("{} {ask}", line.role),
            level: line.level,
            open: line.open,
            is_normative: line.expected.get("readings").is_none(),
            expected: expected(&line.expected),
            print,
            file,
            tokens,
            url,
        };
        self.questions.entry(name).or_default().insert(edition.to_owned(), question);
        Ok(())
    }

    /// Returns the case from which a crawl is made: a verdict case of the suite, or the crawl itself. The id of a crawl
    /// ends with a number if the verdict case has several sites.
    fn case_of<'c>(&self, crawl: &'c str) -> &'c str {
        let Some(id) = crawl.strip_prefix(VERDICT) else { return crawl };
        let mut all = self.questions.values().flat_map(BTreeMap::values);
        match id.rsplit_once('-') {
            Some((case, _)) if all.all(|question| question.case != id) => case,
            _ => id,
        }
    }

    fn add_crawl(&mut self, case: &Listed) {
        let files: Vec<&String> = case.files.iter().map(|file| &file.text).collect();
        let of_case = self.case_of(&case.id).to_owned();
        let editions = self.crawls.entry(case.id.clone()).or_default();
        for expect in case.expect.iter().filter(|it| EDITIONS.contains(&it.profile.as_str())) {
            let print = print(&json!({ "files": files, "expected": expect.expected }));
            let question = Question {
                area: case.area.clone(),
                case: of_case.clone(),
                about: case.about.clone(),
                requirement: case.requirement.clone(),
                ask: "crawler crawl".to_owned(),
                level: expect.level.clone(),
                open: case.open.contains(&expect.profile),
                is_normative: true,
                expected: expect.expected.concat(),
                print,
                file: files.first().map_or_else(Vec::new, |text| text.as_bytes().to_vec()),
                tokens: Vec::new(),
                url: String::new(),
            };
            editions.insert(expect.profile.clone(), question);
        }
    }
}

/// A live case, as `robots-conformance list --live --json` prints it.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Listed {
    id: String,
    area: String,
    requirement: String,
    about: String,
    files: Vec<File>,
    expect: Vec<Expect>,
    /// The editions by which no behaviour fails.
    open: Vec<String>,
}

#[derive(Deserialize)]
struct File {
    text: String,
}

#[derive(Deserialize)]
struct Expect {
    profile: String,
    level: String,
    expected: Vec<String>,
}

fn requirements(text: &str) -> Result<Vec<Requirement>, String> {
    #[derive(Deserialize)]
    struct All {
        requirements: Vec<Requirement>,
    }
    let all: All =
        serde_yaml::from_str(text).map_err(|error| format!("requirements.yaml: {error}"))?;
    Ok(all.requirements)
}

/// Returns the robots.txt of a question, which may be a separate file.
fn file(question: &Value, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(path) = question["robots_txt_file"].as_str() {
        return fs::read(folder.join(path)).map_err(|error| format!("{path}: {error}"));
    }
    let text = question["robots_txt"].as_str().unwrap_or_default();
    BASE64_STANDARD.decode(text).map_err(|error| error.to_string())
}

/// Renders the conforming answers: a verdict as its word, and any other answer as JSON.
fn expected(expected: &Value) -> String {
    let text = |answer: &Value| match answer["verdict"].as_str() {
        Some(verdict) => verdict.to_owned(),
        None => answer.to_string(),
    };
    match expected {
        Value::Object(keys) if keys.contains_key("one") => text(&expected["one"]),
        Value::Object(keys) if keys.contains_key("any-of") => {
            let answers = expected["any-of"].as_array().into_iter().flatten().map(text);
            answers.collect::<Vec<_>>().join(" or ")
        }
        Value::Object(keys) if keys.contains_key("readings") => {
            let readings = expected["readings"].as_array().into_iter().flatten();
            let readings = readings.map(|it| {
                let passage = it["passage"].as_str().unwrap_or_default();
                format!("{} ({passage})", text(&it["answer"]))
            });
            readings.collect::<Vec<_>>().join(" or ")
        }
        other => other.to_string(),
    }
}

/// Returns the print of a question: the first half of the FNV-1a hash of JSON with sorted keys.
fn print(value: &Value) -> String {
    let mut text = String::new();
    write_sorted(value, &mut text);
    format!("{:08x}", hash(text.as_bytes()) >> 32)
}

/// Writes JSON with sorted keys, so that the order of keys does not change a print.
fn write_sorted(value: &Value, text: &mut String) {
    match value {
        Value::Object(keys) => {
            let sorted: BTreeMap<&String, &Value> = keys.iter().collect();
            text.push('{');
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                text.push_str(&Value::from(key.as_str()).to_string());
                text.push(':');
                write_sorted(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write_sorted(item, text);
            }
            text.push(']');
        }
        other => text.push_str(&other.to_string()),
    }
}

fn hash(octets: &[u8]) -> u64 {
    let step = |hash: u64, octet: &u8| (hash ^ u64::from(*octet)).wrapping_mul(0x100_0000_01b3);
    octets.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
impl Suite {
    /// Returns the suite of this checkout. The first call builds the command.
    pub(crate) fn of_the_checkout() -> &'static Self {
        static SUITE: std::sync::OnceLock<Suite> = std::sync::OnceLock::new();
        SUITE.get_or_init(Self::of_the_checkout_anew)
    }

    /// Returns the suite of this checkout, read anew.
    pub(crate) fn of_the_checkout_anew() -> Self {
        static READING: std::sync::Mutex<()> = std::sync::Mutex::new(());
        // A read empties the folder of the suite first.
        let _reading = READING.lock().unwrap();
        Self::read(&Command::build().unwrap()).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{Question, Questions, SHOWN, Suite, expected, print};

    #[test]
    fn a_print_changes_with_the_answer_and_not_with_the_order_of_keys() {
        let one = print(&json!({ "question": { "a": 1, "b": [2] }, "expected": "allow" }));
        let same = print(&json!({ "expected": "allow", "question": { "b": [2], "a": 1 } }));
        let other = print(&json!({ "question": { "a": 1, "b": [2] }, "expected": "disallow" }));
        assert_eq!((one.len(), &one), (8, &same));
        assert_ne!(one, other);
    }

    #[test]
    fn a_crawl_belongs_to_its_case() {
        let question = |case: &str| {
            let question = Question { case: case.to_owned(), ..Question::default() };
            (format!("{case}::/x"), BTreeMap::from([(SHOWN.to_owned(), question)]))
        };
        let suite = Suite {
            requirements: Vec::new(),
            questions: Questions::from([question("star-end"), question("rule-2")]),
            crawls: Questions::new(),
            library: BTreeMap::new(),
        };
        let cases = ["verdict-star-end", "verdict-star-end-2", "verdict-rule-2", "wire-a-2"];
        assert_eq!(
            cases.map(|crawl| suite.case_of(crawl)),
            ["star-end", "star-end", "rule-2", "wire-a-2"]
        );
    }

    #[test]
    fn answers_are_texts() {
        assert_eq!(expected(&json!({ "one": { "verdict": "allow", "lines": [2] } })), "allow");
        let two = json!({ "any-of": [{ "verdict": "allow" }, { "verdict": "disallow" }] });
        assert_eq!(expected(&two), "allow or disallow");
        let readings =
            json!({ "readings": [{ "answer": { "verdict": "allow" }, "passage": "2.1" }] });
        assert_eq!(expected(&readings), "allow (2.1)");
        assert_eq!(expected(&json!({ "one": { "sitemaps": [] } })), r#"{"sitemaps":[]}"#);
    }
}
