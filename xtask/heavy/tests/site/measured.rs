//! Invented results: a peer that does not support `*` in a path, and one that reads everything correctly.

use std::collections::BTreeMap;

use robots_conformance::report::Totals;
use robots_conformance::robots_core::engine::{Ask, VerdictQuestion};
use robots_conformance::robots_core::{Edition, Options, RobotsTxt};
use robots_conformance::run::trial;
use robots_conformance::suite::load;
use robots_lint::{Construct, constructs};
use robots_nom_parser::ScanParser;
use serde_json::json;

/// Returns the text that `cargo xtask peers` would write about them.
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
    let trials = trial::trials(&suite);
    let failing: Vec<&str> =
        trials.iter().filter(|trial| sees_a_star(trial)).map(|trial| trial.name()).collect();
    assert!(failing.len() > 20, "{failing:?}");
    let verdicts: BTreeMap<&str, Totals> =
        Edition::ALL.iter().map(|edition| (edition.id(), Totals::default())).collect();
    let peer = |name: &str, failing: &[&str]| {
        json!({
            "name": name,
            "version": "1.0",
            "language": "none",
            "registry": "none",
            "usage": "Not used.",
            "editions": ["rfc9309"],
            "areas": [],
            "verdicts": verdicts,
            "failing": failing,
        })
    };
    json!({ "unmeasured": {}, "measured": [peer("blindfold", &failing), peer("eyes", &[])] })
        .to_string()
}

/// Returns the text that `cargo xtask crawlers` would write about a crawler that reads `*` differently, according to a
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
        "must": {},
        "should": {},
        "did": {},
        "undecided": {},
        "claims": { "editions": claims },
    });
    json!({ "unmeasured": {}, "measured": [creeper] }).to_string()
}
