//! Judges whether a crawl conforms, from its record and from one fact about another crawl: whether the crawler applies
//! rules at all.
//!
//! Start at [`judge_knowing()`]. A wrong request is always a violation. An omission, for example a page that was not
//! fetched, is a violation only if the crawler finished and fetched the control pages. If one of these conditions is
//! false, the crawler may not have found the page. A finding names the violated requirement, which may differ from the
//! requirement of the case. For example, a crawler that fetches a forbidden page before it requests robots.txt usually
//! violates [`ASKED`].

use std::collections::BTreeSet;

use robots_conformance::render;
use robots_conformance::report::Finding;
use robots_conformance::run::outcome::Outcome;
use robots_core::Edition;

use crate::case::{ASKED, Case, Expectation, Kind, SCOPE};
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
    let (log, probes) = (Log(record), &expectation.conforming);
    // A crawler that does not follow the redirect of a robots.txt violates the requirement about redirects. It cannot
    // know the rules in the file to which the redirect leads.
    let unfollowed =
        case.form.follows.as_ref().filter(|follows| log.fetch(&follows.page).is_none());
    let unfollowed =
        unfollowed.and_then(|follows| Some((&*follows.requirement, follows.levels.get(&edition)?)));
    let of_case = (&*case.requirement, expectation.level, &*expectation.source);
    let (requirement, level, source) =
        unfollowed.map_or(of_case, |(requirement, by)| (requirement, by.level, &by.source));
    // The sentence is escaped, because it may contain text that the crawler sent.
    let found = |page: &Page, what: String, sentence: String| {
        let mut finding = Finding::new(&page.origin, what, render::message(&sentence));
        finding.level = Some(level);
        requirement.clone_into(&mut finding.requirement);
        source.clone_into(&mut finding.source);
        finding.page = Some(page.target.clone());
        finding
    };
    let is_early = |page: &Page| log.is_unasked(page) || has_no_rules && log.fetch(page).is_some();
    // A forbidden request is always a violation. An omission is a violation only if the crawler fetched the control
    // pages.
    let done = probes.not_fetched.iter().filter_map(|page| {
        let mut sentence = log.fetched_against(page)?;
        if has_no_rules && case.id != SIMPLEST {
            sentence = format!(
                "{sentence}; it applies no rules, because it also fetched the page that {SIMPLEST} forbids"
            );
        }
        let mut finding = found(page, format!("fetched {page}"), sentence);
        if is_early(page) {
            // The crawler did not apply the robots.txt of this origin, so the contents of this file do not matter. If
            // the crawler knew only the rules of another port or scheme of the host, it applied those rules to this
            // origin.
            let applied_others = !has_no_rules && log.knew_a_sibling(page, case);
            let requirement = if applied_others { SCOPE } else { ASKED };
            requirement.clone_into(&mut finding.requirement);
            finding.level = Some(expectation.level);
            finding.source = case.form.section(requirement, edition);
        }
        Some(finding)
    });
    let mut done: Vec<Finding> = done.collect();
    let missing = |page: &&Page| {
        log.fetch(page).is_none() && !log.is_respelt(page, case) && !log.is_out_of_reach(page, case)
    };
    let (left_out, no_matter): (Vec<_>, Vec<_>) =
        probes.fetched.iter().filter(missing).partition(|_| !has_no_rules);
    let listed = probes.fetched.iter().chain(&probes.not_fetched);
    let respelt: Vec<String> =
        listed.filter(|page| log.is_respelt(page, case)).map(ToString::to_string).collect();
    let left_out = left_out.into_iter().map(|page| {
        let what = format!("did not fetch {page}");
        let sentence = format!("{what}, which nothing forbids");
        found(page, what, sentence)
    });
    let mut left_out: Vec<Finding> = left_out.collect();
    for check in &case.form.log {
        let Some((omission, sentence)) = log.offends(check, case) else { continue };
        // If a page was fetched before robots.txt was requested, this is one violation, and it is already in `done`.
        let is_found = |page: &Page| page.origin == check.origin && is_early(page);
        if check.kind == Kind::RobotsFirst && probes.not_fetched.iter().any(is_found) {
            continue;
        }
        let (level, source) = match check.levels.get(&edition) {
            Some(statement) => (Some(statement.level), statement.source.clone()),
            None if check.levels.is_empty() => (None, String::new()),
            None => continue,
        };
        let what = format!("offended {}", check.name());
        let mut finding = Finding::new(&check.origin, what, render::message(&sentence));
        finding.requirement.clone_from(&check.requirement);
        (finding.level, finding.source) = (level, source);
        if has_no_rules && omission && level.is_some() {
            ASKED.clone_into(&mut finding.requirement);
            finding.source = case.form.section(ASKED, edition);
        }
        if omission { left_out.push(finding) } else { done.push(finding) }
    }

    let binding = |findings: &[Finding]| findings.iter().any(|found| found.level.is_some());
    let mut why = None;
    let outcome = if binding(&done) {
        Outcome::Failed { note: None }
    } else if record.ended == Ended::AtTheLimit {
        Outcome::Waited
    } else if !log.came_by(case) {
        Outcome::Inconclusive
    } else if binding(&left_out) {
        Outcome::Failed { note: None }
    } else if !no_matter.is_empty() {
        why = Some("the crawler applies no rules, so no rule kept it from a page".to_owned());
        Outcome::Inconclusive
    } else if !respelt.is_empty() {
        why =
            Some(format!("the crawler changed the spelling of the URL of {}", respelt.join(", ")));
        Outcome::Inconclusive
    } else if is_open(case, edition, expectation) {
        Outcome::Open { passage: None }
    } else {
        Outcome::Passed
    };
    if log.came_by(case) && record.ended == Ended::ByItself {
        done.append(&mut left_out);
    }
    Judgement { outcome, findings: done, why }
}

/// Returns whether every crawl conforms to the edition. This is so if the edition neither requires nor forbids a page
/// of the case, and no check of the access log tests a requirement of the edition.
pub(crate) fn is_open(case: &Case, edition: Edition, expectation: &Expectation) -> bool {
    !expectation.conforming.binds()
        && !case.form.log.iter().any(|check| check.levels.contains_key(&edition))
}

#[cfg(test)]
mod tests;
