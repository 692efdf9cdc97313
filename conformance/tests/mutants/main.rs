//! Wrong engines: each has one fault, and a named normative trial catches it.
//!
//! The whole suite runs against every one of them. A fault that nothing catches, or that its named trial
//! does not, fails; so does a name that is no normative trial. The interpreter without a fault passes.

mod bent;
mod fault;
mod naive;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use robots_conformance::judge::judge;
use robots_conformance::question::trials;
use robots_conformance::run::Runner;
use robots_conformance::{Suite, Trial, failure, load};
use robots_core::engine::{Engine as _, QuestionKind};

use crate::fault::Fault;
use crate::naive::Naive;

fn suite() -> Suite {
    load::embedded().unwrap_or_else(|problems| panic!("{problems}"))
}

/// Returns the trials that fail for an engine.
fn failing<'t>(engine: &Naive, trials: &'t [Arc<Trial>]) -> Vec<&'t Trial> {
    let fails = |trial: &&Arc<Trial>| {
        judge(trial.kind(), trial.conforming(), &engine.answer(&trial.question())).is_failure()
    };
    trials.iter().filter(fails).map(AsRef::as_ref).collect()
}

#[test]
fn without_a_fault_the_interpreter_passes() {
    let suite = suite();
    let runner = Runner::new(Arc::new(Naive(None))).jobs(2);
    let trials = runner.trials(&suite);
    let failed: Vec<String> = runner
        .run(&trials, |_| {})
        .iter()
        .filter(|finished| finished.outcome.is_failure())
        .map(|finished| failure::render(finished, "naive", Some(&suite), ""))
        .collect();
    assert!(failed.is_empty(), "{} trials fail:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_fault_is_caught_by_its_trial() {
    let trials = trials(&suite());
    let by_name: BTreeMap<&str, &Trial> =
        trials.iter().map(|trial| (trial.name(), trial.as_ref())).collect();
    let wrong = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(fault) = Fault::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let failing = failing(&Naive(Some(*fault)), &trials);
                    if let Some(problem) = problem(*fault, &failing, &by_name) {
                        wrong.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns what is wrong with a fault's catching, and which trials could be named instead.
fn problem(fault: Fault, failing: &[&Trial], by_name: &BTreeMap<&str, &Trial>) -> Option<String> {
    let named = fault.caught_by();
    let is_normative = |trial: &Trial| trial.conforming().is_normative();
    let what = match by_name.get(named) {
        _ if failing.is_empty() => "survives the whole suite; add a case".to_owned(),
        None => format!("names {named:?}, which is no trial"),
        Some(trial) if !is_normative(trial) => format!("names {named}, which is not normative"),
        Some(_) if failing.iter().any(|trial| trial.name() == named) => return None,
        Some(_) => format!("is not caught by {named}"),
    };
    let others: Vec<&str> = failing
        .iter()
        .filter(|trial| is_normative(trial))
        .map(|trial| trial.name())
        .take(12)
        .collect();
    Some(format!("{} {what}; what catches it: {}", fault.name(), others.join("\n    ")))
}

#[test]
fn a_constant_answer_is_caught_in_every_area_that_asks_for_verdicts() {
    let trials = trials(&suite());
    let areas = |trials: &mut dyn Iterator<Item = &Trial>| -> BTreeSet<String> {
        trials.map(|trial| trial.case().area.clone()).collect()
    };
    let mut verdicts =
        trials.iter().map(AsRef::as_ref).filter(|trial| trial.kind() == QuestionKind::Verdict);
    let asked = areas(&mut verdicts);
    assert!(asked.len() > 4, "verdicts are asked in {asked:?} only");
    for fault in [Fault::AlwaysAllows, Fault::AlwaysDisallows] {
        let failing = failing(&Naive(Some(fault)), &trials);
        let mut normative = failing.into_iter().filter(|trial| trial.conforming().is_normative());
        assert_eq!(areas(&mut normative), asked, "{}", fault.name());
    }
}

#[test]
fn there_are_enough_faults() {
    assert!(Fault::ALL.len() >= 28);
    let names: BTreeSet<&str> = Fault::ALL.iter().map(|fault| fault.name()).collect();
    assert_eq!(names.len(), Fault::ALL.len());
}

#[test]
fn what_a_failure_shows() {
    let suite = suite();
    let shown = [
        Fault::DisallowWinsTies,
        Fault::CrNoLineEnd,
        Fault::PortIgnored,
        Fault::BlankLineEndsGroup,
    ];
    for fault in shown {
        let runner = Runner::new(Arc::new(Naive(Some(fault))));
        let mut trials = runner.trials(&suite);
        trials.retain(|trial| trial.name() == fault.caught_by());
        let finished = runner.run(&trials, |_| {});
        let name = finished[0].trial.full_name(fault.name());
        let rerun = format!("cargo xtask conformance --filter {}", failure::quoted(&name));
        let text = failure::render(&finished[0], fault.name(), Some(&suite), &rerun);
        // The line of the case moves whenever a case is added above it.
        let place = &finished[0].trial.case().place;
        let text = text.replace(&place.to_string(), &format!("{}:LINE", place.file));
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(fault.name(), text);
        });
    }
}
