//! Decides whether a failing question is charged to the software, and if not, why: [`judge`].
//!
//! Charged is a *cause*: a fault that a person found by reading the failing questions (`causes`). Before that, the rules
//! of this module take out what nobody may charge. A question that no rule and no cause knows is a difference that
//! nobody has read yet, and it is not charged.
//!
//! [`requirements`] returns which requirements the software keeps. The suite decides this ([`RequirementState`]), so the
//! tables and the reports of a run agree.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::report::RequirementState;

use crate::causes::{Causes, Entry};
use crate::results::{Failing, Outcome, Tried};
use crate::row::{Failure, Judgement, Row, Survey, Table, Why};
use crate::suite::Suite;

/// The arguments of [`judge`] that are the same for all failures of a row.
pub(crate) struct Rules<'r, 's, T> {
    pub(crate) listed: &'r T,
    pub(crate) causes: Option<&'s Causes>,
    pub(crate) survey: &'r Survey,
}

/// Judges a failing question.
pub(crate) fn judge<'s, T: Table>(rules: &Rules<'_, 's, T>, failure: Failure<'_>) -> Judgement<'s> {
    if let Some(why) = excuse(rules, failure) {
        return Judgement::NotJudged(why);
    }
    let entry = rules.causes.and_then(|causes| causes.listing(failure.tried.name).next());
    let (claim, suite) = (rules.listed.claim(), &rules.survey.suite);
    // A question at *must* can show a fault whose own requirement is a recommendation, or outside the claims.
    match entry {
        Some(Entry::Cause(cause)) => match &cause.requirement {
            requirement if claim.excludes(requirement, "") => {
                Judgement::NotJudged(Why::OutsideClaims)
            }
            requirement if suite.level(requirement, claim.edition()) != Some("must") => {
                Judgement::NotJudged(Why::Recommended)
            }
            _ => Judgement::Charged(cause),
        },
        Some(Entry::Excused(excused)) => Judgement::NotJudged(Why::Reason(&excused.reason)),
        None => Judgement::NotJudged(Why::Unread),
    }
}

/// Returns the rule that excuses a failing question.
fn excuse<T: Table>(rules: &Rules<'_, '_, T>, failure: Failure<'_>) -> Option<Why<'static>> {
    let Failure { tried, failing, charged } = failure;
    let (claim, suite) = (rules.listed.claim(), &rules.survey.suite);
    let refuses = |error: &String| claim.is_refusal(error);
    let is_outside = || {
        let case = &tried.question.case;
        charged.iter().any(|requirement| claim.excludes(requirement, case))
            || is_like_the_library::<T>(rules.listed, tried, failing, suite)
    };
    Some(match () {
        () if tried.edition != claim.edition() => Why::OtherEdition,
        () if rules.listed.older().is_some() => Why::Older,
        () if failing.late => Why::Late,
        () if failing.error.as_ref().is_some_and(refuses) => Why::Refused,
        () if has_only_not_fetched(failing) => Why::NotFetched,
        () if is_outside() => Why::OutsideClaims,
        () if !is_must(tried, suite) => Why::Recommended,
        () if claim.document.is_none() => Why::NoDocument,
        () => return None,
    })
}

/// Returns whether a port of Google's library gives the answer of the library.
fn is_like_the_library<T: Table>(
    listed: &T,
    tried: &Tried<'_>,
    failing: &Failing,
    suite: &Suite,
) -> bool {
    let verdict = failing.answer.as_deref().and_then(|answer| answer.lines().next());
    listed.claim().is_library()
        && verdict.is_some()
        && verdict == suite.library.get(tried.name).map(String::as_str)
}

/// Returns whether a crawl failed only because pages that may be fetched were not fetched.
fn has_only_not_fetched(failing: &Failing) -> bool {
    let answer = failing.answer.as_deref().unwrap_or_default();
    !answer.is_empty() && answer.split("; ").all(|did| did.starts_with("did not fetch "))
}

/// Returns whether a failure is one at the level *must*: by the level of the question, or by that of another requirement
/// that a crawler violated.
fn is_must(tried: &Tried<'_>, suite: &Suite) -> bool {
    let violated = tried.failing().and_then(|failing| failing.violates.first());
    match violated {
        Some(requirement) => suite.level(requirement, tried.edition) == Some("must"),
        None => tried.question.level == "must",
    }
}

/// Returns the state of each requirement that the software claims, in the edition by which it is judged.
///
/// A kind of question for which the software has no interface does not count.
///
/// A question that shows a cause counts under the requirement of the cause. It says nothing about its own requirement if
/// this is another one. If nobody charges the differences of the software, a requirement with a difference is *broken*
/// here, and the tables call it different.
pub(crate) fn requirements<'s, T: Table>(
    row: &Row<'s, T>,
    survey: &'s Survey,
) -> BTreeMap<&'s str, RequirementState> {
    let claim = row.listed.claim();
    let edition = claim.edition();
    let mut passed: BTreeSet<&str> = BTreeSet::new();
    let mut broken: BTreeSet<&str> = BTreeSet::new();
    for ((tried, judgement), charged) in row.tried.iter().zip(&row.judged).zip(&row.charged) {
        if tried.edition != edition {
            continue;
        }
        match (tried.outcome, judgement) {
            (Outcome::Passed, _) => {
                passed.insert(tried.name);
            }
            (Outcome::Failed(_), Some(Judgement::Charged(cause))) => {
                broken.insert(&cause.requirement);
            }
            (Outcome::Failed(_), Some(Judgement::NotJudged(why))) if why.is_difference() => {
                broken.extend(charged.iter().map(String::as_str));
            }
            _ => {}
        }
    }
    // The number of failing questions, and the number of those without a decision.
    let mut questions: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (name, editions) in T::questions(&survey.suite) {
        let Some(question) = editions.get(edition) else { continue };
        let answers = &row.head.answers;
        let is_claimed = T::is_asked(question)
            && (answers.is_empty() || answers.contains(&question.ask))
            && !question.open
            && question.level == "must"
            && survey.suite.level(&question.requirement, edition) == Some("must")
            && !claim.excludes(&question.requirement, &question.case);
        if is_claimed {
            let is_passed = passed.contains(name.as_str());
            questions.entry(&question.requirement).or_default()[1] += usize::from(!is_passed);
        }
    }
    for (requirement, counts) in &mut questions {
        counts[0] = usize::from(broken.contains(requirement));
    }
    let state = |[failing, open]: [usize; 2]| RequirementState::of(failing, open);
    questions.into_iter().map(|(id, counts)| (id, state(counts))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Rules, has_only_not_fetched, judge};
    use crate::all::All;
    use crate::causes::Causes;
    use crate::results::Failing;
    use crate::row::{Judgement, Survey, Why};

    #[test]
    fn the_requirement_of_a_cause_decides_whether_it_is_charged() {
        let (survey, all) = (Survey::of_the_checkout(), All::read().unwrap());
        let (peers, ..) = all.rows(&survey);
        let of = |name: &str, requirement: &str| {
            let row = peers.iter().find(|row| row.head.software == name).unwrap();
            let is_charged = |judgement: &Judgement<'_>| matches!(judgement, Judgement::Charged(_));
            let (failure, _) = row.judgements().find(|(_, it)| is_charged(it)).unwrap();
            let text = format!(
                "kind = 'peer'\nsoftware = ''\ncause = [{{ id = '', title = '', requirement = '{requirement}', \
                 example = '', shows = ['*'] }}]"
            );
            let causes: Causes = toml::from_str(&text).unwrap();
            let rules = Rules { listed: row.listed, causes: Some(&causes), survey: &survey };
            match judge(&rules, failure) {
                Judgement::Charged(_) => None,
                Judgement::NotJudged(why) => Some(format!("{why:?}")),
            }
        };
        assert_eq!(of("Protego", "FORMAT-EOL"), None);
        // RFC 9309 only recommends the letter case of paths, and the draft of 1996 has no wildcards.
        assert_eq!(of("Protego", "RULE-CASE"), Some(format!("{:?}", Why::Recommended)));
        assert_eq!(of("robotparser", "MATCH-STAR"), Some(format!("{:?}", Why::OutsideClaims)));
    }

    #[test]
    fn a_page_that_was_not_fetched_is_no_offence() {
        for (answer, is_excused) in [
            ("did not fetch /a of main", true),
            ("did not fetch /a of main; did not fetch /b of main", true),
            ("did not fetch /a of main; fetched /b of main", false),
            ("allow", false),
        ] {
            let line = format!(r#"{{"software":"x 1","question":"q","answer":"{answer}"}}"#);
            let failing: Failing = serde_json::from_str(&line).unwrap();
            assert_eq!(has_only_not_fetched(&failing), is_excused, "{answer}");
        }
    }
}
