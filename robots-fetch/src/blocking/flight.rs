//! One request for an origin however many threads ask: [`Flights`], and what a flight does.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;

use super::{Client, Inner, Store};
use crate::entry::Entry;
use crate::key::CacheKey;
use crate::record::Record;
use crate::retrieval::Step;
use crate::shared::{Shared, count};
use crate::store::{LEASE, LOOK, Lease, StoreError, keep};

/// The origins that are being asked.
#[derive(Default)]
pub(super) struct Flights(Mutex<HashMap<CacheKey, Arc<Landing>>>);

/// Where those wait who did not start a flight.
#[derive(Default)]
struct Landing {
    over: Mutex<bool>,
    changed: Condvar,
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
}

impl Drop for Lands<'_> {
    fn drop(&mut self) {
        lock(&self.flights.0).remove(self.key);
        *lock(&self.landing.over) = true;
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
                let over = landing.changed.wait_while(lock(&landing.over), |over| !*over);
                drop(over);
                let landed = shared.entry(key);
                if let Some((entry, _)) =
                    landed.and_then(|entry| Shared::usable(entry, shared.now()))
                {
                    return entry;
                }
                // What landed is gone already, or holds no longer.
                continue;
            }
            let landing = Arc::new(Landing::default());
            under_way.insert(key.clone(), Arc::clone(&landing));
            drop(under_way);
            let lands = Lands { flights, key, landing };
            let entry = Flight { inner: &self.0, key }.entry();
            drop(lands);
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
        let store = self.inner.store.as_deref();
        let mut lease = None;
        if let Some(store) = store {
            loop {
                if let Some(entry) = self.load(store).map(|record| shared.keep(self.key, record)) {
                    if let Some((entry, false)) = Shared::usable(Arc::clone(&entry), shared.now()) {
                        count(&shared.counters.from_store, 1);
                        return entry;
                    }
                    known = Some(entry);
                }
                match store.lease(self.key.as_str(), LEASE) {
                    Ok(Some(granted)) => lease = Some(granted),
                    Ok(None) => {
                        sleep(LOOK);
                        continue;
                    }
                    Err(why) => self.warn("give a lease", &why),
                }
                break;
            }
        }
        let record = self.retrieve(known.map(|entry| entry.record.clone()));
        if let Some(store) = store {
            self.save(store, &record);
            if let Some(lease) = lease {
                self.release(store, lease);
            }
        }
        shared.keep(self.key, record)
    }

    /// Drives the machine.
    fn retrieve(&self, known: Option<Record>) -> Record {
        let Inner { shared, transport, slots, .. } = self.inner;
        let _slot = slots.take();
        let mut retrieval = shared.retrieval(self.key, known);
        while let Step::Request(request) = retrieval.step(shared.now()) {
            if shared.leads_into_disallowed(&retrieval, request.url().as_str()) {
                retrieval.disallowed(shared.now());
                continue;
            }
            count(&shared.counters.requests, 1);
            match transport.send(shared, &request) {
                Ok(response) => retrieval.answered(response, shared.now()),
                Err(failed) => shared.failed(&mut retrieval, failed),
            }
        }
        shared.landed(self.key, retrieval)
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
            Ok(octets) => self.inner.shared.read(self.key, &octets?),
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
