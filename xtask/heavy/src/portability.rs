//! Which constructs measured software reads otherwise: conformance/cli/portability.json, made of docs/peers.json.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use robots_conformance::case::Suite;
use robots_conformance::load;
use robots_conformance_cli::lint::portability::{Measured, Portability};
use robots_nom_parser::ScanParser;
use serde::Deserialize;

use crate::{usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail where what is checked in is stale
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    match written(arguments.check) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            anstream::eprintln!(
                "error: {} is stale: run `cargo xtask portability` and commit the result",
                path().display()
            );
            ExitCode::FAILURE
        }
        Err(message) => usage(message),
    }
}

/// What docs/peers.json says.
#[derive(Deserialize)]
struct Peers {
    peers: Vec<Measured>,
}

/// Writes the claims, or checks them; returns whether they are as they should be now.
pub(crate) fn written(check: bool) -> Result<bool, String> {
    let suite = load::embedded().map_err(|problems| problems.to_string())?;
    let claims = measured(&workspace().join("docs/peers.json"), &suite)?;
    let text = serde_json::to_string_pretty(&claims).map_err(|error| error.to_string())? + "\n";
    if fs::read_to_string(path()).is_ok_and(|kept| kept == text) {
        return Ok(true);
    }
    if check {
        return Ok(false);
    }
    fs::write(path(), text).map_err(|error| format!("{}: {error}", path().display()))?;
    anstream::println!("written: {}", path().display());
    Ok(true)
}

/// Finds the claims that a file of `cargo xtask peers` supports.
pub(crate) fn measured(peers: &Path, suite: &Suite) -> Result<Portability, String> {
    let at = peers.display();
    let text = fs::read_to_string(peers).map_err(|error| format!("{at}: {error}"))?;
    let peers: Peers = serde_json::from_str(&text).map_err(|error| format!("{at}: {error}"))?;
    Ok(Portability::measured(&ScanParser, suite, &peers.peers))
}

fn path() -> PathBuf {
    workspace().join("conformance/cli/portability.json")
}
