//! Prints failures in blocks on standard error. Each block shows one failure in full and lists further failures with
//! the same cause.
//!
//! Wrong answers to the same case count as one cause, because an engine often fails several members of a case in the
//! same way. Failed crawls that violate the same requirement count as one cause: a crawler that ignores status 503
//! fails many cases.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use robots_conformance::report::failure;
use robots_conformance::report::{Cases, TrialRecord};
use robots_conformance::suite::case::on_one_line;
use robots_console::render::{cut, grouped, quoted};

use robots_conformance::report::record::RunRecord;
use robots_console::error::Error;
use robots_console::output::to_stderr as line;

/// The maximum number of further trials that a block lists.
const LISTED: usize = 10;

/// Reads a number of blocks, or `all`.
pub(crate) fn most(text: &str) -> Result<usize, Error> {
    match text {
        "all" => Ok(usize::MAX),
        number => number.parse().map_err(|_| Error::new("a number, or `all`")),
    }
}

/// Prints the first blocks, a hint about how to print the remaining blocks, and the deviations that are no longer
/// valid.
///
/// `command` repeats the run; each block shows it with a filter for the trials of its first case.
pub(crate) fn print(record: &RunRecord, cases: &Cases, most: usize, command: &str) {
    let red = AnsiColor::Red.on_default().bold();
    let blocks = by_cause(record);
    for failed in blocks.iter().take(most) {
        let text = block(failed, cases, command);
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        line(&format!("\n{red}{heading}{red:#}\n{}", rest.trim_end()));
    }
    if let Some(rest @ [_, ..]) = blocks.get(most..) {
        let trials: usize = rest.iter().map(Vec::len).sum();
        let (noun, verb) = if rest.len() == 1 { ("block", "is") } else { ("blocks", "are") };
        line(&format!(
            "\n{red}{} more {noun} of failures{red:#}, in {trials} trials, {verb} not shown: add --failures all, or \
             --report html=FILE for a page to look through",
            rest.len(),
        ));
    }
    for problem in &record.stale_deviations {
        line(&format!("\n{red}STALE{red:#} {problem}"));
    }
    if !blocks.is_empty() || !record.stale_deviations.is_empty() {
        line("");
    }
}

/// Returns the failures in one list for each cause. The lists are in the order of their first failures.
fn by_cause(record: &RunRecord) -> Vec<Vec<&TrialRecord>> {
    let failures = record.failures().map(|trial| {
        let binding = trial.findings.iter().find(|finding| finding.level.is_some());
        let cause = binding.map_or(&trial.case, |finding| &finding.requirement);
        (cause, trial)
    });
    grouped(failures).into_iter().map(|(_, failed)| failed).collect()
}

/// Renders a block: its first failure in full, and a line for each further failure.
fn block(failed: &[&TrialRecord], cases: &Cases, command: &str) -> String {
    let [first, others @ ..] = failed else { return String::new() };
    let is_one_case = others.iter().all(|trial| trial.case == first.case);
    let name = match others {
        [] => first.name.clone(),
        _ => format!("::{}::", first.case),
    };
    let again = format!("{command} --filter {}", quoted(&name));
    let mut out = match cases.get(&first.case) {
        Some(case) => failure::render(first, case, &again),
        None => format!("FAILED {}\n  rerun     {again}\n", first.name),
    };
    if others.is_empty() {
        return out;
    }
    let prefix = format!("{}::{}::", first.area, first.case);
    let _ = writeln!(out, "  also, of this {}:", if is_one_case { "case" } else { "cause" });
    for trial in others.iter().take(LISTED) {
        // If all trials belong to one case, the edition and the member are enough to name a trial.
        let at = trial.name.find(&prefix).map(|at| at + prefix.len()).filter(|_| is_one_case);
        let name = at.map_or(trial.name.as_str(), |at| &trial.name[at..]);
        let got = short(trial.got.as_deref().unwrap_or("no answer"));
        let expected = short(&trial.expected);
        let _ = if trial.findings.is_empty() {
            writeln!(out, "    {name}  expected {expected}, got {got}")
        } else {
            writeln!(out, "    {name}  {got}")
        };
    }
    if let Some(rest @ [_, ..]) = others.get(LISTED..) {
        let _ = writeln!(out, "    … and {} more", rest.len());
    }
    out
}

/// Renders an answer on one line of readable length.
pub(crate) fn short(text: &str) -> String {
    const MAX: usize = 80;
    cut(&on_one_line(text), MAX)
}
