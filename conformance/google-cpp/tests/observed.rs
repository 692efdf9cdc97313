//! Compares the engine with the observed cases of the suite, `spec-cases/observed/google-cpp.yaml`.

use std::sync::Arc;

use robots_conformance::run::Runner;
use robots_conformance::run::trial;
use robots_conformance::suite::load;
use robots_google_cpp::GoogleCpp;

#[test]
fn agrees_with_every_observed_case() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    let trials = trial::observed(&suite);
    assert!(trials.len() > 1_000, "{}", trials.len());
    let finished = Runner::new(Arc::new(GoogleCpp)).run(&trials, |_| {});
    let differ: Vec<&str> = finished
        .iter()
        .filter(|done| done.outcome.name() != "passed")
        .map(|done| done.trial.name())
        .collect();
    assert_eq!(differ, [""; 0]);
    assert_eq!(finished.len(), trials.len());
}
