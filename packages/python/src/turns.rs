//! The turns of retrievals: [`Turns`]. One retrieval takes the turn for an origin, and all other retrievals of this
//! origin wait for its result.

use std::collections::HashMap;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};

use robots_fetch::CacheKey;

/// The origins whose robots.txt is being retrieved, so that one retrieval serves all questions about an origin. Caches
/// that share a `MemoryStore` or a `FileStore` also share its turns.
///
/// Each turn has the id of the process that took it. After `os.fork`, the child has a copy of the turns, but not the
/// threads that would end them, so a turn of another process does not count.
#[derive(Clone, Default)]
pub(crate) struct Turns(Arc<Mutex<HashMap<CacheKey, u32>>>);

impl Turns {
    /// Takes the turn for an origin, or returns `None` if another retrieval has it.
    pub(crate) fn take(&self, key: &CacheKey) -> Option<Turn> {
        let process = process::id();
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = turns.insert(key.clone(), process);
        (before != Some(process)).then(|| Turn { turns: self.clone(), key: key.clone(), process })
    }
}

/// The turn of a retrieval. The turn ends when this value is dropped.
pub(crate) struct Turn {
    turns: Turns,
    key: CacheKey,
    process: u32,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut turns = self.turns.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A child may drop its copy of a turn of its parent, and must not end its own turn by that.
        if turns.get(&self.key) == Some(&self.process) {
            turns.remove(&self.key);
        }
    }
}
