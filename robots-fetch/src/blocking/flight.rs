//! One request for an origin however many threads ask: [`Flights`], and what a flight does.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;

use super::{Client, Inner, Store};
use crate::entry::Entry;
use crate::key::CacheKey;
use crate::record::Record;
use crate::retrieval::Step;
use crate::shared::{self, Shared, count};
use crate::store::{LEASE, LOOK, Lease, StoreError, keep};

/// The origins that are being asked.
#[derive(Default)]
pub(super) struct Flights(Mutex<HashMap<CacheKey, Arc<Landing>>>);

/// Where those wait who did not start a flight.
#[derive(Default)]
struct Landing {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    UnderWay,
    /// Without an entry where the thread has panicked.
    Over(Option<Arc<Entry>>),
}

/// So many may be asked at once.
pub(super) struct Slots {
    free: Mutex<usize>,
    changed: Condvar,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slots {
    pub(super) fn new(slots: usize) -> Self {
        Self { free: Mutex::new(slots), changed: Condvar::new() }
    }

    fn take(&self) -> Slot<'_> {
        let free = self.changed.wait_while(lock(&self.free), |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Slot(self)
    }
}

struct Slot<'s>(&'s Slots);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.changed.notify_one();
    }
}

/// Ends a flight, however it ends.
struct Lands<'f> {
    flights: &'f Flights,
    key: &'f CacheKey,
    landing: Arc<Landing>,
    entry: Option<Arc<Entry>>,
}

impl Drop for Lands<'_> {
    fn drop(&mut self) {
        lock(&self.flights.0).remove(self.key);
        *lock(&self.landing.state) = State::Over(self.entry.take());
        self.landing.changed.notify_all();
    }
}

impl Client {
    /// Joins the flight for an origin, or makes one; returns an entry that answers now.
    pub(super) fn fly(&self, key: &CacheKey) -> Arc<Entry> {
        let Inner { shared, flights, .. } = &*self.0;
        loop {
            let mut under_way = lock(&flights.0);
            if let Some(landing) = under_way.get(key).cloned() {
                drop(under_way);
                count(&shared.counters.waited, 1);
                let under_way = |state: &mut State| matches!(state, State::UnderWay);
                let state = landing.changed.wait_while(lock(&landing.state), under_way);
                if let State::Over(Some(entry)) = &*state.unwrap_or_else(PoisonError::into_inner) {
                    return Arc::clone(entry);
                }
                continue;
            }
            let landing = Arc::new(Landing::default());
            under_way.insert(key.clone(), Arc::clone(&landing));
            drop(under_way);
            let mut lands = Lands { flights, key, landing, entry: None };
            let entry = Flight { inner: &self.0, key }.entry();
            lands.entry = Some(Arc::clone(&entry));
            return entry;
        }
    }
}

struct Flight<'f> {
    inner: &'f Inner,
    key: &'f CacheKey,
}

impl Flight<'_> {
    fn entry(&self) -> Arc<Entry> {
        let shared = &self.inner.shared;
        let mut known = shared.entry(self.key);
        if let Some((entry, false)) =
            known.clone().and_then(|entry| Shared::usable(entry, shared.now()))
        {
            return entry;
        }
        let slots = &self.inner.slots;
        let Some(store) = self.inner.store.as_deref() else {
            let _slot = slots.take();
            let (record, _) = self.retrieve(known);
            return shared.keep(self.key, record);
        };
        let mut held = None;
        let (lease, _slot) = loop {
            if let Some(entry) = self.load(store).map(|record| shared.keep(self.key, record)) {
                if let Some((entry, false)) = Shared::usable(Arc::clone(&entry), shared.now()) {
                    count(&shared.counters.from_store, 1);
                    if let Some((lease, _)) = held {
                        self.release(store, lease);
                    }
                    return entry;
                }
                known = Some(entry);
            }
            if let Some((lease, slot)) = held.take() {
                break (Some(lease), slot);
            }
            // Its time begins to run with the lease: nobody holds one and waits for a turn.
            let slot = slots.take();
            match store.lease(self.key.as_str(), LEASE) {
                // Whoever had it before may have put there what is wanted: it is looked for once more.
                Ok(Some(lease)) => held = Some((lease, slot)),
                Ok(None) => {
                    // Another process is asking.
                    drop(slot);
                    sleep(LOOK);
                }
                Err(why) => {
                    self.warn("give a lease", &why);
                    break (None, slot);
                }
            }
        };
        let (record, by_guard) = self.retrieve(known);
        // What a guard refuses is this client's affair, and no fact about the site.
        if !by_guard {
            self.save(store, &record);
        }
        if let Some(lease) = lease {
            self.release(store, lease);
        }
        shared.keep(self.key, record)
    }

    /// Drives the machine; returns what is known then, and whether the guard ended it.
    fn retrieve(&self, known: Option<Arc<Entry>>) -> (Record, bool) {
        let Inner { shared, transport, .. } = self.inner;
        let mut retrieval = shared.retrieval(self.key, known.map(|entry| entry.record.clone()));
        let mut by_guard = false;
        while let Step::Request(request) = retrieval.step(shared.now()) {
            if shared.leads_into_disallowed(&retrieval, request.url().as_str()) {
                retrieval.disallowed(shared.now());
                continue;
            }
            count(&shared.counters.requests, 1);
            match transport.send(shared, &request) {
                Ok(response) => retrieval.answered(response, shared.now()),
                Err(failed) => {
                    by_guard = failed.by_guard;
                    shared.failed(&mut retrieval, failed);
                }
            }
        }
        (shared.landed(self.key, retrieval), by_guard)
    }

    fn load(&self, store: &dyn Store) -> Option<Record> {
        let shared = &self.inner.shared;
        let record = self.load_from(store, self.key.as_str())?;
        if shared.is_foreign(&record) {
            return self.load_from(store, &shared.own_key(self.key));
        }
        Some(record)
    }

    fn load_from(&self, store: &dyn Store, key: &str) -> Option<Record> {
        match store.get(key) {
            Ok(octets) => shared::read(self.key, &octets?),
            Err(why) => {
                self.warn("read", &why);
                None
            }
        }
    }

    fn save(&self, store: &dyn Store, record: &Record) {
        let shared = &self.inner.shared;
        let keep = keep(crate::life::due(record, &shared.settings), shared.now());
        let put = |key: &str| {
            if let Err(why) = store.put(key, record.to_octets(), keep) {
                self.warn("write", &why);
            }
        };
        if Shared::varies(record) {
            put(&shared.own_key(self.key));
            // Under the key itself stands whose it is, for others; another's own stays.
            let there = self.load_from(store, self.key.as_str());
            if there.is_some_and(|there| shared.is_foreign(&there)) {
                return;
            }
        }
        put(self.key.as_str());
    }

    fn release(&self, store: &dyn Store, lease: Lease) {
        if let Err(why) = store.release(self.key.as_str(), lease) {
            self.warn("take a lease back", &why);
        }
    }

    fn warn(&self, what: &str, why: &StoreError) {
        self.inner.shared.store_failed(self.key, what, why);
    }
}
