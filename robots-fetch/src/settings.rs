//! [`Settings`] contains the settings of retrieval and caching.
//!
//! The clients and the state machines read the same settings, which are plain data. The effect of some settings depends
//! on the edition or on another setting. [`Settings::max_age`], [`Settings::hops`] and [`Settings::gap`] compute these
//! effects, and other modules call these methods instead of reading the fields.

use std::time::Duration;

use robots_core::fetch::LIFETIME;
use robots_core::{Edition, Options};

/// The maximum difference between the clocks of two machines: five minutes. If an answer is further in the future, a
/// clock was wrong, so the file must be fetched again. The documents name no number.
pub(crate) const CLOCK_SKEW: Duration = Duration::from_secs(5 * 60);

/// The longest wait that a `Retry-After` can set. A longer value counts as this time.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// The settings of retrieval and caching.
///
/// The defaults are the numbers in the documents, for example RFC 9309. If no document names a number, the default is
/// this project's choice.
///
/// ```
/// use robots_fetch::Settings;
/// use robots_fetch::robots_core::Edition;
/// use std::time::Duration;
/// let settings = Settings::default()
///     .edition(Edition::Rfc9309)
///     .stale_while_revalidate(Duration::from_secs(3600));
/// assert_eq!(settings.limit(), 512_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub(crate) edition: Edition,
    limit: Option<usize>,
    redirects: Option<u32>,
    pub(crate) shortest: Duration,
    pub(crate) longest: Duration,
    pub(crate) stale_while_revalidate: Duration,
    pub(crate) stale_if_error: Duration,
    pub(crate) first_retry: Duration,
    pub(crate) retry_after_503: Duration,
    pub(crate) longest_retry: Duration,
    outage_gap: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            edition: Edition::default(),
            limit: None,
            redirects: None,
            shortest: Duration::from_secs(60),
            longest: 7 * LIFETIME,
            stale_while_revalidate: Duration::ZERO,
            stale_if_error: Duration::ZERO,
            first_retry: Duration::from_secs(60 * 60),
            retry_after_503: Duration::from_secs(5 * 60),
            longest_retry: LIFETIME,
            outage_gap: Duration::from_secs(7 * 24 * 60 * 60),
        }
    }
}

impl Settings {
    /// Sets the edition under which answers are read. The default is google-2022.
    #[must_use]
    pub const fn edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Sets the maximum number of octets of a file that are used, after decoding. The default is the edition's limit,
    /// 500 KiB.
    #[must_use]
    pub const fn with_limit(self, octets: usize) -> Self {
        Self { limit: Some(octets), ..self }
    }

    /// Returns the maximum number of octets of a file that are used, after decoding.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.options().limit()
    }

    /// Sets the maximum number of redirects that are followed. A number less than five counts as five, because RFC
    /// 9309 (2.3.1.2) recommends at least five.
    #[must_use]
    pub const fn redirects(self, hops: u32) -> Self {
        Self { redirects: Some(hops), ..self }
    }

    /// Sets the minimum lifetime of an answer, even if `max-age` is less. The default is one minute. With zero,
    /// `max-age=0` causes a request for every page.
    #[must_use]
    pub const fn shortest_life(self, time: Duration) -> Self {
        Self { shortest: time, ..self }
    }

    /// Sets the maximum lifetime of an answer, even if `max-age` is greater. The default is seven days. Under RFC 9309
    /// (2.4) the lifetime is at most 24 hours, unless [`shortest_life`](Self::shortest_life) is longer.
    #[must_use]
    pub const fn longest_life(self, time: Duration) -> Self {
        Self { longest: time, ..self }
    }

    /// Sets the time for which an expired answer may be used while robots.txt is fetched again in the background. The
    /// setting applies to a file, and to the answer that there is no file. The default is zero.
    #[must_use]
    pub const fn stale_while_revalidate(self, time: Duration) -> Self {
        Self { stale_while_revalidate: time, ..self }
    }

    /// Sets the time for which the last rules may be used while robots.txt cannot be reached. The time counts from the
    /// end of the lifetime of these rules, or from the beginning of the outage if that is earlier. The maximum is 30
    /// days, because the edition decides after 30 days.
    ///
    /// The documents permit two readings. A server error forbids everything (RFC 9309, 2.3.1.4), or a copy may be used
    /// for longer if it cannot be fetched again (2.4; "caching" of the Google editions). By default the first reading
    /// is used: nothing may be fetched from a failing site.
    #[must_use]
    pub const fn stale_if_error(self, time: Duration) -> Self {
        Self { stale_if_error: time, ..self }
    }

    /// Sets the time until the next request after a failure. The default is one hour. After each further failure the
    /// time doubles, and up to a tenth is added, so that sites that fail together are not asked again at the same time.
    #[must_use]
    pub const fn first_retry(self, time: Duration) -> Self {
        Self { first_retry: time, ..self }
    }

    /// Sets the time until the next request after a 503, which asks for a pause. The default is five minutes. The time
    /// grows like [`first_retry`](Self::first_retry). If the site sends `Retry-After`, the client uses that delay
    /// instead of this time and of `first_retry`. A delay below one minute counts as one minute, and a delay above one
    /// day counts as one day.
    #[must_use]
    pub const fn retry_after_503(self, time: Duration) -> Self {
        Self { retry_after_503: time, ..self }
    }

    /// Sets the longest time between two requests to a failing site. The default is one day. This limit does not apply
    /// to a `Retry-After` of the site, which can set up to one day. In both cases, up to a tenth of the time is added.
    #[must_use]
    pub const fn longest_retry(self, time: Duration) -> Self {
        Self { longest_retry: time, ..self }
    }

    /// Sets the longest time between two failures of one outage. The default is seven days.
    ///
    /// After 30 days of an outage an edition may allow everything (RFC 9309, 2.3.1.4). Two failures that are further
    /// apart do not prove one outage, because perhaps the crawler did not run, or its clock jumped. So the second
    /// failure begins a new outage. A setting that is too short for the requests to a failing site is replaced: the
    /// longest time is at least 1.2 times [`longest_retry`](Self::longest_retry), and at least 1.2 days.
    #[must_use]
    pub const fn outage_gap(self, time: Duration) -> Self {
        Self { outage_gap: time, ..self }
    }

    /// Returns the longest time between two failures of one outage.
    pub(crate) fn gap(&self) -> Duration {
        // The wait can be a tenth longer than `longest_retry` or than a `Retry-After`, and the next request may come a
        // little after the end of the wait.
        let tries = self.longest_retry.max(MAX_RETRY_AFTER);
        self.outage_gap.max(tries.saturating_add(tries / 5))
    }

    pub(crate) fn options(&self) -> Options {
        let options = Options::from(self.edition);
        self.limit.map_or(options, |limit| options.with_limit(limit))
    }

    pub(crate) fn hops(&self) -> u32 {
        self.redirects.unwrap_or(0).max(self.edition.redirects())
    }

    /// Returns the lifetime of an answer, given its `max-age`, within the bounds of the edition and of the settings.
    pub(crate) fn max_age(&self, max_age: Option<Duration>) -> Duration {
        let life = self.edition.lifetime(max_age);
        life.max(self.shortest).min(self.longest.max(self.shortest))
    }
}
