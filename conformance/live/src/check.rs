//! Runs cases against a crawler in one call, for the tests of the crawler.
//!
//! Start at [`check()`]. It judges each crawl under one edition, and returns a text for each case that failed. So a
//! test of the crawler can assert that there are no such texts.

use robots_conformance::run::outcome::Outcome;
use robots_core::Edition;

use crate::case::Case;
use crate::failure::failure;
use crate::judge::judge;
use crate::run::{Crawler, Settings, run_all};

/// The results of the cases of an edition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The number of cases in which the crawler conforms, or in which the edition leaves the behaviour open.
    pub passed: usize,
    /// A text for each case that failed. A case fails if the crawler violates the edition or ignores advice, reaches
    /// the time limit or does not start. It also fails if the crawl is inconclusive, for example because the crawler
    /// did not fetch a control page.
    pub failures: Vec<String>,
    /// A line for each case that cannot run on this machine or in this network, for example because host names cannot
    /// be used.
    pub not_here: Vec<String>,
}

/// Runs the cases of an edition, and judges the crawls under this edition. The task of the crawler contains the
/// edition.
///
/// ```no_run
/// use robots_conformance_live::robots_conformance::suite;
/// use robots_conformance_live::{self as live, Ended, Settings, Task};
/// use robots_core::Edition;
///
/// let crawler = |task: &Task<'_>| {
///     // crawl from task.seed as task.agent, for at most task.limit
///     Ok(Ended::ByItself)
/// };
/// let cases = live::load(&suite::load::embedded().unwrap()).unwrap();
/// let checked = live::check(&cases, &crawler, Edition::Rfc9309, &Settings::default());
/// assert!(checked.failures.is_empty(), "{}", checked.failures.join("\n"));
/// ```
#[must_use]
pub fn check(
    cases: &[Case],
    crawler: &dyn Crawler,
    edition: Edition,
    settings: &Settings,
) -> Checked {
    let asked: Vec<Case> =
        cases.iter().filter(|case| case.expect.contains_key(&edition)).cloned().collect();
    let settings = Settings { edition: Some(edition), ..settings.clone() };
    let mut checked = Checked::default();
    for (case, record) in asked.iter().zip(run_all(&asked, crawler, &settings)) {
        let record = match record {
            Ok(record) => record,
            Err(not_run) => {
                let list =
                    if not_run.not_here { &mut checked.not_here } else { &mut checked.failures };
                list.push(format!("{} {not_run}", case.id));
                continue;
            }
        };
        let judgement = judge(case, edition, &record);
        let fine = matches!(judgement.outcome, Outcome::Passed | Outcome::Open { .. });
        if fine && judgement.findings.is_empty() {
            checked.passed += 1;
        } else {
            checked.failures.push(failure(case, edition, &record));
        }
    }
    checked
}
