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
#[derive(Clone, Copy)]
pub struct Verdict<'r> {
    view: View<'r>,
    reason: Reason,
    /// The place of the rule, and its kind.
    rule: Option<(u32, RuleKind)>,
    /// The place of the user-agent line.
    agent: Option<u32>,
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
            (Some((_, kind)), _) => kind == RuleKind::Allow,
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
        self.rule.map(|(line, kind)| Rule::new(self.view, line, kind))
    }

    /// Returns the group the rule stands in, or, where no rule decided, the first group the crawler
    /// follows.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        match self.rule() {
            Some(rule) => rule.group(),
            None => self.agent().map(|agent| agent.group()),
        }
    }

    /// Returns the user-agent line that selected the crawler's groups.
    #[must_use]
    pub fn agent(&self) -> Option<Agent<'r>> {
        self.agent.map(|line| Agent::new(self.view, line))
    }

    pub(crate) fn of(view: View<'r>, crawler: CrawlerRef<'_>, target: &Target<'_>) -> Self {
        if exempt(view.semantics(), target) {
            return Self::without_group(view, Reason::RobotsTxtItself);
        }
        let Some(followed) = Followed::select(view, crawler) else {
            return Self::without_group(view, Reason::NoGroup);
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
                best = best.or(Best::of(rule, pattern.precedence()));
            }
        }
        Self::new(view, followed.agent().position(), best, no_rules)
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
                best = best.or(Best::of(rule, pattern.precedence()));
            }
        }
        Self::new(view, followed.agent().position(), best, no_rules)
    }

    /// Makes the verdict of the best matching rule of the groups that the user-agent line at a place
    /// selected.
    #[inline]
    pub(crate) fn new(view: View<'r>, agent: u32, best: Best, no_rules: bool) -> Self {
        let reason = match best.rule() {
            Some(_) if best.is_tie() => Reason::AllowWinsTie,
            Some(_) => Reason::LongestRule,
            None if no_rules => Reason::NoRules,
            None => Reason::NoRuleMatches,
        };
        Self { view, reason, rule: best.rule(), agent: Some(agent) }
    }

    pub(crate) fn not_a_url(view: View<'r>, error: NotAUrl) -> Self {
        Self::without_group(view, Reason::NotAUrl(error))
    }

    pub(crate) fn without_group(view: View<'r>, reason: Reason) -> Self {
        Self { view, reason, rule: None, agent: None }
    }
}

impl fmt::Debug for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("reason", &self.reason)
            .field("rule", &self.rule())
            .field("agent", &self.agent())
            .finish()
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
        if let Some(rule) = self.rule() {
            write!(f, " line {}, `{rule}`", rule.line().number)?;
        }
        if let Some(agent) = self.agent() {
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
#[inline]
pub(crate) fn exempt(semantics: &Semantics, target: &Target<'_>) -> bool {
    target.is_robots_txt() && semantics.robots_txt_exempt
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
