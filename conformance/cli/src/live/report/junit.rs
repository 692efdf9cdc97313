//! The report as `JUnit`'s XML.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use robots_conformance::judge::Outcome;
use robots_conformance_live::Report;
use robots_core::Edition;

/// Writes the report; what was not judged to the end is skipped there.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let suite = robots_conformance::load::embedded()
        .map_err(|problems| io::Error::other(problems.to_string()))?;
    let name = match report.unasked {
        0 => report.crawler.clone(),
        _ => format!("{} ({})", report.crawler, report.partial()),
    };
    let mut junit = quick_junit::Report::new(name);
    junit.set_time(report.took);
    for edition in Edition::ALL {
        let mut tests = TestSuite::new(edition.id());
        for trial in report.trials.iter().filter(|trial| trial.edition == *edition) {
            let case = &report.crawls[trial.crawl].case;
            let detail = trial.detail().unwrap_or_default();
            let status = match &trial.outcome {
                Outcome::Failed { .. } => {
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
                outcome @ (Outcome::NotRun { .. } | Outcome::Inconclusive | Outcome::Waited) => {
                    let mut status = TestCaseStatus::skipped();
                    status.set_message(match outcome {
                        Outcome::NotRun { why } => why.clone(),
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
    if !report.stale.is_empty() {
        let mut tests = TestSuite::new("stale deviations");
        for stale in &report.stale {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(stale.as_str());
            tests.add_test_case(TestCase::new(stale.as_str(), status));
        }
        junit.add_test_suite(tests);
    }
    junit.serialize(out).map_err(io::Error::other)
}
