//! How one trial ended: [`TrialRecord`].

use serde::{Deserialize, Serialize};

use crate::kind;
use crate::render;
use crate::run::Finished;
use crate::run::outcome::OutcomeKind;
use crate::suite::requirement::Level;

/// How one trial ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TrialRecord {
    /// The full name: `subject::area::case::edition`, with `::member` if the case has lists.
    pub name: String,
    /// The area of the case.
    pub area: String,
    /// The case's id.
    pub case: String,
    /// The edition's id.
    pub edition: String,
    /// The member of the case's lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// The requirement's id.
    pub requirement: String,
    /// To whom the requirement is addressed: `parser` or `crawler`.
    pub role: String,
    /// `must`, `should` or `may`; `observed` under the observed profile. A failed crawl has the strongest level that it
    /// offends.
    pub level: String,
    /// The section that states it.
    pub source: String,
    /// The row of the edition's table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The file below `spec-cases/` and the line.
    pub place: String,
    /// How it ended.
    pub outcome: OutcomeKind,
    /// Whether nothing could have been wrong.
    #[serde(default, skip_serializing_if = "is_false")]
    pub open: bool,
    /// What conforms.
    pub expected: String,
    /// What the subject answered or did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// An engine's own reasons; of a crawl that failed, its access log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The reading, the reason, the note or the error that belongs to the outcome.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What was wrong with a crawl, and what could have been better.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// How long it took.
    pub microseconds: u64,
}

impl TrialRecord {
    /// Makes the record of a question that an engine was asked.
    #[must_use]
    pub fn of(done: &Finished, engine: &str) -> Self {
        let (trial, case, expect) = (&done.trial, done.trial.case(), done.trial.expect());
        let evidence = done.answer.as_ref().and_then(kind::evidence).map(render::message);
        Self {
            name: trial.full_name(engine),
            area: case.area.clone(),
            case: case.id.clone(),
            edition: trial.profile().id().to_owned(),
            member: trial.member().name.clone(),
            requirement: case.requirement.clone(),
            role: trial.role().id().to_owned(),
            level: trial.level_id().to_owned(),
            source: expect.source.clone(),
            row: expect.row.clone(),
            place: case.place.to_string(),
            outcome: done.outcome.kind(),
            open: trial.is_open(),
            expected: trial.conforming().text(),
            got: done.answer.as_ref().map(kind::answer_text),
            evidence,
            detail: done.outcome.detail().map(str::to_owned),
            findings: Vec::new(),
            microseconds: u64::try_from(done.took.as_micros()).unwrap_or(u64::MAX),
        }
    }

    /// Returns the name without the subject, as the suite names the trial.
    #[must_use]
    pub fn own_name(&self, subject: &str) -> &str {
        self.name
            .strip_prefix(subject)
            .and_then(|name| name.strip_prefix("::"))
            .unwrap_or(&self.name)
    }

    /// Returns how many findings are advice.
    #[must_use]
    pub fn advice(&self) -> usize {
        self.findings.iter().filter(|finding| finding.level.is_none()).count()
    }
}

/// One thing that was wrong with a crawl, or could have been better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Finding {
    /// The level of the requirement that it offends; absent for advice, which no sentence of a document demands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<Level>,
    /// The requirement that it offends.
    pub requirement: String,
    /// The section that states it; empty for advice.
    pub source: String,
    /// What the crawler did or left out, the same however often it is measured: `fetched /private/page of main`.
    pub what: String,
    /// What happened, with what the crawler knew then and how long it had known it.
    pub sentence: String,
    /// The name of the origin that it is about.
    pub origin: String,
    /// The path and query of the page that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
