//! Runs a case: starts its test server, runs a crawler against it, and records the requests.
//!
//! [`run()`] crawls one case. [`run_all()`] crawls many cases, each in a separate crawl. [`run_together()`] crawls many
//! cases in one crawl, which begins at the start pages of all cases, or at a page with links to them. Each of these
//! functions starts a separate test server for every case, so a [`CrawlRecord`] contains only the requests of its case.
//! The access log is the only evidence that `judge.rs` uses.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use robots_conformance::run::parallel::in_parallel;
use robots_core::Edition;
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::probes::Page;
use crate::served::{crossroads, served};
use crate::start::{HUB, start};
use robots_test_web::{LogEntry, Net, StartError, Web};

/// A crawler to be tested: for example a function, a program or a service.
pub trait Crawler: Sync {
    /// Crawls from the seed, and returns when the crawl is finished or the time limit of the task has passed.
    ///
    /// # Errors
    /// Returns an error if the crawler cannot be started. A failure during the crawl is not an error, because the
    /// access log shows it.
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended>;
}

impl<F: Fn(&Task<'_>) -> io::Result<Ended> + Sync> Crawler for F {
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        self(task)
    }
}

/// The value of [`Task::name`] in a crawl of many cases, which has no single case id.
pub const TOGETHER: &str = "together";

/// The run stops after this number of successive crawls that end at once and without a request.
const IDLE: usize = 3;

/// A crawl that takes less time than this counts as ended at once.
const AT_ONCE: Duration = Duration::from_secs(1);

/// The task of a crawler.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Task<'r> {
    /// The id of the case that is crawled, or [`TOGETHER`].
    pub name: &'r str,
    /// The URL where the crawl begins.
    pub seed: String,
    /// The start pages of all cases, one for each case. In the crawl of one case, the list contains only the seed. In a
    /// crawl of many cases, the seed is a page of another host that links to these pages.
    pub seeds: Vec<String>,
    /// The crawler's product token.
    pub agent: &'r str,
    /// An empty folder for this crawl. It is removed afterwards.
    pub dir: &'r Path,
    /// The PEM file with the certificate of the authority that the crawler must trust.
    pub authority_file: &'r Path,
    /// The hosts file with the names of the test server. It exists only in a network namespace, where sites have host
    /// names.
    pub hosts_file: Option<&'r Path>,
    /// The edition to follow, for crawlers that support several editions.
    pub edition: Option<Edition>,
    /// The time limit of the crawl.
    pub limit: Duration,
}

/// The ways in which a crawl can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ended {
    /// The crawler finished.
    ByItself,
    /// The crawler was still working or waiting at the time limit.
    AtTheLimit,
}

/// The settings for running cases.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The crawler's product token.
    pub agent: String,
    /// The edition with which the crawler is started, if any.
    pub edition: Option<Edition>,
    /// The time limit for a case.
    pub limit: Duration,
    /// The kind of network for the test server.
    pub net: Net,
    /// The number of cases that run at once.
    pub jobs: usize,
    /// Whether the crawler stays on the host of its start URL. Then a crawl begins on the host under test even if the
    /// case allows no page there.
    pub own_host: bool,
    /// Whether [`run_all`] continues with a crawler that repeatedly ends at once without a request.
    pub keep_going: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            agent: "examplebot".to_owned(),
            edition: None,
            limit: Duration::from_secs(30),
            net: Net::default(),
            // A crawl mostly waits, so more crawls run at once than there are processors.
            jobs: 2 * thread::available_parallelism().map_or(1, Into::into),
            own_host: false,
            keep_going: false,
        }
    }
}

/// The record of a crawl. It contains everything that [`judge()`](crate::judge()) needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct CrawlRecord {
    /// The id of the case.
    pub case: String,
    /// The crawler's product token.
    pub agent: String,
    /// Whether the crawler finished, or was still working or waiting at the time limit.
    pub ended: Ended,
    /// The scheme and the authority of each origin, by the name of the origin.
    pub origins: BTreeMap<String, String>,
    /// The page where the crawl of the case begins.
    pub start: Page,
    /// Whether the crawler sent more requests than the access log can store, so that later ones are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_cut: bool,
    /// The access log.
    pub log: Vec<LogEntry>,
}

/// The reason why a case was not run. Such a case is counted and shown, and never passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRun {
    /// The reason as a text.
    pub why: String,
    /// Whether this machine or this network lacks a required feature.
    pub(crate) not_here: bool,
    /// The last case that was crawled before the run stopped because of the crawler.
    pub(crate) gave_up_after: Option<String>,
}

impl NotRun {
    /// Makes a value with this reason.
    #[must_use]
    pub fn because(why: &str) -> Self {
        Self { why: why.to_owned(), not_here: false, gave_up_after: None }
    }

    /// Makes the reason for the remaining cases of a run that stopped because several successive crawls ended at once.
    /// `after` is the case of the last of these crawls.
    fn gave_up(after: &str) -> Self {
        let why = format!(
            "the crawler ended within a second and without a request in {IDLE} crawls in a row"
        );
        Self { why, not_here: false, gave_up_after: Some(after.to_owned()) }
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not run: {}", self.why)
    }
}

impl From<StartError> for NotRun {
    fn from(error: StartError) -> Self {
        let not_here = matches!(error, StartError::NotHere(_));
        Self { why: error.to_string(), not_here, gave_up_after: None }
    }
}

/// Runs a case.
///
/// # Errors
/// Returns [`NotRun`] if the sites cannot be served here, or if the crawler does not start.
pub fn run(case: &Case, crawler: &dyn Crawler, settings: &Settings) -> Result<CrawlRecord, NotRun> {
    let Served { web, start } = Served::new(case, settings)?;
    let seed = web.expand(&start.link());
    let ended = crawl(&case.id, &web, seed.clone(), vec![seed], crawler, settings)?;
    Ok(record(case, &web, start, ended, settings))
}

/// Runs many cases in one crawl. It begins at the start pages of all cases, or at a page with links to them.
///
/// The time limit is for the whole crawl. A case that needs a host name in a network namespace cannot be run in this
/// way, because two cases may need the same name.
pub fn run_together(
    cases: &[Case],
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Vec<Result<CrawlRecord, NotRun>> {
    let start = |case: &Case| {
        if settings.net == Net::Namespace
            && case.form.sites.0.values().any(|site| site.name.is_some())
        {
            return Err(NotRun::because(
                "it needs a host name that other cases use too; run it alone",
            ));
        }
        Ok(Served::new(case, settings)?)
    };
    let served: Vec<Result<Served, NotRun>> = cases.iter().map(start).collect();
    let there = served.iter().filter_map(|served| served.as_ref().ok());
    let starts: Vec<String> =
        there.map(|Served { web, start }| web.expand(&start.link())).collect();
    let ended =
        Web::start_in(&crossroads(&starts), settings.net).map_err(NotRun::from).and_then(|web| {
            let first = web.expand(&format!("{{{HUB}}}/"));
            crawl(TOGETHER, &web, first, starts, crawler, settings)
        });
    let judged = cases.iter().zip(served).map(|(case, served)| {
        let Served { web, start } = served?;
        Ok(record(case, &web, start, ended.clone()?, settings))
    });
    judged.collect()
}

/// The test server of a case, and the page where the crawl begins.
struct Served {
    web: Web,
    start: Page,
}

impl Served {
    fn new(case: &Case, settings: &Settings) -> Result<Self, StartError> {
        let start = start(case, &settings.agent, settings.own_host);
        let web = Web::start_in(&served(case, &settings.agent, &start), settings.net)?;
        Ok(Self { web, start })
    }
}

fn crawl(
    name: &str,
    web: &Web,
    seed: String,
    seeds: Vec<String>,
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Result<Ended, NotRun> {
    let failed = |error: io::Error| NotRun::because(&error.to_string());
    let dir = tempfile::tempdir().map_err(failed)?;
    let task = Task {
        name,
        seed,
        seeds,
        agent: &settings.agent,
        dir: dir.path(),
        authority_file: web.authority_file(),
        hosts_file: web.hosts_file(),
        edition: settings.edition,
        limit: settings.limit,
    };
    crawler
        .crawl(&task)
        .map_err(|error| NotRun::because(&format!("the crawler does not start: {error}")))
}

fn record(case: &Case, web: &Web, start: Page, ended: Ended, settings: &Settings) -> CrawlRecord {
    CrawlRecord {
        case: case.id.clone(),
        agent: settings.agent.clone(),
        ended,
        origins: web.origins().map(|(name, url)| (name.to_owned(), url.to_owned())).collect(),
        start,
        is_cut: web.log_is_cut(),
        log: web.log(),
    }
}

/// Runs cases, several at the same time, and returns the records in the order of the cases.
///
/// After three successive crawls that end within a second and without a request, the remaining cases are not run,
/// unless `keep_going` is set. A crawler that ends so quickly, without a request, probably has a wrong command line.
pub fn run_all(
    cases: &[Case],
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Vec<Result<CrawlRecord, NotRun>> {
    let idle = Mutex::new((0, None));
    let given_up = || lock(&idle).1.clone().filter(|_| !settings.keep_going);
    let run_one = |case: &Case| {
        let start = Instant::now();
        let record = run(case, crawler, settings);
        let is_idle = record.as_ref().is_ok_and(|record| record.log.is_empty());
        let mut idle = lock(&idle);
        idle.0 = if is_idle && start.elapsed() < AT_ONCE { idle.0 + 1 } else { 0 };
        if idle.0 == IDLE {
            idle.1 = Some(case.id.clone());
        }
        record
    };
    let record = |case: &Case| {
        Some(given_up().map_or_else(|| run_one(case), |after| Err(NotRun::gave_up(&after))))
    };
    in_parallel(cases, settings.jobs, record, |_| {})
}

/// Locks a mutex, also after a panic of another thread that held it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::load::load;

    fn cases() -> Vec<Case> {
        let suite = robots_conformance::suite::load::embedded().unwrap();
        load(&suite)
            .unwrap()
            .into_iter()
            .filter(|case| case.id.starts_with("wire-status-"))
            .collect()
    }

    /// Runs several cases. Returns the number of cases that were run, and the reason why the last case was not run.
    fn counts(crawler: &dyn Crawler, keep_going: bool) -> (usize, Option<String>) {
        let settings = Settings { jobs: 1, keep_going, ..Settings::default() };
        let records = run_all(&cases(), crawler, &settings);
        let run = records.iter().filter(|record| record.is_ok()).count();
        (run, records.last().unwrap().as_ref().err().map(ToString::to_string))
    }

    #[test]
    fn a_crawler_that_ends_at_once_is_given_up() {
        let idle = |_: &Task<'_>| Ok(Ended::ByItself);
        let (run, why) = counts(&idle, false);
        assert_eq!(run, 3);
        assert!(why.is_some_and(|why| why.contains("in 3 crawls in a row")));
        assert_eq!(counts(&idle, true), (cases().len(), None));
    }

    #[test]
    fn a_crawler_that_asks_now_and_then_is_not_given_up() {
        let crawls = AtomicUsize::new(0);
        let lazy = |task: &Task<'_>| {
            if crawls.fetch_add(1, Ordering::Relaxed).is_multiple_of(IDLE) {
                let authority = task.seed.trim_start_matches("http://").trim_end_matches('/');
                let mut stream = TcpStream::connect(authority)?;
                io::Write::write_all(&mut stream, b"GET / HTTP/1.0\r\n\r\n")?;
                io::copy(&mut stream, &mut io::sink())?;
            }
            Ok(Ended::ByItself)
        };
        assert_eq!(counts(&lazy, false), (cases().len(), None));
    }
}
