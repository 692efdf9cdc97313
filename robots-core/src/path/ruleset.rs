//! The rules of one crawler, compiled for many URLs.

use alloc::vec::Vec;

use super::Pattern;
use crate::group::{Followed, Rule};
use crate::robots_txt::View;
use crate::target::Target;
use crate::verdict::{Best, Reason, Verdict, exempt};

/// The rules one crawler follows, normalised and sorted, for many URLs.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: *\ndisallow: /private\n", robots_core::Options::default());
/// let rules = robots.rules_for("examplebot");
/// assert!(rules.verdict("/public").is_allowed());
/// assert!(!rules.verdict("/private").is_allowed());
/// # }
/// ```
#[derive(Clone)]
pub struct RuleSet<'r> {
    view: View<'r>,
    followed: Option<Followed<'r>>,
    /// Longest pattern first, in the order of the file among equals.
    rules: Vec<(Pattern<'r>, Rule<'r>)>,
}

impl<'r> RuleSet<'r> {
    pub(crate) fn compile(view: View<'r>, followed: Option<Followed<'r>>) -> Self {
        let semantics = view.semantics();
        let rules = followed.iter().flat_map(Followed::rules);
        let mut rules: Vec<_> =
            rules.map(|rule| (Pattern::new(rule.value(), semantics), rule)).collect();
        rules.sort_by_key(|(pattern, _)| core::cmp::Reverse(pattern.precedence()));
        Self { view, followed, rules }
    }

    /// Returns the verdict on a URL, as [`RobotsTxt::verdict`](crate::RobotsTxt::verdict) does.
    #[must_use]
    pub fn verdict(&self, url: &str) -> Verdict<'r> {
        let target = match Target::parse(url) {
            Ok(target) => target,
            Err(error) => return Verdict::not_a_url(error),
        };
        if exempt(self.view, &target) {
            return Verdict::without_group(Reason::RobotsTxtItself);
        }
        let Some(followed) = &self.followed else {
            return Verdict::without_group(Reason::NoGroup);
        };
        let mut best = Best::default();
        for (pattern, rule) in &self.rules {
            if !best.could_change(pattern.precedence()) {
                break;
            }
            if pattern.matches(&target) {
                best.add(*rule, pattern.precedence());
            }
        }
        best.verdict(followed)
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}
