//! Runs flights: [`fly`] starts one task for each origin whose robots.txt is being fetched.
//!
//! [`Flight`] decides every step. This module executes the steps: it calls the transport and the store, and waits.
//! Before a request it waits for a turn, because only some flights may send requests at the same time. All questions
//! about an origin wait for the same task.

use std::future::Future;
use std::sync::{Arc, PoisonError};

use tokio::sync::watch::{self, Receiver, Sender};
use tokio::time::{Instant, sleep};

use super::inner::Inner;
use super::stored::{Missed, Stored};
use crate::cache::Lookup;
use crate::entry::Entry;
use crate::key::CacheKey;
use crate::machine::flight::{Flight, Lease, Step};
use crate::machine::retrieval::Request;
use crate::store::{Answer, AnyStore};
use crate::transport::Of;

/// Joins the flight for an origin, or starts one. Returns a channel from which the caller receives the entry of the
/// flight, and whether the flight is new.
///
/// A flight is a separate task. So the answer of a flight is kept even if the caller is cancelled or stops polling.
pub(super) fn fly(inner: &Arc<Inner>, key: &CacheKey) -> (Receiver<Option<Arc<Entry>>>, bool) {
    let mut flights = inner.flights.0.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(flight) = flights.get(key) {
        return (flight.clone(), false);
    }
    let (landing, landed) = watch::channel(None);
    flights.insert(key.clone(), landed.clone());
    drop(flights);
    let task = Task { inner: Arc::clone(inner), key: key.clone() };
    tokio::spawn(task.run(landing));
    (landed, true)
}

struct Task {
    inner: Arc<Inner>,
    key: CacheKey,
}

impl Drop for Task {
    /// Removes the flight, however it ends, so that the next question can start another one.
    fn drop(&mut self) {
        let mut flights = self.inner.flights.0.lock().unwrap_or_else(PoisonError::into_inner);
        flights.remove(&self.key);
    }
}

impl Task {
    async fn run(self, landing: Sender<Option<Arc<Entry>>>) {
        let entry = self.entry().await;
        drop(self);
        // It is not an error if nobody receives the entry, because the questions may have been cancelled.
        let _ = landing.send(Some(entry));
    }

    async fn entry(&self) -> Arc<Entry> {
        let inner = &*self.inner;
        // Another flight may have stored the entry between the question and the start of this flight.
        if let Ok(Lookup::Fresh(origin)) = inner.cache.look_up(self.key.as_str(), inner.now()) {
            return origin.entry;
        }
        let mut flight = inner.flight(&self.key);
        if inner.store.is_some() {
            flight = flight.with_store();
        }
        self.drive(&mut flight).await;
        if flight.is_from_store() {
            inner.counters.from_store.add();
        }
        inner.cache.put(&self.key, flight.into_record())
    }

    async fn drive(&self, flight: &mut Flight) {
        let inner = &*self.inner;
        let (mut turn, mut asked_first) = (None, None);
        loop {
            match flight.step(inner.now()) {
                Step::Get { key } => match self.ask("read", |store| store.get(&key)).await {
                    Some(octets) => flight.found(octets, inner.now()),
                    None => flight.store_failed(),
                },
                Step::Lease { key, time } => {
                    let since = *asked_first.get_or_insert_with(Instant::now);
                    inner.take_turn(&mut turn).await;
                    match self.ask("give a lease", |store| store.lease(&key, time)).await {
                        Some(Some(lease)) => flight.leased(lease),
                        Some(None) => {
                            // A flight that waits for another process gives up its turn.
                            turn = None;
                            flight.refused(since.elapsed());
                        }
                        None => flight.store_failed(),
                    }
                }
                Step::Wait { time } => {
                    sleep(time).await;
                    flight.done();
                }
                Step::Request(request) => {
                    inner.take_turn(&mut turn).await;
                    self.request(flight, &request).await;
                }
                Step::Put { key, record, keep } => {
                    match self.ask("write", |store| store.put(&key, record, keep)).await {
                        Some(()) => flight.done(),
                        None => flight.store_failed(),
                    }
                }
                Step::Release { key, lease } => {
                    match self.ask("return a lease", |store| store.release(&key, lease)).await {
                        Some(()) => flight.done(),
                        None => flight.store_failed(),
                    }
                }
                Step::Done => return,
            }
        }
    }

    async fn request(&self, flight: &mut Flight, request: &Request) {
        let inner = &*self.inner;
        if flight.follows_redirect() && inner.cache.forbids(request.url().as_str(), inner.now()) {
            return flight.disallowed(inner.now());
        }
        inner.counters.requests.add();
        let answer = inner.transport.send(request, inner.cache.settings().limit());
        let answer = match flight.lease() {
            Some(lease) => self.renewing(lease, answer).await,
            None => answer.await,
        };
        match answer {
            Ok(response) => flight.answered(response, inner.now()),
            Err(failed) => {
                inner.counters.failures.add();
                if failed.of == Of::Guard {
                    inner.counters.refused.add();
                }
                match failed.of {
                    Of::Site => flight.failed(failed.failure, failed.why, inner.now()),
                    Of::Guard | Of::Client => {
                        flight.failed_here(failed.failure, failed.why, inner.now());
                    }
                }
            }
        }
    }

    /// Waits for a future, and renews a lease until the future is ready.
    async fn renewing<T>(&self, lease: Lease, future: impl Future<Output = T>) -> T {
        let renew = async {
            loop {
                sleep(Lease::RENEW).await;
                let key = self.key.as_str();
                let renewed =
                    self.ask("renew a lease", |store| store.renew(key, lease, Lease::TIME));
                if renewed.await == Some(false) {
                    // The lease has ended, or another process has it now, so this flight cannot renew it.
                    return std::future::pending().await;
                }
            }
        };
        tokio::select! {
            done = future => done,
            () = renew => unreachable!("the renewal never ends"),
        }
    }

    /// Asks the store. Returns `None` if the store fails or is skipped.
    async fn ask<'s, T>(
        &'s self,
        what: &str,
        asked: impl FnOnce(&'s dyn AnyStore) -> Answer<'s, T>,
    ) -> Option<T> {
        let store: &Arc<Stored> = self.inner.store.as_ref()?;
        match store.ask(asked).await {
            Ok(answer) => Some(answer),
            Err(Missed::Skipped) => {
                self.inner.counters.store_skips.add();
                None
            }
            Err(Missed::Failed(why)) => {
                self.inner.counters.store_errors.add();
                tracing::warn!(target: "robots.fetch", key = self.key.as_str(),
                    "the store cannot {what}; the client continues without it: {why}");
                None
            }
        }
    }
}
