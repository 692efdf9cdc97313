//! The store that keeps records in one file, for one process.
//!
//! redb panics on some damaged files. This module turns each panic into an error: if the panic comes when the file is
//! opened, the message explains what to do. A later panic is a failure of the store, and the client works without the
//! store. A panic can be caught only in a program that is built with `panic = "unwind"`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use redb::{Database, ReadableDatabase, TableDefinition, TableError};
use robots_core::syntax::Shown;

use super::{BlockingStore, StoreError};
use crate::error::{Error, ErrorKind};
use crate::record::Record;

/// The advice for a damaged file.
const AWAY: &str = "move it away or delete it: the records are then fetched again";

const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");

/// Keeps records in one file, for one process at a time.
///
/// Written records survive a crash. If a crash interrupts a write, the file has the new record, or its content from
/// before the write. Clones share the file. The store never removes records by itself, because it would have to read
/// all of them. Call [`remove_before`](Self::remove_before) from time to time, for example when a process starts.
///
/// ```
/// use robots_fetch::{Client, store::Redb};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("robots.redb");
/// let client = Client::builder("examplebot").store(Redb::open(&path).unwrap()).build().unwrap();
/// ```
#[derive(Clone)]
pub struct Redb(Arc<File>);

impl Redb {
    /// Opens a file, or creates it if it does not exist. If the process that used the file was killed, the file is
    /// repaired.
    ///
    /// redb panics on some damaged files. This module turns such a panic into an error, but the panic hook still prints
    /// the panic, and a program that is built with `panic = "abort"` ends. Panics in later operations have the same
    /// effects.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is damaged, is not a redb file, or is already open in this or
    /// another process.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let shown = path.to_string_lossy();
        let shown = Shown(shown.as_bytes());
        let refused = |why: &str| Error::new(ErrorKind::Store, format!("{shown}: {why}"));
        let opened = unbroken(|| Database::create(path).map_err(redb::Error::from));
        match opened {
            Ok(Ok(database)) => Ok(Self(Arc::new(File(Some(database))))),
            Ok(Err(redb::Error::DatabaseAlreadyOpen)) => Err(refused(
                "it is already open, here or in another process; share that store, or use a separate file for each \
                 process",
            )),
            Ok(Err(redb::Error::Io(why))) if !is_damage(&why) => Err(refused(&why.to_string())),
            Ok(Err(why)) => Err(refused(&format!("{why}; {AWAY}"))),
            Err(why) => Err(refused(&format!("the file is damaged ({why}); {AWAY}"))),
        }
    }

    fn read(&self, key: &str) -> Result<Option<Vec<u8>>, redb::Error> {
        let transaction = self.0.database()?.begin_read()?;
        let records = match transaction.open_table(RECORDS) {
            // No record was written yet.
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            records => records?,
        };
        Ok(records.get(key)?.map(|record| record.value().to_vec()))
    }

    fn write(&self, key: &str, record: &[u8]) -> Result<(), redb::Error> {
        let transaction = self.0.database()?.begin_write()?;
        transaction.open_table(RECORDS)?.insert(key, record)?;
        transaction.commit()?;
        Ok(())
    }

    /// Stores many records in one transaction: all of them or none. Use it to fill a file from another source.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn put_all(
        &self,
        records: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        let put = || -> Result<(), redb::Error> {
            let transaction = self.0.database()?.begin_write()?;
            {
                let mut table = transaction.open_table(RECORDS)?;
                for (key, record) in records {
                    table.insert(&*key, &*record)?;
                }
            }
            transaction.commit()?;
            Ok(())
        };
        done(put)
    }

    /// Removes the records whose last answer came before a time since the Unix epoch, and the records that cannot be
    /// read. Returns the number of removed records. The function reads the whole file. Pass the time 60 days ago,
    /// because no edition needs older records.
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
    /// Returns an error if the file cannot be written.
    pub fn remove_before(&self, time: Duration) -> Result<u64, StoreError> {
        let remove = || -> Result<u64, redb::Error> {
            let transaction = self.0.database()?.begin_write()?;
            let mut removed = 0;
            transaction.open_table(RECORDS)?.retain(|_, record| {
                let keeps = Record::from_octets(record).is_ok_and(|record| record.last.at >= time);
                removed += u64::from(!keeps);
                keeps
            })?;
            transaction.commit()?;
            Ok(removed)
        };
        done(remove)
    }
}

impl std::fmt::Debug for Redb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redb")
    }
}

/// The methods wait for the disk.
impl BlockingStore for Redb {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        done(|| self.read(key))
    }

    fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        done(|| self.write(key, &record))
    }
}

fn done<T>(work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, StoreError> {
    unbroken(work).map_err(StoreError::new)?.map_err(StoreError::new)
}

/// Does work on a file. If redb panics, for example because the file is damaged, returns the message of the panic.
fn unbroken<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        text.unwrap_or("redb panicked").to_owned()
    })
}

/// Returns whether an error shows that the file's octets differ from the octets that were written.
fn is_damage(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}

/// An open file. The database is `Some` until the file is dropped.
struct File(Option<Database>);

impl File {
    fn database(&self) -> Result<&Database, redb::Error> {
        self.0.as_ref().ok_or(redb::Error::DatabaseClosed)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // Closing the file writes to it, which may also panic.
        let database = self.0.take();
        let _ = unbroken(move || drop(database));
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;

    use super::{File, done};

    #[test]
    fn a_panic_of_redb_is_an_error_of_the_store() {
        let of = |panic: fn()| {
            let worked = done(|| {
                panic();
                Ok(())
            });
            worked.unwrap_err().to_string()
        };
        assert_eq!(of(|| panic!("a page is damaged")), "a page is damaged");
        assert_eq!(of(|| panic_any("page 7 is damaged".to_owned())), "page 7 is damaged");
        assert_eq!(of(|| panic_any(7)), "redb panicked");
    }

    #[test]
    fn an_error_of_redb_is_an_error_of_the_store() {
        let closed = File(None);
        assert!(done(|| closed.database().map(|_| ())).is_err());
        assert!(done(|| Ok(7)).is_ok_and(|seven| seven == 7));
    }
}
