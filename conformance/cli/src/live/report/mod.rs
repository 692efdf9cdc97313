//! What crawls showed, in the formats of `--report`.
//!
//! [`LiveReport`] counts; [`record`] holds what the formats for programs share.

#[cfg(feature = "html")]
mod html;
pub mod jsonl;
#[cfg(feature = "junit")]
mod junit;
pub mod record;
mod text;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use robots_core::Edition;
use robots_test_web::live::Level;
use serde::{Deserialize, Serialize};

use self::record::LiveRecord;
use super::crawl::Crawl;
use super::outcome::Outcome;
use super::trial::Trial;
use crate::report::{ReportFormat, ReportTarget};
use crate::run::reports::Output;

/// What crawls showed.
#[derive(Debug)]
pub struct LiveReport {
    /// The crawler's command.
    pub crawler: String,
    /// Its product token.
    pub agent: String,
    /// What was run.
    pub crawls: Vec<Crawl>,
    /// What was judged.
    pub trials: Vec<Trial>,
    /// How many trials were not judged, because the run was told to end.
    pub unasked: usize,
    /// The verdict cases that cannot be put on the wire, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// What is wrong with the deviations file.
    pub stale: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// The counts of an edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EditionCounts {
    /// The edition's id.
    pub edition: String,
    /// Whether everything was asked, and passed or was open.
    pub conforms: bool,
    /// The failures of the level *must*.
    pub must_failures: usize,
    /// The failures of the level *should*.
    pub should_failures: usize,
    /// The findings that are advice.
    pub advice: usize,
    /// The trials by outcome.
    pub totals: BTreeMap<String, usize>,
}

impl LiveReport {
    /// Returns whether everything was asked, nothing failed, and the crawler came at all.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let failed = |trial: &Trial| trial.outcome.is_failure();
        let told = |trial: &Trial| {
            matches!(trial.outcome, Outcome::Passed | Outcome::Deviation(_) | Outcome::Open)
        };
        self.unasked == 0
            && self.stale.is_empty()
            && !self.trials.iter().any(failed)
            && self.trials.iter().any(told)
    }

    /// Says that the report is partial, where it is.
    #[must_use]
    pub fn partial(&self) -> String {
        let asked = self.trials.len();
        let all = asked + self.unasked;
        format!("PARTIAL: the run was told to end after {asked} of {all} trials")
    }

    /// Counts, edition by edition; the filter says which trials count.
    pub fn editions(&self, counts: impl Fn(&Trial) -> bool) -> Vec<EditionCounts> {
        let counted = Edition::ALL.iter().filter_map(|edition| {
            let of_edition = |trial: &&Trial| trial.edition == *edition && counts(trial);
            let trials: Vec<&Trial> = self.trials.iter().filter(of_edition).collect();
            let failures = |level| {
                let failed = |trial: &&&Trial| trial.outcome.is_failure() && trial.level == level;
                trials.iter().filter(failed).count()
            };
            let totals = Outcome::NAMES.map(|name| {
                let of_name = trials.iter().filter(|trial| trial.outcome.name() == name);
                (name.to_owned(), of_name.count())
            });
            let fine = |trial: &&Trial| matches!(trial.outcome, Outcome::Passed | Outcome::Open);
            (!trials.is_empty()).then(|| EditionCounts {
                edition: edition.id().to_owned(),
                conforms: self.unasked == 0 && trials.iter().all(fine),
                must_failures: failures(Level::Must),
                should_failures: failures(Level::Should),
                advice: trials.iter().map(|trial| trial.advice()).sum(),
                totals: totals.into_iter().collect(),
            })
        });
        counted.collect()
    }

    /// Returns the JSON object, described by [`record::SCHEMA`].
    #[must_use]
    pub fn record(&self) -> LiveRecord {
        LiveRecord::of(self)
    }

    /// Returns the table for readers.
    #[must_use]
    pub fn table(&self) -> String {
        text::table(self)
    }
}

/// Writes a report where it is wanted.
pub(super) fn write(
    target: &ReportTarget,
    report: &LiveReport,
    mut out: Output,
) -> Result<(), String> {
    let written = match target.format {
        ReportFormat::Terminal => out.write_all(report.table().as_bytes()),
        ReportFormat::Json => serde_json::to_string_pretty(&report.record())
            .map_err(io::Error::from)
            .and_then(|text| writeln!(out, "{text}")),
        ReportFormat::Jsonl => jsonl::write(report, &mut out),
        ReportFormat::Markdown => out.write_all(text::markdown(report).as_bytes()),
        #[cfg(feature = "junit")]
        ReportFormat::Junit => junit::write(report, &mut out),
        #[cfg(feature = "html")]
        ReportFormat::Html => html::page(report)
            .map_err(io::Error::other)
            .and_then(|page| out.write_all(page.as_bytes())),
        #[allow(unreachable_patterns, reason = "what this build leaves out, if anything")]
        other => Err(io::Error::other(crate::report::not_built(other))),
    };
    match written.and_then(|()| out.close()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(crate::run::reports::failed(target, &error))
        }
        _ => Ok(()),
    }
}
