//! Defines [`Trial`], a crawl that is judged under an edition.
//!
//! A [`Trial`] has a full name, which deviations files and reports use, and the judgement with its findings. Several
//! trials can belong to one crawl, because a crawl can be judged under several editions.

use std::collections::BTreeSet;

use robots_conformance::kind::Role;
use robots_conformance::report::TrialRecord;
use robots_conformance::run::Ended;
use robots_conformance::run::deviations::{Deviations, Known};
use robots_conformance::run::outcome::Outcome;
use robots_conformance::suite::requirement::Level;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::judge::{Judgement, applies_no_rules, is_open, judge_knowing};
use crate::run::CrawlRecord;
use crate::text::{expected, log};

/// A crawl that is judged under an edition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// The full name: `crawler::area::case::edition`.
    pub name: String,
    /// The index of the crawl in the report.
    pub crawl: usize,
    /// The edition.
    pub edition: Edition,
    /// The level of the requirement. For a failed trial, it is the strongest level of the violated requirements.
    pub level: Level,
    /// The outcome.
    pub outcome: Outcome,
    /// The findings.
    pub judgement: Judgement,
}

impl AsRef<Outcome> for Trial {
    fn as_ref(&self) -> &Outcome {
        &self.outcome
    }
}

impl Ended for Trial {
    /// Returns the full name, which the trial already contains.
    fn full_name(&self, _: &str) -> String {
        self.name.clone()
    }

    /// Returns the entry of a trial that failed, or that the current deviations file already explains.
    fn entry(&self) -> Option<(Known, String)> {
        let why = match &self.outcome {
            Outcome::Failed { .. } => "",
            Outcome::Deviation { why } => why,
            _ => return None,
        };
        let found = self.judgement.found();
        (!found.is_empty()).then(|| (Known::Found(found), why.to_owned()))
    }
}

/// Returns the full name of a trial of a crawler.
pub(crate) fn name(crawler: &str, case: &Case, edition: Edition) -> String {
    format!("{crawler}::{}", case.trial_name(edition.into(), None))
}

/// Judges crawls of one crawler, each under the editions that `editions` returns for it.
///
/// If one of the crawls shows under an edition that the crawler applies no rules, each forbidden request violates the
/// requirement of this edition to apply rules.
pub(crate) fn judged(
    crawls: &[Crawl],
    editions: impl Fn(&Crawl) -> Vec<Edition>,
    crawler: &str,
    deviations: &Deviations,
) -> Vec<Trial> {
    let shows = |crawl: &Crawl, edition: Edition| {
        let record = crawl.record.as_ref();
        record.is_ok_and(|record| applies_no_rules(&crawl.case, edition, record))
    };
    // The editions under which a crawl shows that the crawler applies no rules.
    let without: BTreeSet<Edition> = crawls
        .iter()
        .flat_map(|crawl| editions(crawl).into_iter().filter(move |edition| shows(crawl, *edition)))
        .collect();
    let of_crawl = |(index, crawl)| {
        let judge = |edition| {
            let has_no_rules = without.contains(&edition);
            Trial::judge(crawl, index, edition, crawler, deviations, has_no_rules)
        };
        editions(crawl).into_iter().map(judge).collect::<Vec<_>>()
    };
    crawls.iter().enumerate().flat_map(of_crawl).collect()
}

impl Trial {
    /// Judges a crawl. `has_no_rules` is true if a crawl of the run shows that the crawler applies no rules.
    fn judge(
        crawl: &Crawl,
        index: usize,
        edition: Edition,
        crawler: &str,
        deviations: &Deviations,
        has_no_rules: bool,
    ) -> Self {
        let Crawl { case, record, .. } = crawl;
        let name = name(crawler, case, edition);
        let (judgement, outcome) = match record {
            Ok(record) => {
                let judgement = judge_knowing(case, edition, record, has_no_rules);
                let (outcome, found) = (judgement.outcome.clone(), judgement.found());
                let outcome = deviations.apply_to_crawl(&name, outcome, &found);
                (judgement, outcome)
            }
            Err(not_run) => (Judgement::none(), Outcome::NotRun { why: not_run.why.clone() }),
        };
        let binding = judgement.findings.iter().filter_map(|finding| finding.level);
        let stated = case.expect.get(&edition);
        let level = stated.map_or(Level::Must, |expectation| expectation.level);
        let level = binding.min().filter(|_| outcome.is_failure()).unwrap_or(level);
        Self { name, crawl: index, edition, level, outcome, judgement }
    }

    /// Makes the record of the trial, given its crawl.
    #[must_use]
    pub fn record(&self, crawl: &Crawl) -> TrialRecord {
        let case = &crawl.case;
        let stated = case.expect.get(&self.edition);
        let is_wrong = self.outcome.kind().is_wrong();
        let binding = self.judgement.findings.iter().filter(|finding| finding.level.is_some());
        let sentences: Vec<&str> = binding.map(|finding| finding.sentence.as_str()).collect();
        let last = |record: &CrawlRecord| {
            let last = record.log.last();
            last.map_or(0, |entry| entry.answer.as_ref().map_or(entry.at, |answer| answer.at))
        };
        let (name, profile) = (self.name.clone(), self.edition.into());
        let mut trial = TrialRecord::of_case(name, self.outcome.kind(), case, profile, stated);
        trial.role = Role::Crawler.to_string();
        let case_level = std::mem::replace(&mut trial.level, self.level.to_string());
        trial.case_level = (case_level != trial.level).then_some(case_level);
        trial.open = stated.is_none_or(|stated| is_open(case, self.edition, stated));
        trial.expected =
            stated.map_or_else(String::new, |stated| expected(case, self.edition, stated));
        trial.got = is_wrong.then(|| sentences.join("\n"));
        trial.evidence = crawl.record.as_ref().ok().filter(|_| is_wrong).map(log);
        let detail = self.outcome.detail().map(str::to_owned);
        trial.detail = detail.or_else(|| self.judgement.why.clone());
        trial.findings.clone_from(&self.judgement.findings);
        trial.microseconds = crawl.record.as_ref().map_or(0, last);
        trial
    }
}
