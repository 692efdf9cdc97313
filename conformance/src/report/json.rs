//! The report as one JSON object, described by `schema/report.schema.json`.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Report;
use super::summary::{Summary, Totals};
use crate::judge::Outcome;
use crate::render;
use crate::run::Finished;

/// The version of the object; it changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The JSON Schema of the object.
pub const SCHEMA: &str = include_str!("../../schema/report.schema.json");

/// Makes the JSON object of a report.
///
/// # Panics
/// Never: every part of a report has a JSON form.
#[must_use]
pub fn object(report: &Report) -> Value {
    let summary = Summary::of(report);
    let editions: Vec<Value> = summary
        .editions
        .iter()
        .map(|line| {
            let [must, should, may] = line.failures;
            json!({
                "edition": line.edition.id(),
                "conforms": line.conforms(),
                "must-failures": must,
                "should-failures": should,
                "may-failures": may,
                "totals": totals(&line.totals),
            })
        })
        .collect();
    let areas: Vec<Value> = summary
        .areas
        .iter()
        .flat_map(|(area, editions)| {
            editions.iter().map(move |(edition, counts)| {
                json!({ "area": area, "edition": edition.id(), "totals": totals(counts) })
            })
        })
        .collect();
    let trials: Vec<Trial<'_>> =
        report.finished.iter().map(|done| Trial::of(done, &report.engine)).collect();
    let stale: Vec<String> = report.stale.iter().map(ToString::to_string).collect();
    json!({
        "report": "robots-conformance",
        "version": VERSION,
        "engine": report.engine,
        "suite": env!("CARGO_PKG_VERSION"),
        "seconds": report.took.as_secs_f64(),
        "clean": report.is_clean(),
        "totals": totals(&summary.totals),
        "editions": editions,
        "areas": areas,
        "stale-deviations": stale,
        "trials": serde_json::to_value(trials).expect("texts and numbers have a JSON form"),
    })
}

fn totals(totals: &Totals) -> Value {
    let counts: Map<String, Value> =
        totals.named().map(|(name, count)| (name.to_owned(), count.into())).collect();
    Value::Object(counts)
}

#[derive(Serialize)]
struct Trial<'r> {
    name: String,
    area: &'r str,
    case: &'r str,
    edition: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'r str>,
    requirement: &'r str,
    level: &'r str,
    source: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<&'r str>,
    place: String,
    outcome: &'r str,
    expected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    got: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'r str>,
    /// The reading, the reason, the note or the error that goes with the outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'r str>,
    microseconds: u64,
}

impl<'r> Trial<'r> {
    fn of(done: &'r Finished, engine: &str) -> Self {
        let (trial, case, expect) = (&done.trial, done.trial.case(), done.trial.expect());
        let evidence = match &done.answer {
            Some(robots_core::Answer::Verdict { evidence, .. }) => evidence.as_deref(),
            _ => None,
        };
        Self {
            name: trial.full_name(engine),
            area: &case.area,
            case: &case.id,
            edition: trial.edition().id(),
            member: trial.member().name.as_deref(),
            requirement: &case.requirement,
            level: expect.level.id(),
            source: &expect.source,
            row: expect.row.as_deref(),
            place: case.place.to_string(),
            outcome: done.outcome.name(),
            expected: render::conforming(trial.conforming()),
            got: done.answer.as_ref().map(render::answer),
            evidence,
            detail: detail(&done.outcome),
            microseconds: u64::try_from(done.took.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

fn detail(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Deviation { why } => Some(why),
        Outcome::Contested { passage, .. } => Some(passage),
        Outcome::Unanswered { reason } => Some(reason),
        Outcome::Failed { note } => note.as_deref(),
        Outcome::Errored { message } => Some(message),
        Outcome::Passed | Outcome::Undefined => None,
    }
}
