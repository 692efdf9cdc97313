//! Checks the coverage of the suite: every requirement and every table row needs cases.
//!
//! Start at [`coverage()`]. A requirement is uncovered if every answer passes its cases, unless its level is *may* or
//! the edition leaves every question undefined. It is also uncovered if its questions have two opposite answers, and
//! all cases expect the same answer. The checks read only the suite and ask no engine. Each [`Problem`] names the place
//! and explains how to close the gap; `cargo xtask coverage` prints the problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::kind::QuestionKind;
use robots_core::Edition;

use crate::kind;
use crate::problem::{Place, Problem};
use crate::run::trial::{Trial, of_case, trials};
use crate::suite::Suite;
use crate::suite::case::{Case, Conforming};
use crate::suite::requirement::{Level, Requirement, Table};

/// The coverage of a suite.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Coverage {
    /// The gaps, each with an explanation of how to close it. The list is empty if the suite is complete.
    pub problems: Vec<Problem>,
    /// The problems with the answers of the observed profile, which are recorded answers of Google's library. For
    /// example, an answer is missing. These problems are not errors, because a new case has no such answer until the
    /// answers are recorded again.
    pub notes: Vec<Problem>,
    /// The size of the suite in words: how many requirements, sentences, table rows, cases and trials it has. Open
    /// trials are those that every well-formed answer passes; the other trials about contested passages are contested.
    pub size: String,
}

/// Returns the coverage of a suite.
///
/// An edition needs requirements, cases, and the sentences of its document. Each of its requirements needs a sentence.
/// A testable requirement needs a case for every edition that states it. Some answer must fail at least one trial of
/// the requirement, unless the level is *may* or the edition leaves every question undefined. The trials of a table row
/// must meet the same condition. Some kinds of question have opposite answers, for example verdicts and freshness. If
/// the cases of a requirement ask such questions, and only one answer conforms to each, the cases must expect two
/// different answers. Otherwise an engine that always gives the same answer would pass. [`crate::suite::load`] refuses
/// a case that names an unknown requirement or row. A requirement that live cases test needs no question; the loader of
/// the live cases checks that it has a live case.
///
/// ```
/// let suite = robots_conformance::suite::load::embedded()?;
/// let coverage = robots_conformance::coverage::coverage(&suite);
/// assert!(coverage.problems.is_empty());
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn coverage(suite: &Suite) -> Coverage {
    let mut problems = Vec::new();
    of_editions(suite, &mut problems);
    for requirement in &suite.requirements {
        let cases: Vec<&Case> = suite
            .cases
            .iter()
            .map(AsRef::as_ref)
            .filter(|case| case.requirement == requirement.id)
            .collect();
        of_requirement(requirement, &cases, suite, &mut problems);
    }
    for table in &suite.tables {
        of_table(table, suite, &mut problems);
    }
    problems.sort();
    let not_testable =
        suite.requirements.iter().filter(|requirement| requirement.not_testable.is_some()).count();
    let trials = trials(suite);
    let open = trials.iter().filter(|trial| trial.is_open()).count();
    let is_contested = |trial: &&Arc<Trial>| {
        !trial.is_open() && matches!(trial.conforming(), Conforming::Readings(_))
    };
    let size = format!(
        "{} testable requirements, {not_testable} not testable, {} sentences, {} table rows, {} cases, {} trials \
         ({open} open, {} contested)",
        suite.requirements.len() - not_testable,
        suite.sentences.len(),
        suite.tables.iter().map(|table| table.rows.len()).sum::<usize>(),
        suite.cases.len(),
        trials.len(),
        trials.iter().filter(is_contested).count(),
    );
    Coverage { problems, notes: suite.unobserved.clone(), size }
}

/// Reports the editions without requirements, cases or sentences, and the requirements without a sentence.
fn of_editions(suite: &Suite, problems: &mut Vec<Problem>) {
    let place = |file: &str| Place { file: file.to_owned(), line: 1 };
    for &edition in Edition::ALL.iter().chain(Edition::DRAFTS) {
        let mut stating = suite
            .requirements
            .iter()
            .filter(|requirement| requirement.editions.contains_key(&edition))
            .peekable();
        if stating.peek().is_none() {
            let message = format!(
                "no requirement is stated by {edition}; state them, or which edition it follows, as \
                 `same-as`"
            );
            problems.push(Problem { place: place("requirements.yaml"), message });
        }
        if !suite.cases.iter().any(|case| case.expect.contains_key(&edition)) {
            let message = format!("no case asks about {edition}");
            problems.push(Problem { place: place("requirements.yaml"), message });
        }
        let of_document = || suite.sentences.iter().filter(|sentence| sentence.edition == edition);
        if of_document().next().is_none() {
            let message = format!("no sentence of the document of {edition} is listed");
            problems.push(Problem { place: place("documents.yaml"), message });
            continue;
        }
        for requirement in stating {
            if !of_document().any(|sentence| sentence.requirements.contains(&requirement.id)) {
                let message = format!(
                    "{} is stated by {edition}, but no sentence of its document in documents.yaml names it",
                    requirement.id
                );
                problems.push(Problem { place: requirement.place.clone(), message });
            }
        }
    }
}

/// Returns whether some answer fails one of the trials. Also returns true if each trial is undefined or has the level
/// *may*, because such trials need not be able to fail.
fn is_closed(trials: &[Arc<Trial>]) -> bool {
    trials.iter().any(|trial| !trial.is_open())
        || trials.iter().all(|trial| {
            *trial.conforming() == Conforming::Undefined || trial.expect().level == Level::May
        })
}

/// Returns the trials that these cases have under this edition.
fn of_edition<'c>(cases: impl Iterator<Item = &'c Arc<Case>>, edition: Edition) -> Vec<Arc<Trial>> {
    let mut trials: Vec<Arc<Trial>> = cases.flat_map(of_case).collect();
    trials.retain(|trial| trial.profile().edition() == Some(edition));
    trials
}

fn of_requirement(
    requirement: &Requirement,
    cases: &[&Case],
    suite: &Suite,
    problems: &mut Vec<Problem>,
) {
    let Requirement { id, area, .. } = requirement;
    let mut report = |message: String| {
        problems.push(Problem { place: requirement.place.clone(), message });
    };
    if requirement.not_testable.is_some() {
        if let Some(case) = cases.first() {
            report(format!(
                "{id} is marked not testable, but the case {} tests it; remove the mark",
                case.id
            ));
        }
        return;
    }
    if requirement.on_the_wire && cases.is_empty() {
        return;
    }
    if cases.is_empty() {
        return report(format!("{id} has no case; add one to {area}.yaml"));
    }
    for (edition, statement) in &requirement.editions {
        let cases_of_it = suite.cases.iter().filter(|case| case.requirement == *id);
        if statement.level != Level::May && !is_closed(&of_edition(cases_of_it, *edition)) {
            report(format!(
                "{id}: every answer passes its trials of {edition}; add a case that some answer fails"
            ));
        }
        if !cases.iter().any(|case| case.expect.contains_key(edition)) {
            report(format!(
                "{id} has no case of {edition}, which states it; add {edition} to the `expect` of one"
            ));
        }
    }
    if !has_two_sides(cases, suite) {
        report(format!(
            "{id}: its cases all expect the same answer, so that an engine which always gives it passes; \
             add a case with another answer"
        ));
    }
}

/// Returns whether the cases expect two different answers to questions of one kind. Considers only kinds with opposite
/// answers, and only questions to which exactly one answer conforms. Also returns true if there are no such questions.
fn has_two_sides(cases: &[&Case], suite: &Suite) -> bool {
    let mut answers: BTreeMap<QuestionKind, BTreeSet<String>> = BTreeMap::new();
    for case in suite.cases.iter().filter(|case| cases.iter().any(|listed| listed.id == case.id)) {
        for trial in of_case(case).iter().filter(|trial| kind::has_two_sides(trial.kind())) {
            if let Conforming::One(expected) = trial.conforming() {
                answers.entry(case.form.ask).or_default().insert(kind::side(expected));
            }
        }
    }
    answers.is_empty() || answers.values().any(|answers| answers.len() > 1)
}

fn of_table(table: &Table, suite: &Suite, problems: &mut Vec<Problem>) {
    let named = |row: &String| {
        let is_named = |case: &&Arc<Case>| {
            case.table.as_ref() == Some(&table.id) && row_of(case, table.edition) == Some(row)
        };
        of_edition(suite.cases.iter().filter(is_named), table.edition)
    };
    for row in &table.rows {
        let trials = named(row);
        if !trials.is_empty() {
            if !is_closed(&trials) {
                let message = format!(
                    "the row {row:?} of table {} in {}: every answer passes its trials; add a case that \
                     some answer fails",
                    table.id, table.edition
                );
                problems.push(Problem { place: table.place.clone(), message });
            }
            continue;
        }
        let Table { id, edition, .. } = table;
        let message = format!(
            "the row {row:?} of table {id} in {edition} has no case; name it as `row` in the expectation \
             of one"
        );
        problems.push(Problem { place: table.place.clone(), message });
    }
}

fn row_of(case: &Case, edition: Edition) -> Option<&String> {
    case.expect.get(&edition).and_then(|expect| expect.row.as_ref())
}
