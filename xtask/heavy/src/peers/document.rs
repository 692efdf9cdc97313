//! What was measured, as docs/peers.json, docs/peers.md and a table in the README.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use robots_conformance::judge::OutcomeKind;
use robots_conformance::report::{AreaRecord, Totals};
use serde::{Deserialize, Serialize};

use super::manifest::Peer;
use crate::documents::{Documents, Text, anchor};

/// The editions by which the peers are ranked.
const RANKED: [&str; 2] = ["rfc9309", "google-2022"];

pub(crate) const FILES: Documents = Documents { verb: "peers" };

#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Document {
    /// The peers, best first.
    #[serde(rename = "peers")]
    pub(crate) entries: Vec<Entry>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) language: String,
    pub(super) registry: String,
    /// How it is used, from the manifest.
    pub(super) usage: String,
    /// What it claims to implement.
    pub(super) editions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) claims: Option<String>,
    /// Why it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unmeasured: Option<String>,
    /// Outcomes of the verdict questions, by edition.
    pub(super) verdicts: BTreeMap<String, Totals>,
    /// Outcomes of all questions, by area and edition.
    pub(super) areas: Vec<AreaRecord>,
    /// The trials that failed or errored.
    pub(crate) failing: Vec<String>,
    /// What it answered where that is not told by the expectation: to trials that failed, errored, are contested or open.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, String>,
}

/// A row of the ranking.
pub(crate) struct Score {
    /// The shares of conforming verdicts, by [`RANKED`].
    pub(crate) shares: [String; RANKED.len()],
    pub(crate) wrong: usize,
    pub(crate) unanswered: usize,
}

impl Document {
    /// Returns the peers that were measured, best first.
    pub(crate) fn measured(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.unmeasured.is_none())
    }

    pub(super) fn entry(&self, name: &str) -> Option<Entry> {
        self.entries.iter().find(|entry| entry.name == name).cloned()
    }

    /// Puts the peers in order: the greater share of conforming verdicts first, the unmeasured last.
    pub(super) fn rank(&mut self) {
        self.entries.sort_by_key(|entry| {
            let [conforming, asked] = entry.ranked();
            // Millionths, so that shares compare as integers.
            (entry.unmeasured.is_some(), Reverse(conforming * 1_000_000 / asked.max(1)))
        });
    }

    /// Lays out the files.
    pub(super) fn texts(&self, workspace: &Path) -> Result<Vec<Text>, String> {
        FILES.texts(workspace, self, [("md", self.markdown())], &self.headline("docs/"))
    }

    /// The ranking: a row a peer.
    fn headline(&self, folder: &str) -> String {
        let mut table = String::from(
            "| | peer | language | RFC 9309 | Google 2022 | wrong | no answer |\n|--:|---|---|--:|--:|--:|--:|\n",
        );
        for (place, entry) in (1..).zip(self.measured()) {
            let Score { shares: [rfc, google], wrong, unanswered } = entry.score();
            let _ = writeln!(
                table,
                "| {place} | [{}]({folder}peers.md#{}) {} | {} | {rfc} | {google} | {wrong} | {unanswered} |",
                entry.name,
                anchor(&entry.name),
                entry.version,
                entry.language,
            );
        }
        table
    }

    fn markdown(&self) -> String {
        let mut text = String::from(HEAD);
        text.push_str(&self.headline(""));
        let unmeasured =
            self.entries.iter().filter_map(|entry| Some((entry, entry.unmeasured.as_ref()?)));
        for (entry, why) in unmeasured {
            let _ = write!(text, "\n**{}** was not measured: {why}\n", entry.name);
        }
        for entry in self.measured() {
            entry.section(&mut text);
        }
        text
    }
}

impl Entry {
    pub(super) fn unmeasured(peer: &Peer, why: String) -> Self {
        Self {
            name: peer.name.clone(),
            version: peer.version(),
            language: peer.language.clone(),
            registry: peer.registry.clone(),
            usage: peer.usage.clone(),
            editions: peer.editions.clone(),
            claims: peer.claims.clone(),
            unmeasured: Some(why),
            verdicts: BTreeMap::new(),
            areas: Vec::new(),
            failing: Vec::new(),
            answers: BTreeMap::new(),
        }
    }

    /// Returns what the ranking says of it.
    pub(crate) fn score(&self) -> Score {
        let share = |edition| {
            self.verdicts.get(edition).map_or_else(|| "–".to_owned(), |totals| percent(*totals))
        };
        let sum = |kinds: &[OutcomeKind]| -> usize {
            let totals = RANKED.iter().filter_map(|edition| self.verdicts.get(*edition));
            totals.map(|totals| totals.sum(kinds)).sum()
        };
        Score {
            shares: RANKED.map(share),
            wrong: sum(&[OutcomeKind::Failed, OutcomeKind::Errored]),
            unanswered: sum(&[OutcomeKind::Unanswered]),
        }
    }

    /// Returns how many verdict questions of an edition count.
    pub(crate) fn asked(&self, edition: &str) -> Option<usize> {
        self.verdicts.get(edition).map(Totals::closed)
    }

    /// Returns what it answered to a trial that it failed.
    pub(crate) fn wrong(&self, trial: &str) -> Option<&String> {
        let failed = self.failing.iter().any(|failing| failing == trial);
        failed.then(|| self.answers.get(trial)).flatten()
    }

    /// The conforming and the asked verdicts of the ranked editions.
    fn ranked(&self) -> [usize; 2] {
        let totals = RANKED.iter().filter_map(|edition| self.verdicts.get(*edition));
        totals.fold([0, 0], |[conforming, asked], totals| {
            [conforming + totals.conforming(), asked + totals.closed()]
        })
    }

    fn section(&self, text: &mut String) {
        let Self { name, version, language, registry, usage, editions, .. } = self;
        let _ = write!(
            text,
            "\n## {name}\n\n{language}, {registry}, version {version}; claims {}.\n\n{usage}\n",
            editions.join(" and "),
        );
        if let Some(claims) = &self.claims {
            let _ = writeln!(text, "\n{claims}");
        }
        let columns: BTreeSet<&str> = self.areas.iter().map(|area| area.edition.as_str()).collect();
        let rows: BTreeSet<&str> = self.areas.iter().map(|area| area.area.as_str()).collect();
        let _ = writeln!(
            text,
            "\nConforming answers of closed questions that were answered, by area and edition:\n"
        );
        let _ = writeln!(
            text,
            "| area | {} |",
            columns.iter().copied().collect::<Vec<_>>().join(" | ")
        );
        let _ = writeln!(text, "|---|{}", "--:|".repeat(columns.len()));
        for row in rows {
            let cells = columns.iter().map(|column| {
                let cell = self.areas.iter().find(|a| a.area == row && a.edition == *column);
                cell.map_or_else(String::new, |cell| match cell.totals.closed() {
                    0 => "–".to_owned(),
                    closed => format!("{} of {closed}", cell.totals.conforming()),
                })
            });
            let _ = writeln!(text, "| {row} | {} |", cells.collect::<Vec<_>>().join(" | "));
        }
        let cases = self.failing_cases();
        let _ = write!(
            text,
            "\n<details><summary>{} questions of {} cases answered wrongly or with an error, in all \
             editions</summary>\n\n",
            self.failing.len(),
            cases.len(),
        );
        for (case, editions) in cases {
            let editions: Vec<String> =
                editions.into_iter().map(|(edition, count)| format!("{edition} {count}")).collect();
            let _ = writeln!(text, "- `{case}`: {}", editions.join(", "));
        }
        text.push_str("\n</details>\n");
    }

    /// The failing cases, as area and id, with how many questions failed by edition.
    pub(crate) fn failing_cases(&self) -> BTreeMap<String, BTreeMap<&str, usize>> {
        let mut cases: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
        for trial in &self.failing {
            let mut parts = trial.splitn(4, "::");
            let (Some(area), Some(case), Some(edition)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            *cases.entry(format!("{area}::{case}")).or_default().entry(edition).or_default() += 1;
        }
        cases
    }
}

fn percent(totals: Totals) -> String {
    // Rounded down, so that only who conforms throughout has 100.
    let tenths = totals.conforming() * 1000 / totals.closed().max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

const HEAD: &str = "\
# The peers, measured

Written by `cargo xtask peers`; not to be edited by hand. Every peer is installed from its registry at a
pinned version and used as its own documentation says, through an adapter of a few lines
(`conformance/peers`), and is asked every question of the suite.

The share is that of conforming answers to *verdict* questions: may this crawler fetch this URL under this
file? All peers can be asked those. Where two passages of an edition disagree, either reading conforms.
A share counts only closed questions: questions that every answer passes, questions for a crawler, and questions that
a peer has no answer for, such as those about a crawler of several product tokens, are in no share. The order of the
table is that of the shares of both editions together. [How to dispute a charge](disputes.md).
*Wrong* counts both editions of the ranking and includes errors and questions on which a peer
spent a minute without an answer. A peer that does not claim Google's edition is asked it all the same,
for comparison.

";
