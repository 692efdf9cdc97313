//! The verbs of the survey: it measures parsers, crawlers and retrievers of other projects with the suite, and writes the
//! pages about them.

// The folders of the survey, and files that a verb writes or checks.
mod files;
// The command line.
mod arguments;
// The files that contain measurements.
mod documents;
// The claims of software about itself.
mod claims;
// The measured software that reads a construct in another way than the edition.
mod constructs;
// The pages of `reports` that a manifest names.
mod reports;
// The measured software.
mod manifests;
// Which requirement a failure violates.
mod offences;
// What the measurements of parsers, crawlers and retrievers share.
mod measured;
// The verb that measures parsers.
mod peers;
// The verb that measures crawlers.
mod crawlers;
// The verb that writes the portability data.
mod portability;
// The verb that measures retrievers.
mod retrievers;
// The verb that writes the site.
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
