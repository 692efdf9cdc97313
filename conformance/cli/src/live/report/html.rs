//! The report as one self-contained page: the counts, and every failure with its sites and its access log.
//!
//! The page has no script and loads nothing.

use robots_conformance::judge::Outcome;
use robots_conformance_live::{EditionCounts, Ended, Record, Report, Trial};
use serde::Serialize;

use crate::report::html::fill;

/// The most requests of a crawl that are shown.
const SHOWN: usize = 60;

/// The most characters of a case's sites that are shown; bodies can be long.
const LONGEST: usize = 6_000;

#[derive(Serialize)]
struct Context<'r> {
    crawler: &'r str,
    agent: &'r str,
    suite: &'r str,
    partial: Option<String>,
    outcomes: [&'static str; Outcome::NAMES.len()],
    editions: Vec<Edition>,
    failures: Vec<Failure<'r>>,
    others: Vec<Other<'r>>,
    stale: &'r [String],
    unwired: Vec<(&'r str, usize)>,
    crawls: usize,
    seconds: String,
    style: &'static str,
}

#[derive(Serialize)]
struct Edition {
    #[serde(flatten)]
    counts: EditionCounts,
    cells: Vec<usize>,
}

/// A crawl that failed under an edition or more.
#[derive(Serialize)]
struct Failure<'r> {
    case: &'r str,
    requirement: &'r str,
    about: &'r str,
    /// Level, section and sentences by edition.
    editions: Vec<(&'static str, String, String)>,
    sites: String,
    requests: Vec<Request<'r>>,
    more: usize,
    is_at_the_limit: bool,
    said: Option<&'r str>,
}

#[derive(Serialize)]
struct Request<'r> {
    milliseconds: u64,
    origin: &'r str,
    method: &'r str,
    target: &'r str,
    answer: &'r str,
}

/// What neither passed nor failed.
#[derive(Serialize)]
struct Other<'r> {
    outcome: &'static str,
    /// The reason, and the trials of it.
    reasons: Vec<(String, Vec<&'r str>)>,
}

/// Renders the page of a report.
pub(super) fn page(report: &Report) -> Result<String, String> {
    let editions = report.editions(|_| true).into_iter().map(|counts| Edition {
        cells: Outcome::NAMES.iter().map(|name| counts.totals[*name]).collect(),
        counts,
    });
    let mut failures: Vec<Failure<'_>> = Vec::new();
    let trials: Vec<&Trial> = report.trials.iter().filter(|t| t.outcome.is_failure()).collect();
    // A crawl's trials stand together.
    for trials in trials.chunk_by(|one, next| one.crawl == next.crawl) {
        failures.push(failure(report, trials));
    }
    let context = Context {
        crawler: &report.crawler,
        agent: &report.agent,
        suite: env!("CARGO_PKG_VERSION"),
        partial: (report.unasked > 0).then(|| report.partial()),
        outcomes: Outcome::NAMES,
        editions: editions.collect(),
        failures,
        others: others(report),
        stale: &report.stale,
        unwired: report.unwired.iter().map(|(why, names)| (why.as_str(), names.len())).collect(),
        crawls: report.crawls.len(),
        seconds: format!("{:.1}", report.took.as_secs_f64()),
        style: include_str!("page.css"),
    };
    fill(include_str!("page.html"), &context)
        .map_err(|error| format!("the page's template: {error:#}"))
}

fn failure<'r>(report: &'r Report, trials: &[&'r Trial]) -> Failure<'r> {
    let crawl = &report.crawls[trials[0].crawl];
    let editions = trials.iter().map(|trial| {
        let binding = format!("{}, {}", trial.level, trial.source);
        (trial.edition.id(), binding, trial.detail().unwrap_or_default())
    });
    let sites = serde_yaml::to_string(&crawl.case.sites).unwrap_or_else(|error| error.to_string());
    let sites = match sites.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &sites[..end]),
        None => sites,
    };
    let log = crawl.record.as_ref().map_or(&[][..], |record: &Record| &record.log);
    let requests = log.iter().take(SHOWN).map(|entry| Request {
        milliseconds: entry.at / 1000,
        origin: &entry.origin,
        method: &entry.method,
        target: &entry.target,
        answer: entry.answer.as_ref().map_or("was not answered", |answer| &answer.what),
    });
    Failure {
        case: &crawl.case.id,
        requirement: &crawl.case.requirement,
        about: &crawl.case.about,
        editions: editions.collect(),
        sites,
        requests: requests.collect(),
        more: log.len().saturating_sub(SHOWN),
        is_at_the_limit: crawl
            .record
            .as_ref()
            .is_ok_and(|record| record.ended == Ended::AtTheLimit),
        said: crawl.last_words.as_deref(),
    }
}

fn others(report: &Report) -> Vec<Other<'_>> {
    let is_listed = |name: &&'static str| *name != "passed" && *name != "failed" && *name != "open";
    let others = Outcome::NAMES.into_iter().filter(is_listed).map(|outcome| {
        let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
        for trial in report.trials.iter().filter(|trial| trial.outcome.name() == outcome) {
            let why = trial.detail().unwrap_or_default();
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, names)) => names.push(&trial.name),
                None => reasons.push((why, vec![&trial.name])),
            }
        }
        Other { outcome, reasons }
    });
    others.filter(|other| !other.reasons.is_empty()).collect()
}
