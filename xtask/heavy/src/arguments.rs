//! The subcommands of this package and their arguments.
//!
//! `xtask` includes this file too. So `cargo xtask` prints help texts and error messages without a build of this
//! package. Cargo builds this package only when one of these subcommands runs.

use std::path::PathBuf;

use xtask::written::Check;

/// The command line of this package.
#[derive(clap::Parser)]
#[command(name = "cargo xtask")]
pub(crate) struct Command {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(clap::Subcommand)]
pub(crate) enum Verb {
    /// Check the dependencies of crates and modules, and that the core needs no `std`
    Arrows,
    /// Write the public interface of the library crates, or check it
    Api(Check),
    /// Measure other parsers with the suite, and write docs/peers.md
    Peers(Peers),
    /// Write the requirements, with their cases and the peers' wrong answers, as docs/requirements.md
    Requirements(Check),
    /// Find the constructs that measured parsers and crawlers read differently, for `robots-conformance lint`
    Portability(Check),
    /// Write the site: scoreboard, requirements, differences and the tester
    Site(Site),
    /// Run real crawlers on the live cases, and write docs/crawlers.md
    Crawlers(Crawlers),
    /// Ask the measured retrievers the timelines, and write docs/retrievers.md
    Retrievers(Retrievers),
    /// Ask Google's published library the questions of the suite and random ones, and compare the engine `google-cpp`
    /// with it
    Observe(Observe),
}

/// The options of a measurement of parsers, crawlers or retrievers.
#[derive(clap::Args)]
pub(crate) struct Measuring {
    /// Measure only the software with this name, and keep the results of the others; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Install nothing, because an earlier run installed the packages
    #[arg(long)]
    pub(crate) no_install: bool,
    /// The number of subjects that are measured at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) at_once: usize,
    /// Measure nothing, and write the documents from the JSON in docs
    #[arg(long)]
    pub(crate) rewrite: bool,
    /// Write nothing, and fail if a file that is checked in is stale
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(clap::Args)]
pub(crate) struct Peers {
    #[command(flatten)]
    pub(crate) measuring: Measuring,
    /// Write the page of all peers that this run measured to this file too
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(clap::Args)]
pub(crate) struct Retrievers {
    #[command(flatten)]
    pub(crate) measuring: Measuring,
}

#[derive(clap::Args)]
pub(crate) struct Site {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "target/site")]
    pub(crate) out: PathBuf,
    /// The results of `cargo xtask peers`
    #[arg(long, value_name = "FILE", default_value = "docs/peers.json")]
    pub(crate) peers: PathBuf,
    /// The results of `cargo xtask crawlers`
    #[arg(long, value_name = "FILE", default_value = "docs/crawlers.json")]
    pub(crate) crawlers: PathBuf,
    /// The cases with which the crawlers were measured
    #[arg(long, value_name = "FILE", default_value = "docs/crawlers.cases.json")]
    pub(crate) cases: PathBuf,
    /// The address of the site, for the image that previews show
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// Leave out the tester's engine, which needs the wasm32-wasip1 target
    #[arg(long)]
    pub(crate) no_engine: bool,
}

#[derive(clap::Args)]
pub(crate) struct Crawlers {
    #[command(flatten)]
    pub(crate) measuring: Measuring,
    /// The number of cases that a crawler crawls at the same time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: u16,
    /// Crawl nothing, and judge the access logs of the last crawls
    #[arg(long)]
    pub(crate) judge: bool,
}

#[derive(clap::Args)]
pub(crate) struct Observe {
    /// Write nothing, and fail if the checked-in answers are stale
    #[arg(long)]
    pub(crate) check: bool,
    /// The number of random questions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) count: u32,
    /// The seed of the questions; by default a different one each time
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}
