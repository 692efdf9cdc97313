//! The maintainer's subcommands that need additional crates; `cargo xtask` calls them.
//!
//! Feature `measure` adds the commands that need the test server or read the workspace's sources. `cargo xtask site`
//! builds this package without the feature.

// A build without this feature reads the results of measurements but does not write them.
#![cfg_attr(not(feature = "measure"), allow(dead_code))]

#[cfg(feature = "measure")]
mod api;
mod arguments;
#[cfg(feature = "measure")]
mod arrows;
mod claims;
mod crawlers;
mod documents;
mod manifests;
mod measured;
#[cfg(feature = "measure")]
mod observe;
mod offences;
mod peers;
mod portability;
mod reports;
mod requirements;
#[cfg(feature = "measure")]
mod retrievers;
mod site;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Command, Verb};
use xtask::invocation::status;

fn main() -> ExitCode {
    status(match Command::parse().verb {
        Verb::Site(arguments) => site::run(&arguments).map(|()| true),
        #[cfg(feature = "measure")]
        Verb::Arrows => Ok(arrows::run()),
        #[cfg(feature = "measure")]
        Verb::Api(arguments) => api::run(&arguments),
        Verb::Peers(arguments) => {
            portability::follow(peers::run(&arguments), arguments.measuring.check)
        }
        Verb::Requirements(arguments) => requirements::run(&arguments),
        Verb::Portability(arguments) => portability::run(&arguments),
        #[cfg(feature = "measure")]
        Verb::Crawlers(arguments) => {
            portability::follow(crawlers::run(&arguments), arguments.measuring.check)
        }
        #[cfg(feature = "measure")]
        Verb::Retrievers(arguments) => retrievers::run(&arguments),
        #[cfg(feature = "measure")]
        Verb::Observe(arguments) => observe::run(&arguments),
        #[cfg(not(feature = "measure"))]
        _ => Err("this build lacks the feature `measure`, which the verb needs".to_owned()),
    })
}
