//! What crawls showed, as a table, JSON, `JUnit`'s XML or Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use robots_core::Edition;
use robots_test_web::live::{Level, Record};
use serde::Serialize;
use serde_json::json;

use super::{Crawl, Outcome, Trial};
use crate::report::{ReportFormat, ReportTarget};
use crate::run::reports::Output;

/// The version of the JSON object; it changes when a key changes its meaning or goes.
pub const VERSION: u32 = 1;

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
    /// The verdict cases that cannot be put on the wire, by reason.
    pub unwired: BTreeMap<String, Vec<String>>,
    /// What is wrong with the deviations file.
    pub stale: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

/// The counts of an edition.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EditionCounts {
    /// The edition's id.
    pub edition: String,
    /// Whether everything passed or was open.
    pub conforms: bool,
    /// The failures of the level *must*.
    pub must_failures: usize,
    /// The failures of the level *should*.
    pub should_failures: usize,
    /// The findings that are advice.
    pub advice: usize,
    /// The trials by outcome.
    pub totals: BTreeMap<&'static str, usize>,
}

impl LiveReport {
    /// Returns whether nothing failed, and the crawler came at all.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        let failed = |trial: &Trial| trial.outcome.is_failure();
        let told = |trial: &Trial| {
            matches!(trial.outcome, Outcome::Passed | Outcome::Deviation(_) | Outcome::Open)
        };
        self.stale.is_empty() && !self.trials.iter().any(failed) && self.trials.iter().any(told)
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
                (name, trials.iter().filter(|trial| trial.outcome.name() == name).count())
            });
            let fine = |trial: &&Trial| matches!(trial.outcome, Outcome::Passed | Outcome::Open);
            (!trials.is_empty()).then(|| EditionCounts {
                edition: edition.id().to_owned(),
                conforms: trials.iter().all(fine),
                must_failures: failures(Level::Must),
                should_failures: failures(Level::Should),
                advice: trials.iter().map(|trial| trial.advice()).sum(),
                totals: totals.into_iter().collect(),
            })
        });
        counted.collect()
    }

    /// Returns the JSON object, described by `schema/live.schema.json`.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        let trials = self.trials.iter().map(|trial| {
            let case = &self.crawls[trial.crawl].case;
            json!({
                "name": trial.name,
                "case": case.id,
                "edition": trial.edition.id(),
                "requirement": case.requirement,
                "level": trial.level,
                "source": trial.source,
                "outcome": trial.outcome.name(),
                "detail": trial.detail(),
                "findings": trial.judgement.findings,
            })
        });
        let records: Vec<&Record> =
            self.crawls.iter().filter_map(|crawl| crawl.record.as_ref().ok()).collect();
        json!({
            "report": "robots-conformance-live",
            "version": VERSION,
            "crawler": self.crawler,
            "agent": self.agent,
            "suite": env!("CARGO_PKG_VERSION"),
            "seconds": self.took.as_secs_f64(),
            "clean": self.is_clean(),
            "editions": self.editions(|_| true),
            "stale-deviations": self.stale,
            "not-on-the-wire": self.unwired,
            "trials": trials.collect::<Vec<_>>(),
            "records": records,
        })
    }

    /// Returns the table for readers.
    #[must_use]
    pub fn table(&self) -> String {
        let mut text = String::new();
        for line in self.editions(|_| true) {
            let fact = if line.conforms {
                "conforms".to_owned()
            } else {
                format!(
                    "{} must-failures, {} should-failures",
                    line.must_failures, line.should_failures
                )
            };
            let _ = writeln!(text, "{:<12} {fact}, {} advice", line.edition, line.advice);
        }
        let names = Outcome::NAMES;
        let _ = writeln!(text, "\n{:<12}  {}", "", names.join("  "));
        for line in self.editions(|_| true) {
            let _ = write!(text, "{:<12}", line.edition);
            for name in names {
                let count = line.totals[name];
                let count = if count == 0 { "·".to_owned() } else { count.to_string() };
                let _ = write!(text, "  {count:>0$}", name.len());
            }
            text.push('\n');
        }
        self.asides(&mut text, "");
        let seconds = self.took.as_secs_f64();
        let _ = writeln!(text, "\n{} crawls in {seconds:.1} s", self.crawls.len());
        text
    }

    /// Says what was not run, and what cannot be.
    fn asides(&self, text: &mut String, bullet: &str) {
        let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
        for trial in &self.trials {
            if let Outcome::NotRun(why) = &trial.outcome {
                *reasons.entry(why).or_default() += 1;
            }
        }
        if !reasons.is_empty() {
            text.push_str("\nNot run:\n");
        }
        for (why, count) in reasons {
            let _ = writeln!(text, "{bullet}{count:>5}  {why}");
        }
        if !self.unwired.is_empty() {
            text.push_str("\nQuestions of the suite that cannot be put on the wire:\n");
        }
        for (why, names) in &self.unwired {
            let _ = writeln!(text, "{bullet}{:>5}  {why}", names.len());
        }
    }

    fn markdown(&self) -> String {
        let mut text =
            format!("# robots.txt on the wire\n\n`{}` as `{}`\n\n", self.crawler, self.agent);
        let _ = writeln!(text, "| edition | {} | advice |", Outcome::NAMES.join(" | "));
        let _ = writeln!(text, "|---|{}--:|", "--:|".repeat(Outcome::NAMES.len()));
        for line in self.editions(|_| true) {
            let counts: Vec<String> =
                Outcome::NAMES.iter().map(|name| line.totals[name].to_string()).collect();
            let _ =
                writeln!(text, "| {} | {} | {} |", line.edition, counts.join(" | "), line.advice);
        }
        self.asides(&mut text, "- ");
        let failed: Vec<&Trial> =
            self.trials.iter().filter(|trial| trial.outcome.is_failure()).collect();
        if !failed.is_empty() {
            text.push_str("\n## Failures\n\n");
        }
        for trial in failed {
            let detail = trial.detail().unwrap_or_default();
            let _ =
                writeln!(text, "- `{}` ({}, {}): {detail}", trial.name, trial.level, trial.source);
        }
        for stale in &self.stale {
            let _ = writeln!(text, "- stale: {stale}");
        }
        text
    }

    #[cfg(feature = "junit")]
    fn junit(&self, out: &mut dyn Write) -> io::Result<()> {
        use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

        let suite = robots_conformance::load::embedded()
            .map_err(|problems| io::Error::other(problems.to_string()))?;
        let mut junit = quick_junit::Report::new(self.crawler.as_str());
        junit.set_time(self.took);
        for edition in Edition::ALL {
            let mut tests = TestSuite::new(edition.id());
            for trial in self.trials.iter().filter(|trial| trial.edition == *edition) {
                let case = &self.crawls[trial.crawl].case;
                let detail = trial.detail().unwrap_or_default();
                let status = match &trial.outcome {
                    Outcome::Failed(_) => {
                        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                        status.set_message(detail).set_type(trial.level.to_string());
                        if let Some(requirement) = suite.requirement(&case.requirement) {
                            let says = requirement.says.trim();
                            status.set_description(format!(
                                "{} {}: {says}",
                                requirement.id, trial.source
                            ));
                        }
                        status
                    }
                    outcome @ (Outcome::NotRun(_) | Outcome::Inconclusive | Outcome::Waited) => {
                        let mut status = TestCaseStatus::skipped();
                        status.set_message(match outcome {
                            Outcome::NotRun(why) => why.clone(),
                            other => other.name().to_owned(),
                        });
                        status
                    }
                    _ => TestCaseStatus::success(),
                };
                let mut test = TestCase::new(trial.name.as_str(), status);
                test.set_classname(case.requirement.as_str());
                tests.add_test_case(test);
            }
            if !tests.test_cases.is_empty() {
                junit.add_test_suite(tests);
            }
        }
        if !self.stale.is_empty() {
            let mut tests = TestSuite::new("stale deviations");
            for stale in &self.stale {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(stale.as_str());
                tests.add_test_case(TestCase::new(stale.as_str(), status));
            }
            junit.add_test_suite(tests);
        }
        junit.serialize(out).map_err(io::Error::other)
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
        ReportFormat::Json => writeln!(out, "{:#}", report.json()),
        ReportFormat::Markdown => out.write_all(report.markdown().as_bytes()),
        #[cfg(feature = "junit")]
        ReportFormat::Junit => report.junit(&mut out),
        other => Err(io::Error::other(crate::report::not_built(other))),
    };
    match written.and_then(|()| out.close()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(crate::run::reports::failed(target, &error))
        }
        _ => Ok(()),
    }
}
