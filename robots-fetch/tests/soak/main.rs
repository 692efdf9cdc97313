//! A soak test: the async and the blocking client ask sites, many of which have a fault. In the meantime, the processes
//! of the clients and the server of their store are killed and suspended at random. `ROBOTS_SOAK` is the length of the
//! test in seconds. `ROBOTS_SOAK_SEED` repeats the random choices of an earlier run.
//!
//! A URL may be allowed only because of a file, or because there is no file. No code may panic. No origin may be asked
//! twice within the lifetime of its robots.txt. There are three exceptions. An origin may be asked twice if the process
//! that sent the first request was killed. If the shared store was unavailable, each process may ask once. An origin
//! may also be asked twice if a client reported that its store failed, which happens on a busy machine. The test binary
//! starts itself as the processes that ask: see [`worker`].

#[path = "../events/mod.rs"]
mod events;
mod judge;
mod random;
#[path = "../servers/mod.rs"]
mod servers;
mod sites;
mod worker;

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use robots_test_web::{Sites, Web};

use crate::judge::{History, Judged};
use crate::random::Random;
use crate::servers::Server;
use crate::worker::Work;

/// The time between two decisions whether to kill, suspend or start processes.
const TICK: Duration = Duration::from_millis(250);

/// The maximum time from the moment when the store works again until every client uses it.
const PAUSE: Duration = Duration::from_secs(33);

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

/// A process that asks the sites. Such a process runs, is suspended until a time, or is dead until a time.
struct Process {
    work: Work,
    file: PathBuf,
    lives: u32,
    child: Option<Child>,
    until: Option<Instant>,
}

impl Process {
    fn new(work: Work, dir: &Path) -> Self {
        let file = dir.join(format!("{}.json", work.name));
        Self { work, file, lives: 0, child: None, until: None }
    }

    fn name(&self) -> String {
        format!("{}.{}", self.work.name, self.lives)
    }

    fn start(&mut self, output: &Sender<String>) {
        self.lives += 1;
        let work = Work { name: self.name(), ..self.work.clone() };
        fs::write(&self.file, serde_json::to_vec(&work).unwrap()).unwrap();
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["soak", "--exact", "--nocapture", "--test-threads=1"]);
        command.env("ROBOTS_FETCH_ROLE", &self.file).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let output = output.clone();
        thread::spawn(move || {
            for line in lines {
                let Some((_, line)) = line.split_once("says ") else { continue };
                if output.send(line.to_owned()).is_err() {
                    return;
                }
            }
        });
        self.child = Some(child);
        self.until = None;
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            assert_eq!(child.try_wait().unwrap(), None, "{} ended by itself", self.name());
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    fn signal(&self, signal: &str) {
        let child = self.child.as_ref().expect("only a process that runs is suspended");
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A disturbance of the shared store, which ends at this time.
#[derive(Clone, Copy)]
enum Trouble {
    Suspended(Instant),
    Stopped(Instant),
}

/// The reports of the processes.
struct Reports {
    began: Instant,
    verdicts: u64,
    allowed: u64,
    wrong: Vec<String>,
    /// The events that the clients logged, each with the time at which it was read.
    events: Vec<(Duration, String)>,
}

impl Reports {
    /// Reads the reports until every process has ended.
    fn read_all(&mut self, lines: &Receiver<String>) {
        while let Ok(line) = lines.recv() {
            let (sender, last) = channel();
            sender.send(line).unwrap();
            self.read(&last);
        }
    }

    fn read(&mut self, lines: &Receiver<String>) {
        for line in lines.try_iter() {
            if let Some(event) = line.strip_prefix("EVENT ") {
                self.events.push((self.began.elapsed(), event.to_owned()));
                continue;
            }
            match line.strip_prefix("COUNTS ").and_then(|counts| counts.split_once(' ')) {
                Some((verdicts, allowed)) => {
                    self.verdicts += verdicts.parse::<u64>().unwrap();
                    self.allowed += allowed.parse::<u64>().unwrap();
                }
                None => self.wrong.push(line),
            }
        }
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }

    /// Returns the events of the clients during the minute before a time, as text.
    fn before(&self, time: Duration) -> String {
        let from = time.saturating_sub(Duration::from_secs(60));
        let events = self.events.iter().filter(|(at, _)| (from..=time + TICK).contains(at));
        events.map(|(at, event)| format!("  {at:?} {event}\n")).collect()
    }
}

/// Starts the web server, and returns it with the processes that ask it.
fn prepared(life: u64, redis: Option<&Server>, dir: &Path) -> (Web, Vec<Process>) {
    let groups = ["shared", "alone", "blocking"].map(|group| (group, sites::of(group, life)));
    let text: String = groups.iter().map(|(_, (text, _))| text.as_str()).collect();
    let web = Web::start(&Sites::from_yaml(&text).unwrap()).unwrap();
    let authority = fs::read(web.authority_file()).unwrap();
    let work = |name: &str, group: usize, is_blocking, store: String| {
        let (_, (_, sites)) = &groups[group];
        let sites = sites
            .iter()
            .map(|(name, permits)| (web.url(name).unwrap().to_owned(), permits.id().to_owned()));
        let (name, sites) = (name.to_owned(), sites.collect());
        let work = Work { name, is_blocking, store, life, authority: authority.clone(), sites };
        Process::new(work, dir)
    };
    let file = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let mut processes = vec![
        work("alone", 1, false, file("alone.redb")),
        work("blocking", 2, true, file("blocking.redb")),
    ];
    if let Some(redis) = redis {
        processes.push(work("shared-a", 0, false, redis.url()));
        processes.push(work("shared-b", 0, false, redis.url()));
        processes.push(work("shared-c", 0, true, redis.url()));
    }
    (web, processes)
}

#[cfg(unix)]
#[test]
fn soak() {
    if let Some(role) = env::var_os("ROBOTS_FETCH_ROLE") {
        worker::work(Path::new(&role));
    }
    let length = Duration::from_secs(number("ROBOTS_SOAK").unwrap_or(12));
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let seed = number("ROBOTS_SOAK_SEED").unwrap_or(now.as_secs());
    let mut random = Random::new(seed);
    let life = (length.as_secs() / 5).clamp(3, 40);
    let dir = tempfile::tempdir().unwrap();
    let mut redis = Server::start();
    let (web, mut processes) = prepared(life, redis.as_ref(), dir.path());
    let began = Instant::now();
    let mut history = History::new(Duration::from_secs(life));
    let (sender, lines) = channel();
    let mut reports =
        Reports { began, verdicts: 0, allowed: 0, wrong: Vec::new(), events: Vec::new() };
    let mut trouble: Option<Trouble> = None;
    for process in &mut processes {
        process.start(&sender);
    }
    // Each process is killed and suspended about once in twenty seconds, and in a short soak more often.
    let calm = length.as_secs().clamp(12, 80);
    let mut kills = [0; 4];
    while began.elapsed() < length {
        sleep(TICK);
        reports.read(&lines);
        let now = Instant::now();
        let mut after = |most: u64| now + Duration::from_millis(random.below(most));
        if let Some(server) = &mut redis {
            match trouble {
                Some(Trouble::Suspended(until)) if until <= now => {
                    server.resume();
                    history.store_is_back(began.elapsed() + PAUSE);
                    trouble = None;
                }
                Some(Trouble::Stopped(until)) if until <= now => {
                    server.restart();
                    history.store_is_back(began.elapsed() + PAUSE);
                    trouble = None;
                }
                Some(_) => {}
                // Between the disturbances, the store is available, so no request is excused.
                None if !is_troubled(began.elapsed(), length) => {}
                None => {
                    let until = after(6_000);
                    let (is_suspended, is_stopped) = (random.once_in(8), random.once_in(8));
                    if is_suspended {
                        history.store_is_away(began.elapsed());
                        server.suspend();
                        trouble = Some(Trouble::Suspended(until));
                        kills[2] += 1;
                    } else if is_stopped {
                        history.store_is_away(began.elapsed());
                        server.stop();
                        trouble = Some(Trouble::Stopped(until));
                        kills[3] += 1;
                    }
                }
            }
        }
        for process in &mut processes {
            match (process.until, process.child.is_some()) {
                (Some(until), _) if now < until => {}
                (Some(_), true) => {
                    process.signal("-CONT");
                    process.until = None;
                }
                (_, false) => process.start(&sender),
                (None, true) if random.once_in(calm) => {
                    process.kill();
                    history.killed(process.name(), began.elapsed());
                    process.until = Some(now + Duration::from_millis(random.below(2_000)));
                    kills[0] += 1;
                }
                // A process that shares a store is not suspended. The lease of a suspended process would expire in the
                // meantime, and its request would have no excuse.
                (None, true)
                    if random.once_in(calm) && !process.work.store.starts_with("redis:") =>
                {
                    process.signal("-STOP");
                    process.until = Some(now + Duration::from_millis(random.below(5_000)));
                    kills[1] += 1;
                }
                (None, true) => {}
            }
        }
    }
    for process in &mut processes {
        process.kill();
    }
    drop(sender);
    reports.read_all(&lines);
    let log = web.log();
    reports.events.iter().for_each(|(at, event)| history.logged(event, *at));
    let judged = history.judge(&log);
    eprintln!(
        "soak: {length:?}, seed {seed}, life {life} s: {}",
        summary(&reports, kills, log.len(), &judged)
    );
    let unexcused = judged.unexcused.iter().map(|(at, text)| (text, reports.before(*at)));
    let unexcused: String = unexcused.map(|(text, events)| format!("{text}\n{events}")).collect();
    assert!(unexcused.is_empty(), "seed {seed}:\n{unexcused}");
    assert!(reports.verdicts > 100 && reports.allowed > 10, "almost nothing was requested");
    every_fault_was_met(&web, redis.is_some());
}

/// Returns a summary of the run as text.
#[cfg(unix)]
fn summary(reports: &Reports, kills: [u32; 4], requests: usize, judged: &Judged) -> String {
    format!(
        "{} verdicts, {} allowed, {requests} requests; {} kills and {} suspensions of processes, {} suspensions and {} kills \
         of the store; asked again: {} times after a kill, {} times while the store was away, {} times when \
         a store failed by itself; {} events of clients",
        reports.verdicts,
        reports.allowed,
        kills[0],
        kills[1],
        kills[2],
        kills[3],
        judged.after_a_kill,
        judged.while_away,
        judged.while_failing,
        reports.events.len(),
    )
}

/// Checks that each site was asked, which shows that each fault occurred.
#[cfg(unix)]
fn every_fault_was_met(web: &Web, is_shared: bool) {
    let log = web.log();
    let asked = |name: &&str| log.iter().any(|entry| entry.origin == *name);
    let unmet: Vec<&str> =
        web.origins().map(|(name, _)| name).filter(|name| !asked(name)).collect();
    // On a refused connection, or on a connection without a trusted certificate, no request is sent.
    let is_silent = |name: &&&str| {
        ["-refuses", "-wrong-name", "-unknown-issuer"].iter().any(|end| name.ends_with(end))
            || !is_shared && name.starts_with("shared")
    };
    let unmet: Vec<&&str> = unmet.iter().filter(|name| !is_silent(name)).collect();
    assert!(unmet.is_empty(), "no process asked {unmet:?}");
}

/// Returns whether the shared store may be disturbed at this time: once in four minutes, for a fifth of this time.
fn is_troubled(elapsed: Duration, length: Duration) -> bool {
    let period = length.min(Duration::from_secs(240)).as_millis();
    (elapsed.as_millis() % period) * 10 / period / 2 == 2
}
