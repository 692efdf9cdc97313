//! A report as data: what the JSON object and the JSON lines hold.

use std::collections::BTreeMap;

use robots_conformance_live::{EditionCounts, Finding, Level, Record, Report, Trial};
use serde::{Deserialize, Serialize};

/// Says of a JSON object that it is such a report.
pub const KIND: &str = "robots-conformance-live";

/// The version of the JSON object; it changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;

/// The JSON Schema of the object.
pub const SCHEMA: &str = include_str!("../../../schema/live.schema.json");

/// A report of crawls.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LiveRecord {
    /// [`KIND`].
    pub report: String,
    /// [`VERSION`].
    pub version: u32,
    /// The crawler's command.
    pub crawler: String,
    /// Its product token.
    pub agent: String,
    /// The version of the suite.
    pub suite: String,
    /// How long the run took.
    pub seconds: f64,
    /// Whether everything was asked, nothing failed or went stale, and the crawler came at all.
    pub clean: bool,
    /// How many trials were not judged, because the run was told to end; a report without them is partial.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unasked: usize,
    /// The counts of each edition.
    pub editions: Vec<EditionCounts>,
    /// What is wrong with entries of the deviations file.
    pub stale_deviations: Vec<String>,
    /// The verdict cases that cannot be put on the wire, by reason.
    pub not_on_the_wire: BTreeMap<String, Vec<String>>,
    /// Every judgement.
    pub trials: Vec<TrialRecord>,
    /// Every crawl that was run, with its access log: what the judgements rest on.
    pub records: Vec<Record>,
}

/// A crawl judged under an edition.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TrialRecord {
    /// `case::edition`.
    pub name: String,
    /// The case's id.
    pub case: String,
    /// The edition's id.
    pub edition: String,
    /// The requirement's id.
    pub requirement: String,
    /// How binding it is here.
    pub level: Level,
    /// The section that says so.
    pub source: String,
    /// How it ended, one of [`Outcome::NAMES`](robots_conformance::judge::Outcome::NAMES).
    pub outcome: String,
    /// Why it failed, deviates or was not run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What was wrong, and what could have been better.
    pub findings: Vec<Finding>,
}

impl LiveRecord {
    /// Makes the record of a report.
    #[must_use]
    pub fn of(report: &Report) -> Self {
        let records = report.crawls.iter().filter_map(|crawl| crawl.record.clone().ok());
        Self {
            report: KIND.to_owned(),
            version: VERSION,
            crawler: report.crawler.clone(),
            agent: report.agent.clone(),
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            seconds: report.took.as_secs_f64(),
            clean: report.is_clean(),
            unasked: report.unasked,
            editions: report.editions(|_| true),
            stale_deviations: report.stale.clone(),
            not_on_the_wire: report.unwired.clone(),
            trials: report.trials.iter().map(|trial| TrialRecord::of(trial, report)).collect(),
            records: records.collect(),
        }
    }
}

impl TrialRecord {
    /// Makes the record of a trial of a report.
    #[must_use]
    pub fn of(trial: &Trial, report: &Report) -> Self {
        let case = &report.crawls[trial.crawl].case;
        Self {
            name: trial.name.clone(),
            case: case.id.clone(),
            edition: trial.edition.id().to_owned(),
            requirement: case.requirement.clone(),
            level: trial.level,
            source: trial.source.clone(),
            outcome: trial.outcome.name().to_owned(),
            detail: trial.detail(),
            findings: trial.judgement.findings.clone(),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
