//! Computes the verdict on a URL, with the rule and the group that decided.
//!
//! Start at [`Verdict::of`]. This function selects the groups of the crawler ([`MergedGroup`]), and compares each of
//! their rules with the URL. The longest matching rule decides, and allow wins a tie. [`RuleSet`] gives the same
//! verdicts from rules that are compiled once for many URLs. A verdict stores the places of lines in the file, not
//! copies of them. The rule, the group and the line are read only when a caller asks for them.

mod as_written;
mod best_match;
mod group;
mod merged_group;
mod rule_set;
#[cfg(feature = "usage")]
mod usage;

pub use group::{Group, Record, Rule, UserAgentLine};
pub use merged_group::MergedGroup;
pub use rule_set::RuleSet;
#[cfg(feature = "usage")]
pub use usage::{Statement, Usage};

use core::fmt;

use as_written::Url;
use best_match::BestMatch;

use crate::agent::{CrawlerRef, NotAProductToken};
use crate::edition::Semantics;
use crate::file::view::View;
use crate::line::RuleKind;
use crate::line::span::Place;
use crate::path::PathAndQuery;
use crate::path::path_and_query::NotAUrl;

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
    rule: Option<(Place, RuleKind)>,
    /// The user-agent line that makes the crawler follow the rule's group. If no rule decided, this is the line for the
    /// first group that the crawler follows. `None` if no group decides.
    user_agent: Option<Place>,
}

/// The reason for a verdict: how the rules of a file decide about a URL, or why none of them does.
///
/// A reason says nothing about the retrieval of the file. [`Basis`](crate::fetch::Basis) describes the retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// One matching rule is the longest, or all of the longest matching rules have the same kind.
    LongestRule,
    /// Some of the longest matching rules allow and some disallow. Allow wins the tie.
    AllowWinsTie,
    /// The crawler's group has rules, but none of them matches.
    NoRuleMatches,
    /// The crawler's group has no rules.
    NoRules,
    /// The file has no group for the crawler and none for `*`.
    NoGroup,
    /// The URL names robots.txt itself.
    RobotsTxtItself,
    /// The text given for the URL is not a URL.
    NotAUrl(NotAUrl),
    /// The text given for the crawler is not a product token.
    NotAProductToken(NotAProductToken),
}

impl Reason {
    /// Returns the reason as one word.
    ///
    /// ```
    /// use robots_core::Reason;
    /// assert_eq!(Reason::NoRuleMatches.id(), "no-rule-matches");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::LongestRule => "longest-rule",
            Self::AllowWinsTie => "allow-wins-tie",
            Self::NoRuleMatches => "no-rule-matches",
            Self::NoRules => "no-rules",
            Self::NoGroup => "no-group",
            Self::RobotsTxtItself => "robots-txt-itself",
            Self::NotAUrl(_) => "not-a-url",
            Self::NotAProductToken(_) => "not-a-product-token",
        }
    }
}

impl<'r> Verdict<'r> {
    /// Returns whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        match (self.rule, self.reason) {
            (Some((_, kind)), _) => kind == RuleKind::Allow,
            (None, reason) => !matches!(reason, Reason::NotAUrl(_) | Reason::NotAProductToken(_)),
        }
    }

    /// Returns the reason.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Returns the rule that decided. If several rules of the same kind are the longest, returns the first of them.
    #[must_use]
    pub fn rule(&self) -> Option<Rule<'r>> {
        self.rule.map(|(place, kind)| Rule::new(self.view, place, kind))
    }

    /// Returns the group that contains the deciding rule. If no rule decided, returns the first group that the crawler
    /// follows.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        let place = self.rule.map(|(place, _)| place).or(self.user_agent)?;
        self.view.group_of(place).map(|position| Group::new(self.view, position))
    }

    /// Returns the first user-agent line that makes the crawler follow the [`group`](Self::group).
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser,
    /// #     "user-agent: a\nallow: /x\nuser-agent: b\nuser-agent: a\ndisallow: /y\n",
    /// #     robots_core::Options::default());
    /// assert_eq!(robots.verdict("a", "/x").user_agent().unwrap().line().number, 1);
    /// assert_eq!(robots.verdict("a", "/y").user_agent().unwrap().line().number, 4);
    /// # }
    /// ```
    #[must_use]
    pub fn user_agent(&self) -> Option<UserAgentLine<'r>> {
        self.user_agent.map(|place| UserAgentLine::new(self.view, place))
    }

    pub(crate) fn of(view: View<'r>, crawler: CrawlerRef<'_>, path: &PathAndQuery<'_>) -> Self {
        let semantics = view.semantics();
        if exempt(semantics, path) {
            return Self::without_group(view, Reason::RobotsTxtItself);
        }
        let Some(merged) = MergedGroup::select(view, crawler) else {
            return Self::without_group(view, Reason::NoGroup);
        };
        let (mut best, mut no_rules) = (BestMatch::NONE, true);
        let url = Url::new(path);
        let mut next = Some((merged.first(), merged.user_agent().place()));
        while let Some((group, user_agent)) = next {
            next = merged.after(group);
            // Comparing slots instead of rules saves a third of the instructions (`cargo xtask bench instructions`,
            // "verdicts without compiling").
            for (place, slot) in view.slots(group.places()) {
                let Some(kind) = slot.kind().rule() else { continue };
                no_rules = false;
                if let Some(precedence) = url.precedence(view.octets, view.value_of(slot)) {
                    best = best.or(BestMatch::of(place, kind, precedence, user_agent));
                }
            }
        }
        Self::new(view, best, no_rules, merged.user_agent().place())
    }

    /// Makes the verdict from the best matching rule. `first` is the user-agent line that selects the first of the
    /// crawler's groups.
    #[inline]
    pub(crate) fn new(view: View<'r>, best: BestMatch, no_rules: bool, first: Place) -> Self {
        let reason = match best.rule() {
            Some(_) if best.is_tie() => Reason::AllowWinsTie,
            Some(_) => Reason::LongestRule,
            None if no_rules => Reason::NoRules,
            None => Reason::NoRuleMatches,
        };
        let user_agent = Some(best.user_agent().unwrap_or(first));
        Self { view, reason, rule: best.rule(), user_agent }
    }

    /// Makes a verdict for which no rule and no group decides, with its reason.
    pub(crate) fn without_group(view: View<'r>, reason: Reason) -> Self {
        Self { view, reason, rule: None, user_agent: None }
    }
}

impl fmt::Debug for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("reason", &self.reason)
            .field("rule", &self.rule())
            .field("user_agent", &self.user_agent())
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
            Reason::NotAProductToken(error) => write!(f, "{error}")?,
        }
        if let Some(rule) = self.rule() {
            write!(f, " line {}, `{rule}`", rule.line().number)?;
        }
        if let Some(line) = self.user_agent() {
            write!(f, ", for `{line}` in line {}", line.line().number)?;
        }
        Ok(())
    }
}

/// Returns whether the edition exempts the path from all rules.
#[inline]
pub(crate) fn exempt(semantics: &Semantics, path: &PathAndQuery<'_>) -> bool {
    path.is_robots_txt() && semantics.robots_txt_exempt
}
