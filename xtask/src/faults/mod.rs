//! Tests the suite: readers with one fault each show which requirements the cases protect.
//!
//! [`matrix()`] runs every reader of [`fault::Fault`] through the suite. A reader must fail a case of at least one
//! requirement that it violates. A reader must fail no case of another requirement, unless [`exceptions::EXCEPTIONS`]
//! has the reason. Every requirement at *must* needs a reader that violates it and fails one of its cases, unless
//! [`exceptions::UNCAUGHT`] has the reason. The readers whose fault is in `retriever.rs` also answer timelines.
//! `docs/faults.md` and `docs/faults.json` show the result.

mod bent;
mod document;
mod exceptions;
mod fault;
mod matrix;
mod reader;
mod retriever;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_conformance::suite::case::Case;
use robots_conformance::suite::requirement::Level;
use robots_conformance::suite::{Suite, load};
use robots_core::engine::QuestionKind;

use self::exceptions::{EXCEPTIONS, UNCAUGHT, UNCAUGHT_OVER_TIME};
use self::fault::Fault;
use self::matrix::{Matrix, caught_by, matrix};
use crate::invocation::workspace;
use crate::written::{Check, settle};

pub(crate) fn run(arguments: &Check) -> Result<bool, String> {
    let suite = load::embedded()?;
    let matrix = matrix(&suite);
    let problems = problems(&matrix, &suite);
    let texts = document::texts(&matrix).map(|(file, text)| (file.to_owned(), text));
    let is_settled = settle("faults", &workspace(), &texts, arguments.check)?;
    for problem in &problems {
        anstream::eprintln!("error: {problem}");
    }
    anstream::println!("{} readers, {} exceptions", matrix.len(), EXCEPTIONS.len());
    Ok(problems.is_empty() && is_settled)
}

/// Returns the problems of the matrix. Most messages also say how to fix the problem.
fn problems(matrix: &Matrix, suite: &Suite) -> Vec<String> {
    let mut problems = Vec::new();
    for (fault, failed) in matrix.iter().filter(|(fault, _)| !fault.is_constant()) {
        let name = fault.name();
        if !fault.requirements().iter().any(|id| failed.contains_key(*id)) {
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
    problems.extend(problems_over_time(matrix, suite));
    for exception in EXCEPTIONS {
        let fails = |failed: &BTreeMap<_, BTreeSet<String>>| {
            failed.values().any(|cases| cases.contains(exception.case))
        };
        let name = exception.fault.name();
        if !matrix.get(&exception.fault).is_some_and(fails) {
            problems.push(format!("{name} does not fail {}; remove the exception", exception.case));
        }
        let violated = exception.fault.requirements();
        let is_violated = |case: &&Arc<Case>| {
            case.id == exception.case && violated.contains(&case.requirement.as_str())
        };
        if suite.cases.iter().any(|case| is_violated(&case)) {
            problems.push(format!(
                "{name} violates the requirement of {}; remove the exception",
                exception.case
            ));
        }
    }
    for requirement in &suite.requirements {
        let published = requirement.editions.iter().filter(|(edition, _)| !edition.is_draft());
        let must =
            published.map(|(_, statement)| statement.level).any(|level| level == Level::Must);
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

/// Returns the problems of the timelines. Each retriever with a fault must fail a timeline of a requirement that it
/// violates. Each requirement with timelines needs a retriever that violates the requirement and fails one of its
/// timelines, unless `UNCAUGHT_OVER_TIME` has the reason.
fn problems_over_time(matrix: &Matrix, suite: &Suite) -> Vec<String> {
    let mut timelines: BTreeMap<&str, BTreeSet<&String>> = BTreeMap::new();
    let is_published = |case: &&Arc<Case>| case.expect.keys().any(|edition| !edition.is_draft());
    let cases = suite.cases.iter().filter(|case| case.form.ask == QuestionKind::Timeline);
    // Cases that only drafts have are left out, because the matrix has no trials about drafts.
    for case in cases.filter(is_published) {
        timelines.entry(&case.requirement).or_default().insert(&case.id);
    }
    let fails = |fault: &Fault, requirement: &str| {
        let failed = matrix.get(fault).and_then(|failed| failed.get(requirement));
        let timelines = timelines.get(requirement);
        failed
            .zip(timelines)
            .is_some_and(|(failed, timelines)| failed.iter().any(|it| timelines.contains(it)))
    };
    let idle = retriever::FAULTS
        .iter()
        .filter(|fault| !fault.requirements().iter().any(|requirement| fails(fault, requirement)));
    let idle = idle.map(|fault| {
        format!(
            "{} fails no timeline of {}; add one",
            fault.name(),
            fault.requirements().join(", ")
        )
    });
    let unseen = timelines.keys().filter_map(|requirement| {
        let is_caught = retriever::FAULTS
            .iter()
            .any(|fault| fault.requirements().contains(requirement) && fails(fault, requirement));
        let is_listed = UNCAUGHT_OVER_TIME.iter().any(|(id, _)| id == requirement);
        let what = match (is_caught, is_listed) {
            (true, true) => "are caught; remove it from",
            (false, false) => "catch no retriever; add one, or list it in",
            _ => return None,
        };
        Some(format!("the timelines of {requirement} {what} UNCAUGHT_OVER_TIME"))
    });
    idle.chain(unseen).collect()
}
