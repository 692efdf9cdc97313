//! Records in one file, for one process.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redb::{Database, DatabaseError, ReadableDatabase, TableDefinition, TableError};

use super::{Store, StoreError};
use crate::error::{Error, ErrorKind};

const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");

/// Keeps records in one file, for one process at a time.
///
/// What was written is there after a crash, and what was being written is there whole or not at all. A clone shares
/// the file. It forgets nothing by itself, for that would mean to read the whole of it: call
/// [`remove_before`](Self::remove_before) from time to time, at the start of a process say.
///
/// ```
/// use robots_fetch::{Client, store::Redb};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("robots.redb");
/// let client = Client::builder("examplebot").store(Redb::open(&path).unwrap()).build().unwrap();
/// ```
#[derive(Clone)]
pub struct Redb(Arc<Database>);

impl Redb {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// Where it cannot be opened, is no such file, or another process has it open.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let refused = |error: DatabaseError| {
            let what = match error {
                DatabaseError::DatabaseAlreadyOpen => {
                    "another process has it open; share a store by redis, or give each its own file"
                        .to_owned()
                }
                error => error.to_string(),
            };
            Error::new(ErrorKind::Store, format!("{}: {what}", path.display()))
        };
        Database::create(path).map(|database| Self(Arc::new(database))).map_err(refused)
    }

    fn read(&self, key: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        let transaction = self.0.begin_read()?;
        let records = match transaction.open_table(RECORDS) {
            // Nothing was written yet.
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            records => records?,
        };
        Ok(records.get(key)?.map(|record| record.value().to_vec()))
    }

    fn write(&self, key: &str, record: &[u8]) -> Result<(), redb::Error> {
        let transaction = self.0.begin_write()?;
        transaction.open_table(RECORDS)?.insert(key, record)?;
        transaction.commit()?;
        Ok(())
    }

    /// Returns what is kept under a key, without async.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub fn read_now(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.read(key).map_err(StoreError::new)
    }

    /// Keeps many records at once, all of them or none: to fill a file from elsewhere.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn put_all(
        &self,
        records: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let put = || -> Result<(), redb::Error> {
            let transaction = self.0.begin_write()?;
            {
                let mut table = transaction.open_table(RECORDS)?;
                for (key, record) in records {
                    table.insert(&*key, &*record)?;
                }
            }
            transaction.commit()?;
            Ok(())
        };
        put().map_err(StoreError::new)
    }

    /// Removes the records that came in before a time since the Unix epoch, and those that cannot be read; returns
    /// how many there were. It reads the whole file. 60 days ago is a good time: no edition asks for older ones.
    ///
    /// ```
    /// # use robots_fetch::store::Redb;
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let store = Redb::open(dir.path().join("robots.redb")).unwrap();
    /// use std::time::{Duration, SystemTime, UNIX_EPOCH};
    /// let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    /// store.remove_before(now.saturating_sub(Duration::from_secs(60 * 86_400))).unwrap();
    /// ```
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub fn remove_before(&self, time: Duration) -> Result<u64, StoreError> {
        let remove = || -> Result<u64, redb::Error> {
            let transaction = self.0.begin_write()?;
            let mut removed = 0;
            transaction.open_table(RECORDS)?.retain(|_, record| {
                let keeps =
                    crate::Record::from_octets(record).is_ok_and(|record| record.last.at >= time);
                removed += u64::from(!keeps);
                keeps
            })?;
            transaction.commit()?;
            Ok(removed)
        };
        remove().map_err(StoreError::new)
    }
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redb")
    }
}

impl Store for Redb {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let (store, key) = (self.clone(), key.to_owned());
        aside(move || store.read(&key)).await
    }

    async fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        let (store, key) = (self.clone(), key.to_owned());
        aside(move || store.write(&key, &record)).await
    }
}

/// Works on a file where a wait for the disk keeps nobody else.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, redb::Error> + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await.map_err(StoreError::new)?;
    done.map_err(StoreError::new)
}
