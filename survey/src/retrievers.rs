//! The table of retrievers: the manifest `peers/retrievers.toml`, the row of a retriever, and its measurement.
//!
//! A retriever is a process that speaks the protocol, and it answers the timelines.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::claims::Claim;
use crate::manifests::{Listed, Newest, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::results::Tried;
use crate::row::{Survey, Table};
use crate::suite::{Question, Questions, Suite};

/// The kind of question that a retriever answers.
const TIMELINES: &str = "retriever timeline";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retriever {
    name: String,
    /// Whether the retriever is a part of this project.
    #[serde(default)]
    ours: bool,
    language: String,
    registry: String,
    packages: BTreeMap<String, String>,
    adapter: String,
    usage: String,
    /// The way in which the retriever gets the time of a timeline, or the reason why this is not possible.
    clock: String,
    claims: Claim,
    /// The newest release in the registries; missing for software of this project.
    newest: Option<Newest>,
    /// The reason why an older release is measured, if this is not the newest one.
    #[serde(default)]
    older: Option<String>,
}

impl Listed for Retriever {
    listed!("retriever", with an adapter);
}

impl Table for Retriever {
    const HEAD: &str = HEAD;

    fn questions(suite: &Suite) -> &Questions {
        &suite.questions
    }

    fn is_asked(question: &Question) -> bool {
        question.ask == TIMELINES
    }

    fn charged(tried: &[Tried<'_>], _: &Survey) -> Vec<Vec<String>> {
        tried.iter().map(|tried| vec![tried.question.requirement.clone()]).collect()
    }

    fn claim(&self) -> &Claim {
        &self.claims
    }

    fn usage(&self) -> String {
        format!("{} {} {}", self.usage, self.clock, self.release())
    }
}

impl Measure for Retriever {
    fn measure(&self, setting: &Setting<'_, Self>) -> Result<Answers, String> {
        let (version, trials) = setting.asked(self, &self.packages)?;
        let mut answers = Answers { version, ..Answers::default() };
        let questions = &setting.survey.suite.questions;
        for trial in trials.iter().filter(|trial| !trial.open) {
            let name = trial.question();
            let question = questions.get(&name).and_then(|it| it.get(&trial.edition));
            if question.is_none_or(|question| question.ask != TIMELINES) {
                continue;
            }
            if ["unanswered", "not-asked"].contains(&&*trial.outcome) {
                answers.undecided.entry(trial.outcome.clone()).or_default().insert(name);
            }
            answers.kinds.insert(TIMELINES.to_owned());
            answers.add_failure(trial, Vec::new());
        }
        // A retriever's actions have a line for each step.
        for (_, failing) in &mut answers.failures {
            for text in [&mut failing.answer, &mut failing.error].into_iter().flatten() {
                *text = text.replace('\n', "; ");
            }
        }
        Ok(answers)
    }
}

const HEAD: &str = "\
# The retrievers, measured

`cargo survey retrievers` writes this page; do not edit it by hand. A retriever fetches robots.txt for a crawler and
decides what the result means. Each retriever on this page has its own retrieval code and answers the
[timelines](../docs/timelines.md) of the suite. The retrievers of other projects are installed from their registries at
pinned versions. For each of them, an adapter (`survey/peers`) passes the questions to the retriever. An adapter has no
retrieval code of its own, so every failure comes from the retriever. The retrievers of this project (*ours*) are built
from this checkout. They send their requests directly to the runner, not through a proxy. They conform because they were
written with the suite. So their rows show only that they are asked every timeline.

A retriever of another project keeps its own HTTP client. This client uses a proxy on loopback, and the proxy asks the
runner for the answer of the network to each request. So the retriever itself handles redirects, content codings and
retries. The proxy shows every failure of the network (DNS, refused, reset, TLS, time-out) as a connection that ends
without a response.

A timeline is not asked if time passes in it and the clock of the retriever cannot be replaced.

![The retrievers: requirements kept, open and broken](retrievers.svg)

";
