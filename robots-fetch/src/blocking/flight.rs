//! One request for an origin however many threads ask: [`Flights`], and what a flight does.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, sleep};

use super::{Client, Inner, Store};
use crate::entry::Entry;
use crate::key::CacheKey;
use crate::record::Record;
use crate::retrieval::Step;
use crate::shared::{self, Shared, count};
use crate::store::{LOOK, Lease, StoreError, keep};
use crate::transport::Of;

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

/// A flight that is registered; it ends with this, however it ends.
struct Begun {
    client: Client,
    key: CacheKey,
    landing: Arc<Landing>,
    entry: Option<Arc<Entry>>,
}

impl Begun {
    fn entry(mut self) -> Arc<Entry> {
        let entry = Flight { inner: &self.client.0, key: &self.key }.entry();
        self.entry = Some(Arc::clone(&entry));
        entry
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        lock(&self.client.0.flights.0).remove(&self.key);
        *lock(&self.landing.state) = State::Over(self.entry.take());
        self.landing.changed.notify_all();
    }
}

impl Client {
    /// Joins the flight for an origin, or makes one; returns an entry that answers now.
    pub(super) fn fly(&self, key: &CacheKey) -> Arc<Entry> {
        loop {
            let landing = match self.begin(key) {
                Ok(begun) => return begun.entry(),
                Err(landing) => landing,
            };
            count(&self.0.shared.counters.waited, 1);
            let under_way = |state: &mut State| matches!(state, State::UnderWay);
            let state = landing.changed.wait_while(lock(&landing.state), under_way);
            if let State::Over(Some(entry)) = &*state.unwrap_or_else(PoisonError::into_inner) {
                return Arc::clone(entry);
            }
        }
    }

    /// Makes a flight in a thread of its own, where there is none. Who asks does not wait for it.
    pub(super) fn fly_meanwhile(&self, key: &CacheKey) {
        let Ok(begun) = self.begin(key) else { return };
        let thread = Builder::new().name("robots-fetch".to_owned());
        // Where there is no thread to be had, the next question tries again.
        drop(thread.spawn(move || begun.entry()));
    }

    /// Registers a flight, or returns where to wait for the one that there is.
    fn begin(&self, key: &CacheKey) -> Result<Begun, Arc<Landing>> {
        let mut under_way = lock(&self.0.flights.0);
        if let Some(landing) = under_way.get(key) {
            return Err(Arc::clone(landing));
        }
        let landing = Arc::new(Landing::default());
        under_way.insert(key.clone(), Arc::clone(&landing));
        Ok(Begun { client: self.clone(), key: key.clone(), landing, entry: None })
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
        let mut could_read;
        let (lease, _slot) = loop {
            let loaded = self.load(store);
            could_read = loaded.is_ok();
            let is_known = |record: &Record| {
                // What memory has is newer where the store could not be written.
                known.as_ref().is_some_and(|known| {
                    known.record.last.at > record.last.at || known.record == *record
                })
            };
            if let Some(record) = loaded.ok().flatten().filter(|record| !is_known(record)) {
                let entry = shared.keep(self.key, record);
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
            match store.lease(self.key.as_str(), shared.lease()) {
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
        let (record, is_own) = self.retrieve(known);
        // Where it is not known what the store has, a copy there is not given up for the news of an outage.
        if !is_own && (could_read || record.copy.is_some()) {
            self.save(store, &record);
        }
        if let Some(lease) = lease {
            self.release(store, lease);
        }
        shared.keep(self.key, record)
    }

    /// Drives the machine; returns what is known then, and whether that is this client's own affair.
    fn retrieve(&self, known: Option<Arc<Entry>>) -> (Record, bool) {
        let Inner { shared, transport, .. } = self.inner;
        let mut retrieval = shared.retrieval(self.key, known.map(|entry| entry.record.clone()));
        let mut is_own = false;
        while let Step::Request(request) = retrieval.step(shared.now()) {
            if shared.leads_into_disallowed(&retrieval, request.url().as_str()) {
                retrieval.disallowed(shared.now());
                continue;
            }
            count(&shared.counters.requests, 1);
            match transport.send(request, shared.reader.settings.limit()) {
                Ok(response) => retrieval.answered(response, shared.now()),
                Err(failed) => {
                    is_own = failed.of != Of::Site;
                    shared.failed(&mut retrieval, failed);
                }
            }
        }
        let record = shared.landed(self.key, retrieval);
        (if is_own { shared::own(record) } else { record }, is_own)
    }

    fn load(&self, store: &dyn Store) -> Result<Option<Record>, Unknown> {
        let shared = &self.inner.shared;
        let base = self.load_from(store, self.key.as_str())?;
        if !shared.wants_own(base.as_ref()) {
            return Ok(base);
        }
        let own = self.load_from(store, &shared.own_key(self.key))?;
        Ok(shared.joined(base, own))
    }

    fn load_from(&self, store: &dyn Store, key: &str) -> Result<Option<Record>, Unknown> {
        match store.get(key) {
            Ok(octets) => Ok(octets.and_then(|octets| shared::read(self.key, &octets))),
            Err(why) => {
                self.warn("read", &why);
                Err(Unknown)
            }
        }
    }

    fn save(&self, store: &dyn Store, record: &Record) {
        let shared = &self.inner.shared;
        let keep = keep(crate::life::due(record, &shared.reader.settings), shared.now());
        let put = |key: &str| {
            if let Err(why) = store.put(key, record.to_octets(), keep) {
                self.warn("write", &why);
            }
        };
        // Under the key itself stands what is for all, or whose it is. Another's stays, and so does what is not known.
        let Ok(base) = self.load_from(store, self.key.as_str()) else { return };
        let is_others = base.is_some_and(|base| shared.is_foreign(&base));
        if is_others || Shared::varies(record) {
            put(&shared.own_key(self.key));
        }
        if !is_others {
            put(self.key.as_str());
        }
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

/// What a store has is not known: it could not be read.
struct Unknown;
