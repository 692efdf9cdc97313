//! The turns of retrievals: [`Turns`]. One retrieval takes the turn for an origin, and all other retrievals of this
//! origin wait for its result.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use robots_fetch::CacheKey;

/// The origins whose robots.txt is being retrieved, so that one retrieval serves all questions about an origin. Caches
/// that share a `MemoryStore` or a `FileStore` also share its turns.
#[derive(Clone, Default)]
pub(crate) struct Turns(Arc<Mutex<HashSet<CacheKey>>>);

impl Turns {
    /// Takes the turn for an origin, or returns `None` if another retrieval has it.
    pub(crate) fn take(&self, key: &CacheKey) -> Option<Turn> {
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_new.then(|| Turn { turns: self.clone(), key: key.clone() })
    }
}

/// The turn of a retrieval. The turn ends when this value is dropped.
pub(crate) struct Turn {
    turns: Turns,
    key: CacheKey,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
