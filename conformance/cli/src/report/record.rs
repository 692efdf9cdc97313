//! A report as plain data, to be written by one program and read by another.
//!
//! [`Record`] is the JSON object, and the pieces of it are the lines of [`super::jsonl`]; the page is made
//! of records, so that it shows runs of other days and machines too. Nothing here knows a suite.

use serde::{Deserialize, Serialize};

use super::summary::{EditionLine, Summary, Totals};
use robots_conformance::judge::Outcome;
use robots_conformance::kind;
use robots_conformance::render;
use robots_conformance::run::Finished;
use robots_conformance::run::Report;

/// The version of the object; it changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The kind of object this is, the value of its first key.
pub const KIND: &str = "robots-conformance";

/// A report: the JSON object described by `schema/report.schema.json`.
///
/// ```
/// use robots_conformance_cli::report::record::Record;
/// let problem = serde_json::from_str::<Record>(r#"{ "report": "something else" }"#).unwrap_err();
/// assert!(problem.to_string().starts_with("missing field `version`"), "{problem}");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Record {
    /// [`KIND`].
    pub report: String,
    /// [`VERSION`].
    pub version: u32,
    /// The engine's name.
    pub engine: String,
    /// The version of the suite.
    pub suite: String,
    /// How long the run took.
    pub seconds: f64,
    /// Whether nothing failed, errored or went stale.
    pub clean: bool,
    /// How many trials were not run, because the run was told to end; a report without them is partial.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unasked: usize,
    /// The number of trials by outcome.
    pub totals: Totals,
    /// The counts of each edition.
    pub editions: Vec<EditionRecord>,
    /// The counts of each area and edition.
    pub areas: Vec<AreaRecord>,
    /// What is wrong with entries of the deviations file.
    pub stale_deviations: Vec<String>,
    /// Every trial.
    pub trials: Vec<TrialRecord>,
}

impl Record {
    /// Makes the record of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let summary = Summary::of(report);
        let areas = summary.areas.iter().flat_map(|(area, editions)| {
            editions.iter().map(|(edition, totals)| AreaRecord {
                area: area.clone(),
                edition: edition.id().to_owned(),
                totals: *totals,
            })
        });
        let trials = report.finished.iter().map(|done| TrialRecord::of(done, &report.engine));
        Self {
            report: KIND.to_owned(),
            version: VERSION,
            engine: report.engine.clone(),
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: report.took.as_secs_f64(),
            clean: report.is_clean(),
            unasked: report.unasked,
            totals: summary.totals,
            editions: summary.editions.iter().map(EditionRecord::of).collect(),
            areas: areas.collect(),
            stale_deviations: report.stale.iter().map(ToString::to_string).collect(),
            trials: trials.collect(),
        }
    }
}

/// The counts of one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EditionRecord {
    /// The edition's id.
    pub edition: String,
    /// To whom its requirements are addressed: `parser` or `crawler`.
    pub role: String,
    /// Whether everything was answered, and nothing failed or deviates.
    pub conforms: bool,
    /// The failed and errored trials of the level *must*.
    pub must_failures: usize,
    /// The failed and errored trials of the level *should*.
    pub should_failures: usize,
    /// The failed and errored trials of the level *may*.
    pub may_failures: usize,
    /// All its trials.
    pub totals: Totals,
}

impl EditionRecord {
    fn of(line: &EditionLine) -> Self {
        let [must_failures, should_failures, may_failures] = line.failures;
        Self {
            edition: line.edition.id().to_owned(),
            role: line.role.id().to_owned(),
            conforms: line.conforms(),
            must_failures,
            should_failures,
            may_failures,
            totals: line.totals,
        }
    }
}

/// The counts of one area under one edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaRecord {
    /// The area.
    pub area: String,
    /// The edition's id.
    pub edition: String,
    /// The trials.
    pub totals: Totals,
}

/// One trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TrialRecord {
    /// `engine::area::case::edition`, with `::member` where the case has lists.
    pub name: String,
    /// The area of the case.
    pub area: String,
    /// The case's id.
    pub case: String,
    /// The edition's id.
    pub edition: String,
    /// Which member of the case's lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The requirement's id.
    pub requirement: String,
    /// To whom it is addressed: `parser` or `crawler`.
    pub role: String,
    /// `must`, `should` or `may`; `observed` by the observed profile.
    pub level: String,
    /// The section that states it.
    pub source: String,
    /// The row of the edition's table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The file below `spec-cases/` and the line.
    pub place: String,
    /// How it ended, one of [`Outcome::NAMES`].
    pub outcome: String,
    /// Which answers conform, as [`Conforming::text`](robots_conformance::case::Conforming::text) tells them.
    pub expected: String,
    /// What was answered, as [`kind::answer_text`] renders it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// The engine's own reasons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The reading, the reason, the note or the error that goes with the outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// How long it took.
    pub microseconds: u64,
}

impl TrialRecord {
    /// Makes the record of a finished trial.
    #[must_use]
    pub fn of(done: &Finished, engine: &str) -> Self {
        let (trial, case, expect) = (&done.trial, done.trial.case(), done.trial.expect());
        let evidence = done.answer.as_ref().and_then(kind::evidence).map(render::message);
        Self {
            name: trial.full_name(engine),
            area: case.area.clone(),
            case: case.id.clone(),
            edition: trial.profile().id().to_owned(),
            member: trial.member().name.clone(),
            requirement: case.requirement.clone(),
            role: trial.role().id().to_owned(),
            level: trial.level_id().to_owned(),
            source: expect.source.clone(),
            row: expect.row.clone(),
            place: case.place.to_string(),
            outcome: done.outcome.name().to_owned(),
            expected: trial.conforming().text(),
            got: done.answer.as_ref().map(kind::answer_text),
            evidence,
            detail: detail(&done.outcome),
            microseconds: u64::try_from(done.took.as_micros()).unwrap_or(u64::MAX),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn detail(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Deviation { why } => Some(why.clone()),
        Outcome::Contested { passage, .. } => Some(passage.clone()),
        Outcome::Unanswered { reason } => Some(reason.clone()),
        Outcome::Failed { note } => note.clone(),
        Outcome::Errored { message } => Some(message.clone()),
        Outcome::Open { passage } => passage.clone(),
        _ => None,
    }
}
