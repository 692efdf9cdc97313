//! The stored results: a line of JSON for each measurement and for each question that the software failed.
//!
//! [`Results`] is the file of one table. Each measurement begins with a line about itself ([`Head`]), which names the
//! list of questions that were asked ([`Lists`], in `results/questions.jsonl`), and the questions without a decision.
//! A line for each failure follows ([`Failing`]). Everything else passed.
//!
//! [`Results::tried`] combines this with the suite of today. A question that no longer exists, or whose print is
//! another one, does not count. A question that is not on the list was not asked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde::{Deserialize, Serialize};

use crate::files::{Text, workspace};
use crate::suite::{Question, Questions};

const FOLDER: &str = "survey/results";

/// The file of the lists of questions.
const LISTS: &str = "survey/results/questions.jsonl";

/// The results of a table.
#[derive(Clone, Default)]
pub(crate) struct Results {
    pub(crate) measured: Vec<Measured>,
}

/// The result of one piece of software.
#[derive(Clone)]
pub(crate) struct Measured {
    pub(crate) head: Head,
    pub(crate) failing: Vec<Failing>,
}

/// What a measurement asked, and the questions without a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Head {
    pub(crate) software: String,
    pub(crate) version: String,
    /// The day of the measurement, for example `2026-11-24`.
    pub(crate) day: String,
    /// The name of the list of questions.
    pub(crate) asked: String,
    /// The kinds of question that the software answers, for example `parser verdict`. If there are none, it was asked
    /// the whole list.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) answers: BTreeSet<String>,
    /// The questions without a decision, by outcome.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) undecided: BTreeMap<String, BTreeSet<String>>,
    /// The reason why a later measurement failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
}

/// A question that the software failed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Failing {
    /// The name and the version of the software.
    pub(crate) software: String,
    pub(crate) question: String,
    /// The editions by which it is a failure; absent if these are all editions that were asked.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(crate) editions: BTreeSet<String>,
    /// The requirements that a crawl violated; absent if this is the requirement of the case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) violates: Vec<String>,
    /// The answer, or what the crawler or retriever did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<String>,
    /// The error that the software raised instead of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// Whether there was no answer in time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) late: bool,
}

/// The lists of questions, by name.
#[derive(Clone, Default)]
pub(crate) struct Lists(BTreeMap<String, Vec<Asked>>);

/// A part of a list: questions of one kind and area, with the editions under which they were asked. In the file, lists
/// share the lines of the questions that they have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Asked {
    /// The names of the lists; empty in [`Lists`], which has the parts by name.
    lists: BTreeSet<String>,
    role: String,
    ask: String,
    area: String,
    editions: Vec<String>,
    /// Whether only the failures of these questions were recorded. Without a line, such a question is not known to be
    /// passed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    only_failures: bool,
    /// The print of each question, by its name.
    questions: BTreeMap<String, String>,
}

impl Asked {
    /// Returns the part without its questions.
    fn head(&self) -> Self {
        Self { questions: BTreeMap::new(), ..self.clone() }
    }
}

/// A question that was asked and is still in the suite, with its outcome.
pub(crate) struct Tried<'s> {
    pub(crate) name: &'s str,
    pub(crate) edition: &'s str,
    pub(crate) question: &'s Question,
    pub(crate) outcome: Outcome<'s>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome<'s> {
    Passed,
    Failed(&'s Failing),
    /// There is no decision, for this reason.
    Undecided(&'s str),
}

impl Tried<'_> {
    pub(crate) fn is_decided(&self) -> bool {
        !matches!(self.outcome, Outcome::Undecided(_))
    }

    pub(crate) fn failing(&self) -> Option<&Failing> {
        match self.outcome {
            Outcome::Failed(failing) => Some(failing),
            _ => None,
        }
    }
}

impl Head {
    /// Returns name and version, which the lines of the failures repeat.
    pub(crate) fn full_name(&self) -> String {
        format!("{} {}", self.software, self.version)
    }
}

impl Results {
    /// Reads the results of a table, or returns none if there is no file yet.
    ///
    /// # Errors
    /// Returns a message about the wrong line.
    pub(crate) fn read(table: &str) -> Result<Self, String> {
        let path = path(table);
        let file = workspace().join(&path);
        if !file.exists() {
            return Ok(Self::default());
        }
        let text = fs::read_to_string(file).map_err(|error| format!("{path}: {error}"))?;
        Self::parse(&text).map_err(|error| format!("{path}: {error}"))
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut measured: Vec<Measured> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let wrong = |error: serde_json::Error| format!("line {number}: {error}");
            if line.contains(r#""asked":"#) {
                let head = serde_json::from_str(line).map_err(wrong)?;
                measured.push(Measured { head, failing: Vec::new() });
                continue;
            }
            let failing: Failing = serde_json::from_str(line).map_err(wrong)?;
            match measured.last_mut().filter(|it| it.head.full_name() == failing.software) {
                Some(measured) => measured.failing.push(failing),
                None => return Err(format!("line {number}: {} has no head", failing.software)),
            }
        }
        Ok(Self { measured })
    }

    /// Returns the file: the software sorted by name, and its failures sorted by question.
    pub(crate) fn text(&self, table: &str) -> Result<Text, String> {
        let mut measured: Vec<&Measured> = self.measured.iter().collect();
        measured.sort_by_key(|it| it.head.full_name());
        let mut text = String::new();
        for Measured { head, failing } in measured {
            let mut failing: Vec<&Failing> = failing.iter().collect();
            failing.sort();
            text += &line(head)?;
            for failing in failing {
                text += &line(failing)?;
            }
        }
        Ok((path(table), text))
    }
}

impl Measured {
    /// Returns the questions that were asked and are still in the suite.
    pub(crate) fn tried<'s>(&'s self, lists: &'s Lists, today: &'s Questions) -> Vec<Tried<'s>> {
        let mut failing: BTreeMap<&str, Vec<&Failing>> = BTreeMap::new();
        for line in &self.failing {
            failing.entry(&line.question).or_default().push(line);
        }
        let undecided: BTreeMap<&str, &str> = self
            .head
            .undecided
            .iter()
            .flat_map(|(why, names)| names.iter().map(move |name| (name.as_str(), why.as_str())))
            .collect();
        let mut tried = Vec::new();
        for part in lists.0.get(&self.head.asked).into_iter().flatten() {
            let kind = format!("{} {}", part.role, part.ask);
            if !self.head.answers.is_empty() && !self.head.answers.contains(&kind) {
                continue;
            }
            for (name, print) in &part.questions {
                let Some(editions) = today.get(name) else { continue };
                for edition in &part.editions {
                    let Some(question) = editions.get(edition) else { continue };
                    if question.open || question.print != *print {
                        continue;
                    }
                    let fails =
                        |it: &&&Failing| it.editions.is_empty() || it.editions.contains(edition);
                    let failed = failing.get(name.as_str()).into_iter().flatten().find(fails);
                    let outcome = match (failed, undecided.get(name.as_str())) {
                        (Some(failing), _) => Outcome::Failed(failing),
                        (None, Some(why)) => Outcome::Undecided(why),
                        (None, None) if part.only_failures => continue,
                        (None, None) => Outcome::Passed,
                    };
                    tried.push(Tried { name, edition, question, outcome });
                }
            }
        }
        tried
    }
}

impl Lists {
    /// Reads the lists.
    ///
    /// # Errors
    /// Returns a message about the wrong line.
    pub(crate) fn read() -> Result<Self, String> {
        let text = fs::read_to_string(workspace().join(LISTS));
        Self::parse(&text.map_err(|error| format!("{LISTS}: {error}"))?)
            .map_err(|error| format!("{LISTS}: {error}"))
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut heads: BTreeMap<String, BTreeMap<Asked, BTreeMap<String, String>>> =
            BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let mut asked: Asked =
                serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
            for name in std::mem::take(&mut asked.lists) {
                let questions = heads.entry(name).or_default().entry(asked.head()).or_default();
                questions.extend(asked.questions.clone());
            }
        }
        let part = |(head, questions)| Asked { questions, ..head };
        let list =
            |(name, parts): (_, BTreeMap<_, _>)| (name, parts.into_iter().map(part).collect());
        Ok(Self(heads.into_iter().map(list).collect()))
    }

    /// Adds the list of these questions, and returns its name. If there is such a list already, it is used.
    pub(crate) fn add<'q>(
        &mut self,
        table: &str,
        day: &str,
        questions: impl Iterator<Item = (&'q String, &'q BTreeMap<String, Question>)>,
    ) -> String {
        let mut parts: BTreeMap<(&str, &str, Vec<&str>), BTreeMap<String, String>> =
            BTreeMap::new();
        for (name, editions) in questions {
            let mut prints: BTreeMap<&str, Vec<(&str, &Question)>> = BTreeMap::new();
            for (edition, question) in editions.iter().filter(|(_, question)| !question.open) {
                prints.entry(&question.print).or_default().push((edition, question));
            }
            for (print, asked) in prints {
                let editions = asked.iter().map(|(edition, _)| *edition).collect();
                let Question { ask, area, .. } = asked[0].1;
                let part = parts.entry((ask, area, editions)).or_default();
                part.insert(name.clone(), print.to_owned());
            }
        }
        let part = |((ask, area, editions), questions): ((&str, &str, Vec<&str>), _)| {
            let (role, ask) = ask.split_once(' ').unwrap_or(("", ask));
            Asked {
                lists: BTreeSet::new(),
                role: role.to_owned(),
                ask: ask.to_owned(),
                area: area.to_owned(),
                editions: editions.into_iter().map(str::to_owned).collect(),
                only_failures: false,
                questions,
            }
        };
        let mut parts: Vec<Asked> = parts.into_iter().map(part).collect();
        parts.sort();
        if let Some((name, _)) = self.0.iter().find(|(_, known)| **known == parts) {
            return name.clone();
        }
        let names = (1..).map(|number| match number {
            1 => format!("{table}-{day}"),
            number => format!("{table}-{day}-{number}"),
        });
        let name = names.into_iter().find(|name| !self.0.contains_key(name)).unwrap_or_default();
        self.0.insert(name.clone(), parts);
        name
    }

    /// Returns the file with the lists that these results name.
    pub(crate) fn text(&self, results: &[&Results]) -> Result<Text, String> {
        let named: BTreeSet<&str> = results
            .iter()
            .flat_map(|results| &results.measured)
            .map(|measured| measured.head.asked.as_str())
            .collect();
        // The lists that have a question, by part, and by the name and the print of the question.
        let mut holders: BTreeMap<Asked, BTreeMap<_, BTreeSet<String>>> = BTreeMap::new();
        for (list, parts) in self.0.iter().filter(|(list, _)| named.contains(list.as_str())) {
            for part in parts {
                let of_part = holders.entry(part.head()).or_default();
                for question in &part.questions {
                    of_part.entry(question).or_default().insert(list.clone());
                }
            }
        }
        let mut lines: BTreeMap<Asked, BTreeMap<String, String>> = BTreeMap::new();
        for (head, questions) in holders {
            for ((name, print), lists) in questions {
                let questions = lines.entry(Asked { lists, ..head.clone() }).or_default();
                questions.insert(name.clone(), print.clone());
            }
        }
        let lines = lines.into_iter().map(|(head, questions)| line(&Asked { questions, ..head }));
        let lines = lines.collect::<Result<String, _>>()?;
        Ok((LISTS.to_owned(), lines))
    }
}

fn path(table: &str) -> String {
    format!("{FOLDER}/{table}.jsonl")
}

fn line(value: &impl Serialize) -> Result<String, String> {
    Ok(serde_json::to_string(value).map_err(|error| error.to_string())? + "\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::{Lists, Outcome, Results};
    use crate::files::workspace;
    use crate::suite::{Question, Questions, Suite};

    const LIST: &str = r#"{"lists":["l"],"role":"parser","ask":"groups","area":"a","editions":["rfc9309"],"questions":{"other":"1"}}
{"lists":["l"],"role":"parser","ask":"verdict","area":"a","editions":["google-2022","rfc9309"],"questions":{"changed":"1","failed":"1","gone":"1","passed":"1","silent":"1"}}
{"lists":["l"],"role":"parser","ask":"verdict","area":"b","editions":["rfc9309"],"only-failures":true,"questions":{"unknown":"1"}}
"#;

    const RESULT: &str = r#"{"software":"x","version":"1","day":"2026-11-24","asked":"l","answers":["parser verdict"],"undecided":{"unanswered":["silent"]}}
{"software":"x 1","question":"failed","editions":["rfc9309"],"answer":"allow"}
{"software":"x 1","question":"gone","answer":"allow"}
"#;

    /// Returns questions with the print `1`; that of the question `changed` is another one.
    fn questions() -> Questions {
        let names = ["added", "changed", "failed", "other", "passed", "silent", "unknown"];
        let question = |name: &str, edition: &str| {
            let print = if name == "changed" { "2" } else { "1" };
            (edition.to_owned(), Question { print: print.to_owned(), ..Question::default() })
        };
        let both = |name: &str| ["google-2022", "rfc9309"].map(|edition| question(name, edition));
        names.map(|name| (name.to_owned(), BTreeMap::from(both(name)))).into()
    }

    #[test]
    fn only_what_was_asked_and_is_unchanged_counts() {
        let (lists, results) = (Lists::parse(LIST).unwrap(), Results::parse(RESULT).unwrap());
        let questions = questions();
        let tried = results.measured[0].tried(&lists, &questions);
        let outcome = |name: &str, edition: &str| {
            let mut found = tried.iter().filter(|it| it.name == name && it.edition == edition);
            found.next().map(|it| it.outcome)
        };
        assert_eq!(outcome("passed", "rfc9309"), Some(Outcome::Passed));
        assert_eq!(outcome("failed", "google-2022"), Some(Outcome::Passed));
        assert!(matches!(outcome("failed", "rfc9309"), Some(Outcome::Failed(_))));
        assert_eq!(outcome("silent", "rfc9309"), Some(Outcome::Undecided("unanswered")));
        // The suite no longer has `gone`, has another answer for `changed`, and did not have `added`. The software does
        // not answer `other`, and nobody knows whether it passed `unknown`.
        for name in ["gone", "changed", "added", "other", "unknown"] {
            assert_eq!(outcome(name, "rfc9309"), None, "{name}");
        }
    }

    #[test]
    fn a_list_is_shared_and_kept_as_long_as_it_is_named() {
        let mut lists = Lists::parse(LIST).unwrap();
        let questions = questions();
        let name = lists.add("peers", "2026-11-28", questions.iter());
        assert_eq!(name, "peers-2026-11-28");
        assert_eq!(lists.add("peers", "2026-11-29", questions.iter()), name);
        let results = Results::parse(RESULT).unwrap();
        let (_, text) = lists.text(&[&results]).unwrap();
        assert_eq!(text, LIST);
        assert_eq!(results.text("peers").unwrap().1, RESULT);
    }

    #[test]
    fn lists_share_the_lines_of_the_questions_that_they_have_in_common() {
        let mut lists = Lists::parse(LIST).unwrap();
        let mut newer = lists.0["l"].clone();
        for part in &mut newer {
            part.questions.remove("gone");
        }
        lists.0.insert("m".to_owned(), newer);
        let results =
            Results::parse(&[RESULT, &RESULT.replace("\"l\"", "\"m\"")].concat()).unwrap();
        let (_, text) = lists.text(&[&results]).unwrap();
        let in_one = r#"{"lists":["l"],"role":"parser","ask":"verdict","area":"a","editions":["google-2022","rfc9309"],"questions":{"gone":"1"}}"#;
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], in_one);
        assert_eq!(lines.len(), 4);
        assert!(lines[1..].iter().all(|line| line.starts_with(r#"{"lists":["l","m"],"#)), "{text}");
        assert_eq!(Lists::parse(&text).unwrap().0, lists.0);
    }

    #[test]
    fn a_line_of_unknown_software_is_refused() {
        let problem = Results::parse(&RESULT.replace("x 1", "y 1")).err().unwrap();
        assert_eq!(problem, "line 2: y 1 has no head");
    }

    /// The results are read by people, and git keeps each version.
    #[test]
    fn the_stored_files_are_small_and_about_questions_of_the_suite() {
        let (mut lines, mut octets) = (0, 0);
        let results = fs::read_dir(workspace().join("survey/results")).unwrap();
        let results = results.map(|entry| entry.unwrap().path());
        let others = ["survey/faults.jsonl", "robots-cli/portability.json"];
        for path in results.chain(others.map(|file| workspace().join(file))) {
            let text = fs::read_to_string(path).unwrap();
            lines += text.lines().count();
            octets += text.len();
        }
        assert!(lines <= 6_000 && octets <= 1_000_000, "{lines} lines, {octets} octets");

        let (suite, lists) = (Suite::of_the_checkout(), Lists::read().unwrap());
        for (table, questions) in [
            ("peers", &suite.questions),
            ("crawlers", &suite.crawls),
            ("retrievers", &suite.questions),
        ] {
            for measured in Results::read(table).unwrap().measured {
                let tried = measured.tried(&lists, questions);
                let has_passed = tried.iter().any(|tried| tried.outcome == Outcome::Passed);
                assert!(has_passed, "{}", measured.head.software);
            }
        }
    }
}
