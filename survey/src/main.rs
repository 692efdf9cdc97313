//! The verbs of the survey: it measures parsers, crawlers and retrievers of other projects with the suite, and writes the
//! pages about them.

mod arguments;
mod claims;
mod constructs;
mod crawlers;
mod documents;
mod files;
mod manifests;
mod measured;
mod offences;
mod peers;
mod portability;
mod reports;
mod retrievers;
mod site;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::{Command, Verb};

fn main() -> ExitCode {
    let settled = match Command::parse().verb {
        Verb::Site(arguments) => site::run(&arguments).map(|()| true),
        Verb::Peers(arguments) => {
            portability::follow(peers::run(&arguments), arguments.measuring.check)
        }
        Verb::Portability(arguments) => portability::run(&arguments),
        Verb::Crawlers(arguments) => {
            portability::follow(crawlers::run(&arguments), arguments.measuring.check)
        }
        Verb::Retrievers(arguments) => retrievers::run(&arguments),
    };
    match settled {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}
