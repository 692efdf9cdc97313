//! Decides how long a cached copy may be used.
//!
//! Start at [`Edition::freshness`]. The functions read no clock: the caller gives ages.

use core::time::Duration;

use crate::edition::Edition;

/// The time for which a crawler generally uses a copy: 24 hours.
///
/// Sources: the section "caching" of the Google editions; RFC 9309, 2.4.
pub const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// The time after which the effect of a lasting server error changes: 30 days.
///
/// Sources: the section "handling of HTTP result codes" of google-2019 and google-2022; RFC 9309, 2.3.1.4.
pub const LASTING: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A cached copy of robots.txt.
///
/// ```
/// use core::time::Duration;
/// use robots_core::Edition;
/// use robots_core::fetch::{CachedCopy, Freshness};
/// let copy = CachedCopy::of_age(Duration::from_secs(90_000));
/// assert_eq!(Edition::Rfc9309.freshness(&copy), Freshness::Stale);
/// assert_eq!(Edition::Rfc9309.freshness(&copy.failing()), Freshness::Fresh);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CachedCopy {
    /// The time since the copy was fetched.
    pub age: Duration,
    /// The value of `Cache-Control: max-age`, if the response had one.
    pub max_age: Option<Duration>,
    /// Whether an attempt to fetch the file again has failed.
    pub refresh: Refresh,
}

impl CachedCopy {
    /// Makes a copy of this age whose response had no `max-age`.
    #[must_use]
    pub const fn of_age(age: Duration) -> Self {
        Self { age, max_age: None, refresh: Refresh::Possible }
    }

    /// Adds the `max-age` of the response that contained the copy.
    #[must_use]
    pub const fn with_max_age(self, max_age: Duration) -> Self {
        Self { max_age: Some(max_age), ..self }
    }

    /// Records that an attempt to fetch the file again has failed.
    #[must_use]
    pub const fn failing(self) -> Self {
        Self { refresh: Refresh::Failing, ..self }
    }
}

/// Whether an attempt to replace a cached copy has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Refresh {
    /// No attempt to fetch the file again has failed.
    #[default]
    Possible,
    /// An attempt to fetch the file again has failed, for example with a time-out or a server error.
    Failing,
}

impl Refresh {
    /// Contains both values.
    ///
    /// ```
    /// use robots_core::fetch::Refresh;
    /// let ids: Vec<&str> = Refresh::ALL.iter().map(|refresh| refresh.id()).collect();
    /// assert_eq!(ids, ["possible", "failing"]);
    /// ```
    pub const ALL: &'static [Self] = &[Self::Possible, Self::Failing];

    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Failing => "failing",
        }
    }
}

named!(Refresh, id, "state of a refresh", "states");

/// Whether a cached copy may still be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Freshness {
    /// The copy may be used without another request (RFC 9111, 4.2).
    Fresh,
    /// The copy may not be used.
    Stale,
}

impl Freshness {
    /// Contains both values.
    ///
    /// ```
    /// use robots_core::fetch::Freshness;
    /// let ids: Vec<&str> = Freshness::ALL.iter().map(|freshness| freshness.id()).collect();
    /// assert_eq!(ids, ["fresh", "stale"]);
    /// let error = "old".parse::<Freshness>().unwrap_err();
    /// assert_eq!(error.to_string(), "unknown freshness; the values are fresh, stale");
    /// ```
    pub const ALL: &'static [Self] = &[Self::Fresh, Self::Stale];

    /// Returns the value as one word.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Stale => "stale",
        }
    }
}

named!(Freshness, id, "freshness", "values");

impl Edition {
    /// Returns the time for which a crawler generally uses a copy, given the `max-age` of its response.
    ///
    /// Sources: the section "caching" of the Google editions; RFC 9309, 2.4.
    ///
    /// ```
    /// use core::time::Duration;
    /// use robots_core::Edition;
    /// let two_days = Duration::from_secs(172_800);
    /// assert_eq!(Edition::Google2022.lifetime(None), Duration::from_secs(86_400));
    /// assert_eq!(Edition::Google2022.lifetime(Some(two_days)), two_days);
    /// assert_eq!(Edition::Rfc9309.lifetime(Some(two_days)), Duration::from_secs(86_400));
    /// ```
    #[must_use]
    pub fn lifetime(self, max_age: Option<Duration>) -> Duration {
        match max_age {
            None => LIFETIME,
            Some(max_age) if self.semantics().max_age_may_lengthen => max_age,
            Some(max_age) => max_age.min(LIFETIME),
        }
    }

    /// Returns whether a cached copy may still be used. If an attempt to fetch the file again has failed, the copy may
    /// still be used. With `max-age`, a copy is fresh while its age is below the lifetime (RFC 9111, 4.2). Without
    /// `max-age`, a copy is fresh up to and including an age of 24 hours.
    ///
    /// ```
    /// use core::time::Duration;
    /// use robots_core::Edition;
    /// use robots_core::fetch::{CachedCopy, Freshness};
    /// let copy = CachedCopy::of_age(Duration::from_secs(3_600));
    /// assert_eq!(Edition::Rfc9309.freshness(&copy), Freshness::Fresh);
    /// let expired = copy.with_max_age(Duration::from_secs(60));
    /// assert_eq!(Edition::Rfc9309.freshness(&expired), Freshness::Stale);
    /// ```
    #[must_use]
    pub fn freshness(self, copy: &CachedCopy) -> Freshness {
        let lifetime = self.lifetime(copy.max_age);
        let fresh = copy.age < lifetime || (copy.age == lifetime && copy.max_age.is_none());
        if fresh || copy.refresh == Refresh::Failing { Freshness::Fresh } else { Freshness::Stale }
    }
}
