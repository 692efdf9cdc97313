//! A deviations file lists the known wrong answers of an engine, or the known violations of a crawler, with reasons.
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

use robots_console::file;
use robots_core::Edition;
use serde::{Deserialize, Serialize};
use serde_yaml::Value;

use crate::kind::{self, Answer, QuestionKind};
use crate::problem::{Place, Problem, Problems};
use crate::run::outcome::Outcome;
use crate::run::trial::Trial;
use crate::suite::load::Source;
use crate::yaml::read_keys;
use robots_console::render;

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
    stated: Known,
    why: String,
    place: Place,
}

/// The content of an entry. In YAML, the content is the key `answers` or `found` with its value.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Known {
    /// The answer to a question, as the suite writes it, or the word `error`.
    Answers(Value),
    /// All the findings that make the crawl fail.
    Found(BTreeSet<String>),
    /// The wrong verdict, which a list of known failures implies.
    Wrong,
}

/// The tags in a list of known failures. The tag `error` is for a question without an answer.
const TAGS: [&str; 4] = ["bug", "wontfix", "divergence", "error"];

/// What a subject did in a trial. This behaviour is compared with the entry of the trial.
#[derive(Clone, Copy)]
pub(crate) enum Behaviour<'t> {
    /// The answer of an engine to the question of a trial, if it gave one.
    Answer(&'t Trial, Option<&'t Answer>),
    /// The violations of requirements in a crawl.
    Crawl(&'t BTreeSet<String>),
}

/// The trials that an entry covers.
#[derive(Clone, Debug)]
enum Trials {
    /// The entry's name is the name of a trial, of a case, or of an edition of a case. The entry covers this trial, or
    /// all failing trials of this case or edition.
    Named,
    /// The listed trials.
    Listed(Vec<String>),
    /// All failing trials of a question, whatever the subject, in all editions except these.
    Question { question: String, except: Vec<Edition> },
}

impl Entry {
    /// Returns whether the entry covers exactly this trial, by full name.
    fn is_of(&self, name: &str) -> bool {
        match &self.trials {
            Trials::Named => self.name == name,
            Trials::Listed(names) => names.iter().any(|listed| listed == name),
            Trials::Question { .. } => false,
        }
    }

    /// Returns whether the entry covers the whole case of the trial, or all trials of that case under the trial's
    /// edition, or the question of the trial.
    fn is_above(&self, name: &str) -> bool {
        if let Trials::Question { question, except } = &self.trials {
            let is_of = |of: (&str, String)| {
                of.1 == *question && except.iter().all(|edition| edition.id() != of.0)
            };
            return asked(name).is_some_and(is_of);
        }
        // The name of such an entry must have at least the parts `engine::area::case`.
        let is_case = self.name.splitn(4, "::").count() >= 3;
        matches!(self.trials, Trials::Named)
            && is_case
            && name.strip_prefix(&self.name).is_some_and(|below| below.starts_with("::"))
    }

    /// Returns whether the entry states that the engine answers with an error.
    fn is_error(&self) -> bool {
        matches!(&self.stated, Known::Answers(value) if value.as_str() == Some("error"))
    }

    /// Returns why the entry cannot describe a crawl (if `is_crawl` is true) or a question (otherwise). Returns `None`
    /// if it can.
    fn misfit(&self, is_crawl: bool) -> Option<&'static str> {
        match (&self.stated, is_crawl) {
            (Known::Answers(_), true) => {
                Some("`answers` is for a question; the trial is a crawl, so write `found`")
            }
            (Known::Found(_), false) => {
                Some("`found` is for a crawl; the trial is a question, so write `answers`")
            }
            (Known::Wrong, true) => {
                Some("a list of known failures is for questions, not for crawls")
            }
            _ => None,
        }
    }

    /// Returns the problem with the entry of a trial, given the kind of its question. A crawl has no kind.
    fn problem_with(&self, kind: Option<QuestionKind>) -> Option<String> {
        if let Some(misfit) = self.misfit(kind.is_none()) {
            return Some(misfit.to_owned());
        }
        match (&self.stated, kind) {
            (Known::Answers(value), Some(kind)) if !self.is_error() => {
                kind::expected(kind, value).err()
            }
            (Known::Wrong, Some(kind)) if kind != QuestionKind::Verdict => Some(format!(
                "the question is no verdict but `{}`; list its answer in a deviations file",
                kind.id()
            )),
            _ => None,
        }
    }

    /// Compares the entry with the behaviour in a failed trial.
    ///
    /// # Errors
    /// Returns the difference, and how to fix it.
    fn compare(&self, behaviour: Behaviour<'_>) -> Result<(), String> {
        let place = &self.place;
        match (&self.stated, behaviour) {
            (Known::Answers(_), Behaviour::Answer(..)) if self.is_error() => Err(format!(
                "drifted: {place} says that the engine errs, but it answers; correct the entry or remove it"
            )),
            (Known::Answers(value), Behaviour::Answer(trial, answer)) => {
                let stated = kind::expected(trial.kind(), value)
                    .map_err(|message| format!("the entry at {place}: {message}"))?;
                let right = trial.conforming().answers();
                if answer.is_some_and(|answer| kind::is_deviation(&stated, &right, answer)) {
                    return Ok(());
                }
                let given = answer.map_or_else(
                    || "it gives no answer".to_owned(),
                    |answer| format!("it answers\n{}", kind::answer_text(answer)),
                );
                Err(format!(
                    "drifted: {place} says that the engine answers\n{}\nbut {given}\ncorrect the entry \
                     or remove it",
                    kind::text(&stated),
                ))
            }
            (Known::Wrong, Behaviour::Answer(..)) => Ok(()),
            (Known::Found(stated), Behaviour::Crawl(found)) if stated == found => Ok(()),
            (Known::Found(stated), Behaviour::Crawl(found)) => {
                let list = |found: &BTreeSet<String>| {
                    found.iter().map(String::as_str).collect::<Vec<_>>().join("; ")
                };
                Err(format!(
                    "drifted: {place} says that the crawler did \"{}\", but it did \"{}\"; correct the entry or \
                     remove it",
                    list(stated),
                    list(found)
                ))
            }
            (Known::Answers(_) | Known::Wrong, Behaviour::Crawl(_))
            | (Known::Found(_), Behaviour::Answer(..)) => {
                unreachable!("a misfit is reported before")
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
    /// has more than 16 MiB, is not UTF-8, or has a NUL octet.
    pub fn read(path: &Path) -> Result<Self, Problems> {
        let file = path.display().to_string();
        let text = file::text(path).map_err(|error| {
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

    /// Parses the text of a deviations file. `file` is the name of the file in messages.
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
        let mapping = source.mapping().map_err(Problems::from)?;
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
                (Some(answers), None) => Some(Known::Answers(answers)),
                (None, Some(found)) if found.is_empty() => {
                    wrong(
                        "`found` is empty; list the findings of the crawl, or remove the entry"
                            .to_owned(),
                    );
                    None
                }
                (None, Some(found)) => Some(Known::Found(found)),
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

    /// Parses a list of known failures, as the README of the vectors describes it: on each line the id of a question, a tag and a reason. A line that begins with
    /// `#` is a comment. `file` is the name of the file in messages.
    ///
    /// # Errors
    /// Returns every problem, with file and line.
    ///
    /// ```
    /// use robots_conformance::run::deviations::Deviations;
    /// let problems = Deviations::parse_list("known.txt", "fish::/cat bug\n").unwrap_err();
    /// assert_eq!(problems.to_string(), "known.txt:1: fish::/cat: the reason is missing after the tag");
    /// ```
    pub fn parse_list(file: &str, text: &str) -> Result<Self, Problems> {
        let (mut entries, mut problems) = (Vec::<Entry>::new(), Vec::new());
        // An editor may begin the file with a byte order mark.
        let lines = text.trim_start_matches('\u{feff}').lines().zip(1..);
        for (line, number) in
            lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'))
        {
            let mut words = line.splitn(3, ' ');
            let [id, tag, why] =
                [(); 3].map(|()| words.next().unwrap_or_default().trim().to_owned());
            let place = Place::new(file, number);
            let problem = if !TAGS.contains(&&*tag) {
                Some(format!("{tag:?} is no tag; the tags are {}", TAGS.join(", ")))
            } else if why.is_empty() {
                Some("the reason is missing after the tag".to_owned())
            } else {
                let is_listed = entries.iter().any(|entry| entry.name == id);
                is_listed.then(|| "the list has this id twice; keep one line".to_owned())
            };
            if let Some(problem) = problem {
                problems.push(Problem::new(place.clone(), format!("{id}: {problem}")));
            }
            let stated = if tag == "error" { Known::Answers(tag.into()) } else { Known::Wrong };
            let trials = Trials::Question { question: id.clone(), except: Vec::new() };
            entries.push(Entry { name: id, trials, stated, why, place });
        }
        Problems::none_or(problems, Self { entries })
    }

    /// Applies the ids of a list to the editions in which they are the id of their question. A question that an edition
    /// answers anew has another id there, with `~` and a number. `id` returns the id of a question in an edition.
    #[must_use]
    pub fn with_ids(mut self, id: impl Fn(Edition, &str) -> String) -> Self {
        for entry in &mut self.entries {
            let Trials::Question { question, except } = &mut entry.trials else { continue };
            let older = question.rsplit_once('~').map(|(question, _)| question);
            let is_new = |older: &&str| Edition::ALL.iter().any(|of| id(*of, older) == entry.name);
            if let Some(older) = older.filter(is_new) {
                *question = older.to_owned();
            }
            except.extend(Edition::ALL.iter().filter(|of| id(**of, question) != entry.name));
        }
        self
    }

    /// Adds the entries of other deviations.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.entries.extend(other.entries);
        self
    }

    /// Returns the number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the stale entries: those that name no trial, and those whose answer or findings are impossible for the
    /// trials that they name. `trials` contains the full name of every trial of the engine or crawler, with the kind of
    /// its question. A crawl has no kind.
    pub fn stale(&self, trials: &BTreeMap<String, Option<QuestionKind>>) -> Vec<Problem> {
        const STALE: &str = "stale: there is no such trial; remove the entry";
        self.problems(|entry| match &entry.trials {
            Trials::Named | Trials::Question { .. } => {
                let covers = |name: &str| entry.is_of(name) || entry.is_above(name);
                let covered = trials.iter().find(|(name, _)| covers(name));
                covered
                    .map_or_else(|| Some(STALE.to_owned()), |(_, kind)| entry.problem_with(*kind))
            }
            Trials::Listed(names) => names.iter().find_map(|name| match trials.get(name) {
                None => Some(format!("{name}: {STALE}")),
                Some(kind) => entry.problem_with(*kind),
            }),
        })
    }

    /// Returns the entries of whole cases that no longer apply to any trial. `ended` contains the full names of all
    /// trials of the engine or crawler, with their outcomes.
    pub fn healed<'o>(
        &self,
        ended: impl IntoIterator<Item = (String, &'o Outcome)>,
    ) -> Vec<Problem> {
        let ended: Vec<(String, &Outcome)> = ended.into_iter().collect();
        self.problems(|entry| {
            let mut covered = ended.iter().filter(|(name, _)| entry.is_above(name)).peekable();
            let is_healed =
                covered.peek().is_some() && covered.all(|(_, outcome)| !outcome.kind().is_wrong());
            is_healed.then(|| "healed: no trial of it fails; remove the entry".to_owned())
        })
    }

    /// Returns the problems that `problem` finds in entries. The texts of the problems are escaped, because they come
    /// from the file and every report shows them.
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
            self.entries
                .iter()
                .filter(|_| outcome.kind().is_wrong())
                .find(|entry| entry.is_above(name))
        })
    }

    /// Applies the entry of a crawl, if it has one, to the outcome. `found` contains the violations of requirements. `name` is the full name of the trial. The texts of
    /// the result are escaped, because they may come from the file or from the subject.
    ///
    /// ```
    /// use std::collections::BTreeSet;
    /// use robots_conformance::run::deviations::Deviations;
    /// use robots_conformance::run::outcome::Outcome;
    ///
    /// let text = "a::b::c::rfc9309: { found: [fetched /x of main], why: It is so. }";
    /// let known = Deviations::parse("mine.yaml", text).unwrap();
    /// let failed = || Outcome::Failed { note: None };
    /// let name = "a::b::c::rfc9309";
    /// let found = BTreeSet::from(["fetched /x of main".to_owned()]);
    /// let outcome = known.apply_to_crawl(name, failed(), &found);
    /// assert_eq!(outcome, Outcome::Deviation { why: "It is so.".to_owned() });
    /// assert!(known.apply_to_crawl(name, failed(), &BTreeSet::new()).is_failure());
    /// assert!(known.apply_to_crawl(name, Outcome::Passed, &BTreeSet::new()).is_failure());
    /// assert_eq!(known.apply_to_crawl(name, Outcome::Waited, &found), Outcome::Waited);
    /// ```
    #[must_use]
    pub fn apply_to_crawl(
        &self,
        name: &str,
        outcome: Outcome,
        found: &BTreeSet<String>,
    ) -> Outcome {
        self.apply(name, outcome, Behaviour::Crawl(found))
    }

    /// Applies the entry of a trial, as [`apply_to_crawl`](Self::apply_to_crawl) does.
    pub(crate) fn apply(&self, name: &str, outcome: Outcome, behaviour: Behaviour<'_>) -> Outcome {
        let Some(entry) = self.entry(name, &outcome) else { return outcome.rendered() };
        let failed = |note: String| Outcome::Failed { note: Some(note) };
        let deviation = || Outcome::Deviation { why: entry.why.trim().to_owned() };
        let place = &entry.place;
        if let Some(misfit) = entry.misfit(matches!(behaviour, Behaviour::Crawl(_))) {
            return failed(format!("the entry at {place}: {misfit}")).rendered();
        }
        let outcome = match outcome {
            Outcome::Failed { .. } => {
                entry.compare(behaviour).map_or_else(failed, |()| deviation())
            }
            Outcome::Errored { .. } if entry.is_error() => deviation(),
            Outcome::Errored { message, is_late, id } => Outcome::Errored {
                message: format!("{message} (the entry at {place} states an answer instead)"),
                is_late,
                id,
            },
            Outcome::Unanswered { reason } => failed(format!(
                "drifted: the engine does not answer ({reason}), but {place} states an answer; remove the entry"
            )),
            Outcome::NotAsked { missing } => failed(format!(
                "stale: the question is not asked, because {missing}, but {place} states an answer; remove the entry"
            )),
            // A crawl without a decision shows nothing about the entry.
            Outcome::Inconclusive | Outcome::Waited | Outcome::NotRun { .. } => outcome,
            Outcome::Passed
            | Outcome::Deviation { .. }
            | Outcome::Contested { .. }
            | Outcome::Open { .. } => failed(format!(
                "healed: the trial is {} without the entry at {place}; remove the entry",
                outcome.name()
            )),
        };
        outcome.rendered()
    }
}

/// Returns the edition and the question of a trial, given its full name. The question is the case, with `::member` if the
/// case has lists.
fn asked(name: &str) -> Option<(&str, String)> {
    let parts: Vec<&str> = name.splitn(5, "::").collect();
    match &parts[..] {
        [_, _, case, edition] => Some((edition, (*case).to_owned())),
        [_, _, case, edition, member] => Some((edition, format!("{case}::{member}"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
