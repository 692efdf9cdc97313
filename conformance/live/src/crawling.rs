//! The crawls of a run: [`Crawling`]. Start at [`Crawling::crawl`].
//!
//! Each case of `live/crawling.yaml` has a crawl of its own, unless the options or the crawler require one crawl for
//! all. All cases that were made from verdict cases with the same product token share one crawl. If a case cannot be
//! run, the reason is stored.

use std::collections::BTreeMap;

use robots_conformance::run::outcome::Outcome;
use robots_console::render;
use robots_core::Edition;

use crate::case::Case;
use crate::crawl::Crawl;
use crate::options::Options;
use crate::run::{CrawlRecord, NotRun, Settings, TOGETHER, run_all, run_together};
use crate::selected::Selected;
use crate::subject::Subject;
use crate::trial::Trial;
use crate::verdicts::NAMELESS;

/// The reason why a crawler without a product token is not tested with a case that needs one.
const NO_TOKEN: &str = "the crawler has no product token, and the case needs one";

/// The reason why a crawler whose product token is fixed is not tested with a case that needs another one.
const FIXED_TOKEN: &str =
    "the crawler's product token cannot be set, and the case needs another one";

/// The reason why a crawler that stays on one host is not tested with a case on several origins.
const ONE_HOST: &str =
    "the crawler stays on a host, and the case needs several hosts, or a host without HTTP";

/// The state of a run while it crawls. `crawls` contains the finished crawls. It also contains each case that was left
/// out, with the reason.
pub(crate) struct Crawling<'r> {
    options: &'r Options,
    selected: &'r Selected,
    crawler: &'r dyn Subject,
    pub(crate) crawls: Vec<Crawl>,
    /// The reason why the remaining cases were not run, if the run stopped early because of the crawler.
    pub(crate) gave_up: Option<String>,
}

impl<'r> Crawling<'r> {
    /// Begins without any crawl.
    pub(crate) fn new(
        options: &'r Options,
        selected: &'r Selected,
        crawler: &'r dyn Subject,
    ) -> Self {
        Self { options, selected, crawler, crawls: Vec::new(), gave_up: None }
    }

    /// Crawls the cases of one edition, or the cases of all editions if none is given.
    pub(crate) fn crawl(&mut self, edition: Option<Edition>) {
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
        if self.options.settings.agent == NAMELESS {
            let (named, rest): (Vec<Case>, Vec<Case>) =
                wire.into_iter().partition(|case| case.form.names_the_crawler());
            wire = rest;
            self.leave_out(edition, named, NO_TOKEN);
        }
        if self.options.settings.own_host {
            let (one_host, further): (Vec<Case>, Vec<Case>) =
                wire.into_iter().partition(|case| case.form.is_on_own_host());
            wire = one_host;
            self.leave_out(edition, further, ONE_HOST);
        }
        let mut verdicts: BTreeMap<&String, Vec<Case>> =
            self.selected.verdicts.iter().map(|(token, cases)| (token, asked(cases))).collect();
        let (agent, takes_agent) = (&self.options.settings.agent, self.crawler.takes_agent());
        let divide = |token: &str, cases: Vec<Case>| -> (Vec<Case>, Vec<Case>) {
            let suited = &self.selected.suited;
            cases.into_iter().partition(|case| suited.suits(&case.id, token, agent, takes_agent))
        };
        let is_started_once = self.crawler.is_started_once();
        if is_started_once {
            // There is only one crawl, so it also contains all verdict cases that suit the crawler.
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
            let why = if agent == NAMELESS { NO_TOKEN } else { FIXED_TOKEN };
            self.leave_out(edition, others, why);
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

    /// Crawls the cases without a decision (inconclusive, or still waiting at the time limit) a second time, each
    /// alone.
    pub(crate) fn again(&mut self, trials: &[Trial]) {
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
            // The second crawls continue even if the crawler makes no requests again.
            let settings = Settings { agent, keep_going: true, ..self.options.settings(edition) };
            let cases: Vec<Case> =
                indices.iter().map(|index| self.crawls[*index].case.clone()).collect();
            let records = run_all(&cases, self.crawler, &settings);
            for (index, record) in indices.into_iter().zip(records) {
                let crawl = &mut self.crawls[index];
                // If the end of the run interrupted the second crawl, the record of the first crawl remains.
                if !self.crawler.was_cut(&crawl.case.id) {
                    let last_words = self.crawler.last_words(&crawl.case.id);
                    crawl.last_words = last_words.map(|words| render::message(&words));
                    crawl.record = record;
                }
            }
        }
    }
}
