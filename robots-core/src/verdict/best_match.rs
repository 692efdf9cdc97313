//! Finds the best of the matching rules. The longest rule wins. If an allow rule and a disallow rule are equally long,
//! the allow rule wins.
//!
//! Start at [`BestMatch::or`]. A [`BestMatch`] has a fixed size and no reference to the file, so a compiled rule set
//! can store one for each prefix and for each tail of its patterns.

use core::cmp::Ordering;

use crate::line::RuleKind;
use crate::line::span::Place;

/// The best matching rule so far, or [`NONE`](Self::NONE).
#[derive(Clone, Copy)]
pub(crate) struct BestMatch {
    /// The precedence of the rule, or 0 if there is no rule. A rule with effect has at least one octet, so its
    /// precedence is never 0.
    precedence: u32,
    place: Place,
    /// The user-agent line that makes the crawler follow the rule's group.
    user_agent: Place,
    kind: RuleKind,
    /// Whether a matching rule of the other kind has the same length.
    tie: bool,
}

impl BestMatch {
    pub(crate) const NONE: Self = Self {
        precedence: 0,
        place: Place::FIRST,
        user_agent: Place::FIRST,
        kind: RuleKind::Allow,
        tie: false,
    };

    #[inline]
    pub(crate) fn of(place: Place, kind: RuleKind, precedence: usize, user_agent: Place) -> Self {
        debug_assert!(precedence > 0, "a rule with effect has a value");
        let precedence = u32::try_from(precedence).unwrap_or(u32::MAX);
        Self { precedence, place, user_agent, kind, tie: false }
    }

    /// Returns the user-agent line that makes the crawler follow the rule's group, or `None` if there is no rule.
    #[inline]
    pub(crate) fn user_agent(self) -> Option<Place> {
        (self.precedence > 0).then_some(self.user_agent)
    }

    /// Returns the rule's precedence, or 0 if there is no rule.
    #[inline]
    pub(crate) fn precedence(self) -> u32 {
        self.precedence
    }

    /// Returns the place of the rule, and its kind.
    #[inline]
    pub(crate) fn rule(self) -> Option<(Place, RuleKind)> {
        (self.precedence > 0).then_some((self.place, self.kind))
    }

    /// Returns whether allow won a tie.
    #[inline]
    pub(crate) fn is_tie(self) -> bool {
        self.tie
    }

    /// Returns the better of two rules. If they have the same length and kind, the result is the first one in the file.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        match self.precedence.cmp(&other.precedence) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal if self.kind == other.kind => {
                let first = if other.place < self.place { other } else { self };
                Self { tie: self.tie | other.tie, ..first }
            }
            Ordering::Equal => {
                let allow = if self.kind == RuleKind::Allow { self } else { other };
                Self { tie: true, ..allow }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::BestMatch;
    use crate::line::RuleKind;
    use crate::line::span::Place;

    prop_compose! {
        /// Draws random rules, each with a precedence and a kind.
        fn rules()(rules in prop::collection::vec((1_usize..3, any::<bool>()), 0..9)) -> Vec<(usize, RuleKind)> {
            let kind = |allow| if allow { RuleKind::Allow } else { RuleKind::Disallow };
            rules.into_iter().map(|(precedence, allow)| (precedence, kind(allow))).collect()
        }
    }

    proptest! {
        /// The result does not depend on the order in which rules are compared: the longest rule wins, then allow, then
        /// the first rule in the file. A tie needs rules of both kinds.
        #[test]
        fn the_order_of_comparison_changes_nothing(rules in rules(), part in 0_usize..9) {
            let matches: Vec<_> = (0..)
                .map(Place::at)
                .zip(&rules)
                .map(|(place, (precedence, kind))| BestMatch::of(place, *kind, *precedence, Place::at(place.index() / 3)))
                .collect();
            let longest = rules.iter().map(|(precedence, _)| *precedence).max().unwrap_or(0);
            let first = |kind| rules.iter().position(|rule| *rule == (longest, kind));
            let (allow, disallow) = (first(RuleKind::Allow), first(RuleKind::Disallow));
            let rule = allow.map(|at| (Place::at(at), RuleKind::Allow));
            let rule = rule.or(disallow.map(|at| (Place::at(at), RuleKind::Disallow)));
            let best = |matches: &[BestMatch]| matches.iter().copied().fold(BestMatch::NONE, BestMatch::or);
            let (left, right) = matches.split_at(part.min(matches.len()));
            for best in [best(&matches), best(left).or(best(right)), best(right).or(best(left))] {
                prop_assert_eq!(best.rule(), rule);
                let user_agent = rule.map(|(place, _)| Place::at(place.index() / 3));
                prop_assert_eq!(best.user_agent(), user_agent);
                prop_assert_eq!(best.is_tie(), allow.is_some() && disallow.is_some());
                prop_assert_eq!(best.precedence() as usize, longest);
            }
        }
    }
}
