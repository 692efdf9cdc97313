//! [`Cache`] contains the robots.txt files that a crawler knows. It does no I/O and reads no clock.
//!
//! A driver is the code that sends the requests, for example a client of this crate. The driver first asks
//! [`Cache::look_up`]. If the cache has no answer, the driver executes the steps of a [`Flight`], which retrieves the
//! robots.txt of the origin. The driver then gives the record to [`Cache::keep`]. A driver can use any HTTP library and
//! any language. This module does not know how requests are sent.

mod entries;

use std::sync::Arc;
use std::time::Duration;

use robots_core::Crawler;

use self::entries::Entries;
use crate::entry::{Entry, Reader};
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::machine::flight::Flight;
use crate::record::Record;
use crate::settings::Settings;
use crate::verdict::Origin;

/// The robots.txt files that a crawler knows. A cache does no I/O and reads no clock. Threads may share it.
///
/// ```
/// use robots_fetch::flight::Step;
/// use robots_fetch::retrieval::{Body, Response};
/// use robots_fetch::robots_core::Crawler;
/// use robots_fetch::{Cache, CacheKey, Lookup, Settings};
/// use std::time::Duration;
///
/// let crawler = Crawler::new(["examplebot"]).unwrap();
/// let cache = Cache::new(crawler, "examplebot/1.0", Settings::default(), 1 << 20)?;
/// let url = "http://example.com/private/x";
/// let now = Duration::from_secs(1_000_000_000); // since the Unix epoch
/// assert!(matches!(cache.look_up(url, now)?, Lookup::Missing));
///
/// let mut flight = cache.flight(&CacheKey::of(url)?);
/// while let Step::Request(request) = flight.step(now) {
///     assert_eq!(request.url().as_str(), "http://example.com/robots.txt");
///     let body = Body::of("user-agent: *\ndisallow: /private\n");
///     flight.answered(Response::new(200, []).with_body(body), now);
/// }
/// let origin = cache.keep(flight.into_record(), now)?;
/// assert!(!origin.verdict(url)?.is_allowed());
/// assert!(matches!(cache.look_up(url, now)?, Lookup::Fresh(_)));
/// # Ok::<(), robots_fetch::Error>(())
/// ```
pub struct Cache {
    reader: Arc<Reader>,
    identification: String,
    entries: Arc<Entries>,
}

/// The result of looking up the robots.txt of an origin in a [`Cache`].
#[derive(Clone, Debug)]
pub enum Lookup {
    /// The robots.txt is in memory and need not be fetched again.
    Fresh(Origin),
    /// The robots.txt must be fetched again, but may be used until the new one has arrived
    /// ([`Settings::stale_while_revalidate`]).
    Stale(Origin),
    /// The robots.txt must be fetched before the question can be answered.
    Missing,
}

impl Cache {
    /// Makes an empty cache for a crawler. `identification` is the text that is sent as `User-Agent`. `memory` is the
    /// maximum number of octets to keep, files and compiled rules together; the entry that was not used for the longest
    /// time is removed first.
    ///
    /// # Errors
    /// Returns an error if the identification cannot be the value of a `User-Agent` field.
    pub fn new(
        crawler: Crawler,
        identification: impl Into<String>,
        settings: Settings,
        memory: u64,
    ) -> Result<Self, Error> {
        let identification = identification.into();
        let is_visible = |octet| matches!(octet, b' '..=b'~');
        if identification.trim().is_empty() || !identification.bytes().all(is_visible) {
            return Err(Error::new(ErrorKind::Identification, identification));
        }
        let entries = Arc::new(Entries::of_octets(memory));
        // This reference is weak, because each entry has a reference to the reader.
        let kept = Arc::downgrade(&entries);
        let grown = move |entry: &Arc<Entry>| {
            if let Some(entries) = kept.upgrade() {
                entries.weigh_again(entry);
            }
        };
        let reader = Arc::new(Reader { crawler, settings, grown: Some(Box::new(grown)) });
        Ok(Self { reader, identification, entries })
    }

    /// Returns the text that is sent as `User-Agent`.
    #[must_use]
    pub fn identification(&self) -> &str {
        &self.identification
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.reader.settings
    }

    /// Returns the number of origins in memory.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.entries.count()
    }

    /// Returns whether no origin is in memory.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Looks up the robots.txt of a URL's origin. `now` is the time since the Unix epoch. The text of a [`CacheKey`] is
    /// a URL too. A look-up is cheapest if the URL spells its origin exactly as the key does, because no URL is parsed
    /// then.
    ///
    /// A look-up reads no file. The first question to the handle reads the file, and the second one compiles its rules.
    /// Later questions, also those to other handles, only read the compiled rules. If [`Origin::rules`] is `None`, the
    /// next question may take long.
    ///
    /// ```
    /// use robots_fetch::robots_core::Crawler;
    /// use robots_fetch::{Cache, CacheKey, Lookup, Settings};
    /// use std::time::Duration;
    /// # use robots_fetch::retrieval::{Body, Response, Retrieval};
    ///
    /// let crawler = Crawler::new(["examplebot"]).unwrap();
    /// let cache = Cache::new(crawler, "examplebot/1.0", Settings::default(), 1 << 20)?;
    /// let (url, now) = ("http://example.com/private/x", Duration::from_secs(1_000_000_000));
    /// # let mut retrieval = Retrieval::new(&CacheKey::of(url)?, cache.settings(), "examplebot/1.0", None);
    /// # let body = Body::of("user-agent: *\ndisallow: /private\n");
    /// # retrieval.answered(Response::new(200, []).with_body(body), now);
    /// # let record = retrieval.into_record().unwrap();
    /// cache.keep(record, now)?;
    ///
    /// let Lookup::Fresh(origin) = cache.look_up(url, now)? else { unreachable!() };
    /// assert!(!origin.verdict(url)?.is_allowed() && origin.rules().is_none());
    /// assert!(!origin.verdict(url)?.is_allowed() && origin.rules().is_some());
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the text is not an http, https or ftp URL, or has user information.
    #[inline]
    pub fn look_up(&self, url: &str, now: Duration) -> Result<Lookup, Error> {
        let entry = match self.entries.at_hand(url) {
            Some(entry) => Some(entry),
            None => self.entries.get(&CacheKey::of(url)?),
        };
        Ok(match entry {
            Some(entry) if entry.is_fresh(now) => Lookup::Fresh(Origin { entry, now }),
            Some(entry) if entry.is_stale(now) => Lookup::Stale(Origin { entry, now }),
            _ => Lookup::Missing,
        })
    }

    /// Begins a [`Flight`] for an origin. If memory has a record of the origin, the flight gets this record.
    #[must_use]
    pub fn flight(&self, key: &CacheKey) -> Flight {
        let known = self.entries.get(key).map(|entry| entry.record.clone());
        Flight::new(key, &self.reader.settings, &self.identification, known)
    }

    /// Keeps the record of a flight, and returns the handle of its origin.
    ///
    /// # Errors
    /// Returns an error if the key of the record is not an origin.
    pub fn keep(&self, record: Record, now: Duration) -> Result<Origin, Error> {
        let key = CacheKey::of(&record.key)?;
        Ok(Origin { entry: self.put(&key, record), now })
    }

    /// Returns whether a robots.txt in memory forbids a URL to which a redirect points. It forbids the URL by a rule,
    /// or because its site fails.
    #[must_use]
    pub fn forbids(&self, url: &str, now: Duration) -> bool {
        let entry = CacheKey::of(url).ok().and_then(|key| self.entries.get(&key));
        entry.is_some_and(|entry| !entry.decide(url, now).allowed)
    }

    /// Makes the entry of a record and keeps the entry in memory.
    pub(crate) fn put(&self, key: &CacheKey, record: Record) -> Arc<Entry> {
        tracing::info!(
            target: "robots.fetch",
            key = key.as_str(),
            end = %record.last.end,
            hops = record.last.hops.len(),
            url = record.last.url,
            octets = record.copy.as_ref().map_or(0, |copy| copy.body.len()),
        );
        let entry = Arc::new(Entry::new(record, &self.reader));
        self.entries.put(key, &entry);
        entry
    }

    /// Returns the number of times that rules were compiled: at a record's second question, or to make a handle.
    #[must_use]
    pub fn compiled(&self) -> u64 {
        self.entries.compiled()
    }
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cache")
            .field("identification", &self.identification)
            .field("origins", &self.len())
            .finish_non_exhaustive()
    }
}
