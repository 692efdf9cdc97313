//! What was measured, as docs/crawlers.json, docs/crawlers.md and a table in the README.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use robots_conformance_cli::live::{LiveReport, Outcome, Trial};
use serde::{Deserialize, Serialize};
use similar::TextDiff;

use super::manifest::{Crawler, Folders};

/// The edition that the tables show.
const SHOWN: &str = "rfc9309";

const JSON: &str = "docs/crawlers.json";
const MARKDOWN: &str = "docs/crawlers.md";
const README: &str = "README.md";

/// Between these lines of the README stands the table.
const MARKS: [&str; 2] =
    ["<!-- crawlers: written by `cargo xtask crawlers` -->", "<!-- end of crawlers -->"];

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Document {
    #[serde(rename = "crawlers")]
    pub(super) entries: Vec<Entry>,
    /// What was not measured, and why.
    pub(super) unmeasured: BTreeMap<String, String>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct Entry {
    name: String,
    version: String,
    language: String,
    registry: String,
    command: String,
    token: String,
    switch: String,
    obeys: bool,
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
    /// The cases that were inconclusive or waited under the edition that is shown.
    undecided: BTreeMap<String, Vec<String>>,
}

impl Entry {
    pub(super) fn of(
        crawler: &Crawler,
        exec: &str,
        version: String,
        report: &LiveReport,
        folders: &Folders,
    ) -> Self {
        let case = |trial: &Trial| report.crawls[trial.crawl].case.clone();
        let is_verdict = |trial: &Trial| case(trial).id.starts_with("verdict-");
        let totals = |verdicts: bool| {
            let editions = report.editions(|trial| is_verdict(trial) == verdicts);
            let named = editions.into_iter().map(|counts| {
                let totals = counts.totals.into_iter().filter(|(_, count)| *count > 0);
                (counts.edition, totals.map(|(name, count)| (name.to_owned(), count)).collect())
            });
            named.collect()
        };
        let failures = |level: &str| {
            let mut editions: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
            for trial in &report.trials {
                if trial.outcome.is_failure() && trial.level.to_string() == level {
                    let case = case(trial);
                    let edition = editions.entry(trial.edition.id().to_owned()).or_default();
                    edition.entry(case.requirement).or_default().push(case.id);
                }
            }
            editions
        };
        let shown = || report.trials.iter().filter(|trial| trial.edition.id() == SHOWN);
        let mut undecided: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for trial in shown() {
            if matches!(trial.outcome, Outcome::Inconclusive | Outcome::Waited) {
                undecided.entry(trial.outcome.name().to_owned()).or_default().push(case(trial).id);
            }
        }
        Self {
            name: crawler.name.clone(),
            version,
            language: crawler.language.clone(),
            registry: crawler.registry.clone(),
            command: exec
                .replace(&*folders.crawlers.to_string_lossy(), "…")
                .replace(&*folders.install.to_string_lossy(), "…"),
            token: crawler.token.clone(),
            switch: crawler.switch.clone(),
            obeys: crawler.obeys,
            wire: totals(false),
            verdicts: totals(true),
            advice: shown().map(Trial::advice).sum(),
            must: failures("must"),
            should: failures("should"),
            undecided,
        }
    }

    fn cells(totals: &BTreeMap<String, BTreeMap<String, usize>>, names: &[&str]) -> String {
        let shown = totals.get(SHOWN);
        let count = |name: &&str| shown.and_then(|counts| counts.get(*name)).copied().unwrap_or(0);
        names.iter().map(|name| count(name).to_string()).collect::<Vec<_>>().join(" | ")
    }

    fn failed(&self) -> usize {
        let count = |totals: &BTreeMap<String, BTreeMap<String, usize>>| {
            totals.get(SHOWN).and_then(|counts| counts.get("failed")).copied().unwrap_or(0)
        };
        count(&self.wire) + count(&self.verdicts)
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
        for (edition, requirements) in &self.must {
            let cases: usize = requirements.values().map(Vec::len).sum();
            let _ = writeln!(
                text,
                "\n<details><summary>{edition}: {cases} cases failed at <em>must</em></summary>\n"
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
    /// Reads what is checked in; nothing where there is no such file yet.
    pub(super) fn read(workspace: &Path) -> Result<Self, String> {
        match fs::read_to_string(workspace.join(JSON)) {
            Err(_) => Ok(Self::default()),
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                format!("{JSON}: {error}; remove it and run `cargo xtask crawlers`")
            }),
        }
    }

    pub(super) fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.name == name).cloned()
    }

    /// Returns the files that say something else, each with the difference from what it says.
    pub(super) fn stale(&self, workspace: &Path) -> Result<Vec<(&'static str, String)>, String> {
        let mut stale = Vec::new();
        for (file, text) in self.texts(workspace)? {
            let old = fs::read_to_string(workspace.join(file)).unwrap_or_default();
            if old != text {
                let diff = TextDiff::from_lines(&old, &text);
                stale.push((file, diff.unified_diff().header(file, "measured").to_string()));
            }
        }
        Ok(stale)
    }

    pub(super) fn write(&self, workspace: &Path) -> Result<(), String> {
        for (file, text) in self.texts(workspace)? {
            fs::write(workspace.join(file), text).map_err(|error| format!("{file}: {error}"))?;
        }
        Ok(())
    }

    fn texts(&self, workspace: &Path) -> Result<[(&'static str, String); 3], String> {
        let json = serde_json::to_string_pretty(self).map_err(|error| error.to_string())? + "\n";
        let readme = workspace.join(README);
        let readme = fs::read_to_string(readme).map_err(|error| format!("{README}: {error}"))?;
        let no_marks = "README.md lacks the lines between which the crawlers' table stands";
        let (before, rest) = readme.split_once(MARKS[0]).ok_or(no_marks)?;
        let (_, after) = rest.split_once(MARKS[1]).ok_or(no_marks)?;
        let readme = format!("{before}{}\n\n{}\n{}{after}", MARKS[0], self.table(), MARKS[1]);
        Ok([(JSON, json), (MARKDOWN, self.markdown()), (README, readme)])
    }

    /// A row a crawler, fewest failures first.
    fn table(&self) -> String {
        let mut text = String::from(
            "| crawler | language | fetching: passed | failed | open | inconclusive | waited | verdicts: passed \
             | failed | not asked |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.failed());
        for entry in entries {
            let _ = writeln!(
                text,
                "| {} {} | {} | {} | {} |",
                entry.name,
                entry.version,
                entry.language,
                Entry::cells(&entry.wire, &["passed", "failed", "open", "inconclusive", "waited"]),
                Entry::cells(&entry.verdicts, &["passed", "failed", "not-run"]),
            );
        }
        text
    }

    /// The must-cases by how many crawlers fail them.
    fn hardest(&self) -> String {
        let mut cases: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in &self.entries {
            for case in entry.must.get(SHOWN).into_iter().flat_map(BTreeMap::values).flatten() {
                *cases.entry(case).or_default() += 1;
            }
        }
        let mut cases: Vec<(&str, usize)> =
            cases.into_iter().filter(|(_, count)| *count > 2).collect();
        cases.sort_by_key(|(case, count)| (std::cmp::Reverse(*count), *case));
        let mut text = String::from("| case | crawlers that fail it |\n|---|--:|\n");
        for (case, count) in cases {
            let _ = writeln!(text, "| `{case}` | {count} |");
        }
        text
    }

    fn markdown(&self) -> String {
        let mut text = String::from(HEAD);
        text.push_str(&self.table());
        text.push_str("\n## What three or more get wrong\n\n");
        text.push_str(&self.hardest());
        text.push_str("\n## Not measured\n\n");
        for (name, why) in &self.unmeasured {
            let _ = writeln!(text, "- {name}: {why}.");
        }
        for entry in &self.entries {
            entry.section(&mut text);
        }
        text
    }
}

const HEAD: &str = "\
# The crawlers, measured

Written by `cargo xtask crawlers`; not to be edited by hand. Every crawler is installed from its registry, called as
its own documentation says, with its documented switch for obeying robots.txt, and let loose on a small web on the
machine itself. What it fetched there is judged by RFC 9309 in the tables; docs/crawlers.json has every edition.

*Fetching* are the cases of `spec-cases/live/crawling.yaml`: redirects, failures, sizes, origins, the format over HTTP.
*Verdicts* are the suite's verdict cases on the wire: whose file says what of which page. *Open* is where the edition
allows either. A crawler that did not come by the control pages is *inconclusive*, one still at work at the limit has
*waited*; neither passed nor failed. *Not asked* are verdicts for a product token that the crawler cannot be given.

";
