//! The client for tokio: [`Client`].

mod flight;

use std::sync::Arc;

use robots_core::fetch::Failure;
use tokio::sync::Semaphore;

pub(crate) use self::flight::Flights;
use crate::builder::common;
use crate::entry::Entry;
use crate::error::Error;
use crate::key::CacheKey;
use crate::shared::{self, Counts, Parts, Shared, count};
use crate::store::{AnyStore, Store};
use crate::transport::Transport;
use crate::verdict::{Held, Origin, Verdict};

/// Fetches and caches robots.txt, and says whether a URL may be fetched.
///
/// A client is cheap to clone, and clones share everything. It needs a tokio runtime with time and I/O.
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

struct Inner {
    shared: Shared,
    transport: Transport,
    store: Option<Box<dyn AnyStore>>,
    flights: Flights,
    slots: Semaphore,
}

/// Makes a [`Client`].
pub struct Builder {
    parts: Parts,
    store: Option<Box<dyn AnyStore>>,
}

impl Client {
    /// Begins a client for a crawler of this product token: letters, `_` and `-` (RFC 9309, 2.2.1).
    pub fn builder(agent: impl Into<String>) -> Builder {
        Builder { parts: Parts::new(agent.into()), store: None }
    }

    /// Returns whether a URL may be fetched, and why.
    ///
    /// Robots.txt of the URL's origin is fetched first where it has to be; however many ask at once, it is asked for
    /// once. That it cannot be fetched is a verdict too.
    ///
    /// # Errors
    /// Where the text is no URL of http, https or ftp, or has user information.
    pub async fn verdict<'v, U: AsRef<str> + ?Sized>(
        &self,
        url: &'v U,
    ) -> Result<Verdict<'v>, Error> {
        let url = url.as_ref();
        let inner = &*self.0;
        let now = inner.shared.now();
        // The short way: nothing is allocated, and nothing waits.
        if let Some(entry) = inner.shared.at_hand(url)
            && let Some((entry, false)) = Shared::usable(entry, now)
        {
            inner.shared.asked(&entry);
            return Ok(said(Verdict::new(Held::Shared(entry), url, now)));
        }
        let entry = self.current(&CacheKey::of(url)?).await;
        inner.shared.asked(&entry);
        let now = inner.shared.now();
        Ok(said(Verdict::new(Held::Shared(entry), url, now)))
    }

    /// Returns a handle on the origin of a URL, for many questions.
    ///
    /// # Errors
    /// As [`verdict`](Self::verdict).
    pub async fn origin<U: AsRef<str> + ?Sized>(&self, url: &U) -> Result<Origin, Error> {
        let entry = self.current(&CacheKey::of(url.as_ref())?).await;
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

    /// Returns an entry that answers now.
    async fn current(&self, key: &CacheKey) -> Arc<Entry> {
        let shared = &self.0.shared;
        if let Some(entry) = shared.entry(key)
            && let Some((entry, renew)) = Shared::usable(entry, shared.now())
        {
            if renew {
                // In the background: the flight goes on without anybody who waits for it.
                drop(self.fly(key));
            }
            return entry;
        }
        for _ in 0..FLIGHTS {
            let (mut landing, is_new) = self.fly(key);
            if !is_new {
                count(&shared.counters.waited, 1);
            }
            // Where a flight ends without an entry, its task has panicked or its runtime has gone.
            if let Ok(landed) = landing.wait_for(Option::is_some).await
                && let Some(entry) = landed.clone()
            {
                return entry;
            }
        }
        let known = shared.entry(key).map(|entry| entry.record.clone());
        let mut retrieval = shared.retrieval(key, known);
        let now = shared.now();
        retrieval.failed(Failure::Connection, "the retrieval broke off", now);
        shared.keep(key, shared::own(retrieval.into_record_or_failure(now)))
    }
}

/// How often a question starts a flight where those before it ended without an answer.
const FLIGHTS: usize = 3;

fn said(verdict: Verdict<'_>) -> Verdict<'_> {
    tracing::debug!(
        target: "robots.verdict",
        url = verdict.url(),
        allowed = verdict.is_allowed(),
        basis = ?verdict.basis(),
    );
    verdict
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
        let slots = Semaphore::new(self.parts.concurrency.min(Semaphore::MAX_PERMITS));
        Ok(Client(Arc::new(Inner {
            shared: Shared::new(&self.parts)?,
            transport: Transport::new(&self.parts.transport)?,
            store: self.store,
            flights: Flights::default(),
            slots,
        })))
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("agents", &self.parts.agents).finish_non_exhaustive()
    }
}
