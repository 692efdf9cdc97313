//! [`Client`] is the client for callers without an async runtime.
//!
//! The blocking client contains a [`crate::Client`] and a runtime on a separate thread, which runs the requests. If
//! memory has the answer, the caller's thread returns it without waiting for the thread of the runtime. `runtime.rs`
//! contains the thread.

mod runtime;

use std::sync::Arc;

use self::runtime::Runtime;
#[cfg(doc)]
use crate::blocking;
use crate::cache::Lookup;
use crate::client;
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::verdict::{Origin, Verdict};

/// Fetches and caches robots.txt, and decides whether a URL may be fetched. Its methods block.
///
/// A client is cheap to clone, and all clones share everything, for example the cache and the counters. If many threads
/// ask about one origin at the same time, its robots.txt is fetched once.
///
/// ```no_run
/// let robots = robots_fetch::blocking::Client::builder("examplebot")
///     .identification("examplebot/1.0 (+https://example.com/bot)")
///     .build()?;
/// if robots.verdict("https://example.com/private/x")?.is_allowed() {
///     // fetch it
/// }
/// # Ok::<(), robots_fetch::Error>(())
/// ```
#[derive(Clone)]
pub struct Client {
    client: client::Client,
    runtime: Arc<Runtime>,
}

/// Makes a [`Client`].
pub type Builder = client::builder::Builder<Client>;

impl Client {
    /// Returns a builder of a client for the crawler with this product token. RFC 9309 (2.2.1) permits letters, `_` and
    /// `-` in a product token; digits are accepted too.
    pub fn builder(agent: impl Into<String>) -> Builder {
        Builder::new(agent.into())
    }

    /// Returns whether a URL may be fetched, and why.
    ///
    /// # Errors
    /// Returns an error if the text is not an http, https or ftp URL, or has user information.
    pub fn verdict<'v, U: AsRef<str> + ?Sized>(&self, url: &'v U) -> Result<Verdict<'v>, Error> {
        let url = url.as_ref();
        Ok(self.current(url)?.into_verdict(url))
    }

    /// Returns a handle for the origin of a URL, which can answer many questions about this origin.
    ///
    /// # Errors
    /// Returns the same errors as [`verdict`](Self::verdict).
    pub fn origin<U: AsRef<str> + ?Sized>(&self, url: &U) -> Result<Origin, Error> {
        let origin = self.current(url.as_ref())?;
        origin.entry.compile();
        Ok(origin)
    }

    /// Returns counters of the client's work since the client was made.
    #[must_use]
    pub fn counts(&self) -> client::Counts {
        self.client.counts()
    }

    /// Returns the identification that is sent as `User-Agent`. Send the same text when you fetch pages.
    #[must_use]
    pub fn identification(&self) -> &str {
        self.client.identification()
    }

    /// Makes a blocking client from a client for tokio, and starts the thread that runs its requests.
    pub(crate) fn of(client: client::Client) -> Result<Self, Error> {
        let runtime = Runtime::start().map_err(|error| Error::new(ErrorKind::Client, error))?;
        Ok(Self { client, runtime: Arc::new(runtime) })
    }

    fn current(&self, url: &str) -> Result<Origin, Error> {
        if let Lookup::Fresh(origin) = self.client.look_up(url)? {
            return Ok(origin);
        }
        let (client, key) = (self.client.clone(), CacheKey::of(url)?);
        let asked = key.clone();
        let origin = self.runtime.run(async move { client.current(asked.as_str()).await });
        origin.unwrap_or_else(|| Ok(self.client.broken_off(&key)))
    }
}

impl Builder {
    /// Makes the client.
    ///
    /// # Errors
    /// Returns an error if the name is not a product token, the identification cannot be sent, a certificate or proxy
    /// cannot be used, or no thread can be started.
    pub fn build(self) -> Result<Client, Error> {
        Client::of(client::Client::of(self)?)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.client.fmt(f)
    }
}
