//! The verb `live`: runs a crawler on a local test server and judges what it fetched.
//!
//! The library `robots-conformance-live` crawls and judges. This module reads the arguments, and [`crate::report`] renders
//! the results. Start at [`run()`].

mod attached;
mod inside;
mod kept;
#[cfg(feature = "html")]
pub mod matrix;
mod web;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anstyle::AnsiColor;
use clap::{Args, ValueEnum};
use robots_conformance::deviation::Deviations;
use robots_conformance::failure::quoted;
use robots_conformance::judge::OutcomeKind;
use robots_conformance::problem::Problems;
use robots_conformance::report::Cases;
use robots_conformance_live::{self as live, CrawlerCommand, Options, Report, Run, Subject};
use robots_core::Edition;
use robots_test_web::Net;

use self::attached::{ATTACHED, Attached};
pub use self::kept::Kept;
pub use self::web::{ServeArgs, list, serve, show};
use crate::ending::Ending;
use crate::report::record::Record;
use crate::report::{self, ReportTarget};
use crate::run::reports::Reports;
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

/// How many blocks of failures are printed unless the arguments say otherwise.
const BLOCKS: usize = 50;

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
    #[arg(long, value_enum, default_value_t = Which::All)]
    pub cases: Which,
    /// Runs the trials whose full name (`crawler::area::case::edition`) contains the text
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
    /// How many blocks of failures are printed, or `all`
    #[arg(long, value_name = "N", default_value = "50", value_parser = run::failures::most)]
    pub failures: Option<usize>,
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
pub enum Which {
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
        Ok((record, unwritten)) => {
            if let Some(partial) = record.partial() {
                run::tell(&format!("\n{partial}"));
            }
            match unwritten {
                Some(problems) => run::usage(&problems),
                None if record.clean => ExitCode::SUCCESS,
                None => ExitCode::FAILURE,
            }
        }
        Err(message) => run::usage(&message),
    };
    inside::clear();
    ending.status().map_or(status, ExitCode::from)
}

/// Crawls and judges, writes the reports, and prints the failures; the second result says what could not be written.
fn reported(arguments: &LiveArgs, ending: &Ending) -> Result<(Record, Option<String>), String> {
    let targets = match &*arguments.reports {
        [] => vec![ReportTarget::default()],
        given => given.to_vec(),
    };
    let mut outputs = Reports::open(&targets)?;
    let text = |problems: Problems| problems.to_string();
    let deviations = arguments.deviations.as_deref().map(Deviations::read).transpose();
    let deviations = deviations.map_err(text)?.unwrap_or_default();
    let suite = robots_conformance::load::embedded().map_err(text)?;
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
    let run = Run::new(&options, &deviations).map_err(text)?;
    if run.is_empty() {
        return Err(match &arguments.filter {
            Some(text) => {
                format!("no case has a name (crawler::area::case::edition) that contains {text:?}")
            }
            None => "no case is asked of these editions".to_owned(),
        });
    }
    let cases: Cases = run.cases().map(|case| live::case_record(case, Some(&suite))).collect();
    let trials = run.trials();
    let report = match &arguments.judge {
        Some(path) => {
            let Kept { subject, command, crawls, .. } = Kept::read(path)?;
            run.judge(command.unwrap_or_default(), subject, crawls)
        }
        None => run.crawl(&*crawler),
    };
    let record = record(&report);
    outputs.begin(&record.subject, record.command.as_deref(), trials);
    record.trials.iter().for_each(|trial| outputs.trial(trial));
    outputs.end(&record);
    let mut unwritten = Vec::new();
    let records = [record];
    unwritten.extend(outputs.finish(&records, &cases, None).err());
    let [record] = records;
    if let Some(path) = &arguments.write_deviations
        && let Err(error) = fs::write(path, live::draft(&report.trials))
    {
        unwritten.push(format!("cannot write {}: {error}; name another file", path.display()));
    }
    undecided(&report);
    let most = arguments.failures.unwrap_or(BLOCKS);
    run::failures::tell(&record, &cases, most, &|name| arguments.again(&report, name));
    let unwritten = (!unwritten.is_empty()).then(|| unwritten.join("\n"));
    Ok((record, unwritten))
}

/// Makes the record of a run of crawls.
#[must_use]
pub fn record(report: &Report) -> Record {
    let crawls = report.crawls.iter().filter_map(|crawl| crawl.record.as_ref().ok());
    report::record::Run {
        subject: report.agent.clone(),
        command: Some(report.crawler.clone()),
        took: report.took,
        is_selection: report.is_selection,
        unasked: report.unasked,
        stale: report.stale.iter().map(ToString::to_string).collect(),
        not_on_the_wire: report.unwired.clone(),
        trials: report.records().collect(),
        // An access log holds texts and numbers, which have a JSON form.
        crawls: crawls.filter_map(|record| serde_json::to_value(record).ok()).collect(),
    }
    .into()
}

/// Prints how many crawls were not decided, and what the crawler wrote to its standard error in the first of them.
fn undecided(report: &Report) {
    let kinds = [
        (OutcomeKind::Inconclusive, "the crawler did not fetch the control pages"),
        (OutcomeKind::Waited, "the crawler was still at work at the time limit"),
    ];
    let note = AnsiColor::Yellow.on_default().bold();
    for (kind, meaning) in kinds {
        let trials = report.trials.iter().filter(|trial| trial.outcome.kind() == kind);
        let mut crawls: Vec<usize> = trials.map(|trial| trial.crawl).collect();
        crawls.dedup();
        if crawls.is_empty() {
            continue;
        }
        let shown: Vec<&str> =
            crawls.iter().take(5).map(|crawl| report.crawls[*crawl].case.id.as_str()).collect();
        let more = if crawls.len() > shown.len() { ", …" } else { "" };
        let (count, shown) = (crawls.len(), shown.join(", "));
        run::tell(&format!(
            "\n{note}note{note:#}: {count} {kind}, because {meaning}: {shown}{more}"
        ));
        let words = crawls.iter().find_map(|crawl| report.crawls[*crawl].last_words.as_ref());
        if let Some(words) = words {
            run::tell(&format!("The crawler wrote last: {words}"));
        }
    }
}

impl LiveArgs {
    /// Returns the command that runs the trials whose names contain a text.
    fn again(&self, report: &Report, name: &str) -> String {
        let net = if self.net == Place::Namespace { " --net namespace" } else { "" };
        let who = match &*report.crawler {
            ATTACHED => "--attach".to_owned(),
            exec => format!("--exec {}", quoted(exec)),
        };
        let agent = quoted(&report.agent);
        format!("robots-conformance live{net} --agent {agent} {who} --filter {name}")
    }

    fn options(&self) -> Options {
        let mut options = Options::default();
        options.agent.clone_from(&self.agent);
        options.editions.clone_from(&self.editions);
        options.net = self.net.into();
        options.cases = match self.cases {
            Which::All => live::Cases::All,
            Which::Wire => live::Cases::Wire,
            Which::Verdicts => live::Cases::Verdicts,
        };
        options.filter.clone_from(&self.filter);
        options.together = self.together;
        options.jobs = self.jobs.map_or(options.jobs, usize::from);
        (options.limit, options.limit_together) = (self.limit, self.limit_together);
        options.again = self.again;
        options
    }
}
