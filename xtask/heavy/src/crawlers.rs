//! The crawlers, measured: installs each as the manifest says, lets it loose on the cases on the wire, and writes
//! docs/crawlers.md, docs/crawlers.json and the table in the README.

mod document;
mod manifest;

use std::process::ExitCode;
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
    let mut document = Document { unmeasured: manifest.unmeasured.clone(), ..Document::default() };
    for crawler in &manifest.crawlers {
        let wanted = arguments.only.is_empty() || arguments.only.contains(&crawler.name);
        if arguments.rewrite || !wanted {
            document.entries.extend(before.entry(&crawler.name));
            continue;
        }
        anstream::eprintln!("── {}", crawler.name);
        let ready = manifest.ready(crawler, &folders, !arguments.no_install);
        match ready.and_then(|(exec, version)| Ok((measure(crawler, &exec)?, exec, version))) {
            Ok((report, exec, version)) => {
                anstream::eprint!("{}", report.table());
                document.entries.push(Entry::of(crawler, &exec, version, &report, &folders));
            }
            Err(why) => {
                anstream::eprintln!("not measured: {why}");
                document.unmeasured.insert(crawler.name.clone(), why);
            }
        }
        if !arguments.check {
            // A long run that ends early leaves what it measured.
            document.with_the_rest_of(&before).write(&workspace())?;
        }
    }
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

fn measure(crawler: &Crawler, exec: &str) -> Result<LiveReport, String> {
    live::measured(&LiveArgs {
        exec: exec.to_owned(),
        agent: crawler.token.clone(),
        editions: Vec::new(),
        net: Place::Loopback,
        cases: Cases::All,
        filter: None,
        together: crawler.together,
        jobs: None,
        limit: LIMIT,
        limit_together: LIMIT_TOGETHER,
        deviations: None,
        reports: Vec::new(),
    })
}
