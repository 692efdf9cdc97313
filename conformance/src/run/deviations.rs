//! The deviations file of an engine or a crawler: its known wrong answers, with reasons.
//!
//! The file is a YAML mapping. A trial with an entry passes as a *deviation* as long as the answer, or the behaviour of
//! a crawler, is exactly as stated. An entry is an error if the trial now conforms (healed), if the answer is different
//! (drifted), or if the trial no longer exists (stale).
//!
//! ```yaml
//! my-engine::path-matching::fish-prefix::rfc9309::/catfish:  # one trial
//!   answers: disallow
//!   why: It searches the pattern anywhere in the path; issue 12 of its tracker.
//! my-engine::grouping::merged-groups:  # every failing trial of a case, or of one edition of it
//!   answers: allow
//!   why: It reads the first group only.
//! no sitemaps:  # the trials that are listed
//!   trials: [my-engine::sitemap::one-line::rfc9309, my-engine::sitemap::two-lines::rfc9309]
//!   answers: error
//!   why: It panics at a sitemap.
//! my-crawler::crawling::wire-status-503::rfc9309:  # a crawl: every finding that makes it fail, in any order
//!   found: [fetched /private/page of main]
//!   why: It takes a 503 for a missing file; issue 12 of its tracker.
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use robots_core::engine::{Answer, QuestionKind};
use serde::Deserialize;
use serde_yaml::Value;

use crate::kind;
use crate::problem::{Place, Problem, Problems};
use crate::render;
use crate::run::outcome::Outcome;
use crate::run::trial::Trial;
use crate::suite::load::{self, Source};
use crate::yaml::read_keys;

/// The environment variable that makes a test harness write its deviations file.
pub const WRITE: &str = "ROBOTS_CONFORMANCE_WRITE_DEVIATIONS";

/// The deviations of one engine or crawler.
#[derive(Clone, Debug, Default)]
pub struct Deviations {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    name: String,
    trials: Trials,
    stated: Stated,
    why: String,
    place: Place,
}

/// The content of an entry.
#[derive(Clone, Debug)]
enum Stated {
    /// The answer to a question.
    Answers(Value),
    /// All the findings that make the crawl fail.
    Found(BTreeSet<String>),
}

/// The trials that an entry covers.
#[derive(Clone, Debug)]
enum Trials {
    /// The trial with the entry's name, or all trials of the case, or of an edition of the case, with this name.
    Named,
    /// The listed trials.
    Listed(Vec<String>),
}

impl Entry {
    /// Returns whether the entry covers exactly this trial, by full name.
    fn is_of(&self, name: &str) -> bool {
        match &self.trials {
            Trials::Named => self.name == name,
            Trials::Listed(names) => names.iter().any(|listed| listed == name),
        }
    }

    /// Returns whether the entry covers the case of the trial, or an edition of this case.
    fn is_above(&self, name: &str) -> bool {
        // A prefix must be at least `engine::area::case`.
        let is_case = self.name.splitn(4, "::").count() >= 3;
        matches!(self.trials, Trials::Named)
            && is_case
            && name.strip_prefix(&self.name).is_some_and(|below| below.starts_with("::"))
    }

    /// Returns whether the entry states that the engine answers with an error.
    fn is_error(&self) -> bool {
        matches!(&self.stated, Stated::Answers(value) if value.as_str() == Some("error"))
    }

    /// Returns the stated answer to a kind of question.
    fn answer(&self, kind: QuestionKind) -> Result<kind::Expected, String> {
        match &self.stated {
            Stated::Answers(value) => kind::expected(kind, value),
            Stated::Found(_) => {
                Err("`found` is for a crawl; the trial is a question, so write `answers`"
                    .to_owned())
            }
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    trials: Option<Vec<String>>,
    answers: Option<Value>,
    found: Option<BTreeSet<String>>,
    why: Option<String>,
}

impl Deviations {
    /// Reads a deviations file.
    ///
    /// # Errors
    /// Returns every problem, with file and line. A file is also a problem if it cannot be read, is not a regular file,
    /// has more than 16 MiB, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        let file = path.display().to_string();
        let text = load::text(path).map_err(|error| {
            let advice = match error.kind() {
                io::ErrorKind::NotFound => format!(
                    "; a first one is written by `robots-conformance run --write-deviations {file}`, and \
                     under `cargo test` with {WRITE}=1 in the environment"
                ),
                _ => String::new(),
            };
            let message = format!("cannot read the deviations file: {error}{advice}");
            Problems::from(Problem::new(Place::new(&file, 1), message))
        })?;
        Self::parse(&file, &text)
    }

    /// Parses the text of a deviations file; `file` names it in messages.
    ///
    /// # Errors
    /// Returns every problem, with file and line.
    ///
    /// ```
    /// use robots_conformance::run::deviations::Deviations;
    /// let problems = Deviations::parse("mine.yaml", "a::b::c::rfc9309:\n  answers: allow\n  why: ' '\n");
    /// assert_eq!(
    ///     problems.unwrap_err().to_string(),
    ///     "mine.yaml:1: a::b::c::rfc9309: `why` is blank; give the reason for the engine's answer",
    /// );
    /// ```
    pub fn parse(file: &str, text: &str) -> Result<Self, Problems> {
        let source = Source::new(file, text);
        let mapping = load::mapping(&source, text).map_err(Problems::from)?;
        let mut places = source.top_keys().into_iter();
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        for (key, value) in &mapping {
            let place = places.next().unwrap_or_else(|| source.place(1));
            let name = key.as_str().unwrap_or_default().to_owned();
            let mut wrong = |message: String| {
                let message = format!("{name}: {message}");
                problems.push(Problem { place: place.clone(), message });
            };
            let Some(value) = value.as_mapping() else {
                wrong("an entry is a mapping of `answers`, `why` and maybe `trials`".to_owned());
                continue;
            };
            let raw: RawEntry = read_keys(value, |_, message| wrong(message));
            let stated = match (raw.answers, raw.found) {
                (Some(answers), None) => Some(Stated::Answers(answers)),
                (None, Some(found)) if found.is_empty() => {
                    wrong(
                        "`found` is empty; list the findings of the crawl, or remove the entry"
                            .to_owned(),
                    );
                    None
                }
                (None, Some(found)) => Some(Stated::Found(found)),
                (None, None) => {
                    wrong("`answers` is missing: the wrong answer of the engine".to_owned());
                    None
                }
                (Some(_), Some(_)) => {
                    wrong("both `answers` and `found` are there; keep `answers` for a question, `found` for a crawl".to_owned());
                    None
                }
            };
            match &raw.why {
                None => {
                    wrong("`why` is missing; give the reason for the engine's answer".to_owned());
                }
                Some(why) if why.trim().is_empty() => {
                    wrong("`why` is blank; give the reason for the engine's answer".to_owned());
                }
                Some(_) => {}
            }
            if raw.trials.as_ref().is_some_and(Vec::is_empty) {
                wrong(
                    "`trials` is empty; list the full names of trials, or leave it out".to_owned(),
                );
            }
            let trials = raw.trials.map_or(Trials::Named, Trials::Listed);
            if let (Some(stated), Some(why)) = (stated, raw.why) {
                entries.push(Entry { name, trials, stated, why, place });
            }
        }
        Problems::none_or(problems, Self { entries })
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries that name no trial, and the entries that state an answer of another kind. `trials` has the
    /// full name of every trial of the engine or crawler, with the kind of its question; a crawl has no kind.
    pub fn stale(&self, trials: &BTreeMap<String, Option<QuestionKind>>) -> Vec<Problem> {
        const STALE: &str = "stale: there is no such trial; remove the entry";
        self.problems(|entry| match &entry.trials {
            Trials::Named => {
                let covers = |name: &str| entry.is_of(name) || entry.is_above(name);
                let covered = trials.iter().find(|(name, _)| covers(name));
                covered.map_or_else(|| Some(STALE.to_owned()), |(_, kind)| entry.no_answer(*kind))
            }
            Trials::Listed(names) => names.iter().find_map(|name| match trials.get(name) {
                None => Some(format!("{name}: {STALE}")),
                Some(kind) => entry.no_answer(*kind),
            }),
        })
    }

    /// Returns the entries of whole cases that no longer apply to any trial. `ended` has the full names of all trials of
    /// the engine or crawler, with their outcomes.
    pub fn healed<'o>(
        &self,
        ended: impl IntoIterator<Item = (String, &'o Outcome)>,
    ) -> Vec<Problem> {
        let ended: Vec<(String, &Outcome)> = ended.into_iter().collect();
        self.problems(|entry| {
            let mut covered = ended.iter().filter(|(name, _)| entry.is_above(name)).peekable();
            let is_healed =
                covered.peek().is_some() && covered.all(|(_, outcome)| !is_wrong(outcome));
            is_healed.then(|| "healed: no trial of it fails; remove the entry".to_owned())
        })
    }

    /// Returns the problems of entries. Their texts are rendered, because they come from the file and every report
    /// shows them.
    fn problems(&self, problem: impl Fn(&Entry) -> Option<String>) -> Vec<Problem> {
        let of = |entry: &Entry| {
            let message = render::message(&format!("{}: {}", entry.name, problem(entry)?));
            let file = render::message(&entry.place.file);
            Some(Problem { place: Place { file, ..entry.place.clone() }, message })
        };
        self.entries.iter().filter_map(of).collect()
    }

    /// Returns the entry that covers a trial, given its full name and outcome.
    fn entry(&self, name: &str, outcome: &Outcome) -> Option<&Entry> {
        let exact = self.entries.iter().find(|entry| entry.is_of(name));
        exact.or_else(|| {
            // An entry of a whole case covers only the failing trials; other trials of the case may pass.
            self.entries.iter().filter(|_| is_wrong(outcome)).find(|entry| entry.is_above(name))
        })
    }

    /// Applies the entry of a crawl to its outcome, given the findings of the crawl. Without an entry, the outcome does
    /// not change.
    ///
    /// ```
    /// use std::collections::BTreeSet;
    /// use robots_conformance::run::deviations::Deviations;
    /// use robots_conformance::run::outcome::Outcome;
    ///
    /// let text = "a::b::c::rfc9309: { found: [fetched /x of main], why: It is so. }";
    /// let known = Deviations::parse("mine.yaml", text).unwrap();
    /// let failed = || Outcome::Failed { note: None };
    /// let found = BTreeSet::from(["fetched /x of main".to_owned()]);
    /// let outcome = known.apply_to_crawl("a::b::c::rfc9309", failed(), &found);
    /// assert_eq!(outcome, Outcome::Deviation { why: "It is so.".to_owned() });
    /// assert!(known.apply_to_crawl("a::b::c::rfc9309", failed(), &BTreeSet::new()).is_failure());
    /// assert!(known.apply_to_crawl("a::b::c::rfc9309", Outcome::Passed, &BTreeSet::new()).is_failure());
    /// assert_eq!(known.apply_to_crawl("a::b::c::rfc9309", Outcome::Waited, &found), Outcome::Waited);
    /// ```
    #[must_use]
    pub fn apply_to_crawl(
        &self,
        name: &str,
        outcome: Outcome,
        found: &BTreeSet<String>,
    ) -> Outcome {
        let Some(entry) = self.entry(name, &outcome) else { return outcome };
        let failed = |note: String| Outcome::Failed { note: Some(note) }.rendered();
        let place = &entry.place;
        match (outcome, &entry.stated) {
            (_, Stated::Answers(_)) => failed(format!(
                "the entry at {place}: `answers` is for a question; the trial is a crawl, so write `found`"
            )),
            (Outcome::Failed { .. }, Stated::Found(stated)) if stated == found => {
                Outcome::Deviation { why: entry.why.trim().to_owned() }.rendered()
            }
            (Outcome::Failed { .. }, Stated::Found(stated)) => {
                let list = |found: &BTreeSet<String>| {
                    found.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
                };
                failed(format!(
                    "drifted: {place} says that the crawler did \"{}\", but it did \"{}\"; correct the entry or \
                     remove it",
                    list(stated),
                    list(found)
                ))
            }
            (outcome @ (Outcome::Passed | Outcome::Open { .. }), _) => failed(format!(
                "healed: the trial is {} without the entry at {place}; remove the entry",
                outcome.name()
            )),
            // A trial without a decision shows nothing about the entry.
            (outcome, _) => outcome,
        }
    }

    /// Applies the entry of a trial, if it has one, to the outcome.
    pub(crate) fn apply(
        &self,
        engine: &str,
        trial: &Trial,
        outcome: Outcome,
        answer: Option<&Answer>,
    ) -> Outcome {
        let Some(entry) = self.entry(&trial.full_name(engine), &outcome) else { return outcome };
        let failed = |note: String| Outcome::Failed { note: Some(note) };
        let place = &entry.place;
        match (outcome, answer) {
            (Outcome::Errored { .. }, _) if entry.is_error() => {
                Outcome::Deviation { why: entry.why.clone() }
            }
            (Outcome::Failed { .. }, Some(answer)) => {
                let stated = entry.answer(trial.kind());
                match stated {
                    _ if entry.is_error() => failed(format!(
                        "drifted: {place} says that the engine errs, but it answers; correct the entry or \
                         remove it"
                    )),
                    Ok(stated)
                        if kind::is_deviation(&stated, &trial.conforming().answers(), answer) =>
                    {
                        Outcome::Deviation { why: entry.why.clone() }
                    }
                    Ok(stated) => failed(format!(
                        "drifted: {place} says that the engine answers\n{}\nbut its answer is different; \
                         correct the entry or remove it",
                        kind::text(&stated),
                    )),
                    Err(message) => failed(format!("the entry at {place}: {message}")),
                }
            }
            (Outcome::Unanswered { reason }, _) => failed(format!(
                "drifted: the engine does not answer ({reason}), but {place} states an answer; remove the \
                 entry"
            )),
            (Outcome::NotAsked { missing }, _) => failed(format!(
                "stale: the question is not asked, because {missing}, but {place} states an answer; remove the entry"
            )),
            (Outcome::Errored { message, is_late, id }, _) => Outcome::Errored {
                message: format!("{message} (the entry at {place} states an answer instead)"),
                is_late,
                id,
            },
            (outcome, _) => failed(format!(
                "healed: the trial is {} without the entry at {place}; remove the entry",
                outcome.name()
            )),
        }
    }
}

impl Entry {
    /// Returns the reason why the entry's answer does not fit a kind of question, or `None` if it fits.
    fn no_answer(&self, kind: Option<QuestionKind>) -> Option<String> {
        let kind = kind.filter(|_| !self.is_error())?;
        self.answer(kind).err()
    }
}

/// Returns whether a trial failed, or would fail without its entry.
fn is_wrong(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed { .. } | Outcome::Errored { .. } | Outcome::Deviation { .. })
}

#[cfg(test)]
mod tests;
