//! The verb `live`: a crawler is let loose on a small web on this machine, and judged by what it fetches.
//!
//! The cases and the judge are of `robots-test-web`; [`verdicts`] puts those of the suite on the wire too.
//! A crawl is run once and judged under every edition that is asked; [`report`] tells what came of it.

mod command;
mod crawl;
mod deviation;
mod outcome;
pub mod report;
mod trial;
pub mod verdicts;
mod web;

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::{Args, ValueEnum};
use robots_conformance::failure::quoted;
use robots_core::Edition;
use robots_test_web::live::{self, Case, NotRun, Record, Settings};
use robots_test_web::{Namespace, Net};

use self::command::CrawlerCommand;
pub use self::crawl::Crawl;
use self::deviation::Deviations;
pub use self::outcome::Outcome;
pub use self::report::LiveReport;
pub use self::trial::Trial;
use self::verdicts::OnTheWire;
pub use self::web::{ServeArgs, list, serve, show};
use crate::report::{ReportFormat, ReportTarget};
use crate::run::{self, seconds};

const EXAMPLES: &str = "\
Examples:
  A crawler by its command; {seed} is where it begins, and it starts in an empty folder that is removed:
    robots-conformance live --agent wget --exec 'wget -r -l 6 -H -q -T 3 -t 1 {seed}'
  One that takes long to start crawls all cases at once:
    robots-conformance live --together --exec 'python3 {cwd}/crawl.py {agent} {seed}' --report junit=live.xml
  Host names, default ports, https without a port (Linux):
    robots-conformance live --agent wget --net namespace --exec 'wget -r -l 6 -H -q -T 3 -t 1 {seed}'

The command is split into words without a shell, then filled in: {seed} a URL, {seeds} a file of the seed and all
links, a line each, {agent} the product token, {dir} the crawler's own folder, {ca} the certificate to trust, {hosts}
the hosts file, {edition} the edition, {cwd} the folder this was called in.";

/// The arguments of `live`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct LiveArgs {
    /// The crawler's command
    #[arg(long, value_name = "TEMPLATE")]
    pub exec: String,
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
    /// What the crawler is known to do otherwise, and why: a YAML file
    #[arg(long, value_name = "FILE")]
    pub deviations: Option<PathBuf>,
    /// Writes a report, to standard output where FILE is `-` or absent: terminal, json, junit or markdown;
    /// repeatable [default: terminal]
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
/// arguments name nothing or the crawler does not start.
pub fn run(arguments: &LiveArgs) -> ExitCode {
    if arguments.net == Place::Namespace {
        match inside() {
            Ok(Some(status)) => return status,
            Ok(None) => {}
            Err(message) => return run::usage(&message),
        }
    }
    match reported(arguments) {
        Ok(report) => {
            failures(arguments, &report);
            if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => run::usage(&message),
    }
}

/// Starts this command anew in a network namespace, unless it is in one.
pub(crate) fn inside() -> Result<Option<ExitCode>, String> {
    if Namespace::here().map_err(|error| error.to_string())?.is_some() {
        return Ok(None);
    }
    let failed = |error: std::io::Error| format!("the network namespace: {error}");
    let folder = tempfile::tempdir().map_err(failed)?;
    let program = env::current_exe().map_err(failed)?;
    let mut command =
        Namespace::command(program, folder.path()).map_err(|error| error.to_string())?;
    let status = command.args(env::args_os().skip(1)).status().map_err(failed)?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(Some(ExitCode::from(code)))
}

fn reported(arguments: &LiveArgs) -> Result<LiveReport, String> {
    let targets = match &*arguments.reports {
        [] => vec![ReportTarget::default()],
        given => given.to_vec(),
    };
    let written = [ReportFormat::Jsonl, ReportFormat::Html];
    if let Some(target) = targets.iter().find(|target| written.contains(&target.format)) {
        return Err(format!(
            "live writes no {} report; it writes terminal, json, junit and markdown",
            target.format
        ));
    }
    let outputs = run::reports::outputs(&targets)?;
    let deviations = arguments.deviations.as_deref().map(Deviations::read).transpose()?;
    let report = measure(arguments, &deviations.unwrap_or_default())?;
    for (target, output) in targets.iter().zip(outputs) {
        report::write(target, &report, output)?;
    }
    Ok(report)
}

/// Runs and judges what is asked, and writes nothing.
///
/// # Errors
/// A sentence where the arguments name nothing, or the crawler does not start.
pub fn measured(arguments: &LiveArgs) -> Result<LiveReport, String> {
    measure(arguments, &Deviations::default())
}

fn measure(arguments: &LiveArgs, deviations: &Deviations) -> Result<LiveReport, String> {
    if arguments.agent.is_empty() {
        return Err("--agent is empty; name the crawler by its product token".to_owned());
    }
    let crawler = CrawlerCommand::new(&arguments.exec)?;
    let all = Selected::of(arguments)?;
    if all.is_empty() {
        return Err(match &arguments.filter {
            Some(text) => format!("no case has a name (case::edition) that contains {text:?}"),
            None => "no case is asked of these editions".to_owned(),
        });
    }
    let start = Instant::now();
    let mut crawls = Vec::new();
    // A crawler that differs by edition is run for each; any other once, for all of them.
    let editions: Vec<Option<Edition>> = if crawler.takes("edition") {
        all.editions.iter().copied().map(Some).collect()
    } else {
        vec![None]
    };
    for edition in editions {
        all.crawl(arguments, &crawler, edition, &mut crawls);
    }
    let mut trials = Vec::new();
    for (index, crawl) in crawls.iter().enumerate() {
        let editions = all.of_case(&crawl.case, arguments.filter.as_deref());
        let editions = editions.filter(|edition| crawl.edition.is_none_or(|told| told == *edition));
        trials.extend(editions.map(|edition| Trial::judge(&crawls, index, edition, deviations)));
    }
    Ok(LiveReport {
        crawler: arguments.exec.clone(),
        agent: arguments.agent.clone(),
        stale: deviations.stale(|name| all.knows(name)),
        unwired: all.unwired,
        trials,
        crawls,
        took: start.elapsed(),
    })
}

/// Reads the cases on the wire.
pub(crate) fn cases() -> Result<Vec<Case>, String> {
    live::load()
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// What is asked.
struct Selected {
    editions: Vec<Edition>,
    wire: Vec<Case>,
    /// By product token.
    verdicts: BTreeMap<String, Vec<Case>>,
    /// The verdict cases that cannot be put on the wire, by reason.
    unwired: BTreeMap<String, Vec<String>>,
    /// The names of everything there is.
    names: std::collections::HashSet<String>,
}

impl Selected {
    fn of(arguments: &LiveArgs) -> Result<Self, String> {
        let mut wire = cases()?;
        let OnTheWire { mut cases, unwired } = verdicts::on_the_wire()?;
        let name = |case: &Case| {
            let id = case.id.clone();
            case.expect.keys().map(move |edition| format!("{id}::{edition}")).collect::<Vec<_>>()
        };
        let names = wire.iter().chain(cases.values().flatten()).flat_map(name).collect();
        let editions = match &*arguments.editions {
            [] => Edition::ALL.to_vec(),
            given => given.to_vec(),
        };
        let unwired = if arguments.cases == Cases::Wire { BTreeMap::new() } else { unwired };
        if arguments.cases == Cases::Verdicts {
            wire.clear();
        }
        if arguments.cases == Cases::Wire {
            cases.clear();
        }
        let mut all = Self { editions, wire, verdicts: cases, unwired, names };
        let asked = |all: &Self, case: &Case| {
            all.of_case(case, arguments.filter.as_deref()).next().is_some()
        };
        let wire = std::mem::take(&mut all.wire);
        all.wire = wire.into_iter().filter(|case| asked(&all, case)).collect();
        let verdicts = std::mem::take(&mut all.verdicts);
        let kept = verdicts.into_iter().map(|(token, cases)| {
            (token, cases.into_iter().filter(|case| asked(&all, case)).collect::<Vec<_>>())
        });
        all.verdicts = kept.filter(|(_, cases)| !cases.is_empty()).collect();
        Ok(all)
    }

    fn is_empty(&self) -> bool {
        self.wire.is_empty() && self.verdicts.is_empty()
    }

    fn knows(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the editions that are asked of a case.
    fn of_case<'s>(
        &'s self,
        case: &'s Case,
        filter: Option<&'s str>,
    ) -> impl Iterator<Item = Edition> + 's {
        self.editions.iter().copied().filter(move |edition| {
            case.expect.contains_key(edition)
                && filter.is_none_or(|text| format!("{}::{edition}", case.id).contains(text))
        })
    }

    fn crawl(
        &self,
        arguments: &LiveArgs,
        crawler: &CrawlerCommand,
        edition: Option<Edition>,
        crawls: &mut Vec<Crawl>,
    ) {
        let mut settings = Settings::default();
        settings.agent.clone_from(&arguments.agent);
        settings.edition = edition;
        settings.limit = arguments.limit;
        settings.net = match arguments.net {
            Place::Loopback => Net::Loopback,
            Place::Namespace => Net::Namespace,
        };
        let processors = thread::available_parallelism().map_or(1, Into::into);
        settings.jobs = arguments.jobs.map_or(2 * processors, usize::from);
        let asks = |case: &&Case| edition.is_none_or(|edition| case.expect.contains_key(&edition));
        let mut take = |cases: Vec<Case>, records: Vec<Result<Record, NotRun>>| {
            for (case, record) in cases.into_iter().zip(records) {
                let said = crawler.said(&case.id);
                crawls.push(Crawl { case, edition, record, said });
            }
        };
        let wire: Vec<Case> = self.wire.iter().filter(asks).cloned().collect();
        let mut together = settings.clone();
        together.limit = arguments.limit_together;
        let records = if arguments.together {
            live::run_together(&wire, crawler, &together)
        } else {
            live::run_all(&wire, crawler, &settings)
        };
        take(wire, records);
        for (token, cases) in &self.verdicts {
            let cases: Vec<Case> = cases.iter().filter(asks).cloned().collect();
            let mut settings = together.clone();
            settings.agent.clone_from(token);
            let records = if crawler.takes("agent") || *token == arguments.agent {
                live::run_together(&cases, crawler, &settings)
            } else {
                let why = format!("the crawler's product token cannot be set to {token}");
                cases.iter().map(|_| Err(NotRun::because(&why))).collect()
            };
            take(cases, records);
        }
    }
}

/// Tells the failures in full, on standard error: a crawl once, however many editions it fails under.
fn failures(arguments: &LiveArgs, report: &LiveReport) {
    let failed = AnsiColor::Red.on_default().bold();
    let mut told: Vec<(&str, Option<Edition>)> = Vec::new();
    for trial in report.trials.iter().filter(|trial| trial.outcome.is_failure()) {
        let crawl = &report.crawls[trial.crawl];
        let same = (crawl.case.id.as_str(), crawl.edition);
        if told.contains(&same) {
            continue;
        }
        told.push(same);
        let others = report.trials.iter().filter(|other| {
            other.crawl == trial.crawl
                && other.edition != trial.edition
                && other.outcome.is_failure()
        });
        let others: Vec<&str> = others.map(|other| other.edition.id()).collect();
        let text = match &crawl.record {
            Ok(record) => live::failure(&crawl.case, trial.edition, record, &trial.judgement),
            Err(not_run) => format!("{}: {not_run}\n", crawl.case.id),
        };
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        anstream::eprintln!("\n{failed}{heading}{failed:#}\n{}", rest.trim_end());
        if let Outcome::Failed(Some(note)) = &trial.outcome {
            anstream::eprintln!("  {note}");
        }
        if !others.is_empty() {
            anstream::eprintln!("It fails too under {}.", others.join(", "));
        }
        if let Some(said) = &crawl.said {
            anstream::eprintln!("The crawler said last: {said}");
        }
        let filter = format!("{}::", crawl.case.id);
        let net = if arguments.net == Place::Namespace { " --net namespace" } else { "" };
        anstream::eprintln!(
            "again: robots-conformance live{net} --agent {} --exec {} --filter {}",
            quoted(&arguments.agent),
            quoted(&arguments.exec),
            quoted(&filter)
        );
    }
    for problem in &report.stale {
        anstream::eprintln!("\n{failed}STALE{failed:#} {problem}");
    }
}
