//! Preferences about the use of content in several groups: the Content-Signal line of `*` that other groups lack, and
//! lines that contradict the group of a policy token.
//!
//! Start at [`across`]. The policy token for AI training is the only one whose meaning is known, and it is compared only
//! with lines for all crawlers or in its own group. A line for one crawler may be a deliberate exception. If no group
//! names the token, nothing is compared, because the abstract of the Internet-Draft does not say whether `*` applies.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use super::agent_name::{self, TRAINING};
use super::effect::{sample, tokens};
use super::engines::is_everything;
use super::kind::FindingKind;
use super::preferences::{SIGNAL, Stating, training};
use robots_core::path::Pattern;
use robots_core::syntax::LineNumber;
use robots_core::{Group, RobotsTxtRef, RuleKind, UserAgentLine};

/// Returns the policy tokens that a file names, such as `__usage_ai-training`, in lower case. A group for such a token
/// says what may be used for this purpose; see draft-kelley-aipref-training-preference-signal-00.
///
/// ```
/// let robots = robots_nom_parser::parse("user-agent: __Usage_ai-training\ndisallow: /\n");
/// assert_eq!(robots_lint::policy_tokens(&robots), ["__usage_ai-training"]);
/// assert!(!robots.verdict("__usage_ai-training", "/page").is_allowed());
/// ```
pub fn policy_tokens<'r>(robots: impl Into<RobotsTxtRef<'r>>) -> Vec<String> {
    let named = tokens(robots.into()).filter(|token| agent_name::is_policy(token.as_bytes()));
    let named: BTreeSet<String> = named.map(str::to_ascii_lowercase).collect();
    named.into_iter().collect()
}

/// Returns the findings: the line of each, its kind, and the other line that it mentions.
pub(super) fn across(
    robots: RobotsTxtRef<'_>,
) -> impl Iterator<Item = (LineNumber, FindingKind, LineNumber)> {
    lost(robots).into_iter().chain(contradicted(robots))
}

/// Finds the groups of crawlers that no Content-Signal line is about, if `*` has one. A group that closes everything is
/// not reported, because its crawlers get no content.
fn lost(robots: RobotsTxtRef<'_>) -> Vec<(LineNumber, FindingKind, LineNumber)> {
    let signal = |group: &Group<'_>| {
        group.lines().find(|record| record.is_named(SIGNAL)).map(|record| record.line().number)
    };
    let is_for_all = |group: &Group<'_>| group.user_agents().any(|line| line.is_global());
    let Some(of_all) = robots.groups().filter(is_for_all).find_map(|group| signal(&group)) else {
        return Vec::new();
    };
    let token = |line: UserAgentLine<'_>| line.token().map(str::to_ascii_lowercase);
    let stating = robots.groups().filter(|group| signal(group).is_some());
    let mut named: BTreeSet<String> =
        stating.flat_map(|group| group.user_agents()).filter_map(token).collect();
    let mut found = Vec::new();
    for group in robots.groups().filter(|group| !is_for_all(group) && !closes_everything(group)) {
        let mut lacking = group.user_agents().filter(|line| {
            let token = token(*line).filter(|token| !agent_name::is_policy(token.as_bytes()));
            token.is_some_and(|token| named.insert(token))
        });
        let first = lacking.next().map(|line| line.line().number);
        // The other crawlers of the group are remembered, so that a second group of theirs is not reported.
        lacking.for_each(drop);
        found.extend(first.map(|line| (line, FindingKind::SignalLost, of_all)));
    }
    found
}

fn closes_everything(group: &Group<'_>) -> bool {
    group.rules().all(|rule| rule.kind() == RuleKind::Disallow) && group.rules().any(is_everything)
}

/// Finds the lines about AI training that contradict the group of its policy token.
fn contradicted(robots: RobotsTxtRef<'_>) -> Vec<(LineNumber, FindingKind, LineNumber)> {
    let own = robots.followed_by(TRAINING).filter(|group| !group.user_agent().is_global());
    let Some(own) = own else { return Vec::new() };
    let rules = robots.rules_for(TRAINING);
    let names = |group: &Group<'_>| {
        group.user_agents().any(|line| line.is_global() || line.names(TRAINING))
    };
    let lines = robots.groups().filter(names).flat_map(|group| group.lines());
    lines
        .filter_map(|record| {
            let (path, allows) = training(Stating::named(record.name())?, record.value())?;
            let path = sample(&Pattern::new(path.unwrap_or(b"/")));
            let verdict = rules.verdict(&path);
            let other = match verdict.rule() {
                Some(rule) => rule.line().number,
                None => own.user_agent().line().number,
            };
            let is_contrary = verdict.is_allowed() != allows;
            is_contrary.then(|| (record.line().number, FindingKind::PreferenceContradicted, other))
        })
        .collect()
}
