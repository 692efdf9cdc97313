//! Measures the entries of a manifest: [`run`] installs them, asks them, and writes the results and the page.
//!
//! The tables implement [`Measure`]. An entry that is not measured, or whose measurement fails, keeps its earlier
//! result.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{self, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde_json::Value;
use time::OffsetDateTime;

use crate::arguments::Measuring;
use crate::chart::chart;
use crate::command::{Command, Trial};
use crate::files::{Text, settle, workspace, write_all};
use crate::manifests::{Folders, Manifest};
use crate::results::{Failing, Head, Measured, Results};
use crate::row::{Survey, Table};
use crate::suite::{EDITIONS, Suite};
use crate::table::{page, rows};

/// The time limit for a question in seconds. On a slow machine, software either answers within 20 seconds or needs many
/// minutes. So the speed of the machine does not decide an outcome.
const TIME_LIMIT: u64 = 60;

/// What software answered.
#[derive(Default)]
pub(crate) struct Answers {
    pub(crate) version: String,
    /// The kinds of question that it answers; empty if it was asked everything.
    pub(crate) kinds: BTreeSet<String>,
    pub(crate) undecided: BTreeMap<String, BTreeSet<String>>,
    /// The failures, each under one edition.
    pub(crate) failures: Vec<(String, Failing)>,
}

/// What a measurement needs, apart from the entry.
pub(crate) struct Setting<'m, T> {
    pub(crate) manifest: &'m Manifest<T>,
    pub(crate) folders: &'m Folders,
    pub(crate) command: &'m Command,
    pub(crate) survey: &'m Survey,
    /// The number of cases that a crawler crawls at the same time.
    pub(crate) jobs: u16,
    /// Whether no crawl is started, and the stored logs are judged again.
    pub(crate) judge: bool,
}

/// An entry that can be measured.
pub(crate) trait Measure: Table {
    /// Asks the installed software.
    ///
    /// # Errors
    /// Returns a message if the software cannot be asked, or if its adapter seems to be broken.
    fn measure(&self, setting: &Setting<'_, Self>) -> Result<Answers, String>;
}

impl Answers {
    /// Adds a trial if it is a failure. `violates` are the violated requirements, or nothing if this is the requirement
    /// of the case.
    pub(crate) fn add_failure(&mut self, trial: &Trial, violates: Vec<String>) {
        let is_error = trial.outcome == "errored";
        if !is_error && trial.outcome != "failed" {
            return;
        }
        let found: Vec<&str> = trial.findings.iter().map(|finding| finding.what.as_str()).collect();
        let got = if found.is_empty() { trial.got.clone() } else { Some(found.join("; ")) };
        let late = is_error && trial.microseconds >= TIME_LIMIT * 1_000_000;
        let failing = Failing {
            software: String::new(),
            question: trial.question(),
            editions: BTreeSet::new(),
            violates,
            answer: got.filter(|_| !is_error),
            error: trial.detail.clone().filter(|_| is_error && !late),
            late,
        };
        self.failures.push((trial.edition.clone(), failing));
    }

    /// Returns the result: failures that differ only in the edition become one line.
    fn measured(self, software: &str, day: String, asked: String, suite: &Suite) -> Measured {
        let head = Head {
            software: software.to_owned(),
            version: self.version,
            day,
            asked,
            answers: self.kinds,
            undecided: self.undecided,
            failed: None,
        };
        let mut lines: BTreeMap<Failing, BTreeSet<String>> = BTreeMap::new();
        for (edition, mut failing) in self.failures {
            failing.software = head.full_name();
            lines.entry(failing).or_default().insert(edition);
        }
        let failing = lines.into_iter().map(|(failing, editions)| {
            let known = suite.questions.get(&failing.question);
            let known = known.or_else(|| suite.crawls.get(&failing.question));
            let asked = known.into_iter().flatten().filter(|(_, question)| !question.open);
            let is_all = asked.map(|(edition, _)| edition).eq(&editions);
            Failing { editions: if is_all { BTreeSet::new() } else { editions }, ..failing }
        });
        Measured { failing: failing.collect(), head }
    }
}

impl<T: Measure> Setting<'_, T> {
    /// Asks an adapter every question of every edition. Returns its version and the trials. If the adapter does not
    /// state a version, the version is that of its pinned packages.
    pub(crate) fn asked(
        &self,
        listed: &T,
        pinned: &BTreeMap<String, String>,
    ) -> Result<(String, Vec<Trial>), String> {
        let words = self.manifest.adapter(listed, self.folders)?;
        let version = version(&words)?;
        let packages = || pinned.values().cloned().collect::<Vec<_>>().join(", ");
        // A word is quoted, because the command splits the text like a shell.
        let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
        let subject = quoted.collect::<Vec<_>>().join(" ");
        let seconds = TIME_LIMIT.to_string();
        let mut all: Vec<&dyn AsRef<OsStr>> =
            vec![&"run", &"--subject", &subject, &"--timeout", &seconds];
        for edition in &EDITIONS {
            all.extend([&"--edition" as &dyn AsRef<_>, edition]);
        }
        let file = self.folders.install.join("reports").join(format!("{}.json", listed.name()));
        let trials = self.command.report(&all, &file)?;
        Ok((version.unwrap_or_else(packages), trials))
    }
}

/// Asks an adapter for its version.
fn version(words: &[String]) -> Result<Option<String>, String> {
    let (program, arguments) = words.split_first().ok_or("the command of the adapter is empty")?;
    let mut child = process::Command::new(program)
        .args(arguments)
        .current_dir(workspace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{program}: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        // If the adapter ended already, its empty answer is the error.
        let _ = input.write_all(b"{\"ask\":\"hello\",\"protocol\":1}\n");
    }
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    let line = output.stdout.split(|octet| *octet == b'\n').next().unwrap_or_default();
    let hello: Value = serde_json::from_slice(line)
        .map_err(|error| format!("{program} did not answer the hello: {error}"))?;
    Ok(hello["version"].as_str().map(str::to_owned))
}

/// Measures the entries that the arguments select, and writes the results after each entry. Returns whether the files
/// are up to date.
///
/// Packages are installed one after the other, because package managers lock their files. Installed software is
/// measured in parallel.
///
/// # Errors
/// Returns a message about the file that cannot be read or written, the command that does not run, or the measurements
/// that failed. An entry whose measurement failed keeps its earlier result. The new results of the other entries are
/// written.
pub(crate) fn run<T: Measure>(
    arguments: &Measuring,
    folders: &Folders,
    survey: &mut Survey,
    command: &Command,
    [jobs, judge]: [u16; 2],
) -> Result<bool, String> {
    let manifest: Manifest<T> = Manifest::read(&folders.manifest)?;
    manifest.known(&arguments.only)?;
    let table = format!("{}s", T::KIND);
    let before = Results::read(&table)?;
    let day = OffsetDateTime::now_utc().date().to_string();
    let mut lists = survey.lists.clone();
    let questions = T::questions(&survey.suite).iter();
    let questions = questions.filter(|(_, editions)| editions.values().any(T::is_asked));
    let asked = lists.add(&table, &day, questions);
    let is_wanted = |listed: &&T| {
        let is_named =
            arguments.only.is_empty() || arguments.only.iter().any(|name| name == listed.name());
        is_named && !arguments.rewrite
    };
    let mut after = before.clone();
    let mut failed: Vec<String> = Vec::new();
    let mut installed = VecDeque::new();
    for listed in manifest.listed.iter().filter(is_wanted) {
        anstream::eprintln!("── {}", listed.name());
        let outcome = if arguments.no_install { Ok(()) } else { manifest.install(listed, folders) };
        match outcome {
            Ok(()) => installed.push_back(listed),
            Err(why) => {
                failed.push(listed.name().to_owned());
                keep(&mut after, listed.name(), &placeless(&why, folders));
            }
        }
    }
    survey.lists = lists;
    let survey: &Survey = survey;
    let setting =
        Setting { manifest: &manifest, folders, command, survey, jobs, judge: judge == 1 };
    let queue = Mutex::new(installed);
    let done = Mutex::new((after, failed));
    let texts = |results: &Results| -> Result<Vec<Text>, String> {
        let rows = rows(survey, &manifest, results);
        Ok(vec![
            results.text(&table)?,
            lists_text(survey, &table, results)?,
            page(&rows, &manifest, results),
            chart(&rows),
        ])
    };
    let lock = || done.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..arguments.at_once.max(1) {
            scope.spawn(|| {
                while let Some(listed) = {
                    let mut queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                    queue.pop_front()
                } {
                    let result = listed.measure(&setting);
                    let mut done = lock();
                    let (after, failed) = &mut *done;
                    match result {
                        Ok(answers) => {
                            anstream::eprintln!("measured: {}", listed.name());
                            let kept = before.measured.iter();
                            let mut kept = kept.filter(|it| it.head.software == listed.name());
                            // The check ignores the day of the measurement.
                            let day = match kept.next().filter(|_| arguments.check) {
                                Some(kept) => kept.head.day.clone(),
                                None => day.clone(),
                            };
                            let measured =
                                answers.measured(listed.name(), day, asked.clone(), &survey.suite);
                            after.measured.retain(|it| it.head.software != listed.name());
                            after.measured.push(measured);
                        }
                        Err(why) => {
                            failed.push(listed.name().to_owned());
                            keep(after, listed.name(), &placeless(&why, folders));
                        }
                    }
                    // The results so far are written, so that a long run that ends early does not lose them.
                    if !arguments.check
                        && let Err(message) =
                            texts(after).and_then(|texts| write_all(&workspace(), &texts))
                    {
                        anstream::eprintln!("error: {message}");
                    }
                }
            });
        }
    });
    let (after, failed) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let is_settled = settle(&table, &workspace(), &texts(&after)?, arguments.check)?;
    if failed.is_empty() {
        return Ok(is_settled);
    }
    Err(format!("not measured: {}; the reasons are above", failed.join(", ")))
}

/// Notes the reason of a failed measurement in the earlier result, which is kept.
fn keep(results: &mut Results, name: &str, why: &str) {
    anstream::eprintln!("error: {name}: {why}");
    for kept in results.measured.iter_mut().filter(|it| it.head.software == name) {
        kept.head.failed = Some(why.to_owned());
    }
}

/// Returns the file of the lists that these results and those of the other tables name.
fn lists_text(survey: &Survey, table: &str, results: &Results) -> Result<Text, String> {
    let others = ["peers", "crawlers", "retrievers"].into_iter().filter(|other| *other != table);
    let others = others.map(Results::read).collect::<Result<Vec<_>, _>>()?;
    let all: Vec<&Results> = others.iter().chain([results]).collect();
    survey.lists.text(&all)
}

/// Returns a message without the folders of the measuring machine.
fn placeless(message: &str, folders: &Folders) -> String {
    let places: [&PathBuf; 3] = [&folders.install, &folders.manifest, &workspace()];
    places
        .into_iter()
        .fold(message.to_owned(), |message, place| message.replace(&*place.to_string_lossy(), "…"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::{Answers, TIME_LIMIT};
    use crate::command::Trial;
    use crate::results::{Failing, Measured};
    use crate::suite::{EDITIONS, Question, Questions, Suite};

    /// Returns the result of trials about one question, each with its edition, outcome, answer and seconds.
    fn measured(trials: &[(&str, &str, &str, u64)]) -> Measured {
        let mut answers = Answers { version: "1".to_owned(), ..Answers::default() };
        for (edition, outcome, text, seconds) in trials {
            let trial = json!({
                "case": "case", "member": "/x", "edition": edition, "level": "must", "outcome": outcome, "got": text,
                "detail": text, "microseconds": seconds * 1_000_000,
            });
            let trial: Trial = serde_json::from_value(trial).unwrap();
            answers.add_failure(&trial, Vec::new());
        }
        let editions = EDITIONS.map(|edition| (edition.to_owned(), Question::default()));
        let suite = Suite {
            requirements: Vec::new(),
            questions: Questions::from([("case::/x".to_owned(), BTreeMap::from(editions))]),
            crawls: Questions::new(),
            library: BTreeMap::new(),
        };
        answers.measured("x", "2026-11-24".to_owned(), "list".to_owned(), &suite)
    }

    #[test]
    fn failures_that_differ_only_in_the_edition_are_one_line() {
        let everywhere = measured(&EDITIONS.map(|edition| (edition, "failed", "allow", 0)));
        let [line] = &everywhere.failing[..] else { panic!() };
        assert_eq!((line.software.as_str(), line.question.as_str()), ("x 1", "case::/x"));
        assert!(line.editions.is_empty(), "all editions fail");
        let two = measured(&[
            ("google-2018", "failed", "allow", 0),
            ("google-2019", "failed", "allow", 0),
            ("google-2022", "failed", "disallow", 0),
            ("rfc9309", "passed", "allow", 0),
        ]);
        let lines: Vec<_> =
            two.failing.iter().map(|line| (line.answer.as_deref(), line.editions.len())).collect();
        assert_eq!(lines, [(Some("allow"), 2), (Some("disallow"), 1)]);
    }

    #[test]
    fn an_error_is_no_answer_and_a_late_one_has_no_text() {
        let failing = |seconds| {
            let mut found = measured(&[("rfc9309", "errored", "no answer", seconds)]).failing;
            let Failing { answer, error, late, .. } = found.remove(0);
            (answer, error, late)
        };
        assert_eq!(failing(1), (None, Some("no answer".to_owned()), false));
        assert_eq!(failing(TIME_LIMIT), (None, None, true));
    }
}
