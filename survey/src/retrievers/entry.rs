//! A retriever as it was measured: an entry of survey/retrievers.json, a row of the table and a section of
//! survey/retrievers.md.
//!
//! Start at [`Entry::measure`]. The retriever is a process that speaks the protocol, and it answers the timelines of
//! every edition. The entry has the outcomes by edition and requirement; the row and the section show one edition
//! ([`SHOWN`]). A timeline that ended with an error has no verdict. Such a timeline is counted separately from wrong
//! answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_conformance::report::{Totals, TrialRecord};
use robots_conformance::robots_core::engine::QuestionKind;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance_cli::report::record::RunRecord;
use serde::{Deserialize, Serialize};

use super::manifest::Retriever;
use crate::documents::Documents;
use crate::measured::{
    self, Column, Document, NOT_ASKED, SHOWN, Subject, asked, conforming, folded, millionths,
};

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Entry {
    #[serde(flatten)]
    subject: Subject,
    /// The manifest's text about the use of the retriever.
    usage: String,
    /// How the retriever gets the time of a timeline, from the manifest.
    clock: String,
    /// For each edition and requirement, the number of timelines with each outcome.
    outcomes: BTreeMap<String, BTreeMap<String, Totals>>,
    /// The timelines that failed or had no verdict under the edition that is shown, by level.
    failing: BTreeMap<String, Vec<Failing>>,
}

/// A timeline that failed, or had no verdict.
#[derive(Clone, Serialize, Deserialize)]
struct Failing {
    requirement: String,
    case: String,
    /// The actions of the retriever, or the error.
    did: String,
    /// Whether there was an error instead of an answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    errored: bool,
}

impl Entry {
    /// Measures a retriever with the timelines of every edition.
    pub(super) fn measure(
        retriever: &Retriever,
        words: Vec<String>,
        suite: &Suite,
    ) -> Result<Self, String> {
        let mut trials = trial::trials(suite);
        trials.retain(|trial| trial.kind() == QuestionKind::Timeline);
        let (version, report) = asked(words, &retriever.packages, &trials)?;
        let record = RunRecord::of(&report);
        let mut outcomes: BTreeMap<_, BTreeMap<_, Totals>> = BTreeMap::new();
        let mut failing: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for trial in &record.trials {
            let edition = outcomes.entry(trial.edition.clone()).or_default();
            let totals = edition.entry(trial.requirement.clone()).or_default();
            *totals = totals.and(Totals::of([trial]));
            if trial.edition == SHOWN && trial.outcome.is_failure() {
                failing.entry(trial.level.clone()).or_default().push(Failing::of(trial));
            }
        }
        Ok(Self {
            subject: Subject::of(retriever, version),
            usage: retriever.usage.clone(),
            clock: retriever.clock.clone(),
            outcomes,
            failing,
        })
    }

    /// Returns the outcomes under the edition that is shown.
    fn totals(&self) -> Totals {
        let requirements = self.outcomes.get(SHOWN).into_iter().flatten();
        requirements.fold(Totals::default(), |all, (_, totals)| all.and(*totals))
    }

    /// Returns the number of failed timelines at these levels.
    fn failed(&self, levels: &[&str]) -> usize {
        let failing = levels.iter().filter_map(|level| self.failing.get(*level)).flatten();
        failing.filter(|one| !one.errored).count()
    }
}

impl Failing {
    fn of(trial: &TrialRecord) -> Self {
        let errored = trial.outcome == OutcomeKind::Errored;
        let did = if errored { &trial.detail } else { &trial.got };
        let did = did.as_deref().unwrap_or_default().replace('\n', "; ");
        Self { requirement: trial.requirement.clone(), case: trial.case.clone(), did, errored }
    }
}

impl measured::Entry for Entry {
    type Listed = Retriever;
    type Cases = ();

    const FILES: Documents = Documents { verb: "retrievers" };
    const HEAD: &str = HEAD;
    const COLUMNS: &[Column] = &[
        Column::Numbers("passed"),
        Column::Numbers("failed at must"),
        Column::Numbers("failed at should or may"),
        Column::Numbers("no verdict"),
        Column::Numbers("open"),
        Column::Numbers("not asked"),
    ];
    const ORDER: &str = "The table is sorted by the share of passed timelines, which leaves out \
        timelines that are open or not asked. The greatest share comes first.";

    fn subject(&self) -> &Subject {
        &self.subject
    }

    fn subject_mut(&mut self) -> &mut Subject {
        &mut self.subject
    }

    fn follow(&mut self, listed: &Retriever) {
        self.usage.clone_from(&listed.usage);
        self.clock.clone_from(&listed.clock);
    }

    fn rank(&self) -> usize {
        let totals = self.totals();
        millionths(1, 1) - millionths(totals.conforming(), totals.closed())
    }

    fn cells(&self) -> Vec<String> {
        let totals = self.totals();
        let cells = [
            totals.conforming(),
            self.failed(&["must"]),
            self.failed(&["should", "may"]),
            totals.get(OutcomeKind::Errored),
            totals.get(OutcomeKind::Open),
            totals.sum(&[OutcomeKind::NotAsked, OutcomeKind::Unanswered]),
        ];
        cells.map(|number| number.to_string()).to_vec()
    }

    fn facts(&self) -> String {
        format!(".\n\n{}\n\n{}", self.usage, self.clock)
    }

    fn section(&self, text: &mut String) {
        for (level, failing) in &self.failing {
            let count = failing.len();
            let summary = format!("{count} timelines failed or had no verdict at <em>{level}</em>");
            let lines = failing.iter().map(|Failing { requirement, case, did, errored }| {
                let error = if *errored { "error: " } else { "" };
                format!("- {requirement}, `{case}`: {error}{}\n", escaped(did))
            });
            folded(text, &summary, &lines.collect::<String>());
        }
    }
}

/// Escapes text so that Markdown shows it unchanged.
fn escaped(text: &str) -> String {
    text.replace('<', "\\<").replace('|', "\\|")
}

impl Document<Entry> {
    /// Makes the table of the requirements: the number of passed timelines for each retriever.
    pub(super) fn requirements(&self) -> String {
        let mut rows: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for entry in &self.measured {
            for requirement in entry.outcomes.get(SHOWN).into_iter().flat_map(BTreeMap::keys) {
                rows.entry(requirement).or_default();
            }
        }
        for (requirement, cells) in &mut rows {
            cells.extend(self.measured.iter().map(|entry| {
                let totals = entry.outcomes.get(SHOWN).and_then(|all| all.get(*requirement));
                conforming(totals.copied().unwrap_or_default())
            }));
        }
        let names = self.measured.iter().map(|entry| {
            let Subject { name, version, .. } = &entry.subject;
            format!(" {name} {version} |")
        });
        let mut text = format!(
            "\n## By requirement\n\nThe table shows how many timelines each retriever passed under RFC 9309. It \
             leaves out timelines that were not asked, and timelines that cannot fail.\n\n\
             | requirement |{}\n|---|{}\n",
            names.collect::<String>(),
            "--:|".repeat(self.measured.len()),
        );
        for (requirement, cells) in rows {
            if cells.iter().any(|cell| cell != NOT_ASKED) {
                let _ = writeln!(text, "| {requirement} | {} |", cells.join(" | "));
            }
        }
        text
    }
}

const HEAD: &str = "\
# The retrievers, measured

`cargo survey retrievers` writes this page; do not edit it by hand. A retriever fetches robots.txt for a crawler and
decides what the result means. Each retriever on this page has its own retrieval code and answers the
[timelines](../docs/timelines.md) of the suite. The retrievers of other projects are installed from their registries at pinned
versions. For each of them, an adapter (`survey/peers`) passes the questions to the retriever. An adapter has no
retrieval code of its own, so every failure comes from the retriever. The retrievers of this project (*ours*) are built
from this checkout. They send their requests directly to the runner, not through a proxy. They conform because they were
written with the suite. So their rows show only that they are asked every timeline.

A retriever of another project keeps its own HTTP client. This client uses a proxy on loopback, and the proxy asks the
runner for the answer of the network to each request. So the retriever itself handles redirects, content codings and
retries. The proxy shows every failure of the network (DNS, refused, reset, TLS, time-out) as a connection that ends
without a response.

The table counts the timelines of RFC 9309; `retrievers.json` has the counts for every edition. A timeline has *no
verdict* if the retriever raised an error instead of an answer. A timeline is *open* if every behaviour conforms, so it
cannot fail, and an error in it does not count. A timeline is *not asked* if time passes in it and the clock of the
retriever cannot be replaced.

The section of a retriever lists the timelines that failed or had no verdict. Each line shows the error, or what the
retriever did in each step: first its requests, then its verdict on each URL.

";

#[cfg(test)]
mod tests {
    use robots_conformance::report::TrialRecord;
    use robots_conformance::run::outcome::OutcomeKind;

    use super::{Entry, Failing};
    use crate::measured::{Document, Entry as _};

    fn document() -> Document<Entry> {
        let entry = |name: &str, outcomes: &str| {
            format!(
                r#"{{"name":"{name}","version":"1","language":"python","registry":"pypi","usage":"u","clock":"c",
                "outcomes":{{"rfc9309":{outcomes}}},"failing":{{"must":[
                {{"requirement":"A","case":"a","did":"step 1: <https://example.com/>"}},
                {{"requirement":"A","case":"b","did":"none","errored":true}}]}}}}"#
            )
        };
        let first = entry("x", r#"{"A":{"passed":1,"failed":1,"errored":1},"B":{"open":2}}"#);
        let second = entry("y", r#"{"A":{"not-asked":3},"C":{"passed":2}}"#);
        let text = format!(r#"{{"measured":[{first},{second}],"unmeasured":{{}}}}"#);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_row_counts_failures_and_errors_apart() {
        let document = document();
        assert_eq!(document.measured[0].cells(), ["1", "1", "0", "1", "2", "0"]);
        assert_eq!(document.measured[1].cells(), ["2", "1", "0", "0", "0", "3"]);
        assert!(document.measured[1].rank() < document.measured[0].rank());
    }

    #[test]
    fn the_table_by_requirement_leaves_out_what_was_not_asked() {
        let text = document().requirements();
        assert!(text.contains("| A | 1 of 3 | – |\n| C | – | 2 of 2 |\n"), "{text}");
        assert!(!text.contains("| B |"), "{text}");
    }

    #[test]
    fn a_url_is_shown_in_a_list() {
        let mut text = String::new();
        document().measured[0].section(&mut text);
        assert!(text.contains("- A, `a`: step 1: \\<https://example.com/>\n"), "{text}");
        assert!(text.contains("- A, `b`: error: none\n"), "{text}");
    }

    /// Only the outcome decides whether a timeline had no verdict, even if the retriever's own text looks like an
    /// error.
    #[test]
    fn an_error_is_known_by_its_outcome() {
        let mut trial = TrialRecord::new("x::a::b::rfc9309".to_owned(), OutcomeKind::Failed);
        trial.got = Some("error: written by the retriever".to_owned());
        let failed = Failing::of(&trial);
        assert_eq!(
            (failed.did.as_str(), failed.errored),
            ("error: written by the retriever", false)
        );
        trial.outcome = OutcomeKind::Errored;
        trial.detail = Some("question 9: sent\nthat".to_owned());
        let failed = Failing::of(&trial);
        assert_eq!((failed.did.as_str(), failed.errored), ("question 9: sent; that", true));
    }
}
