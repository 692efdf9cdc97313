//! Finds the cases that each reader fails.
//!
//! Start at [`matrix()`]. Threads share the cases: each thread takes the next case, and asks every reader the questions
//! of this case. The module does not decide which failures are expected; `mod.rs` does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_conformance::engine::{Engine as _, Question};
use robots_conformance::run::outcome::judge;
use robots_conformance::run::parallel::in_parallel;
use robots_conformance::run::trial::{Trial, published};
use robots_conformance::suite::Suite;

use super::fault::Fault;
use super::reader::Reader;

/// For each reader: the ids of the cases that it fails, by the requirement of the case.
pub(super) type Matrix = BTreeMap<Fault, BTreeMap<String, BTreeSet<String>>>;

/// Runs every reader through the suite. Some files are large, so each question is made only once for all readers. A
/// reader keeps the last file that it parsed, so it gets the questions of a case one after the other.
pub(super) fn matrix(suite: &Suite) -> Matrix {
    let trials = published(suite);
    let cases: Vec<_> = trials.chunk_by(|a, b| a.case().id == b.case().id).collect();
    let failures = |trials: &&[Arc<Trial>]| {
        let asked: Vec<_> = trials.iter().map(|trial| (trial, trial.question())).collect();
        let mut failed = Vec::new();
        for fault in Fault::ALL {
            let reader = Reader::new(Some(*fault));
            let failing = asked.iter().filter(|(trial, it)| fails(&reader, trial, it));
            failed.extend(failing.map(|(trial, _)| (*fault, Arc::clone(trial))));
        }
        Some(failed)
    };
    let mut matrix: Matrix = Fault::ALL.iter().map(|fault| (*fault, BTreeMap::new())).collect();
    for (fault, trial) in in_parallel(&cases, 2, failures, |_| {}).into_iter().flatten() {
        let (case, row) = (trial.case(), matrix.entry(fault).or_default());
        row.entry(case.requirement.clone()).or_default().insert(case.id.clone());
    }
    matrix
}

/// Returns the trials that a reader fails. Open trials, which have no wrong answer, are never among these trials.
#[cfg(test)]
pub(super) fn failing<'t>(reader: &Reader, trials: &'t [Arc<Trial>]) -> Vec<&'t Trial> {
    let fails = |trial: &&Arc<Trial>| fails(reader, trial, &trial.question());
    trials.iter().filter(fails).map(AsRef::as_ref).collect()
}

/// Returns whether a reader fails a trial. An open trial has no wrong answer.
fn fails(reader: &Reader, trial: &Trial, question: &Question) -> bool {
    let outcome = || judge(trial.kind(), trial.conforming(), &reader.answer(question));
    !trial.is_open() && outcome().is_failure()
}

/// Returns the readers that violate a requirement and fail one of its cases.
pub(super) fn caught_by<'m>(
    matrix: &'m Matrix,
    requirement: &'m str,
) -> impl Iterator<Item = Fault> + 'm {
    let caught = matrix.iter().filter(move |(fault, failed)| {
        fault.requirements().contains(&requirement) && failed.contains_key(requirement)
    });
    caught.map(|(fault, _)| *fault)
}
