//! A separate network namespace with real host names, default ports, and addresses that are not loopback.
//!
//! Only Linux has network namespaces. The programs `unshare`, `ip` and `mount` make and prepare a namespace. A process
//! cannot enter a namespace without unsafe code, so a program starts itself again inside the namespace: use
//! [`Namespace::command`] outside and [`Namespace::here`] inside. The loopback interface of the namespace has the
//! addresses that are reserved for documentation. Processes inside cannot reach addresses outside.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::error::StartError;

/// The environment variable with the path of the hosts file. If the variable is set, the process is inside a namespace.
const HOSTS: &str = "ROBOTS_TEST_WEB_HOSTS";

/// The blocks of IPv4 addresses for documentation (RFC 5737), each by its first three octets. A block has 254 hosts.
const BLOCKS: [[u8; 3]; 3] = [[192, 0, 2], [198, 51, 100], [203, 0, 113]];

/// The IPv6 addresses that a host in the namespace can have. These addresses belong to the block for documentation (RFC
/// 3849).
const V6: [&str; 4] = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"];

/// The options with which `unshare` makes a namespace: first for a user without privileges, then for root.
const WAYS: [&[&str]; 2] =
    [&["--user", "--map-root-user", "--net", "--mount"], &["--net", "--mount"]];

/// The length of a line of the hosts file, in octets. [`LINES`] is the number of lines for names.
///
/// Each name is written to a line at a fixed position, because crawlers read the file while other names are added and
/// removed.
const LINE: usize = 128;
const LINES: usize = 256;

/// The hosts file, and the names in use, each with the number of its line.
#[derive(Debug)]
struct Slots {
    file: File,
    names: BTreeMap<String, usize>,
}

/// The network namespace of this process.
#[derive(Debug)]
pub struct Namespace {
    hosts: PathBuf,
    /// The names in use. A server waits while another server uses one of its names.
    names: Mutex<Slots>,
    free: Condvar,
    next: AtomicUsize,
}

impl Namespace {
    /// Makes the command that starts a program in a new namespace. The hosts file of the namespace is stored in
    /// `folder`.
    ///
    /// # Errors
    /// Returns [`StartError::NotHere`] with the reason if no namespace can be made.
    pub fn command(program: impl AsRef<OsStr>, folder: &Path) -> Result<Command, StartError> {
        let mut why = String::new();
        for way in WAYS {
            let probe = Command::new("unshare").args(way).arg("true").stdin(Stdio::null()).output();
            why = match probe {
                Ok(output) if output.status.success() => {
                    let mut command = Command::new("unshare");
                    command.args(way).arg(program).env(HOSTS, folder.join("hosts"));
                    return Ok(command);
                }
                Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
                Err(error) => format!("unshare does not start: {error}"),
            };
        }
        Err(StartError::NotHere(format!("no network namespace can be made: {why}")))
    }

    /// Returns the namespace of this process, ready for use, or `None` if the process is not in a namespace.
    ///
    /// # Errors
    /// Returns [`StartError::NotHere`] with the reason if the namespace cannot be prepared.
    pub fn here() -> Result<Option<&'static Self>, StartError> {
        static HERE: OnceLock<Result<Namespace, String>> = OnceLock::new();
        let Some(hosts) = env::var_os(HOSTS) else { return Ok(None) };
        let here = HERE.get_or_init(|| Self::ready(PathBuf::from(hosts)));
        here.as_ref().map(Some).map_err(|why| StartError::NotHere(why.clone()))
    }

    fn ready(hosts: PathBuf) -> Result<Self, String> {
        let slots = Slots::new(&hosts).map_err(|error| format!("the hosts file: {error}"))?;
        let namespace = Self {
            hosts,
            names: Mutex::new(slots),
            free: Condvar::new(),
            next: AtomicUsize::new(0),
        };
        run("ip", &["link", "set", "lo", "up"])?;
        for [a, b, c] in BLOCKS {
            run("ip", &["route", "add", "local", &format!("{a}.{b}.{c}.0/24"), "dev", "lo"])?;
        }
        for address in V6 {
            // An error is ignored, because sites without IPv6 addresses do not need this address. Without `nodad`,
            // binding to the address fails for a moment.
            let address = format!("{address}/128");
            let _ = run("ip", &["-6", "address", "add", &address, "dev", "lo", "nodad"]);
        }
        run("mount", &["--bind", &namespace.hosts.to_string_lossy(), "/etc/hosts"])?;
        Ok(namespace)
    }

    /// Returns the path of the hosts file.
    pub fn hosts_file(&self) -> &Path {
        &self.hosts
    }

    /// Returns the next IPv4 address of [`BLOCKS`]. After the last address, the first one follows again.
    pub(crate) fn address(&self) -> IpAddr {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let [a, b, c] = BLOCKS[number / 254 % BLOCKS.len()];
        let last = u8::try_from(1 + number % 254).expect("it is at most 254");
        IpAddr::V4(Ipv4Addr::new(a, b, c, last))
    }

    /// Adds names to the hosts file. Waits as long as another server uses one of these names.
    pub(crate) fn claim(&'static self, names: BTreeMap<String, IpAddr>) -> io::Result<Names> {
        let mut taken = self.lock();
        while names.keys().any(|name| taken.names.contains_key(name)) {
            taken = self.free.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        for (name, address) in &names {
            if let Err(error) = taken.put(name, *address) {
                // The names that were added before this name are free again. If they were not free, the next server
                // that claims one of them would wait for ever.
                for name in names.keys() {
                    let _ = taken.take(name);
                }
                return Err(error);
            }
        }
        Ok(Names { namespace: self, names: names.into_keys().collect() })
    }

    fn lock(&self) -> MutexGuard<'_, Slots> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Slots {
    fn new(path: &Path) -> io::Result<Self> {
        let mut file = File::create(path)?;
        file.write_all(line("127.0.0.1 localhost").as_bytes())?;
        file.write_all(line("::1 localhost").as_bytes())?;
        file.write_all(line("").repeat(LINES).as_bytes())?;
        Ok(Self { file, names: BTreeMap::new() })
    }

    fn put(&mut self, name: &str, address: IpAddr) -> io::Result<()> {
        let free = (0..LINES).find(|slot| !self.names.values().any(|taken| taken == slot));
        let text = format!("{address} {name}");
        let slot = free.filter(|_| text.len() < LINE && text.is_ascii());
        let slot = slot.ok_or_else(|| io::Error::other(format!("no line can hold {name}")))?;
        self.write(slot, &text)?;
        self.names.insert(name.to_owned(), slot);
        Ok(())
    }

    fn take(&mut self, name: &str) -> io::Result<()> {
        self.names.remove(name).map_or(Ok(()), |slot| self.write(slot, ""))
    }

    /// Overwrites a line in place. The file itself is mounted at `/etc/hosts`, so a new file at its path would not be
    /// visible there.
    fn write(&mut self, slot: usize, text: &str) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(((slot + 2) * LINE) as u64))?;
        self.file.write_all(line(text).as_bytes())
    }
}

fn line(text: &str) -> String {
    format!("{text:<width$}\n", width = LINE - 1)
}

/// The names of one server. The names stay in the hosts file until this value is dropped.
#[derive(Debug)]
pub(crate) struct Names {
    namespace: &'static Namespace,
    names: Vec<String>,
}

impl Names {
    pub(crate) fn hosts_file(&self) -> &Path {
        self.namespace.hosts_file()
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        let mut taken = self.namespace.lock();
        for name in &self.names {
            // If the name cannot be removed, it stays in the file. An old name does no harm, because its address is not
            // used again soon.
            let _ = taken.take(name);
        }
        self.namespace.free.notify_all();
    }
}

fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    let failed = |what: &str| format!("{program} {}: {}", arguments.join(" "), what.trim());
    match Command::new(program).args(arguments).stdin(Stdio::null()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(failed(&String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(failed(&error.to_string())),
    }
}
