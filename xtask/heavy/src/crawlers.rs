//! The crawlers, measured: installs each as the manifest says, lets it loose on the cases on the wire, and writes
//! docs/crawlers.md, docs/crawlers.json, docs/crawlers.html and the table in the README.
//!
//! The access logs stay in target/crawlers/records: they can be looked at, and judged again.

mod document;
mod manifest;

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use robots_conformance::deviation::Deviations;
use robots_conformance::load;
use robots_conformance_cli::lint::portability::Shown;
use robots_conformance_cli::live::{Kept, record};
use robots_conformance_live::verdicts::on_the_wire;
use robots_conformance_live::{self as live, CrawlerCommand, Options, Report, Run};
use robots_nom_parser::ScanParser;

use self::document::Entry;
pub(crate) use self::document::{Document, FILES, Fetched};
use self::manifest::Crawler;
use crate::documents::write_all;
use crate::invocation::workspace;
use crate::manifests::{Folders, Manifest};

/// How long the crawl of a case may take. The manifest sets the crawlers' own time-outs far below.
const LIMIT: Duration = Duration::from_secs(60);

/// How long a crawl of many cases may take.
const LIMIT_TOGETHER: Duration = Duration::from_secs(600);

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure this crawler only and keep what is known of the others; repeatable
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Install nothing: the crawlers are there from another run
    #[arg(long)]
    no_install: bool,
    /// How many crawlers are measured at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    at_once: usize,
    /// How many cases a crawler crawls at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Crawl nothing, and judge the access logs that the last crawls left
    #[arg(long)]
    judge: bool,
    /// Measure nothing, and write the documents anew from docs/crawlers.json
    #[arg(long)]
    rewrite: bool,
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    pub(crate) check: bool,
}

/// Measures, and writes the documents; returns whether they are as they should be.
///
/// # Errors
/// A sentence about what cannot be read, run or written.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let folders = Folders {
        manifest: workspace().join("conformance/crawlers"),
        install: workspace().join("target/crawlers"),
    };
    let manifest: Manifest<Crawler> = Manifest::read(&folders.manifest)?;
    manifest.known(&arguments.only)?;
    let before: Document = FILES.read(&workspace())?;
    let cases = live::load().map_err(|problems| problems.to_string())?;
    let suite = load::embedded().map_err(|problems| problems.to_string())?;
    let shown = Shown::of(&ScanParser, &suite);
    let wire = on_the_wire().map_err(|problems| problems.to_string())?;
    let wanted: Vec<&Crawler> = manifest
        .listed
        .iter()
        .filter(|crawler| {
            !arguments.rewrite
                && (arguments.only.is_empty() || arguments.only.contains(&crawler.name))
        })
        .collect();
    let results: Mutex<BTreeMap<&str, Result<Entry, String>>> = Mutex::default();
    let known = |results: &BTreeMap<&str, Result<Entry, String>>| {
        let mut document =
            Document { unmeasured: manifest.unmeasured.clone(), ..Document::default() };
        for crawler in &manifest.listed {
            match results.get(crawler.name.as_str()) {
                Some(Ok(entry)) => document.entries.push(entry.clone()),
                Some(Err(why)) => {
                    drop(document.unmeasured.insert(crawler.name.clone(), why.clone()));
                }
                None => document.entries.extend(before.entry(&crawler.name)),
            }
        }
        document
    };
    // Package clients do not like to be two; what is installed is measured several at a time.
    let mut ready = Vec::new();
    for crawler in wanted {
        anstream::eprintln!("── {}", crawler.name);
        let install = !arguments.no_install && !arguments.judge;
        let installed = if install { manifest.install(crawler, &folders) } else { Ok(()) };
        match installed.and_then(|()| manifest.version(crawler, &folders)) {
            Ok(version) => {
                ready.push((crawler, (folders.fill::<Crawler>(&crawler.exec), version)));
            }
            Err(why) => drop(lock(&results).insert(&crawler.name, Err(why))),
        }
    }
    let next = Mutex::new(ready.into_iter());
    thread::scope(|scope| {
        for _ in 0..arguments.at_once {
            scope.spawn(|| {
                loop {
                    let Some((crawler, (exec, version))) = lock(&next).next() else { break };
                    let entry = measure(crawler, &exec, &folders, arguments).map(|report| {
                        Entry::of(crawler, &exec, version, &report, &folders, &shown, &wire)
                    });
                    let mut results = lock(&results);
                    let how = if entry.is_ok() { "measured" } else { "not measured" };
                    anstream::eprintln!("{how}: {}", crawler.name);
                    results.insert(&crawler.name, entry);
                    if !arguments.check {
                        // A long run that ends early leaves what it measured.
                        let texts = known(&results).texts(&workspace(), &cases);
                        if let Err(message) =
                            texts.and_then(|texts| write_all(&workspace(), &texts))
                        {
                            anstream::eprintln!("error: {message}");
                        }
                    }
                }
            });
        }
    });
    let texts = known(&lock(&results)).texts(&workspace(), &cases)?;
    FILES.settle(&workspace(), &texts, arguments.check)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Measures a crawler, and keeps the whole report with its access logs: what to look at where a judgement is doubted.
fn measure(
    crawler: &Crawler,
    exec: &str,
    folders: &Folders,
    arguments: &Arguments,
) -> Result<Report, String> {
    let folder = folders.install.join("records");
    let file = folder.join(format!("{}.json", crawler.file_name()));
    let mut options = Options::default();
    options.agent.clone_from(&crawler.token);
    options.together = crawler.together;
    options.jobs = arguments.jobs.into();
    (options.limit, options.limit_together) = (LIMIT, LIMIT_TOGETHER);
    options.again = true;
    let deviations = Deviations::default();
    let run = Run::new(&options, &deviations).map_err(|problems| problems.to_string())?;
    let report = if arguments.judge {
        let kept = Kept::read(&file)?;
        run.judge(exec.to_owned(), kept.subject, kept.crawls)
    } else {
        let command = CrawlerCommand::new(exec).map_err(|error| error.to_string())?;
        run.crawl(&command)
    };
    if !arguments.judge {
        let text = serde_json::to_string(&record(&report)).map_err(|error| error.to_string())?;
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&file, text))
            .map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(report)
}
