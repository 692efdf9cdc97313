//! The client for tokio: [`Client`].
//!
//! If memory has a valid entry, the client answers a question from it ([`Client::known`]). If memory has no valid
//! entry, a task fetches robots.txt for the URL's origin (`flight.rs`), and every question about that origin waits for
//! the task.

pub(crate) mod builder;
mod counts;
mod flight;
mod inner;
mod stored;

use std::sync::Arc;

pub use self::counts::Counts;
use self::flight::fly;
use self::inner::Inner;
use crate::entry::{Entry, Use};
use crate::error::Error;
use crate::key::CacheKey;
use crate::transport::{Exchange, Transport};
use crate::verdict::{Origin, Verdict};

/// Fetches and caches robots.txt, and decides whether a URL may be fetched.
///
/// A client is cheap to clone, and all clones share everything, for example the cache and the counters. A client needs
/// a tokio runtime with time and I/O.
///
/// ```no_run
/// # async fn example() -> Result<(), robots_fetch::Error> {
/// let robots = robots_fetch::Client::builder("examplebot")
///     .identification("examplebot/1.0 (+https://example.com/bot)")
///     .build()?;
/// let verdict = robots.verdict("https://example.com/private/x").await?;
/// if verdict.is_allowed() {
///     // fetch it
/// }
/// println!("{verdict}");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Client(Arc<Inner>);

/// Makes a [`Client`].
pub type Builder = builder::Builder<Client>;

impl Builder {
    /// Makes the client.
    ///
    /// # Errors
    /// Returns an error if the name is not a product token, the identification cannot be sent, or a certificate or
    /// proxy cannot be used.
    pub fn build(self) -> Result<Client, Error> {
        Client::of(self)
    }
}

impl Client {
    /// Returns a builder of a client for the crawler with this product token. RFC 9309 (2.2.1) permits letters, `_` and
    /// `-` in a product token; digits are accepted too.
    pub fn builder(agent: impl Into<String>) -> Builder {
        Builder::new(agent.into())
    }

    /// Returns whether a URL may be fetched, and why.
    ///
    /// If memory has no valid robots.txt for the URL's origin, the client fetches this file first, once for all tasks
    /// that ask at the same time. If robots.txt cannot be fetched, the function still returns a verdict.
    ///
    /// # Errors
    /// Returns an error if the text is not an http, https or ftp URL, or has user information.
    pub async fn verdict<'v, U: AsRef<str> + ?Sized>(
        &self,
        url: &'v U,
    ) -> Result<Verdict<'v>, Error> {
        let url = url.as_ref();
        if let Some(verdict) = self.known(url) {
            return Ok(verdict);
        }
        let entry = self.current(&CacheKey::of(url)?).await;
        Ok(self.decide(entry, url))
    }

    /// Returns a handle for the origin of a URL, which can answer many questions about this origin.
    ///
    /// # Errors
    /// Returns the same errors as [`verdict`](Self::verdict).
    pub async fn origin<U: AsRef<str> + ?Sized>(&self, url: &U) -> Result<Origin, Error> {
        let key = CacheKey::of(url.as_ref())?;
        let entry = self.current(&key).await;
        Ok(self.handle(entry))
    }

    /// Returns counters of the client's work since the client was made.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let inner = &*self.0;
        inner.counters.read(inner.transport.received(), inner.cache.compiled(), inner.cache.len())
    }

    /// Returns the identification that is sent as `User-Agent`. Send the same text when you fetch pages.
    #[must_use]
    pub fn identification(&self) -> &str {
        self.0.cache.identification()
    }

    /// Makes a client from the builder of this client or of the blocking client.
    pub(crate) fn of<C>(builder: builder::Builder<C>) -> Result<Self, Error> {
        let transport = Transport::new(&builder.transport)?;
        Self::over(builder, Box::new(transport))
    }

    /// Makes a client that sends its requests through this transport.
    pub(crate) fn over<C>(
        builder: builder::Builder<C>,
        transport: Box<dyn Exchange>,
    ) -> Result<Self, Error> {
        Ok(Self(Arc::new(Inner::new(builder, transport)?)))
    }

    /// Returns the verdict on a URL if memory has a valid robots.txt for it. This function does no I/O.
    #[inline]
    pub(crate) fn known<'v>(&self, url: &'v str) -> Option<Verdict<'v>> {
        self.0.cache.known(url, self.0.now())
    }

    /// Returns the verdict on a URL, given the entry of its origin.
    pub(crate) fn decide<'v>(&self, entry: Arc<Entry>, url: &'v str) -> Verdict<'v> {
        self.0.cache.decide(entry, url, self.0.now())
    }

    pub(crate) fn handle(&self, entry: Arc<Entry>) -> Origin {
        self.0.cache.compile(&entry);
        Origin { entry, now: self.0.now() }
    }

    /// Returns an entry that may be used now, and fetches robots.txt first if necessary.
    pub(crate) async fn current(&self, key: &CacheKey) -> Arc<Entry> {
        let inner = &*self.0;
        if let Some(entry) = inner.cache.entry(key) {
            match entry.usable(inner.now()) {
                Use::Now => return entry,
                Use::Meanwhile => {
                    // The flight continues in the background, and nobody waits for it.
                    drop(fly(&self.0, key));
                    return entry;
                }
                Use::No => {}
            }
        }
        for _ in 0..FLIGHTS {
            let (mut landing, is_new) = fly(&self.0, key);
            if !is_new {
                inner.counters.waited.add();
            }
            // If a flight ends without an entry, its task has panicked or its runtime has ended.
            if let Ok(landed) = landing.wait_for(Option::is_some).await
                && let Some(entry) = landed.clone()
            {
                return entry;
            }
        }
        self.broken_off(key)
    }

    /// Makes an entry for an origin after its flights ended without an entry. The site counts as unreachable.
    pub(crate) fn broken_off(&self, key: &CacheKey) -> Arc<Entry> {
        let inner = &*self.0;
        let mut flight = inner.flight(key);
        // The record gets the time of the flight's last step, so one step is needed.
        let _ = flight.step(inner.now());
        inner.cache.put(key, flight.into_record())
    }
}

/// If flights end without an entry, a question joins or starts at most this number of flights.
const FLIGHTS: usize = 3;

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("identification", &self.identification())
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}
