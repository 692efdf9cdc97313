//! The verdict on a URL, with the evidence it rests on.

use core::fmt;

use crate::RuleKind;
use crate::agent::CrawlerRef;
use crate::edition::Semantics;
use crate::group::{Agent, Followed, Group, Rule, Shown};
use crate::index::View;
use crate::path::best::Best;
use crate::path::{Pattern, normalize};
use crate::target::{NotAUrl, Target};

/// Whether a URL may be fetched, and why.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: *\ndisallow: /private\n", robots_core::Options::default());
/// let verdict = robots.verdict("examplebot", "https://example.com/private/x");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.rule().unwrap().line().number, 2);
/// assert_eq!(
///     verdict.to_string(),
///     "disallow: the longest matching rule is line 2, `disallow: /private`, \
///      for `user-agent: *` in line 1"
/// );
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Verdict<'r> {
    reason: Reason,
    rule: Option<Rule<'r>>,
    agent: Option<Agent<'r>>,
}

/// Why a verdict is what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Of the rules that match one is the longest, or all of the longest say the same.
    LongestRule,
    /// Of the longest matching rules some allow and some disallow: allow wins the tie.
    AllowWinsTie,
    /// The crawler's group has rules, and none matches.
    NoRuleMatches,
    /// The crawler's group has no rules.
    NoRules,
    /// The file has no group for the crawler and none for `*`.
    NoGroup,
    /// The URL is that of robots.txt itself.
    RobotsTxtItself,
    /// The text asked about is no URL.
    NotAUrl(NotAUrl),
}

impl<'r> Verdict<'r> {
    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        match (self.rule, self.reason) {
            (Some(rule), _) => rule.kind() == RuleKind::Allow,
            (None, reason) => !matches!(reason, Reason::NotAUrl(_)),
        }
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the rule that decided; of several equivalent ones the first.
    #[must_use]
    pub fn rule(&self) -> Option<Rule<'r>> {
        self.rule
    }

    /// Returns the group the rule stands in, or, where no rule decided, the first group the crawler
    /// follows.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        match self.rule {
            Some(rule) => rule.group(),
            None => self.agent.map(|agent| agent.group()),
        }
    }

    /// Returns the user-agent line that selected the crawler's groups.
    #[must_use]
    pub fn agent(&self) -> Option<Agent<'r>> {
        self.agent
    }

    pub(crate) fn of(view: View<'r>, crawler: CrawlerRef<'_>, target: &Target<'_>) -> Self {
        if exempt(view, target) {
            return Self::without_group(Reason::RobotsTxtItself);
        }
        let Some(followed) = Followed::select(view, crawler) else {
            return Self::without_group(Reason::NoGroup);
        };
        let semantics = view.semantics();
        if semantics.observed.is_some() {
            return Self::observed(view, &followed, target, semantics);
        }
        let (mut best, mut no_rules) = (Best::NONE, true);
        for rule in followed.rules() {
            no_rules = false;
            if differs_early(rule.value(), target.as_bytes()) {
                continue;
            }
            let pattern = Pattern::new(rule.value(), semantics);
            if target.held().may_hold(pattern.needs()) && pattern.matches(target) {
                best = best.or(Best::rule(rule, pattern.precedence()));
            }
        }
        Self::new(view, &followed, best, no_rules)
    }

    /// Finds the best rule where neither value nor target is normal and a rule may be two patterns.
    #[cold]
    fn observed(
        view: View<'r>,
        followed: &Followed<'r>,
        target: &Target<'_>,
        semantics: &Semantics,
    ) -> Self {
        let (mut best, mut no_rules) = (Best::NONE, true);
        for rule in followed.rules() {
            no_rules = false;
            let folder = Pattern::of_folder(rule.kind(), rule.value(), semantics);
            let patterns = [Some(Pattern::new(rule.value(), semantics)), folder];
            for pattern in patterns.into_iter().flatten().filter(|pattern| pattern.matches(target))
            {
                best = best.or(Best::rule(rule, pattern.precedence()));
            }
        }
        Self::new(view, followed, best, no_rules)
    }

    /// Makes the verdict of the best matching rule of the groups followed.
    pub(crate) fn new(view: View<'r>, followed: &Followed<'r>, best: Best, no_rules: bool) -> Self {
        let (rule, reason) = match best.decided() {
            Some((line, true)) => (Rule::at(view, line), Reason::AllowWinsTie),
            Some((line, false)) => (Rule::at(view, line), Reason::LongestRule),
            None if no_rules => (None, Reason::NoRules),
            None => (None, Reason::NoRuleMatches),
        };
        Self { reason, rule, agent: Some(followed.agent()) }
    }

    pub(crate) fn not_a_url(error: NotAUrl) -> Self {
        Self::without_group(Reason::NotAUrl(error))
    }

    pub(crate) fn without_group(reason: Reason) -> Self {
        Self { reason, rule: None, agent: None }
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_allowed() { "allow: " } else { "disallow: " })?;
        match self.reason {
            Reason::LongestRule => f.write_str("the longest matching rule is")?,
            Reason::AllowWinsTie => {
                f.write_str("allow wins the tie of the longest matching rules:")?;
            }
            Reason::NoRuleMatches => f.write_str("no rule matches")?,
            Reason::NoRules => f.write_str("the group has no rules")?,
            Reason::NoGroup => f.write_str("no group for this crawler")?,
            Reason::RobotsTxtItself => f.write_str("robots.txt itself")?,
            Reason::NotAUrl(error) => write!(f, "{error}")?,
        }
        if let Some(rule) = self.rule {
            write!(f, " line {}, `{rule}`", rule.line().number)?;
        }
        if let Some(agent) = self.agent {
            write!(
                f,
                ", for `user-agent: {}` in line {}",
                Shown(agent.value()),
                agent.line().number
            )?;
        }
        Ok(())
    }
}

/// Returns whether the edition exempts the target from all rules.
pub(crate) fn exempt(view: View<'_>, target: &Target<'_>) -> bool {
    view.semantics().robots_txt_exempt && target.is_robots_txt()
}

/// Returns whether a rule's value differs from the target before anything needs normalising, which
/// settles most rules of most files: the octets at the first difference are plain and no triplet is
/// near.
#[inline]
fn differs_early(value: &[u8], target: &[u8]) -> bool {
    match value.iter().zip(target).position(|(a, b)| a != b) {
        Some(at) if value[0] == b'/' => {
            normalize::is_plain(value[at]) && !value[at.saturating_sub(2)..at].contains(&b'%')
        }
        _ => false,
    }
}
