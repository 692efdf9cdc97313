//! The cases on the wire, each of which somebody must be able to fail: crawlers with one fault each.

mod answers;
mod crawler;
#[allow(dead_code, unreachable_pub, reason = "these crawlers have no command line")]
#[path = "../../examples/flags/mod.rs"]
mod flags;
mod kills;
mod rogue;

use std::collections::HashSet;
use std::fs;
use std::io;
use std::sync::LazyLock;

use robots_conformance::judge::Outcome;
use robots_conformance_live::{self as live, Case, Ended, Record, Settings, Task};
use robots_fetch::robots_core::Edition;

use crate::crawler::Crawler;
use crate::rogue::Rogue;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| match live::load() {
    Ok(cases) => cases,
    Err(problems) => panic!("{problems:?}"),
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
    let done = Crawler::new(task.agent, edition, &authority, task.limit, rogue)?.crawl(&task.seed);
    Ok(if done { Ended::ByItself } else { Ended::AtTheLimit })
}

/// Returns the cases that an edition is asked.
fn asked(edition: Edition) -> Vec<Case> {
    CASES.iter().filter(|case| case.expect.contains_key(&edition)).cloned().collect()
}

fn case(id: &str) -> &'static Case {
    CASES.iter().find(|case| case.id == id).unwrap_or_else(|| panic!("there is no case {id}"))
}

/// A case would say nothing if neither who fetches everything nor who fetches nothing failed it, and no rogue is named
/// for it.
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
            let is_open = matches!(outcomes[0], Outcome::Open { .. });
            let is_named = kills::KILLS.iter().any(|kill| kill.case == case.id);
            if !is_open && !is_named && !outcomes.iter().any(Outcome::is_failure) {
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
                    let record = |rogue| {
                        let crawler = |task: &Task<'_>| crawl(task, rogue);
                        let record = live::run(case(kill.case), &crawler, &settings(kill.edition));
                        record.unwrap_or_else(|not_run| panic!("{}: {not_run}", kill.case))
                    };
                    // It is the fault that is killed, and not the crawler that has it.
                    let told =
                        [fails(kill, &record(None)), survives(kill, &record(Some(kill.rogue)))];
                    survived.lock().unwrap().extend(told.into_iter().flatten());
                }
            });
        }
    });
    assert!(survivors.is_empty(), "{} survivors\n\n{}", survivors.len(), survivors.join("\n"));
}

/// Returns how a rogue got away.
fn survives(kill: &kills::Kill, record: &Record) -> Option<String> {
    let (killed, text) = judged(kill, record);
    (!killed).then(|| format!("{:?} survives {}:\n{text}", kill.rogue, kill.case))
}

/// Returns how the crawler fell that has no fault.
fn fails(kill: &kills::Kill, record: &Record) -> Option<String> {
    let (killed, text) = judged(kill, record);
    killed.then(|| format!("without a fault, {} is failed too:\n{text}", kill.case))
}

/// Returns whether a case was failed, and how it went.
fn judged(kill: &kills::Kill, record: &Record) -> (bool, String) {
    let case = case(kill.case);
    let judgement = live::judge(case, kill.edition, record);
    let failed = match kill.level {
        None => judgement.findings.iter().any(|finding| finding.level.is_none()),
        // Who forbids too much leaves the control page out, which no document forbids: nothing then shows that it
        // reads the rules, and the case is not passed.
        Some(_) => judgement.outcome.is_failure() || judgement.outcome == Outcome::Inconclusive,
    };
    (failed, live::failure(case, kill.edition, record))
}
