//! Decides which access a fetch result gives to a crawler.
//!
//! Start at [`Edition::access`]. The functions do no I/O and read no clock: the caller gives ages and durations.

use core::fmt;
use core::time::Duration;

use super::freshness::LASTING;
use crate::edition::{Edition, LastingServerError, Semantics, Stance, StatusClass};

/// The result of fetching robots.txt, without the rules in its body. Apart from these rules, this type contains
/// everything that affects which URLs may be crawled.
///
/// ```
/// use robots_core::Edition;
/// use robots_core::fetch::{Access, FetchResult};
/// let missing = FetchResult::status(404);
/// assert_eq!(Edition::Rfc9309.access(&missing), Access::FullAllow);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FetchResult {
    /// How the last request ended.
    pub end: FetchEnd,
    /// The number of redirects that were followed before the last request.
    pub redirects: u32,
    /// Whether the body redirects by frame, script or meta refresh.
    pub logical_redirect: bool,
    /// The age of the cached copy, if there is one.
    pub cached_copy_age: Option<Duration>,
    /// The time since a request last reached the file. It is zero if the last request reached the file.
    pub unreachable_for: Duration,
    /// Whether the site is known to answer 5xx for pages that do not exist.
    pub server_errors_for_missing_pages: bool,
}

impl FetchResult {
    /// Makes the result of a request that the server answered with this HTTP status, without earlier redirects.
    #[must_use]
    pub const fn status(status: u16) -> Self {
        Self::new(FetchEnd::Status { status, location: Location::Present })
    }

    /// Makes the result of a request that ended with this failure, without earlier redirects.
    #[must_use]
    pub const fn failure(failure: Failure) -> Self {
        Self::new(FetchEnd::Failure(failure))
    }

    /// Makes the result of a request that the server answered with a redirect, without earlier redirects. The arguments
    /// are the status of the redirect and the kind of its target.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::fetch::{Access, FetchResult, Location};
    /// let nowhere = FetchResult::redirect(301, Location::Missing);
    /// assert_eq!(Edition::Rfc9309.access(&nowhere), Access::FullAllow);
    /// ```
    #[must_use]
    pub const fn redirect(status: u16, location: Location) -> Self {
        Self::new(FetchEnd::Status { status, location })
    }

    /// Sets the number of redirects that were followed before the last request.
    #[must_use]
    pub const fn after_redirects(self, redirects: u32) -> Self {
        Self { redirects, ..self }
    }

    /// Marks the body as one that redirects by frame, script or meta refresh.
    #[must_use]
    pub const fn with_logical_redirect(self) -> Self {
        Self { logical_redirect: true, ..self }
    }

    /// Adds a cached copy of this age.
    #[must_use]
    pub const fn with_cached_copy(self, age: Duration) -> Self {
        Self { cached_copy_age: Some(age), ..self }
    }

    /// Sets the time since a request last reached the file.
    #[must_use]
    pub const fn unreachable_for(self, time: Duration) -> Self {
        Self { unreachable_for: time, ..self }
    }

    /// Marks the site as one that is known to answer 5xx for pages that do not exist.
    #[must_use]
    pub const fn with_server_errors_for_missing_pages(self) -> Self {
        Self { server_errors_for_missing_pages: true, ..self }
    }

    /// Makes the result of a request that ended in this way, without earlier redirects, without a cached copy and
    /// without an outage.
    ///
    /// ```
    /// use robots_core::fetch::{Failure, FetchEnd, FetchResult};
    /// let failed = FetchResult::new(FetchEnd::Failure(Failure::Dns));
    /// assert_eq!(failed, FetchResult::failure(Failure::Dns));
    /// ```
    #[must_use]
    pub const fn new(end: FetchEnd) -> Self {
        Self {
            end,
            redirects: 0,
            logical_redirect: false,
            cached_copy_age: None,
            unreachable_for: Duration::ZERO,
            server_errors_for_missing_pages: false,
        }
    }
}

/// The ways in which a request for robots.txt can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchEnd {
    /// The request ended with an HTTP response.
    Status {
        /// The status code. The code can be any number, even one outside 100 to 599.
        status: u16,
        /// The target of a redirect (status 3xx). For other statuses, the target is ignored.
        location: Location,
    },
    /// The request ended without a complete HTTP response.
    Failure(Failure),
}

/// The target of a redirect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Location {
    /// The target is a URL that was not fetched before.
    #[default]
    Present,
    /// The response names no target.
    Missing,
    /// The target is a URL that was fetched before. Crawlers follow such a redirect like any other, because the next
    /// answer of this URL may differ.
    Loop,
    /// The target is a URL that the rules of a robots.txt would disallow.
    Disallowed,
}

impl Location {
    /// Contains every value.
    ///
    /// ```
    /// use robots_core::fetch::Location;
    /// let ids: Vec<&str> = Location::ALL.iter().map(|location| location.id()).collect();
    /// assert_eq!(ids, ["present", "missing", "loop", "disallowed"]);
    /// ```
    pub const ALL: &'static [Self] = &[Self::Present, Self::Missing, Self::Loop, Self::Disallowed];

    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Missing => "missing",
            Self::Loop => "loop",
            Self::Disallowed => "disallowed",
        }
    }
}

named!(Location, id, "target of a redirect", "targets");

/// The reasons why a request has no complete HTTP response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Failure {
    /// The host name did not resolve.
    Dns,
    /// No answer came in time.
    Timeout,
    /// The answer was not HTTP.
    InvalidResponse,
    /// The connection was reset or broken.
    Connection,
    /// The chunked transfer coding was broken.
    Chunking,
    /// The body ended early.
    Incomplete,
}

impl Failure {
    /// Contains every failure.
    pub const ALL: &'static [Self] = &[
        Self::Dns,
        Self::Timeout,
        Self::InvalidResponse,
        Self::Connection,
        Self::Chunking,
        Self::Incomplete,
    ];

    /// Returns the failure as the cases and the protocol write it.
    ///
    /// ```
    /// use robots_core::fetch::Failure;
    /// assert_eq!(Failure::InvalidResponse.id(), "invalid-response");
    /// ```
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Dns => "dns",
            Self::Timeout => "timeout",
            Self::InvalidResponse => "invalid-response",
            Self::Connection => "connection",
            Self::Chunking => "chunking",
            Self::Incomplete => "incomplete",
        }
    }
}

named!(Failure, id, "failure", "failures");

/// The access that a fetch result gives to a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Access {
    /// The crawler must fetch the target of the redirect, and call [`Edition::access`] again with the result.
    FollowRedirect,
    /// Everything may be crawled.
    FullAllow,
    /// No URL may be crawled for now.
    FullDisallow,
    /// The rules of the fetched file decide.
    ConditionalAllow,
    /// The rules of the cached copy decide.
    UseCachedCopy,
    /// The edition explicitly calls the effect of the result undefined. [`or_safe`](Access::or_safe) returns the access
    /// that a crawler should use.
    Undefined {
        /// The access that is safe for the site.
        safe: &'static Access,
    },
}

impl Access {
    /// Returns the access that a crawler should use. If the edition calls the effect undefined, returns the access that
    /// is safe for the site. For every other value, returns the value itself.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::fetch::{Access, Failure, FetchResult};
    /// let access = Edition::Google2018.access(&FetchResult::failure(Failure::Dns));
    /// assert_eq!(access, Access::Undefined { safe: &Access::FullDisallow });
    /// assert_eq!(access.or_safe(), Access::FullDisallow);
    /// assert_eq!(Access::FullAllow.or_safe(), Access::FullAllow);
    /// ```
    #[must_use]
    pub const fn or_safe(self) -> Self {
        match self {
            Self::Undefined { safe } => *safe,
            defined => defined,
        }
    }
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

/// The time at which robots.txt is fetched again after a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Retry {
    /// The crawler requests the file again when the lifetime of the answer ends.
    WhenStale,
    /// The crawler requests the file repeatedly until it receives another kind of answer.
    UntilAnswered,
    /// The crawler requests the file repeatedly and often, because the answer was a status 503, which means a temporary
    /// failure.
    Frequently,
}

impl Retry {
    /// Contains every value.
    ///
    /// ```
    /// use robots_core::fetch::Retry;
    /// let ids: Vec<&str> = Retry::ALL.iter().map(|retry| retry.id()).collect();
    /// assert_eq!(ids, ["when-stale", "until-answered", "frequently"]);
    /// ```
    pub const ALL: &'static [Self] = &[Self::WhenStale, Self::UntilAnswered, Self::Frequently];

    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::WhenStale => "when-stale",
            Self::UntilAnswered => "until-answered",
            Self::Frequently => "frequently",
        }
    }
}

named!(Retry, id, "time of a retry", "times");

impl Edition {
    /// Returns the access that a fetch result gives to a crawler. Statuses outside 200 to 599 are not final HTTP
    /// answers and have the effect of a failed request. A 304 revalidates the cached copy. Without a copy, a 304 has
    /// the effect of a redirect without a target.
    ///
    /// Sources: the table of HTTP result codes of the Google editions; RFC 9309, 2.3.1.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::fetch::{Access, FetchResult};
    /// let throttled = FetchResult::status(429);
    /// assert_eq!(Edition::Google2019.access(&throttled), Access::FullAllow);
    /// assert_eq!(Edition::Google2022.access(&throttled), Access::FullDisallow);
    /// ```
    #[must_use]
    pub fn access(self, fetch: &FetchResult) -> Access {
        access(self.semantics(), fetch)
    }

    /// Returns the time at which to fetch robots.txt again after this result.
    ///
    /// ```
    /// use robots_core::Edition;
    /// use robots_core::fetch::{FetchResult, Retry};
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
}

/// Returns the access that a fetch result gives, given the semantics of an edition.
fn access(semantics: &Semantics, fetch: &FetchResult) -> Access {
    match fetch.end {
        // After too many redirects, the result has the effect of a missing file, even if the last answer contains a
        // file.
        FetchEnd::Status { status: 200..=299, .. }
            if fetch.redirects > semantics.redirects_followed =>
        {
            Access::FullAllow
        }
        FetchEnd::Status { status: 200..=299, .. } => {
            match (fetch.logical_redirect, semantics.logical_redirect) {
                (true, Stance::Undefined) => Access::Undefined { safe: &Access::ConditionalAllow },
                _ => Access::ConditionalAllow,
            }
        }
        FetchEnd::Status { status: 304, .. } if fetch.cached_copy_age.is_some() => {
            Access::UseCachedCopy
        }
        // A 304 has no target, so without a copy it has the effect of a redirect without a target.
        FetchEnd::Status { status: 304, .. } => redirect(semantics, fetch, Location::Missing),
        FetchEnd::Status { status: 300..=399, location } => redirect(semantics, fetch, location),
        FetchEnd::Status { status: 429, .. }
            if semantics.too_many_requests == StatusClass::ServerError =>
        {
            unreachable(semantics, fetch)
        }
        FetchEnd::Status { status: 400..=499, .. } => Access::FullAllow,
        FetchEnd::Status { status: 500..=599, .. }
            if semantics.soft_server_error && fetch.server_errors_for_missing_pages =>
        {
            Access::FullAllow
        }
        FetchEnd::Status { status: 500..=599, .. } => unreachable(semantics, fetch),
        FetchEnd::Status { .. } | FetchEnd::Failure(_) => match semantics.network_failure {
            Stance::Undefined => Access::Undefined { safe: &Access::FullDisallow },
            Stance::Defined => unreachable(semantics, fetch),
        },
    }
}

fn redirect(semantics: &Semantics, fetch: &FetchResult, location: Location) -> Access {
    if fetch.redirects >= semantics.redirects_followed {
        return Access::FullAllow;
    }
    match (location, semantics.redirect_to_disallowed) {
        (Location::Missing, _) => Access::FullAllow,
        (Location::Disallowed, Stance::Undefined) => {
            Access::Undefined { safe: &Access::FullDisallow }
        }
        // The editions limit the number of redirects, and no edition defines a loop by one URL that returns.
        (Location::Present | Location::Loop | Location::Disallowed, _) => Access::FollowRedirect,
    }
}

/// Returns the access if the file cannot be reached. For 30 days, no URL is allowed. After that, the effect depends on
/// the edition.
fn unreachable(semantics: &Semantics, fetch: &FetchResult) -> Access {
    if fetch.unreachable_for <= LASTING {
        return Access::FullDisallow;
    }
    match (semantics.lasting_server_error, fetch.cached_copy_age) {
        (LastingServerError::Undefined, _) => Access::Undefined { safe: &Access::FullDisallow },
        (LastingServerError::CachedCopyOrAllow, Some(_)) => Access::UseCachedCopy,
        (LastingServerError::CachedCopyOrAllow, None) => Access::FullAllow,
    }
}
