//! The robots.txt files of the origins of a log, over time: [`History`].

use std::collections::HashMap;
use std::time::Duration;

use robots_fetch::CacheKey;

/// The robots.txt files over time. Each origin can have its own, and the others share one.
///
/// ```
/// use robots_audit::History;
/// use std::time::Duration;
/// let one = History::one("user-agent: *\ndisallow: /private\n");
/// assert!(one.is_undated());
///
/// let mut history = History::default();
/// history.add(None, Duration::from_secs(1_000_000_000), Some(b"user-agent: *\nallow: /\n".to_vec()));
/// history.add(None, Duration::from_secs(1_000_600_000), None);
/// assert!(!history.is_undated());
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    /// The versions of all origins without versions of their own, in the order of their times.
    pub(crate) shared: Vec<Version>,
    /// The versions of an origin, by its cache key.
    pub(crate) origins: HashMap<String, Vec<Version>>,
}

/// The file of an origin from one time until the time of the next version.
///
/// The history may not show the exact time. Between `earliest` and `from`, this file and the one before are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// The earliest time from which the file may be valid.
    pub(crate) earliest: Duration,
    /// The time from which the file is valid for sure, since the Unix epoch; zero if one file is valid for the whole log.
    pub(crate) from: Duration,
    /// The octets, or `None` if there was no file.
    pub(crate) file: Option<Vec<u8>>,
}

impl History {
    /// Makes a history of one file for the whole log and all origins.
    #[must_use]
    pub fn one(file: impl Into<Vec<u8>>) -> Self {
        let mut history = Self::default();
        history.add(None, Duration::ZERO, Some(file.into()));
        history
    }

    /// Adds a version: the file that crawlers could read from this time on, or `None` if there was no file. `origin` is
    /// a URL of the origin, or `None` for all origins without versions of their own. Before its first version, the file
    /// of an origin is unknown. A version replaces another one of the same time.
    ///
    /// Returns whether the version was added: an origin that is not an http or https URL is refused.
    pub fn add(&mut self, origin: Option<&str>, from: Duration, file: Option<Vec<u8>>) -> bool {
        self.add_between(origin, from, from, file)
    }

    /// Adds a version as [`add`](Self::add) does, if only a period is known in which the file changed: a date, or the time
    /// between two copies in an archive. In this period, the file before and this one are possible.
    ///
    /// ```
    /// use robots_audit::History;
    /// use std::time::Duration;
    /// let (day, seconds) = (Duration::from_secs(20_000 * 86_400), Duration::from_secs(86_399));
    /// let file = b"user-agent: *\nallow: /\n".to_vec();
    /// assert!(History::default().add_between(None, day, day + seconds, Some(file)));
    /// ```
    pub fn add_between(
        &mut self,
        origin: Option<&str>,
        earliest: Duration,
        from: Duration,
        file: Option<Vec<u8>>,
    ) -> bool {
        let versions = match origin.map(CacheKey::of) {
            None => &mut self.shared,
            Some(Ok(key)) => self.origins.entry(key.as_str().to_owned()).or_default(),
            Some(Err(_)) => return false,
        };
        let version = Version { earliest: earliest.min(from), from, file };
        match versions.binary_search_by_key(&from, |version| version.from) {
            Ok(same) => versions[same] = version,
            Err(at) => versions.insert(at, version),
        }
        true
    }

    /// Returns whether one file is valid for the whole log.
    #[must_use]
    pub fn is_undated(&self) -> bool {
        self.origins.is_empty() && matches!(&self.shared[..], [one] if one.from.is_zero())
    }
}
