//! What failed, for people: a block a case, on standard error, before the report.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use robots_conformance::case::Suite;
use robots_conformance::failure::{self, quoted};
use robots_conformance::kind;
use robots_conformance::render;
use robots_conformance::run::{Finished, Report};

use super::{ConformanceArgs, tell as line};

/// How many failing cases are told unless the arguments say otherwise.
const CASES: usize = 20;

/// How many further trials of a case are listed.
const MEMBERS: usize = 10;

/// Reads a number of cases, or `all`.
pub(super) fn most(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        number => number.parse().map_err(|_| "a number of cases, or `all`".to_owned()),
    }
}

/// Tells the first failing cases, how to see the others, and the stale deviations.
pub(super) fn tell(arguments: &ConformanceArgs, report: &Report, suite: &Suite, command: &str) {
    let red = AnsiColor::Red.on_default().bold();
    let cases = by_case(report);
    let most = arguments.failures.unwrap_or(CASES);
    for failed in cases.iter().take(most) {
        let text = block(failed, arguments, report, suite, command);
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        line(&format!("\n{red}{heading}{red:#}\n{}", rest.trim_end()));
    }
    if let Some(rest @ [_, ..]) = cases.get(most..) {
        let trials: usize = rest.iter().map(Vec::len).sum();
        let (cases, are) = if rest.len() == 1 { ("case", "is") } else { ("cases", "are") };
        line(&format!(
            "\n{red}{} more {cases} failed{red:#}, in {trials} trials, and {are} not shown: add --failures all, or \
             --report html=FILE for a page to look through",
            rest.len(),
        ));
    }
    for problem in &report.stale {
        line(&format!("\n{red}STALE{red:#} {problem}"));
    }
    if !cases.is_empty() || !report.stale.is_empty() {
        line("");
    }
}

/// Returns the failures of each case, in the order of the suite.
fn by_case(report: &Report) -> Vec<Vec<&Finished>> {
    let mut cases: Vec<Vec<&Finished>> = Vec::new();
    for done in report.failures() {
        match cases.last_mut() {
            Some(failed) if failed[0].trial.case().id == done.trial.case().id => failed.push(done),
            _ => cases.push(vec![done]),
        }
    }
    cases
}

/// Renders a case: its first failure in full, and a line for each of the others.
fn block(
    failed: &[&Finished],
    arguments: &ConformanceArgs,
    report: &Report,
    suite: &Suite,
    command: &str,
) -> String {
    let [first, others @ ..] = failed else { return String::new() };
    let case = first.trial.case();
    // An edition that was asked for needs that again.
    let editions: Vec<String> =
        arguments.editions.iter().map(|id| format!(" --edition {id}")).collect();
    let name = match others {
        [] => first.trial.full_name(&report.engine),
        _ => format!("::{}::", case.id),
    };
    let rerun = format!("{command}{} --filter {}", editions.concat(), quoted(&name));
    let mut out = failure::render(first, &report.engine, Some(suite), &rerun);
    if others.is_empty() {
        return out;
    }
    let _ = writeln!(out, "  also, of this case:");
    for done in others.iter().take(MEMBERS) {
        let got = done.answer.as_ref().map_or_else(|| "no answer".to_owned(), kind::answer_text);
        let name = done.trial.name().strip_prefix(&format!("{}::{}::", case.area, case.id));
        let expected = short(&done.trial.conforming().text());
        let _ = writeln!(
            out,
            "    {}  expected {expected}, got {}",
            render::text(name.unwrap_or(done.trial.name())),
            short(&got),
        );
    }
    if let Some(rest @ [_, ..]) = others.get(MEMBERS..) {
        let _ = writeln!(out, "    … and {} more", rest.len());
    }
    out
}

/// Puts a rendered answer on one line of readable length.
fn short(told: &str) -> String {
    const MOST: usize = 80;
    let line =
        told.replace("\n-- or --\n", " or ").lines().map(str::trim).collect::<Vec<_>>().join("; ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    }
}
