//! The verbs and their arguments.

use std::path::PathBuf;

/// The command line of the survey.
#[derive(clap::Parser)]
#[command(
    name = "cargo survey",
    about = "Measures other projects' software with the suite, and writes the pages about it"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(clap::Subcommand)]
pub(crate) enum Verb {
    /// Ask parsers the questions of the suite, and write survey/peers.md
    Peers(Measuring),
    /// Run real crawlers on the live cases, and write survey/crawlers.md
    Crawlers(Crawlers),
    /// Ask retrievers the timelines, and write survey/retrievers.md
    Retrievers(Measuring),
    /// Find the constructs that measured parsers and crawlers read differently, for `robots lint`
    Portability(Check),
    /// Check the causes: each failing question belongs to one, and each page shows what it says
    Check(Causes),
    /// Print a skeleton of causes for the failing questions of this software that belong to none
    Propose {
        /// The name of the software
        software: String,
    },
    /// Write the site: the tables, the requirements, the differences between editions, and the tester
    Site(Site),
}

/// The options of a measurement.
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
    /// Measure nothing, and write the page from the stored results
    #[arg(long)]
    pub(crate) rewrite: bool,
    /// Write nothing, and fail if a file that is checked in is stale
    #[arg(long)]
    pub(crate) check: bool,
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

/// The option of a verb that writes files or checks them.
#[derive(clap::Args)]
pub(crate) struct Check {
    /// Write nothing, and fail if a checked-in file is stale
    #[arg(long)]
    pub(crate) check: bool,
}

#[derive(clap::Args)]
pub(crate) struct Causes {
    /// Check only this software; repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// Compare with the stored results only, and run no page
    #[arg(long)]
    pub(crate) offline: bool,
}

#[derive(clap::Args)]
pub(crate) struct Site {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "target/site")]
    pub(crate) out: PathBuf,
    /// The address of the site, for the image that previews show
    #[arg(long, value_name = "URL")]
    pub(crate) address: Option<String>,
    /// Leave out the tester's engine, which needs the target wasm32-wasip1
    #[arg(long)]
    pub(crate) no_engine: bool,
}
