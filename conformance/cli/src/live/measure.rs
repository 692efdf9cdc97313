//! Crawls what is asked, and judges it.

use std::collections::BTreeMap;
use std::thread;
use std::time::Instant;

use robots_core::Edition;
use robots_test_web::Net;
use robots_test_web::live::{self, Case, NotRun, Record, Settings, TOGETHER};

use super::attached::{ATTACHED, Attached};
use super::command::CrawlerCommand;
use super::crawl::Crawl;
use super::deviation::Deviations;
use super::kept::Kept;
use super::outcome::Outcome;
use super::report::LiveReport;
use super::selected::Selected;
use super::subject::Subject;
use super::trial::Trial;
use super::{LiveArgs, Place};
use crate::ending::Ending;

/// Runs and judges what is asked.
pub(super) fn measure(
    arguments: &LiveArgs,
    deviations: &Deviations,
    ending: &Ending,
) -> Result<LiveReport, String> {
    if arguments.agent.is_empty() {
        return Err("--agent is empty; name the crawler by its product token".to_owned());
    }
    let crawler: Box<dyn Subject> = match &arguments.exec {
        Some(template) => Box::new(CrawlerCommand::new(template, ending.clone())?),
        None => Box::new(Attached { ending: ending.clone() }),
    };
    let selected = Selected::of(arguments)?;
    if selected.is_empty() {
        return Err(match &arguments.filter {
            Some(text) => format!("no case has a name (case::edition) that contains {text:?}"),
            None => "no case is asked of these editions".to_owned(),
        });
    }
    let start = Instant::now();
    if let Some(path) = &arguments.judge {
        let kept = Kept::read(path)?;
        let (crawler, agent) = (kept.crawler.clone(), kept.agent.clone());
        let cases = selected.wire.iter().chain(selected.verdicts.values().flatten());
        let crawls = kept.crawls(cases);
        let trials = judged(&selected, &crawls, deviations);
        return Ok(LiveReport {
            crawler,
            agent,
            stale: deviations.stale(|name| selected.knows(name)),
            unasked: 0,
            crawls,
            unwired: selected.unwired,
            trials,
            took: start.elapsed(),
        });
    }
    let mut run = Run { arguments, selected: &selected, crawler: &*crawler, crawls: Vec::new() };
    // A crawler that differs by edition is run for each; any other once, for all of them.
    if crawler.takes("edition") {
        for edition in &selected.editions {
            run.crawl(Some(*edition));
        }
    } else {
        run.crawl(None);
    }
    let mut trials = judged(&selected, &run.crawls, deviations);
    if arguments.again {
        run.again(&trials);
        trials = judged(&selected, &run.crawls, deviations);
    }
    Ok(LiveReport {
        crawler: arguments.exec.clone().unwrap_or_else(|| ATTACHED.to_owned()),
        agent: arguments.agent.clone(),
        stale: deviations.stale(|name| selected.knows(name)),
        unasked: selected.trials() - trials.len(),
        crawls: run.crawls,
        unwired: selected.unwired,
        trials,
        took: start.elapsed(),
    })
}

/// A run that goes on.
struct Run<'r> {
    arguments: &'r LiveArgs,
    selected: &'r Selected,
    crawler: &'r dyn Subject,
    crawls: Vec<Crawl>,
}

impl Run<'_> {
    fn settings(&self, edition: Option<Edition>) -> Settings {
        let mut settings = Settings::default();
        settings.agent.clone_from(&self.arguments.agent);
        settings.edition = edition;
        settings.limit = self.arguments.limit;
        settings.net = match self.arguments.net {
            Place::Loopback => Net::Loopback,
            Place::Namespace => Net::Namespace,
        };
        let processors = thread::available_parallelism().map_or(1, Into::into);
        settings.jobs = self.arguments.jobs.map_or(2 * processors, usize::from);
        settings
    }

    fn crawl(&mut self, edition: Option<Edition>) {
        let alone = self.settings(edition);
        let mut together = alone.clone();
        together.limit = self.arguments.limit_together;
        let asked = |cases: &[Case]| -> Vec<Case> {
            let asks = |case: &&Case| {
                self.selected
                    .of_case(case)
                    .any(|asked| edition.is_none_or(|edition| edition == asked))
            };
            cases.iter().filter(asks).cloned().collect()
        };
        let mut wire = asked(&self.selected.wire);
        let mut verdicts: BTreeMap<&String, Vec<Case>> =
            self.selected.verdicts.iter().map(|(token, cases)| (token, asked(cases))).collect();
        // One that somebody starts is started once.
        if self.arguments.attach {
            wire.extend(verdicts.remove(&self.arguments.agent).unwrap_or_default());
        }
        if self.arguments.together || self.arguments.attach {
            let records = live::run_together(&wire, self.crawler, &together);
            self.take(edition, wire, records, true);
        } else {
            let records = live::run_all(&wire, self.crawler, &alone);
            self.take(edition, wire, records, false);
        }
        for (token, cases) in verdicts {
            let mut settings = together.clone();
            if self.crawler.takes("agent") || *token == self.arguments.agent {
                settings.agent.clone_from(token);
                let records = live::run_together(&cases, self.crawler, &settings);
                self.take(edition, cases, records, true);
                continue;
            }
            // A file that can name the crawler is asked of one that has another name.
            let (cases, others): (Vec<Case>, Vec<Case>) =
                cases.into_iter().partition(|case| self.selected.for_everybody.contains(&case.id));
            if !cases.is_empty() {
                let records = live::run_together(&cases, self.crawler, &settings);
                self.take(edition, cases, records, true);
            }
            let why = format!("the crawler's product token cannot be set to {token}");
            let records = others.iter().map(|_| Err(NotRun::because(&why))).collect();
            self.take(edition, others, records, false);
        }
    }

    /// Keeps what was crawled; what the end of the run cut is not asked.
    fn take(
        &mut self,
        edition: Option<Edition>,
        cases: Vec<Case>,
        records: Vec<Result<Record, NotRun>>,
        is_together: bool,
    ) {
        for (case, record) in cases.into_iter().zip(records) {
            let name = if is_together { TOGETHER } else { &case.id };
            if !self.crawler.was_cut(name) {
                let said = self.crawler.said(name);
                self.crawls.push(Crawl { case, edition, record, said });
            }
        }
    }

    /// Crawls alone what was undecided.
    fn again(&mut self, trials: &[Trial]) {
        let undecided = |crawl: usize| {
            let of_crawl = |trial: &&Trial| trial.crawl == crawl;
            let is_undecided =
                |trial: &Trial| matches!(trial.outcome, Outcome::Inconclusive | Outcome::Waited);
            trials.iter().filter(of_crawl).any(is_undecided)
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
            let mut settings = self.settings(edition);
            settings.agent = agent;
            let cases: Vec<Case> =
                indices.iter().map(|index| self.crawls[*index].case.clone()).collect();
            let records = live::run_all(&cases, self.crawler, &settings);
            for (index, record) in indices.into_iter().zip(records) {
                let id = cases.iter().find(|case| case.id == self.crawls[index].case.id);
                let id = id.map_or("", |case| case.id.as_str());
                // What was cut keeps its first crawl.
                if !self.crawler.was_cut(id) {
                    self.crawls[index].said = self.crawler.said(id);
                    self.crawls[index].record = record;
                }
            }
        }
    }
}

fn judged(selected: &Selected, crawls: &[Crawl], deviations: &Deviations) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (index, crawl) in crawls.iter().enumerate() {
        let editions = selected.of_case(&crawl.case);
        let editions = editions.filter(|edition| crawl.edition.is_none_or(|told| told == *edition));
        trials.extend(editions.map(|edition| Trial::judge(crawls, index, edition, deviations)));
    }
    trials
}
