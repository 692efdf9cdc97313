//! A crawl judged under an edition: [`Trial`].

use robots_conformance::judge::Outcome;
use robots_core::Edition;

use crate::case::Level;
use crate::crawl::Crawl;
use crate::deviation::Deviations;
use crate::judge::{Finding, Judgement, judge};

/// A crawl judged under an edition.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Trial {
    /// The name, `case::edition`.
    pub name: String,
    /// The index of the crawl in the report.
    pub crawl: usize,
    /// The edition.
    pub edition: Edition,
    /// How strongly the edition states it; of a failure, the strongest level that it offends.
    pub level: Level,
    /// The section that states it.
    pub source: String,
    /// How it ended.
    pub outcome: Outcome,
    /// What was found.
    pub judgement: Judgement,
}

impl Trial {
    pub(crate) fn judge(
        crawl: &Crawl,
        index: usize,
        edition: Edition,
        deviations: &Deviations,
    ) -> Self {
        let Crawl { case, record, .. } = crawl;
        let name = format!("{}::{edition}", case.id);
        let (judgement, outcome) = match record {
            Ok(record) => {
                let judgement = judge(case, edition, record);
                let outcome = deviations.apply(&name, judgement.outcome.clone(), &judgement);
                (judgement, outcome)
            }
            Err(not_run) => (Judgement::none(), Outcome::NotRun { why: not_run.why.clone() }),
        };
        let binding = judgement.findings.iter().map(|finding| finding.level);
        let stated = case.expect.get(&edition);
        let level = stated.map_or(Level::Must, |expectation| expectation.level);
        let level = binding.min().filter(|_| outcome.is_failure()).unwrap_or(level);
        let source = stated.map_or_else(String::new, |expectation| expectation.source.clone());
        Self { name, crawl: index, edition, level, source, outcome, judgement }
    }

    /// Returns on one line why it failed, or what kept it from passing.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match &self.outcome {
            Outcome::Failed { note: Some(note) } => Some(note.clone()),
            Outcome::Failed { note: None } => {
                let binding = self.judgement.findings.iter();
                let binding = binding.filter(|finding| finding.level != Level::Advice);
                let sentences: Vec<&str> =
                    binding.map(|finding| finding.sentence.as_str()).collect();
                Some(sentences.join("; "))
            }
            Outcome::Deviation { why } | Outcome::NotRun { why } => Some(why.clone()),
            _ => None,
        }
    }

    /// Returns how many findings are advice.
    #[must_use]
    pub fn advice(&self) -> usize {
        let is_advice = |finding: &&Finding| finding.level == Level::Advice;
        self.judgement.findings.iter().filter(is_advice).count()
    }
}
