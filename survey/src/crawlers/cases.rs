//! The cases with which crawlers were measured, as survey/crawlers.cases.json stores them.
//!
//! The measurement writes the file, so that a page about its results needs neither the test server nor the code that
//! runs crawlers. In these records, the area is the cause of failures ([`causes`]), and the only expectation is the one
//! of the edition that the pages show.

use robots_conformance::report::{CaseRecord, Cases};
use robots_conformance::suite::Suite;

use super::causes;
use super::entry::is_verdict;
use crate::documents::Documents;
use crate::measured::SHOWN;

/// The file survey/crawlers.cases.json.
pub(crate) const FILE: Documents = Documents { verb: "crawlers.cases" };

/// Reduces the record of a live case to what the file stores, or returns `None` if the edition that the pages show
/// expects nothing.
pub(super) fn crawled(mut record: CaseRecord) -> Option<CaseRecord> {
    record.expect.retain(|expect| expect.profile.id() == SHOWN);
    causes::of(&record.requirement).clone_into(&mut record.area);
    (!record.expect.is_empty()).then_some(record)
}

/// Returns the cases about fetching, without the verdict cases.
pub(crate) fn fetching(cases: &[CaseRecord]) -> impl Iterator<Item = &CaseRecord> {
    cases.iter().filter(|case| !is_verdict(&case.id))
}

/// Returns the cases as reports show them, sorted by cause. The suite provides the texts of the requirements.
pub(super) fn records(cases: &[CaseRecord], suite: &Suite) -> Cases {
    let mut records = cases.to_vec();
    for record in &mut records {
        suite.says(&record.requirement).clone_into(&mut record.says);
    }
    records.sort_by_key(|record| causes::position(&record.area));
    records.into_iter().collect()
}
