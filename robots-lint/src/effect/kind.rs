//! The two effects that a change can have on a URL: [`Effect`].

use core::fmt;

use robots_core::RuleKind;

/// Whether a change of a file opens URLs or closes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The new file allows URLs that the old file disallows.
    Opened,
    /// The new file disallows URLs that the old file allows.
    Closed,
}

impl Effect {
    /// Returns the effect as one word.
    ///
    /// ```
    /// assert_eq!(robots_lint::effect::Effect::Opened.id(), "opened");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Opened => "opened",
            Self::Closed => "closed",
        }
    }

    /// A rule that only one of the two files has decides about some URLs. Returns the effect of the change on these
    /// URLs.
    pub(super) const fn of(kind: RuleKind, is_new: bool) -> Self {
        match (kind, is_new) {
            (RuleKind::Allow, true) | (RuleKind::Disallow, false) => Self::Opened,
            (RuleKind::Allow, false) | (RuleKind::Disallow, true) => Self::Closed,
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
