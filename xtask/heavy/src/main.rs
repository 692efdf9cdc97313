//! The maintainer's verbs that need crates of their own; `cargo xtask` calls them.

mod api;
mod arrows;
mod crawlers;
mod documents;
mod invocation;
mod manifests;
mod observe;
mod peers;
mod portability;
mod requirements;
mod site;

use std::process::ExitCode;

use clap::Parser;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The verbs of cargo xtask that need crates of their own")]
enum Verb {
    /// Check what no compiler checks: who may depend on whom, and that the core needs no `std`
    Arrows,
    /// Write the public interface of the library crates, or check it
    Api(api::Arguments),
    /// Measure other parsers by the suite, and write docs/peers.md
    Peers(peers::Arguments),
    /// Write the requirements, with their cases and the peers' answers, as docs/requirements.md
    Requirements(requirements::Arguments),
    /// Find which constructs the measured peers read otherwise, for `robots-conformance lint`
    Portability(portability::Arguments),
    /// Write the site: scoreboard, requirements, differences and the tester
    Site(site::Arguments),
    /// Let real crawlers loose on the cases on the wire, and write docs/crawlers.md
    Crawlers(crawlers::Arguments),
    /// Ask Google's published library the suite and fresh questions, and compare the nom parser with it
    Observe(observe::Arguments),
}

fn main() -> ExitCode {
    match Verb::parse() {
        Verb::Arrows => arrows::run(),
        Verb::Api(arguments) => api::run(&arguments),
        Verb::Peers(arguments) => portability::follow(peers::run(&arguments), arguments.check),
        Verb::Requirements(arguments) => requirements::run(&arguments),
        Verb::Portability(arguments) => portability::run(&arguments),
        Verb::Site(arguments) => site::run(&arguments),
        Verb::Crawlers(arguments) => {
            portability::follow(crawlers::run(&arguments), arguments.check)
        }
        Verb::Observe(arguments) => observe::run(&arguments),
    }
}
