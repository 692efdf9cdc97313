//! The result of one trial: [`TrialRecord`].
//!
//! A question to an engine and a crawl have the same type of record, so every format shows both.
//! [`TrialRecord::of_case`] makes the parts that every trial has, and [`TrialRecord::of`] makes the record of a
//! question. The record of a crawl also has [`Finding`]s. Stored reports of older versions must stay readable, so a new
//! field needs a default value.

use crate::engine::Profile;
use crate::kind::Role;
use serde::{Deserialize, Serialize};

use crate::kind;
use crate::run::Finished;
use crate::run::outcome::{Outcome, OutcomeKind};
use crate::run::trial::Trial;
use crate::suite::case::{Case, Expect};
use crate::suite::requirement::Level;
use robots_console::render;

/// The result of one trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct TrialRecord {
    /// The full name: `subject::area::case::edition`, with `::member` if the case has lists.
    pub name: String,
    /// The area of the case.
    pub area: String,
    /// The case's id.
    pub case: String,
    /// The edition's id.
    pub edition: String,
    /// The name of the member, if the case has lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The requirement's id.
    pub requirement: String,
    /// The role that the subject needs for the trial, which is `parser`, `crawler` or `retriever`.
    pub role: String,
    /// The level, which is `must`, `stated`, `should` or `may`. Under the observed profile, it is `observed`. For a
    /// failed crawl, it is the strongest level of the violated requirements.
    pub level: String,
    /// The level of the case, if a failed crawl has another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_level: Option<String>,
    /// The section that states the requirement.
    pub source: String,
    /// The row of the edition's table that the expectation is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The place of the case: the file below `spec-cases/` and the line.
    pub place: String,
    /// The outcome.
    pub outcome: OutcomeKind,
    /// Whether every well-formed answer conforms, so that the trial cannot fail.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
    /// The conforming answers.
    pub expected: String,
    /// The subject's answer. For a crawl that fails or deviates, this text has a sentence about each violation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// An engine's reasons, or the access log of a crawl that fails or deviates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The text of the outcome: a reading, a reason, a note or an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The `id` of the question in the protocol, if a process was asked, gave no usable answer, and no deviations entry
    /// covers this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question_id: Option<u64>,
    /// The version of the suite that added the question, if the trial failed or errored and an earlier version did not
    /// ask it. After an upgrade of the suite, such a failure need not be a new fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The findings of a crawl: violations and advice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The duration of the trial in microseconds. For a crawl, this is the time from the start of the test server to
    /// the last request, or to the answer to this request if it was answered.
    pub microseconds: u64,
}

impl Finding {
    /// Makes a finding from the name of the origin, the action of the crawler, and a sentence about this action. The
    /// finding has no level yet, so it is advice.
    pub fn new(
        origin: impl Into<String>,
        what: impl Into<String>,
        sentence: impl Into<String>,
    ) -> Self {
        Self {
            level: None,
            requirement: String::new(),
            source: String::new(),
            what: what.into(),
            sentence: sentence.into(),
            origin: origin.into(),
            page: None,
        }
    }
}

impl TrialRecord {
    /// Makes the record of a trial with this name and outcome. The role is *parser*, and the level is *must*. All other
    /// texts are empty.
    #[must_use]
    pub fn new(name: String, outcome: OutcomeKind) -> Self {
        Self {
            name,
            area: String::new(),
            case: String::new(),
            edition: String::new(),
            member: None,
            requirement: String::new(),
            role: Role::Parser.id().to_owned(),
            level: Level::Must.id().to_owned(),
            case_level: None,
            source: String::new(),
            row: None,
            place: String::new(),
            outcome,
            open: false,
            expected: String::new(),
            got: None,
            evidence: None,
            detail: None,
            question_id: None,
            since: None,
            findings: Vec::new(),
            microseconds: 0,
        }
    }

    /// Makes the record of a question to an engine.
    #[must_use]
    pub fn of(done: &Finished, engine: &str) -> Self {
        let evidence = done.answer.as_ref().and_then(kind::evidence).map(render::message);
        let question_id = match done.outcome {
            Outcome::Errored { id, .. } => id,
            _ => None,
        };
        Self {
            got: done.answer.as_ref().map(kind::answer_text),
            evidence,
            detail: done.outcome.detail().map(str::to_owned),
            question_id,
            microseconds: u64::try_from(done.took.as_micros()).unwrap_or(u64::MAX),
            ..Self::of_question(&done.trial, engine, done.outcome.kind())
        }
    }

    /// Makes the record of a question to an engine from the outcome alone, without the answer.
    fn of_question(trial: &Trial, engine: &str, outcome: OutcomeKind) -> Self {
        let (name, profile, expect) = (trial.full_name(engine), trial.profile(), trial.expect());
        Self {
            member: trial.member().name.clone(),
            role: trial.role().id().to_owned(),
            level: trial.level_id().to_owned(),
            open: trial.is_open(),
            expected: trial.conforming().text(),
            ..Self::of_case(name, outcome, trial.case(), profile, Some(expect))
        }
    }

    /// Makes the record of a trial, without the parts that differ between questions and crawls. `name` is the full
    /// name. The role is *parser* until the caller sets another one.
    #[must_use]
    pub fn of_case<F, C>(
        name: String,
        outcome: OutcomeKind,
        case: &Case<F, C>,
        profile: Profile,
        expect: Option<&Expect<C>>,
    ) -> Self {
        let mut record = Self {
            area: case.area.clone(),
            case: case.id.clone(),
            edition: profile.id().to_owned(),
            requirement: case.requirement.clone(),
            place: case.place.to_string(),
            ..Self::new(name, outcome)
        };
        if let Some(expect) = expect {
            expect.level.id().clone_into(&mut record.level);
            record.source.clone_from(&expect.source);
            record.row.clone_from(&expect.row);
        }
        record
    }

    /// Returns the name of the question, which is the same for every subject and edition: the case's id, with `::member`
    /// if the case has lists.
    #[must_use]
    pub fn question(&self) -> String {
        match &self.member {
            Some(member) => format!("{}::{member}", self.case),
            None => self.case.clone(),
        }
    }

    /// Returns the name without the subject, as the suite writes it.
    #[must_use]
    pub fn name_without(&self, subject: &str) -> &str {
        self.name
            .strip_prefix(subject)
            .and_then(|name| name.strip_prefix("::"))
            .unwrap_or(&self.name)
    }

    /// Returns the sentence about a question that is new in the suite.
    #[must_use]
    pub fn new_case(&self) -> Option<String> {
        self.since.as_ref().map(|version| format!("the suite has it since version {version}"))
    }

    /// Returns the text of the outcome. If a process gave no usable answer, the text begins with the `id` of the
    /// question.
    #[must_use]
    pub fn numbered_detail(&self) -> Option<String> {
        let detail = self.detail.as_ref()?;
        Some(match self.question_id {
            Some(id) => format!("question {id}: {detail}"),
            None => detail.clone(),
        })
    }

    /// Returns whether the trial counts against the subject. An error on an open trial does not, because every
    /// well-formed answer conforms. A failed trial always counts, even if the trial is open. An open trial can fail
    /// only because its entry in the deviations file does not apply.
    #[must_use]
    pub fn counts_against(&self) -> bool {
        self.outcome.is_failure() && !(self.open && self.outcome == OutcomeKind::Errored)
    }

    /// Returns the number of findings that are advice.
    #[must_use]
    pub fn advice(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level.is_none()).count()
    }
}

/// A finding of a crawl: a violation, or advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub struct Finding {
    /// The level of the requirement that the crawler violated. Advice has no level, because no document requires it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The requirement that the crawler violated, or that the advice is about.
    pub requirement: String,
    /// The section that states the requirement. It is empty for advice.
    pub source: String,
    /// The action or omission of the crawler, for example `fetched /private/page of main`. The text is the same in
    /// every run, so a deviations file can state it.
    pub what: String,
    /// A sentence about the action or omission. For a fetched page, the sentence also states what the crawler knew
    /// about robots.txt at that time, and since when.
    pub sentence: String,
    /// The name of the origin that the finding concerns.
    pub origin: String,
    /// The path and query of the page, if the finding is about a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}
