//! The verbs of the survey: it measures parsers, crawlers and retrievers of other projects with the suite, and writes the
//! pages about them.
//!
//! The survey runs the command `robots-conformance` (`command`) and reads its JSON: the suite of today (`suite`), and
//! the answers of the measured software (`measure`). It stores failures only (`results`). People read the failures and
//! write down their `causes`. A table (`table`, with `peers`, `crawlers` and `retrievers`) is made from the stored
//! results, the causes and the suite of today, and so are the claims of `portability` and the `site`.

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
// The causes of failures.
mod causes;
// The measured software.
mod manifests;
// Which requirement a failure violates.
mod offences;
// A row of a table, and what a table is.
mod row;
// Whether a failing question is charged.
mod judged;
// The rows and the page of a table.
mod table;
// The picture of a table.
mod chart;
// What a page shows about a cause.
mod shown;
// Installs software and asks it.
mod measure;
// The table of parsers.
mod peers;
// The table of crawlers.
mod crawlers;
// The table of retrievers.
mod retrievers;
// All tables.
mod all;
// The checks of the causes.
mod check;
// The parts of a robots.txt that software reads in several ways.
mod constructs;
// The portability data of `robots lint`.
mod portability;
// The site.
mod site;

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Parser;

use crate::all::All;
use crate::arguments::{Arguments, Verb};
use crate::causes::AllCauses;
use crate::command::Command;
use crate::crawlers::Crawler;
use crate::files::workspace;
use crate::manifests::{Folders, Listed as _};
use crate::measure::run;
use crate::offences::Faults;
use crate::peers::Peer;
use crate::results::Lists;
use crate::retrievers::Retriever;
use crate::row::{Row, Survey, Table};
use crate::suite::Suite;

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
    let (lists, faults, causes) = (Lists::read()?, Faults::read()?, AllCauses::read()?);
    let mut survey = Survey { suite, lists, faults, causes };
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
        Verb::Check(arguments) => check(&survey, arguments),
        Verb::Propose { software } => propose(&survey, software).map(|()| true),
        Verb::Site(arguments) => site::run(arguments, &survey).map(|()| true),
    }
}

/// Writes the claims, or checks them: they follow from the results of the parsers and the crawlers.
fn claims(survey: &Survey, check: bool) -> Result<bool, String> {
    let all = All::read()?;
    let (peers, crawlers, _) = all.rows(survey);
    let found = portability::claims(&peers, &crawlers, &survey.suite);
    portability::run(&found, check)
}

/// Checks the causes of all software. Returns false if something is wrong.
fn check(survey: &Survey, arguments: &arguments::Causes) -> Result<bool, String> {
    let all = All::read()?;
    let (peers, crawlers, retrievers) = all.rows(survey);
    let arguments::Causes { only, offline } = arguments;
    let mut problems = check::run(&peers, survey, only, *offline);
    problems.extend(check::run(&crawlers, survey, only, *offline));
    problems.extend(check::run(&retrievers, survey, only, *offline));
    let kinds = [Peer::KIND, Crawler::KIND, Retriever::KIND];
    let measured = kinds.iter().zip(&all.results).flat_map(|(kind, results)| {
        results.measured.iter().map(|it| ((*kind).to_owned(), it.head.full_name()))
    });
    let measured: BTreeSet<(String, String)> = measured.collect();
    problems.extend(check::orphans(survey, &measured));
    for problem in &problems {
        anstream::eprintln!("error: {problem}");
    }
    Ok(problems.is_empty())
}

/// Returns a skeleton of causes for the software with this name, or `None` if no row has it.
fn proposed<T: Table>(rows: &[Row<'_, T>], survey: &Survey, name: &str) -> Option<String> {
    let row = rows.iter().find(|row| row.head.software == name)?;
    Some(check::propose(row, survey))
}

/// Prints a skeleton of causes.
fn propose(survey: &Survey, software: &str) -> Result<(), String> {
    let all = All::read()?;
    let (peers, crawlers, retrievers) = all.rows(survey);
    // The same software can stand in more than one table.
    let texts: Vec<String> = [
        proposed(&peers, survey, software),
        proposed(&crawlers, survey, software),
        proposed(&retrievers, survey, software),
    ]
    .into_iter()
    .flatten()
    .collect();
    if texts.is_empty() {
        return Err(format!("there is no software {software:?}"));
    }
    anstream::print!("{}", texts.join("\n"));
    Ok(())
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
