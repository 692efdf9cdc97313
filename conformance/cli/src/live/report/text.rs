//! The report as a table, and as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_conformance::judge::Outcome;
use robots_conformance_live::{Report, Trial};

/// Returns the table for readers.
pub(super) fn table(report: &Report) -> String {
    let mut text = String::new();
    for line in report.editions(|_| true) {
        let fact = if line.conforms {
            "conforms".to_owned()
        } else {
            format!(
                "{} must-failures, {} should-failures",
                line.must_failures, line.should_failures
            )
        };
        // Strings take all that is written to them.
        let _ = writeln!(text, "{:<12} {fact}, {} advice", line.edition, line.advice);
    }
    let names = columns(report);
    let _ = writeln!(text, "\n{:<12}  {}", "", names.join("  "));
    for line in report.editions(|_| true) {
        let _ = write!(text, "{:<12}", line.edition);
        for name in &names {
            let count = line.totals[*name];
            let count = if count == 0 { "·".to_owned() } else { count.to_string() };
            let _ = write!(text, "  {count:>0$}", name.len());
        }
        text.push('\n');
    }
    asides(report, &mut text, "");
    let seconds = report.took.as_secs_f64();
    let _ = writeln!(text, "\n{} crawls in {seconds:.1} s", report.crawls.len());
    if report.unasked > 0 {
        let _ = writeln!(text, "{}", report.partial());
    }
    text
}

/// Returns the outcomes that a table shows.
fn columns(report: &Report) -> Vec<&'static str> {
    let occurs = |name: &&str| report.trials.iter().any(|trial| trial.outcome.name() == *name);
    let mut names = Outcome::NAMES.to_vec();
    names.retain(|name| ["passed", "failed"].contains(name) || occurs(name));
    names
}

/// Says what was not run, and what cannot be.
fn asides(report: &Report, text: &mut String, bullet: &str) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in &report.trials {
        if let Outcome::NotRun { why } = &trial.outcome {
            *reasons.entry(why).or_default() += 1;
        }
    }
    if !reasons.is_empty() {
        text.push_str("\nNot run:\n\n");
    }
    for (why, count) in reasons {
        let _ = writeln!(text, "{bullet}{count:>5}  {why}");
    }
    if !report.unwired.is_empty() {
        text.push_str("\nQuestions of the suite that cannot be put on the wire:\n\n");
    }
    for (why, names) in &report.unwired {
        let _ = writeln!(text, "{bullet}{:>5}  {why}", names.len());
    }
}

/// Returns the report as Markdown.
pub(super) fn markdown(report: &Report) -> String {
    let mut text =
        format!("# robots.txt on the wire\n\n`{}` as `{}`\n\n", report.crawler, report.agent);
    if report.unasked > 0 {
        let _ = writeln!(text, "**{}**\n", report.partial());
    }
    let names = columns(report);
    let _ = writeln!(text, "| edition | {} | advice |", names.join(" | "));
    let _ = writeln!(text, "|---|{}--:|", "--:|".repeat(names.len()));
    for line in report.editions(|_| true) {
        let counts: Vec<String> = names.iter().map(|name| line.totals[*name].to_string()).collect();
        let _ = writeln!(text, "| {} | {} | {} |", line.edition, counts.join(" | "), line.advice);
    }
    asides(report, &mut text, "- ");
    let failed: Vec<&Trial> =
        report.trials.iter().filter(|trial| trial.outcome.is_failure()).collect();
    if !failed.is_empty() {
        text.push_str("\n## Failures\n\n");
    }
    for trial in failed {
        let detail = trial.detail().unwrap_or_default();
        let _ = writeln!(text, "- `{}` ({}, {}): {detail}", trial.name, trial.level, trial.source);
    }
    for stale in &report.stale {
        let _ = writeln!(text, "- stale: {stale}");
    }
    text
}
