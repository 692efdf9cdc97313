//! Stores for records. A store is a [`MemoryStore`], a [`FileStore`], or a mapping that the user provides.
//!
//! [`shared`] converts an argument to a store of `robots_fetch`. The methods of a mapping are called with the GIL held.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyKeyError, PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use robots_fetch::store::{BlockingStore, Memory, Redb, StoreError};

use crate::arguments::wrong_type;
use crate::settings::seconds;
use crate::turns::Turns;

/// A store that a cache uses.
pub(crate) type Shared = Arc<dyn BlockingStore>;

/// Keeps records in memory, for several caches of one process.
#[pyclass(frozen, module = "robots_verdicts")]
pub(crate) struct MemoryStore(Memory, Turns);

#[pymethods]
impl MemoryStore {
    /// Makes a store that keeps at most about this number of octets.
    #[new]
    #[pyo3(signature = (octets = 64 << 20))]
    fn new(octets: u64) -> Self {
        Self(Memory::of_octets(octets), Turns::default())
    }
}

/// Keeps records in one file, for one process at a time. The class supports weak references. So several parts of a
/// program can share a store, which is closed when the last of these parts releases it.
#[pyclass(frozen, weakref, module = "robots_verdicts")]
pub(crate) struct FileStore(Redb, Turns);

#[pymethods]
impl FileStore {
    /// Opens a file, or creates it if it does not exist. Logs a warning if the file was damaged and a new file was begun.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| Redb::open(path));
        let file = opened.map_err(|error| PyOSError::new_err(error.to_string()))?;
        if let Some(moved) = file.moved_aside() {
            warn(
                py,
                ("the store's file was damaged; it is now %s, and the store begins anew", moved),
            )?;
        }
        Ok(Self(file, Turns::default()))
    }

    /// Removes the records whose last answer arrived before the given time, in seconds since the Unix epoch, and the
    /// records that cannot be read. Returns the number of removed records.
    fn remove_before(&self, py: Python<'_>, time: f64) -> PyResult<u64> {
        let time = seconds(time)?;
        py.detach(|| self.0.remove_before(time))
            .map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

/// Converts an argument to a store, and also returns the [`Turns`] of the caches that share it. Caches that share a
/// mapping have separate turns, because a mapping cannot store turns.
pub(crate) fn shared(store: &Bound<'_, PyAny>) -> PyResult<(Shared, Turns)> {
    if let Ok(memory) = store.cast::<MemoryStore>() {
        let MemoryStore(memory, turns) = memory.get();
        return Ok((Arc::new(memory.clone()), turns.clone()));
    }
    if let Ok(file) = store.cast::<FileStore>() {
        let FileStore(file, turns) = file.get();
        return Ok((Arc::new(file.clone()), turns.clone()));
    }
    if store.hasattr("__getitem__")? && store.hasattr("__setitem__")? {
        return Ok((Arc::new(Mapping(store.clone().unbind())), Turns::default()));
    }
    let kind = store.get_type().qualname()?;
    Err(PyTypeError::new_err(format!(
        "a store is a MemoryStore, a FileStore or a mutable mapping from str to bytes, not {kind}"
    )))
}

/// Logs a warning about a store: a text and its values.
pub(crate) fn warn<'py>(py: Python<'py>, text: impl PyCallArgs<'py>) -> PyResult<()> {
    let logger = py.import("logging")?.call_method1("getLogger", ("robots_verdicts",))?;
    logger.call_method1("warning", text).map(drop)
}

/// A mapping that the user provides, from text to octets.
struct Mapping(Py<PyAny>);

impl BlockingStore for Mapping {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Python::attach(|py| match self.0.bind(py).get_item(key) {
            Ok(record) if record.is_none() => Ok(None),
            Ok(record) => octets(&record).map(Some).map_err(StoreError::new),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => Ok(None),
            Err(error) => Err(StoreError::new(error)),
        })
    }

    fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        Python::attach(|py| {
            self.0.bind(py).set_item(key, PyBytes::new(py, &record)).map_err(StoreError::new)
        })
    }
}

/// Returns the octets of a record, which must be `bytes` or `bytearray`. Other sequences are refused, because a Python
/// object may report any length.
fn octets(record: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(octets) = record.cast::<PyBytes>() {
        return Ok(octets.as_bytes().to_vec());
    }
    let octets = record.cast::<PyByteArray>();
    octets
        .map(PyByteArrayMethods::to_vec)
        .map_err(|_| wrong_type("a record", "bytes or bytearray", record))
}
