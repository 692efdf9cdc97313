//! The basis of a verdict, for crawlers that fetch robots.txt themselves: [`Basis`].

use super::access::Access;

/// What decides about a URL: the rules of a file, or the state of the site if no file applies.
///
/// A basis is not a [`Reason`](crate::Reason). A basis names the file that decides, or explains why no file decides. A
/// reason explains how the rules of a file lead to a verdict. Basis and reason are independent. For example, if the
/// basis is the rules of an expired file, the reason can be that one rule is the longest match, or that no rule
/// matches. Every verdict has a basis. If [`allows`](Self::allows) returns `None` for the basis, the rules decide, and
/// their verdict has a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Basis {
    /// The rules of the file, within its lifetime.
    Rules,
    /// The rules of an expired file, which is being fetched again.
    StaleRules,
    /// The rules of the last file that was fetched, because robots.txt cannot be reached now.
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
    /// The file has expired and must be fetched again before any URL may be fetched.
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

    /// Returns the basis of verdicts while robots.txt cannot be reached. `access` is the result of
    /// [`Edition::access`](crate::Edition::access) for the failed request.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::fetch::{Basis, FetchResult};
    /// let access = Edition::Rfc9309.access(&FetchResult::status(503));
    /// assert_eq!(Basis::in_outage(access), Basis::Unreachable);
    /// ```
    #[must_use]
    pub const fn in_outage(access: Access) -> Self {
        match access.or_safe() {
            Access::UseCachedCopy => Self::LastCopy,
            Access::FullAllow => Self::UnreachableForLong,
            _ => Self::Unreachable,
        }
    }

    /// Returns `Some(true)` if URLs with this basis may be fetched, and `Some(false)` if they may not. Returns `None`
    /// if rules decide about each URL.
    ///
    /// ```
    /// use robots_core::fetch::Basis;
    /// assert_eq!(Basis::NoFile.allows(), Some(true));
    /// assert_eq!(Basis::Unreachable.allows(), Some(false));
    /// assert_eq!(Basis::LastCopy.allows(), None);
    /// ```
    #[inline]
    #[must_use]
    pub const fn allows(self) -> Option<bool> {
        match self {
            Self::Rules | Self::StaleRules | Self::LastCopy => None,
            Self::NoFile | Self::UnreachableForLong | Self::RobotsTxtItself => Some(true),
            Self::Unreachable | Self::NotFetched | Self::Expired => Some(false),
        }
    }

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

named!(Basis, id, "basis", "bases");
