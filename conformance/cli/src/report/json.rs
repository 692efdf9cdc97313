//! The report as one JSON object, described by `schema/report.schema.json`; its types are in
//! [`super::record`].

use serde_json::Value;

use super::record::Record;
use robots_conformance::run::Report;

pub use super::record::VERSION;

/// The JSON Schema of the object.
pub const SCHEMA: &str = include_str!("../../schema/report.schema.json");

/// Makes the JSON object of a report.
///
/// # Panics
/// Never: every part of a report has a JSON form.
#[must_use]
pub fn object(report: &Report) -> Value {
    serde_json::to_value(Record::of(report)).expect("texts and numbers have a JSON form")
}
