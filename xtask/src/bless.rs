//! Updates what is generated from the suite, and shows the difference.
//!
//! Start at [`run()`]. Without arguments, it writes the flat files, and accepts the snapshots of the answers to each
//! case. With packages, it accepts all snapshots of their tests instead. In CI it refuses to run, because a person must
//! read the changes.

use std::process::ExitCode;

use crate::invocation::{command, usage};
use crate::suite;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Accept all snapshots of these packages instead
    #[arg(value_name = "PACKAGE")]
    packages: Vec<String>,
}

/// The test whose snapshots show the answers to every case.
const ANSWERS: &str = "cargo test --quiet --package robots-conformance --test reviewers";

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if std::env::var_os("CI").is_some() {
        return usage(
            "snapshots are never accepted under CI; run `cargo xtask bless` and commit the result",
        );
    }
    let tests = if arguments.packages.is_empty() {
        if let Err(message) = suite::write_vectors() {
            return usage(message);
        }
        ANSWERS.to_owned()
    } else {
        format!("cargo test --no-fail-fast --package {}", arguments.packages.join(" --package "))
    };
    let tested =
        command(&tests).env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1").status();
    // git shows the text of a changed snapshot, and the name of a new one.
    for git in
        ["git --no-pager diff -- *.snap", "git ls-files --others --exclude-standard -- *.snap"]
    {
        let _ = command(git).status();
    }
    match tested {
        Ok(status) if status.success() => {
            anstream::println!(
                "read the changes above before you commit them; `cargo xtask faults` checks that a new case is fair"
            );
            ExitCode::SUCCESS
        }
        Ok(_) => {
            anstream::eprintln!("error: tests failed for other reasons than snapshots");
            ExitCode::FAILURE
        }
        Err(error) => usage(format_args!("cargo test did not start: {error}")),
    }
}
