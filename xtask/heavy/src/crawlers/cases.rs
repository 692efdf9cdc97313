//! The cases with which crawlers were measured, as docs/crawlers.cases.json stores them: [`Crawled`].
//!
//! The measurement writes the file, so that a page about its results needs neither the test server nor the code that
//! runs crawlers.

use robots_conformance::report::{CaseRecord, Cases, ExpectRecord, FileRecord, MemberRecord};
use robots_conformance::robots_core::{Edition, Profile};
use robots_conformance::suite::Suite;
use serde::{Deserialize, Serialize};

use super::causes;
use super::entry::{SHOWN, is_verdict};
use crate::documents::Documents;

/// The file docs/crawlers.cases.json.
pub(crate) const FILE: Documents = Documents { verb: "crawlers.cases" };

/// A live case, with the expectation of the edition that the pages show.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Crawled {
    pub(crate) id: String,
    pub(crate) requirement: String,
    pub(crate) about: String,
    place: String,
    /// The sites, as YAML.
    sites: String,
    question: String,
    expected: String,
    level: String,
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Crawled {
    /// Makes a case from its record, or returns `None` if the edition that the page shows expects nothing.
    #[cfg(feature = "measure")]
    pub(super) fn of(record: &CaseRecord) -> Option<Self> {
        let expect = record.expect(SHOWN)?;
        Some(Self {
            id: record.id.clone(),
            requirement: record.requirement.clone(),
            about: record.about.clone(),
            place: record.place.clone(),
            sites: record.files.first().map(|file| file.text.clone()).unwrap_or_default(),
            question: record.members.first()?.question.clone(),
            expected: expect.expected.first()?.clone(),
            level: expect.level.clone(),
            source: expect.source.clone(),
            why: expect.why.clone(),
        })
    }

    /// Returns whether the case is one of the suite's verdicts.
    pub(crate) fn is_verdict(&self) -> bool {
        is_verdict(&self.id)
    }

    /// Returns the case as reports show it. The report has causes of failures in place of areas.
    fn record(&self, suite: &Suite) -> CaseRecord {
        let edition = SHOWN.parse::<Edition>().expect("the edition that is shown exists");
        let mut expect = ExpectRecord::new(Profile::Edition(edition), self.level.clone());
        expect.source.clone_from(&self.source);
        expect.why.clone_from(&self.why);
        expect.expected = vec![self.expected.clone()];
        expect.settled = vec![true];
        let mut member = MemberRecord::new(self.question.clone());
        member.file = Some(0);
        let mut record = CaseRecord::default();
        record.id.clone_from(&self.id);
        causes::of(&self.requirement).clone_into(&mut record.area);
        record.requirement.clone_from(&self.requirement);
        record.says = suite
            .requirement(&self.requirement)
            .map_or_else(String::new, |requirement| requirement.says.trim().to_owned());
        record.about.clone_from(&self.about);
        record.place.clone_from(&self.place);
        record.files = vec![FileRecord::new("the sites", self.sites.clone())];
        record.members = vec![member];
        record.expect = vec![expect];
        record
    }
}

/// Returns the cases as reports show them, sorted by cause.
pub(super) fn records(cases: &[Crawled], suite: &Suite) -> Cases {
    let mut records: Vec<CaseRecord> = cases.iter().map(|case| case.record(suite)).collect();
    records.sort_by_key(|record| causes::position(&record.area));
    records.into_iter().collect()
}
