//! The verb `live`: runs a crawler on a local test server and judges what it fetched.
//!
//! The library `robots-conformance-live` crawls and judges. This module reads the arguments, and [`report`] renders the
//! results. Start at [`run`].

mod attached;
mod failures;
mod inside;
mod kept;
#[cfg(feature = "html")]
pub mod matrix;
pub mod report;
mod web;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use robots_conformance_live::{
    self as live, CrawlerCommand, Deviations, Options, Report, Run, Subject,
};
use robots_core::Edition;
use robots_test_web::Net;

use self::attached::Attached;
pub use self::kept::Kept;
pub use self::web::{ServeArgs, list, serve, show};
use crate::ending::Ending;
use crate::report::ReportTarget;
use crate::run::{self, seconds};

const EXAMPLES: &str = "\
Examples:
  A crawler by its command; {seed} is where it begins, and it starts in an empty folder that is removed:
    robots-conformance live --agent wget --exec 'wget -r -l 6 -H -q -T 3 -t 1 {seed}'
  One that takes long to start crawls all cases at once:
    robots-conformance live --together --exec 'python3 {cwd}/crawl.py {agent} {seed}' --report junit=live.xml
  Host names, default ports, https without a port (Linux):
    robots-conformance live --agent wget --net namespace --exec 'wget -r -l 6 -H -q -T 3 -t 1 {seed}'
  A crawler that is a service: the address is printed, and Enter judges what it fetched until then:
    robots-conformance live --attach --agent examplebot
  What fails today is noted, explained in the file, and kept from growing:
    robots-conformance live --exec '…' --write-deviations known.yaml
    robots-conformance live --exec '…' --deviations known.yaml
  The access logs of a run are judged again, by other editions or a later suite:
    robots-conformance live --judge live.json --edition google-2022

The command is split into words without a shell, then filled in: {seed} a URL, {seeds} a file of the seed and all
links, a line each, {agent} the product token, {dir} the crawler's own folder, {ca} the certificate to trust, {hosts}
the hosts file, {edition} the edition, {cwd} the folder this was called in.";

/// The arguments of `live`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct LiveArgs {
    /// The crawler's command
    #[arg(long, value_name = "TEMPLATE", required_unless_present_any = ["attach", "judge"])]
    pub exec: Option<String>,
    /// Starts no crawler: prints the address at which one is to begin, and judges at Enter or SIGINT
    #[arg(long, conflicts_with_all = ["exec", "together", "jobs", "limit", "limit_together", "again"])]
    pub attach: bool,
    /// Crawls nothing, and judges the access logs that a JSON report holds
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["exec", "attach", "again"])]
    pub judge: Option<PathBuf>,
    /// The crawler's product token, which the files name
    #[arg(long, value_name = "TOKEN", default_value = "examplebot")]
    pub agent: String,
    /// Judges by this edition only; repeatable [default: all]
    #[arg(long = "edition", value_name = "E", value_parser = run::edition)]
    pub editions: Vec<Edition>,
    /// Where the web is put
    #[arg(long, value_enum, default_value_t = Place::Loopback)]
    pub net: Place,
    /// Which cases: those of fetching, redirects and failures, or the suite's verdicts
    #[arg(long, value_enum, default_value_t = Cases::All)]
    pub cases: Cases,
    /// Runs the cases whose name (`case::edition`) contains the text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Crawls all cases by one process. Verdicts are always crawled so
    #[arg(long)]
    pub together: bool,
    /// How many cases are crawled at a time [default: twice the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// How long the crawl of a case may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    pub limit: Duration,
    /// How long a crawl of many cases may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "600")]
    pub limit_together: Duration,
    /// Crawls a case once more, alone, where the crawler did not come by the controls or was still at work at
    /// the limit; the second crawl counts
    #[arg(long)]
    pub again: bool,
    /// What the crawler is known to do otherwise, and why: a YAML file
    #[arg(long, value_name = "FILE")]
    pub deviations: Option<PathBuf>,
    /// Writes today's failures as a deviations file, with a blank `why` each to fill in
    #[arg(long, value_name = "FILE")]
    pub write_deviations: Option<PathBuf>,
    /// Writes a report, to standard output where FILE is `-` or absent: terminal, json, jsonl, junit, markdown
    /// or html; repeatable [default: terminal]
    #[arg(long = "report", value_name = "FORMAT[=FILE]")]
    pub reports: Vec<ReportTarget>,
}

/// Where a web is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Place {
    /// Addresses of 127.0.0.0/8, a port for each origin
    Loopback,
    /// A network namespace: host names and default ports (Linux)
    Namespace,
}

impl From<Place> for Net {
    fn from(place: Place) -> Self {
        match place {
            Place::Loopback => Self::Loopback,
            Place::Namespace => Self::Namespace,
        }
    }
}

/// Which cases are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cases {
    /// Both
    All,
    /// Those of `live/crawling.yaml`
    Wire,
    /// Those of the suite's verdicts that can be put on the wire
    Verdicts,
}

/// Runs the cases against the crawler that the arguments name.
///
/// The status is 0 where nothing failed, 1 where something did or the crawler never came, 2 where the
/// arguments name nothing or a report cannot be written, and that of a signal that ended the run.
pub fn run(arguments: &LiveArgs) -> ExitCode {
    if arguments.net == Place::Namespace {
        match inside::inside() {
            Ok(Some(status)) => return status,
            Ok(None) => {}
            Err(message) => return run::usage(&message),
        }
    }
    let ending = Ending::watch();
    let status = match reported(arguments, &ending) {
        Ok((report, unwritten)) => {
            failures::tell(arguments, &report);
            if report.unasked > 0 {
                run::tell(&format!("\n{}", report.partial()));
            }
            match unwritten {
                Some(problems) => run::usage(&problems),
                None if report.is_clean() => ExitCode::SUCCESS,
                None => ExitCode::FAILURE,
            }
        }
        Err(message) => run::usage(&message),
    };
    inside::clear();
    ending.status().map_or(status, ExitCode::from)
}

/// Measures, and writes the reports; the second result says which could not be written.
fn reported(arguments: &LiveArgs, ending: &Ending) -> Result<(Report, Option<String>), String> {
    let targets = match &*arguments.reports {
        [] => vec![ReportTarget::default()],
        given => given.to_vec(),
    };
    let outputs = run::reports::outputs(&targets)?;
    let deviations = arguments.deviations.as_deref().map(Deviations::read).transpose()?;
    let report = measured(arguments, &deviations.unwrap_or_default(), ending)?;
    let mut unwritten = Vec::new();
    for (target, output) in targets.iter().zip(outputs) {
        unwritten.extend(report::write(target, &report, output).err());
    }
    let trials = report.trials.iter();
    let trials = trials.map(|trial| (&*trial.name, &trial.outcome, &trial.judgement));
    if let Some(path) = &arguments.write_deviations
        && let Err(error) = fs::write(path, live::draft(trials))
    {
        unwritten.push(format!("cannot write {}: {error}; name another file", path.display()));
    }
    let unwritten = (!unwritten.is_empty()).then(|| unwritten.join("\n"));
    Ok((report, unwritten))
}

/// Crawls and judges what is asked.
fn measured(
    arguments: &LiveArgs,
    deviations: &Deviations,
    ending: &Ending,
) -> Result<Report, String> {
    let options = arguments.options();
    if options.agent.is_empty() {
        return Err("--agent is empty; name the crawler by its product token".to_owned());
    }
    let crawler: Box<dyn Subject> = match &arguments.exec {
        Some(template) => {
            let command = CrawlerCommand::new(template).map_err(|error| error.to_string())?;
            Box::new(command.ending(Arc::clone(&ending.is_ending)))
        }
        None => Box::new(Attached { ending: ending.clone() }),
    };
    let run = Run::new(&options, deviations).map_err(|problems| problems.to_string())?;
    if run.is_empty() {
        return Err(match &arguments.filter {
            Some(text) => format!("no case has a name (case::edition) that contains {text:?}"),
            None => "no case is asked of these editions".to_owned(),
        });
    }
    Ok(match &arguments.judge {
        Some(path) => {
            let Kept { crawler, agent, records, .. } = Kept::read(path)?;
            run.judge(crawler, agent, records)
        }
        None => run.crawl(&*crawler),
    })
}

impl LiveArgs {
    fn options(&self) -> Options {
        let mut options = Options::default();
        options.agent.clone_from(&self.agent);
        options.editions.clone_from(&self.editions);
        options.net = self.net.into();
        options.cases = match self.cases {
            Cases::All => live::Cases::All,
            Cases::Wire => live::Cases::Wire,
            Cases::Verdicts => live::Cases::Verdicts,
        };
        options.filter.clone_from(&self.filter);
        options.together = self.together;
        options.jobs = self.jobs.map_or(options.jobs, usize::from);
        (options.limit, options.limit_together) = (self.limit, self.limit_together);
        options.again = self.again;
        options
    }
}
