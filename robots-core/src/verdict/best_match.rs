//! The best of the matching rules: the longest, and of equally long ones allow.

use core::cmp::Ordering;

use crate::line::RuleKind;
use crate::line::span::Place;

/// The best rule seen so far, or none.
#[derive(Clone, Copy)]
pub(crate) struct BestMatch {
    /// The rule's precedence and one; 0 where there is none.
    rank: u32,
    place: Place,
    kind: RuleKind,
    /// Whether a rule of the other kind is as long.
    tie: bool,
}

impl BestMatch {
    pub(crate) const NONE: Self =
        Self { rank: 0, place: Place::FIRST, kind: RuleKind::Allow, tie: false };

    #[inline]
    pub(crate) fn of(place: Place, kind: RuleKind, precedence: usize) -> Self {
        let rank = u32::try_from(precedence).unwrap_or(u32::MAX - 1) + 1;
        Self { rank, place, kind, tie: false }
    }

    /// The precedence and one; 0 where there is no rule.
    #[inline]
    pub(crate) fn precedence(self) -> u32 {
        self.rank
    }

    /// The place of the rule, and its kind.
    #[inline]
    pub(crate) fn rule(self) -> Option<(Place, RuleKind)> {
        (self.rank > 0).then_some((self.place, self.kind))
    }

    /// Whether allow won a tie.
    #[inline]
    pub(crate) fn is_tie(self) -> bool {
        self.tie
    }

    /// Returns the better of two; of equivalent rules the first in the file.
    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        match self.rank.cmp(&other.rank) {
            Ordering::Greater => self,
            Ordering::Less => other,
            Ordering::Equal if self.kind == other.kind => {
                Self { place: self.place.min(other.place), tie: self.tie | other.tie, ..self }
            }
            Ordering::Equal => {
                let allow = if self.kind == RuleKind::Allow { self } else { other };
                Self { tie: true, ..allow }
            }
        }
    }
}
