//! Writes the suite as flat files, for test frameworks of any language.
//!
//! There are two files. [`VECTORS`] contains the questions that a robots.txt parser can answer in one line: verdicts,
//! the group that a crawler follows, sitemaps, and preferences about the use of content. [`TIMELINES`] contains the
//! timelines for retrievers. Both contain a question only if an edition requires one answer. They are generated from
//! the cases and never edited. Start at [`Flat::text`].

mod octets;
mod timeline;
mod usage;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use robots_core::Edition;
use robots_core::engine::{
    Ask, GroupQuestion, QuestionKind, Role, TimelineQuestion, UsageQuestion, VerdictQuestion,
};
use serde_json::{Map, Value, json};

use self::octets::written;
use robots_conformance::kind::Expected;
use robots_conformance::protocol;
use robots_conformance::run::trial::{self, Trial};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming};

/// A flat file of the suite.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Flat {
    /// The name, among the cases.
    pub file: &'static str,
    /// The kinds of question that it contains.
    pub kinds: &'static [QuestionKind],
    /// The name of its JSON Schema, among the cases.
    pub schema_file: &'static str,
    about: &'static str,
}

/// The questions for parsers.
pub const VECTORS: Flat = Flat {
    file: "vectors.json",
    kinds: &[
        QuestionKind::Verdict,
        QuestionKind::Group,
        QuestionKind::Sitemaps,
        QuestionKind::Usage,
        QuestionKind::Preference,
    ],
    schema_file: "schema/vectors.schema.json",
    about: "Questions about robots.txt, each with the one answer that an edition gives. Generated from the YAML files \
            beside it by `cargo xtask vectors`; do not edit.",
};

/// The timelines for retrievers.
pub const TIMELINES: Flat = Flat {
    file: "fetch-vectors.json",
    kinds: &[QuestionKind::Timeline],
    schema_file: "schema/fetch-vectors.schema.json",
    about: "Timelines for programs that fetch robots.txt, each with the requirements of an edition for every \
            step. Generated from the YAML files beside it by `cargo xtask vectors`; do not edit.",
};

/// Contains every flat file.
pub const ALL: [Flat; 2] = [VECTORS, TIMELINES];

/// The version of the format of both files. The README of the cases describes which changes need a new version.
pub const FORMAT: u64 = 1;

impl Flat {
    /// Returns the text of the file in ASCII: a header, then one vector on each line. The README of the cases describes
    /// the keys, and the schema checks them.
    ///
    /// ```
    /// use robots_conformance_cli::vectors;
    /// let suite = robots_conformance::suite::load::embedded()?;
    /// for flat in vectors::ALL {
    ///     assert_eq!(Some(flat.text(&suite).as_str()), robots_spec_cases::file(flat.file));
    /// }
    /// # Ok::<(), robots_conformance::problem::Problems>(())
    /// ```
    #[must_use]
    pub fn text(&self, suite: &Suite) -> String {
        let mut counts: BTreeMap<Edition, u64> = BTreeMap::new();
        let mut lines = Vec::new();
        for case in suite.cases.iter().filter(|case| self.kinds.contains(&case.ask)) {
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
    ///
    /// ```
    /// use robots_conformance_cli::vectors;
    /// assert!(vectors::VECTORS.schema().contains("\"title\": \"vectors.json\""));
    /// ```
    #[must_use]
    pub fn schema(&self) -> &'static str {
        robots_spec_cases::file(self.schema_file).unwrap_or_default()
    }
}

/// One question with one answer, and the editions that require it.
struct Vector {
    /// A trial with this question. The others differ only in the edition.
    trial: Arc<Trial>,
    expected: Value,
    /// Level, section and row, by edition.
    editions: BTreeMap<Edition, Value>,
}

/// Returns the vectors of a case: for each member, one for each answer.
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

/// Returns the answer, if the edition requires exactly one.
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
        let mut keys = Map::new();
        let mut put = |key: &str, value: Value| drop(keys.insert(key.to_owned(), value));
        let suffix = member.name.as_ref().map_or_else(String::new, |name| format!("::{name}"));
        put("name", format!("{}::{}{suffix}", case.area, case.id).into());
        put("requirement", case.requirement.as_str().into());
        put("about", case.about.trim().into());
        if case.role != Role::Parser {
            put("role", case.role.id().into());
        }
        put("ask", case.ask.id().into());
        if let Some(octets) = member.ask.robots_txt() {
            written("robots_txt", octets, &case.robots_parts, &mut put);
        }
        if let Ask::Verdict(VerdictQuestion { agents, .. })
        | Ask::Group(GroupQuestion { agents, .. })
        | Ask::Usage(UsageQuestion { agents, .. })
        | Ask::Timeline(TimelineQuestion { agents, .. }) = &member.ask
        {
            put("tokens", agents.texts().iter().map(String::as_str).collect());
            if let Some(identification) = agents.identification() {
                put("identification", identification.into());
            }
        }
        if let Ask::Verdict(VerdictQuestion { url, .. }) | Ask::Usage(UsageQuestion { url, .. }) =
            &member.ask
        {
            put("url", url.as_str().into());
            put("path_and_query", path_and_query(url).into());
        }
        match &member.ask {
            Ask::Timeline(question) => timeline::write(question, &mut put),
            Ask::Usage(question) => usage::write_usage(question, &mut put),
            Ask::Preference(question) => usage::write_preference(question, &mut put),
            _ => {}
        }
        put("expected", self.expected.clone());
        let editions = self.editions.iter();
        put(
            "editions",
            editions.map(|(edition, stated)| (edition.id().to_owned(), stated.clone())).collect(),
        );
        Value::Object(keys)
    }
}

/// Returns path and query of a URL's text, for parsers that accept nothing else. It removes the fragment, scheme and
/// authority; it does not decode, encode or resolve anything.
fn path_and_query(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") }
}
