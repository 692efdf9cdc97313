//! The verdict on a URL, with the evidence it rests on.

use core::cmp::Ordering;
use core::fmt;

use crate::RuleKind;
use crate::agent::CrawlerRef;
use crate::group::{Agent, Followed, Group, Rule, Shown};
use crate::path::Pattern;
use crate::robots_txt::View;
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
    group: Option<Group<'r>>,
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
        self.group
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
        let mut best = Best::default();
        for rule in followed.rules() {
            let pattern = Pattern::new(rule.value(), semantics);
            if best.could_change(pattern.precedence()) && pattern.matches(target) {
                best.add(rule, pattern.precedence());
            }
        }
        best.verdict(&followed)
    }

    pub(crate) fn not_a_url(error: NotAUrl) -> Self {
        Self::without_group(Reason::NotAUrl(error))
    }

    pub(crate) fn without_group(reason: Reason) -> Self {
        Self { reason, rule: None, group: None, agent: None }
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

/// The best of the matching rules seen so far: the longest, and of equally long ones allow.
#[derive(Default)]
pub(crate) struct Best<'r> {
    rule: Option<Rule<'r>>,
    precedence: usize,
    tie: bool,
}

impl<'r> Best<'r> {
    pub(crate) fn could_change(&self, precedence: usize) -> bool {
        self.rule.is_none() || precedence >= self.precedence
    }

    pub(crate) fn add(&mut self, rule: Rule<'r>, precedence: usize) {
        let Some(best) = self.rule else {
            *self = Self { rule: Some(rule), precedence, tie: false };
            return;
        };
        match precedence.cmp(&self.precedence) {
            Ordering::Greater => *self = Self { rule: Some(rule), precedence, tie: false },
            Ordering::Equal if rule.kind() != best.kind() => {
                self.tie = true;
                if rule.kind() == RuleKind::Allow {
                    self.rule = Some(rule);
                }
            }
            Ordering::Equal | Ordering::Less => {}
        }
    }

    pub(crate) fn verdict(self, followed: &Followed<'r>) -> Verdict<'r> {
        let reason = match (self.rule, self.tie) {
            (Some(_), true) => Reason::AllowWinsTie,
            (Some(_), false) => Reason::LongestRule,
            (None, _) if followed.rules().next().is_some() => Reason::NoRuleMatches,
            (None, _) => Reason::NoRules,
        };
        let group = self.rule.map(|rule| rule.group()).or_else(|| followed.groups().next());
        Verdict { reason, rule: self.rule, group, agent: Some(followed.agent()) }
    }
}
