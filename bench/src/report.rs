//! The results of a run: tables, targets and numbers. The results are printed as Markdown, and can be written as JSON.
//!
//! Start at [`Report`]. Measurements add tables for readers, a [`Target`] for each number that has a bound or an aim
//! ([`Report::judge`]), and every number by its name ([`Report::note`]). A target that was not measured is shown as
//! *not run* and does not count as met. This module measures nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use serde::Serialize;

/// All results of a run.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The setting: names and values.
    pub setting: Vec<(String, String)>,
    /// The tables, in the order of printing.
    pub tables: Vec<Table>,
    /// The targets.
    pub targets: Vec<Target>,
    /// All measured numbers, each under a dotted name.
    pub numbers: BTreeMap<String, f64>,
}

/// A table with a heading and a note.
#[derive(Debug, Default, Serialize)]
pub struct Table {
    /// The heading.
    pub title: String,
    /// The meaning of the columns, and other notes for readers.
    pub note: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, each as long as the heading row.
    pub rows: Vec<Vec<String>>,
    /// Whether the short form of the report leaves the table out.
    pub is_detail: bool,
}

impl Table {
    /// Makes a table without rows.
    pub fn new(title: impl Into<String>, note: impl Into<String>, head: &[&str]) -> Self {
        let head = head.iter().map(ToString::to_string).collect();
        Self { title: title.into(), note: note.into(), head, rows: Vec::new(), is_detail: false }
    }

    /// Returns the title without the corpus.
    fn kind(&self) -> &str {
        self.title.split(':').next().unwrap_or_default()
    }

    /// Makes a table without rows that the short form of the report leaves out.
    pub fn detail(title: impl Into<String>, note: impl Into<String>, head: &[&str]) -> Self {
        Self { is_detail: true, ..Self::new(title, note, head) }
    }
}

/// A target and its result.
#[derive(Debug, Serialize)]
pub struct Target {
    /// The measured property.
    pub what: String,
    /// The bound and the aim as text. An aim is stricter than the bound of the same target.
    pub wanted: String,
    /// The result.
    pub got: String,
    /// Whether the bound is met, or `None` if the target was not measured.
    pub met: Option<bool>,
    /// Whether the aim is met, if there is one.
    pub aim: Option<bool>,
}

/// A bound on a number.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// The minimum.
    AtLeast(f64),
    /// The maximum.
    AtMost(f64),
}

impl Bound {
    /// Returns whether the bound is met.
    #[must_use]
    pub fn holds(self, value: f64) -> bool {
        match self {
            Self::AtLeast(least) => value >= least,
            Self::AtMost(most) => value <= most,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtLeast(least) => write!(f, "≥ {least}"),
            Self::AtMost(most) => write!(f, "≤ {most}"),
        }
    }
}

impl Report {
    /// Adds a target with a bound, an aim, or both. A value of `None` means that the target was not measured.
    pub fn judge(
        &mut self,
        what: impl Into<String>,
        unit: &str,
        value: Option<f64>,
        bound: Option<Bound>,
        aim: Option<Bound>,
    ) {
        let aimed = aim.map(|aim| format!("aim {aim}{unit}"));
        let bounded = bound.map(|bound| format!("{bound}{unit}"));
        self.targets.push(Target {
            what: what.into(),
            wanted: bounded.into_iter().chain(aimed).collect::<Vec<_>>().join(", "),
            got: value
                .map_or_else(|| "not run".to_owned(), |value| format!("{}{unit}", short(value))),
            met: value.zip(bound).map(|(value, bound)| bound.holds(value)),
            aim: value.zip(aim).map(|(value, aim)| aim.holds(value)),
        });
    }

    /// Adds a number by name.
    pub fn note(&mut self, name: impl Into<String>, value: f64) {
        self.numbers.insert(name.into(), value);
    }

    /// Returns the number of targets whose bound is met, and the number of all targets with a bound.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let bounded = self.targets.iter().filter(|target| target.wanted.contains(['≥', '≤']));
        let bounded = bounded.filter(|target| !target.wanted.starts_with("aim"));
        (bounded.clone().filter(|target| target.met == Some(true)).count(), bounded.count())
    }

    /// Returns the report as Markdown. The short form has only the targets that are not met, no detailed tables, and only
    /// the tables of the last corpus.
    #[must_use]
    pub fn markdown(&self, is_short: bool) -> String {
        let mut out = String::from(HEAD);
        for (name, value) in &self.setting {
            writeln!(out, "- {name}: {value}").expect("writing to a String cannot fail");
        }
        let (met, all) = self.score();
        write!(out, "\n### Targets: {met} of {all} met\n\n")
            .expect("writing to a String cannot fail");
        out.push_str(&grid(&self.targets_table(is_short)));
        let mut explained = BTreeSet::new();
        for (place, table) in self.tables.iter().enumerate() {
            let mut later = self.tables[place + 1..].iter();
            if is_short && (table.is_detail || later.any(|it| it.kind() == table.kind())) {
                continue;
            }
            write!(out, "\n### {}\n\n", table.title).expect("writing to a String cannot fail");
            // The tables of two corpora share their note.
            if !table.note.is_empty() && explained.insert(&table.note) {
                write!(out, "{}\n\n", table.note).expect("writing to a String cannot fail");
            }
            out.push_str(&grid(table));
        }
        out
    }

    fn targets_table(&self, is_short: bool) -> Table {
        let mut table = Table::new("", "", &["what", "wanted", "found", "target", "aim"]);
        for target in self.targets.iter().filter(|it| !is_short || it.met == Some(false)) {
            let word = |held: Option<bool>, yes: &str, no: &str| match held {
                Some(true) => yes.to_owned(),
                Some(false) => no.to_owned(),
                None => "–".to_owned(),
            };
            table.rows.push(vec![
                target.what.clone(),
                target.wanted.clone(),
                target.got.clone(),
                word(target.met, "met", "**not met**"),
                word(target.aim, "reached", "not reached"),
            ]);
        }
        table
    }
}

const HEAD: &str = "\
All measurements run in one process and one thread, in rounds over a whole corpus. A time is the processor time of the
thread, as the median of all rounds. A ratio is the median of the ratios of all rounds, and above 1 if our parser is
faster. Every parser gets the same text, which is valid UTF-8, and is asked about paths with their queries. A time
includes the time to drop the result.

";

/// Formats a number with at most four decimals. Larger numbers have fewer decimals, and numbers from 100 have none.
#[must_use]
pub fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 100.0 => grouped(&format!("{value:.0}")),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.01 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// Formats a time in nanoseconds with a fitting unit.
#[must_use]
pub fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{} ns", short(ns)),
        ns if ns < 1e6 => format!("{} µs", short(ns / 1e3)),
        ns => format!("{} ms", short(ns / 1e6)),
    }
}

/// Adds a comma between groups of three digits.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        let left = digits.len() - place;
        if place > 0 && left.is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn grid(table: &Table) -> String {
    let mut widths: Vec<usize> = table.head.iter().map(|cell| cell.chars().count()).collect();
    for row in &table.rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    let mut line = |cells: &[String], fill: char| {
        for (width, cell) in widths.iter().zip(cells) {
            let pad = width - cell.chars().count();
            write!(out, "|{fill}{cell}{}{fill}", String::from(fill).repeat(pad))
                .expect("writing to a String cannot fail");
        }
        out.push_str("|\n");
    };
    line(&table.head, ' ');
    line(&vec![String::new(); table.head.len()], '-');
    for row in &table.rows {
        line(row, ' ');
    }
    out
}
