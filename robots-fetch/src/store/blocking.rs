//! Stores without async: [`BlockingStore`], and [`Blocking`], which turns one into a [`Store`].

#[cfg(feature = "client")]
use std::sync::Arc;
use std::time::Duration;

#[cfg(feature = "client")]
use tokio::task::spawn_blocking;

#[cfg(feature = "client")]
use super::Store;
use super::{Lease, StoreError};

/// A store whose methods block. [`Blocking`] turns it into a [`Store`].
///
/// The methods have the same contract as those of [`Store`].
///
/// ```
/// use robots_fetch::store::{Blocking, BlockingStore, StoreError};
/// use std::path::PathBuf;
/// use std::time::Duration;
///
/// /// A file for each key.
/// struct Files(PathBuf);
///
/// impl Files {
///     fn path(&self, key: &str) -> PathBuf {
///         let octets = key.bytes().map(|octet| format!("{octet:02x}"));
///         self.0.join(octets.collect::<String>())
///     }
/// }
///
/// impl BlockingStore for Files {
///     fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
///         let path = self.path(key);
///         path.exists().then(|| std::fs::read(path).map_err(StoreError::new)).transpose()
///     }
///
///     fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
///         std::fs::write(self.path(key), record).map_err(StoreError::new)
///     }
/// }
///
/// let store = Blocking::new(Files("/var/cache/examplebot".into()));
/// let client = robots_fetch::Client::builder("examplebot").store(store).build().unwrap();
/// ```
pub trait BlockingStore: Send + Sync + 'static {
    /// Returns the last record that was stored under a key, or `None` if there is no such record.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Stores a record under a key and replaces the old one. The store may drop it after the time `keep`.
    ///
    /// # Errors
    /// Returns an error if it could not be stored.
    fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError>;

    /// Requests a lease on a key for a time. Returns `None` if another process has it.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn lease(&self, _key: &str, _time: Duration) -> Result<Option<Lease>, StoreError> {
        Ok(Some(Lease(0)))
    }

    /// Extends a lease for a time from now. Returns whether it was still valid.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn renew(&self, _key: &str, _lease: Lease, _time: Duration) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Gives a lease back.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn release(&self, _key: &str, _lease: Lease) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Turns a [`BlockingStore`] into a [`Store`]. It runs on tokio's threads for blocking work, so that waiting for a disk
/// delays no other task. A panic there is a failure of the store.
#[cfg(feature = "client")]
#[derive(Debug)]
pub struct Blocking<S>(Arc<S>);

#[cfg(feature = "client")]
impl<S> Clone for Blocking<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

#[cfg(feature = "client")]
impl<S: BlockingStore> Blocking<S> {
    /// Makes a store from a store without async.
    #[must_use]
    pub fn new(store: S) -> Self {
        Self(Arc::new(store))
    }

    /// Returns the store without async.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.0
    }

    async fn aside<T: Send + 'static>(
        &self,
        key: &str,
        work: impl FnOnce(&S, &str) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (store, key) = (Arc::clone(&self.0), key.to_owned());
        spawn_blocking(move || work(&store, &key)).await.map_err(StoreError::new)?
    }
}

#[cfg(feature = "client")]
impl<S: BlockingStore> Store for Blocking<S> {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.aside(key, S::get).await
    }

    async fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        self.aside(key, move |store, key| store.put(key, record, keep)).await
    }

    async fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        self.aside(key, move |store, key| store.lease(key, time)).await
    }

    async fn renew(&self, key: &str, lease: Lease, time: Duration) -> Result<bool, StoreError> {
        self.aside(key, move |store, key| store.renew(key, lease, time)).await
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        self.aside(key, move |store, key| store.release(key, lease)).await
    }
}
