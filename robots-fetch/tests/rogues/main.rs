//! Checks that every live case can fail: crawlers with one fault each (rogues) run the cases.
//!
//! `crawler.rs` is the crawler, and `rogue.rs` lists its faults. `kills.rs` lists cases that find each fault.
//! `matrix.rs` checks that a crawler fails no case of a requirement that its fault does not violate.

mod answers;
mod audit;
mod crawler;
mod exceptions;
#[allow(dead_code, unreachable_pub, reason = "these crawlers have no command line")]
#[path = "../../examples/flags/mod.rs"]
mod flags;
mod kills;
mod matrix;
mod rogue;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::sync::LazyLock;

use robots_conformance::run::outcome::Outcome;
use robots_conformance::suite::load;
use robots_conformance_live::{self as live, Case, CrawlRecord, Ended, Settings, Task};
use robots_fetch::robots_core::Edition;

use crate::crawler::Crawler;
use crate::rogue::Rogue;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let cases = load::embedded().and_then(|suite| live::load(&suite));
    cases.unwrap_or_else(|problems| panic!("{problems}"))
});

/// The number of crawls at the same time. Most of the time a crawl only waits, especially for answers that never
/// arrive.
const JOBS: usize = 12;

fn settings(edition: Edition) -> Settings {
    let mut settings = Settings::default();
    settings.edition = Some(edition);
    settings.jobs = JOBS;
    settings
}

fn crawl(task: &Task<'_>, rogue: Option<Rogue>) -> io::Result<Ended> {
    let authority = fs::read(task.authority_file)?;
    let edition = task.edition.unwrap_or_default();
    let done = Crawler::new(task.agent, edition, &authority, task.limit, rogue)?.crawl(&task.seed);
    Ok(if done { Ended::ByItself } else { Ended::AtTheLimit })
}

/// Returns the cases that have an expectation under an edition.
fn asked(edition: Edition) -> Vec<Case> {
    CASES.iter().filter(|case| case.expect.contains_key(&edition)).cloned().collect()
}

fn case(id: &str) -> &'static Case {
    CASES.iter().find(|case| case.id == id).unwrap_or_else(|| panic!("there is no case {id}"))
}

/// Every case must fail for a crawler that fetches everything, for a crawler that fetches only pages that an allow rule
/// matches, for a rogue in `KILLS`, or for a crawler whose product token has a digit. An allow rule also matches the
/// control pages, which every working crawler fetches.
#[test]
fn each_case_can_be_failed() {
    let mut toothless = Vec::new();
    for edition in Edition::ALL.iter().copied() {
        let asked = asked(edition);
        let run = |rogue| {
            let crawler = move |task: &Task<'_>| crawl(task, Some(rogue));
            live::run_all(&asked, &crawler, &settings(edition))
        };
        let records = run(Rogue::IgnoresRobots).into_iter().zip(run(Rogue::NeedsAnAllowRule));
        for (case, (greedy, wary)) in asked.iter().zip(records) {
            let (Ok(greedy), Ok(wary)) = (greedy, wary) else { continue };
            let outcomes = [greedy, wary].map(|record| live::judge(case, edition, &record).outcome);
            // A crawler that fetches everything also fetches the control pages. If a case requires only that these
            // pages are fetched, the crawler passes the case.
            let is_open = matches!(outcomes[0], Outcome::Open { .. });
            let is_named = kills::KILLS.iter().any(|kill| kill.case == case.id);
            let is_failed = is_open || is_named || outcomes.iter().any(Outcome::is_failure);
            if !is_failed && !fails_by_token(case, edition) {
                toothless.push(format!("{} under {edition}: {outcomes:?}", case.id));
            }
        }
    }
    assert!(toothless.is_empty(), "{}", toothless.join("\n"));
}

/// Returns whether a crawler whose product token has a digit fails the case.
fn fails_by_token(case: &Case, edition: Edition) -> bool {
    let crawler = |task: &Task<'_>| crawl(task, Some(Rogue::IgnoresRobots));
    let mut settings = settings(edition);
    "examplebot2".clone_into(&mut settings.agent);
    let record = live::run(case, &crawler, &settings);
    record.is_ok_and(|record| live::judge(case, edition, &record).outcome.is_failure())
}

#[test]
fn each_rogue_is_killed_by_a_named_case() {
    let named: HashSet<Rogue> = kills::KILLS.iter().map(|kill| kill.rogue).collect();
    let unnamed: Vec<_> = Rogue::ALL.iter().filter(|rogue| !named.contains(rogue)).collect();
    assert!(unnamed.is_empty(), "no case is named for {unnamed:?}");

    let mut survivors = Vec::new();
    let next = std::sync::Mutex::new(kills::KILLS.iter());
    let survived = std::sync::Mutex::new(&mut survivors);
    std::thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                loop {
                    let Some(kill) = next.lock().unwrap().next() else { break };
                    let record = |rogue| {
                        let crawler = |task: &Task<'_>| crawl(task, rogue);
                        let record = live::run(case(kill.case), &crawler, &settings(kill.edition));
                        record.unwrap_or_else(|not_run| panic!("{}: {not_run}", kill.case))
                    };
                    // The case must fail because of the fault, so the crawler without the fault must pass it.
                    let text =
                        [fails(kill, &record(None)), survives(kill, &record(Some(kill.rogue)))];
                    survived.lock().unwrap().extend(text.into_iter().flatten());
                }
            });
        }
    });
    assert!(survivors.is_empty(), "{} survivors\n\n{}", survivors.len(), survivors.join("\n"));
}

/// Returns a message if the rogue passes the case.
fn survives(kill: &kills::Kill, record: &CrawlRecord) -> Option<String> {
    let (killed, text) = judged(kill, record);
    (!killed).then(|| format!("{:?} survives {}:\n{text}", kill.rogue, kill.case))
}

/// Returns a message if the crawler without a fault fails the case.
fn fails(kill: &kills::Kill, record: &CrawlRecord) -> Option<String> {
    let (killed, text) = judged(kill, record);
    killed.then(|| format!("the crawler without a fault fails {} too:\n{text}", kill.case))
}

/// Returns whether a case failed, and the outcome as text.
fn judged(kill: &kills::Kill, record: &CrawlRecord) -> (bool, String) {
    let case = case(kill.case);
    let judgement = live::judge(case, kill.edition, record);
    let failed = match kill.level {
        None => judgement.findings.iter().any(|finding| finding.level.is_none()),
        // A crawler that allows too little does not fetch the control page. No document forbids this, but the crawl
        // then does not show that the crawler reads the rules. So an inconclusive outcome also counts as a failure.
        Some(_) => judgement.outcome.is_failure() || judgement.outcome == Outcome::Inconclusive,
    };
    (failed, live::failure(case, kill.edition, record))
}
