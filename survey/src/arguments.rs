//! The verbs and their arguments.

use std::path::PathBuf;

use crate::files::Check;

/// The command line of this package.
#[derive(clap::Parser)]
#[command(
    name = "cargo survey",
    about = "Measures other projects' software with the suite, and writes the pages about it"
)]
pub(crate) struct Command {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(clap::Subcommand)]
pub(crate) enum Verb {
    /// Measure other parsers with the suite, and write survey/peers.md
    Peers(Peers),
    /// Find the constructs that measured parsers and crawlers read differently, for `robots lint`
    Portability(Check),
    /// Write the site: scoreboard, requirements, differences and the tester
    Site(Site),
    /// Run real crawlers on the live cases, and write survey/crawlers.md
    Crawlers(Crawlers),
    /// Ask the measured retrievers the timelines, and write survey/retrievers.md
    Retrievers(Retrievers),
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
    /// Measure nothing, and write the documents from the stored results
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
    /// The results of `cargo survey peers`
    #[arg(long, value_name = "FILE", default_value = "survey/peers.json")]
    pub(crate) peers: PathBuf,
    /// The results of `cargo survey crawlers`
    #[arg(long, value_name = "FILE", default_value = "survey/crawlers.json")]
    pub(crate) crawlers: PathBuf,
    /// The cases with which the crawlers were measured
    #[arg(long, value_name = "FILE", default_value = "survey/crawlers.cases.json")]
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
