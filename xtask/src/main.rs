//! The maintainer's verbs: `cargo xtask --help` lists them. Each is thin; the work is done in the crates.

mod bench;
mod bless;
mod case;
mod ci;
mod conformance;
mod coverage;
mod faults;
mod heavy;
mod install;
mod mutants;
#[cfg(test)]
mod pinned;
#[cfg(test)]
mod places;
#[cfg(test)]
mod security;
mod seeds;
mod semver;
#[cfg(test)]
mod traced;
mod vectors;
mod version;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// Run the embedded suite against the embedded parsers, or against a subject
    Conformance(Box<conformance::Arguments>),
    /// Check that every testable requirement and every row of every table has its cases
    Coverage,
    /// Run readers with one fault each through the suite, and write docs/faults.md
    Faults(faults::Arguments),
    /// Accept the snapshots of a test run and list what changed
    Bless(bless::Arguments),
    /// Work on the cases
    Case(case::Arguments),
    /// Check what no compiler checks: who may depend on whom, and that the core needs no `std`
    Arrows(heavy::Arguments),
    /// Write the public interface of the library crates, or check it
    Api(heavy::Arguments),
    /// Measure the parser and its peers, and write docs/benchmarks.md
    Bench(bench::Arguments),
    /// Measure other parsers by the suite, and write docs/peers.md
    Peers(heavy::Arguments),
    /// Write the requirements, with their cases and the peers' answers, as docs/requirements.md
    Requirements(heavy::Arguments),
    /// Find which constructs the measured peers read otherwise, and write conformance/cli/portability.json
    Portability(heavy::Arguments),
    /// Write the site: scoreboard, requirements, differences and the tester
    Site(heavy::Arguments),
    /// Let real crawlers loose on the cases on the wire, and write docs/crawlers.md
    Crawlers(heavy::Arguments),
    /// Ask Google's published library the suite and fresh questions, and compare the nom parser with it
    Observe(heavy::Arguments),
    /// Compare the faults that cargo-mutants planted and no test caught with mutants.txt
    Mutants(mutants::Arguments),
    /// Build the command, or a package of it, from this checkout and install it
    Install(install::Arguments),
    /// Write the suite as seeds of the fuzz targets, into fuzz/corpus
    Seeds,
    /// Write the suite as one flat file, spec-cases/vectors.json, or check it
    Vectors(vectors::Arguments),
    /// Check that everything names the same version, or write another
    Version(version::Arguments),
    /// Compare the library crates with what is published of them
    Semver(semver::Arguments),
    /// Run every check there is
    Ci(ci::Arguments),
}

fn main() -> ExitCode {
    match Arguments::parse().verb {
        Verb::Conformance(arguments) => conformance::run(&arguments),
        Verb::Coverage => coverage::run(),
        Verb::Faults(arguments) => faults::run(&arguments),
        Verb::Bless(arguments) => bless::run(&arguments),
        Verb::Case(arguments) => case::run(&arguments),
        Verb::Arrows(arguments) => heavy::run("arrows", &arguments),
        Verb::Api(arguments) => heavy::run("api", &arguments),
        Verb::Bench(arguments) => bench::run(&arguments),
        Verb::Peers(arguments) => heavy::run("peers", &arguments),
        Verb::Requirements(arguments) => heavy::run("requirements", &arguments),
        Verb::Portability(arguments) => heavy::run("portability", &arguments),
        Verb::Site(arguments) => heavy::run("site", &arguments),
        Verb::Crawlers(arguments) => heavy::run("crawlers", &arguments),
        Verb::Observe(arguments) => heavy::run("observe", &arguments),
        Verb::Mutants(arguments) => mutants::run(&arguments),
        Verb::Install(arguments) => install::run(&arguments),
        Verb::Seeds => seeds::run(),
        Verb::Vectors(arguments) => vectors::run(&arguments),
        Verb::Version(arguments) => version::run(&arguments),
        Verb::Semver(arguments) => semver::run(&arguments),
        Verb::Ci(arguments) => ci::run(&arguments),
    }
}

/// The exit status of wrong usage; 1 stands for failed checks.
const USAGE: u8 = 2;

/// Returns the workspace's folder.
fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask lies in the workspace").to_owned()
}

/// Prints a message about wrong usage.
fn usage(message: impl std::fmt::Display) -> ExitCode {
    anstream::eprintln!("error: {message}");
    ExitCode::from(USAGE)
}

/// Returns the Cargo that runs this.
fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}
