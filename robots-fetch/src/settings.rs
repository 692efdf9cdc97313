//! How robots.txt is fetched and kept: [`Settings`].

use std::time::Duration;

use robots_core::fetch::LIFETIME;
use robots_core::policy::Policy;
use robots_core::{Edition, Options};

/// How robots.txt is fetched and kept.
///
/// The defaults are the documents' numbers, and where those name none, ours.
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
            first_retry: Policy::RETRY,
            retry_after_503: Policy::RETRY_SOON,
            longest_retry: LIFETIME,
            outage_gap: 7 * LIFETIME,
        }
    }
}

impl Settings {
    /// Sets the edition by which answers are read; google-2022 unless set.
    #[must_use]
    pub const fn edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Sets how many octets of a file count, after decoding; the edition's 500 KiB unless set.
    #[must_use]
    pub const fn with_limit(self, octets: usize) -> Self {
        Self { limit: Some(octets), ..self }
    }

    /// Returns how many octets of a file count, after decoding.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.options().octets()
    }

    /// Sets how many redirects are followed. No document lets a crawler follow fewer than five, so fewer count
    /// as five; RFC 9309 (2.3.1.2) says at least five.
    #[must_use]
    pub const fn redirects(self, hops: u32) -> Self {
        Self { redirects: Some(hops), ..self }
    }

    /// Sets the shortest time for which an answer is kept, whatever `max-age` says; one minute unless set. Zero
    /// makes `max-age=0` cause a request for every page.
    #[must_use]
    pub const fn shortest_life(self, time: Duration) -> Self {
        Self { shortest: time, ..self }
    }

    /// Sets the longest time for which an answer is kept, whatever `max-age` says; seven days unless set. By RFC
    /// 9309 (2.4) it is never longer than 24 hours.
    #[must_use]
    pub const fn longest_life(self, time: Duration) -> Self {
        Self { longest: time, ..self }
    }

    /// Lets rules answer for so long after their life ended, while they are fetched anew in the background. Not
    /// at all unless set.
    #[must_use]
    pub const fn stale_while_revalidate(self, time: Duration) -> Self {
        Self { stale_while_revalidate: time, ..self }
    }

    /// Lets the rules fetched last answer for so long while robots.txt cannot be reached: 30 days at most, for
    /// then the edition says what holds.
    ///
    /// The documents leave two readings. A server error forbids everything (RFC 9309, 2.3.1.4), and a copy may be
    /// used for longer where it cannot be fetched anew (2.4; "caching" of the Google editions). Unless this is set,
    /// the first is taken: nothing is fetched from a site that fails.
    #[must_use]
    pub const fn stale_if_error(self, time: Duration) -> Self {
        Self { stale_if_error: time, ..self }
    }

    /// Sets when to ask again after a failure; an hour unless set. After each further failure the time is twice as long,
    /// and up to a tenth is added, so that sites that fail together are not asked together.
    #[must_use]
    pub const fn first_retry(self, time: Duration) -> Self {
        Self { first_retry: time, ..self }
    }

    /// Sets when to ask again after a 503, by which a site asks for a pause; five minutes unless set. It grows as
    /// [`first_retry`](Self::first_retry) does. A `Retry-After` of the site replaces both: at least a minute, and a day
    /// at most.
    #[must_use]
    pub const fn retry_after_503(self, time: Duration) -> Self {
        Self { retry_after_503: time, ..self }
    }

    /// Sets the longest time between two tries of a site that fails; a day unless set.
    #[must_use]
    pub const fn longest_retry(self, time: Duration) -> Self {
        Self { longest_retry: time, ..self }
    }

    /// Sets how much time may lie between two failures of one outage; seven days unless set.
    ///
    /// After 30 days of an outage an edition may allow everything (RFC 9309, 2.3.1.4). Two failures with a longer gap
    /// between them are no evidence of that: the crawler did not run, or its clock jumped. The second one then begins
    /// an outage of its own. A gap shorter than the longest time between two tries counts as that time.
    #[must_use]
    pub const fn outage_gap(self, time: Duration) -> Self {
        Self { outage_gap: time, ..self }
    }

    /// Returns how much time may lie between two failures of one outage.
    pub(crate) fn gap(&self) -> Duration {
        // A tenth is added to the time between two tries, and nobody asks again the moment that it has passed.
        let tries = self.longest_retry.saturating_add(self.longest_retry / 5);
        self.outage_gap.max(tries)
    }

    pub(crate) fn options(&self) -> Options {
        let options = Options::from(self.edition);
        self.limit.map_or(options, |limit| options.limit(limit))
    }

    pub(crate) fn hops(&self) -> u32 {
        self.redirects.unwrap_or(0).max(self.edition.redirects())
    }

    /// Returns the `max-age` to reckon with: within the bounds, and one where there was none.
    pub(crate) fn max_age(&self, max_age: Option<Duration>) -> Duration {
        let life = self.edition.lifetime(max_age);
        life.max(self.shortest).min(self.longest.max(self.shortest))
    }
}
