//! What a fetch result means, and how long a copy may be used: pure functions of data.
//!
//! Start at [`Edition::access`] and [`Edition::freshness`]. There is no clock here: ages and
//! durations come in as seconds.

use core::fmt;

use crate::Edition;
use crate::edition::{LastingServerError, Stance, StatusClass};

/// The seconds a copy is generally used: 24 hours.
pub const DAY: u64 = 24 * 60 * 60;

/// The seconds after which a server error counts as lasting: 30 days.
pub const LASTING: u64 = 30 * DAY;

/// The result of fetching robots.txt, as far as it bears on crawling.
///
/// ```
/// use robots_core::{Access, Edition, FetchResult};
/// let missing = FetchResult::status(404);
/// assert_eq!(Edition::Rfc9309.access(&missing), Access::FullAllow);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FetchResult {
    /// How the last request ended.
    pub end: FetchEnd,
    /// How many redirects were followed to get here.
    pub redirects: u32,
    /// Whether the body redirects by frame, script or meta refresh.
    pub logical_redirect: bool,
    /// The age in seconds of the cached copy, where there is one.
    pub cached_copy_age: Option<u64>,
    /// The seconds since the file could last be reached, 0 where it just could.
    pub unreachable_for: u64,
    /// Whether the site is known to answer 5xx for pages that do not exist.
    pub server_errors_for_missing_pages: bool,
}

impl FetchResult {
    /// Makes the result of a first request answered with this HTTP status.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::ended(FetchEnd::Status { status, location: Location::Present })
    }

    /// Makes the result of a first request that failed below HTTP.
    #[must_use]
    pub const fn failure(failure: Failure) -> Self {
        Self::ended(FetchEnd::Failure(failure))
    }

    const fn ended(end: FetchEnd) -> Self {
        Self {
            end,
            redirects: 0,
            logical_redirect: false,
            cached_copy_age: None,
            unreachable_for: 0,
            server_errors_for_missing_pages: false,
        }
    }
}

/// How a request for robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchEnd {
    /// With an HTTP response.
    Status {
        /// The status code; any number, also outside 100 to 599.
        status: u16,
        /// Where a 3xx points; of no matter elsewhere.
        location: Location,
    },
    /// Without one.
    Failure(Failure),
}

/// Where a redirect points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Location {
    /// To a URL not yet fetched.
    #[default]
    Present,
    /// Nowhere: the response names no target.
    Missing,
    /// To a URL fetched before.
    Loop,
    /// To a URL that rules would disallow.
    Disallowed,
}

/// A failure below HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The host name did not resolve.
    Dns,
    /// No answer came in time.
    Timeout,
    /// The answer was no HTTP.
    InvalidResponse,
    /// The connection was reset or broken.
    Connection,
    /// The chunked transfer coding was broken.
    Chunking,
    /// The body ended early.
    Incomplete,
}

/// What a fetch result allows a crawler to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Fetch the URL the redirect points to, and ask again.
    FollowRedirect,
    /// Everything may be crawled.
    FullAllow,
    /// Nothing may be crawled for the time being.
    FullDisallow,
    /// The rules of the fetched file decide.
    ConditionalAllow,
    /// The rules of the cached copy decide.
    UseCachedCopy,
    /// The edition says outright that this is undefined.
    Undefined {
        /// What errs on the side of the site.
        safe: &'static Access,
    },
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FollowRedirect => "follow-redirect",
            Self::FullAllow => "full-allow",
            Self::FullDisallow => "full-disallow",
            Self::ConditionalAllow => "conditional-allow",
            Self::UseCachedCopy => "use-cached-copy",
            Self::Undefined { safe } => return write!(f, "undefined (safe: {safe})"),
        })
    }
}

/// When to fetch robots.txt again after a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// When the copy's lifetime ends.
    WhenStale,
    /// Again and again until another kind of answer comes.
    UntilAnswered,
    /// The same, and rather often: the site asked for a pause (503).
    Frequently,
}

/// A cached copy of robots.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedCopy {
    /// The seconds since it was fetched.
    pub age: u64,
    /// The seconds of `Cache-Control: max-age`, where its response had one.
    pub max_age: Option<u64>,
    /// Whether it could be fetched anew.
    pub refresh: Refresh,
}

/// Whether a cached copy could be fetched anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Refresh {
    /// As far as is known.
    #[default]
    Possible,
    /// It was tried: time-outs, or server errors.
    Failing,
}

/// Whether a cached copy may still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It may be used without fetching the file anew (RFC 9111, 4.2).
    Fresh,
    /// It may not.
    Stale,
}

impl fmt::Display for Freshness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fresh => "fresh",
            Self::Stale => "stale",
        })
    }
}

impl Edition {
    /// Returns what a fetch result allows a crawler to do.
    ///
    /// Statuses outside 200 to 599 are no final HTTP answers and count as a failure to fetch. A 304
    /// revalidates the cached copy; without one it is a redirect that points nowhere.
    ///
    /// Sources: the table of HTTP result codes of the Google editions; RFC 9309, 2.3.1.
    ///
    /// ```
    /// use robots_core::{Access, Edition, FetchResult};
    /// let throttled = FetchResult::status(429);
    /// assert_eq!(Edition::Google2019.access(&throttled), Access::FullAllow);
    /// assert_eq!(Edition::Google2022.access(&throttled), Access::FullDisallow);
    /// ```
    #[must_use]
    pub fn access(self, fetch: &FetchResult) -> Access {
        let semantics = self.semantics();
        match fetch.end {
            // Past the bound the file counts as missing, whatever lies behind it.
            FetchEnd::Status { status: 200..=299, .. }
                if fetch.redirects > semantics.redirects_followed =>
            {
                Access::FullAllow
            }
            FetchEnd::Status { status: 200..=299, .. } => {
                match (fetch.logical_redirect, semantics.logical_redirect) {
                    (true, Stance::Undefined) => {
                        Access::Undefined { safe: &Access::ConditionalAllow }
                    }
                    _ => Access::ConditionalAllow,
                }
            }
            FetchEnd::Status { status: 304, .. } if fetch.cached_copy_age.is_some() => {
                Access::UseCachedCopy
            }
            FetchEnd::Status { status: 300..=399, location } => self.redirect(fetch, location),
            FetchEnd::Status { status: 429, .. }
                if semantics.too_many_requests == StatusClass::ServerError =>
            {
                self.unreachable(fetch)
            }
            FetchEnd::Status { status: 400..=499, .. } => Access::FullAllow,
            FetchEnd::Status { status: 500..=599, .. }
                if semantics.soft_server_error && fetch.server_errors_for_missing_pages =>
            {
                Access::FullAllow
            }
            FetchEnd::Status { status: 500..=599, .. } => self.unreachable(fetch),
            FetchEnd::Status { .. } | FetchEnd::Failure(_) => match semantics.network_failure {
                Stance::Undefined => Access::Undefined { safe: &Access::FullDisallow },
                Stance::Defined => self.unreachable(fetch),
            },
        }
    }

    /// Returns when to fetch robots.txt again after this result.
    ///
    /// ```
    /// use robots_core::{Edition, FetchResult, Retry};
    /// assert_eq!(Edition::Google2022.retry(&FetchResult::status(503)), Retry::Frequently);
    /// assert_eq!(Edition::Google2022.retry(&FetchResult::status(429)), Retry::UntilAnswered);
    /// assert_eq!(Edition::Google2019.retry(&FetchResult::status(429)), Retry::WhenStale);
    /// ```
    #[must_use]
    pub fn retry(self, fetch: &FetchResult) -> Retry {
        match fetch.end {
            FetchEnd::Status { status: 503, .. } => Retry::Frequently,
            FetchEnd::Status { status: 200..=428 | 430..=499, .. } => Retry::WhenStale,
            FetchEnd::Status { status: 429, .. }
                if self.semantics().too_many_requests == StatusClass::ClientError =>
            {
                Retry::WhenStale
            }
            _ => Retry::UntilAnswered,
        }
    }

    /// Returns the seconds for which a copy is generally used, given its `max-age` in seconds.
    ///
    /// Sources: "caching" of the Google editions; RFC 9309, 2.4.
    ///
    /// ```
    /// use robots_core::Edition;
    /// assert_eq!(Edition::Google2022.lifetime(None), 86_400);
    /// assert_eq!(Edition::Google2022.lifetime(Some(172_800)), 172_800);
    /// assert_eq!(Edition::Rfc9309.lifetime(Some(172_800)), 86_400);
    /// ```
    #[must_use]
    pub fn lifetime(self, max_age: Option<u64>) -> u64 {
        match max_age {
            None => DAY,
            Some(seconds) if self.semantics().max_age_may_lengthen => seconds,
            Some(seconds) => seconds.min(DAY),
        }
    }

    /// Returns whether a cached copy may still be used.
    ///
    /// A copy that cannot be fetched anew stays in use. With `max-age` a copy is fresh while its age
    /// is below the lifetime (RFC 9111, 4.2), without it up to and including 24 hours.
    ///
    /// ```
    /// use robots_core::{CachedCopy, Edition, Freshness, Refresh};
    /// let copy = CachedCopy { age: 90_000, max_age: None, refresh: Refresh::Possible };
    /// assert_eq!(Edition::Rfc9309.freshness(&copy), Freshness::Stale);
    /// ```
    #[must_use]
    pub fn freshness(self, copy: &CachedCopy) -> Freshness {
        let lifetime = self.lifetime(copy.max_age);
        let fresh = copy.age < lifetime || (copy.age == lifetime && copy.max_age.is_none());
        if fresh || copy.refresh == Refresh::Failing { Freshness::Fresh } else { Freshness::Stale }
    }

    fn redirect(self, fetch: &FetchResult, location: Location) -> Access {
        let semantics = self.semantics();
        if fetch.redirects >= semantics.redirects_followed {
            return Access::FullAllow;
        }
        match (location, semantics.redirect_to_disallowed) {
            (Location::Missing | Location::Loop, _) => Access::FullAllow,
            (Location::Disallowed, Stance::Undefined) => {
                Access::Undefined { safe: &Access::FullDisallow }
            }
            (Location::Present | Location::Disallowed, _) => Access::FollowRedirect,
        }
    }

    /// The file cannot be reached: disallowed for the time being, and after 30 days as the table says.
    fn unreachable(self, fetch: &FetchResult) -> Access {
        if fetch.unreachable_for <= LASTING {
            return Access::FullDisallow;
        }
        match (self.semantics().lasting_server_error, fetch.cached_copy_age) {
            (LastingServerError::Undefined, _) => Access::Undefined { safe: &Access::FullDisallow },
            (LastingServerError::CachedCopyOrAllow, Some(_)) => Access::UseCachedCopy,
            (LastingServerError::CachedCopyOrAllow, None) => Access::FullAllow,
        }
    }
}
