//! Counters of a client's work: [`Counters`] contains the running counters, and [`Counts`] is the copy that a caller
//! gets. The transport and the cache count some of the values themselves.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters of a client's work since the client was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The number of requests that the client tried to send. Each request of a chain of redirects counts, even if the
    /// guard refused its connection.
    pub requests: u64,
    /// The number of requests without a readable answer, for example because the connection was refused or broken off,
    /// or because the answer was late or not HTTP.
    pub failures: u64,
    /// The number of connections that the guard refused.
    pub refused: u64,
    /// The number of octets of HTTP bodies that were read, before decoding.
    pub octets: u64,
    /// The number of records that came from a store, so that no request was needed.
    pub from_store: u64,
    /// The number of failures of a store.
    pub store_errors: u64,
    /// The number of times that a store was skipped because it had failed before.
    pub store_skips: u64,
    /// The number of questions that waited for a fetch that another question had started.
    pub waited: u64,
    /// The number of times that rules were compiled: at a record's second question, or to make a handle.
    pub compiled: u64,
    /// The number of origins that are in memory now.
    pub entries: u64,
}

/// The counters of a client.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) requests: Counter,
    pub(super) failures: Counter,
    pub(super) refused: Counter,
    pub(super) from_store: Counter,
    pub(super) store_errors: Counter,
    pub(super) store_skips: Counter,
    pub(super) waited: Counter,
}

impl Counters {
    pub(super) fn read(&self, octets: u64, compiled: u64, entries: u64) -> Counts {
        Counts {
            requests: self.requests.read(),
            failures: self.failures.read(),
            refused: self.refused.read(),
            octets,
            from_store: self.from_store.read(),
            store_errors: self.store_errors.read(),
            store_skips: self.store_skips.read(),
            waited: self.waited.read(),
            compiled,
            entries,
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn read(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
