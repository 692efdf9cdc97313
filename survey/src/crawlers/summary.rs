//! Compares the crawlers: the requirements and the cases that many of them fail.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::constructs::Portability;
use robots_conformance::report::CaseRecord;

use super::entry::{Entry, is_verdict};
use crate::measured::{Document, Pages, folded};

/// A case is in the table of `hardest` if at least this number of crawlers fail it.
const MANY: usize = 3;

impl Document<Entry> {
    /// Makes the output that only this measurement has: the cases as JSON, and the text
    /// about the failures by requirement.
    pub(super) fn pages(&self, crawled: &[CaseRecord]) -> Result<Pages, String> {
        let cases = serde_json::to_string_pretty(crawled).map_err(|error| error.to_string())?;
        let mut summary = format!(
            "\n## Failures by requirement\n\nThe table lists the requirements at the level *must* that \
             crawlers violate, with the number and the names of these crawlers.\n\n{}",
            self.requirements(),
        );
        folded(&mut summary, "The cases that three or more fail at <em>must</em>", &self.hardest());
        Ok(Pages { summary, others: vec![("cases.json", cases + "\n")] })
    }

    /// Returns the number of crawlers that fail a case.
    pub(crate) fn failing(&self, case: &str) -> usize {
        self.measured.iter().filter(|entry| entry.fails(case)).count()
    }

    /// Returns the constructs that the crawlers of other projects read differently.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Portability> {
        let others = self.measured.iter().filter(|entry| !entry.subject.ours);
        others.map(|entry| &entry.claims)
    }

    /// Returns a table of the requirements at *must*. Each row has the numbers of crawlers that violate the requirement
    /// in cases of fetching and in verdicts, and the names of these crawlers.
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

    /// Returns a table of the cases at *must* that many crawlers fail, sorted by the number of these crawlers.
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
}
