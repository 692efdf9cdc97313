//! The command `robots`: for people with a robots.txt or a crawler.
//!
//! [`main()`] parses the command line and calls the module of each verb. Only this file names the parser. `command.rs`
//! defines the command line. The command knows no suite, and no implementation but its own.

// Times as text.
mod utc;
// The crawlers that a command line names.
mod crawler;
// The shared parts of SARIF.
mod sarif;
// The verb about many files.
mod verdicts;
// The same verb about web archives.
mod archives;
// The verb about a served file.
mod fetch;
// The verb that reports the findings of a file.
mod lint;
// The verb that explains a verdict.
mod explain;
// The verb that compares two files.
mod diff;
// The verb that checks a file against expectations.
mod check;
// The verb that compares a file with the served one.
mod served;
// The verb that judges access logs.
mod audit;
// The command line and its verbs.
mod command;

use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use robots_console::error::Error;
use robots_console::{output, shell};
use robots_nom_parser::ScanParser;

use self::archives::{ArchivesArgs, Failure};
use self::command::{Command, Verb};
use self::fetch::Fetcher;
use self::verdicts::Counts;

fn main() -> ExitCode {
    let Command { output, verb } = Command::read();
    output.apply();
    let done = match verb {
        Verb::Lint(arguments) => return lint::run(&ScanParser, &arguments),
        Verb::Diff(arguments) => return diff::run(&ScanParser, &arguments),
        Verb::Check(arguments) => return check::run(&ScanParser, &arguments),
        Verb::Served(arguments) => return served::run(&ScanParser, &arguments),
        Verb::Audit(arguments) => return audit::run(&arguments),
        Verb::Explain(arguments) => return explain::run(&ScanParser, &arguments),
        Verb::Fetch(arguments) => return fetch::run(&arguments),
        Verb::Verdicts { files, fetch, allow_private, archives } => {
            if archives.archives.is_empty() {
                verdicts(files.as_deref(), fetch.then(|| Fetcher::new(allow_private)))
            } else {
                archived(&archives)
            }
        }
        Verb::Completions(arguments) => shell::completions(command::definition(), arguments),
        Verb::Man(arguments) => shell::man(command::definition(), &arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => output::usage(&message),
    }
}

fn verdicts(files: Option<&Path>, fetcher: Option<Fetcher>) -> Result<(), Error> {
    let start = Instant::now();
    let files = match files {
        None => verdicts::Files::none(),
        Some(root) => verdicts::Files::below(root)
            .map_err(|error| Error::new(format!("--files {}: {error}", root.display())))?,
    };
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    let ran = match fetcher {
        None => verdicts::run(&ScanParser, &files, io::stdin(), output),
        Some(fetcher) => {
            let fetch: Arc<dyn verdicts::Fetch> = Arc::new(fetcher);
            verdicts::run_fetching(&ScanParser, &files, &fetch, io::stdin(), output)
        }
    };
    match ran {
        Ok(counts) => remark(counts, "lines", start),
        // A closed pipe is not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(format!("verdicts: {error}").into()),
    }
    Ok(())
}

fn archived(arguments: &ArchivesArgs) -> Result<(), Error> {
    let start = Instant::now();
    let output = io::BufWriter::with_capacity(1 << 16, io::stdout());
    match archives::run(&ScanParser, arguments, output) {
        Ok(counts) => remark(counts, "responses", start),
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(Failure::Output(error)) => return Err(format!("verdicts: {error}").into()),
        Err(Failure::Usage(error)) => return Err(error),
    }
    Ok(())
}

fn remark(counts: Counts, what: &str, start: Instant) {
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    #[expect(clippy::cast_precision_loss, reason = "the rates are only shown to readers")]
    let rate = |count: u64| count as f64 / seconds;
    output::remark(&format!(
        "{} {what}, {} errors, {} verdicts in {seconds:.2} s: {:.0} verdicts/s, {:.1} MB/s of robots.txt",
        counts.lines,
        counts.errors,
        counts.verdicts,
        rate(counts.verdicts),
        rate(counts.octets) / 1e6,
    ));
}
