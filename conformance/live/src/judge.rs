//! Judges whether a crawl conforms, from its record and from one fact about another crawl: whether the crawler applies
//! rules at all.
//!
//! Start at [`judge_knowing()`]. A wrong request is always a violation. An omission, for example a page that was not
//! fetched, is a violation only if the crawler finished, and fetched the control pages or stopped after it had requested
//! the rules. Otherwise the crawler may not have found the page. A finding names the violated requirement, which may differ from the
//! requirement of the case. For example, a crawler that fetches a forbidden page before it requests robots.txt usually
//! violates [`ASKED`].

use std::borrow::Cow;
use std::collections::BTreeSet;

use robots_conformance::report::Finding;
use robots_conformance::run::outcome::Outcome;
use robots_conformance::suite::requirement::Level;
use robots_console::render;
use robots_core::Edition;

use crate::case::{ASKED, Case, Check, Expectation, Kind, SCOPE};
use crate::evidence::Log;
use crate::probes::Page;
use crate::run::{CrawlRecord, Ended};

/// A judgement of a crawl.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// The outcome of the crawl under the edition.
    pub outcome: Outcome,
    /// The violations of the crawl, and the advice about it.
    pub findings: Vec<Finding>,
    /// The reason why the crawl is inconclusive although the crawler fetched the control pages.
    pub why: Option<String>,
}

impl Judgement {
    /// Makes the judgement of a case that was not run. It has no findings.
    #[must_use]
    pub fn none() -> Self {
        Self { outcome: Outcome::Inconclusive, findings: Vec::new(), why: None }
    }

    /// Returns the violations of requirements, as a deviations file names them. Advice is omitted.
    pub(crate) fn found(&self) -> BTreeSet<String> {
        let binding = self.findings.iter().filter(|finding| finding.level.is_some());
        binding.map(|finding| finding.what.clone()).collect()
    }
}

/// The id of the simplest case. Its robots.txt is a group for `*` with one rule, and its site has nothing unusual. So a
/// crawler that fetches the forbidden page of this case applies no rules.
const SIMPLEST: &str = "wire-asks-first";

/// Returns whether the record of [`SIMPLEST`] shows that the crawler applies no rules. The result for any other case is
/// false.
pub(crate) fn applies_no_rules(case: &Case, edition: Edition, record: &CrawlRecord) -> bool {
    let forbidden =
        case.expect.get(&edition).map(|expectation| &expectation.conforming.not_fetched);
    let mut forbidden = forbidden.into_iter().flatten();
    case.id == SIMPLEST && forbidden.any(|page| Log(record).fetch(page).is_some())
}

/// Judges the record of a case under an edition. If the case has no expectation for the edition, the outcome is open.
///
/// The judgement uses no record of another case. A [`Run`](crate::Run) and [`check()`](crate::check()) use the records
/// of all their cases. If one of these records shows that the crawler applies no rules, they report each forbidden
/// request as a violation of the requirement to apply rules.
#[must_use]
pub fn judge(case: &Case, edition: Edition, record: &CrawlRecord) -> Judgement {
    judge_knowing(case, edition, record, false)
}

/// Judges a record. `has_no_rules` is true if the record of [`SIMPLEST`] shows that the crawler applies no rules. If it
/// is true, each forbidden request violates the requirement to apply rules, not the requirement of this case.
pub(crate) fn judge_knowing(
    case: &Case,
    edition: Edition,
    record: &CrawlRecord,
    has_no_rules: bool,
) -> Judgement {
    let Some(expectation) = case.expect.get(&edition) else {
        let outcome = Outcome::Open { passage: None };
        return Judgement { outcome, ..Judgement::none() };
    };
    Evidence { case, edition, expectation, log: Log(record), has_no_rules }.judgement()
}

/// Everything that the judgement of one crawl depends on.
struct Evidence<'c> {
    case: &'c Case,
    edition: Edition,
    expectation: &'c Expectation,
    log: Log<'c>,
    has_no_rules: bool,
}

/// A requirement that a finding violates, with the level and the section of the edition. Advice has no level.
struct Violated<'c> {
    requirement: &'c str,
    level: Option<Level>,
    source: Cow<'c, str>,
}

impl Violated<'_> {
    /// Makes the finding. The sentence is escaped, because it may contain text that the crawler sent.
    fn finding(self, origin: &str, what: String, sentence: &str) -> Finding {
        let mut finding = Finding::new(origin, what, render::message(sentence));
        self.requirement.clone_into(&mut finding.requirement);
        (finding.level, finding.source) = (self.level, self.source.into_owned());
        finding
    }
}

impl<'c> Evidence<'c> {
    /// Collects the findings, decides the outcome, and keeps the omissions only if the crawler could have made the
    /// requests.
    fn judgement(&self) -> Judgement {
        let (omissions, wrong): (Vec<_>, Vec<_>) =
            self.offended_checks().partition(|(is_omission, _)| *is_omission);
        let of_checks = |found: Vec<(bool, Finding)>| found.into_iter().map(|(_, finding)| finding);
        let mut findings: Vec<Finding> = self.forbidden().chain(of_checks(wrong)).collect();
        let omitted: Vec<Finding> = self.omitted().chain(of_checks(omissions)).collect();
        let (outcome, why) = self.outcome(&findings, &omitted);
        let is_whole = !self.log.0.is_cut && self.log.0.ended == Ended::ByItself;
        if self.could_go_on() && is_whole {
            findings.extend(omitted);
        }
        Judgement { outcome, findings, why }
    }

    /// Returns a finding for each forbidden page that was fetched.
    fn forbidden(&self) -> impl Iterator<Item = Finding> {
        self.expectation.conforming.not_fetched.iter().filter_map(|page| {
            let mut sentence = self.log.fetched_against(page)?;
            if self.has_no_rules && self.case.id != SIMPLEST {
                sentence = format!(
                    "{sentence}; it applies no rules, because it also fetched the page that {SIMPLEST} forbids"
                );
            }
            let violated = self.violated_by_fetching(page);
            Some(on_page(page, violated.finding(&page.origin, format!("fetched {page}"), &sentence)))
        })
    }

    /// Returns a finding for each missing page. If the crawler applies no rules, no rule kept it from a page, so there
    /// are none.
    fn omitted(&self) -> impl Iterator<Item = Finding> {
        self.missing().filter(|_| !self.has_no_rules).map(|page| {
            let what = format!("did not fetch {page}");
            let sentence = format!("{what}, which nothing forbids");
            on_page(page, self.violated_here().finding(&page.origin, what, &sentence))
        })
    }

    /// Returns a finding for each violated check of the access log, and whether the violation is an omission.
    fn offended_checks(&self) -> impl Iterator<Item = (bool, Finding)> {
        self.case.form.log.iter().filter_map(|check| {
            let (is_omission, sentence) = self.log.offends(check)?;
            // A forbidden page that was fetched before robots.txt was requested is already a finding of its own.
            let is_found = |page: &Page| page.origin == check.origin && self.is_early(page);
            if check.kind == Kind::RobotsFirst
                && self.expectation.conforming.not_fetched.iter().any(is_found)
            {
                return None;
            }
            let violated = self.violated_by_check(check, is_omission)?;
            let what = format!("offended {}", check.name());
            Some((is_omission, violated.finding(&check.origin, what, &sentence)))
        })
    }

    /// Decides the outcome from the findings about wrong requests and about omissions. The text is the reason why the
    /// crawl is inconclusive although the crawler fetched the control pages.
    fn outcome(&self, wrong: &[Finding], omitted: &[Finding]) -> (Outcome, Option<String>) {
        let binding = |findings: &[Finding]| findings.iter().any(|found| found.level.is_some());
        let inconclusive = |why| (Outcome::Inconclusive, why);
        if binding(wrong) {
            return (Outcome::Failed { note: None }, None);
        }
        if self.log.0.is_cut {
            let why = "the crawler sent more requests than the test server stores";
            return inconclusive(Some(why.to_owned()));
        }
        if self.log.0.ended == Ended::AtTheLimit {
            return (Outcome::Waited, None);
        }
        if !self.could_go_on() {
            return inconclusive(None);
        }
        if binding(omitted) {
            return (Outcome::Failed { note: None }, None);
        }
        if self.has_no_rules && self.missing().next().is_some() {
            let why = "the crawler applies no rules, so no rule kept it from a page";
            return inconclusive(Some(why.to_owned()));
        }
        let respelt = self.respelt();
        if !respelt.is_empty() {
            let why =
                format!("the crawler changed the spelling of the URL of {}", respelt.join(", "));
            return inconclusive(Some(why));
        }
        if is_open(self.case, self.edition, self.expectation) {
            return (Outcome::Open { passage: None }, None);
        }
        if !self.log.came_by(self.case) && !self.log.may_fetch_nothing(self.case) {
            let why =
                "the crawler requested robots.txt, and then not the page where it was started";
            return inconclusive(Some(why.to_owned()));
        }
        (Outcome::Passed, None)
    }

    /// Returns whether the missing requests show something: the crawler fetched the controls, or read the rules and
    /// did not even fetch the page where it was started. If the rules forbid this page, the crawler may also stop there.
    fn could_go_on(&self) -> bool {
        let log = &self.log;
        log.came_by(self.case) || log.stopped_at_the_rules() || log.may_fetch_nothing(self.case)
    }

    /// Returns the pages that the crawler must fetch and did not, although it could reach them.
    fn missing(&self) -> impl Iterator<Item = &'c Page> {
        let (log, case) = (&self.log, self.case);
        self.expectation
            .conforming
            .fetched
            .iter()
            .filter(move |page| log.fetch(page).is_none() && !log.is_respelt(page, case))
    }

    /// Returns the listed pages of which the crawler requested another spelling.
    fn respelt(&self) -> Vec<String> {
        let probes = &self.expectation.conforming;
        let listed = probes.fetched.iter().chain(&probes.not_fetched);
        listed.filter(|page| self.log.is_respelt(page, self.case)).map(Page::to_string).collect()
    }

    /// Returns whether a page was fetched before the rules of its origin could have been applied.
    fn is_early(&self, page: &Page) -> bool {
        self.log.is_unasked(page) || self.has_no_rules && self.log.fetch(page).is_some()
    }

    /// Returns the requirement that a mistake in this case violates. A crawler that does not follow the redirect of a
    /// robots.txt violates the requirement about redirects, because it cannot know the rules in the file to which the
    /// redirect leads.
    fn violated_here(&self) -> Violated<'c> {
        let follows = self.case.form.follows.as_ref();
        let unfollowed = follows.filter(|follows| self.log.fetch(&follows.page).is_none());
        let stated = unfollowed
            .and_then(|follows| Some((&*follows.requirement, follows.levels.get(&self.edition)?)));
        let of_case = (&*self.case.requirement, self.expectation.level, &*self.expectation.source);
        let (requirement, level, source) =
            stated.map_or(of_case, |(requirement, by)| (requirement, by.level, &by.source));
        Violated { requirement, level: Some(level), source: source.into() }
    }

    /// Returns the requirement that the fetch of a forbidden page violates. If the crawler did not apply the robots.txt
    /// of the origin, the contents of this file do not matter. If it knew only the rules of another port or scheme of
    /// the host, it applied those rules to this origin.
    fn violated_by_fetching(&self, page: &Page) -> Violated<'c> {
        if !self.is_early(page) {
            return self.violated_here();
        }
        let applied_others = !self.has_no_rules && self.log.knew_a_sibling(page, self.case);
        self.violated_always(if applied_others { SCOPE } else { ASKED }, self.expectation.level)
    }

    /// Returns the requirement that a violated check belongs to, or `None` if the edition does not have it.
    fn violated_by_check(&self, check: &'c Check, is_omission: bool) -> Option<Violated<'c>> {
        let requirement = &*check.requirement;
        if check.levels.is_empty() {
            return Some(Violated { requirement, level: None, source: "".into() });
        }
        let statement = check.levels.get(&self.edition)?;
        if self.has_no_rules && is_omission {
            return Some(self.violated_always(ASKED, statement.level));
        }
        let (level, source) = (Some(statement.level), (&*statement.source).into());
        Some(Violated { requirement, level, source })
    }

    /// Returns a requirement that every crawl can violate: [`ASKED`] or [`SCOPE`].
    fn violated_always(&self, requirement: &'static str, level: Level) -> Violated<'c> {
        let source = self.case.form.section(requirement, self.edition).into();
        Violated { requirement, level: Some(level), source }
    }
}

/// Adds the page to a finding.
fn on_page(page: &Page, mut finding: Finding) -> Finding {
    finding.page = Some(page.target.clone());
    finding
}

/// Returns whether every crawl conforms to the edition. This is so if the edition neither requires nor forbids a page
/// of the case, and no check of the access log tests a requirement of the edition.
pub(crate) fn is_open(case: &Case, edition: Edition, expectation: &Expectation) -> bool {
    !expectation.conforming.binds()
        && !case.form.log.iter().any(|check| check.levels.contains_key(&edition))
}

#[cfg(test)]
mod tests;
