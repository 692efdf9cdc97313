//! [`Cache`] contains the robots.txt files that a crawler knows. It does no I/O and reads no clock.
//!
//! A driver is the code that sends the requests, for example a client of this crate. The driver first asks
//! [`Cache::known`]. If the cache has no answer, the driver executes the steps of a [`Flight`], which retrieves the
//! robots.txt of the origin. The driver then gives the record to [`Cache::keep`]. A driver can use any HTTP library and
//! any language. This module does not know how requests are sent.

mod entries;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use robots_core::Crawler;

use self::entries::Entries;
use crate::entry::{Entry, Reader, Use};
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::machine::flight::Flight;
use crate::record::Record;
use crate::settings::Settings;
use crate::verdict::{Held, Origin, Verdict};

/// The robots.txt files that a crawler knows. A cache does no I/O and reads no clock. Threads may share it.
///
/// ```
/// use robots_fetch::flight::Step;
/// use robots_fetch::retrieval::{Body, Response};
/// use robots_fetch::robots_core::Crawler;
/// use robots_fetch::{Cache, CacheKey, Settings};
/// use std::time::Duration;
///
/// let crawler = Crawler::new(["examplebot"]).unwrap();
/// let cache = Cache::new(crawler, "examplebot/1.0", Settings::default(), 1 << 20)?;
/// let url = "http://example.com/private/x";
/// let now = Duration::from_secs(1_000_000_000); // since the Unix epoch
/// assert!(cache.known(url, now).is_none());
///
/// let mut flight = cache.flight(&CacheKey::of(url)?);
/// while let Step::Request(request) = flight.step(now) {
///     assert_eq!(request.url().as_str(), "http://example.com/robots.txt");
///     let body = Body::of("user-agent: *\ndisallow: /private\n");
///     flight.answered(Response::new(200, []).with_body(body), now);
/// }
/// let origin = cache.keep(flight.into_record(), now)?;
/// assert!(!origin.verdict(url)?.is_allowed());
/// assert!(!cache.known(url, now).unwrap().is_allowed());
/// # Ok::<(), robots_fetch::Error>(())
/// ```
pub struct Cache {
    reader: Arc<Reader>,
    identification: String,
    entries: Entries,
    compiled: AtomicU64,
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
        Ok(Self {
            reader: Arc::new(Reader { crawler, settings }),
            identification,
            entries: Entries::of_octets(memory),
            compiled: AtomicU64::new(0),
        })
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

    /// Returns the verdict on a URL, if the robots.txt of its origin is known and need not be fetched again. `now` is
    /// the time since the Unix epoch.
    ///
    /// The first question about a robots.txt parses the file, and the second one compiles its rules. Later questions
    /// only read the compiled rules.
    ///
    /// This function finds an origin only if the URL spells it exactly as the [`CacheKey`] does;
    /// [`current`](Self::current) finds every origin in memory.
    #[inline]
    pub fn known<'v>(&self, url: &'v str, now: Duration) -> Option<Verdict<'v>> {
        let entry = self.entries.at_hand(url)?;
        (entry.usable(now) == Use::Now).then(|| self.decide(entry, url, now))
    }

    /// Returns the handle of a URL's origin, if its robots.txt is known and need not be fetched again. A call of this
    /// function is not counted as a question, so it parses and compiles nothing: call [`ask`](Self::ask) before the
    /// question.
    ///
    /// A driver can use this function to choose the thread for a question. If [`Origin::rules`] is `None`, the question
    /// reads the whole file, which may take long. Like [`known`](Self::known), this function finds an origin only if
    /// the URL spells it exactly as the [`CacheKey`] does.
    ///
    /// ```
    /// use robots_fetch::robots_core::Crawler;
    /// use robots_fetch::{Cache, CacheKey, Settings};
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
    /// let origin = cache.at_hand(url, now).unwrap();
    /// cache.ask(&origin);
    /// assert!(!origin.verdict(url)?.is_allowed() && origin.rules().is_none());
    /// cache.ask(&origin); // the second question compiles the rules
    /// assert!(!origin.verdict(url)?.is_allowed() && origin.rules().is_some());
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    #[inline]
    pub fn at_hand(&self, url: &str, now: Duration) -> Option<Origin> {
        let entry = self.entries.at_hand(url)?;
        (entry.usable(now) == Use::Now).then(|| Origin { entry, now })
    }

    /// Counts a question about an origin. The second question compiles the rules of the origin.
    #[inline]
    pub fn ask(&self, origin: &Origin) {
        if origin.entry.is_asked_again() {
            self.compile(&origin.entry);
        }
    }

    /// Returns the handle of an origin, if its robots.txt is known and need not be fetched again.
    pub fn current(&self, key: &CacheKey, now: Duration) -> Option<Origin> {
        self.usable(key, Use::Now, now)
    }

    /// Returns the handle of an origin whose robots.txt must be fetched again, if the old file may be used during that
    /// request ([`Settings::stale_while_revalidate`]).
    pub fn meanwhile(&self, key: &CacheKey, now: Duration) -> Option<Origin> {
        self.usable(key, Use::Meanwhile, now)
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

    /// Returns the entry of an origin, even if it may not be used now.
    #[cfg(feature = "client")]
    pub(crate) fn entry(&self, key: &CacheKey) -> Option<Arc<Entry>> {
        self.entries.get(key)
    }

    /// Returns the verdict on a URL, given the entry of its origin.
    #[inline]
    pub(crate) fn decide<'v>(&self, entry: Arc<Entry>, url: &'v str, now: Duration) -> Verdict<'v> {
        // The second question about an entry compiles its rules.
        if entry.is_asked_again() {
            self.compile(&entry);
        }
        let verdict = Verdict::new(Held::Shared(entry), url, now);
        tracing::debug!(
            target: "robots.verdict",
            url,
            allowed = verdict.is_allowed(),
            basis = ?verdict.basis(),
        );
        verdict
    }

    /// Compiles the rules of an entry, and counts their memory.
    #[cold]
    pub(crate) fn compile(&self, entry: &Arc<Entry>) {
        if entry.compile() {
            self.compiled.fetch_add(1, Ordering::Relaxed);
            if let Ok(key) = CacheKey::of(&entry.record.key) {
                self.entries.weigh_again(&key, entry);
            }
        }
    }

    /// Returns the number of times that rules were compiled: at a record's second question, or to make a handle.
    #[must_use]
    pub fn compiled(&self) -> u64 {
        self.compiled.load(Ordering::Relaxed)
    }

    fn usable(&self, key: &CacheKey, wanted: Use, now: Duration) -> Option<Origin> {
        let entry = self.entries.get(key).filter(|entry| entry.usable(now) == wanted)?;
        let origin = Origin { entry, now };
        self.ask(&origin);
        Some(origin)
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
