//! The command line: [`Command`] and its verbs.
//!
//! Each variant of [`Verb`] is a verb. The options of the larger verbs are structs of the library, next to the code
//! that uses them; the options of the other verbs are here. The doc comments are the texts of `--help` and of the
//! manual pages, so they have no full stop.

use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use robots_console::output::{Output, grouped};
#[cfg(feature = "shell")]
use robots_console::shell::{CompletionsArgs, ManArgs};
use robots_core::Edition;

#[cfg(feature = "live")]
use crate::live::{LiveArgs, ServeArgs};
use crate::run::RunArgs;

/// Checks robots.txt parsers and crawlers against four editions of the specification, and a draft if it is named
#[derive(Parser)]
#[command(
    name = "robots-conformance",
    version,
    after_help = concat!(
        "`robots-conformance VERB --help` explains a verb, `robots-conformance man VERB | man -l -` shows its manual page.\n\
         Documentation: ",
        env!("CARGO_PKG_REPOSITORY")
    )
)]
pub(crate) struct Command {
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// The verbs in the help, by the user who needs them.
const GROUPS: [(&str, &[&str]); 3] = [
    ("To check a parser or a retriever", &["run", "compare", "serve"]),
    ("To check a crawler", &["live", "serve-web"]),
    ("To read the suite", &["list", "show", "editions", "copy", "vectors", "changes"]),
];

/// Returns the definition of the command line.
pub(crate) fn definition() -> clap::Command {
    grouped(Command::command(), &GROUPS)
}

impl Command {
    /// Reads the arguments of this process. If they are wrong, prints the reason and ends the process.
    pub(crate) fn read() -> Self {
        let matches = definition().get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// Reads a published edition.
fn published(text: &str) -> Result<Edition, String> {
    let edition: Edition = text.parse().map_err(|error| format!("{error}"))?;
    if edition.is_draft() {
        return Err(
            "a draft has no file of verdicts; its questions are in `vectors --other`".to_owned()
        );
    }
    Ok(edition)
}

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Runs the suite against subjects, or against the embedded parsers
    Run(Box<RunArgs>),
    /// Runs a crawler against a local test server and checks what it fetched
    #[cfg(feature = "live")]
    Live(Box<LiveArgs>),
    /// Serves the sites of a live case until standard input ends, then prints the requests
    #[cfg(feature = "live")]
    ServeWeb(ServeArgs),
    /// Lists the cases with their requirements, editions and sources
    List {
        /// Lists the cases of this edition only, or of the draft aipref-2026-08; repeatable
        #[arg(long = "edition", value_name = "E")]
        editions: Vec<Edition>,
        /// Lists only the cases of this area; repeatable
        #[arg(long = "area", value_name = "A")]
        areas: Vec<String>,
        /// Lists only the cases of this requirement; repeatable
        #[arg(long = "requirement", value_name = "ID")]
        requirements: Vec<String>,
        /// Lists the cases of `live` instead
        #[arg(long, conflicts_with_all = ["areas", "requirements"])]
        live: bool,
        /// Prints each live case in full, as a JSON object in one line
        #[arg(long, requires = "live", conflicts_with = "editions")]
        json: bool,
    },
    /// Shows a case in full, a trial of it with the nom parser's answer, or a requirement with its cases
    #[command(after_help = "Examples:\n  \
                            robots-conformance show path-fish-prefix\n  \
                            robots-conformance show nom::path-matching::path-fish-prefix::rfc9309::/catfish\n  \
                            robots-conformance show path-matching.yaml:12\n  \
                            robots-conformance show MATCH-STAR")]
    Show {
        /// A case's id, a trial's name as any report prints it, file.yaml:line, or a requirement's id
        name: String,
    },
    /// Shows the cases that two editions answer differently, by requirement
    Editions {
        /// An edition
        one: Edition,
        /// Another edition
        other: Edition,
    },
    /// Writes the suite as files: YAML, schemas, grammars, and each question with its answer as JSON lines
    #[command(after_help = "Examples:\n  robots-conformance copy suite\n  \
                            robots-conformance copy --vectors --edition rfc9309 tests/robots\n  \
                            robots-conformance copy --vectors --check tests/robots")]
    Copy {
        /// A new or empty folder; with `--vectors`, any folder
        dir: PathBuf,
        /// Writes only the flat files with their licence, README and changes, over those that are there
        #[arg(long)]
        vectors: bool,
        /// Writes only the verdicts of this edition; repeatable
        #[arg(long = "edition", value_name = "E", requires = "vectors", value_parser = published)]
        editions: Vec<Edition>,
        /// Writes nothing, and fails if a flat file in the folder was edited or is of another version
        #[arg(long, requires = "vectors", conflicts_with = "editions")]
        check: bool,
    },
    /// Writes, as a flat JSON file for any test framework, the parser questions that have exactly one right answer
    #[command(after_help = "Examples:\n  robots-conformance vectors > tests/rfc9309.json\n  \
                            robots-conformance vectors --schema > tests/vectors.schema.json\n  \
                            robots-conformance vectors --timelines > tests/fetch-vectors.json")]
    Vectors {
        /// The edition
        #[arg(long, value_name = "E", default_value = "rfc9309", value_parser = published)]
        edition: Edition,
        /// Writes the questions of all editions that are no verdict about one short file and one product token instead
        #[arg(long, conflicts_with = "edition")]
        other: bool,
        /// Writes the timelines for programs that fetch instead
        #[arg(long, conflicts_with_all = ["edition", "other"])]
        timelines: bool,
        /// Writes the file's JSON Schema instead
        #[arg(long)]
        schema: bool,
    },
    /// Shows what changed between the JSON reports of two runs, and ends with status 1 if an answer is no longer right
    #[command(after_help = "Example:\n  \
                            robots-conformance run --subject ./main --report json=main.json\n  \
                            robots-conformance run --subject ./branch --report json=branch.json\n  \
                            robots-conformance compare main.json branch.json")]
    Compare {
        /// The JSON report of `run` or `live` before a change
        old: PathBuf,
        /// The report after it, which may be of another version of the suite
        new: PathBuf,
    },
    /// Lists the vectors that were added, withdrawn or answered anew
    Changes {
        /// Lists the changes after this version
        #[arg(long, value_name = "VERSION", required_unless_present = "against")]
        since: Option<String>,
        /// Lists only the changes of questions that failed in this JSON report, as known failures or not
        #[arg(long, value_name = "FILE")]
        report: Option<PathBuf>,
        /// Compares with this older copy of the vectors instead: the status is 1 if an id changed its meaning, or a
        /// change is not listed
        #[arg(long, value_name = "DIR", conflicts_with_all = ["since", "report"])]
        against: Option<PathBuf>,
    },
    /// Answers the protocol's questions with the nom parser: the reference adapter
    Serve {
        /// The number of questions that may be open at a time
        #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..))]
        pipeline: u16,
    },
    /// Writes completions for a shell
    #[command(after_help = "Example: robots-conformance completions bash > \
                            ~/.local/share/bash-completion/completions/robots-conformance")]
    #[cfg(feature = "shell")]
    Completions(CompletionsArgs),
    /// Writes the manual page of the command, or of a verb
    #[command(after_help = "Examples:\n  robots-conformance man run | man -l -\n  \
                            robots-conformance man --into ~/.local/share/man/man1")]
    #[cfg(feature = "shell")]
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{Command, GROUPS};

    #[test]
    fn every_verb_has_a_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().collect();
        let command = Command::command();
        let verbs = command.get_subcommands().map(clap::Command::get_name);
        let mut verbs: Vec<&str> =
            verbs.filter(|verb| !["completions", "man"].contains(verb)).collect();
        grouped.sort_unstable();
        verbs.sort_unstable();
        assert_eq!(grouped, verbs);
    }
}
