//! Writes the suite as flat files, for test frameworks of any language.
//!
//! There are two files. [`VECTORS`] contains the questions that a robots.txt parser can answer in one call: verdicts,
//! the group that a crawler follows, sitemaps, and preferences about the use of content. [`TIMELINES`] contains the
//! timelines for retrievers. A question is in a file only if an edition requires exactly one answer. The files are
//! generated from the cases and never edited. [`kind::vector_keys`] writes the keys of a kind of question, so this
//! module does not depend on the kinds. Start at [`Flat::text`].

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use robots_conformance::kind::{QuestionKind, Role};
use robots_core::Edition;
use serde_json::{Value, json};

use robots_conformance::kind::{self, Expected};
use robots_conformance::protocol;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming};

/// A flat file of the suite.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Flat {
    /// The path of the file in the folder of the cases.
    #[cfg(test)]
    pub file: &'static str,
    /// The path of its JSON Schema in the folder of the cases.
    pub schema_file: &'static str,
    is_for_retrievers: bool,
    about: &'static str,
}

/// The questions for parsers.
pub const VECTORS: Flat = Flat {
    #[cfg(test)]
    file: "vectors.json",
    schema_file: "schema/vectors.schema.json",
    is_for_retrievers: false,
    about: "Questions about robots.txt, each with the one answer that an edition gives. Generated from the YAML files \
            beside it by `cargo xtask bless`; do not edit.",
};

/// The timelines for retrievers.
pub const TIMELINES: Flat = Flat {
    #[cfg(test)]
    file: "fetch-vectors.json",
    schema_file: "schema/fetch-vectors.schema.json",
    is_for_retrievers: true,
    about: "Timelines for programs that fetch robots.txt, each with the requirements of an edition for every \
            step. Generated from the YAML files beside it by `cargo xtask bless`; do not edit.",
};

/// Contains every flat file.
#[cfg(test)]
pub const ALL: [Flat; 2] = [VECTORS, TIMELINES];

/// The version of the format, which is the same for both files. The README of the cases describes which changes need a
/// new version.
pub const FORMAT: u64 = 1;

impl Flat {
    /// Returns whether the file contains the questions of a kind.
    #[must_use]
    pub fn contains(&self, kind: QuestionKind) -> bool {
        let is_for_retrievers = kind.role() == Some(Role::Retriever);
        kind::has_vectors(kind) && is_for_retrievers == self.is_for_retrievers
    }

    /// Returns the text of the file in ASCII: a header, then one vector on each line. The README of the cases describes
    /// the keys, and the schema checks them.
    #[must_use]
    pub fn text(&self, suite: &Suite) -> String {
        let mut counts: BTreeMap<Edition, u64> = BTreeMap::new();
        let mut lines = Vec::new();
        for case in suite.cases.iter().filter(|case| self.contains(case.form.ask)) {
            for vector in of_case(case) {
                for edition in vector.editions.keys() {
                    *counts.entry(*edition).or_default() += 1;
                }
                lines.push(protocol::line(&vector.write()));
            }
        }
        let drafts = Edition::DRAFTS.iter().filter(|draft| counts.contains_key(draft));
        let drafts: Vec<&str> = drafts.map(|draft| draft.id()).collect();
        let counts =
            counts.iter().map(|(edition, count)| (edition.id().to_owned(), (*count).into()));
        let header = [
            ("about", self.about.into()),
            ("format", FORMAT.into()),
            ("version", env!("CARGO_PKG_VERSION").into()),
            ("license", env!("CARGO_PKG_LICENSE").into()),
            ("source", env!("CARGO_PKG_REPOSITORY").into()),
            ("editions", Value::Object(counts.collect())),
        ];
        let drafts = (!drafts.is_empty()).then(|| ("drafts", drafts.into()));
        let mut text = "{\n".to_owned();
        for (key, value) in header.into_iter().chain(drafts) {
            let _ = writeln!(text, "\"{key}\":{},", protocol::line(&value));
        }
        let _ = write!(text, "\"vectors\":[\n{}\n]\n}}\n", lines.join(",\n"));
        text
    }

    /// Returns the JSON Schema of the file.
    #[must_use]
    pub fn schema(&self) -> &'static str {
        robots_spec_cases::file(self.schema_file).unwrap_or_default()
    }
}

/// One question with one answer, and the editions that require it.
struct Vector {
    /// One of the trials with this question and this answer, which differ only in their editions.
    trial: Arc<Trial>,
    expected: Value,
    /// For each edition: the level, the section and, if the case is about a table, the row of this table.
    editions: BTreeMap<Edition, Value>,
}

/// Returns the vectors of a case: for each member, one vector for each different answer.
fn of_case(case: &Arc<Case>) -> Vec<Vector> {
    let mut vectors: Vec<Vector> = Vec::new();
    for trial in trial::of_case(case).into_iter().filter(|trial| !trial.is_repeated()) {
        let (Some(expected), Some(edition)) = (closed(&trial), trial.profile().edition()) else {
            continue;
        };
        let expected = json!(protocol::expected(expected));
        let stated = stated(&trial);
        let same = vectors.iter_mut().find(|vector| {
            vector.expected == expected && std::ptr::eq(vector.trial.member(), trial.member())
        });
        if let Some(vector) = same {
            vector.editions.insert(edition, stated);
        } else {
            let editions = BTreeMap::from([(edition, stated)]);
            vectors.push(Vector { trial, expected, editions });
        }
    }
    vectors
}

/// Returns the conforming answer, or `None` if the edition does not require exactly one answer.
fn closed(trial: &Trial) -> Option<&Expected> {
    match trial.conforming() {
        Conforming::One(answer) if !trial.is_open() => Some(answer),
        _ => None,
    }
}

fn stated(trial: &Trial) -> Value {
    let expect = trial.expect();
    let mut stated = json!({ "level": trial.level_id(), "section": expect.source });
    if let Some(row) = &expect.row {
        stated["row"] = row.as_str().into();
    }
    stated
}

impl Vector {
    fn write(&self) -> Value {
        let (case, member) = (self.trial.case(), self.trial.member());
        let suffix = member.name.as_ref().map_or_else(String::new, |name| format!("::{name}"));
        let mut vector = json!({
            "name": format!("{}::{}{suffix}", case.area, case.id),
            "requirement": case.requirement,
            "about": case.about.trim(),
        });
        if case.form.role != Role::Parser {
            vector["role"] = case.form.role.id().into();
        }
        vector["ask"] = case.form.ask.id().into();
        for (key, value) in kind::vector_keys(&member.ask, &case.form.robots_parts) {
            vector[key] = value;
        }
        vector["expected"] = self.expected.clone();
        let editions = self.editions.iter();
        vector["editions"] =
            editions.map(|(edition, stated)| (edition.id().to_owned(), stated.clone())).collect();
        vector
    }
}

#[cfg(test)]
mod tests;
