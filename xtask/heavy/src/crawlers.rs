//! The crawlers, measured: installs each as the manifest says, lets it loose on the cases on the wire, and writes
//! docs/crawlers.md, docs/crawlers.json and the table in the README.

mod document;
mod manifest;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use robots_conformance_cli::live::{self, Cases, LiveArgs, LiveReport, Place};

use self::document::{Document, Entry};
use self::manifest::{Crawler, Folders, Manifest};
use crate::{usage, workspace};

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
    #[arg(long, value_name = "N", default_value_t = 3)]
    at_once: usize,
    /// Measure nothing, and write the documents anew from docs/crawlers.json
    #[arg(long)]
    rewrite: bool,
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match measured(arguments) {
        Ok(status) => status,
        Err(message) => usage(message),
    }
}

fn measured(arguments: &Arguments) -> Result<ExitCode, String> {
    let folders = Folders {
        crawlers: workspace().join("conformance/crawlers"),
        install: workspace().join("target/crawlers"),
    };
    let manifest = Manifest::read(&folders.crawlers)?;
    manifest.known(&arguments.only)?;
    let before = Document::read(&workspace())?;
    let wanted: Vec<&Crawler> = manifest
        .crawlers
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
        for crawler in &manifest.crawlers {
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
        match manifest.ready(crawler, &folders, !arguments.no_install) {
            Ok(command) => ready.push((crawler, command)),
            Err(why) => drop(lock(&results).insert(&crawler.name, Err(why))),
        }
    }
    let next = Mutex::new(ready.into_iter());
    thread::scope(|scope| {
        for _ in 0..arguments.at_once {
            scope.spawn(|| {
                loop {
                    let Some((crawler, (exec, version))) = lock(&next).next() else { break };
                    let entry = measure(crawler, &exec)
                        .map(|report| Entry::of(crawler, &exec, version, &report, &folders));
                    let mut results = lock(&results);
                    let how = if entry.is_ok() { "measured" } else { "not measured" };
                    anstream::eprintln!("{how}: {}", crawler.name);
                    results.insert(&crawler.name, entry);
                    if !arguments.check {
                        // A long run that ends early leaves what it measured.
                        if let Err(message) = known(&results).write(&workspace()) {
                            anstream::eprintln!("error: {message}");
                        }
                    }
                }
            });
        }
    });
    let document = known(&lock(&results));
    let stale = document.stale(&workspace())?;
    if stale.is_empty() {
        anstream::println!(
            "docs/crawlers.md, docs/crawlers.json and the README say what was measured"
        );
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.check {
        for (file, diff) in stale {
            anstream::eprint!("{diff}");
            anstream::eprintln!(
                "error: {file} is stale: run `cargo xtask crawlers` and commit the result"
            );
        }
        return Ok(ExitCode::FAILURE);
    }
    document.write(&workspace())?;
    anstream::println!(
        "written: {}",
        stale.iter().map(|(file, _)| *file).collect::<Vec<_>>().join(", ")
    );
    Ok(ExitCode::SUCCESS)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn measure(crawler: &Crawler, exec: &str) -> Result<LiveReport, String> {
    live::measured(&LiveArgs {
        exec: exec.to_owned(),
        agent: crawler.token.clone(),
        editions: Vec::new(),
        net: Place::Loopback,
        cases: Cases::All,
        filter: None,
        together: crawler.together,
        jobs: Some(8),
        limit: LIMIT,
        limit_together: LIMIT_TOGETHER,
        deviations: None,
        reports: Vec::new(),
    })
}
