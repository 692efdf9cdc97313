//! [`Memory`] is the store that keeps records in memory.
//!
//! Its clones share their records, so several clients in one process can share one store. The store is lost when the
//! process ends.

use std::sync::Arc;
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use super::{BlockingStore, StoreError};

/// The length of a large record, in octets.
const LARGE: usize = 16 * 1024;

/// Keeps records in memory, up to a number of octets. The record that was not used for the longest time is removed
/// first.
///
/// Every client already keeps its records in memory. This store is for several clients in one process, for example of
/// two crawlers: clones share their records.
#[derive(Clone)]
pub struct Memory(Cache<String, Arc<[u8]>>);

impl Memory {
    /// Makes a store for this number of octets.
    #[must_use]
    pub fn of_octets(octets: u64) -> Self {
        let weigh = |key: &String, record: &Arc<[u8]>| {
            // The overhead of the cache for an entry is about 512 octets.
            u32::try_from(key.len() + record.len() + 512).unwrap_or(u32::MAX)
        };
        let records = Cache::builder().max_capacity(octets).weigher(weigh);
        // The cache removes the least recently used record, because a crawler needs the newest records next, even if it
        // has used older records more often.
        Self(records.eviction_policy(EvictionPolicy::lru()).build())
    }
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Memory").field("records", &self.0.entry_count()).finish_non_exhaustive()
    }
}

impl BlockingStore for Memory {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.0.get(key).map(|record| record.to_vec()))
    }

    fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        let is_large = record.len() >= LARGE;
        self.0.insert(key.to_owned(), record.into());
        // By itself, the cache removes other records only after up to 64 insertions.
        if is_large {
            self.0.run_pending_tasks();
        }
        Ok(())
    }

    fn may_wait(&self) -> bool {
        false
    }
}
