//! Reads the live cases and reports mistakes and contradictions in them.
//!
//! Start at [`load_file()`]. The suite's loader reads the keys that every case has and the keys that `raw.rs` defines,
//! and reports each wrong key with its place. [`Reading::plan()`] checks the rest and makes a [`CrawlPlan`]. If no case
//! has a mistake, this module also looks for gaps: every requirement that crawls must test, except [`ASKED`], needs a
//! case or a check in each edition that states the requirement.

use std::collections::BTreeMap;

use robots_conformance::problem::{Place, Problem, Problems};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case;
use robots_conformance::suite::load;
use robots_conformance::suite::requirement::{Level, Statement};
use robots_core::Edition;

use crate::case::{ASKED, Case, Check, CrawlPlan, Expectation, Follows, Kind, sections};
use crate::probes::{Page, Probes};
use crate::raw;
use crate::served::NEUTRAL;
use crate::start::HUB;

/// The suite's file of cases, below `spec-cases/`.
const FILE: &str = "live/crawling.yaml";

/// The id of the requirement that redirects of robots.txt are followed.
const REDIRECTS: &str = "FETCH-3XX";

/// Reads the embedded cases. They refer to requirements of the embedded suite, so `suite` must contain these
/// requirements.
///
/// # Errors
/// Returns the mistakes in the file: every wrong key, but only the first mistake of a list.
pub fn load(suite: &Suite) -> Result<Vec<Case>, Problems> {
    load_file(suite, FILE, robots_spec_cases::file(FILE).unwrap_or_default())
}

/// Reads cases from the text of a case file. The cases refer to requirements of `suite`.
///
/// # Errors
/// Returns the mistakes in the text, as [`load()`] does.
pub fn load_file(suite: &Suite, file: &str, text: &str) -> Result<Vec<Case>, Problems> {
    let cases = load::cases(suite, file, text, |case, report| {
        Reading { suite, report, is_wrong: false }.plan(case)
    })?;
    Problems::none_or(untested(suite, file, &cases), cases)
}

/// Returns a problem for each gap in the cases. There is a gap if an edition states a requirement that crawls must test
/// (`on_the_wire`), and neither a case nor a check tests it under this edition.
fn untested(suite: &Suite, file: &str, cases: &[Case]) -> Vec<Problem> {
    let mut problems = Vec::new();
    // `ASKED` needs no case, because every case shows whether robots.txt was requested before a page.
    let on_the_wire = suite.requirements.iter().filter(|it| it.on_the_wire && it.id != ASKED);
    for requirement in on_the_wire {
        for edition in requirement.editions.keys() {
            let is_shown = |case: &Case| {
                case.requirement == requirement.id && case.expect.contains_key(edition)
                    || case.form.log.iter().any(|check| {
                        check.requirement == requirement.id && check.levels.contains_key(edition)
                    })
            };
            if !cases.iter().any(is_shown) {
                let id = &requirement.id;
                let message = format!("{id} needs a live case of {edition}, but there is none");
                problems.push(Problem::new(Place::new(file, 1), message));
            }
        }
    }
    problems
}

/// Returns every origin that a case names outside its key `sites`. Each item is the key that names the origin, the name
/// of the origin, and a text for messages.
fn origins<'c>(
    crawl: &'c raw::Crawl,
    expect: &'c BTreeMap<Edition, Expectation>,
) -> impl Iterator<Item = (&'static str, &'c str, String)> {
    let expected = expect.iter().flat_map(|(edition, expectation)| {
        expectation.conforming.pages().map(|page| (edition.id(), page))
    });
    let controls = crawl.controls.iter().map(|page| ("controls", page));
    let follows = crawl.follows.iter().map(|page| ("follows", page));
    let pages = expected.chain(controls).chain(follows);
    let of_page = |(key, page): (&'static str, &'c Page)| (key, &*page.origin, page.to_string());
    let log = crawl.log.iter().map(|check| ("log", &*check.origin, check.origin.clone()));
    pages.map(of_page).chain(log)
}

/// The state while one case is checked.
struct Reading<'r> {
    suite: &'r Suite,
    /// The function that reports a mistake. It receives the key and the message.
    report: &'r mut dyn FnMut(&str, String),
    is_wrong: bool,
}

impl Reading<'_> {
    /// Checks the keys of a case and makes the plan of its crawl. Returns `None` if the case has a mistake.
    fn plan(&mut self, read: &case::Case<raw::Crawl, Probes>) -> Option<CrawlPlan> {
        let case::Case { requirement, form: crawl, expect, .. } = read;
        let sites = &crawl.sites.0;
        if sites.is_empty() {
            self.wrong("sites", "`sites` is missing; name at least one origin".to_owned());
        }
        if let Some(made) = [HUB, NEUTRAL].into_iter().find(|name| sites.contains_key(*name)) {
            let message =
                format!("the name {made} is reserved; choose another name for the origin");
            self.wrong("sites", message);
        }
        for (key, origin, part) in origins(crawl, expect) {
            if !sites.contains_key(origin) {
                self.wrong(key, format!("{key}: {part}: the case has no such origin"));
            }
        }
        for (edition, expectation) in expect {
            if expectation.level == Level::May && expectation.conforming.binds() {
                let message = format!(
                    "{edition}: a crawler need not do what an edition only permits: list it under `either`"
                );
                self.wrong(edition.id(), message);
            }
        }
        let listed = crawl.listed();
        let links = crawl.links.clone().unwrap_or_else(|| listed.pages().map(Page::link).collect());
        let links = links.into_iter();
        let links =
            links.map(|link| if link.starts_with('/') { format!("{{main}}{link}") } else { link });
        let follows = crawl.follows.clone().and_then(|page| {
            let levels = self.statements("follows", REDIRECTS)?;
            Some(Follows { page, requirement: REDIRECTS.to_owned(), levels })
        });
        let mut log = Vec::new();
        for check in &crawl.log {
            log.extend(self.check(check, requirement, expect));
        }
        let asserts = |(edition, expectation): (&Edition, &Expectation)| {
            expectation.conforming.binds()
                || log.iter().any(|check| check.levels.contains_key(edition))
        };
        if !self.is_wrong && !expect.is_empty() && !expect.iter().any(asserts) {
            let message =
                "no crawler can fail it under any edition; list what must or must not be fetched";
            self.wrong("expect", message.to_owned());
        }
        if self.is_wrong {
            return None;
        }
        Some(CrawlPlan {
            sites: crawl.sites.clone(),
            links: links.collect(),
            controls: crawl.controls.clone(),
            follows,
            log,
            sections: sections(self.suite),
        })
    }

    fn check(
        &mut self,
        check: &raw::Check,
        requirement: &str,
        expect: &BTreeMap<Edition, Expectation>,
    ) -> Option<Check> {
        let requirement = check.requirement.as_deref().unwrap_or(requirement);
        let stated = self.statements("log", requirement)?;
        if check.advice && check.level.is_some() {
            self.wrong("log", "log: advice has no level; remove `level` or `advice`".to_owned());
            return None;
        }
        let kind = match Kind::of(&check.word, check.times) {
            Ok(kind) => kind,
            Err(message) => {
                self.wrong("log", format!("log: {message}"));
                return None;
            }
        };
        let levels = expect.keys().filter(|_| !check.advice).filter_map(|edition| {
            let mut statement = stated.get(edition)?.clone();
            statement.level = check.level.unwrap_or(statement.level);
            statement.source = check.source.clone().unwrap_or(statement.source);
            Some((*edition, statement))
        });
        let (levels, requirement) = (levels.collect(), requirement.to_owned());
        Some(Check { kind, origin: check.origin.clone(), levels, requirement })
    }

    /// Returns what each edition states about a requirement. If the suite has no such requirement, reports a mistake at
    /// `key`.
    fn statements(&mut self, key: &str, id: &str) -> Option<BTreeMap<Edition, Statement>> {
        let Some(requirement) = self.suite.requirement(id) else {
            self.wrong(key, format!("{key}: requirements.yaml has no requirement {id}"));
            return None;
        };
        Some(requirement.editions.clone())
    }

    fn wrong(&mut self, key: &str, message: String) {
        self.is_wrong = true;
        (self.report)(key, message);
    }
}

#[cfg(test)]
pub(crate) mod tests;
