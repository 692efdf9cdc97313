//! Runs cases against a crawler in one call, for the tests of the crawler.
//!
//! Start at [`check()`]. It judges each crawl under one edition, and returns a text for each case that failed. So a
//! test of the crawler can assert that the list of these texts is empty.

use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::Outcome;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::failure;
use crate::run::{Crawler, Settings, run_all};
use crate::trial::judged;

/// The results of [`check()`] for the cases of one edition.
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

/// Runs the cases of an edition, and judges the crawls under this edition. The crawler receives the edition in
/// [`Task::edition`](crate::Task::edition).
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
    let records = run_all(&asked, crawler, &settings);
    let crawl = |(case, record)| Crawl { case, edition: Some(edition), record, last_words: None };
    let crawls: Vec<Crawl> = asked.into_iter().zip(records).map(crawl).collect();
    let agent = &settings.agent;
    let mut checked = Checked::default();
    for trial in judged(&crawls, |_| vec![edition], agent, &Deviations::default()) {
        let crawl = &crawls[trial.crawl];
        let is_fine = matches!(trial.outcome, Outcome::Passed | Outcome::Open { .. });
        match &crawl.record {
            Err(not_run) => {
                let list =
                    if not_run.not_here { &mut checked.not_here } else { &mut checked.failures };
                list.push(format!("{} {not_run}", crawl.case.id));
            }
            Ok(_) if is_fine && trial.judgement.findings.is_empty() => checked.passed += 1,
            Ok(_) => checked.failures.push(failure::of_trial(&trial, crawl, agent)),
        }
    }
    checked
}
