//! Runs a case: its web is started, a crawler let loose on it, and what happened recorded.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use robots_core::Edition;
use serde::{Deserialize, Serialize};

use crate::case::{Case, HUB};
use robots_test_web::Entry;
use robots_test_web::Net;
use robots_test_web::{StartError, Web};

/// A crawler to be tested: a function, a program, a service.
pub trait Crawler: Sync {
    /// Crawls from the seed, and returns when it is done or the time limit of the task has passed.
    ///
    /// # Errors
    /// Where the crawler cannot be started. That it fails on its way is no error: the log tells.
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended>;
}

impl<F: Fn(&Task<'_>) -> io::Result<Ended> + Sync> Crawler for F {
    fn crawl(&self, task: &Task<'_>) -> io::Result<Ended> {
        self(task)
    }
}

/// The name of a crawl of many cases.
pub const TOGETHER: &str = "together";

/// What a crawler is told.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Task<'r> {
    /// What is crawled: the id of a case, or [`TOGETHER`].
    pub name: &'r str,
    /// The URL at which to begin.
    pub seed: String,
    /// The seed and every page that it links, for a crawler that does not leave an origin by itself.
    pub seeds: Vec<String>,
    /// The crawler's product token.
    pub agent: &'r str,
    /// A folder of its own, empty, and removed afterwards.
    pub dir: &'r Path,
    /// The certificate of the authority to trust, in PEM.
    pub authority_file: &'r Path,
    /// The hosts file in force, where names are used.
    pub hosts_file: Option<&'r Path>,
    /// The edition to follow, where a crawler differs by it.
    pub edition: Option<Edition>,
    /// How long it may take.
    pub limit: Duration,
}

/// How a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// The crawler was done.
    ByItself,
    /// It was still at work, or waiting, at the limit.
    AtTheLimit,
}

/// How cases are run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The crawler's product token.
    pub agent: String,
    /// The edition the crawler is told to follow, if it is told.
    pub edition: Option<Edition>,
    /// How long a case may take.
    pub limit: Duration,
    /// Where the web is put.
    pub net: Net,
    /// How many cases run at once.
    pub jobs: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            agent: "examplebot".to_owned(),
            edition: None,
            limit: Duration::from_secs(30),
            net: Net::default(),
            jobs: 4,
        }
    }
}

/// What happened: all that the judge needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Record {
    /// The id of the case.
    pub case: String,
    /// The crawler's product token.
    pub agent: String,
    /// How the crawl ended.
    pub ended: Ended,
    /// Scheme and authority of each origin.
    pub origins: BTreeMap<String, String>,
    /// The access log.
    pub log: Vec<Entry>,
}

/// Why a case was not run; counted and shown, never a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRun {
    /// What was missing.
    pub why: String,
    /// Whether it is this machine, or this place on it, that lacks it.
    pub(crate) not_here: bool,
}

impl NotRun {
    /// Makes it of a reason.
    #[must_use]
    pub fn because(why: &str) -> Self {
        Self { why: why.to_owned(), not_here: false }
    }
}

impl fmt::Display for NotRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not run: {}", self.why)
    }
}

impl From<StartError> for NotRun {
    fn from(error: StartError) -> Self {
        Self { why: error.to_string(), not_here: matches!(error, StartError::NotHere(_)) }
    }
}

/// Runs a case.
///
/// # Errors
/// [`NotRun`] where its sites cannot be served here, or the crawler does not start.
pub fn run(case: &Case, crawler: &dyn Crawler, settings: &Settings) -> Result<Record, NotRun> {
    let web = Web::start_in(&case.served(&settings.agent), settings.net)?;
    let ended = crawl(&case.id, &web, seeds(case, &web), crawler, settings)?;
    Ok(record(case, &web, ended, settings))
}

/// Runs many cases by one crawl: a page links the hubs of all of them.
///
/// The time limit is that of the whole crawl. A case that needs a host name in a network namespace is not run
/// so: two of them may need the same.
pub fn run_together(
    cases: &[Case],
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Vec<Result<Record, NotRun>> {
    let served = |case: &Case| {
        if settings.net == Net::Namespace && case.sites.0.values().any(|site| site.name.is_some()) {
            return Err(NotRun::because("it needs a host name for itself; run it alone"));
        }
        Ok(Web::start_in(&case.served(&settings.agent), settings.net)?)
    };
    let webs: Vec<Result<Web, NotRun>> = cases.iter().map(served).collect();
    let there =
        || cases.iter().zip(&webs).filter_map(|(case, web)| Some((case, web.as_ref().ok()?)));
    let hubs = there().map(|(_, web)| web.expand(&format!("{{{HUB}}}/"))).collect();
    let ended = Web::start_in(&Case::crossroads(hubs), settings.net)
        .map_err(NotRun::from)
        .and_then(|web| {
            let first = web.expand(&format!("{{{HUB}}}/"));
            let rest = there().flat_map(|(case, web)| seeds(case, web));
            crawl(TOGETHER, &web, [first].into_iter().chain(rest).collect(), crawler, settings)
        });
    let judged = cases.iter().zip(webs).map(|(case, web)| {
        let web = web?;
        Ok(record(case, &web, ended.clone()?, settings))
    });
    judged.collect()
}

/// The seed, and every page that it links.
fn seeds(case: &Case, web: &Web) -> Vec<String> {
    let seed = web.expand(&format!("{{{HUB}}}/"));
    let links = case.hub_links();
    [seed].into_iter().chain(links.iter().map(|link| web.expand(link))).collect()
}

fn crawl(
    name: &str,
    web: &Web,
    seeds: Vec<String>,
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Result<Ended, NotRun> {
    let failed = |error: io::Error| NotRun::because(&error.to_string());
    let dir = tempfile::tempdir().map_err(failed)?;
    let task = Task {
        name,
        seed: seeds.first().cloned().unwrap_or_default(),
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

fn record(case: &Case, web: &Web, ended: Ended, settings: &Settings) -> Record {
    Record {
        case: case.id.clone(),
        agent: settings.agent.clone(),
        ended,
        origins: web.origins().map(|(name, url)| (name.to_owned(), url.to_owned())).collect(),
        log: web.log(),
    }
}

/// Runs cases, several at once, and returns what happened in their order.
pub fn run_all(
    cases: &[Case],
    crawler: &dyn Crawler,
    settings: &Settings,
) -> Vec<Result<Record, NotRun>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..settings.jobs.clamp(1, cases.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(index) else { break };
                    let record = run(case, crawler, settings);
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert(index, record);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
