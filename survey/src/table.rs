//! A table of measured software: its rows, and its page.
//!
//! `peers`, `crawlers` and `retrievers` implement [`Table`] for the entries of their manifests. [`rows`] combines an
//! entry with its stored result and the suite of today, and sorts the rows, best first. All pages show these rows, so
//! their numbers are the same everywhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::claims::Claim;
use crate::files::Text;
use crate::manifests::{Listed, Manifest};
use crate::offences::{Faults, Offences};
use crate::reports::ReportPage;
use crate::results::{Failing, Head, Lists, Results, Tried};
use crate::suite::{Question, Questions, Suite};

/// The cell of a table if nothing was asked.
pub(crate) const NOT_ASKED: &str = "–";

/// What every page is made from, apart from the results.
pub(crate) struct Survey {
    pub(crate) suite: Suite,
    pub(crate) lists: Lists,
    pub(crate) faults: Faults,
}

/// A row: an entry of the manifest, and its result.
pub(crate) struct Row<'s, T> {
    pub(crate) listed: &'s T,
    pub(crate) head: &'s Head,
    pub(crate) tried: Vec<Tried<'s>>,
    /// For each of `tried`, the requirements under which a failure counts.
    pub(crate) charged: Vec<Vec<String>>,
}

/// A failure in a row.
#[derive(Clone, Copy)]
pub(crate) struct Failure<'r> {
    pub(crate) tried: &'r Tried<'r>,
    pub(crate) failing: &'r Failing,
    pub(crate) charged: &'r [String],
}

/// A table of one kind of software.
pub(crate) trait Table: Listed + Sync + Sized {
    /// The text above the table.
    const HEAD: &'static str;
    /// The headings of the columns that only this table has. Columns with a trailing space have words.
    const COLUMNS: &'static [&'static str];
    /// The sentence below the table that explains the order.
    const ORDER: &'static str;

    /// Returns the questions among which are those for this kind of software.
    fn questions(suite: &Suite) -> &Questions;

    /// Returns whether a question is for this kind of software.
    fn is_asked(_question: &Question) -> bool {
        true
    }

    /// Returns the requirements under which the failures count.
    fn charged(tried: &[Tried<'_>], survey: &Survey) -> Vec<Vec<String>>;

    fn claim(&self) -> Option<&Claim> {
        None
    }

    /// Returns the sort key of a row. The row with the smallest number is first.
    fn rank(row: &Row<'_, Self>) -> usize;

    /// Returns one cell for each of [`COLUMNS`](Self::COLUMNS).
    fn cells(row: &Row<'_, Self>, survey: &Survey) -> Vec<String>;

    /// Returns why a failure does not count against the software, or `None` if it counts.
    fn excuse(row: &Row<'_, Self>, failure: Failure<'_>, survey: &Survey) -> Option<&'static str>;

    /// Returns the text about how the software was used.
    fn usage(&self) -> String;

    /// Returns the text after the table.
    fn summary(_rows: &[Row<'_, Self>], _survey: &Survey) -> String {
        String::new()
    }
}

impl<T: Table> Row<'_, T> {
    /// Returns the failures.
    pub(crate) fn failures(&self) -> impl Iterator<Item = Failure<'_>> {
        self.tried.iter().zip(&self.charged).filter_map(|(tried, charged)| {
            Some(Failure { tried, failing: tried.failing()?, charged })
        })
    }

    /// Returns the failures under an edition.
    pub(crate) fn failures_under(&self, edition: &str) -> impl Iterator<Item = Failure<'_>> {
        self.failures().filter(move |failure| failure.tried.edition == edition)
    }

    /// Returns whether the software fails a question under an edition.
    pub(crate) fn fails(&self, question: &str, edition: &str) -> bool {
        self.failures_under(edition).any(|failure| failure.tried.name == question)
    }

    /// Counts the questions that `is_counted` accepts: how many passed, and how many were decided.
    pub(crate) fn passed(&self, is_counted: impl Fn(&Tried<'_>) -> bool) -> [usize; 2] {
        let decided = self.tried.iter().filter(|tried| tried.is_decided() && is_counted(tried));
        decided
            .fold([0, 0], |[passed, all], tried| [passed + usize::from(tried.is_passed()), all + 1])
    }

    /// Returns the name for a table, which marks this project's own software.
    pub(crate) fn marked(&self) -> String {
        let name = &self.head.software;
        if self.listed.is_ours() { format!("{name} (ours)") } else { name.clone() }
    }
}

/// Returns the rows of a table, best first.
pub(crate) fn rows<'s, T: Table>(
    survey: &'s Survey,
    manifest: &'s Manifest<T>,
    results: &'s Results,
) -> Vec<Row<'s, T>> {
    let row = |listed: &'s T| {
        let measured = results.measured.iter().find(|it| it.head.software == listed.name())?;
        let tried = measured.tried(&survey.lists, T::questions(&survey.suite));
        let charged = T::charged(&tried, survey);
        Some(Row { listed, head: &measured.head, tried, charged })
    };
    let mut rows: Vec<Row<'s, T>> = manifest.listed.iter().filter_map(row).collect();
    rows.sort_by_key(T::rank);
    rows
}

/// Returns the requirements under which failures count: usually that of the question, but if a fault of the software
/// explains the failure, the one of the fault. `id` returns the case about which the faults know, if they know it, and
/// `violates` the requirements without regard to faults.
pub(crate) fn charged_by_faults(
    tried: &[Tried<'_>],
    survey: &Survey,
    id: impl Fn(&Tried<'_>) -> Option<String>,
    violates: impl Fn(&Tried<'_>, &Failing) -> Vec<String>,
) -> Vec<Vec<String>> {
    let mut failed: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut answered: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for one in tried.iter().filter(|tried| tried.is_decided()) {
        let Some(id) = id(one) else { continue };
        if one.failing().is_some() {
            failed.entry(one.edition).or_default().insert(id.clone());
        }
        answered.entry(one.edition).or_default().insert(id);
    }
    let offences: BTreeMap<&str, Offences<'_>> = failed
        .iter()
        .map(|(edition, failed)| {
            let failed = failed.iter().map(String::as_str).collect();
            let is_answered = |case: &str| answered[edition].contains(case);
            (*edition, Offences::of(&failed, is_answered, &survey.faults))
        })
        .collect();
    let charge = |one: &Tried<'_>| {
        let Some(failing) = one.failing() else { return Vec::new() };
        let without_faults = violates(one, failing);
        let (Some(id), Some(offences)) = (id(one), offences.get(one.edition)) else {
            return without_faults;
        };
        let is_required = |id: &str| survey.suite.level(id, one.edition).is_some();
        let charge = |it: &String| offences.requirement(it, &id, is_required).to_owned();
        without_faults.iter().map(charge).collect()
    };
    tried.iter().map(charge).collect()
}

/// Makes the page of a table.
pub(crate) fn page<T: Table>(
    rows: &[Row<'_, T>],
    manifest: &Manifest<T>,
    results: &Results,
    survey: &Survey,
) -> Text {
    let kind = T::KIND;
    let mut text = format!("{}| | {kind} | language |", T::HEAD);
    let mut rule = "|--:|---|---|".to_owned();
    for column in T::COLUMNS {
        let _ = write!(text, " {} |", column.trim_end());
        rule.push_str(if column.ends_with(' ') { "---|" } else { "--:|" });
    }
    let _ = writeln!(text, " measured | reports |\n{rule}---|---|");
    for (place, row) in (1..).zip(rows) {
        let _ = writeln!(
            text,
            "| {place} | {} {} | {} | {} | {} | {} |",
            row.marked(),
            row.head.version,
            row.listed.language(),
            T::cells(row, survey).join(" | "),
            row.head.day,
            ReportPage::cell(row.listed.reports()),
        );
    }
    let _ = writeln!(text, "\n{} [How to dispute a charge](disputes.md).", T::ORDER);
    text.push_str(&T::summary(rows, survey));
    let failed = results.measured.iter().filter_map(|it| {
        let why = it.head.failed.as_ref()?;
        Some((&it.head.software, format!("a later measurement failed: {why}")))
    });
    let unmeasured = manifest.unmeasured.iter().map(|(name, why)| (name, why.clone()));
    let mut notes = failed.chain(unmeasured).peekable();
    if notes.peek().is_some() {
        text.push_str("\n## Not measured\n\n");
    }
    for (name, why) in notes {
        let _ = writeln!(text, "- {name}: {}.", why.trim_end_matches('.'));
    }
    (format!("survey/{kind}s.md"), text)
}

/// Returns a share in millionths, so that shares can be compared as integers. If `whole` is zero, the share is zero.
pub(crate) fn millionths(part: usize, whole: usize) -> usize {
    part * 1_000_000 / whole.max(1)
}

/// Writes a list that a reader can unfold. Each line must end in LF.
pub(crate) fn folded(text: &mut String, summary: &str, lines: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\n<details><summary>{summary}</summary>\n\n{lines}\n</details>");
}
