//! Finds the constructs that measured software reads differently.
//!
//! The results of survey/peers.json and survey/crawlers.json become robots-cli/portability.json, which `robots lint` uses.
//! In this module, a *claim* is the statement that certain software reads a construct differently.

use crate::constructs::{Measured, Portability, Shown};
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;
use robots_nom_parser::ScanParser;

use crate::crawlers::manifest::Crawler;
use crate::files::workspace;
use crate::files::{Check, settle};
use crate::manifests::{Folders, Listed, Manifest};
use crate::peers::manifest::Peer;
use crate::{crawlers, peers};

const FILE: &str = "robots-cli/portability.json";

/// Writes the claims, or checks them. Returns whether the claims are up to date.
///
/// # Errors
/// Returns a message about the file that cannot be read or written.
pub(crate) fn run(arguments: &Check) -> Result<bool, String> {
    let suite = load::embedded()?;
    let peers = peers::Document::read()?;
    let crawlers = crawlers::Document::read()?;
    let old =
        old::<Peer>(&peers::folders())?.into_iter().chain(old::<Crawler>(&crawlers::folders())?);
    let mut claims = measured(&peers, &crawlers, &suite);
    claims.mark_old(&old.collect());
    let text = serde_json::to_string_pretty(&claims).map_err(|error| error.to_string())? + "\n";
    settle("portability", &workspace(), &[(FILE.to_owned(), text)], arguments.check)
}

/// Returns the software that a manifest marks as old, by name, with the reason.
fn old<T: Listed>(folders: &Folders) -> Result<Vec<(String, String)>, String> {
    Ok(Manifest::<T>::read(&folders.manifest)?.old().collect())
}

/// Updates the claims after a measurement, because they follow from its results. With `check`, or if a document of the
/// measurement is stale, the claims are only checked.
///
/// # Errors
/// Returns the error of the measurement, or a message about the file that cannot be read or written.
pub(crate) fn follow(measured: Result<bool, String>, check: bool) -> Result<bool, String> {
    let settled = measured?;
    let claims = run(&Check { check: check || !settled })?;
    Ok(settled && claims)
}

/// Finds the claims that the peers' answers and the crawlers' fetches support.
pub(crate) fn measured(
    peers: &peers::Document,
    crawlers: &crawlers::Document,
    suite: &Suite,
) -> Portability {
    let peers = peers.measured.iter().map(|entry| Measured {
        name: entry.subject.name.clone(),
        version: entry.subject.version.clone(),
        failing: entry.failing().cloned().collect(),
        late: entry.late.clone(),
    });
    let shown = Shown::of(&ScanParser, suite);
    let mut claims = Portability::measured(&shown, &peers.collect::<Vec<_>>());
    crawlers.claims().for_each(|found| claims.join(found.clone()));
    claims
}
