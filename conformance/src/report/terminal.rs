//! The report as plain text: a table of areas and editions, then one line for each edition and role.

use std::fmt::Write as _;

use crate::run::outcome::OutcomeKind;
use robots_console::render;

use super::record::RunRecord;
use super::{EditionRecord, Totals};

/// Renders the table of areas and editions, the totals and the time. After them come a blank line and one line for each
/// edition and role.
#[must_use]
pub fn table(record: &RunRecord) -> String {
    let mut out = head(record);
    for line in &record.editions {
        out.push_str(&edition(record, line));
        out.push('\n');
    }
    out
}

/// Renders one edition and role, without a line ending.
#[must_use]
pub fn edition(record: &RunRecord, line: &EditionRecord) -> String {
    let lengths = record.editions.iter().map(|line| line.shown_edition().len());
    let width = lengths.max().unwrap_or(0).max(12);
    format!("{:<width$} {:<8} {}", line.shown_edition(), line.role, record.result(line))
}

/// Renders the part before the lines of the editions.
#[must_use]
pub fn head(record: &RunRecord) -> String {
    let columns = record.totals.columns();
    let mut out = String::new();
    let area_width = record.areas.iter().map(|area| area.area.len()).max().unwrap_or(0).max(6);
    let width = record.areas.iter().map(|area| area.edition.len()).max().unwrap_or(0).max(11);
    let _ = write!(out, "{:<area_width$}  {:<width$}", "area", "edition");
    for kind in &columns {
        let _ = write!(out, "  {kind}");
    }
    out.push('\n');
    let mut last = "";
    for area in &record.areas {
        // The name of an area is shown only in its first line.
        let name = if area.area == last { "" } else { &area.area };
        last = &area.area;
        let cells = cells(&area.totals, &columns);
        let _ = writeln!(out, "{name:<area_width$}  {:<width$}{cells}", area.edition);
    }
    let all = record.totals.trials();
    let all_cells = cells(&record.totals, &columns);
    let _ = writeln!(out, "{:<area_width$}  {:<width$}{all_cells}", "totals", "");
    let unsettled = [OutcomeKind::Unanswered, OutcomeKind::NotAsked, OutcomeKind::NotRun];
    let reasons = record.reasons(&unsettled);
    for ((kind, reason), count) in reasons {
        let _ = writeln!(out, "\n{count} {kind}: {}", render::message(reason));
    }
    if !record.not_on_the_wire.is_empty() {
        out.push_str("\nQuestions of the suite that cannot be tested with a crawler:\n");
    }
    for (why, names) in &record.not_on_the_wire {
        let _ = writeln!(out, "{:>5}  {why}", names.len());
    }
    if let Some(partial) = record.partial() {
        let _ = writeln!(out, "\n{partial}");
    }
    let _ = writeln!(out, "\n{}: {all} trials in {:.2} s\n", record.subject, record.seconds);
    out
}

/// Renders counts as the cells of a row; a dot means 0.
fn cells(totals: &Totals, columns: &[OutcomeKind]) -> String {
    let mut out = String::new();
    for kind in columns {
        let count = totals.get(*kind);
        let count = if count == 0 { "·".to_owned() } else { count.to_string() };
        let _ = write!(out, "  {count:>0$}", kind.id().len());
    }
    out
}
