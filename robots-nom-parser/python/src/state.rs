//! The state of a cache, which its retrievals share: [`State`].

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use robots_fetch::{CacheKey, Origin};

use crate::settings::seconds;
use crate::store::Shared;

/// The number of octets from which work releases the GIL. For less work, the release costs more than it saves.
pub(crate) const LARGE: usize = 16 * 1024;

/// Does work that reads the file of an origin. Releases the GIL if the file is large and its rules are not compiled.
pub(crate) fn reading<T: Send>(
    py: Python<'_>,
    origin: &Origin,
    work: impl FnOnce() -> T + Send,
) -> T {
    let copy = origin.record().copy.as_ref().filter(|_| origin.rules().is_none());
    if copy.is_some_and(|copy| copy.body.len() >= LARGE) { py.detach(work) } else { work() }
}

/// The state of a cache: its records, its store, and the running retrievals.
pub(crate) struct State {
    pub(crate) known: robots_fetch::Cache,
    pub(crate) store: Option<Shared>,
    pub(crate) turns: Turns,
    pub(crate) clock: Option<Py<PyAny>>,
}

impl State {
    /// Returns the time since the Unix epoch: the given time, or the time of the clock.
    pub(crate) fn now(&self, py: Python<'_>, now: Option<f64>) -> PyResult<Duration> {
        match (now, &self.clock) {
            (Some(now), _) => seconds(now),
            (None, Some(clock)) => seconds(clock.call0(py)?.extract(py)?),
            (None, None) => Ok(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()),
        }
    }
}

/// The origins that are being retrieved, so that one retrieval serves all questions about an origin.
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
