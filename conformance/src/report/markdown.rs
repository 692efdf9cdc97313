//! The report as Markdown, for the summary of a CI job: editions, areas, failures.
//!
//! The first failures are shown in full. The remaining failures are shown only by name, because the size of a summary
//! is limited: to one MiB on GitHub.

use std::fmt::Write as _;

use crate::report::failure;
use crate::report::{Cases, TrialRecord};
use crate::run::outcome::OutcomeKind;
use robots_console::markdown::{fence, inline};
use robots_console::render::quoted;

use super::Totals;
use super::record::RunRecord;
use super::sources::Sources;

/// The number of failures that are shown in full.
pub const IN_FULL: usize = 30;

/// Renders the report. If `sources` is given, the place of each case is a link.
#[must_use]
pub fn page(record: &RunRecord, cases: &Cases, sources: Option<&Sources>) -> String {
    let mut out = format!("# robots.txt conformance of {}\n\n", inline(&record.subject));
    if let Some(command) = &record.command {
        let _ = writeln!(out, "{}\n", inline(command));
    }
    let (trials, seconds) = (record.totals.trials(), record.seconds);
    let _ = writeln!(out, "{trials} trials in {seconds:.2} s, suite {}.\n", record.suite);
    if let Some(partial) = record.partial() {
        let _ = writeln!(out, "**{partial}**\n");
    }
    editions(&mut out, record);
    areas(&mut out, record);
    undecided(&mut out, record);
    let failures: Vec<&TrialRecord> = record.failures().collect();
    if !failures.is_empty() {
        failed(&mut out, &failures, cases, sources);
    }
    if !record.stale_deviations.is_empty() {
        out.push_str("\n## Stale deviations\n\n");
        for problem in &record.stale_deviations {
            let _ = writeln!(out, "- {}", inline(problem));
        }
    }
    out
}

fn editions(out: &mut String, record: &RunRecord) {
    let columns = record.totals.columns();
    out.push_str("| edition | role | |");
    heading(out, 3, &columns);
    for line in &record.editions {
        let symbol = RunRecord::mark(line);
        let _ = write!(
            out,
            "| {} | {} | {symbol} {} |",
            line.shown_edition(),
            line.role,
            record.result(line)
        );
        cells(out, &line.totals, &columns);
    }
}

fn areas(out: &mut String, record: &RunRecord) {
    let columns = record.totals.columns();
    out.push_str("\n<details><summary>By area</summary>\n\n| area | edition |");
    heading(out, 2, &columns);
    for area in &record.areas {
        let _ = write!(out, "| `{}` | {} |", area.area, area.edition);
        cells(out, &area.totals, &columns);
    }
    out.push_str("| **totals** | |");
    cells(out, &record.totals, &columns);
    out.push_str("\n</details>\n");
}

/// Lists the reasons why questions were not asked or crawls were not run, and the questions that cannot be tested with
/// a crawler.
fn undecided(out: &mut String, record: &RunRecord) {
    for (kind, heading) in [(OutcomeKind::NotAsked, "Not asked"), (OutcomeKind::NotRun, "Not run")]
    {
        let reasons = record.reasons(&[kind]);
        if !reasons.is_empty() {
            let _ = writeln!(out, "\n{heading}:\n");
        }
        for ((_, why), count) in reasons {
            let _ = writeln!(out, "- {count}: {}", inline(why));
        }
    }
    if !record.not_on_the_wire.is_empty() {
        out.push_str("\nQuestions of the suite that cannot be tested with a crawler:\n\n");
    }
    for (why, names) in &record.not_on_the_wire {
        let _ = writeln!(out, "- {}: {}", names.len(), inline(why));
    }
}

fn failed(out: &mut String, failures: &[&TrialRecord], cases: &Cases, sources: Option<&Sources>) {
    let _ = writeln!(out, "\n## Failed and errored: {}\n", failures.len());
    for trial in failures.iter().take(IN_FULL) {
        let rerun = format!("with --filter {}", quoted(&trial.name));
        let text = match cases.get(&trial.case) {
            Some(case) => failure::render(trial, case, &rerun),
            None => rerun,
        };
        let fence = fence(&text);
        let place = &trial.place;
        let link = sources.map(|sources| format!("[{place}]({})\n\n", sources.link(place)));
        let _ = writeln!(
            out,
            "<details><summary>{} <code>{}</code></summary>\n\n{}{fence}text\n{}\n{fence}\n\n</details>",
            symbol(trial.outcome),
            html(&trial.name),
            link.unwrap_or_default(),
            text.trim_end(),
        );
    }
    if let Some(rest @ [_, ..]) = failures.get(IN_FULL..) {
        let _ = writeln!(out, "\n<details><summary>{} more, by name</summary>\n", rest.len());
        for trial in rest {
            let _ = writeln!(out, "- {} {}", symbol(trial.outcome), inline(&trial.name));
        }
        out.push_str("\n</details>\n");
    }
}

/// Completes the heading of a table with a column for each outcome, after `labels` text columns.
fn heading(out: &mut String, labels: usize, columns: &[OutcomeKind]) {
    for kind in columns {
        let _ = write!(out, " {kind} |");
    }
    let _ = writeln!(out, "\n|{}{}", "---|".repeat(labels), "--:|".repeat(columns.len()));
}

fn cells(out: &mut String, totals: &Totals, columns: &[OutcomeKind]) {
    for kind in columns {
        let count = totals.get(*kind);
        let _ = if count == 0 { write!(out, " · |") } else { write!(out, " {count} |") };
    }
    out.push('\n');
}

fn symbol(outcome: OutcomeKind) -> &'static str {
    if outcome == OutcomeKind::Errored { "⚠ errored" } else { "✗ failed" }
}

/// Escapes a text between the tags of HTML.
pub(super) fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
