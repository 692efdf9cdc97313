//! A complete run: crawls the selected cases and judges them.
//!
//! Start at [`Run::crawl`]. `crawling.rs` does the crawls. Trials are judged after all crawls, because a single crawl
//! may show that the crawler applies no rules. [`Run::judge`] judges stored records without crawling.

use std::collections::HashMap;
use std::time::Instant;

use robots_conformance::problem::Problems;
use robots_conformance::run;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::suite::Suite;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::crawling::Crawling;
use crate::load::load;
use crate::options::{CaseSelection, Options};
use crate::report::CrawlReport;
use crate::run::{CrawlRecord, NotRun};
use crate::selected::Selected;
use crate::subject::Subject;
use crate::trial::{Trial, judged};
use crate::verdicts::on_the_wire;

/// A run over the cases of the suite.
pub struct Run<'o> {
    options: &'o Options,
    deviations: &'o Deviations,
    selected: Selected,
}

impl<'o> Run<'o> {
    /// Reads the cases about fetching, makes cases from the suite's verdict cases, and selects cases as the options say.
    ///
    /// # Errors
    /// Returns every problem of the cases about fetching. A published version of this crate has no such problem, if the
    /// suite is the embedded suite.
    pub fn new(
        options: &'o Options,
        deviations: &'o Deviations,
        suite: &Suite,
    ) -> Result<Self, Problems> {
        let selected = Selected::of(options, load(suite)?, on_the_wire(suite));
        Ok(Self { options, deviations, selected })
    }

    /// Returns whether the options select no trial.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.selected.is_empty()
    }

    /// Returns the areas of all cases, each once, selected or not.
    #[must_use]
    pub fn areas(&self) -> Vec<&str> {
        self.selected.areas()
    }

    /// Returns the selected cases in order.
    pub fn cases(&self) -> impl Iterator<Item = &Case> {
        self.selected.cases()
    }

    /// Returns the number of selected trials.
    #[must_use]
    pub fn trials(&self) -> usize {
        self.selected.trials()
    }

    /// Crawls the cases and judges the crawls.
    pub fn crawl(self, crawler: &dyn Subject) -> CrawlReport {
        let start = Instant::now();
        let mut crawling = Crawling::new(self.options, &self.selected, crawler);
        if crawler.takes_edition() {
            for edition in &self.selected.editions {
                crawling.crawl(Some(*edition));
            }
        } else {
            // The crawler receives no edition, so each crawl is judged under all selected editions.
            crawling.crawl(None);
        }
        if self.options.again {
            crawling.again(&self.judged(&crawling.crawls, &self.options.settings.agent));
        }
        let (crawls, gave_up) = (crawling.crawls, crawling.gave_up);
        let agent = self.options.settings.agent.clone();
        CrawlReport { gave_up, ..self.report(crawler.name(), agent, crawls, start) }
    }

    /// Judges finished crawls of the crawler with this name and product token. If a case has no record, its outcome is
    /// *not run*.
    pub fn judge(self, crawler: String, agent: String, records: Vec<CrawlRecord>) -> CrawlReport {
        let start = Instant::now();
        let mut records: HashMap<String, CrawlRecord> =
            records.into_iter().map(|record| (record.case.clone(), record)).collect();
        let crawl = |case: &Case| {
            let record = records.remove(&case.id);
            let record = record.ok_or_else(|| NotRun::because("the report has no crawl of it"));
            Crawl { case: case.clone(), edition: None, record, last_words: None }
        };
        let crawls = self.selected.cases().map(crawl).collect();
        self.report(crawler, agent, crawls, start)
    }

    fn report(
        self,
        crawler: String,
        agent: String,
        crawls: Vec<Crawl>,
        start: Instant,
    ) -> CrawlReport {
        let trials = self.judged(&crawls, &agent);
        let mut run = run::Report::new(agent, trials);
        run.is_selection =
            self.options.selection.is_part() || self.options.cases != CaseSelection::All;
        run.unasked = self.selected.trials() - run.trials.len();
        run.compare(self.deviations, &self.selected.crawls(&run.subject));
        run.took = start.elapsed();
        CrawlReport { run, crawler, crawls, unwired: self.selected.unwired, gave_up: None }
    }

    fn judged(&self, crawls: &[Crawl], agent: &str) -> Vec<Trial> {
        let editions = |crawl: &Crawl| -> Vec<Edition> {
            let (editions, given) = (self.selected.of_case(&crawl.case), crawl.edition);
            editions.filter(|edition| given.is_none_or(|given| given == *edition)).collect()
        };
        judged(crawls, editions, agent, self.deviations)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use robots_conformance::suite::load::embedded;
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::probes::Page;
    use crate::run::{Crawler, Ended, Task};

    /// Makes the record of a crawler that fetched `/private/page` of `main` after it had requested the rules.
    fn record(case: &str) -> CrawlRecord {
        let entry = |at: u64, target: &str| {
            let answer = json!({ "at": at + 1, "what": "answered 200", "location": null });
            let entry = json!({
                "at": at, "origin": "main", "connection": 1, "method": "GET", "target": target, "headers": [],
                "answer": answer,
            });
            serde_json::from_value(entry).unwrap()
        };
        CrawlRecord {
            case: case.to_owned(),
            agent: "examplebot".to_owned(),
            ended: Ended::ByItself,
            origins: BTreeMap::new(),
            start: Page::of_main("/"),
            is_cut: false,
            log: vec![entry(0, "/robots.txt"), entry(10_000, "/private/page")],
        }
    }

    /// Returns the requirements that the records of these cases violate.
    fn offended(cases: &[&str]) -> BTreeSet<String> {
        let (options, deviations) = (Options::default(), Deviations::default());
        let run = Run::new(&options, &deviations, &embedded().unwrap()).unwrap();
        let records = cases.iter().map(|case| record(case)).collect();
        let report = run.judge(String::new(), "examplebot".to_owned(), records);
        let findings = report.run.trials.into_iter().flat_map(|trial| trial.judgement.findings);
        findings.map(|finding| finding.requirement).collect()
    }

    /// A crawler that a person starts. It counts its crawls.
    struct Person(AtomicUsize);

    impl Crawler for Person {
        fn crawl(&self, _: &Task<'_>) -> io::Result<Ended> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Ok(Ended::ByItself)
        }
    }

    impl Subject for Person {
        fn name(&self) -> String {
            "a person".to_owned()
        }

        fn is_started_once(&self) -> bool {
            true
        }
    }

    #[rstest]
    #[trace]
    #[case("examplebot")]
    #[case("mybot")]
    #[case("*")]
    fn a_person_is_asked_for_one_crawl(#[case] agent: &str) {
        let mut options = Options { cases: CaseSelection::Verdicts, ..Options::default() };
        options.settings.agent = agent.to_owned();
        let deviations = Deviations::default();
        let person = Person(AtomicUsize::new(0));
        let run = Run::new(&options, &deviations, &embedded().unwrap()).unwrap();
        let report = run.crawl(&person);
        assert_eq!(person.0.into_inner(), 1);
        let (run, left_out) = report.crawls.iter().partition::<Vec<_>, _>(|one| one.record.is_ok());
        assert!(!run.is_empty() && !left_out.is_empty());
    }

    /// In each of the three cases, all editions forbid the same page.
    #[test]
    fn a_crawler_without_rules_is_charged_once() {
        let others = ["wire-path-in-lower-case", "wire-comments"];
        // Without the simplest case, no record shows that the crawler applies no rules.
        let without = offended(&others);
        assert!(without.contains("LOC-ROOT") && without.contains("FORMAT-COMMENT"), "{without:?}");
        let with = offended(&["wire-path-in-lower-case", "wire-comments", "wire-asks-first"]);
        assert_eq!(with, BTreeSet::from(["APPLY-CRAWLERS".to_owned()]));
    }
}
