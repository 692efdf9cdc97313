//! The changes of the vectors by version: [`Changes`], read from `vectors/changes.json`.
//!
//! The file has the form of the flat files, an array of comments and flat objects, so a reader of the vectors reads it
//! too. It is the only list of changes: the ids of vectors that were answered anew, the stamp of every file, the verb
//! `changes` and the words *new case* come from it.

use std::cmp::Ordering;

use robots_conformance::report::TrialRecord;
use robots_console::error::Error;
use robots_core::Edition;
use serde::Deserialize;

/// The folder of the flat files, below the folder of the cases.
pub(super) const FOLDER: &str = "vectors";

/// The name of the file.
pub(super) const FILE: &str = "changes.json";

/// The changes, oldest version first.
#[derive(Clone, Debug)]
pub(crate) struct Changes(Vec<Change>);

/// What happened to a vector in a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    /// The first version, whose vectors are not listed.
    First,
    /// A version without changes.
    None,
    Added,
    Withdrawn,
    AnsweredAnew,
}

/// A change of a vector.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Change {
    version: String,
    date: String,
    #[serde(rename = "change")]
    what: What,
    /// The edition, or `None` if the change is one of every edition that has the vector.
    edition: Option<Edition>,
    /// The id of the vector. For a vector that was answered anew, this is the new id: the old one with `~2`, or with the
    /// next number.
    #[serde(default)]
    id: String,
    /// The id of the vector that this one replaces.
    replaces: Option<String>,
    /// Why the vector was changed.
    #[serde(default)]
    reason: String,
    /// The passage of the document that decides.
    #[serde(default)]
    passage: String,
}

impl Changes {
    /// Reads the embedded file.
    ///
    /// # Errors
    /// Returns a message if the file is wrong, which no published version is.
    pub(crate) fn embedded() -> Result<Self, Error> {
        Self::parse(robots_spec_cases::file(&format!("{FOLDER}/{FILE}")).unwrap_or_default())
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// Returns a message with the line of the mistake.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |error: &dyn std::fmt::Display| Error::new(format!("{FILE}: {error}"));
        let items: Vec<serde_json::Value> =
            serde_json::from_str(text).map_err(|error| wrong(&error))?;
        let mut changes: Vec<Change> = Vec::new();
        for (item, line) in items.into_iter().zip(2..) {
            if item.is_string() {
                continue;
            }
            let change = serde_json::from_value(item);
            changes.push(change.map_err(|error| wrong(&format_args!("line {line}: {error}")))?);
        }
        let lacks = |change: &&Change| {
            let is_listed = !matches!(change.what, What::First | What::None);
            is_listed && (change.id.is_empty() || change.reason.is_empty())
                || (change.what == What::AnsweredAnew)
                    != (change.replaces.is_some() && !change.passage.is_empty())
        };
        if let Some(change) = changes.iter().find(lacks) {
            return Err(wrong(&format_args!(
                "a change of version {} needs `id` and `reason`, and one that is answered anew `replaces` and `passage`",
                change.version
            )));
        }
        if changes.is_empty() || !changes.is_sorted_by(|a, b| order(&a.version, &b.version).is_le())
        {
            return Err(wrong(&"the versions are not in order"));
        }
        Ok(Self(changes))
    }

    /// Returns the first line of a flat file, given the sum of the lines after it.
    pub(super) fn stamp(&self, sum: &str) -> String {
        let (version, license) = (env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
        let date = self.0.last().map_or("", |last| last.date.as_str());
        format!(
            "robots-conformance {version}, {date}, {license}, SHA-256 of the lines after this one: {sum}"
        )
    }

    /// Returns the id of a question in an edition, and the id that it replaces. An id never changes its meaning, so a
    /// question that was answered anew has another one.
    pub(crate) fn id(&self, edition: Edition, question: &str) -> (String, Option<&str>) {
        let is_of = |change: &&Change| {
            change.what == What::AnsweredAnew
                && change.edition.is_none_or(|of| of == edition)
                && change.id.rsplit_once('~').is_some_and(|(id, _)| id == question)
        };
        match self.0.iter().rev().find(is_of) {
            Some(change) => (change.id.clone(), change.replaces.as_deref()),
            None => (question.to_owned(), None),
        }
    }

    /// Returns whether a version withdrew a vector of an edition, or replaced it.
    pub(super) fn lists_the_end(&self, edition: &str, id: &str) -> bool {
        self.of(edition).any(|change| match change.what {
            What::Withdrawn => change.id == id,
            _ => change.replaces.as_deref() == Some(id),
        })
    }

    /// Returns whether a version added a vector of an edition, alone or in the place of another.
    pub(super) fn lists_the_start(&self, edition: &str, id: &str) -> bool {
        self.of(edition).any(|change| change.what != What::Withdrawn && change.id == id)
    }

    fn of(&self, edition: &str) -> impl Iterator<Item = &Change> {
        self.0.iter().filter(move |it| it.edition.is_none_or(|of| of.id() == edition))
    }

    /// Returns the changes after a version.
    ///
    /// # Errors
    /// Returns a message if the text is no version, or a later one than the newest.
    pub(crate) fn since(&self, version: &str) -> Result<impl Iterator<Item = &Change>, Error> {
        let newest = env!("CARGO_PKG_VERSION");
        if parts(version).is_none() || order(version, newest).is_gt() {
            return Err(Error::new(format!(
                "{version:?} is not a version up to {newest}, this one"
            )));
        }
        let version = version.to_owned();
        let is_listed = |change: &&Change| !matches!(change.what, What::First | What::None);
        let all = self.0.iter().filter(is_listed);
        Ok(all.filter(move |change| order(&change.version, &version).is_gt()))
    }

    /// Marks a failure whose question is new in the suite, so that every report says *new case*.
    pub(crate) fn mark(&self, trial: &mut TrialRecord) {
        if trial.outcome.is_failure() {
            trial.since = self.added(&trial.question()).map(str::to_owned);
        }
    }

    /// Returns the version that added a question, unless the first version had it.
    pub(super) fn added(&self, question: &str) -> Option<&str> {
        let is_it = |change: &&Change| change.what == What::Added && change.id == question;
        self.0.iter().find(is_it).map(|change| change.version.as_str())
    }
}

impl Change {
    /// Returns whether the change concerns one of these ids.
    pub(crate) fn concerns(&self, ids: &[String]) -> bool {
        ids.iter().any(|id| *id == self.id || Some(id) == self.replaces.as_ref())
    }
}

impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match self.what {
            What::First | What::None => "no change",
            What::Added => "added",
            What::Withdrawn => "withdrawn",
            What::AnsweredAnew => "answered anew",
        };
        write!(f, "{} {what}: {}", self.version, self.id)?;
        if let Some(edition) = self.edition {
            write!(f, " ({edition})")?;
        }
        if let Some(replaces) = &self.replaces {
            write!(f, ", replaces {replaces}")?;
        }
        write!(f, "\n  {}", self.reason)?;
        if !self.passage.is_empty() {
            write!(f, " ({})", self.passage)?;
        }
        Ok(())
    }
}

/// Reads the three numbers of a version.
fn parts(version: &str) -> Option<[u64; 3]> {
    let (numbers, _) = version.split_once('-').unwrap_or((version, ""));
    let numbers: Vec<u64> = numbers.split('.').map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

fn order(one: &str, other: &str) -> Ordering {
    parts(one).cmp(&parts(other))
}
