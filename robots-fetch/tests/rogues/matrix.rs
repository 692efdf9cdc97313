//! Checks that each rogue (a crawler with one fault) fails only cases of the requirements that it violates. For
//! parsers, `cargo xtask faults` checks this. The test considers only failures at level *must*, and only under the
//! editions that `kills.rs` names for the rogue.

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use robots_conformance::suite::requirement::Level;
use robots_conformance_live::{self as live, Task};
use robots_fetch::robots_core::Edition;

use crate::exceptions::{EXCEPTIONS, VIOLATED_TOO};
use crate::kills::KILLS;
use crate::rogue::Rogue;
use crate::{asked, crawl, settings};

/// Rogues that are not checked here, because they violate many requirements: they ignore every robots.txt, request
/// robots.txt at a wrong place, or fetch almost nothing.
const CONSTANT: [Rogue; 4] = [
    Rogue::IgnoresRobots,
    Rogue::NeedsAnAllowRule,
    Rogue::AsksInDirectories,
    Rogue::AsksWithCapital,
];

/// The rogues of a short run. `ROBOTS_ROGUES=all` runs every rogue, which takes some minutes.
const FEW: [Rogue; 3] = [Rogue::ServerErrorAllows, Rogue::PortDropped, Rogue::FirstMatch];

#[test]
fn each_rogue_fails_only_what_it_violates() {
    let is_all = env::var_os("ROBOTS_ROGUES").is_some_and(|value| value == "all");
    let rogues = if is_all { Rogue::ALL } else { &FEW };
    let problems: Vec<String> = rogues
        .iter()
        .copied()
        .filter(|rogue| !CONSTANT.contains(rogue))
        .flat_map(problems)
        .collect();
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}

/// Returns the failures of a rogue that need an exception, and its exceptions that are not needed.
fn problems(rogue: Rogue) -> Vec<String> {
    let kills = KILLS.iter().filter(|kill| kill.rogue == rogue);
    let editions: BTreeSet<Edition> = kills.clone().map(|kill| kill.edition).collect();
    let too = VIOLATED_TOO.iter().filter(|(other, _)| *other == rogue).map(|(_, id)| *id);
    let mut unmet: BTreeSet<&str> = too.clone().collect();
    let violated: BTreeSet<&str> =
        kills.map(|kill| crate::case(kill.case).requirement.as_str()).chain(too).collect();
    let mut others = BTreeMap::new();
    for (case, requirements) in editions.into_iter().flat_map(|it| failures(rogue, it)) {
        unmet.retain(|requirement| !requirements.contains(*requirement));
        let of_others: Vec<_> =
            requirements.into_iter().filter(|it| !violated.contains(it.as_str())).collect();
        if !of_others.is_empty() {
            others.insert(case, of_others.join(", "));
        }
    }
    let healed = unmet.into_iter();
    let mut problems: Vec<String> =
        healed.map(|it| format!("{rogue:?} fails no case of {it}; remove it")).collect();
    for exception in EXCEPTIONS {
        for (_, case) in exception.failing.iter().filter(|(other, _)| *other == rogue) {
            if others.remove(*case).is_none() {
                let why = exception.why;
                problems.push(format!("{rogue:?} passes {case}; remove the exception: {why}"));
            }
        }
    }
    let unlisted = others.iter();
    problems.extend(unlisted.map(|(case, of)| format!("{rogue:?} fails {case}, a case of {of}")));
    problems
}

/// Returns the cases that a rogue fails at level *must*, each with the requirements that the rogue violates in it.
fn failures(rogue: Rogue, edition: Edition) -> Vec<(String, BTreeSet<String>)> {
    let asked = asked(edition);
    let crawler = move |task: &Task<'_>| crawl(task, Some(rogue));
    let records = live::run_all(&asked, &crawler, &settings(edition));
    // A server on loopback has no host names, which some cases need.
    let not_run: Vec<_> = records.iter().filter_map(|record| record.as_ref().err()).collect();
    let most = asked.len() / 10;
    assert!(not_run.len() <= most, "{rogue:?}: {} were not run: {}", not_run.len(), not_run[0]);
    let failed = asked.iter().zip(records).filter_map(|(case, record)| {
        let judgement = live::judge(case, edition, &record.ok()?);
        let findings = judgement.findings.into_iter();
        let charged = findings.filter(|finding| finding.level == Some(Level::Must));
        let charged: BTreeSet<String> = charged.map(|finding| finding.requirement).collect();
        (!charged.is_empty()).then(|| (case.id.clone(), charged))
    });
    failed.collect()
}
