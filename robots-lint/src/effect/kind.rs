//! The effects that a change can have on a URL: [`Effect`].

use core::fmt;

use robots_core::usage::Category;

/// The effect of a change of a file on URLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The new file allows URLs that the old file disallows.
    Opened,
    /// The new file disallows URLs that the old file allows.
    Closed,
    /// The two files allow the URLs, but state different preferences for a category of use. Comparing preferences needs
    /// the feature `usage`.
    Preference(Category),
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
            Self::Preference(_) => "preference",
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
