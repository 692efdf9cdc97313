//! Stores without async: [`BlockingStore`].
//!
//! Every blocking store whose clones share their records is also a [`Store`]. If the work of such a store may wait,
//! `aside` moves it to another thread.

use std::time::Duration;

#[cfg(feature = "client")]
use tokio::task::spawn_blocking;

use super::{Lease, Store, StoreError};

/// A [`Store`] whose methods block. Implement this trait or [`Store`], but not both: every type that implements this
/// trait and `Clone` is also a [`Store`]. The clones must share their records.
///
/// The methods have the same contract as the methods of [`Store`], and `contract::check` tests it. A client calls them
/// on tokio's threads for blocking work, so that waiting for a disk delays no other task. A panic on such a thread is a
/// failure of the store. Without feature `client`, there are no such threads: the [`Store`] methods of this type
/// block their caller.
///
/// ```
/// use robots_fetch::store::{BlockingStore, StoreError};
/// use std::path::PathBuf;
/// use std::time::Duration;
///
/// /// A file for each key.
/// #[derive(Clone)]
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
/// let store = Files("/var/cache/examplebot".into());
/// let client = robots_fetch::Client::builder("examplebot").store(store).build().unwrap();
/// ```
pub trait BlockingStore: Send + Sync + 'static {
    /// Does the same as [`Store::get`].
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError>;

    /// Does the same as [`Store::put`].
    ///
    /// # Errors
    /// Returns an error if the record could not be stored.
    fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError>;

    /// Does the same as [`Store::lease`], with the same default.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn lease(&self, _key: &str, _time: Duration) -> Result<Option<Lease>, StoreError> {
        Ok(Some(Lease(0)))
    }

    /// Does the same as [`Store::renew`], with the same default.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn renew(&self, _key: &str, _lease: Lease, _time: Duration) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Does the same as [`Store::release`], with the same default.
    ///
    /// # Errors
    /// Returns an error if the store cannot answer.
    fn release(&self, _key: &str, _lease: Lease) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns whether the methods may wait, for example for a disk. If they never wait, a client calls them in its own
    /// task, which avoids a change of threads. The default is true.
    fn may_wait(&self) -> bool {
        true
    }
}

impl<S: BlockingStore + Clone> Store for S {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        aside(self, key, <S as BlockingStore>::get).await
    }

    async fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        aside(self, key, move |store, key| BlockingStore::put(store, key, record, keep)).await
    }

    async fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        aside(self, key, move |store, key| BlockingStore::lease(store, key, time)).await
    }

    async fn renew(&self, key: &str, lease: Lease, time: Duration) -> Result<bool, StoreError> {
        aside(self, key, move |store, key| BlockingStore::renew(store, key, lease, time)).await
    }

    async fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
        aside(self, key, move |store, key| BlockingStore::release(store, key, lease)).await
    }
}

/// Does one operation. If the store may wait, the operation runs on a thread for blocking work.
#[cfg_attr(not(feature = "client"), allow(clippy::unused_async))]
async fn aside<S: BlockingStore + Clone, T: Send + 'static>(
    store: &S,
    key: &str,
    work: impl FnOnce(&S, &str) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    #[cfg(feature = "client")]
    if store.may_wait() {
        let (store, key) = (store.clone(), key.to_owned());
        return spawn_blocking(move || work(&store, &key)).await.map_err(StoreError::new)?;
    }
    work(store, key)
}

#[cfg(all(test, feature = "client"))]
mod tests {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::{Duration, Instant};

    use rstest::rstest;

    use super::BlockingStore;
    use crate::store::{Lease, Store, StoreError, contract};

    /// A store without async that has leases. Its clones share everything.
    #[derive(Clone)]
    struct Shared {
        contents: Arc<Mutex<Contents>>,
        may_wait: bool,
    }

    #[derive(Default)]
    struct Contents {
        records: HashMap<String, Vec<u8>>,
        /// The leases with their ends. A lease without an end never expires.
        leases: HashMap<String, (u64, Option<Instant>)>,
        granted: u64,
    }

    impl Contents {
        fn holder(&self, key: &str) -> Option<u64> {
            let (lease, end) = self.leases.get(key)?;
            end.is_none_or(|end| end > Instant::now()).then_some(*lease)
        }

        fn grant(&mut self, key: &str, lease: u64, time: Duration) {
            self.leases.insert(key.to_owned(), (lease, Instant::now().checked_add(time)));
        }
    }

    impl BlockingStore for Shared {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
            Ok(self.contents.lock().unwrap().records.get(key).cloned())
        }

        fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
            self.contents.lock().unwrap().records.insert(key.to_owned(), record);
            Ok(())
        }

        fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
            let mut contents = self.contents.lock().unwrap();
            if contents.holder(key).is_some() {
                return Ok(None);
            }
            contents.granted += 1;
            let lease = contents.granted;
            contents.grant(key, lease, time);
            Ok(Some(Lease(lease)))
        }

        fn renew(&self, key: &str, lease: Lease, time: Duration) -> Result<bool, StoreError> {
            let mut contents = self.contents.lock().unwrap();
            let is_holder = contents.holder(key) == Some(lease.0);
            if is_holder {
                contents.grant(key, lease.0, time);
            }
            Ok(is_holder)
        }

        fn release(&self, key: &str, lease: Lease) -> Result<(), StoreError> {
            let mut contents = self.contents.lock().unwrap();
            if contents.holder(key) == Some(lease.0) {
                contents.leases.remove(key);
            }
            Ok(())
        }

        fn may_wait(&self) -> bool {
            self.may_wait
        }
    }

    #[rstest]
    #[trace]
    #[tokio::test]
    async fn a_store_without_async_keeps_the_contract(#[values(true, false)] may_wait: bool) {
        let store = Shared { contents: Arc::default(), may_wait };
        contract::check(|| store.clone(), true).await;
    }

    /// A store that returns the id of the thread that called it, and panics if the key is `panic`.
    #[derive(Clone)]
    struct Threads(bool);

    impl BlockingStore for Threads {
        fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
            assert_ne!(key, "panic");
            Ok(Some(format!("{:?}", thread::current().id()).into_bytes()))
        }

        fn put(&self, _: &str, _: Vec<u8>, _: Duration) -> Result<(), StoreError> {
            Ok(())
        }

        fn may_wait(&self) -> bool {
            self.0
        }
    }

    #[rstest]
    #[trace]
    #[tokio::test]
    async fn only_a_store_that_may_wait_gets_another_thread(#[values(true, false)] may_wait: bool) {
        let asked = Store::get(&Threads(may_wait), "").await.unwrap().unwrap();
        let is_here = asked == format!("{:?}", thread::current().id()).into_bytes();
        assert_eq!(is_here, !may_wait);
    }

    #[tokio::test]
    async fn a_panic_is_a_failure_of_the_store() {
        assert!(Store::get(&Threads(true), "panic").await.is_err());
    }
}
