//! Compares each library crate with its published version, and fails if a change can break its users.
//!
//! cargo-semver-checks makes the comparison. A crate that is not yet published is not compared. With `--baseline`, the
//! command compares each crate with a commit instead. The comparison with a commit also works before a crate is
//! published.

use std::process::{Command, ExitCode};

use crate::invocation::{cargo, usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare with this commit, tag or branch instead of the published version
    #[arg(long, value_name = "REVISION")]
    baseline: Option<String>,
}

/// The library crates that other projects use.
const CRATES: [&str; 7] = [
    "robots-core",
    "robots-nom-parser",
    "robots-lint",
    "robots-google-cpp",
    "robots-spec-cases",
    "robots-conformance",
    "robots-fetch",
];

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut failed = false;
    for name in CRATES {
        let mut command = Command::new(cargo());
        command.current_dir(workspace()).args(["semver-checks", "--package", name]);
        if let Some(revision) = &arguments.baseline {
            command.args(["--baseline-rev", revision]);
        } else {
            match is_published(name) {
                Ok(true) => {}
                Ok(false) => {
                    anstream::println!("{name}: nothing is published to compare with");
                    continue;
                }
                Err(message) => return usage(message),
            }
        }
        match command.status() {
            Ok(status) => failed |= !status.success(),
            Err(error) => return usage(format_args!("cargo did not start: {error}")),
        }
    }
    if failed {
        anstream::eprintln!("error: these changes need another version, see RELEASING.md");
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

/// Returns whether crates.io has a crate, or an error message if the answer is unknown.
fn is_published(name: &str) -> Result<bool, String> {
    let output = Command::new(cargo())
        .current_dir(workspace())
        .args(["info", "--quiet", "--registry", "crates-io", name])
        .output()
        .map_err(|error| format!("cargo did not start: {error}"))?;
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(true)
    } else if errors.contains(&format!("could not find `{name}` in registry")) {
        Ok(false)
    } else {
        Err(format!("cannot find out whether {name} is published: {}", errors.trim()))
    }
}
