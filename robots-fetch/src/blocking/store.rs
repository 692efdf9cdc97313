//! Where a blocking client keeps records beyond memory: [`Store`].

use std::time::Duration;

use crate::store::{Lease, StoreError};

/// Keeps records for blocking clients, and between runs.
///
/// It is [`store::Store`](crate::store) without async: the same records, so that both kinds of client can use one file
/// or server in turn.
pub trait Store: Send + Sync + 'static {
    /// Returns what was put under a key last; `None` where nothing is.
    ///
    /// # Errors
    /// Where that is not known.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Keeps a record under a key, in place of what was there. It is of no use after the time `keep`.
    ///
    /// # Errors
    /// Where it is not kept.
    fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError>;

    /// Asks for the right to fetch the robots.txt of a key, for a time at most; `None` where another process has it.
    ///
    /// # Errors
    /// Where that is not known.
    fn lease(&self, _key: &str, _time: Duration) -> Result<Option<Lease>, StoreError> {
        Ok(Some(Lease(0)))
    }

    /// Gives a lease back.
    ///
    /// # Errors
    /// Where that cannot be said; it then ends by itself.
    fn release(&self, _key: &str, _lease: Lease) -> Result<(), StoreError> {
        Ok(())
    }
}

impl<S: Store> Store for std::sync::Arc<S> {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        S::get(self, key)
    }

    fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        S::put(self, key, record, keep)
    }

    fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        S::lease(self, key, time)
    }

    fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        S::release(self, key, lease)
    }
}
