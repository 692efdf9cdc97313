//! The report as `JUnit`'s XML: an area is a test suite, and a trial is a test case.
//!
//! A *failed* trial has a `failure`, and an *errored* trial has an `error`. A trial that was not asked or not decided
//! is `skipped` with the reason. Other outcomes, for example *deviation*, are in the property `outcome`. If entries of
//! the deviations file are no longer valid, they are failures of a separate test suite, because the command fails then.

use std::io::{self, Write};
use std::time::Duration;

use crate::report::failure;
use crate::report::{Cases, TrialRecord};
use crate::run::outcome::OutcomeKind;
use crate::suite::case::on_one_line;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use robots_console::render;
use robots_console::render::quoted;

use super::record::RunRecord;

/// Writes the XML.
///
/// # Errors
/// Returns an error if the writer fails.
pub fn write(records: &[RunRecord], cases: &Cases, mut out: impl Write) -> io::Result<()> {
    let names: Vec<&str> = records.iter().map(|record| record.subject.as_str()).collect();
    let mut junit = quick_junit::Report::new(names.join(" and "));
    let seconds = records.iter().map(|record| record.seconds).sum();
    junit.set_time(Duration::from_secs_f64(seconds));
    for record in records {
        add(&mut junit, record, cases);
    }
    // The writer's own error is returned, because its kind distinguishes a closed pipe from a full disk.
    let text = junit.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

/// Adds the test suites of one record.
fn add(junit: &mut quick_junit::Report, record: &RunRecord, cases: &Cases) {
    let mut areas: Vec<(TestSuite, Duration)> = Vec::new();
    for trial in &record.trials {
        let area = trial.area.as_str();
        let known = areas.iter().position(|(known, _)| known.name.as_str() == area);
        let index = known.unwrap_or_else(|| {
            areas.push((TestSuite::new(area), Duration::ZERO));
            areas.len() - 1
        });
        let (tests, took) = &mut areas[index];
        tests.add_test_case(test_case(trial, &record.subject, cases));
        *took += Duration::from_micros(trial.microseconds);
    }
    junit.add_test_suites(areas.into_iter().map(|(mut tests, took)| {
        tests.set_time(took);
        tests
    }));
    if !record.stale_deviations.is_empty() {
        let mut deviations = TestSuite::new("deviations");
        deviations.add_test_cases(record.stale_deviations.iter().map(|problem| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("stale").set_message(problem.as_str());
            TestCase::new(problem.as_str(), status)
        }));
        junit.add_test_suite(deviations);
    }
    if let Some(partial) = record.partial() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("partial").set_message(partial);
        let mut tests = TestSuite::new("partial");
        tests.add_test_case(TestCase::new("the whole run", status));
        junit.add_test_suite(tests);
    }
}

fn test_case(trial: &TrialRecord, subject: &str, cases: &Cases) -> TestCase {
    let area = trial.area.as_str();
    let mut status = match trial.outcome {
        OutcomeKind::Failed => TestCaseStatus::non_success(NonSuccessKind::Failure),
        OutcomeKind::Errored => TestCaseStatus::non_success(NonSuccessKind::Error),
        OutcomeKind::NotAsked => TestCaseStatus::skipped(),
        kind if kind.is_undecided() => TestCaseStatus::skipped(),
        _ => TestCaseStatus::success(),
    };
    match trial.outcome {
        OutcomeKind::Failed => {
            let got = on_one_line(trial.got.as_deref().unwrap_or_default());
            let expected = on_one_line(&trial.expected);
            status.set_message(format!("expected {expected}, got {got}"));
        }
        OutcomeKind::NotAsked => {
            let missing = trial.detail.as_ref().map(|missing| format!(": {missing}"));
            status.set_message(format!("not asked{}", missing.unwrap_or_default()));
        }
        kind if kind == OutcomeKind::Errored || kind.is_undecided() => {
            let message = trial.numbered_detail().unwrap_or_else(|| kind.to_string());
            status.set_message(render::message(&message));
        }
        _ => {}
    }
    if let (true, Some(case)) = (trial.outcome.is_failure(), cases.get(&trial.case)) {
        let rerun = format!("with --filter {}", quoted(&trial.name));
        status.set_type(trial.level.as_str());
        status.set_description(failure::render(trial, case, &rerun));
    }
    let name = trial.name_without(subject);
    let name = name.strip_prefix(&format!("{area}::")).unwrap_or(name);
    let mut test = TestCase::new(name, status);
    test.set_classname(format!("{subject}::{area}"));
    test.set_time(Duration::from_micros(trial.microseconds));
    let key = match trial.outcome {
        OutcomeKind::Deviation => "why",
        OutcomeKind::Contested | OutcomeKind::Open => "passage",
        _ => return test,
    };
    test.add_property(("outcome", trial.outcome.id()));
    if let Some(detail) = &trial.detail {
        test.add_property((key, detail.as_str()));
    }
    test
}
