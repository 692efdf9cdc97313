//! The crawlers side by side: which requirements many of them offend, every case by every crawler, and the site's table.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use robots_conformance_cli::lint::portability::Portability;
use robots_conformance_cli::live::matrix::{Column, Matrix};
use robots_conformance_live::Case;
use serde::Serialize;

use super::entry::{Entry, SHOWN, is_verdict};
use crate::measured::{Document, Pages};

/// The minimum number of failing crawlers for a case to be listed.
const MANY: usize = 3;

/// A crawler's row on the site.
#[derive(Serialize)]
pub(crate) struct Fetched {
    name: String,
    version: String,
    language: String,
    passed: usize,
    failed: usize,
    undecided: usize,
    verdicts_passed: usize,
    verdicts_failed: usize,
}

impl Document<Entry> {
    /// Lays out what only this measurement writes: the matrix, and what crawlers get wrong.
    pub(super) fn pages(&self, cases: &[Case]) -> Result<Pages, String> {
        let matrix = self.matrix(cases).render().map_err(|error| error.to_string())?;
        let summary = format!(
            "\n## Failures by requirement\n\nRequirements at *must*, with the number of crawlers that violate them:\n\n{}\n\
             <details><summary>The cases that three or more fail at <em>must</em></summary>\n\n{}\n</details>\n",
            self.requirements(),
            self.hardest(),
        );
        Ok(Pages { summary, others: vec![("html", matrix)] })
    }

    /// Returns the crawlers in order, for the site.
    pub(crate) fn fetched(&self) -> Vec<Fetched> {
        let fetched = |entry: &Entry| Fetched {
            name: entry.subject.marked(),
            version: entry.subject.version.clone(),
            language: entry.subject.language.clone(),
            passed: Entry::count(&entry.wire, "passed"),
            failed: Entry::count(&entry.wire, "failed"),
            undecided: Entry::count(&entry.wire, "inconclusive")
                + Entry::count(&entry.wire, "waited"),
            verdicts_passed: Entry::count(&entry.verdicts, "passed"),
            verdicts_failed: Entry::count(&entry.verdicts, "failed"),
        };
        self.measured.iter().map(fetched).collect()
    }

    /// Returns what the crawlers read otherwise.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Portability> {
        self.measured.iter().map(|entry| &entry.claims)
    }

    /// The requirements, with the crawlers that offend them at *must*: in cases of fetching, and in verdicts.
    fn requirements(&self) -> String {
        let mut failed: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
        for entry in &self.measured {
            for (requirement, case) in entry.failed() {
                let crawlers = failed.entry(requirement).or_default();
                crawlers[usize::from(is_verdict(case))].insert(&entry.subject.name);
            }
        }
        let mut rows: Vec<_> = failed
            .into_iter()
            .map(|(requirement, [fetching, verdicts])| {
                let names: Vec<&str> = fetching.union(&verdicts).copied().collect();
                (names, requirement, fetching.len(), verdicts.len())
            })
            .collect();
        rows.sort_by_key(|(names, requirement, ..)| (Reverse(names.len()), *requirement));
        let mut text = String::from(
            "| requirement | crawlers that violate it | in fetching | in verdicts | |\n|---|--:|--:|--:|---|\n",
        );
        for (names, requirement, fetching, verdicts) in rows {
            let (count, names) = (names.len(), names.join(", "));
            let _ =
                writeln!(text, "| {requirement} | {count} | {fetching} | {verdicts} | {names} |");
        }
        text
    }

    /// The must-cases by how many crawlers fail them.
    fn hardest(&self) -> String {
        let mut cases: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for entry in &self.measured {
            for (_, case) in entry.failed() {
                cases.entry(case).or_default().insert(&entry.subject.name);
            }
        }
        let mut cases: Vec<_> =
            cases.into_iter().filter(|(_, crawlers)| crawlers.len() >= MANY).collect();
        cases.sort_by_key(|(case, crawlers)| (Reverse(crawlers.len()), *case));
        let mut text = String::from("| case | crawlers that fail it | |\n|---|--:|---|\n");
        for (case, crawlers) in cases {
            let names: Vec<&str> = crawlers.iter().copied().collect();
            let _ = writeln!(text, "| `{case}` | {} | {} |", names.len(), names.join(", "));
        }
        text
    }

    /// Every case of fetching by every crawler.
    fn matrix(&self, cases: &[Case]) -> Matrix {
        let column = |entry: &Entry| Column {
            name: entry.subject.marked(),
            version: entry.subject.version.clone(),
            failed: Entry::count(&entry.wire, "failed"),
        };
        let asked = cases.iter().filter_map(|case| {
            let expectation = case.expect.iter().find(|(edition, _)| edition.id() == SHOWN)?;
            Some((case, expectation.1))
        });
        let rows = asked.map(|(case, expectation)| {
            let cells = self.measured.iter().map(|entry| entry.cell(case, expectation)).collect();
            (case.requirement.clone(), case.id.clone(), case.about.clone(), cells)
        });
        Matrix {
            title: "The crawlers, measured".to_owned(),
            edition: SHOWN.to_owned(),
            columns: self.measured.iter().map(column).collect(),
            rows: rows.collect(),
        }
    }
}
