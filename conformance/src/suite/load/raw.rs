//! Defines the YAML format of the suite's files: structs whose fields are exactly the keys of the format.
//!
//! Every key is optional in these structs. [`super::form`] and [`super::case`] check which keys are required.

use serde::Deserialize;
use serde_yaml::{Mapping, Value};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CaseFile {
    pub(super) area: Option<String>,
    pub(super) table: Option<String>,
    pub(super) cases: Option<Vec<Value>>,
}

/// The keys that every case has. The other keys belong to its form, or to its kind of question.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Case {
    pub(super) id: Option<String>,
    pub(super) requirement: Option<String>,
    pub(super) about: Option<String>,
    pub(super) table: Option<String>,
    pub(super) expect: Option<Mapping>,
}

/// The key that every question has, in addition to the keys of its kind.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Question {
    pub(super) ask: Option<String>,
}

/// The answers that conform to an edition.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Answers {
    pub(super) answer: Option<Value>,
    pub(super) any_of: Option<Vec<Value>>,
    pub(super) readings: Option<Vec<Reading>>,
}

/// The keys that expectations of every form can have.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Terms {
    pub(super) level: Option<String>,
    pub(super) source: Option<String>,
    pub(super) row: Option<String>,
    pub(super) why: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reading {
    pub(super) answer: Value,
    pub(super) passage: String,
}
