//! One request for an origin however many ask: [`Flights`], and what a flight does.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch::{self, Receiver, Sender};
use tokio::time::{sleep, timeout};

use super::{Client, Inner};
use crate::entry::Entry;
use crate::key::CacheKey;
use crate::record::Record;
use crate::retrieval::Step;
use crate::shared::{self, Shared, count};
use crate::store::{AnyStore, LOOK, Lease, StoreError, keep};
use crate::transport::Of;

/// The origins that are being asked.
#[derive(Default)]
pub(crate) struct Flights(Mutex<HashMap<CacheKey, Receiver<Option<Arc<Entry>>>>>);

impl Client {
    /// Joins the flight for an origin, or starts one; returns whether it is new.
    ///
    /// It is a task of its own: who asked may go away, or turn to something else for longer than the request may take,
    /// and the answer is kept all the same.
    pub(super) fn fly(&self, key: &CacheKey) -> (Receiver<Option<Arc<Entry>>>, bool) {
        let mut flights = self.0.flights.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = flights.get(key) {
            return (flight.clone(), false);
        }
        let (landing, landed) = watch::channel(None);
        flights.insert(key.clone(), landed.clone());
        drop(flights);
        let flight = Flight { inner: Arc::clone(&self.0), key: key.clone() };
        tokio::spawn(flight.run(landing));
        (landed, true)
    }
}

struct Flight {
    inner: Arc<Inner>,
    key: CacheKey,
}

impl Drop for Flight {
    /// However it ends, the next question may start another.
    fn drop(&mut self) {
        let mut flights = self.inner.flights.0.lock().unwrap_or_else(PoisonError::into_inner);
        flights.remove(&self.key);
    }
}

impl Flight {
    async fn run(self, landing: Sender<Option<Arc<Entry>>>) {
        let entry = self.entry().await;
        drop(self);
        // Nobody may be waiting.
        let _ = landing.send(entry);
    }

    async fn entry(&self) -> Option<Arc<Entry>> {
        let shared = &self.inner.shared;
        // Another flight may have landed between the question and this one.
        let mut known = shared.entry(&self.key);
        if let Some(entry) = known.clone()
            && let Some((entry, false)) = Shared::usable(entry, shared.now())
        {
            return Some(entry);
        }
        let slots = &self.inner.slots;
        let Some(store) = self.inner.store.as_deref() else {
            let _slot = slots.acquire().await.ok()?;
            let (record, _) = self.retrieve(known).await;
            return Some(shared.keep(&self.key, record));
        };
        let mut held = None;
        let mut could_read;
        let (lease, _slot) = loop {
            let loaded = self.load(store).await;
            could_read = loaded.is_ok();
            let is_known = |record: &Record| {
                // What memory has is newer where the store could not be written.
                known.as_ref().is_some_and(|known| {
                    known.record.last.at > record.last.at || known.record == *record
                })
            };
            if let Some(record) = loaded.ok().flatten().filter(|record| !is_known(record)) {
                let entry = shared.keep(&self.key, record);
                if let Some((entry, false)) = Shared::usable(Arc::clone(&entry), shared.now()) {
                    count(&shared.counters.from_store, 1);
                    if let Some((lease, _)) = held {
                        self.release(store, lease).await;
                    }
                    return Some(entry);
                }
                known = Some(entry);
            }
            if let Some((lease, slot)) = held.take() {
                break (Some(lease), slot);
            }
            // Its time begins to run with the lease: nobody holds one and waits for a turn.
            let slot = slots.acquire().await.ok()?;
            match in_time(store.lease(self.key.as_str(), shared.lease())).await {
                // Whoever had it before may have put there what is wanted: it is looked for once more.
                Ok(Some(lease)) => held = Some((lease, slot)),
                Ok(None) => {
                    // Another process is asking.
                    drop(slot);
                    sleep(LOOK).await;
                }
                Err(why) => {
                    self.warn("give a lease", &why);
                    break (None, slot);
                }
            }
        };
        let (record, is_own) = self.retrieve(known).await;
        // Where it is not known what the store has, a copy there is not given up for the news of an outage.
        if !is_own && (could_read || record.copy.is_some()) {
            self.save(store, &record).await;
        }
        if let Some(lease) = lease {
            self.release(store, lease).await;
        }
        Some(shared.keep(&self.key, record))
    }

    /// Drives the machine; returns what is known then, and whether that is this client's own affair.
    async fn retrieve(&self, known: Option<Arc<Entry>>) -> (Record, bool) {
        let Inner { shared, transport, .. } = &*self.inner;
        let mut retrieval = shared.retrieval(&self.key, known.map(|entry| entry.record.clone()));
        let mut is_own = false;
        while let Step::Request(request) = retrieval.step(shared.now()) {
            if shared.leads_into_disallowed(&retrieval, request.url().as_str()) {
                retrieval.disallowed(shared.now());
                continue;
            }
            count(&shared.counters.requests, 1);
            match transport.send(&request, shared.reader.settings.limit()).await {
                Ok(response) => retrieval.answered(response, shared.now()),
                Err(failed) => {
                    is_own = failed.of != Of::Site;
                    shared.failed(&mut retrieval, failed);
                }
            }
        }
        let record = shared.landed(&self.key, retrieval);
        (if is_own { shared::own(record) } else { record }, is_own)
    }

    async fn load(&self, store: &dyn AnyStore) -> Result<Option<Record>, Unknown> {
        let shared = &self.inner.shared;
        let base = self.load_from(store, self.key.as_str()).await?;
        if !shared.wants_own(base.as_ref()) {
            return Ok(base);
        }
        let own = self.load_from(store, &shared.own_key(&self.key)).await?;
        Ok(shared.joined(base, own))
    }

    async fn load_from(&self, store: &dyn AnyStore, key: &str) -> Result<Option<Record>, Unknown> {
        match in_time(store.get(key)).await {
            Ok(octets) => Ok(octets.and_then(|octets| shared::read(&self.key, &octets))),
            Err(why) => {
                self.warn("read", &why);
                Err(Unknown)
            }
        }
    }

    async fn save(&self, store: &dyn AnyStore, record: &Record) {
        let shared = &self.inner.shared;
        let due = crate::life::due(record, &shared.reader.settings);
        let keep = keep(due, shared.now());
        // Under the key itself stands what is for all, or whose it is. Another's stays, and so does what is not known.
        let Ok(base) = self.load_from(store, self.key.as_str()).await else { return };
        let is_others = base.is_some_and(|base| shared.is_foreign(&base));
        if is_others || Shared::varies(record) {
            self.put(store, &shared.own_key(&self.key), record.to_octets(), keep).await;
        }
        if !is_others {
            self.put(store, self.key.as_str(), record.to_octets(), keep).await;
        }
    }

    async fn put(&self, store: &dyn AnyStore, key: &str, octets: Vec<u8>, keep: Duration) {
        if let Err(why) = in_time(store.put(key, octets, keep)).await {
            self.warn("write", &why);
        }
    }

    async fn release(&self, store: &dyn AnyStore, lease: Lease) {
        if let Err(why) = in_time(store.release(self.key.as_str(), lease)).await {
            self.warn("take a lease back", &why);
        }
    }

    fn warn(&self, what: &str, why: &StoreError) {
        self.inner.shared.store_failed(&self.key, what, why);
    }
}

/// What a store has is not known: it could not be read.
struct Unknown;

/// How long a store may take for one thing. The flight has others that wait for it.
const PATIENCE: Duration = Duration::from_secs(5);

async fn in_time<T>(asked: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    let answer = timeout(PATIENCE, asked).await;
    answer.unwrap_or_else(|_| Err(StoreError::new("it did not answer within five seconds")))
}
