//! The report as plain text: areas × editions, then one line an edition and role.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::summary::{Summary, Totals};
use robots_conformance::judge::Outcome;
use robots_conformance::render;
use robots_conformance::run::Report;

/// Renders the table of areas and editions, the totals and the time; last, after a blank line, one line an
/// edition and role.
#[must_use]
pub fn table(report: &Report) -> String {
    let summary = Summary::of(report);
    let mut out = String::new();
    let area_width = summary.areas.iter().map(|(area, _)| area.len()).max().unwrap_or(0).max(6);
    let _ = write!(out, "{:<area_width$}  {:<11}", "area", "edition");
    let columns = summary.totals.columns();
    for name in &columns {
        let _ = write!(out, "  {name:>0$}", name.len());
    }
    out.push('\n');
    for (area, editions) in &summary.areas {
        for (index, (edition, totals)) in editions.iter().enumerate() {
            let area = if index == 0 { area } else { "" };
            let _ = writeln!(out, "{area:<area_width$}  {edition:<11}{}", cells(totals, &columns));
        }
    }
    let all = summary.totals.all();
    let _ =
        writeln!(out, "{:<area_width$}  {:<11}{}", "totals", "", cells(&summary.totals, &columns));
    for (reason, count) in unanswered(report) {
        let _ = writeln!(out, "\n{count} unanswered: {}", render::message(reason));
    }
    if report.unasked > 0 {
        let _ = writeln!(out, "\n{}", super::partial(report));
    }
    let _ =
        writeln!(out, "\n{}: {all} trials in {:.2} s", report.engine, report.took.as_secs_f64());
    out.push('\n');
    for line in &summary.editions {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// Returns the reasons for which trials were not answered, with how many there were of each.
fn unanswered(report: &Report) -> BTreeMap<&str, usize> {
    let mut reasons = BTreeMap::new();
    for finished in &report.finished {
        if let Outcome::Unanswered { reason } = &finished.outcome {
            *reasons.entry(reason.as_str()).or_default() += 1;
        }
    }
    reasons
}

/// Renders counts as the cells of a row; a dot stands for 0.
fn cells(totals: &Totals, columns: &[&str]) -> String {
    let mut out = String::new();
    for name in columns {
        let count = totals.get(name);
        let count = if count == 0 { "·".to_owned() } else { count.to_string() };
        let _ = write!(out, "  {count:>0$}", name.len());
    }
    out
}
