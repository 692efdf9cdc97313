//! A process of the soak test: it asks about its sites until it is killed, and reports every URL that a client wrongly
//! allows.
//!
//! Start at [`Work::run`]. The process gets its task as a file, and prints its reports to standard output, which the
//! test reads.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::Duration;

use robots_fetch::store::{Redb, Redis};
use robots_fetch::{Basis, Client, Settings, Verdict, blocking};
use serde::{Deserialize, Serialize};

use crate::events::Events;
use crate::random::Random;
use crate::sites::Permits;

/// The maximum time of a suspension, including the time that the process needs to continue.
const MAX_SUSPENSION: Duration = Duration::from_secs(8);

/// The number of questions that wait for an answer at the same time.
const TASKS: u64 = 6;

/// The task of a process of the soak test.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) name: String,
    pub(crate) is_blocking: bool,
    /// The URL of a Redis server, or the path of a file of redb.
    pub(crate) store: String,
    /// The number of seconds for which a file is valid. After a failure, the delay until the next request is at least
    /// as long.
    pub(crate) life: u64,
    pub(crate) authority: Vec<u8>,
    /// The origins, each with the id of its [`Permits`].
    pub(crate) sites: Vec<(String, String)>,
}

/// Sets up the builder of the async or of the blocking client.
macro_rules! set_up {
    ($builder:expr, $work:expr) => {{
        let life = Duration::from_secs($work.life);
        let settings = Settings::default()
            .shortest_life(Duration::ZERO)
            .first_retry(life)
            .retry_after_503(life)
            .longest_retry(life * 2);
        let builder = $builder
            .identification(format!("examplebot/1.0 ({})", $work.name))
            .settings(settings)
            .connect_timeout(Duration::from_secs(3))
            .answer_timeout(Duration::from_secs(2))
            .idle_timeout(Duration::from_secs(2))
            .total_timeout(Duration::from_secs(5))
            .trust($work.authority.clone())
            .trust_no_others()
            .no_proxy();
        if $work.store.starts_with("redis:") {
            builder.store(Redis::open(&$work.store).unwrap())
        } else {
            builder.store(opened(Path::new(&$work.store)))
        }
    }};
}

impl Work {
    /// Asks until the process is killed.
    pub(crate) fn run(self) -> ! {
        std::panic::set_hook(Box::new(|panic| println!("says PANIC {panic}")));
        // The process also prints the events of the client, because they can show the cause of a second request.
        let name = self.name.clone();
        let events = Events(move |event: &str| println!("says EVENT {name}{event}"));
        tracing::subscriber::set_global_default(events).unwrap();
        let seen = Arc::new(Seen::default());
        let work = Arc::new(self);
        if work.is_blocking {
            let client = set_up!(blocking::Client::builder("examplebot"), work).build().unwrap();
            for task in 0..TASKS {
                let (client, work, seen) = (client.clone(), Arc::clone(&work), Arc::clone(&seen));
                std::thread::spawn(move || {
                    let mut random = Random::new(task + u64::from(std::process::id()));
                    loop {
                        let (url, permits) = work.question(&mut random);
                        seen.judge(&client.verdict(&url).unwrap(), &permits);
                        sleep(Duration::from_millis(random.below(40)));
                    }
                });
            }
            seen.report();
        }
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.enable_all().worker_threads(2).build().unwrap();
        let client = {
            let _entered = runtime.enter();
            set_up!(Client::builder("examplebot"), work).build().unwrap()
        };
        for task in 0..TASKS {
            let (client, work, seen) = (client.clone(), Arc::clone(&work), Arc::clone(&seen));
            runtime.spawn(async move {
                let mut random = Random::new(task + u64::from(std::process::id()));
                loop {
                    let (url, permits) = work.question(&mut random);
                    seen.judge(&client.verdict(&url).await.unwrap(), &permits);
                    tokio::time::sleep(Duration::from_millis(random.below(40))).await;
                }
            });
        }
        seen.report()
    }

    fn question(&self, random: &mut Random) -> (String, String) {
        let place = usize::try_from(random.below(self.sites.len() as u64)).unwrap();
        let (origin, permits) = &self.sites[place];
        let path = ["/private/x", "/private", "/page"][usize::try_from(random.below(3)).unwrap()];
        (format!("{origin}{path}"), permits.clone())
    }
}

/// Opens a redb file. The process that used the file before is dead, but a process that is just starting may have the
/// lock of the file for a moment.
fn opened(path: &Path) -> Redb {
    loop {
        match Redb::open(path).map_err(|error| error.to_string()) {
            Ok(store) => return store,
            Err(error) => {
                assert!(error.contains("another process"), "{error}");
                sleep(Duration::from_millis(5));
            }
        }
    }
}

/// The numbers of verdicts that a process has received since its last report.
#[derive(Default)]
struct Seen {
    verdicts: AtomicU64,
    allowed: AtomicU64,
}

impl Seen {
    fn judge(&self, verdict: &Verdict<'_>, permits: &str) {
        self.verdicts.fetch_add(1, Ordering::Relaxed);
        if !verdict.is_allowed() {
            return;
        }
        self.allowed.fetch_add(1, Ordering::Relaxed);
        // A file can expire between the moment when the client finds it and the verdict, especially in a suspended
        // process.
        let is_fresh = match verdict.basis() {
            Basis::Rules => true,
            Basis::StaleRules => verdict.until().elapsed().is_ok_and(|time| time < MAX_SUSPENSION),
            _ => false,
        };
        let is_page = permits == Permits::Page.id() && verdict.url().ends_with("/page");
        if permits != Permits::All.id() && !(is_page && is_fresh) {
            println!("says FALSE {} {:?} {verdict}", verdict.url(), verdict.basis());
        }
    }

    /// Reports the counts every second. The process ends when its standard output is closed.
    fn report(&self) -> ! {
        loop {
            sleep(Duration::from_secs(1));
            let counts =
                [&self.verdicts, &self.allowed].map(|count| count.swap(0, Ordering::Relaxed));
            println!("says COUNTS {} {}", counts[0], counts[1]);
        }
    }
}

/// Reads the task of this process, and does it.
pub(crate) fn work(path: &Path) -> ! {
    let work: Work = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let known: HashMap<&str, Permits> = Permits::ALL.map(|permits| (permits.id(), permits)).into();
    assert!(work.sites.iter().all(|(_, permits)| known.contains_key(&**permits)));
    work.run()
}
