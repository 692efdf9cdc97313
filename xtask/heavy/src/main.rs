//! The maintainer's verbs that need additional crates; `cargo xtask` calls them.

mod api;
mod arguments;
mod arrows;
mod crawlers;
mod documents;
mod manifests;
mod measured;
mod observe;
mod peers;
mod portability;
mod reports;
mod requirements;
mod site;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Command, Verb};

fn main() -> ExitCode {
    match Command::parse().verb {
        Verb::Arrows => arrows::run(),
        Verb::Api(arguments) => api::run(&arguments),
        Verb::Peers(arguments) => {
            portability::follow(peers::run(&arguments), arguments.measuring.check)
        }
        Verb::Requirements(arguments) => requirements::run(&arguments),
        Verb::Portability(arguments) => portability::run(&arguments),
        Verb::Site(arguments) => site::run(&arguments),
        Verb::Crawlers(arguments) => {
            portability::follow(crawlers::run(&arguments), arguments.measuring.check)
        }
        Verb::Observe(arguments) => observe::run(&arguments),
    }
}
