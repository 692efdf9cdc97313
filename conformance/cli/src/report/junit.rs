//! The report as `JUnit`'s XML: an area is a test suite, a trial a test case.
//!
//! A *failed* trial is a `failure`, an *errored* one an `error`, an unanswered one `skipped` with the
//! engine's reason. The outcomes that are neither, *deviation* for one, stand in a property `outcome`.
//! Stale deviations are failures of a test suite of their own: where the command ends with 1, so does CI.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use robots_conformance::case::Suite;
use robots_conformance::failure::{self, quoted};
use robots_conformance::judge::Outcome;
use robots_conformance::kind;
use robots_conformance::render;
use robots_conformance::run::Finished;
use robots_conformance::run::Report;

/// Writes the XML; the suite gives the requirements' texts.
///
/// # Errors
/// Where the writer fails.
pub fn write(report: &Report, suite: &Suite, mut out: impl Write) -> io::Result<()> {
    let mut junit = quick_junit::Report::new(report.engine.as_str());
    junit.set_time(report.took);
    let mut areas: Vec<TestSuite> = Vec::new();
    for done in &report.finished {
        let area = done.trial.case().area.as_str();
        let test = test_case(done, &report.engine, suite);
        let known = areas.iter().position(|known| known.name.as_str() == area);
        let index = known.unwrap_or_else(|| {
            areas.push(TestSuite::new(area));
            areas.len() - 1
        });
        areas[index].add_test_case(test);
    }
    for area in &mut areas {
        let took = |done: &&Finished| done.trial.case().area == area.name.as_str();
        let time = report.finished.iter().filter(took).map(|done| done.took).sum();
        area.set_time(time);
    }
    junit.add_test_suites(areas);
    if !report.stale.is_empty() {
        let mut deviations = TestSuite::new("deviations");
        deviations.add_test_cases(report.stale.iter().map(|problem| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("stale").set_message(problem.message.as_str());
            TestCase::new(problem.place.to_string(), status)
        }));
        junit.add_test_suite(deviations);
    }
    if report.unasked > 0 {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("partial").set_message(super::partial(report));
        let mut partial = TestSuite::new("partial");
        partial.add_test_case(TestCase::new("the whole run", status));
        junit.add_test_suite(partial);
    }
    // What the writer says of itself is kept: it tells a reader that went away from a full disk.
    let text = junit.to_string().map_err(io::Error::other)?;
    out.write_all(text.as_bytes())
}

fn test_case(done: &Finished, engine: &str, suite: &Suite) -> TestCase {
    let (trial, area) = (&done.trial, done.trial.case().area.as_str());
    let mut status = match &done.outcome {
        Outcome::Failed { .. } => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Outcome::Errored { .. } => TestCaseStatus::non_success(NonSuccessKind::Error),
        Outcome::Unanswered { .. } | Outcome::NotAsked => TestCaseStatus::skipped(),
        _ => TestCaseStatus::success(),
    };
    match &done.outcome {
        Outcome::Failed { .. } => {
            let expected = on_one_line(&trial.conforming().text());
            let got = done.answer.as_ref().map(kind::answer_text).unwrap_or_default();
            status.set_message(format!("expected {expected}, got {}", on_one_line(&got)));
        }
        Outcome::Errored { message } => drop(status.set_message(render::message(message))),
        Outcome::Unanswered { reason } => drop(status.set_message(render::message(reason))),
        Outcome::NotAsked => {
            status.set_message(format!("not asked: it is for a {}", trial.role()));
        }
        _ => {}
    }
    if done.outcome.is_failure() {
        let rerun = format!("with --filter {}", quoted(&trial.full_name(engine)));
        status.set_type(trial.level_id());
        status.set_description(failure::render(done, engine, Some(suite), &rerun));
    }
    let name = trial.name().strip_prefix(&format!("{area}::")).unwrap_or(trial.name());
    let mut test = TestCase::new(name, status);
    test.set_classname(format!("{engine}::{area}")).set_time(done.took);
    let detail = match &done.outcome {
        Outcome::Deviation { why } => Some(("why", why.as_str())),
        Outcome::Contested { passage, .. } | Outcome::Open { passage: Some(passage) } => {
            Some(("passage", passage.as_str()))
        }
        Outcome::Open { passage: None } => None,
        _ => return test,
    };
    test.add_property(("outcome", done.outcome.name()));
    if let Some(detail) = detail {
        test.add_property(detail);
    }
    test
}

/// Puts rendered answers on one line.
fn on_one_line(told: &str) -> String {
    let told = told.replace("\n-- or --\n", " or ");
    told.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}
