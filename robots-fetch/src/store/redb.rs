//! The store that keeps records in one file, for one process.
//!
//! redb panics on some damaged files, when it opens the file or at any later read or write. Such a file is moved aside,
//! and the store begins a new file (`Shared::file`). A panic can be caught only in a program that is built with
//! `panic = "unwind"`.
//!
//! redb locks the file, but a child process after `fork` shares the lock and the open file, and would write into the
//! same pages. So each operation checks first that its process opened the store.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, fs, io, mem, process};

use redb::{Database, ReadableDatabase, TableDefinition, TableError};
use robots_core::syntax::Shown;

use super::{BlockingStore, StoreError};
use crate::error::{Error, ErrorKind};
use crate::record::Record;

/// The advice for a file that cannot be used.
const AWAY: &str = "move it away or delete it: the records are then fetched again";

const RECORDS: TableDefinition<'_, &str, &[u8]> = TableDefinition::new("records");

/// Keeps records in one file, for one process at a time.
///
/// Written records survive a crash. If a crash interrupts a write, the file has the new record, or its content from
/// before the write. Clones share the file. The store never removes records by itself, because it would have to read
/// all of them. Call [`remove_before`](Self::remove_before) from time to time, for example when a process starts.
///
/// Only the process that opened the store can use it. In a child process after `fork`, each operation is an error.
///
/// If the file is damaged, the store renames it to `NAME.damaged`, replaces an older file of this name, logs a warning
/// and begins a new file. The operation that found the damage is an error. redb panics on some damaged files: the panic
/// hook prints the panic, and a program that is built with `panic = "abort"` ends.
///
/// ```
/// use robots_fetch::{Client, store::Redb};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("robots.redb");
/// let client = Client::builder("examplebot").store(Redb::open(&path).unwrap()).build().unwrap();
/// ```
#[derive(Clone)]
pub struct Redb(Arc<Shared>);

impl Redb {
    /// Opens a file, or creates it if it does not exist. If the process that used the file was killed, the file is
    /// repaired. If the file is damaged, a new file is begun.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened, is not a redb file, or is already open in this or another
    /// process.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let shown = path.to_string_lossy();
        let shown = Shown(shown.as_bytes());
        let refused = |why: &str| Error::new(ErrorKind::Store, format!("{shown}: {why}"));
        // The path stays valid if the process changes its folder.
        let path = path::absolute(path).map_err(|why| refused(&why.to_string()))?;
        let shared = Shared { path, process: process::id(), state: Mutex::default() };
        match shared.file() {
            Ok(_) => Ok(Self(Arc::new(shared))),
            Err(Fault::Redb(redb::Error::DatabaseAlreadyOpen)) => Err(refused(
                "it is already open, here or in another process; share that store, or use a separate file for each \
                 process",
            )),
            Err(Fault::Redb(redb::Error::Io(why))) if why.kind() != io::ErrorKind::InvalidData => {
                Err(refused(&why.to_string()))
            }
            Err(why) => Err(refused(&format!("{why}; {AWAY}"))),
        }
    }

    /// Returns the path to which this store moved a damaged file, or `None` if it moved no file.
    #[must_use]
    pub fn moved_aside(&self) -> Option<PathBuf> {
        self.0.state().moved.clone()
    }

    /// Stores many records in one transaction: all of them or none. Use it to fill a file from another source.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or if another process opened the store.
    pub fn put_all(
        &self,
        records: impl IntoIterator<Item = (String, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        self.0.work(|database| {
            let transaction = database.begin_write()?;
            {
                let mut table = transaction.open_table(RECORDS)?;
                for (key, record) in records {
                    table.insert(&*key, &*record)?;
                }
            }
            transaction.commit()?;
            Ok(())
        })
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
    /// Returns an error if the file cannot be written, or if another process opened the store.
    pub fn remove_before(&self, time: Duration) -> Result<u64, StoreError> {
        self.0.work(|database| {
            let transaction = database.begin_write()?;
            let mut removed = 0;
            transaction.open_table(RECORDS)?.retain(|_, record| {
                let keeps = Record::from_octets(record).is_ok_and(|record| record.last.at >= time);
                removed += u64::from(!keeps);
                keeps
            })?;
            transaction.commit()?;
            Ok(removed)
        })
    }
}

impl fmt::Debug for Redb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Redb")
    }
}

/// The methods wait for the disk.
impl BlockingStore for Redb {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.work(|database| {
            let transaction = database.begin_read()?;
            let records = match transaction.open_table(RECORDS) {
                // No record was written yet.
                Err(TableError::TableDoesNotExist(_)) => return Ok(None),
                records => records?,
            };
            Ok(records.get(key)?.map(|record| record.value().to_vec()))
        })
    }

    fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        self.put_all([(key.to_owned(), record)])
    }
}

/// The data that the clones of a store share.
struct Shared {
    path: PathBuf,
    /// The process that opened the store.
    process: u32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The open file. It is `None` before the file is opened, and after a damaged file was moved aside.
    file: Option<Arc<File>>,
    /// The path of the damaged file that was moved aside last.
    moved: Option<PathBuf>,
}

impl Shared {
    /// Does an operation. If it shows that the file is damaged, moves the file aside, and the next operation begins a
    /// new file.
    fn work<T>(
        &self,
        work: impl FnOnce(&Database) -> Result<T, redb::Error>,
    ) -> Result<T, StoreError> {
        let file = self.file().map_err(StoreError::new)?;
        let worked = unbroken(|| work(file.database()?));
        if let Err(why) = &worked
            && why.is_damage()
        {
            let mut state = self.state();
            // Another operation may have found the damage first.
            if state.file.as_ref().is_some_and(|open| Arc::ptr_eq(open, &file)) {
                self.move_aside(&mut state, why).map_err(StoreError::new)?;
            }
        }
        worked.map_err(StoreError::new)
    }

    /// Returns the open file, or opens it.
    fn file(&self) -> Result<Arc<File>, Fault> {
        // The check comes before the mutex, because another thread may have held the mutex during the fork.
        if process::id() != self.process {
            return Err(Fault::Process(self.process));
        }
        let mut state = self.state();
        if let Some(file) = &state.file {
            return Ok(Arc::clone(file));
        }
        let open = || unbroken(|| Ok(Database::create(&self.path)?));
        let database = match open() {
            Err(why) if why.is_damage() => {
                self.move_aside(&mut state, &why)?;
                open()
            }
            opened => opened,
        };
        let file = Arc::new(File { database: Some(database?), process: self.process });
        state.file = Some(Arc::clone(&file));
        Ok(file)
    }

    /// Renames the damaged file. It may still be open, because other operations may use it.
    fn move_aside(&self, state: &mut State, why: &Fault) -> Result<(), Fault> {
        let mut moved = self.path.clone().into_os_string();
        moved.push(".damaged");
        let moved = PathBuf::from(moved);
        fs::rename(&self.path, &moved).map_err(|error| Fault::Stays(why.to_string(), error))?;
        tracing::warn!(target: "robots.fetch", file = ?self.path, moved = ?moved,
            "{why}; it was moved aside, and the store begins a new file");
        *state = State { file: None, moved: Some(moved) };
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reason why an operation failed.
enum Fault {
    /// This other process opened the store.
    Process(u32),
    Redb(redb::Error),
    /// The message of a panic of redb.
    Panic(String),
    /// A damaged file cannot be moved aside: the damage, and the reason.
    Stays(String, io::Error),
}

impl Fault {
    /// Returns whether the file's octets differ from the octets that were written.
    fn is_damage(&self) -> bool {
        match self {
            Self::Panic(_) | Self::Redb(redb::Error::Corrupted(_)) => true,
            Self::Redb(redb::Error::Io(why)) => why.kind() == io::ErrorKind::UnexpectedEof,
            Self::Redb(_) | Self::Process(_) | Self::Stays(..) => false,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process(opener) => write!(
                f,
                "process {opener} opened the file, and only that process can use it: open a store with another file \
                 in this process"
            ),
            Self::Redb(why) => why.fmt(f),
            Self::Panic(why) => write!(f, "the file is damaged ({why})"),
            Self::Stays(damage, why) => write!(f, "{damage}, and it cannot be moved aside: {why}"),
        }
    }
}

/// Does work on a file, and returns a panic of redb as an error.
fn unbroken<T>(work: impl FnOnce() -> Result<T, redb::Error>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(worked) => worked.map_err(Fault::Redb),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(Fault::Panic(text.unwrap_or("redb panicked").to_owned()))
        }
    }
}

/// An open file. The database is `Some` until the file is dropped.
struct File {
    database: Option<Database>,
    /// The process that opened the file.
    process: u32,
}

impl File {
    fn database(&self) -> Result<&Database, redb::Error> {
        self.database.as_ref().ok_or(redb::Error::DatabaseClosed)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let database = self.database.take();
        if process::id() == self.process {
            // Closing the file writes to it, which may also panic.
            let _ = unbroken(move || {
                drop(database);
                Ok(())
            });
        } else {
            // In a child process, closing would write to the parent's file and release the parent's lock.
            mem::forget(database);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::panic_any;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;
    use std::{fs, process};

    use redb::Database;
    use rstest::rstest;

    use super::{File, Redb, Shared, State, unbroken};
    use crate::store::BlockingStore;

    #[rstest]
    #[case::literal(|| panic!("a page is damaged"), "the file is damaged (a page is damaged)")]
    #[case::text(|| panic_any("page 7".to_owned()), "the file is damaged (page 7)")]
    #[case::other(|| panic_any(7), "the file is damaged (redb panicked)")]
    fn a_panic_of_redb_is_damage(#[case] panic: fn(), #[case] message: &str) {
        let broken = unbroken(|| {
            panic();
            Ok(())
        });
        let fault = broken.unwrap_err();
        assert_eq!((&*fault.to_string(), fault.is_damage()), (message, true));
    }

    /// The store of this test has the process id of another process, as in a child process after `fork`. The tests of
    /// the Python package fork.
    #[test]
    fn only_the_process_that_opened_a_store_uses_and_closes_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("robots.redb");
        let process = process::id() + 1;
        let file = File { database: Some(Database::create(&path).unwrap()), process };
        let state = State { file: Some(Arc::new(file)), moved: None };
        let shared = Shared { path: path.clone(), process, state: Mutex::new(state) };
        let store = Redb(Arc::new(shared));
        let octets = fs::read(&path).unwrap();
        for failed in [
            store.get("key").map(drop),
            store.put("key", b"record".to_vec(), Duration::ZERO),
            store.put_all([]),
            store.remove_before(Duration::ZERO).map(drop),
        ] {
            let why = failed.unwrap_err().to_string();
            assert!(why.starts_with(&format!("process {process} opened the file")), "{why}");
        }
        drop(store);
        assert_eq!(fs::read(&path).unwrap(), octets);
        let why = Redb::open(&path).unwrap_err().to_string();
        assert!(why.contains("already open"), "{why}");
    }
}
