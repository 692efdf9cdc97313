//! A crawl judged under an edition.

use robots_core::Edition;
use robots_test_web::live::{self, Judgement, Level};

use super::crawl::Crawl;
use super::deviation::Deviations;
use super::outcome::Outcome;

/// A crawl judged under an edition.
#[derive(Clone, Debug)]
pub struct Trial {
    /// `case::edition`.
    pub name: String,
    /// The crawl, by its place in the report.
    pub crawl: usize,
    /// The edition.
    pub edition: Edition,
    /// How binding the edition is here.
    pub level: Level,
    /// The section that says so.
    pub source: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What was found.
    pub judgement: Judgement,
}

impl Trial {
    pub(super) fn judge(
        crawls: &[Crawl],
        crawl: usize,
        edition: Edition,
        deviations: &Deviations,
    ) -> Self {
        let Crawl { case, record, .. } = &crawls[crawl];
        let name = format!("{}::{edition}", case.id);
        let (judgement, outcome) = match record {
            Ok(record) => {
                let judgement = live::judge(case, edition, record);
                let outcome = match judgement.outcome {
                    live::Outcome::Passed => Outcome::Passed,
                    live::Outcome::Failed => Outcome::Failed(None),
                    live::Outcome::Inconclusive => Outcome::Inconclusive,
                    live::Outcome::Waited => Outcome::Waited,
                    _ => Outcome::Open,
                };
                let outcome = deviations.apply(&name, outcome, &judgement);
                (judgement, outcome)
            }
            Err(not_run) => (Judgement::none(), Outcome::NotRun(not_run.why.clone())),
        };
        let binding = judgement.findings.iter().map(|finding| finding.level);
        let stated = case.expect.get(&edition);
        let level = stated.map_or(Level::Must, |expectation| expectation.level);
        let level = binding.min().filter(|_| outcome.is_failure()).unwrap_or(level);
        let source = stated.map_or_else(String::new, |expectation| expectation.source.clone());
        Self { name, crawl, edition, level, source, outcome, judgement }
    }

    /// Returns what was found in a line: why it failed, or what kept it from passing.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Failed(Some(note)) => Some(note.clone()),
            Outcome::Failed(None) => {
                let binding = self.judgement.findings.iter();
                let binding = binding.filter(|finding| finding.level != Level::Advice);
                Some(
                    binding.map(|finding| finding.sentence.as_str()).collect::<Vec<_>>().join("; "),
                )
            }
            Outcome::Deviation(why) | Outcome::NotRun(why) => Some(why.clone()),
            _ => None,
        }
    }

    /// Returns how many findings are advice.
    #[must_use]
    pub fn advice(&self) -> usize {
        let advice = |finding: &&live::Finding| finding.level == Level::Advice;
        self.judgement.findings.iter().filter(advice).count()
    }
}
