//! The state of a cache, which its retrievals share: [`State`].

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use pyo3::prelude::*;
use robots_fetch::Origin;

use crate::settings::seconds;
use crate::store::Shared;
use crate::turns::Turns;

/// Work on at least this number of octets releases the GIL. For less work, the release costs more than it saves.
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

/// The state of a cache: its records, its store, the running retrievals, and its clock.
pub(crate) struct State {
    pub(crate) known: robots_fetch::Cache,
    pub(crate) store: Option<Shared>,
    pub(crate) turns: Turns,
    pub(crate) clock: Option<Py<PyAny>>,
}

impl State {
    /// Returns the time since the Unix epoch: the given time, or else the time of the cache's clock, or else of the
    /// system's clock.
    pub(crate) fn now(&self, py: Python<'_>, now: Option<f64>) -> PyResult<Duration> {
        match (now, &self.clock) {
            (Some(now), _) => seconds(now),
            (None, Some(clock)) => seconds(clock.call0(py)?.extract(py)?),
            (None, None) => Ok(system_time()),
        }
    }
}

/// Returns the time of the system's clock since the Unix epoch.
pub(crate) fn system_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
