//! The table of parsers: the manifest `peers/peers.toml`, the row of a parser, and its measurement.
//!
//! A parser is asked every question of the suite.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, Newest, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::results::{Failing, Outcome, Tried};
use crate::row::{Row, Survey, Table};
use crate::suite::{Question, Questions, Suite};
use crate::table::charged_by_faults;

/// The kind of question that every parser can answer.
const VERDICTS: &str = "parser verdict";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    name: String,
    language: String,
    registry: String,
    packages: BTreeMap<String, String>,
    adapter: String,
    usage: String,
    claims: Claim,
    /// The reason why the parser counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    old: Option<String>,
    /// Whether this project wrote the parser.
    #[serde(default)]
    ours: bool,
    /// The newest release in the registries; missing for software of this project.
    newest: Option<Newest>,
    /// The reason why an older release is measured, if this is not the newest one.
    #[serde(default)]
    older: Option<String>,
}

impl Listed for Peer {
    listed!("peer", with an adapter);

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }
}

impl Table for Peer {
    const HEAD: &str = HEAD;

    fn questions(suite: &Suite) -> &Questions {
        &suite.questions
    }

    fn is_asked(question: &Question) -> bool {
        !question.ask.starts_with("retriever ")
    }

    fn charged(tried: &[Tried<'_>], survey: &Survey) -> Vec<Vec<String>> {
        let id = |tried: &Tried<'_>| Some(tried.question.case.clone());
        charged_by_faults(tried, survey, id, |tried, _| vec![tried.question.requirement.clone()])
    }

    fn claim(&self) -> &Claim {
        &self.claims
    }

    fn usage(&self) -> String {
        format!("{} {}", self.usage, self.release())
    }
}

impl Measure for Peer {
    fn measure(&self, setting: &Setting<'_, Self>) -> Result<Answers, String> {
        let (version, trials) = setting.asked(self, &self.packages)?;
        let questions = &setting.survey.suite.questions;
        let mut answers = Answers { version, ..Answers::default() };
        let mut unanswered = BTreeSet::new();
        let mut conforms = false;
        for trial in trials.iter().filter(|trial| !trial.open) {
            let name = trial.question();
            let Some(question) = questions.get(&name).and_then(|it| it.get(&trial.edition)) else {
                continue;
            };
            match trial.outcome.as_str() {
                "passed" | "contested" | "failed" | "errored" => {
                    answers.kinds.insert(question.ask.clone());
                    conforms |= matches!(&*trial.outcome, "passed" | "contested")
                        && question.ask == VERDICTS;
                }
                outcome => {
                    unanswered.insert((question.ask.clone(), outcome.to_owned(), name));
                }
            }
            answers.add_failure(trial, Vec::new());
        }
        // A broken adapter must not look like a parser that gets everything wrong.
        if !conforms {
            return Err("no verdict conforms; the adapter is probably broken".to_owned());
        }
        for (ask, outcome, name) in unanswered {
            if answers.kinds.contains(&ask) {
                answers.undecided.entry(outcome).or_default().insert(name);
            }
        }
        Ok(answers)
    }
}

/// Returns the names of the suite's trials that a parser failed, as edition and question, without those that it did not
/// answer in time.
pub(crate) fn failed<'r>(row: &'r Row<'_, Peer>) -> impl Iterator<Item = (&'r str, &'r str)> {
    let in_time =
        |tried: &&Tried<'_>| matches!(tried.outcome, Outcome::Failed(Failing { late: false, .. }));
    row.tried.iter().filter(in_time).map(|tried| (tried.edition, tried.name))
}

const HEAD: &str = "\
# The parsers, measured

`cargo survey peers` writes this page; do not edit it by hand. A *peer* is a parser of another project. Our own parser is
measured in the same way. The version of each peer is pinned. A small program, the adapter (`survey/peers`), calls the peer
as the peer's documentation describes, and passes every question of the suite to it. A question that the interface of the
peer cannot express is not asked. If a case was added or changed after the day of the measurement, its questions count as
not asked.

![The parsers: requirements kept, open and broken](peers.svg)

";
