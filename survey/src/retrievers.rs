//! The table of retrievers: the manifest `peers/retrievers.toml`, the row of a retriever, and its measurement.
//!
//! A retriever is a process that speaks the protocol, and it answers the timelines of every edition. The row shows one
//! edition ([`SHOWN`]). A timeline that ended with an error has no verdict, and is counted separately from wrong answers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use crate::manifests::{Listed, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::reports::ReportPage;
use crate::results::Tried;
use crate::suite::{Question, Questions, SHOWN, Suite};
use crate::table::{Failure, NOT_ASKED, Row, Survey, Table, millionths};

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
    /// The reports for the retriever's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Listed for Retriever {
    listed!("retriever", with an adapter);
}

fn is_shown(tried: &Tried<'_>) -> bool {
    tried.edition == SHOWN
}

impl Table for Retriever {
    const HEAD: &str = HEAD;
    const COLUMNS: &[&str] =
        &["passed", "failed at must", "failed at should or may", "no verdict", "open", "not asked"];
    const ORDER: &str = "The table is sorted by the share of passed timelines, which leaves out timelines that are \
        open or not asked. The greatest share comes first.";

    fn questions(suite: &Suite) -> &Questions {
        &suite.questions
    }

    fn is_asked(question: &Question) -> bool {
        question.ask == TIMELINES
    }

    fn charged(tried: &[Tried<'_>], _: &Survey) -> Vec<Vec<String>> {
        tried.iter().map(|tried| vec![tried.question.requirement.clone()]).collect()
    }

    fn rank(row: &Row<'_, Self>) -> usize {
        let [passed, all] = row.passed(is_shown);
        millionths(1, 1) - millionths(passed, all)
    }

    fn cells(row: &Row<'_, Self>, survey: &Survey) -> Vec<String> {
        let failed = |levels: &[&str]| {
            let failures = row.failures_under(SHOWN).filter(|it| it.failing.error.is_none());
            failures.filter(|it| levels.contains(&&*it.tried.question.level)).count()
        };
        let timelines = survey.suite.questions.values().filter_map(|editions| editions.get(SHOWN));
        let open = timelines.filter(|question| question.ask == TIMELINES && question.open);
        let undecided = row.tried.iter().filter(|it| is_shown(it) && !it.is_decided());
        let cells = [
            row.passed(is_shown)[0],
            failed(&["must"]),
            failed(&["should", "may"]),
            row.failures_under(SHOWN).filter(|it| it.failing.error.is_some()).count(),
            open.count(),
            undecided.count(),
        ];
        cells.map(|number| number.to_string()).to_vec()
    }

    fn excuse(_: &Row<'_, Self>, _: Failure<'_>, _: &Survey) -> Option<&'static str> {
        None
    }

    fn usage(&self) -> String {
        format!("{} {}", self.usage, self.clock)
    }

    fn summary(rows: &[Row<'_, Self>], _: &Survey) -> String {
        let mut requirements: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for tried in rows.iter().flat_map(|row| &row.tried).filter(|tried| is_shown(tried)) {
            requirements.entry(&tried.question.requirement).or_default();
        }
        for (requirement, cells) in &mut requirements {
            cells.extend(rows.iter().map(|row| {
                let is_it = |tried: &Tried<'_>| {
                    is_shown(tried) && tried.question.requirement == *requirement
                };
                match row.passed(is_it) {
                    [_, 0] => NOT_ASKED.to_owned(),
                    [passed, all] => format!("{passed} of {all}"),
                }
            }));
        }
        let names = rows.iter().map(|row| format!(" {} |", row.head.full_name()));
        let mut text = format!(
            "\n## By requirement\n\nThe table shows how many timelines each retriever passed under RFC 9309. It leaves \
             out timelines that were not asked, and timelines that cannot fail.\n\n| requirement |{}\n|---|{}\n",
            names.collect::<String>(),
            "--:|".repeat(rows.len()),
        );
        for (requirement, cells) in requirements {
            if cells.iter().any(|cell| cell != NOT_ASKED) {
                let _ = writeln!(text, "| {requirement} | {} |", cells.join(" | "));
            }
        }
        text
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

The table counts the timelines of RFC 9309. A timeline has *no verdict* if the retriever raised an error instead of an
answer. A timeline is *open* if every behaviour conforms, so it cannot fail, and an error in it does not count. A
timeline is *not asked* if time passes in it and the clock of the retriever cannot be replaced. The site
(`cargo survey site`) lists the timelines that failed or had no verdict, with what the retriever did in each step.

";
