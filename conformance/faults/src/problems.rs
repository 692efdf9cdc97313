//! Decides what the failures of the readers say about the suite.
//!
//! Start at [`problems`]. A reader must fail a case of at least one requirement that it violates. A reader must fail no
//! case of another requirement, unless [`Exceptions`] lists the case. Every requirement at *must* needs a reader that
//! violates it and fails one of its cases, unless `uncaught` lists the requirement. The readers whose fault is in
//! `retriever.rs` also answer timelines, for which the same holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_conformance::kind::QuestionKind;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::requirement::Level;

use super::exceptions::{Exceptions, FILE};
use super::fault::Fault;
use super::matrix::{Matrix, caught_by};
use super::retriever;

/// Returns the problems of the matrix. Most messages also say how to fix the problem.
pub(super) fn problems(matrix: &Matrix, suite: &Suite, exceptions: &Exceptions) -> Vec<String> {
    let listed: BTreeSet<(Fault, &str)> = exceptions.all().collect();
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
            let is_listed = |case: &&String| listed.contains(&(*fault, case.as_str()));
            let unlisted: Vec<&str> =
                cases.iter().filter(|case| !is_listed(case)).map(String::as_str).collect();
            if !unlisted.is_empty() {
                problems.push(format!(
                    "{name} fails cases of {requirement} too: {}; change the cases so that they test only their \
                     requirement, or list them below `{name}` in {FILE}, with the reason",
                    unlisted.join(", ")
                ));
            }
        }
    }
    problems.extend(problems_over_time(matrix, suite, &exceptions.uncaught_over_time));
    for (fault, case) in exceptions.all() {
        let name = fault.name();
        let mut failed = matrix.get(&fault).into_iter().flat_map(BTreeMap::values);
        if !failed.any(|cases| cases.contains(case)) {
            problems.push(format!("{name} does not fail {case}; remove the exception from {FILE}"));
        }
        let is_violated = |other: &Arc<Case>| {
            other.id == case && fault.requirements().contains(&other.requirement.as_str())
        };
        if suite.cases.iter().any(is_violated) {
            problems.push(format!(
                "{name} violates the requirement of {case}; remove the exception from {FILE}"
            ));
        }
    }
    for requirement in &suite.requirements {
        let published = requirement.editions.iter().filter(|(edition, _)| !edition.is_draft());
        let must =
            published.map(|(_, statement)| statement.level).any(|level| level == Level::Must);
        let tested = requirement.not_testable.is_none() && !requirement.on_the_wire;
        let id = requirement.id.as_str();
        let listed = exceptions.uncaught.contains_key(id);
        let caught = caught_by(matrix, id).next().is_some();
        if must && tested && caught == listed {
            let what = if caught {
                "is caught; remove it from"
            } else {
                "is caught by no reader; add one, or list it in"
            };
            problems.push(format!("{id} {what} `uncaught` in {FILE}"));
        }
    }
    problems
}

/// Returns the problems of the timelines. Each retriever with a fault must fail a timeline of a requirement that it
/// violates. Each requirement with timelines needs a retriever that violates the requirement and fails one of its
/// timelines, unless `uncaught-over-time` has the reason.
fn problems_over_time(
    matrix: &Matrix,
    suite: &Suite,
    uncaught: &BTreeMap<String, String>,
) -> Vec<String> {
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
        let is_listed = uncaught.contains_key(*requirement);
        let what = match (is_caught, is_listed) {
            (true, true) => "are caught; remove it from",
            (false, false) => "catch no retriever; add one, or list it in",
            _ => return None,
        };
        Some(format!("the timelines of {requirement} {what} `uncaught-over-time` in {FILE}"))
    });
    idle.chain(unseen).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use robots_conformance::suite::load;

    use super::super::exceptions::Exceptions;
    use super::super::fault::Fault;
    use super::super::matrix::Matrix;
    use super::problems;

    /// Returns the problems about one reader. `failed` are the cases that it fails, with their requirements.
    fn of(fault: Fault, failed: &[(&str, &str)], exceptions: &Exceptions) -> Vec<String> {
        let mut row: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (requirement, case) in failed {
            row.entry((*requirement).to_owned()).or_default().insert((*case).to_owned());
        }
        let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
        let mut found = problems(&Matrix::from([(fault, row)]), &suite, exceptions);
        found.retain(|problem| problem.starts_with(fault.name()));
        found
    }

    #[test]
    fn a_failure_is_required_listed_or_a_problem() {
        let tie = ("PREC-TIE", "order-of-equal-rules");
        let other = ("PREC-ORDER", "order-ascending");
        let none = Exceptions::default();
        let one = serde_yaml::from_str(
            "exceptions: [{ why: so, fails: { DisallowWinsTies: [order-ascending] } }]\n\
             uncaught: {}\nuncaught-over-time: {}",
        )
        .unwrap();
        let problems = [
            of(Fault::DisallowWinsTies, &[tie], &none),
            of(Fault::DisallowWinsTies, &[other], &none),
            of(Fault::DisallowWinsTies, &[tie, other], &one),
            of(Fault::DisallowWinsTies, &[tie], &one),
        ];
        insta::assert_debug_snapshot!(problems);
    }
}
