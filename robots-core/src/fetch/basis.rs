//! The basis of a verdict, for crawlers that fetch robots.txt themselves: [`Basis`].

use core::fmt;

/// The basis of a verdict about a URL. If rules decided, [`Reason`](crate::Reason) names the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The rules of the file, within its lifetime.
    Rules,
    /// The rules of an expired file, which is being fetched again.
    StaleRules,
    /// The rules of the last file, because robots.txt cannot be reached.
    LastCopy,
    /// There is no file, so the edition restricts nothing.
    NoFile,
    /// Robots.txt cannot be reached, so the edition forbids everything for now.
    Unreachable,
    /// Robots.txt could not be reached for so long that the edition no longer restricts anything.
    UnreachableForLong,
    /// The URL names robots.txt itself.
    RobotsTxtItself,
    /// Robots.txt was never fetched, so nothing may be fetched yet.
    NotFetched,
    /// The file expired, so it must be fetched first.
    Expired,
}

impl Basis {
    /// Contains every basis.
    pub const ALL: &'static [Self] = &[
        Self::Rules,
        Self::StaleRules,
        Self::LastCopy,
        Self::NoFile,
        Self::Unreachable,
        Self::UnreachableForLong,
        Self::RobotsTxtItself,
        Self::NotFetched,
        Self::Expired,
    ];

    /// Returns the basis as one word.
    ///
    /// ```
    /// use robots_core::fetch::Basis;
    /// assert_eq!(Basis::LastCopy.id(), "last-copy");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::StaleRules => "stale-rules",
            Self::LastCopy => "last-copy",
            Self::NoFile => "no-file",
            Self::Unreachable => "unreachable",
            Self::UnreachableForLong => "unreachable-for-long",
            Self::RobotsTxtItself => "robots-txt-itself",
            Self::NotFetched => "not-fetched",
            Self::Expired => "expired",
        }
    }
}

impl fmt::Display for Basis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}
