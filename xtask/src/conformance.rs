//! Runs the suite against the engines of this project: the two parsers and the retriever.
//!
//! Start at [`run()`]. It only selects the engines. The crate `robots-conformance-cli` runs the suite, as it does for
//! the published command.

use std::process::ExitCode;
use std::sync::Arc;

use robots_conformance_cli::run::{self, ConformanceArgs};
use robots_core::engine::{Engine, Interpreted};
use robots_fetch::Retriever;
use robots_google_cpp::WithGoogleCpp;
use robots_nom_parser::{NomParser, ScanParser};

use crate::invocation::usage;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Runs only this parser; the default is all
    #[arg(long = "parser", value_name = "NAME")]
    parsers: Vec<String>,
    #[command(flatten)]
    run: ConformanceArgs,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut engines: Vec<Arc<dyn Engine>> = vec![
        Arc::new(WithGoogleCpp::new(Interpreted(NomParser))),
        Arc::new(Interpreted(ScanParser)),
        Arc::new(Retriever),
    ];
    let known: Vec<String> = engines.iter().map(|engine| engine.name().to_owned()).collect();
    if let Some(name) = arguments.parsers.iter().find(|name| !known.contains(name)) {
        return usage(format_args!(
            "there is no parser {name:?}; the parsers are {}",
            known.join(", ")
        ));
    }
    engines.retain(|engine| {
        let parsers = &arguments.parsers;
        parsers.is_empty() || parsers.iter().any(|name| name == engine.name())
    });
    run::run(&arguments.run, &engines, "cargo xtask conformance")
}
