//! The page of the crawlers: the failed cases of each crawler, by cause, with its actions.
//!
//! The page is a [`Page`] of the HTML report. survey/crawlers.json names only the failed and the undecided cases. So the
//! page counts failed and undecided cases for each cause, and passed cases only in total. If a case is missing
//! from a crawler's entry, the crawler passed it, every behaviour conforms, or the crawler was not tested with it.

use robots_conformance::report::{CaseRecord, Cases, Totals, TrialRecord};
use robots_conformance::robots_core::engine::Role;
use robots_conformance::run::Report;
use robots_conformance::run::outcome::OutcomeKind;
use robots_conformance::suite::Suite;
use robots_conformance::suite::requirement::Level;
use robots_conformance_cli::report::html::{Page, Subject, Words};
use robots_conformance_cli::report::record::RunRecord;

use super::cases;
use super::causes;
use super::entry::Entry;
use crate::measured::{Document, SHOWN};

const LEAD: &str = "Each crawler ran against a test server on the same machine, and its requests were judged by \
    RFC 9309. The numbers count failed cases. The first column also counts passed cases, and every \
    cell also counts undecided cases. If a case does not name a crawler, the crawler passed the \
    case, every behaviour conforms, or the crawler was not tested with the case.";

impl Document<Entry> {
    /// Makes the page, and the records of its cases.
    pub(crate) fn page(&self, crawled: &[CaseRecord], suite: &Suite) -> (Page, Cases) {
        let cases = cases::records(crawled, suite);
        let subjects = self.measured.iter().map(|entry| Subject {
            passed: Some(entry.passed()),
            ..entry.subject.of_page(entry.record(&cases))
        });
        let page = Page {
            title: "The crawlers, measured".to_owned(),
            subjects: subjects.collect(),
            unmeasured: self.without_result(),
            lead: Some(LEAD.to_owned()),
            words: Words::CRAWLERS,
            counts_failures: true,
            ..Page::default()
        };
        (page, cases)
    }
}

impl Entry {
    /// Makes the record of the failed and undecided cases that are still in the suite.
    fn record(&self, cases: &Cases) -> RunRecord {
        let name = self.subject.marked();
        let trials = cases.iter().filter_map(|case| {
            let (outcome, level) = self.outcome(&case.id)?;
            let expect = case.expect(SHOWN)?;
            let full = format!("{name}::{}::{}::{SHOWN}", case.area, case.id);
            let mut trial = TrialRecord::new(full, outcome);
            trial.area.clone_from(&case.area);
            trial.case.clone_from(&case.id);
            SHOWN.clone_into(&mut trial.edition);
            trial.requirement.clone_from(&case.requirement);
            Role::Crawler.id().clone_into(&mut trial.role);
            level.id().clone_into(&mut trial.level);
            trial.source.clone_from(&expect.source);
            trial.place.clone_from(&case.place);
            trial.expected = expect.expected.concat();
            trial.got = self.did(&case.id).map(|did| did.replace("; ", "\n"));
            Some(trial)
        });
        let trials = trials.collect();
        let mut report = Report::new(name.clone(), trials);
        report.is_selection = true;
        let mut record = RunRecord::from(report);
        // The report lists every cause for every crawler, in the same order.
        if let Some(any) = record.areas.first().cloned() {
            let areas = causes::all().map(|cause| {
                let known = record.areas.iter().find(|area| area.area == cause);
                known.cloned().unwrap_or_else(|| {
                    let mut area = any.clone();
                    cause.clone_into(&mut area.area);
                    area.totals = Totals::default();
                    area
                })
            });
            record.areas = areas.collect();
        }
        record
    }

    /// Returns the outcome and the level of a case that failed or was not decided.
    fn outcome(&self, case: &str) -> Option<(OutcomeKind, Level)> {
        if self.failed_at(case, Level::Must) {
            return Some((OutcomeKind::Failed, Level::Must));
        }
        if self.failed_at(case, Level::Should) {
            return Some((OutcomeKind::Failed, Level::Should));
        }
        let kinds = [OutcomeKind::Inconclusive, OutcomeKind::Waited, OutcomeKind::NotRun];
        let kind = kinds.into_iter().find(|kind| self.is_undecided(case, kind.id()))?;
        Some((kind, Level::Must))
    }
}
