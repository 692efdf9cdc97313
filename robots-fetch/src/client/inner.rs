//! [`Inner`] is the state that the clones of a client and their flights share: the cache, the transport, the store, the
//! running flights and the clock. It decides nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use robots_core::Crawler;
use tokio::sync::watch::Receiver;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::builder::{Builder, Clock, Sites};
use super::counts::Counters;
use super::stored::Stored;
use crate::cache::Cache;
use crate::entry::Entry;
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::machine::flight::Flight;
use crate::transport::Exchange;

/// The running flights: a map from the key of an origin to the channel from which its entry is received.
#[derive(Default)]
pub(super) struct Flights(pub(super) Mutex<HashMap<CacheKey, Receiver<Option<Arc<Entry>>>>>);

pub(super) struct Inner {
    pub(super) cache: Cache,
    pub(super) counters: Counters,
    pub(super) transport: Box<dyn Exchange>,
    pub(super) store: Option<Arc<Stored>>,
    pub(super) flights: Flights,
    turns: Semaphore,
    clock: Clock,
    server_errors_for_missing_pages: Option<Sites>,
}

impl Inner {
    pub(super) fn new<C>(builder: Builder<C>, transport: Box<dyn Exchange>) -> Result<Self, Error> {
        let crawler = Crawler::new(builder.agents.iter().map(String::as_str))
            .map_err(|_| Error::new(ErrorKind::Agent, builder.agents.join(", ")))?;
        let identification = builder.identification.unwrap_or_else(|| builder.agents[0].clone());
        Ok(Self {
            cache: Cache::new(crawler, identification, builder.settings, builder.memory)?,
            counters: Counters::default(),
            transport,
            store: builder.store.map(Stored::new),
            flights: Flights::default(),
            turns: Semaphore::new(builder.concurrency.min(Semaphore::MAX_PERMITS)),
            clock: builder.clock,
            server_errors_for_missing_pages: builder.server_errors_for_missing_pages,
        })
    }

    /// Returns the time since the Unix epoch, or zero if the clock is before it.
    #[inline]
    pub(super) fn now(&self) -> Duration {
        (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Begins a flight. The flight gets the record in memory, and knows whether the site answers 5xx for missing pages.
    pub(super) fn flight(&self, key: &CacheKey) -> Flight {
        let flight = self.cache.flight(key);
        match &self.server_errors_for_missing_pages {
            Some(fails) if fails(key) => flight.with_server_errors_for_missing_pages(),
            _ => flight,
        }
    }

    /// Waits for a turn, unless the flight already has one. Only a limited number of flights have a turn at the same
    /// time.
    pub(super) async fn take_turn<'i>(&'i self, turn: &mut Option<SemaphorePermit<'i>>) {
        if turn.is_none() {
            // The semaphore is never closed. If it were closed, the number of flights with a turn would have no limit.
            *turn = self.turns.acquire().await.ok();
        }
    }
}
