//! The report as Markdown, for the summary of a CI job: editions, areas, what failed.
//!
//! The first failures are told in full, all of them by name: such pages have a size limit, one MiB on
//! GitHub.

use std::fmt::Write as _;

use super::sources::Sources;
use super::summary::{EditionLine, Summary, Totals};
use robots_conformance::case::Suite;
use robots_conformance::failure::{self, quoted};
use robots_conformance::judge::Outcome;
use robots_conformance::run::Finished;
use robots_conformance::run::Report;

/// How many failures are told in full.
pub const IN_FULL: usize = 30;

/// Renders the report; the suite gives the requirements' texts, the sources where cases link to.
#[must_use]
pub fn page(report: &Report, suite: &Suite, sources: Option<&Sources>) -> String {
    let summary = Summary::of(report);
    let mut out = format!("# robots.txt conformance of {}\n\n", inline(&report.engine));
    let _ = writeln!(
        out,
        "{} questions in {:.2} s, suite {}.\n",
        summary.totals.all(),
        report.took.as_secs_f64(),
        env!("CARGO_PKG_VERSION"),
    );
    if report.unasked > 0 {
        let _ = writeln!(out, "**{}**\n", super::partial(report));
    }
    editions(&mut out, &summary);
    areas(&mut out, &summary);
    let failures: Vec<&Finished> = report.failures().collect();
    if !failures.is_empty() {
        failed(&mut out, &failures, report, suite, sources);
    }
    if !report.stale.is_empty() {
        out.push_str("\n## Stale deviations\n\n");
        for problem in &report.stale {
            let _ = writeln!(out, "- {}", inline(&problem.to_string()));
        }
    }
    out
}

fn editions(out: &mut String, summary: &Summary) {
    let columns = summary.totals.columns();
    out.push_str("| edition | role | |");
    heading(out, 3, &columns);
    for line in &summary.editions {
        let _ = write!(out, "| {} | {} | {} |", line.edition, line.role, result(line));
        cells(out, &line.totals, &columns);
    }
}

fn areas(out: &mut String, summary: &Summary) {
    let columns = summary.totals.columns();
    out.push_str("\n<details><summary>By area</summary>\n\n| area | edition |");
    heading(out, 2, &columns);
    for (area, editions) in &summary.areas {
        for (edition, totals) in editions {
            let _ = write!(out, "| `{area}` | {edition} |");
            cells(out, totals, &columns);
        }
    }
    out.push_str("| **totals** | |");
    cells(out, &summary.totals, &columns);
    out.push_str("\n</details>\n");
}

fn failed(
    out: &mut String,
    failures: &[&Finished],
    report: &Report,
    suite: &Suite,
    sources: Option<&Sources>,
) {
    let _ = writeln!(out, "\n## Failed and errored: {}\n", failures.len());
    for done in failures.iter().take(IN_FULL) {
        let name = done.trial.full_name(&report.engine);
        let rerun = format!("with --filter {}", quoted(&name));
        let text = failure::render(done, &report.engine, Some(suite), &rerun);
        let fence = fence(&text);
        let place = &done.trial.case().place;
        let link = sources.map(|sources| format!("[{place}]({})\n\n", sources.link(place)));
        let _ = writeln!(
            out,
            "<details><summary>{} <code>{}</code></summary>\n\n{}{fence}text\n{}\n{fence}\n\n</details>",
            symbol(&done.outcome),
            html(&name),
            link.unwrap_or_default(),
            text.trim_end(),
        );
    }
    if let Some(rest @ [_, ..]) = failures.get(IN_FULL..) {
        let _ = writeln!(out, "\n<details><summary>{} more, by name</summary>\n", rest.len());
        for done in rest {
            let name = done.trial.full_name(&report.engine);
            let _ = writeln!(out, "- {} {}", symbol(&done.outcome), inline(&name));
        }
        out.push_str("\n</details>\n");
    }
}

/// Ends the heading of a table with a column for each outcome, after `labels` columns of text.
fn heading(out: &mut String, labels: usize, columns: &[&str]) {
    for name in columns {
        let _ = write!(out, " {name} |");
    }
    let _ = writeln!(out, "\n|{}{}", "---|".repeat(labels), "--:|".repeat(columns.len()));
}

fn cells(out: &mut String, totals: &Totals, columns: &[&str]) {
    for name in columns {
        let count = totals.get(name);
        let _ = if count == 0 { write!(out, " · |") } else { write!(out, " {count} |") };
    }
    out.push('\n');
}

fn result(line: &EditionLine) -> String {
    format!("{} {}", if line.conforms() { "✓" } else { "✗" }, line.result())
}

fn symbol(outcome: &Outcome) -> &'static str {
    if matches!(outcome, Outcome::Errored { .. }) { "⚠ errored" } else { "✗ failed" }
}

/// Renders text as code on one line, whatever backticks it holds; no table has such text.
fn inline(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text) + 1);
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    let text = text.replace('\n', " ");
    format!("{ticks}{space}{text}{space}{ticks}")
}

fn fence(text: &str) -> String {
    "`".repeat(longest_run(text).max(2) + 1)
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
