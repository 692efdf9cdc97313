//! Invented results: a peer that does not support `*` in a path, a peer that reads everything correctly, and a crawler.

use std::collections::BTreeMap;

use robots_conformance::report::Totals;
use robots_conformance::robots_core::engine::{Ask, Role, VerdictQuestion};
use robots_conformance::robots_core::{Edition, Options, RobotsTxt};
use robots_conformance::run::trial;
use robots_conformance::suite::load;
use robots_lint::{Construct, constructs};
use robots_nom_parser::ScanParser;
use serde_json::json;

/// Returns the text that `cargo survey peers` would write about the two peers.
pub(crate) fn peers() -> String {
    let suite = load::embedded().unwrap();
    let sees_a_star = |trial: &trial::Trial| match &trial.member().ask {
        Ask::Verdict(VerdictQuestion { robots_txt, .. }) => {
            let robots = RobotsTxt::parse(
                &ScanParser,
                &robots_txt[..],
                Options::from(trial.profile().edition().unwrap_or_default()),
            );
            constructs(&robots).any(|(construct, ..)| construct == Construct::Wildcard)
        }
        _ => false,
    };
    let trials = trial::published(&suite);
    let failing: Vec<&str> =
        trials.iter().filter(|trial| sees_a_star(trial)).map(|trial| trial.name()).collect();
    assert!(failing.len() > 20, "{failing:?}");
    let verdicts: BTreeMap<&str, Totals> =
        Edition::ALL.iter().map(|edition| (edition.id(), Totals::default())).collect();
    let peer = |name: &str, failing: &[&str]| {
        let mut areas: BTreeMap<(&str, &str), BTreeMap<&str, usize>> = BTreeMap::new();
        let mut answers = BTreeMap::new();
        for trial in &trials {
            let outcome = outcome(trial, failing);
            let key = (trial.case().area.as_str(), trial.profile().id());
            *areas.entry(key).or_default().entry(outcome).or_default() += 1;
            if matches!(outcome, "failed" | "open") {
                answers.insert(trial.name(), "allow");
            }
        }
        let areas = areas.into_iter().map(|((area, edition), totals)| {
            json!({ "area": area, "edition": edition, "totals": totals })
        });
        json!({
            "name": name,
            "version": "1.0",
            "language": "none",
            "registry": "none",
            "usage": "Not used.",
            "editions": ["rfc9309"],
            "areas": areas.collect::<Vec<_>>(),
            "verdicts": verdicts,
            "claim": { "says": "It is blind.", "source": "this test" },
            "failing": { "MATCH-STAR": failing },
            "answers": answers,
        })
    };
    json!({ "unmeasured": {}, "measured": [peer("blindfold", &failing), peer("eyes", &[])] })
        .to_string()
}

/// Returns the outcome of a trial for a parser that answers only verdict questions about one product token, and fails
/// the trials in `failing`.
fn outcome(trial: &trial::Trial, failing: &[&str]) -> &'static str {
    match &trial.member().ask {
        _ if trial.role() == Role::Crawler => "not-asked",
        _ if failing.contains(&trial.name()) => "failed",
        Ask::Verdict(VerdictQuestion { agents, .. }) if agents.texts().len() == 1 => {
            if trial.is_open() { "open" } else { "passed" }
        }
        _ => "unanswered",
    }
}

/// Returns the text that `cargo survey crawlers` would write about a crawler that reads `*` differently, according to a
/// case.
pub(crate) fn crawlers() -> String {
    let reader = json!({
        "name": "creeper",
        "version": "2.0",
        "cases": ["path-matching::star-alone"],
    });
    let claims = json!({ "google-2022": { "wildcard": [reader] } });
    let totals = json!({ "rfc9309": { "passed": 11, "failed": 7, "waited": 3 } });
    let creeper = json!({
        "name": "creeper",
        "version": "2.0",
        "language": "none",
        "registry": "none",
        "command": "creeper",
        "token": "creeper",
        "switch": "none",
        "obeys": true,
        "wire": totals,
        "verdicts": totals,
        "advice": 0,
        "must": { "rfc9309": { "FETCH-5XX": ["wire-status-503"] } },
        "should": {},
        "did": { "wire-status-503": "fetched /private/page of main; fetched /public/page of main" },
        "undecided": { "waited": ["wire-size-endless"] },
        "claims": { "editions": claims },
    });
    json!({ "unmeasured": {}, "measured": [creeper] }).to_string()
}
