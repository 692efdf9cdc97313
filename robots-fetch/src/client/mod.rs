//! The client for tokio: [`Client`].
//!
//! If memory has a valid entry, the client answers a question from it ([`Client::look_up`]). If memory has no valid
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
use crate::cache::Lookup;
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
        Ok(self.current(url).await?.into_verdict(url))
    }

    /// Returns a handle for the origin of a URL, which can answer many questions about this origin.
    ///
    /// # Errors
    /// Returns the same errors as [`verdict`](Self::verdict).
    pub async fn origin<U: AsRef<str> + ?Sized>(&self, url: &U) -> Result<Origin, Error> {
        let origin = self.current(url.as_ref()).await?;
        origin.entry.compile();
        Ok(origin)
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

    /// Looks up the robots.txt of a URL's origin in memory.
    #[inline]
    pub(crate) fn look_up(&self, url: &str) -> Result<Lookup, Error> {
        self.0.cache.look_up(url, self.0.now())
    }

    /// Returns the handle of a URL's origin, whose robots.txt may be used now. Fetches robots.txt first if necessary.
    pub(crate) async fn current(&self, url: &str) -> Result<Origin, Error> {
        let found = self.look_up(url)?;
        if let Lookup::Fresh(origin) = found {
            return Ok(origin);
        }
        let (inner, key) = (&*self.0, CacheKey::of(url)?);
        if let Lookup::Stale(origin) = found {
            // The flight continues in the background, and nobody waits for it.
            drop(fly(&self.0, &key));
            return Ok(origin);
        }
        for _ in 0..FLIGHTS {
            let (mut landing, is_new) = fly(&self.0, &key);
            if !is_new {
                inner.counters.waited.add();
            }
            // If a flight ends without an entry, its task has panicked or its runtime has ended.
            if let Ok(landed) = landing.wait_for(Option::is_some).await
                && let Some(entry) = landed.clone()
            {
                return Ok(Origin { entry, now: inner.now() });
            }
        }
        Ok(self.broken_off(&key))
    }

    /// Makes the handle of an origin after its flights ended without an entry. The site counts as unreachable.
    pub(crate) fn broken_off(&self, key: &CacheKey) -> Origin {
        let inner = &*self.0;
        let (mut flight, now) = (inner.flight(key), inner.now());
        // The record gets the time of the flight's last step, so one step is needed.
        let _ = flight.step(now);
        Origin { entry: inner.cache.put(key, flight.into_record()), now }
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
