//! The state that the clones of a client and its flights share: [`Inner`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, UNIX_EPOCH};

use robots_core::Crawler;
use tokio::sync::watch::Receiver;
use tokio::sync::{Semaphore, SemaphorePermit};

use super::builder::{Builder, Clock, Sites};
use super::counts::Counters;
use super::entries::Entries;
use super::stored::Stored;
use crate::entry::{Entry, Reader};
use crate::error::{Error, ErrorKind};
use crate::key::CacheKey;
use crate::machine::flight::Flight;
use crate::record::Record;
use crate::transport::Transport;

/// The origins that are being asked.
#[derive(Default)]
pub(super) struct Flights(pub(super) Mutex<HashMap<CacheKey, Receiver<Option<Arc<Entry>>>>>);

pub(super) struct Inner {
    pub(super) reader: Arc<Reader>,
    pub(super) identification: String,
    pub(super) entries: Entries,
    pub(super) counters: Counters,
    pub(super) transport: Transport,
    pub(super) store: Option<Arc<Stored>>,
    pub(super) flights: Flights,
    turns: Semaphore,
    clock: Clock,
    server_errors_for_missing_pages: Option<Sites>,
}

impl Inner {
    pub(super) fn new<C>(builder: Builder<C>) -> Result<Self, Error> {
        let crawler = Crawler::new(builder.agents.iter().map(String::as_str))
            .map_err(|_| Error::new(ErrorKind::Agent, builder.agents.join(", ")))?;
        let identification = builder.identification.unwrap_or_else(|| builder.agents[0].clone());
        let is_visible = |octet| matches!(octet, b' '..=b'~');
        if identification.trim().is_empty() || !identification.bytes().all(is_visible) {
            return Err(Error::new(ErrorKind::Identification, identification));
        }
        Ok(Self {
            reader: Arc::new(Reader { crawler, settings: builder.settings }),
            identification,
            entries: Entries::of_octets(builder.memory),
            counters: Counters::default(),
            transport: Transport::new(&builder.transport)?,
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

    /// Begins a flight, given the known record of the robots.txt.
    pub(super) fn flight(&self, key: &CacheKey, known: Option<Record>) -> Flight {
        let flight = Flight::new(key, &self.reader.settings, &self.identification, known);
        match &self.server_errors_for_missing_pages {
            Some(fails) if fails(key) => flight.with_server_errors_for_missing_pages(),
            _ => flight,
        }
    }

    /// Reads a record and keeps it in memory.
    pub(super) fn keep(&self, key: &CacheKey, record: Record) -> Arc<Entry> {
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

    /// Compiles the rules of an entry, and counts their memory.
    #[cold]
    pub(super) fn compile(&self, entry: &Arc<Entry>) {
        if entry.compile() {
            self.counters.compiled.add();
            if let Ok(key) = CacheKey::of(&entry.record.key) {
                self.entries.weigh_again(&key, entry);
            }
        }
    }

    /// Returns whether rules in memory forbid the URL that a redirect points to.
    pub(super) fn forbids(&self, url: &str) -> bool {
        let entry = CacheKey::of(url).ok().and_then(|key| self.entries.get(&key));
        entry.is_some_and(|entry| !entry.decide(url, self.now()).allowed)
    }

    /// Waits for a turn, unless the flight has one. The number of turns is limited.
    pub(super) async fn take_turn<'i>(&'i self, turn: &mut Option<SemaphorePermit<'i>>) {
        if turn.is_none() {
            // The semaphore is never closed; if it were, there would be no limit.
            *turn = self.turns.acquire().await.ok();
        }
    }
}
