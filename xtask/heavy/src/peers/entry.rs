//! A parser as it was measured: an entry of docs/peers.json, a row of the table and a section of docs/peers.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use robots_conformance::report::{AreaRecord, Totals};
use robots_conformance::run::outcome::OutcomeKind;
use serde::{Deserialize, Serialize};

use super::manifest::Peer;
use crate::documents::Documents;
use crate::measured::{self, Column, Subject};
use crate::reports::ReportPage;

/// The editions that the ranking uses.
const RANKED: [&str; 2] = ["rfc9309", "google-2022"];

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    #[serde(flatten)]
    pub(crate) subject: Subject,
    /// The usage text of the manifest.
    pub(super) usage: String,
    /// The claim.
    pub(super) editions: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) claims: Option<String>,
    /// Outcomes of the verdict questions, by edition.
    pub(super) verdicts: BTreeMap<String, Totals>,
    /// Outcomes of all questions, by area and edition.
    pub(crate) areas: Vec<AreaRecord>,
    /// The trials that failed or errored.
    pub(crate) failing: Vec<String>,
    /// The trials among these to which it gave no answer in time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) late: Vec<String>,
    /// The answers that the expectation does not show: to trials that failed, errored, are contested or open.
    #[serde(default)]
    pub(crate) answers: BTreeMap<String, String>,
}

/// A row of the ranking.
pub(crate) struct Score {
    /// The shares of conforming verdicts, in the order of [`RANKED`].
    pub(crate) shares: [String; RANKED.len()],
    pub(crate) wrong: usize,
    pub(crate) unanswered: usize,
}

impl measured::Entry for Entry {
    type Listed = Peer;

    const FILES: Documents = Documents { verb: "peers" };
    const HEAD: &str = HEAD;
    const COLUMNS: &[Column] = &[
        Column::Numbers("RFC 9309"),
        Column::Numbers("Google 2022"),
        Column::Numbers("wrong"),
        Column::Numbers("no answer"),
    ];
    const ORDER: &str = "The table begins with the parser with the greatest share of conforming answers in both editions together.";

    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn subject_mut(&mut self) -> &mut Subject {
        &mut self.subject
    }

    fn follow(&mut self, listed: &Peer) {
        self.usage.clone_from(&listed.usage);
        self.claims.clone_from(&listed.claims);
    }

    fn rank(&self) -> usize {
        let [conforming, asked] = self.ranked();
        // Millionths, so that shares compare as integers.
        1_000_000 - conforming * 1_000_000 / asked.max(1)
    }

    fn cells(&self) -> Vec<String> {
        let Score { shares: [rfc, google], wrong, unanswered } = self.score();
        vec![rfc, google, wrong.to_string(), unanswered.to_string()]
    }

    fn section(&self, text: &mut String) {
        let Subject { version, language, registry, reports, .. } = &self.subject;
        let _ = write!(
            text,
            "{language}, {registry}, version {version}; claims to follow {}.\n\n{}\n",
            self.editions.join(" and "),
            self.usage,
        );
        if let Some(claims) = &self.claims {
            let _ = writeln!(text, "\n{claims}");
        }
        if let Some(sentence) = ReportPage::sentence(reports) {
            let _ = writeln!(text, "\n{sentence}");
        }
        let columns: BTreeSet<&str> = self.areas.iter().map(|area| area.edition.as_str()).collect();
        let rows: BTreeSet<&str> = self.areas.iter().map(|area| area.area.as_str()).collect();
        let _ = writeln!(
            text,
            "\nConforming answers to the closed questions that were answered, by area and edition:\n"
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
            "\n<details><summary>{} questions in {} cases were answered wrongly or with an error, in all \
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
}

impl Entry {
    /// Returns its row of the ranking.
    pub(crate) fn score(&self) -> Score {
        let share = |edition| {
            self.verdicts.get(edition).map_or_else(|| "–".to_owned(), |totals| percent(*totals))
        };
        let of_all = RANKED.iter().filter_map(|edition| self.verdicts.get(*edition));
        let unanswered = of_all.map(|totals| totals.sum(&[OutcomeKind::Unanswered])).sum();
        // Nobody is charged under a document that he does not claim to follow.
        let claimed = RANKED.iter().filter(|edition| self.editions.iter().any(|it| it == *edition));
        let claimed: Vec<_> = claimed.filter_map(|edition| self.verdicts.get(*edition)).collect();
        let wrong = [OutcomeKind::Failed, OutcomeKind::Errored];
        let wrong = claimed.iter().map(|totals| totals.sum(&wrong)).sum();
        Score { shares: RANKED.map(share), wrong, unanswered }
    }

    /// Returns its answer to a trial that it failed.
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

    /// Returns the failing cases as area and id, with the number of failed questions for each edition.
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
    // Rounded down, so that only a peer without failures has 100.
    let tenths = totals.conforming() * 1000 / totals.closed().max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
}

const HEAD: &str = "\
# The peers, measured

`cargo xtask peers` writes this page; do not edit it by hand. Each peer is installed from its registry at a pinned version.
An adapter of a few lines (`conformance/peers`) uses it as its documentation describes, and it is asked every question of the
suite.

The share is the share of conforming answers to *verdict* questions: may this crawler fetch this URL under this file? All
peers can answer them. If two passages of an edition disagree, either reading conforms. Only closed questions count. These
questions do not count: questions that every answer passes, questions for a crawler, and questions that a peer cannot answer,
such as those about a crawler with several product tokens.

*Wrong* counts the editions of the ranking that a peer claims to follow; its section names them. It includes errors, and
questions that a peer did not answer within a minute. A peer that does not claim to follow Google's edition is asked about it
anyway, for comparison: this counts in the share and not as wrong. *(ours)* marks the parser of this project.

";
