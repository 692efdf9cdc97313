//! What the suite is worth: readers with one fault each, and the requirements whose cases they fail.
//!
//! [`matrix`] runs every reader of [`fault::Fault`] through the suite. A reader must fail a case of a requirement that
//! it offends, and no case of another, unless [`exceptions::EXCEPTIONS`] has the reason. Every requirement at *must*
//! must be caught by a reader, unless [`exceptions::UNCAUGHT`] has the reason. `docs/faults.md` and `docs/faults.json`
//! show the result.

mod bent;
mod document;
mod exceptions;
mod fault;
mod reader;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use robots_conformance::case::Level;
use robots_conformance::judge::judge;
use robots_conformance::question::trials;
use robots_conformance::{Suite, Trial, load};
use robots_core::engine::Engine as _;

use self::exceptions::{EXCEPTIONS, UNCAUGHT};
use self::fault::Fault;
use self::reader::Reader;
use crate::{usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail where the documents are stale
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let suite = match load::embedded() {
        Ok(suite) => suite,
        Err(problems) => return usage(problems),
    };
    let matrix = matrix(&suite);
    let mut problems = problems(&matrix, &suite);
    for (file, text) in document::texts(&matrix) {
        let path = workspace().join(file);
        if !arguments.check {
            if let Err(error) = fs::write(&path, text) {
                return usage(format_args!("{file}: {error}"));
            }
        } else if fs::read_to_string(&path).is_ok_and(|written| written != text) || !path.exists() {
            problems.push(format!("{file} is stale; run `cargo xtask faults` and commit it"));
        }
    }
    for problem in &problems {
        anstream::eprintln!("error: {problem}");
    }
    anstream::println!("{} readers, {} exceptions", matrix.len(), EXCEPTIONS.len());
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What each reader fails: by requirement, the cases.
type Matrix = BTreeMap<Fault, BTreeMap<String, BTreeSet<String>>>;

/// Runs every reader through the suite.
fn matrix(suite: &Suite) -> Matrix {
    let trials = trials(suite);
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
fn failing<'t>(reader: &Reader, trials: &'t [Arc<Trial>]) -> Vec<&'t Trial> {
    let fails = |trial: &&Arc<Trial>| {
        !trial.is_open()
            && judge(trial.kind(), trial.conforming(), &reader.answer(&trial.question()))
                .is_failure()
    };
    trials.iter().filter(fails).map(AsRef::as_ref).collect()
}

/// Returns what is wrong with the matrix, each with what to do.
fn problems(matrix: &Matrix, suite: &Suite) -> Vec<String> {
    let mut problems = Vec::new();
    for (fault, failed) in matrix.iter().filter(|(fault, _)| !fault.is_constant()) {
        let name = fault.name();
        if !fault.requirements().iter().any(|own| failed.contains_key(*own)) {
            problems.push(format!(
                "{name} fails no case of {}; add one",
                fault.requirements().join(", ")
            ));
        }
        for (requirement, cases) in failed {
            if fault.requirements().contains(&requirement.as_str()) {
                continue;
            }
            let is_listed = |case: &&String| exceptions::why(*fault, case).is_some();
            let unlisted: Vec<&str> =
                cases.iter().filter(|case| !is_listed(case)).map(String::as_str).collect();
            if !unlisted.is_empty() {
                problems.push(format!(
                    "{name} fails cases of {requirement} too: {}",
                    unlisted.join(", ")
                ));
            }
        }
    }
    for exception in EXCEPTIONS {
        let fails = |failed: &BTreeMap<_, BTreeSet<String>>| {
            failed.values().any(|cases| cases.contains(exception.case))
        };
        if !matrix.get(&exception.fault).is_some_and(fails) {
            let name = exception.fault.name();
            problems.push(format!("{name} does not fail {}; remove the exception", exception.case));
        }
    }
    for requirement in &suite.requirements {
        let must = requirement.editions.values().any(|statement| statement.level == Level::Must);
        let tested = requirement.not_testable.is_none() && !requirement.on_the_wire;
        let id = requirement.id.as_str();
        let listed = UNCAUGHT.iter().any(|(other, _)| *other == id);
        let caught = caught_by(matrix, id).next().is_some();
        if must && tested && caught == listed {
            let what = if caught {
                "is caught; remove it from"
            } else {
                "is caught by no reader; add one, or list it in"
            };
            problems.push(format!("{id} {what} UNCAUGHT"));
        }
    }
    problems
}

/// Returns the readers that offend a requirement and fail a case of it.
fn caught_by<'m>(matrix: &'m Matrix, requirement: &'m str) -> impl Iterator<Item = Fault> + 'm {
    let caught = matrix.iter().filter(move |(fault, failed)| {
        fault.requirements().contains(&requirement) && failed.contains_key(requirement)
    });
    caught.map(|(fault, _)| *fault)
}
