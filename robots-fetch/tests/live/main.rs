//! Runs the example crawlers on the live cases: the async crawler with each store and after a restart, and the blocking
//! crawler.
//!
//! Start at [`passes_all`]. Every case must pass. The last test repeats the crawls while all processors are busy,
//! because speed must not change an outcome.

#![allow(clippy::duplicate_mod, reason = "the two examples share their flags")]

#[allow(dead_code, unreachable_pub, reason = "each example has a main function")]
#[path = "../../examples/crawl.rs"]
mod crawl;
#[allow(dead_code, unreachable_pub, reason = "each example has a main function")]
#[path = "../../examples/crawl_blocking.rs"]
mod crawl_blocking;
mod namespace;
#[allow(dead_code, reason = "these tests never stop a server")]
#[path = "../servers/mod.rs"]
mod servers;

use std::env;
use std::fs;
use std::io;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use robots_conformance::suite::load;
use robots_conformance_live::{self as live, Case, Ended, Settings, Task};
use robots_fetch::robots_core::Edition;
use robots_fetch::store::Memory;
use robots_test_web::{Net, Sites, Web};
use rstest::rstest;
use url::Url;

use crate::servers::Server;

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let cases = load::embedded().and_then(|suite| live::load(&suite));
    cases.unwrap_or_else(|problems| panic!("{problems}"))
});

/// The time limit for an answer. The limit is longer than the slowest answer in the cases.
const ANSWER_LIMIT: Duration = Duration::from_millis(2_500);

/// The time after which a robots.txt that cannot be reached is requested again.
const AGAIN: Duration = Duration::from_millis(300);

macro_rules! flags {
    ($flags:path, $task:expr) => {{
        let task: &Task<'_> = $task;
        let seed = Url::parse(&task.seed).map_err(io::Error::other)?;
        let mut flags = <$flags>::new(task.agent, seed);
        flags.edition = task.edition.unwrap_or_default();
        flags.authority = Some(fs::read(task.authority_file)?);
        (flags.delay, flags.timeout) = (Duration::ZERO, ANSWER_LIMIT);
        // Cases whose names end with `-asked-again` check that robots.txt is requested again. Other cases do not need
        // the shorter interval.
        if task.name.ends_with("-asked-again") {
            (flags.retry, flags.wait) = (Some(AGAIN), 5 * AGAIN);
        }
        flags
    }};
}

macro_rules! waiting_flags {
    ($flags:path, $web:expr, $wait:expr) => {{
        let seed = Url::parse(&format!("{}/", $web.url("main").unwrap())).unwrap();
        let mut flags = <$flags>::new("examplebot", seed);
        (flags.delay, flags.wait) = (Duration::ZERO, $wait);
        flags.retry = Some(Duration::from_millis(200));
        flags
    }};
}

fn crawl(flags: &crawl::Flags) -> io::Result<Ended> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(crawl::crawl(flags)).map_err(io::Error::other)?;
    Ok(Ended::ByItself)
}

fn with_memory(task: &Task<'_>) -> io::Result<Ended> {
    crawl(&flags!(crawl::Flags, task))
}

fn with_shared_memory(task: &Task<'_>) -> io::Result<Ended> {
    let mut flags = flags!(crawl::Flags, task);
    flags.kept = crawl::Kept::Memory(Memory::of_octets(1 << 20));
    // The second of two clients finds the records that the first client stored.
    crawl(&flags)?;
    crawl(&flags)
}

fn with_redb(task: &Task<'_>) -> io::Result<Ended> {
    let mut flags = flags!(crawl::Flags, task);
    flags.kept = crawl::Kept::File(task.dir.join("robots.redb").display().to_string());
    // The crawler runs twice, as after a restart. The second run uses the records of the first run.
    crawl(&flags)?;
    crawl(&flags)
}

fn with_redis(task: &Task<'_>) -> io::Result<Ended> {
    let server = Server::start().ok_or(io::ErrorKind::NotFound)?;
    let mut flags = flags!(crawl::Flags, task);
    flags.kept = crawl::Kept::Server(server.url());
    crawl(&flags)?;
    crawl(&flags)
}

fn blocking(task: &Task<'_>) -> io::Result<Ended> {
    let mut flags = flags!(crawl_blocking::Flags, task);
    flags.kept = crawl_blocking::Kept::File(task.dir.join("robots.redb").display().to_string());
    crawl_blocking::crawl(&flags).map_err(io::Error::other)?;
    Ok(Ended::ByItself)
}

fn settings(net: Net) -> Settings {
    let mut settings = Settings::default();
    // Most of the time a crawl only waits, especially for answers that never arrive.
    (settings.jobs, settings.net) = (12, net);
    settings
}

/// Runs every case under each of these editions. Every outcome except `passed` is a failure. A case that was not run is
/// a failure too. There is one exception: outside a network namespace, a case may need something that this machine does
/// not have, for example host names. The test only prints such a case.
fn passes_all(crawler: &dyn live::Crawler, editions: &[Edition], net: Net) {
    for edition in editions.iter().copied() {
        let mut checked = live::check(&CASES, crawler, edition, &settings(net));
        assert!(checked.passed + checked.failures.len() > 100, "{checked:?}");
        match net {
            Net::Namespace => checked.failures.append(&mut checked.not_here),
            _ => checked.not_here.iter().for_each(|line| eprintln!("{line}")),
        }
        assert!(checked.failures.is_empty(), "{}", checked.failures.join("\n"));
    }
}

/// If the first request for robots.txt fails, the crawl fetches the page later, provided that it waits long enough.
#[rstest]
#[trace]
#[case::in_tokio(|web: &Web, wait| {
    crawl(&waiting_flags!(crawl::Flags, web, wait)).unwrap();
})]
#[case::blocking(|web: &Web, wait| {
    crawl_blocking::crawl(&waiting_flags!(crawl_blocking::Flags, web, wait)).unwrap();
})]
fn what_a_robots_txt_holds_up_is_fetched_when_it_comes(
    #[case]
    #[notrace]
    crawl: fn(&Web, Duration),
    #[values(0, 20)] seconds: u64,
) {
    let sites = "main: { robots: [ 503, { text: \"user-agent: *\\ndisallow: /private\\n\" } ], \
                 pages: { /: { links: [ /private ] }, /private: { text: private } } }";
    let web = Web::start(&Sites::from_yaml(sites).unwrap()).unwrap();
    crawl(&web, Duration::from_secs(seconds));
    let asked: Vec<String> = web.log().into_iter().map(|entry| entry.target).collect();
    let all = ["/robots.txt", "/robots.txt", "/"];
    assert_eq!(asked, if seconds == 0 { &all[..1] } else { &all[..] });
}

#[test]
fn the_crawler_passes_every_case() {
    passes_all(&with_memory, Edition::ALL, Net::default());
}

#[test]
fn the_crawler_with_shared_memory_passes_every_case() {
    passes_all(&with_shared_memory, &[Edition::Rfc9309, Edition::Google2022], Net::default());
}

#[test]
fn the_crawler_with_a_file_passes_every_case() {
    passes_all(&with_redb, &[Edition::Rfc9309, Edition::Google2022], Net::default());
}

#[test]
fn the_crawler_with_a_server_passes_every_case() {
    if Server::start().is_some() {
        passes_all(&with_redis, &[Edition::Rfc9309, Edition::Google2022], Net::default());
    }
}

#[test]
fn the_blocking_crawler_passes_every_case() {
    passes_all(&blocking, Edition::ALL, Net::default());
}

/// Repeats the crawl, every other time with all processors busy, and compares the results: no verdict may depend on
/// speed. `ROBOTS_RUNS` sets the number of runs; the full tier of ci uses ten.
#[test]
fn the_outcomes_are_the_same_each_time_and_under_load() {
    let edition = Edition::Rfc9309;
    let runs = env::var("ROBOTS_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2);
    let asked = CASES.iter().filter(|case| case.expect.contains_key(&edition));
    let asked: Vec<Case> = asked.cloned().collect();
    let mut settings = settings(Net::default());
    settings.edition = Some(edition);
    let outcomes = || {
        let records = live::run_all(&asked, &with_memory, &settings);
        let judged = asked.iter().zip(records).map(|(case, record)| {
            let outcome = record.map(|record| live::judge(case, edition, &record).outcome);
            (case.id.clone(), outcome.map_err(|not_run| not_run.why))
        });
        judged.collect::<Vec<_>>()
    };
    let first = outcomes();
    for run in 1..runs {
        let idle = AtomicBool::new(run % 2 == 0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, Into::into) {
                scope.spawn(|| {
                    while !idle.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let outcomes = outcomes();
            idle.store(true, Ordering::Relaxed);
            assert_eq!(outcomes, first, "run {run}");
        });
    }
}
