//! A [`Store`] keeps records outside a client's memory.
//!
//! A store keeps octets under keys; the client decides what the octets mean. If a store fails, the client logs a
//! warning and works without the store. A client without a store sends more requests, but it still answers every
//! question. [`Store`] defines the contract, and `contract::check` tests it. A [`BlockingStore`] is a store without
//! async; every such store that implements `Clone` is a [`Store`] too.

mod blocking;
#[cfg(feature = "client")]
pub mod contract;
#[cfg(feature = "cache")]
mod memory;
#[cfg(feature = "redb")]
mod redb;
#[cfg(feature = "redis")]
mod redis;

use std::fmt;
use std::future::Future;
#[cfg(feature = "client")]
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

pub use self::blocking::BlockingStore;
#[cfg(feature = "cache")]
pub use self::memory::Memory;
#[cfg(feature = "redb")]
pub use self::redb::Redb;
#[cfg(feature = "redis")]
pub use self::redis::Redis;
pub use crate::machine::flight::Lease;

/// Keeps records outside a client, so that several clients can share them, and so that they can outlive a client.
///
/// The crate contains the stores `Memory`, `Redb` and `Redis`, each behind a feature. An implementation may write
/// `async fn`. For a store without async, implement [`BlockingStore`] and `Clone` instead; such a type also implements
/// this trait.
///
/// ```
/// use robots_fetch::store::{Store, StoreError};
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use std::time::Duration;
///
/// #[derive(Default)]
/// struct Map(Mutex<HashMap<String, Vec<u8>>>);
///
/// impl Store for Map {
///     async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
///         Ok(self.0.lock().unwrap().get(key).cloned())
///     }
///
///     async fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
///         self.0.lock().unwrap().insert(key.to_owned(), record);
///         Ok(())
///     }
/// }
/// let client = robots_fetch::Client::builder("examplebot").store(Map::default()).build().unwrap();
/// ```
pub trait Store: Send + Sync + 'static {
    /// Returns the last record that was stored under a key, or `None` if there is no such record.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn get(&self, key: &str) -> impl Future<Output = Result<Option<Vec<u8>>, StoreError>> + Send;

    /// Stores a record under a key and replaces the old record. The store may drop the record after the time `keep`.
    ///
    /// # Errors
    /// Returns an error if the record could not be stored.
    fn put(
        &self,
        key: &str,
        record: Vec<u8>,
        keep: Duration,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Requests a lease on a key: for a time, its holder alone has the right to fetch the robots.txt. Returns `None` if
    /// another process has the lease.
    ///
    /// A store for only one process can use the default, which grants every lease.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn lease(
        &self,
        _key: &str,
        _time: Duration,
    ) -> impl Future<Output = Result<Option<Lease>, StoreError>> + Send {
        async { Ok(Some(Lease(0))) }
    }

    /// Extends a lease, so that it ends when this time has passed from now. Returns whether the lease was still valid.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer; the lease then ends by itself.
    fn renew(
        &self,
        _key: &str,
        _lease: Lease,
        _time: Duration,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        async { Ok(true) }
    }

    /// Gives a lease back. If the lease has expired, or another process has it now, nothing changes.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer; the lease then ends by itself.
    fn release(
        &self,
        _key: &str,
        _lease: Lease,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }
}

/// The reason why a store failed.
#[derive(Debug)]
pub struct StoreError(String);

impl StoreError {
    /// Makes an error from a reason.
    pub fn new(reason: impl fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StoreError {}

/// The time limit of one operation of a store. Operations have a limit because many questions may wait for one
/// operation. After this time, the client works without the store.
#[cfg(feature = "client")]
pub(crate) const LIMIT: Duration = Duration::from_secs(2);

/// The answer of a store, as a boxed future.
#[cfg(feature = "client")]
pub(crate) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A store of any type.
#[cfg(feature = "client")]
pub(crate) trait AnyStore: Send + Sync {
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>>;
    fn put<'a>(&'a self, key: &'a str, record: Vec<u8>, keep: Duration) -> Answer<'a, ()>;
    fn lease<'a>(&'a self, key: &'a str, time: Duration) -> Answer<'a, Option<Lease>>;
    fn renew<'a>(&'a self, key: &'a str, lease: Lease, time: Duration) -> Answer<'a, bool>;
    fn release<'a>(&'a self, key: &'a str, lease: Lease) -> Answer<'a, ()>;
}

#[cfg(feature = "client")]
impl<S: Store> AnyStore for S {
    fn get<'a>(&'a self, key: &'a str) -> Answer<'a, Option<Vec<u8>>> {
        Box::pin(Store::get(self, key))
    }

    fn put<'a>(&'a self, key: &'a str, record: Vec<u8>, keep: Duration) -> Answer<'a, ()> {
        Box::pin(Store::put(self, key, record, keep))
    }

    fn lease<'a>(&'a self, key: &'a str, time: Duration) -> Answer<'a, Option<Lease>> {
        Box::pin(Store::lease(self, key, time))
    }

    fn renew<'a>(&'a self, key: &'a str, lease: Lease, time: Duration) -> Answer<'a, bool> {
        Box::pin(Store::renew(self, key, lease, time))
    }

    fn release<'a>(&'a self, key: &'a str, lease: Lease) -> Answer<'a, ()> {
        Box::pin(Store::release(self, key, lease))
    }
}

impl<S: Store> Store for Arc<S> {
    fn get(&self, key: &str) -> impl Future<Output = Result<Option<Vec<u8>>, StoreError>> + Send {
        S::get(self, key)
    }

    fn put(
        &self,
        key: &str,
        record: Vec<u8>,
        keep: Duration,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        S::put(self, key, record, keep)
    }

    fn lease(
        &self,
        key: &str,
        time: Duration,
    ) -> impl Future<Output = Result<Option<Lease>, StoreError>> + Send {
        S::lease(self, key, time)
    }

    fn renew(
        &self,
        key: &str,
        lease: Lease,
        time: Duration,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        S::renew(self, key, lease, time)
    }

    fn release(
        &self,
        key: &str,
        lease: Lease,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        S::release(self, key, lease)
    }
}
