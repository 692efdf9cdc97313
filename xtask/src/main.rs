//! The maintainer's subcommands: `cargo xtask --help` lists them.
//!
//! A subcommand is a module. Most subcommands only call the crates of the workspace. The modules without a subcommand are
//! shared by several, or contain tests of files that no crate owns.

// The workspace's folder, Cargo and other tools, wrong usage.
mod invocation;
// Files that a verb writes or checks.
mod written;
// The published crates.
mod published;
// A verb: the public interface as text.
mod api;
// A verb: measures speed.
mod bench;
// The verbs that need the suite, which other programs of the workspace do.
mod suite;
// A verb: updates what is generated from the suite.
mod bless;
// A verb: runs the checks.
mod ci;
// A verb: installs the packages from this checkout.
mod install;
// A verb: the lock files.
mod locks;
// A verb: asks Google's library.
mod observe;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::invocation::{command, passed_on, status};
use crate::written::Check;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "The maintainer's verbs of robots.txt conformance",
    version
)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Run the suite against the parsers and the retriever of this project, or against a subject
    Conformance(suite::Conformance),
    /// Check that every testable requirement and every row of every table has its cases
    Coverage,
    /// Run readers with one fault each through the suite, and check that each fails only what it violates
    Faults {
        /// Print the failures as JSON Lines instead, and check nothing
        #[arg(long)]
        json: bool,
    },
    /// Update what is generated from the suite, or accept the snapshots of packages, and show the difference
    Bless(bless::Arguments),
    /// Begin a new case
    Case(suite::Case),
    /// Measure the parser and its peers, and write docs/benchmarks.md
    Bench(bench::Arguments),
    /// Build the command, or a package of it, from this checkout and install it
    Install(install::Arguments),
    /// Bring every Cargo.lock up to date, also those of packages outside the workspace, or check them
    Locks(Check),
    /// Write the suite as seeds for the fuzz targets, into fuzz/corpus
    Seeds,
    /// Run the checks that need only Rust, or with `full` all checks
    Ci(ci::Arguments),
    /// Write the public interface of the library crates, or check it
    Api(Check),
    /// Ask Google's published library the questions of the suite and random ones, and compare the engine `google-cpp`
    /// with it
    Observe(observe::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().verb {
        Verb::Conformance(arguments) => suite::conformance(&arguments),
        Verb::Coverage => suite::maintain(&["coverage"]),
        Verb::Faults { json } => {
            let option = if json { " --json" } else { "" };
            let faults = "cargo run --quiet --package robots-conformance-faults --";
            passed_on(&mut command(&format!("{faults}{option}")))
        }
        Verb::Bless(arguments) => bless::run(&arguments),
        Verb::Case(arguments) => suite::case(&arguments),
        Verb::Bench(arguments) => status(bench::run(&arguments)),
        Verb::Install(arguments) => install::run(&arguments),
        Verb::Locks(arguments) => locks::run(&arguments),
        Verb::Seeds => suite::maintain(&["seeds"]),
        Verb::Ci(arguments) => ci::run(&arguments),
        Verb::Api(arguments) => status(api::run(&arguments)),
        Verb::Observe(arguments) => status(observe::run(&arguments)),
    }
}
