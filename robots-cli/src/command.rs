//! The command line: [`Command`] and its verbs.
//!
//! Each variant of [`Verb`] is a verb. The options of most verbs are structs next to the code that uses them. The doc
//! comments are the texts of `--help` and of the manual pages, so they have no full stop.

use std::path::PathBuf;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use robots_console::output::{Output, grouped};
use robots_console::shell::{CompletionsArgs, ManArgs};

use crate::archives::ArchivesArgs;
use crate::audit::AuditArgs;
use crate::check::CheckArgs;
use crate::diff::DiffArgs;
use crate::explain::ExplainArgs;
use crate::fetch::FetchArgs;
use crate::lint::LintArgs;
use crate::served::ServedArgs;

/// Lints, compares and checks robots.txt files, fetches them, and answers which URLs a crawler may fetch
#[derive(Parser)]
#[command(
    name = "robots",
    version,
    after_help = concat!(
        "`robots VERB --help` explains a verb, `robots man VERB | man -l -` shows its manual page.\n\
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
const GROUPS: [(&str, &[&str]); 2] = [
    ("For the owner of a site", &["lint", "diff", "check", "served", "explain", "audit"]),
    ("For the author of a crawler", &["fetch", "verdicts"]),
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

#[derive(Subcommand)]
pub(crate) enum Verb {
    /// Reports problems in a robots.txt and how to fix them
    Lint(LintArgs),
    /// Reports which URLs a change of a robots.txt opens or closes, and for which crawlers
    Diff(DiffArgs),
    /// Checks that a robots.txt does what it is meant to do: agents, URLs, sitemaps
    Check(CheckArgs),
    /// Checks that a site serves the robots.txt that was committed
    Served(ServedArgs),
    /// Reports whether crawlers may fetch URLs, by which rule, and why
    Explain(ExplainArgs),
    /// Reports from access logs which crawlers obey a robots.txt
    Audit(AuditArgs),
    /// Fetches robots.txt and shows the request, each redirect, the answer, its meaning, the rules and the verdict
    Fetch(FetchArgs),
    /// Answers JSON lines of files, crawlers and URLs with verdicts: a filter for many questions, or for web archives
    #[command(after_help = "Examples:\n  robots verdicts < questions.jsonl > verdicts.jsonl\n  \
                            robots verdicts --warc crawl.warc.gz --agent GPTBot --format arrow > verdicts.arrow\n\n\
                            A line: {\"robots_txt\": \"…\", \"crawler\": \"examplebot\", \"url\": [\"/a\", \"/b\"]}")]
    Verdicts {
        /// Lets a line name a `file`: a regular file below this folder; the default is the current folder
        #[arg(long, value_name = "ROOT", num_args = 0..=1, default_missing_value = ".")]
        files: Option<PathBuf>,
        /// Fetches robots.txt for lines without a file, only from public addresses
        #[arg(long)]
        fetch: bool,
        /// Also lets `--fetch` connect to private addresses
        #[arg(long, requires = "fetch")]
        allow_private: bool,
        #[command(flatten)]
        archives: ArchivesArgs,
    },
    /// Writes completions for a shell
    #[command(
        after_help = "Example: robots completions bash > ~/.local/share/bash-completion/completions/robots"
    )]
    Completions(CompletionsArgs),
    /// Writes the manual page of the command, or of a verb
    #[command(after_help = "Examples:\n  robots man lint | man -l -\n  \
                            robots man --into ~/.local/share/man/man1")]
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::{Command, GROUPS};

    #[test]
    fn every_verb_has_a_group() {
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().collect();
        let command = Command::command();
        let verbs = command.get_subcommands().map(clap::Command::get_name);
        let verbs: Vec<&str> =
            verbs.filter(|verb| !["completions", "man"].contains(verb)).collect();
        assert_eq!(grouped, verbs);
    }
}
