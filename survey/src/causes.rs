//! The causes of failures, `survey/causes/NAME.toml`: a person read the failing questions, and wrote down each fault.
//!
//! A [`Cause`] is one fault in one release. It lists the questions of the suite that show the fault, and one of them is
//! its example. File, question and right answer come from the suite, and the given answer comes from the stored results,
//! so a cause cannot contradict them. An [`Excused`] entry lists failing questions that are not judged, with the reason.
//! `judged` uses this module, and `check` compares it with the results.

use std::collections::BTreeMap;
use std::fs;

use serde::Deserialize;

use crate::files::workspace;

/// The folder of the files.
pub(crate) const FOLDER: &str = "survey/causes";

/// The causes of all software, by its kind, and its name with the version.
#[derive(Default)]
pub(crate) struct AllCauses(BTreeMap<(String, String), Causes>);

/// The causes of the failures of one release.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Causes {
    /// The kind of software: `peer`, `crawler` or `retriever`. Some software is measured as more than one kind.
    kind: String,
    /// The name and the version, as the results have them.
    software: String,
    /// How to ask the software without this project.
    pub(crate) reproduce: Option<Reproduce>,
    #[serde(default, rename = "cause")]
    pub(crate) charged: Vec<Cause>,
    #[serde(default)]
    pub(crate) not_judged: Vec<Excused>,
    /// The name of the file, without the extension.
    #[serde(skip)]
    pub(crate) file: String,
}

/// How to ask software without this project: the first lines of its page.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Reproduce {
    /// The package and the platform.
    pub(crate) on: String,
    /// Whether the commands change the system, because they install its packages. Then `check` does not run them.
    #[serde(default)]
    pub(crate) system: bool,
    /// The shell commands that install the software, and write a program that asks it.
    pub(crate) setup: String,
    /// The command that asks about `{token}` and `{url}` under the file robots.txt. It prints `allow` or `disallow`.
    #[serde(default)]
    pub(crate) ask: String,
}

/// One fault.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Cause {
    /// The anchor of the cause on its page.
    pub(crate) id: String,
    pub(crate) title: String,
    /// The requirement that the fault violates.
    pub(crate) requirement: String,
    /// What the document says about it, in our words, if the words of the requirement are not enough.
    pub(crate) passage: Option<String>,
    /// The place of the fault in the source.
    pub(crate) at: Option<String>,
    /// Other facts, for example a discussion of the maintainers.
    pub(crate) words: Option<String>,
    /// The question with the smallest robots.txt.
    pub(crate) example: String,
    /// The questions that show the fault. A name that ends in `*` stands for the failing questions whose names begin with
    /// it, and the software fails each of their cases.
    pub(crate) shows: Vec<String>,
    /// The shell commands that show the fault, if asking about the example does not. They follow `setup`.
    pub(crate) run: Option<String>,
    /// What `run` prints.
    pub(crate) prints: Option<String>,
}

/// Failing questions that are not judged, for a reason that no rule of `judged` knows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Excused {
    pub(crate) reason: String,
    pub(crate) shows: Vec<String>,
}

/// An entry that lists a question.
#[derive(Clone, Copy)]
pub(crate) enum Entry<'c> {
    Cause(&'c Cause),
    Excused(&'c Excused),
}

impl Entry<'_> {
    pub(crate) fn shows(&self) -> &[String] {
        match self {
            Self::Cause(cause) => &cause.shows,
            Self::Excused(excused) => &excused.shows,
        }
    }
}

impl AllCauses {
    /// Reads the folder.
    ///
    /// # Errors
    /// Returns a message about the file that is wrong.
    pub(crate) fn read() -> Result<Self, String> {
        let folder = workspace().join(FOLDER);
        let entries = fs::read_dir(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
        let mut all = BTreeMap::new();
        for entry in entries {
            let path = entry.map_err(|error| format!("{FOLDER}: {error}"))?.path();
            let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
            let mut causes: Causes = toml::from_str(&text).map_err(|error| wrong(&error))?;
            causes.file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            all.insert((causes.kind.clone(), causes.software.clone()), causes);
        }
        Ok(Self(all))
    }

    /// Returns the causes of a release.
    pub(crate) fn of(&self, kind: &str, full_name: &str) -> Option<&Causes> {
        self.0.get(&(kind.to_owned(), full_name.to_owned()))
    }

    /// Returns all files, with the kind and the full name of the software.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&(String, String), &Causes)> {
        self.0.iter()
    }
}

impl Causes {
    /// Returns all entries.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        let causes = self.charged.iter().map(Entry::Cause);
        causes.chain(self.not_judged.iter().map(Entry::Excused))
    }

    /// Returns the entries that list a question. There is at most one, or `check` fails.
    pub(crate) fn listing(&self, question: &str) -> impl Iterator<Item = Entry<'_>> {
        self.entries().filter(move |entry| entry.shows().iter().any(|it| is_listed(it, question)))
    }
}

/// Returns whether an item of `shows` stands for a question.
pub(crate) fn is_listed(item: &str, question: &str) -> bool {
    item == question || item.strip_suffix('*').is_some_and(|start| question.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{Causes, Entry, is_listed};

    #[test]
    fn an_entry_lists_questions_by_name_or_by_beginning() {
        let text = r#"
kind = "peer"
software = "x 1"
cause = [{ id = "a", title = "", requirement = "A", example = "one::/x", shows = ["one::*"] }]
not-judged = [{ reason = "an old interpreter", shows = ["two"] }]
"#;
        let causes: Causes = toml::from_str(text).unwrap();
        let is_cause = |question: &str| match causes.listing(question).next() {
            Some(Entry::Cause(cause)) => Some(cause.id == "a"),
            Some(Entry::Excused(_)) => Some(false),
            None => None,
        };
        assert_eq!(is_cause("one::/y"), Some(true));
        assert_eq!((is_cause("two"), is_cause("two::/y")), (Some(false), None));
        // The name of a question can end in a star.
        assert!(
            is_listed("a::/*", "a::/*") && is_listed("a::/*", "a::/x") && !is_listed("a", "ab")
        );
    }
}
