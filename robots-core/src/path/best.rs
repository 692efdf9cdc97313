//! The best of the matching rules: the longest, and of equally long ones allow.

use core::cmp::Ordering;

use crate::RuleKind;
use crate::group::Rule;

/// The best rule seen so far, or none.
#[derive(Clone, Copy)]
pub(crate) struct Best {
    /// The rule's precedence and one; 0 where there is none.
    rank: u32,
    line: u32,
    kind: RuleKind,
    /// Whether a rule of the other kind is as long.
    tie: bool,
}

impl Best {
    pub(crate) const NONE: Self = Self { rank: 0, line: 0, kind: RuleKind::Allow, tie: false };

    #[inline]
    pub(crate) fn of(rule: Rule<'_>, precedence: usize) -> Self {
        let rank = u32::try_from(precedence).unwrap_or(u32::MAX - 1) + 1;
        Self { rank, line: rule.position(), kind: rule.kind(), tie: false }
    }

    /// The precedence and one; 0 where there is no rule.
    #[inline]
    pub(crate) fn precedence(self) -> u32 {
        self.rank
    }

    /// The place of the rule, and its kind.
    #[inline]
    pub(crate) fn rule(self) -> Option<(u32, RuleKind)> {
        (self.rank > 0).then_some((self.line, self.kind))
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
                Self { line: self.line.min(other.line), tie: self.tie | other.tie, ..self }
            }
            Ordering::Equal => {
                let allow = if self.kind == RuleKind::Allow { self } else { other };
                Self { tie: true, ..allow }
            }
        }
    }
}
