//! The cases that each reader fails: [`matrix`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use robots_conformance::run::outcome::judge;
use robots_conformance::run::trial::{Trial, published};
use robots_conformance::suite::Suite;
use robots_core::engine::Engine as _;

use super::fault::Fault;
use super::reader::Reader;

/// The failures of each reader: cases by requirement.
pub(super) type Matrix = BTreeMap<Fault, BTreeMap<String, BTreeSet<String>>>;

/// Runs every reader through the suite.
pub(super) fn matrix(suite: &Suite) -> Matrix {
    let trials = published(suite);
    let next = AtomicUsize::new(0);
    let row = |fault: &Fault| {
        let mut failed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for trial in failing(&Reader(Some(*fault)), &trials) {
            let case = trial.case();
            failed.entry(case.requirement.clone()).or_default().insert(case.id.clone());
        }
        (*fault, failed)
    };
    thread::scope(|scope| {
        let work = || {
            let faults =
                std::iter::from_fn(|| Fault::ALL.get(next.fetch_add(1, Ordering::Relaxed)));
            faults.map(row).collect::<Vec<_>>()
        };
        let workers = [scope.spawn(work), scope.spawn(work)];
        workers.into_iter().flat_map(|worker| worker.join().expect("a reader panicked")).collect()
    })
}

/// Returns the closed trials that fail for a reader.
pub(super) fn failing<'t>(reader: &Reader, trials: &'t [Arc<Trial>]) -> Vec<&'t Trial> {
    let fails = |trial: &&Arc<Trial>| {
        !trial.is_open()
            && judge(trial.kind(), trial.conforming(), &reader.answer(&trial.question()))
                .is_failure()
    };
    trials.iter().filter(fails).map(AsRef::as_ref).collect()
}

/// Returns the readers that violate a requirement and fail a case of it.
pub(super) fn caught_by<'m>(
    matrix: &'m Matrix,
    requirement: &'m str,
) -> impl Iterator<Item = Fault> + 'm {
    let caught = matrix.iter().filter(move |(fault, failed)| {
        fault.requirements().contains(&requirement) && failed.contains_key(requirement)
    });
    caught.map(|(fault, _)| *fault)
}
