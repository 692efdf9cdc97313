//! The table of parsers: the manifest `peers/peers.toml`, the row of a parser, and its measurement.
//!
//! A parser is asked every question of the suite. The row counts verdict questions for parsers under two editions. Start
//! at [`Peer::standing`], which decides whether a failure counts against the parser, and if not, why.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::claims::{Claim, Named};
use crate::manifests::{Listed, listed};
use crate::measure::{Answers, Measure, Setting};
use crate::reports::ReportPage;
use crate::results::{Failing, Outcome, Tried};
use crate::suite::{Question, Questions, SHOWN, Suite};
use crate::table::{Failure, NOT_ASKED, Row, Survey, Table, charged_by_faults, millionths};

/// The editions that the ranking uses.
const RANKED: [&str; 2] = [SHOWN, "google-2022"];

/// The kind of question that the ranking counts, because every parser can answer it.
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
    /// The editions by which the parser is judged.
    editions: Vec<String>,
    claims: Claim,
    /// The reason why the parser counts as old, with the source; missing if it is in current use.
    #[serde(default)]
    old: Option<String>,
    /// Whether this project wrote the parser.
    #[serde(default)]
    ours: bool,
    /// The reports for the parser's maintainers.
    #[serde(default)]
    reports: Vec<ReportPage>,
}

impl Listed for Peer {
    listed!("peer", with an adapter);

    fn old(&self) -> Option<&str> {
        self.old.as_deref()
    }
}

/// States whether a failure counts against a parser (`Charged`), and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Charged,
    /// The document that the parser names does not contain the requirement, or decides it differently.
    OutsideItsClaims,
    /// The parser gave no answer in time. No document states a time limit.
    Late,
    /// The parser is not judged by the edition; its answers are only compared.
    Compared,
}

impl Peer {
    fn standing(row: &Row<'_, Self>, failure: Failure<'_>, survey: &Survey) -> Standing {
        let Failure { tried, failing, charged } = failure;
        let Self { editions, claims, .. } = row.listed;
        if !editions.iter().any(|judged| judged == tried.edition) {
            return Standing::Compared;
        }
        if failing.late {
            return Standing::Late;
        }
        // A failure under RFC 9309 does not count if the parser names Google's page or library, and passes the same
        // question under the edition of that page.
        let is_by_the_rfc_alone = tried.edition == SHOWN
            && claims.edition_of_google().is_some_and(|google| !row.fails(tried.name, google));
        let verdict = failing.answer.as_deref().and_then(|answer| answer.lines().next());
        let is_like_the_library = claims.document == Some(Named::GoogleLibrary)
            && verdict.is_some()
            && verdict == survey.suite.library.get(tried.name).map(String::as_str);
        let is_excluded = || charged.iter().any(|id| claims.excludes(id, &tried.question.case));
        if is_by_the_rfc_alone || is_like_the_library || is_excluded() {
            Standing::OutsideItsClaims
        } else {
            Standing::Charged
        }
    }
}

/// Returns whether the ranking counts a question.
fn is_ranked(tried: &Tried<'_>) -> bool {
    tried.question.ask == VERDICTS && RANKED.contains(&tried.edition)
}

impl Table for Peer {
    const HEAD: &str = HEAD;
    const COLUMNS: &[&str] =
        &["claims ", "RFC 9309", "Google 2022", "wrong", "outside its claims", "no answer"];
    const ORDER: &str = "The table is sorted by the share of conforming answers in both editions together. The \
        greatest share comes first.";

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

    fn claim(&self) -> Option<&Claim> {
        Some(&self.claims)
    }

    fn rank(row: &Row<'_, Self>) -> usize {
        let [conforming, asked] = row.passed(is_ranked);
        millionths(1, 1) - millionths(conforming, asked)
    }

    fn cells(row: &Row<'_, Self>, survey: &Survey) -> Vec<String> {
        let share = |edition: &str| match row
            .passed(|tried| tried.edition == edition && is_ranked(tried))
        {
            [_, 0] => NOT_ASKED.to_owned(),
            [conforming, asked] => percent(conforming, asked),
        };
        let ranked = row.failures().filter(|failure| is_ranked(failure.tried));
        let standings: Vec<Standing> =
            ranked.map(|failure| Self::standing(row, failure, survey)).collect();
        let count = |standing| standings.iter().filter(|it| **it == standing).count();
        let outside = count(Standing::OutsideItsClaims);
        let wrong = count(Standing::Charged) + outside;
        let is_unanswered = |tried: &&Tried<'_>| {
            is_ranked(tried) && tried.outcome == Outcome::Undecided("unanswered")
        };
        let unanswered = row.tried.iter().filter(is_unanswered).count();
        let mut cells = vec![row.listed.claims.title().to_owned()];
        cells.extend(RANKED.map(share));
        cells.extend([wrong, outside, unanswered].map(|number| number.to_string()));
        cells
    }

    fn excuse(row: &Row<'_, Self>, failure: Failure<'_>, survey: &Survey) -> Option<&'static str> {
        match Self::standing(row, failure, survey) {
            Standing::Charged => None,
            Standing::OutsideItsClaims => Some("outside its claims"),
            Standing::Late => Some("no answer within a minute"),
            Standing::Compared => Some("not judged by this edition"),
        }
    }

    fn usage(&self) -> String {
        self.usage.clone()
    }
}

/// Renders a share. It is rounded down, so that only a parser without failures has 100 %.
fn percent(conforming: usize, asked: usize) -> String {
    let tenths = conforming * 1000 / asked.max(1);
    format!("{}.{} %", tenths / 10, tenths % 10)
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
# The peers, measured

`cargo survey peers` writes this page; do not edit it by hand. A *peer* is a parser of another project. Our own parser is
measured in the same way and marked *(ours)*. The version of each peer is pinned. A small program, the adapter
(`survey/peers`), calls the peer as the peer's documentation describes, and passes every question of the suite to it. The
site (`cargo survey site`) lists each wrong answer with its file.

A *verdict* question asks whether a crawler may fetch a URL under a robots.txt file. The columns *RFC 9309* and *Google
2022* show the share of a peer's answers to verdict questions that conform to the edition. Only verdict questions count
in the share, because every peer can answer this kind of question. If two passages of an edition disagree, an answer
that follows one of them conforms. The share leaves out questions to which every answer conforms, questions about
requirements for crawlers, and questions that the peer cannot answer, for example about a crawler with several product
tokens. *No answer* counts the verdict questions that the peer cannot answer. If a case was added or changed after the
day of the measurement, its questions count as not asked.

*Claims* shows the document that the manual, README or source of the peer names. *Wrong* counts the verdict questions
that the peer answers wrongly or with an error under RFC 9309. If the peer promises the behaviour of Google's page or
library, *wrong* also counts these questions under Google's edition of 2022. In *wrong* and in the two shares, a failure
of a requirement at the level *should* counts like a failure at the level *must*. If a peer does not answer a question
within a minute, the question does not count as wrong, because no document states a time limit. But the share counts it
as an answer that does not conform. Every peer is also asked about Google's edition of 2022, for comparison. If the peer
is not judged by this edition, its answers count only in the column *Google 2022*.

A failure counts under the requirement that the peer violates. Usually this is the requirement of the case. But if a
peer fails every case (at least three) about the fault of a
[reader with one fault](../conformance/faults/src/fault.rs), its failures in other cases that this reader also fails
count under the requirement of the fault. For example, a case about another requirement may have a rule with a wildcard.
If a peer without wildcards fails this case, the failure counts under the requirement about wildcards. If a peer does
not know allow lines, such failures count under PREC-LENGTH, because a longer allow rule does not win over a shorter
disallow rule.

A failure is *outside the claims* of a peer if the document that the peer names does not contain the violated
requirement, or contradicts it. For example, the documents of 1994 and 1996 have no wildcards. If a peer names Google's
page or library, a failure under RFC 9309 is also outside its claims if the peer passes the same question under
google-2022, or under google-2018 if the peer names the page before 2019. If a peer is a port of Google's published
library, a failure is also outside its claims if the library gives the same answer. The column *outside its claims*
counts these failures. They are a part of *wrong*. If a peer names no document, no failure is outside its claims.

";
