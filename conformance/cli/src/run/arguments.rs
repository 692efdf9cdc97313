//! The arguments of the verb `run`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use robots_conformance::engine::Profile;
use robots_console::output::seconds;

use super::subject::SubjectArgs;
use super::trials::TrialArgs;

/// The examples at the end of the help text of `run`.
const EXAMPLES: &str = "\
Examples:
  The reference adapter, then one of your own:
    robots-conformance run --subject 'robots-conformance serve'
    robots-conformance run --subject 'python3 adapter.py' --report terminal --report junit=junit.xml
  A command-line tool, by its exit status or by what it prints:
    robots-conformance run --exec 'mytool --ua {agent} {robots} {url}' --disallow-exit 3
    robots-conformance run --exec 'mytool {robots} {agent} {url}' --allow-match '^yes' --disallow-match '^no'
  List the known failures with reasons, so that only other failures fail the run:
    robots-conformance run --subject ./adapter --write-deviations known.yaml
    robots-conformance run --subject ./adapter --deviations known.yaml";

/// The arguments of the verb.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// Asks only about this edition, even if the engine does not declare it; also the draft aipref-2026-08, or google-cpp,
    /// the observed behaviour of Google's published C++ library; repeatable [default: the editions that the subject declares, or rfc9309]
    #[arg(long = "edition", value_name = "E")]
    pub(crate) editions: Vec<Profile>,
    /// The arguments that the verb `live` has too
    #[command(flatten)]
    pub(crate) trials: TrialArgs,
    /// The known wrong verdicts: a list of ids with a tag and a reason, as the readers of the vectors use it
    #[arg(long, value_name = "FILE")]
    pub(crate) known: Option<PathBuf>,
    /// Writes today's wrong verdicts as such a list
    #[arg(long, value_name = "FILE", group = "written")]
    pub(crate) write_known: Option<PathBuf>,
    /// Fails the run also if answers are wrong only at the levels should and may
    #[arg(long)]
    pub(crate) strict: bool,
    /// The time limit for a question [default: 5 for subjects, 10 for the embedded parsers]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// How many questions are asked at a time [default: the number of processors, or a subject's `pipeline`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) jobs: Option<u16>,
    /// Asks this embedded parser, `nom` or `scan`; repeatable [default: nom, if no subject is named]
    #[arg(long = "parser", value_name = "NAME")]
    pub(crate) parsers: Vec<String>,
    /// The arguments that name subjects
    #[command(flatten)]
    pub(crate) subject: SubjectArgs,
    /// The command line that repeats a trial, for a program that calls this command
    #[arg(long, value_name = "TEXT", hide = true)]
    pub(crate) called: Option<String>,
}
