//! A complete run: crawls the selected cases and judges them.
//!
//! Start at [`Run::crawl`]. [`Crawling`] does the crawls. Each case about fetching has a crawl of its own, unless the
//! options or the crawler require one crawl for all. All verdict cases with the same product token share one crawl. If
//! a case cannot be run, the reason is stored. Trials are judged after all crawls, because a single crawl may show that
//! the crawler applies no rules. [`Run::judge`] judges stored records without crawling.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

use robots_conformance::problem::Problems;
use robots_conformance::render;
use robots_conformance::run;
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::outcome::Outcome;
use robots_conformance::suite::Suite;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::judge::applies_no_rules;
use crate::load::load;
use crate::options::{Cases, Options};
use crate::report::CrawlReport;
use crate::run::{CrawlRecord, NotRun, Settings, TOGETHER, run_all, run_together};
use crate::selected::Selected;
use crate::subject::Subject;
use crate::trial::Trial;
use crate::verdicts::{NAMELESS, on_the_wire};

/// The reason why a crawler without a product token is not tested with a case.
const NO_TOKEN: &str = "the crawler has no product token, and the case needs one";

/// The reason why a crawler that stays on one host is not tested with a case.
const ONE_HOST: &str = "the crawler stays on a host, and the case is on several origins";

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
    /// Returns every problem of the cases about fetching. A published version of this crate has none, if the suite is
    /// the embedded suite.
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
        let mut crawling = Crawling {
            options: self.options,
            selected: &self.selected,
            crawler,
            crawls: Vec::new(),
            gave_up: None,
        };
        if crawler.takes_edition() {
            for edition in &self.selected.editions {
                crawling.crawl(Some(*edition));
            }
        } else {
            // There is one crawl for all editions.
            crawling.crawl(None);
        }
        if self.options.again {
            crawling.again(&self.judged(&crawling.crawls, &self.options.agent));
        }
        let (crawls, gave_up) = (crawling.crawls, crawling.gave_up);
        let agent = self.options.agent.clone();
        CrawlReport { gave_up, ..self.report(crawler.name(), agent, crawls, start) }
    }

    /// Judges finished crawls of the crawler with this name and product token. A case without a record counts as not
    /// run.
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
        run.stale = self.deviations.stale(&self.selected.crawls(&run.subject));
        run.is_selection = self.options.selection.is_part() || self.options.cases != Cases::All;
        run.unasked = self.selected.trials() - run.trials.len();
        if run.is_whole() {
            let ended = run.trials.iter().map(|trial| (trial.name.clone(), &trial.outcome));
            run.stale.extend(self.deviations.healed(ended));
        }
        run.took = start.elapsed();
        CrawlReport { run, crawler, crawls, unwired: self.selected.unwired, gave_up: None }
    }

    fn judged(&self, crawls: &[Crawl], agent: &str) -> Vec<Trial> {
        let editions = |crawl: &Crawl| -> Vec<Edition> {
            let (editions, given) = (self.selected.of_case(&crawl.case), crawl.edition);
            editions.filter(|edition| given.is_none_or(|given| given == *edition)).collect()
        };
        let shows = |crawl: &Crawl, edition: Edition| {
            let record = crawl.record.as_ref();
            record.is_ok_and(|record| applies_no_rules(&crawl.case, edition, record))
        };
        // The editions under which a crawl of the run shows that the crawler applies no rules.
        let without: BTreeSet<Edition> = crawls
            .iter()
            .flat_map(|crawl| {
                editions(crawl).into_iter().filter(move |edition| shows(crawl, *edition))
            })
            .collect();
        let mut trials = Vec::new();
        for (index, crawl) in crawls.iter().enumerate() {
            trials.extend(editions(crawl).into_iter().map(|edition| {
                let has_no_rules = without.contains(&edition);
                Trial::judge(crawl, index, edition, agent, self.deviations, has_no_rules)
            }));
        }
        trials
    }
}

/// The state of a run while it crawls: its crawls, in the order in which they finish.
struct Crawling<'r> {
    options: &'r Options,
    selected: &'r Selected,
    crawler: &'r dyn Subject,
    crawls: Vec<Crawl>,
    /// The reason why the remaining cases were not run, if the run stopped early because of the crawler.
    gave_up: Option<String>,
}

impl Crawling<'_> {
    /// Crawls the cases of one edition, or the cases of all editions if none is given.
    fn crawl(&mut self, edition: Option<Edition>) {
        let alone = self.options.settings(edition);
        let together = Settings { limit: self.options.limit_together, ..alone.clone() };
        let asked = |cases: &[Case]| -> Vec<Case> {
            let asks = |case: &&Case| {
                let mut editions = self.selected.of_case(case);
                editions.any(|asked| edition.is_none_or(|edition| edition == asked))
            };
            cases.iter().filter(asks).cloned().collect()
        };
        let mut wire = asked(&self.selected.wire);
        if self.options.agent == NAMELESS {
            let (named, rest): (Vec<Case>, Vec<Case>) =
                wire.into_iter().partition(|case| case.form.names_the_crawler());
            wire = rest;
            self.leave_out(edition, named, NO_TOKEN);
        }
        if self.options.own_host {
            let (one_host, further): (Vec<Case>, Vec<Case>) =
                wire.into_iter().partition(|case| case.form.is_on_own_host());
            wire = one_host;
            self.leave_out(edition, further, ONE_HOST);
        }
        let mut verdicts: BTreeMap<&String, Vec<Case>> =
            self.selected.verdicts.iter().map(|(token, cases)| (token, asked(cases))).collect();
        let (agent, takes_agent) = (&self.options.agent, self.crawler.takes_agent());
        let divide = |token: &str, cases: Vec<Case>| -> (Vec<Case>, Vec<Case>) {
            let suited = &self.selected.suited;
            cases.into_iter().partition(|case| suited.suits(&case.id, token, agent, takes_agent))
        };
        let is_started_once = self.crawler.is_started_once();
        if is_started_once {
            // The only crawl has all verdict cases that suit the crawler.
            for (token, cases) in &mut verdicts {
                let (suitable, others) = divide(token, std::mem::take(cases));
                wire.extend(suitable);
                *cases = others;
            }
        }
        if self.options.together || is_started_once {
            let records = run_together(&wire, self.crawler, &together);
            self.keep(edition, wire, records, true);
        } else {
            let mut records = run_all(&wire, self.crawler, &alone);
            self.add_last_words(&mut records);
            let mut not_run = records.iter().filter_map(|record| record.as_ref().err());
            let given_up = not_run.find(|not_run| not_run.gave_up_after.is_some());
            let given_up = given_up.map(|not_run| not_run.why.clone());
            self.keep(edition, wire, records, false);
            if let Some(why) = given_up {
                self.gave_up = Some(why.clone());
                for cases in verdicts.into_values() {
                    self.leave_out(edition, cases, &why);
                }
                return;
            }
        }
        for (token, cases) in verdicts {
            let (cases, others) = divide(token, cases);
            if !cases.is_empty() {
                let mut settings = together.clone();
                if agent != NAMELESS && takes_agent {
                    settings.agent.clone_from(token);
                }
                let records = run_together(&cases, self.crawler, &settings);
                self.keep(edition, cases, records, true);
            }
            let why = if agent == NAMELESS {
                NO_TOKEN.to_owned()
            } else {
                format!("the crawler's product token cannot be set to {token}")
            };
            self.leave_out(edition, others, &why);
        }
    }

    /// If the run stopped because of the crawler, adds the last output of the crawler to the reason.
    fn add_last_words(&self, records: &mut [Result<CrawlRecord, NotRun>]) {
        for not_run in records.iter_mut().filter_map(|record| record.as_mut().err()) {
            let crawl = not_run.gave_up_after.as_ref();
            let words = crawl.and_then(|crawl| self.last_words(crawl));
            if let Some(last) = words.as_ref().and_then(|words| words.lines().last()) {
                not_run.why = format!("{}; it wrote last: {last}", not_run.why);
            }
        }
    }

    /// Returns the last output of the crawler in a crawl, rendered for a message.
    fn last_words(&self, crawl: &str) -> Option<String> {
        self.crawler.last_words(crawl).map(|words| render::message(&words))
    }

    /// Stores the reason why cases were not run.
    fn leave_out(&mut self, edition: Option<Edition>, cases: Vec<Case>, why: &str) {
        let records = cases.iter().map(|_| Err(NotRun::because(why))).collect();
        self.keep(edition, cases, records, false);
    }

    /// Stores crawls, except those that the end of the run interrupted.
    fn keep(
        &mut self,
        edition: Option<Edition>,
        cases: Vec<Case>,
        records: Vec<Result<CrawlRecord, NotRun>>,
        is_together: bool,
    ) {
        for (case, record) in cases.into_iter().zip(records) {
            let name = if is_together { TOGETHER } else { &case.id };
            if !self.crawler.was_cut(name) {
                let last_words = self.last_words(name);
                self.crawls.push(Crawl { case, edition, record, last_words });
            }
        }
    }

    /// Crawls the undecided cases a second time, each alone.
    fn again(&mut self, trials: &[Trial]) {
        let undecided = |crawl: usize| {
            let mut of_crawl = trials.iter().filter(|trial| trial.crawl == crawl);
            of_crawl.any(|trial| matches!(trial.outcome, Outcome::Inconclusive | Outcome::Waited))
        };
        let mut groups: BTreeMap<(String, Option<Edition>), Vec<usize>> = BTreeMap::new();
        for (index, crawl) in self.crawls.iter().enumerate() {
            if let Ok(record) = &crawl.record
                && undecided(index)
            {
                groups.entry((record.agent.clone(), crawl.edition)).or_default().push(index);
            }
        }
        for ((agent, edition), indices) in groups {
            // The crawler may again make no requests. That does not stop the second crawls.
            let settings = Settings { agent, keep_going: true, ..self.options.settings(edition) };
            let cases: Vec<Case> =
                indices.iter().map(|index| self.crawls[*index].case.clone()).collect();
            let records = run_all(&cases, self.crawler, &settings);
            for (index, record) in indices.into_iter().zip(records) {
                let crawl = &mut self.crawls[index];
                // If the end of the run interrupted the second crawl, the first crawl counts.
                if !self.crawler.was_cut(&crawl.case.id) {
                    let last_words = self.crawler.last_words(&crawl.case.id);
                    crawl.last_words = last_words.map(|words| render::message(&words));
                    crawl.record = record;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use robots_conformance::suite::load::embedded;
    use rstest::rstest;
    use serde_json::json;

    use super::*;
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
            from_seeds: false,
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
        let options =
            Options { agent: agent.to_owned(), cases: Cases::Verdicts, ..Options::default() };
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
