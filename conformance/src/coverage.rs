//! Requirements and table rows against cases: what no case shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use robots_core::Edition;
use robots_core::engine::QuestionKind;

use crate::case::{Case, Conforming, Expected, Requirement, Suite, Table};
use crate::problem::Problem;
use crate::question::of_case;
use crate::render;

/// What a suite covers.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// What is missing, each with how to mend it; empty where the suite is complete.
    pub problems: Vec<Problem>,
    /// How much there is.
    pub counts: Counts,
}

/// How much a suite holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requirements a test can show.
    pub testable: usize,
    /// Requirements no test can show.
    pub not_testable: usize,
    /// Rows of tables, edition by edition.
    pub rows: usize,
    /// Cases.
    pub cases: usize,
    /// Trials.
    pub trials: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { testable, not_testable, rows, cases, trials } = self;
        write!(
            f,
            "{testable} testable requirements, {not_testable} not testable, {rows} table rows, {cases} \
             cases, {trials} trials"
        )
    }
}

/// Returns what a suite covers.
///
/// A testable requirement needs, for every edition that states it, a case of that edition. Over its
/// cases it needs two sides where it is asked as a verdict, scope, freshness or derivation: two
/// different settled answers must occur, so that neither an engine that always says yes nor one that
/// always says no passes them all. A table row needs a case that names it. A case that names an unknown
/// requirement or row is refused by [`crate::load`] already.
///
/// ```
/// let suite = robots_conformance::load::embedded()?;
/// let coverage = robots_conformance::coverage::coverage(&suite);
/// assert!(coverage.counts.cases > 0);
/// # Ok::<(), robots_conformance::problem::Problems>(())
/// ```
pub fn coverage(suite: &Suite) -> Coverage {
    let mut problems = suite.unobserved.clone();
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
    let counts = Counts {
        testable: suite.requirements.len() - not_testable,
        not_testable,
        rows: suite.tables.iter().map(|table| table.rows.len()).sum(),
        cases: suite.cases.len(),
        trials: suite.cases.iter().map(|case| case.expect.len() * case.members.len()).sum(),
    };
    Coverage { problems, counts }
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
    if cases.is_empty() {
        return report(format!("{id} has no case; add one to {area}.yaml"));
    }
    for edition in requirement.editions.keys() {
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

/// Returns whether no single answer satisfies every settled question of one kind; where an edition
/// settles none of them, there are no sides to have.
fn has_two_sides(cases: &[&Case], suite: &Suite) -> bool {
    let mut answers: BTreeMap<QuestionKind, BTreeSet<String>> = BTreeMap::new();
    for case in suite.cases.iter().filter(|case| cases.iter().any(|own| own.id == case.id)) {
        for trial in of_case(case).iter().filter(|trial| is_two_sided(trial.kind())) {
            if let Conforming::One(expected) = trial.conforming() {
                answers.entry(case.ask).or_default().insert(side(expected));
            }
        }
    }
    answers.is_empty() || answers.values().any(|answers| answers.len() > 1)
}

/// Fetch results and structures have many answers, and none of them is the other side of another.
fn is_two_sided(ask: QuestionKind) -> bool {
    matches!(
        ask,
        QuestionKind::Verdict
            | QuestionKind::Scope
            | QuestionKind::Freshness
            | QuestionKind::Derives
    )
}

/// The answer without the deciding line, which is no side.
fn side(expected: &Expected) -> String {
    match expected {
        Expected::Verdict { allowed, .. } => allowed.to_string(),
        other => render::expected(other),
    }
}

fn of_table(table: &Table, suite: &Suite, problems: &mut Vec<Problem>) {
    let named = |row: &String| {
        suite.cases.iter().any(|case| {
            case.table.as_ref() == Some(&table.id) && row_of(case, table.edition) == Some(row)
        })
    };
    for row in table.rows.iter().filter(|row| !named(row)) {
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
