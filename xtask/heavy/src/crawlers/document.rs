//! What was measured, as docs/crawlers.json, docs/crawlers.md, docs/crawlers.html and a table in the README.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use robots_conformance::case::Level;
use robots_conformance::judge::OutcomeKind;
use robots_conformance::report::TrialRecord;
use robots_conformance_cli::lint::portability::{Measured, Portability, Shown};
use robots_conformance_cli::live::matrix::{Cell, Column, Matrix};
use robots_conformance_live::verdicts::OnTheWire;
use robots_conformance_live::{Case, Expectation, Report};
use serde::{Deserialize, Serialize};

use super::manifest::Crawler;
use crate::documents::{Documents, Text, anchor};
use crate::manifests::Folders;

/// The edition that the tables show.
const SHOWN: &str = "rfc9309";

/// From how many crawlers on a case is listed among those that many get wrong.
const MANY: usize = 3;

pub(crate) const FILES: Documents = Documents { verb: "crawlers" };

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Document {
    #[serde(rename = "crawlers")]
    pub(super) entries: Vec<Entry>,
    /// What was not measured, and why.
    pub(super) unmeasured: BTreeMap<String, String>,
}

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

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    name: String,
    version: String,
    language: String,
    registry: String,
    command: String,
    token: String,
    switch: String,
    obeys: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Outcomes of the cases of fetching, by edition.
    wire: BTreeMap<String, BTreeMap<String, usize>>,
    /// Outcomes of the suite's verdicts on the wire, by edition.
    verdicts: BTreeMap<String, BTreeMap<String, usize>>,
    /// Findings of good practice under the edition that is shown.
    advice: usize,
    /// By edition, the cases that failed at the level *must*, by requirement.
    must: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// The same at the level *should*.
    should: BTreeMap<String, BTreeMap<String, Vec<String>>>,
    /// What it did in the cases that failed under the edition that is shown.
    did: BTreeMap<String, String>,
    /// The cases that were inconclusive or waited under the edition that is shown, and those of fetching that were
    /// not run.
    undecided: BTreeMap<String, Vec<String>>,
    /// What it reads otherwise, as the suite's verdicts on the wire show it.
    #[serde(default)]
    claims: Portability,
}

impl Entry {
    pub(super) fn of(
        crawler: &Crawler,
        exec: &str,
        version: String,
        report: &Report,
        folders: &Folders,
        constructs: &Shown,
        wire: &OnTheWire,
    ) -> Self {
        let trials: Vec<TrialRecord> = report.records().collect();
        let totals = |verdicts: bool| {
            let mut editions: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
            for trial in trials.iter().filter(|trial| is_verdict(&trial.case) == verdicts) {
                let counts = editions.entry(trial.edition.clone()).or_default();
                *counts.entry(trial.outcome.id().to_owned()).or_default() += 1;
            }
            editions
        };
        let failed = || trials.iter().filter(|trial| trial.outcome.is_failure());
        let failures = |level: Level| {
            let mut editions: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
            for trial in failed().filter(|trial| trial.level == level.id()) {
                let edition = editions.entry(trial.edition.clone()).or_default();
                // What it offended, which need not be what the case is about.
                let offended = trial.findings.iter().filter(|finding| finding.level == Some(level));
                let offended: BTreeSet<_> = offended.map(|it| it.requirement.clone()).collect();
                for requirement in offended {
                    edition.entry(requirement).or_default().push(trial.case.clone());
                }
            }
            editions
        };
        let shown = || trials.iter().filter(|trial| trial.edition == SHOWN);
        let mut undecided: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for trial in shown() {
            let counts = match trial.outcome {
                OutcomeKind::Inconclusive | OutcomeKind::Waited => true,
                OutcomeKind::NotRun => !is_verdict(&trial.case),
                _ => false,
            };
            if counts {
                let cases = undecided.entry(trial.outcome.id().to_owned()).or_default();
                cases.push(trial.case.clone());
            }
        }
        let did = shown().filter(|trial| trial.outcome.is_failure()).map(|trial| {
            let found = trial.findings.iter().map(|finding| finding.what.as_str());
            // Without times: measured again, it reads the same.
            (trial.case.clone(), found.collect::<Vec<_>>().join("; "))
        });
        let mut failing = Vec::new();
        for trial in report.trials.iter().filter(|trial| trial.outcome.is_failure()) {
            let case = &report.crawls[trial.crawl].case;
            failing.extend(wire.failed(case, trial.edition, &trial.judgement));
        }
        let measured = Measured {
            name: crawler.name.clone(),
            version: version.clone(),
            failing: failing.into_iter().map(str::to_owned).collect(),
            answers: BTreeMap::new(),
        };
        Self {
            name: crawler.name.clone(),
            version,
            language: crawler.language.clone(),
            registry: crawler.registry.clone(),
            command: exec
                .replace(&*folders.manifest.to_string_lossy(), "…")
                .replace(&*folders.install.to_string_lossy(), "…"),
            token: crawler.token.clone(),
            switch: crawler.switch.clone(),
            obeys: crawler.obeys,
            note: crawler.note.clone(),
            wire: totals(false),
            verdicts: totals(true),
            advice: shown().map(TrialRecord::advice).sum(),
            must: failures(Level::Must),
            should: failures(Level::Should),
            did: did.collect(),
            undecided,
            claims: Portability::measured(constructs, &[measured]),
        }
    }

    fn count(totals: &BTreeMap<String, BTreeMap<String, usize>>, name: &str) -> usize {
        totals.get(SHOWN).and_then(|counts| counts.get(name)).copied().unwrap_or(0)
    }

    fn cells(totals: &BTreeMap<String, BTreeMap<String, usize>>, names: &[&str]) -> String {
        names
            .iter()
            .map(|name| Self::count(totals, name).to_string())
            .collect::<Vec<_>>()
            .join(" | ")
    }

    /// The share of what was decided that failed, in millionths.
    fn wrong(&self) -> usize {
        let of = |name| Self::count(&self.wire, name) + Self::count(&self.verdicts, name);
        of("failed") * 1_000_000 / (of("failed") + of("passed")).max(1)
    }

    /// The cases that failed at *must* under the edition that is shown, with their requirements.
    fn failed(&self) -> impl Iterator<Item = (&String, &String)> {
        let shown = self.must.get(SHOWN).into_iter().flatten();
        shown.flat_map(|(requirement, cases)| cases.iter().map(move |case| (requirement, case)))
    }

    fn section(&self, text: &mut String) {
        let Self { name, version, language, registry, command, token, switch, .. } = self;
        let without =
            if self.obeys { "It obeys by default." } else { "It does not obey by default." };
        let _ = write!(
            text,
            "\n## {name}\n\n{language}, {registry}, version {version}; token `{token}`. Made to obey by: {switch}. \
             {without}\n\n```text\n{command}\n```\n",
        );
        if let Some(note) = &self.note {
            let _ = writeln!(text, "\n{note}");
        }
        for (level, editions) in [("must", &self.must), ("should", &self.should)] {
            let Some(requirements) = editions.get(SHOWN) else { continue };
            // A case can offend more than one.
            let count = requirements.values().flatten().collect::<BTreeSet<_>>().len();
            let _ = writeln!(
                text,
                "\n<details><summary>{count} cases failed at <em>{level}</em></summary>\n"
            );
            for (requirement, cases) in requirements {
                let cases: Vec<String> = cases.iter().map(|case| format!("`{case}`")).collect();
                let _ = writeln!(text, "- {requirement}: {}", cases.join(", "));
            }
            text.push_str("\n</details>\n");
        }
        for (outcome, cases) in &self.undecided {
            let shown: Vec<String> =
                cases.iter().take(20).map(|case| format!("`{case}`")).collect();
            let more = if cases.len() > 20 { ", …" } else { "" };
            let _ = writeln!(text, "\n{} {outcome}: {}{more}", cases.len(), shown.join(", "));
        }
    }
}

impl Document {
    pub(super) fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.name == name).cloned()
    }

    /// Returns the crawlers in order, for the site.
    pub(crate) fn fetched(&self) -> Vec<Fetched> {
        let fetched = |entry: &&Entry| Fetched {
            name: entry.name.clone(),
            version: entry.version.clone(),
            language: entry.language.clone(),
            passed: Entry::count(&entry.wire, "passed"),
            failed: Entry::count(&entry.wire, "failed"),
            undecided: Entry::count(&entry.wire, "inconclusive")
                + Entry::count(&entry.wire, "waited"),
            verdicts_passed: Entry::count(&entry.verdicts, "passed"),
            verdicts_failed: Entry::count(&entry.verdicts, "failed"),
        };
        self.ranked().iter().map(fetched).collect()
    }

    /// Returns what the crawlers read otherwise.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &Portability> {
        self.entries.iter().map(|entry| &entry.claims)
    }

    /// Lays out the files.
    pub(super) fn texts(&self, workspace: &Path, cases: &[Case]) -> Result<Vec<Text>, String> {
        let others = [("md", self.markdown()), ("html", self.matrix(cases).render()?)];
        FILES.texts(workspace, self, others, &self.table("docs/"))
    }

    /// The crawlers in order: the smaller share of failures first.
    fn ranked(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.wrong());
        entries
    }

    /// A row a crawler.
    fn table(&self, folder: &str) -> String {
        let mut text = String::from(
            "| crawler | language | fetching: passed | failed | open | inconclusive | waited | verdicts: passed \
             | failed | waited | not asked |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        for entry in self.ranked() {
            let _ = writeln!(
                text,
                "| [{}]({folder}crawlers.md#{}) {} | {} | {} | {} |",
                entry.name,
                anchor(&entry.name),
                entry.version,
                entry.language,
                Entry::cells(&entry.wire, &["passed", "failed", "open", "inconclusive", "waited"]),
                Entry::cells(&entry.verdicts, &["passed", "failed", "waited", "not-run"]),
            );
        }
        text
    }

    /// The requirements, with the crawlers that offend them at *must*: in cases of fetching, and in verdicts.
    fn requirements(&self) -> String {
        let mut failed: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
        for entry in &self.entries {
            for (requirement, case) in entry.failed() {
                let crawlers = failed.entry(requirement).or_default();
                crawlers[usize::from(is_verdict(case))].insert(&entry.name);
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
            "| requirement | crawlers that offend it | in fetching | in verdicts | |\n|---|--:|--:|--:|---|\n",
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
        for entry in &self.entries {
            for (_, case) in entry.failed() {
                cases.entry(case).or_default().insert(&entry.name);
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

    fn markdown(&self) -> String {
        let mut text = String::from(HEAD);
        text.push_str(&self.table(""));
        text.push_str("\n## What they get wrong\n\nRequirements at *must*, by how many crawlers offend them:\n\n");
        text.push_str(&self.requirements());
        text.push_str(
            "\n<details><summary>The cases that three or more fail at <em>must</em></summary>\n\n",
        );
        text.push_str(&self.hardest());
        text.push_str("\n</details>\n\n## Not measured\n\n");
        for (name, why) in &self.unmeasured {
            let _ = writeln!(text, "- {name}: {why}.");
        }
        for entry in &self.entries {
            entry.section(&mut text);
        }
        text
    }

    /// Every case of fetching by every crawler.
    fn matrix(&self, cases: &[Case]) -> Matrix {
        let ranked = self.ranked();
        let column = |entry: &&Entry| Column {
            name: entry.name.clone(),
            version: entry.version.clone(),
            failed: Entry::count(&entry.wire, "failed"),
        };
        let asked = cases.iter().filter_map(|case| {
            let expectation = case.expect.iter().find(|(edition, _)| edition.id() == SHOWN)?;
            Some((case, expectation.1))
        });
        let rows = asked.map(|(case, expectation)| {
            let cells = ranked.iter().map(|entry| entry.cell(case, expectation)).collect();
            (case.requirement.clone(), case.id.clone(), case.about.clone(), cells)
        });
        Matrix {
            title: "The crawlers, measured".to_owned(),
            edition: SHOWN.to_owned(),
            columns: ranked.iter().map(column).collect(),
            rows: rows.collect(),
        }
    }
}

impl Entry {
    fn cell(&self, case: &Case, expectation: &Expectation) -> Cell {
        let is_in = |levels: &BTreeMap<String, BTreeMap<String, Vec<String>>>| {
            levels.get(SHOWN).is_some_and(|requirements| {
                requirements.values().any(|cases| cases.contains(&case.id))
            })
        };
        let did = self.did.get(&case.id).cloned().unwrap_or_default();
        let undecided =
            self.undecided.iter().find(|(_, cases)| cases.contains(&case.id)).map(|(name, _)| name);
        let is_open = expectation.fetched.is_empty() && expectation.not_fetched.is_empty();
        if is_in(&self.must) {
            Cell::new("failed", &did)
        } else if is_in(&self.should) {
            Cell::new("failed-should", &did)
        } else if let Some(name) = undecided {
            Cell::new(name, "")
        } else {
            Cell::new(if is_open { "open" } else { "passed" }, "")
        }
    }
}

/// Whether a case is one of the suite's verdicts.
fn is_verdict(id: &str) -> bool {
    id.starts_with("verdict-")
}

const HEAD: &str = "\
# The crawlers, measured

Written by `cargo xtask crawlers`; not to be edited by hand. Every crawler comes from its registry, in the version that
stands in the table, and is called as [`conformance/crawlers`](../conformance/crawlers/README.md) says: by its own command,
or by a small program where it has none, with its documented switch for obeying robots.txt. It is let loose on a small web
on the machine itself. What it fetched there is judged by RFC 9309 in the tables; `crawlers.json` has every edition, and
`crawlers.html` every case of fetching by every crawler.

*Fetching* are the cases of `spec-cases/live/crawling.yaml`: redirects, failures, sizes, origins, the format over HTTP.
*Verdicts* are the suite's verdict cases on the wire: whose file says what of which page. *Open* is where the edition
allows either (of the verdicts, 5 or 6). A crawler that did not come by the control pages is *inconclusive*, one still at
work at the limit has *waited*; neither passed nor failed. Such a case is crawled once more, alone, and the second crawl
counts. *Not asked* are verdicts whose file names a product token that the crawler cannot be given. Four cases of fetching
need host names, which this web on loopback does not have.

A page that is fetched before the robots.txt of its host was asked for counts under APPLY-CRAWLERS, whatever its case is
about. An allowed page that a case is not about is a control page: who leaves it out is inconclusive.
Where a crawler does not follow a redirect of robots.txt, its failure counts under FETCH-3XX, which is at *should*.

Each crawler's own time-out is set to three seconds, and a crawl of a case may take 60 seconds, one of many cases ten
minutes. Both leave room on a busy machine: no case needs an answer that comes later than in two seconds.

The smaller the share of failures among the cases that were decided, the further up a crawler stands.
[How to dispute a charge](disputes.md).

";
