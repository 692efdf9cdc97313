//! The cases on the wire, held up by a crawler that conforms and by crawlers that do not.

#[path = "../../examples/reference/bent.rs"]
mod bent;
#[path = "../../examples/reference/crawler.rs"]
mod crawler;
mod kills;
mod namespace;
#[path = "../../examples/reference/rogue.rs"]
mod rogue;

use std::collections::HashSet;
use std::env;
use std::fs;
use std::io;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use robots_core::Edition;
use robots_test_web::live::{self, Case, Ended, Level, Outcome, Record, Settings, Task};

use crate::crawler::Crawler;
use crate::rogue::Rogue;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    live::load().unwrap_or_else(|problems| {
        let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
        panic!("{}", problems.join("\n"))
    })
});

/// Most of a crawl is waiting: for answers that do not come, most of all.
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
    let crawler = Crawler::new(task.agent, edition, &authority, task.limit)?;
    let done = rogue.into_iter().fold(crawler, Crawler::with).crawl(&task.seed);
    Ok(if done { Ended::ByItself } else { Ended::AtTheLimit })
}

/// Returns the cases that an edition is asked.
fn asked(edition: Edition) -> Vec<Case> {
    CASES.iter().filter(|case| case.expect.contains_key(&edition)).cloned().collect()
}

fn case(id: &str) -> &'static Case {
    CASES.iter().find(|case| case.id == id).unwrap_or_else(|| panic!("there is no case {id}"))
}

#[test]
fn there_are_many_cases_and_half_of_them_want_something_fetched() {
    assert!(CASES.len() >= 120, "{} cases", CASES.len());
    let wants =
        |case: &&Case| case.expect.values().any(|expectation| !expectation.fetched.is_empty());
    assert!(CASES.iter().filter(wants).count() * 2 >= CASES.len());
}

#[test]
fn the_reference_passes_every_case_under_every_edition() {
    for edition in Edition::ALL.iter().copied() {
        let crawler = |task: &Task<'_>| crawl(task, None);
        let checked = live::check(&CASES, &crawler, edition, &settings(edition));
        // Names are for the namespace, and a machine may lack addresses; nothing else is an excuse.
        checked.not_here.iter().for_each(|line| eprintln!("{line}"));
        assert!(checked.failures.is_empty(), "{}", checked.failures.join("\n"));
    }
}

/// Runs the reference again and again, every other time with all processors busy, and compares: no verdict may rest
/// on how fast anything is. `ROBOTS_RUNS` says how often; ci's full tier asks for ten.
#[test]
fn the_outcomes_are_the_same_each_time_and_under_load() {
    let runs = env::var("ROBOTS_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2);
    let asked = asked(Edition::Rfc9309);
    let outcomes = || {
        let crawler = |task: &Task<'_>| crawl(task, None);
        let records = live::run_all(&asked, &crawler, &settings(Edition::Rfc9309));
        let judged = asked.iter().zip(records).map(|(case, record)| {
            let outcome = record.map(|record| live::judge(case, Edition::Rfc9309, &record).outcome);
            (case.id.clone(), outcome.map_err(|not_run| not_run.why))
        });
        judged.collect::<Vec<_>>()
    };
    let first = outcomes();
    for run in 1..runs {
        let idle = AtomicBool::new(run % 2 == 0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, Into::into) {
                scope.spawn(|| {
                    while !idle.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let outcomes = outcomes();
            idle.store(true, Ordering::Relaxed);
            assert_eq!(outcomes, first, "run {run}");
        });
    }
}

/// A case that neither who fetches everything nor who fetches nothing fails would say nothing.
#[test]
fn each_case_can_be_failed() {
    let mut toothless = Vec::new();
    for edition in Edition::ALL.iter().copied() {
        let asked = asked(edition);
        let run = |rogue| {
            let crawler = move |task: &Task<'_>| crawl(task, Some(rogue));
            live::run_all(&asked, &crawler, &settings(edition))
        };
        let records = run(Rogue::IgnoresRobots).into_iter().zip(run(Rogue::StaysWhereItBegan));
        for (case, (greedy, idle)) in asked.iter().zip(records) {
            let (Ok(greedy), Ok(idle)) = (greedy, idle) else { continue };
            let outcomes = [greedy, idle].map(|record| live::judge(case, edition, &record).outcome);
            // Who fetches everything reaches the controls too: where nothing is demanded of it, nothing is demanded.
            if outcomes[0] != Outcome::Open && !outcomes.contains(&Outcome::Failed) {
                toothless.push(format!("{} under {edition}: {outcomes:?}", case.id));
            }
        }
    }
    assert!(toothless.is_empty(), "{}", toothless.join("\n"));
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
                    let crawler = |task: &Task<'_>| crawl(task, Some(kill.rogue));
                    let record = live::run(case(kill.case), &crawler, &settings(kill.edition));
                    let record =
                        record.unwrap_or_else(|not_run| panic!("{}: {not_run}", kill.case));
                    if let Some(survival) = survives(kill, &record) {
                        survived.lock().unwrap().push(survival);
                    }
                }
            });
        }
    });
    assert!(survivors.is_empty(), "{} survivors\n\n{}", survivors.len(), survivors.join("\n"));
}

/// Returns how a rogue got away.
fn survives(kill: &kills::Kill, record: &Record) -> Option<String> {
    let case = case(kill.case);
    let judgement = live::judge(case, kill.edition, record);
    let killed = match kill.level {
        Level::Advice => judgement.findings.iter().any(|finding| finding.level == Level::Advice),
        _ => judgement.outcome == Outcome::Failed,
    };
    let text = live::failure(case, kill.edition, record, &judgement);
    (!killed).then(|| format!("{:?} survives {}:\n{text}", kill.rogue, kill.case))
}
