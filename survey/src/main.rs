//! The verbs of the survey: it measures parsers, crawlers and retrievers of other projects with the suite, and writes the
//! pages about them.
//!
//! The survey runs the command `robots-conformance` (`command`) and reads its JSON: the suite of today (`suite`), and
//! the answers of the measured software (`measure`). It stores failures only (`results`). A table (`table`, with
//! `peers`, `crawlers` and `retrievers`) is made from the stored results and the suite of today, and so are the claims
//! of `portability` and the `site`.

// The folder of the checkout, Cargo, and files that a verb writes or checks.
mod files;
// The command line.
mod arguments;
// The command `robots-conformance` and its JSON.
mod command;
// The suite of this checkout.
mod suite;
// The stored results.
mod results;
// The claims of software about itself.
mod claims;
// The pages of `reports` that a manifest names.
mod reports;
// The measured software.
mod manifests;
// Which requirement a failure violates.
mod offences;
// The rows and the page of a table.
mod table;
// Installs software and asks it.
mod measure;
// The table of parsers.
mod peers;
// The table of crawlers.
mod crawlers;
// The table of retrievers.
mod retrievers;
// The parts of a robots.txt that software reads in several ways.
mod constructs;
// The portability data of `robots lint`.
mod portability;
// The site.
mod site;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Arguments, Verb};
use crate::command::Command;
use crate::crawlers::Crawler;
use crate::files::workspace;
use crate::manifests::{Folders, Manifest};
use crate::measure::run;
use crate::offences::Faults;
use crate::peers::Peer;
use crate::results::{Lists, Results};
use crate::retrievers::Retriever;
use crate::suite::Suite;
use crate::table::{Survey, rows};

fn main() -> ExitCode {
    match verb(&Arguments::parse().verb) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs a verb. Returns false if a checked file is stale.
fn verb(verb: &Verb) -> Result<bool, String> {
    if let Verb::Site(arguments) = verb {
        site::needs_target(arguments)?;
    }
    let command = Command::build()?;
    let suite = Suite::read(&command)?;
    let mut survey = Survey { suite, lists: Lists::read()?, faults: Faults::read()? };
    match verb {
        Verb::Peers(measuring) => {
            let settled =
                run::<Peer>(measuring, &peers_in("peers"), &mut survey, &command, [1, 0])?;
            Ok(claims(&survey, measuring.check || !settled)? && settled)
        }
        Verb::Crawlers(arguments) => {
            let folders = folders("crawlers", "crawlers");
            let options = [arguments.jobs, u16::from(arguments.judge)];
            let measuring = &arguments.measuring;
            let settled = run::<Crawler>(measuring, &folders, &mut survey, &command, options)?;
            Ok(claims(&survey, measuring.check || !settled)? && settled)
        }
        Verb::Retrievers(measuring) => {
            run::<Retriever>(measuring, &peers_in("retrievers"), &mut survey, &command, [1, 0])
        }
        Verb::Portability(check) => claims(&survey, check.check),
        Verb::Site(arguments) => site::run(arguments, &survey).map(|()| true),
    }
}

/// Writes the claims, or checks them: they follow from the results of the parsers and the crawlers.
fn claims(survey: &Survey, check: bool) -> Result<bool, String> {
    let (peers, crawlers) = (
        Manifest::<Peer>::read(&workspace().join("survey/peers"))?,
        Manifest::<Crawler>::read(&workspace().join("survey/crawlers"))?,
    );
    let (measured_peers, measured_crawlers) = (Results::read("peers")?, Results::read("crawlers")?);
    let found = portability::claims(
        &rows(survey, &peers, &measured_peers),
        &rows(survey, &crawlers, &measured_crawlers),
        &survey.suite,
    );
    portability::run(&found, check)
}

/// Returns the folder of the adapters, and the folder where this kind of software is installed.
fn peers_in(install: &str) -> Folders {
    folders("peers", install)
}

fn folders(manifest: &str, install: &str) -> Folders {
    Folders {
        manifest: workspace().join("survey").join(manifest),
        install: workspace().join("target").join(install),
    }
}
