//! Which constructs measured software reads otherwise: conformance/cli/portability.json, made of docs/peers.json and
//! docs/crawlers.json.

use std::process::ExitCode;

use robots_conformance::case::Suite;
use robots_conformance::load;
use robots_conformance_cli::lint::portability::{Measured, Portability, Shown};
use robots_nom_parser::ScanParser;

use crate::invocation::{usage, workspace};
use crate::{crawlers, documents, peers};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    check: bool,
}

const FILE: &str = "conformance/cli/portability.json";

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let suite = load::embedded().map_err(|problems| problems.to_string());
    let settled = suite.and_then(|suite| {
        let peers = peers::FILES.read(&workspace())?;
        let crawlers = crawlers::FILES.read(&workspace())?;
        settle(&peers, &crawlers, &suite, arguments.check)
    });
    match settled {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => usage(message),
    }
}

/// Settles the claims after a measurement: they follow from what was measured. If a document is stale, the claims are
/// only checked.
pub(crate) fn follow(measured: Result<bool, String>, check: bool) -> ExitCode {
    match measured {
        Ok(settled) => {
            let claims = run(&Arguments { check: check || !settled });
            if settled { claims } else { ExitCode::FAILURE }
        }
        Err(message) => usage(message),
    }
}

/// Writes the claims, or checks them; returns whether they are as they should be now.
fn settle(
    peers: &peers::Document,
    crawlers: &crawlers::Document,
    suite: &Suite,
    check: bool,
) -> Result<bool, String> {
    let claims = measured(peers, crawlers, suite);
    let text = serde_json::to_string_pretty(&claims).map_err(|error| error.to_string())? + "\n";
    documents::settle("portability", &workspace(), &[(FILE.to_owned(), text)], check)
}

/// Finds the claims that the peers' answers and the crawlers' fetches support.
pub(crate) fn measured(
    peers: &peers::Document,
    crawlers: &crawlers::Document,
    suite: &Suite,
) -> Portability {
    let peers = peers.measured().map(|entry| Measured {
        name: entry.name.clone(),
        version: entry.version.clone(),
        failing: entry.failing.clone(),
        answers: entry.answers.clone(),
    });
    let shown = Shown::of(&ScanParser, suite);
    let mut claims = Portability::measured(&shown, &peers.collect::<Vec<_>>());
    crawlers.claims().for_each(|found| claims.join(found.clone()));
    claims
}
