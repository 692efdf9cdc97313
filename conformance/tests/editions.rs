//! Tests that a new edition needs only a row of the core's table, and the expectations that differ from those of
//! another edition. The new edition needs no copy of every case. The test removes one edition from the suite, and adds
//! it again as an edition that follows another edition.

use std::collections::BTreeMap;
use std::sync::Arc;

use robots_conformance::coverage;
use robots_conformance::engine::Interpreted;
use robots_conformance::engine::Profile;
use robots_conformance::kind::Expected;
use robots_conformance::run::Runner;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Conforming;
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_core::fetch::Access;
use robots_nom_parser::NomParser;
use serde_yaml::{Mapping, Value};

const FURTHER: Edition = Edition::Google2019;
const FOLLOWED: Edition = Edition::Google2022;

/// Loads the suite without the statements of `FURTHER`, which now follows `FOLLOWED`. An exception is the id of a case
/// and the expectation that `FURTHER` states for it.
fn followed(exceptions: &[(&str, &str)]) -> Suite {
    let mut texts = Vec::new();
    for (path, text) in robots_spec_cases::files() {
        let is_yaml = path.rsplit('.').next() == Some("yaml");
        if path.contains('/') || !is_yaml {
            continue;
        }
        let mut file: Value = serde_yaml::from_str(text).unwrap();
        for (list, key) in [("requirements", "editions"), ("cases", "expect")] {
            for item in file.get_mut(list).and_then(Value::as_sequence_mut).into_iter().flatten() {
                let id = item["id"].as_str().unwrap_or_default().to_owned();
                let stated = item[key].as_mapping_mut().unwrap();
                stated.remove(FURTHER.id());
                let exception = exceptions.iter().find(|(case, _)| *case == id);
                if let Some((_, answer)) = exception {
                    stated.insert(FURTHER.id().into(), (*answer).into());
                }
            }
            if let Some(items) = file.get_mut(list).and_then(Value::as_sequence_mut) {
                items.retain(|item| !item[key].as_mapping().is_some_and(Mapping::is_empty));
            }
        }
        for list in ["tables", "sentences"] {
            if let Some(items) = file.get_mut(list).and_then(Value::as_sequence_mut) {
                items.retain(|item| item["edition"] != FURTHER.id());
            }
        }
        if path == "requirements.yaml" {
            let same_as = file["same-as"].as_mapping_mut().unwrap();
            same_as.insert(FURTHER.id().into(), FOLLOWED.id().into());
        }
        texts.push((path, serde_yaml::to_string(&file).unwrap()));
    }
    let files = texts.iter().map(|(path, text)| (*path, text.as_str()));
    load::suite(files).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Returns the conforming answers, by the name of the trial without its edition.
fn conforming(suite: &Suite, edition: Edition) -> BTreeMap<String, Conforming> {
    let trials = trial::trials(suite);
    let of_edition = trials.iter().filter(|trial| trial.profile() == Profile::Edition(edition));
    of_edition
        .map(|trial| (trial.name().replace(edition.id(), ""), trial.conforming().clone()))
        .collect()
}

#[test]
fn an_edition_that_follows_another_needs_its_exceptions_alone() {
    let suite = followed(&[("status-429", "full-allow"), ("status-418", "not-asked")]);
    let (mut further, mut base) = (conforming(&suite, FURTHER), conforming(&suite, FOLLOWED));
    let allowed = Conforming::One(Expected::Access(Access::FullAllow));
    let name = |case: &str| format!("http-result::{case}::");
    assert_eq!(further.remove(&name("status-429")), Some(allowed));
    assert!(base.remove(&name("status-429")).is_some());
    assert!(base.remove(&name("status-418")).is_some());
    assert!(further.len() > 1000, "{} trials", further.len());
    assert_eq!(further, base);
}

#[test]
fn the_suite_is_whole_and_runs_with_it() {
    let suite = followed(&[]);
    let problems = coverage::coverage(&suite).problems;
    assert!(problems.is_empty(), "{problems:?}");
    let runner = Runner::new(Arc::new(Interpreted(NomParser)));
    let mut trials = runner.trials(&suite);
    trials.retain(|trial| trial.profile() == Profile::Edition(FURTHER));
    let finished = runner.run(&trials, |_| {});
    assert!(finished.iter().all(|done| done.outcome.name() != "errored"));
    // The core has a table with a row for each edition, and still uses the row of the removed edition. For the status
    // 429, this row differs from the row of the followed edition.
    let failed = finished.iter().filter(|done| done.outcome.is_failure());
    let cases: Vec<&str> = failed.map(|done| done.trial.case().id.as_str()).collect();
    assert!(cases.contains(&"status-429"), "{cases:?}");
}

#[test]
fn an_edition_that_follows_nothing_is_stated_in_full() {
    let suite = followed(&[]);
    let mut without = suite.clone();
    for requirement in &mut without.requirements {
        requirement.editions.remove(&FURTHER);
    }
    for case in &mut without.cases {
        Arc::make_mut(case).expect.remove(&FURTHER);
    }
    without.sentences.retain(|sentence| sentence.edition != FURTHER);
    let problems = coverage::coverage(&without).problems;
    let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    for missing in
        ["no requirement is stated by", "no case asks about", "no sentence of the document of"]
    {
        assert!(
            messages.iter().any(|problem| problem.contains(missing)),
            "{missing}: {messages:?}"
        );
    }
}
