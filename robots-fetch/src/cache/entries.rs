//! [`Entries`] contains the entries in memory. If the entries need more memory than the limit, the entry that was not
//! used for the longest time is removed. Start at [`Entries::at_hand`], which every question calls.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;

use crate::entry::Entry;
use crate::key::{CacheKey, as_it_stands};

/// The size of a large entry, in octets.
const LARGE: usize = 16 * 1024;

/// The entries in memory, whose total size is limited.
pub(super) struct Entries {
    cache: Cache<CacheKey, Arc<Entry>>,
    putting: Mutex<()>,
    compiled: AtomicU64,
}

impl Entries {
    pub(super) fn of_octets(octets: u64) -> Self {
        let weigh =
            |_: &CacheKey, entry: &Arc<Entry>| u32::try_from(entry.size()).unwrap_or(u32::MAX);
        let cache = Cache::builder().max_capacity(octets).weigher(weigh);
        // The cache removes the least recently used entry, because a crawler needs the newest entries next, even if it
        // has used older entries more often.
        let cache = cache.eviction_policy(EvictionPolicy::lru()).build();
        Self { cache, putting: Mutex::new(()), compiled: AtomicU64::new(0) }
    }

    /// Returns the entry of a URL's origin without computing the key. This function finds an entry only if the URL
    /// spells the origin exactly as the key does.
    #[inline]
    pub(super) fn at_hand(&self, url: &str) -> Option<Arc<Entry>> {
        self.cache.get(as_it_stands(url)?)
    }

    pub(super) fn get(&self, key: &CacheKey) -> Option<Arc<Entry>> {
        self.cache.get(key)
    }

    pub(super) fn put(&self, key: &CacheKey, entry: &Arc<Entry>) {
        let _one = self.lock();
        self.insert(key, entry);
    }

    /// Inserts an entry. By itself, the cache removes other entries only after up to 64 insertions, so many large entries
    /// would exceed the limit.
    fn insert(&self, key: &CacheKey, entry: &Arc<Entry>) {
        self.cache.insert(key.clone(), Arc::clone(entry));
        if entry.size() >= LARGE {
            self.cache.run_pending_tasks();
        }
    }

    /// Counts the memory of an entry again, after the entry has compiled its rules. If another entry has replaced this
    /// one, its memory does not count.
    pub(super) fn weigh_again(&self, entry: &Arc<Entry>) {
        self.compiled.fetch_add(1, Ordering::Relaxed);
        let Ok(key) = CacheKey::of(&entry.record.key) else { return };
        let _one = self.lock();
        if self.cache.get(&key).is_some_and(|kept| Arc::ptr_eq(&kept, entry)) {
            self.insert(&key, entry);
        }
    }

    /// Returns the number of times that entries compiled their rules.
    pub(super) fn compiled(&self) -> u64 {
        self.compiled.load(Ordering::Relaxed)
    }

    pub(super) fn count(&self) -> u64 {
        // The cache counts some new entries only after its pending tasks have run.
        self.cache.run_pending_tasks();
        self.cache.entry_count()
    }

    /// Locks the entries, so that no other thread adds one.
    fn lock(&self) -> MutexGuard<'_, ()> {
        self.putting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
