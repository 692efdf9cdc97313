//! The same for callers without an async runtime: a [`Client`] and its [`Store`].

#[cfg(doc)]
use crate::blocking;

mod flight;
mod runtime;
mod store;
mod transport;

use std::sync::Arc;

use self::flight::{Flights, Slots};

pub use self::store::Store;
use self::transport::Transport;
use crate::builder::common;
use crate::entry::Entry;
use crate::error::Error;
use crate::key::CacheKey;
use crate::shared::{Counts, Parts, Shared};
use crate::verdict::{Held, Origin, Verdict};

/// Fetches and caches robots.txt, and says whether a URL may be fetched; whoever asks is kept waiting.
///
/// A client is cheap to clone, and clones share everything. Where many threads ask about one origin, one of them
/// fetches its robots.txt and the others wait.
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
pub struct Client(Arc<Inner>);

struct Inner {
    shared: Shared,
    transport: Transport,
    store: Option<Box<dyn Store>>,
    flights: Flights,
    slots: Slots,
}

/// Makes a [`Client`].
pub struct Builder {
    parts: Parts,
    store: Option<Box<dyn Store>>,
}

impl Client {
    /// Begins a client for a crawler of this product token: letters, `_` and `-` (RFC 9309, 2.2.1).
    pub fn builder(agent: impl Into<String>) -> Builder {
        Builder { parts: Parts::new(agent.into()), store: None }
    }

    /// Returns whether a URL may be fetched, and why.
    ///
    /// # Errors
    /// Where the text is no URL of http, https or ftp, or has user information.
    pub fn verdict<'v, U: AsRef<str> + ?Sized>(&self, url: &'v U) -> Result<Verdict<'v>, Error> {
        let url = url.as_ref();
        let shared = &self.0.shared;
        let now = shared.now();
        let at_hand = shared.at_hand(url).and_then(|entry| Shared::usable(entry, now));
        let (entry, now) = match at_hand {
            Some((entry, false)) => (entry, now),
            _ => (self.current(&CacheKey::of(url)?), shared.now()),
        };
        shared.asked(&entry);
        let verdict = Verdict::new(Held::Shared(entry), url, now);
        tracing::debug!(target: "robots.verdict", url, allowed = verdict.is_allowed(),
            basis = ?verdict.basis());
        Ok(verdict)
    }

    /// Returns a handle on the origin of a URL, for many questions.
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub fn origin<U: AsRef<str> + ?Sized>(&self, url: &U) -> Result<Origin, Error> {
        let entry = self.current(&CacheKey::of(url.as_ref())?);
        self.0.shared.compile(&entry);
        Ok(Origin { entry, now: self.0.shared.now() })
    }

    /// Returns what the client did since it was made.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.0.shared.counts(self.0.transport.received())
    }

    /// Returns the identification that is sent as `User-Agent`; the pages are to be asked for with the same.
    #[must_use]
    pub fn identification(&self) -> &str {
        &self.0.shared.identification
    }

    fn current(&self, key: &CacheKey) -> Arc<Entry> {
        let shared = &self.0.shared;
        if let Some((entry, renew)) =
            shared.entry(key).and_then(|entry| Shared::usable(entry, shared.now()))
        {
            if renew {
                self.fly_meanwhile(key);
            }
            return entry;
        }
        self.fly(key)
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("identification", &self.identification())
            .field("counts", &self.counts())
            .finish_non_exhaustive()
    }
}

impl Builder {
    common!();

    /// Sets where records are kept beyond memory, and between runs; nowhere unless set.
    #[must_use]
    pub fn store(mut self, store: impl Store) -> Self {
        self.store = Some(Box::new(store));
        self
    }

    /// Makes the client.
    ///
    /// # Errors
    /// Where the name is no product token, the identification cannot be sent, or a certificate or proxy cannot be
    /// used.
    pub fn build(self) -> Result<Client, Error> {
        Ok(Client(Arc::new(Inner {
            shared: Shared::new(&self.parts)?,
            transport: Transport::new(&self.parts.transport)?,
            store: self.store,
            flights: Flights::default(),
            slots: Slots::new(self.parts.concurrency),
        })))
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("agents", &self.parts.agents).finish_non_exhaustive()
    }
}
