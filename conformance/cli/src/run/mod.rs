//! The verb `run`, for any engines: its arguments, and what it prints.
//!
//! The report goes to standard output or a file, failures and progress to standard error.
//! Colour and progress appear on a terminal only; `NO_COLOR` is honoured.

pub(crate) mod failures;
mod progress;
pub(crate) mod reports;
mod subject;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::Args;
use robots_core::engine::Engine;
use robots_core::{Edition, Profile};

use self::progress::Progress;
use self::reports::Reports;
use self::subject::Asked;
pub use self::subject::SubjectArgs;
use crate::ending::Ending;
use crate::report::record::Record;
use crate::report::{ReportTarget, Sources};
use robots_conformance::case::Suite;
use robots_conformance::deviation::Deviations;
use robots_conformance::draft;
use robots_conformance::load;
use robots_conformance::problem::Problem;
use robots_conformance::question::{self, Trial};
use robots_conformance::render;
use robots_conformance::report::{Cases, TrialRecord};
use robots_conformance::run::{Report, Runner, TIMEOUT};

/// The exit status of a usage error.
pub const USAGE: u8 = 2;

/// How many blocks of failures are printed unless the arguments say otherwise.
const BLOCKS: usize = 20;

/// What the help of a run ends with.
const EXAMPLES: &str = "\
Examples:
  The reference adapter, then one of your own:
    robots-conformance run --subject 'robots-conformance serve'
    robots-conformance run --subject 'python3 adapter.py' --report terminal --report junit=junit.xml
  A command-line tool, by its exit status or by what it prints:
    robots-conformance run --exec 'mytool --ua {agent} {robots} {url}' --disallow-exit 3
    robots-conformance run --exec 'mytool {robots} {agent} {url}' --allow-match '^yes' --disallow-match '^no'
  What fails today is noted, explained in the file, and kept from growing:
    robots-conformance run --subject ./adapter --write-deviations known.yaml
    robots-conformance run --subject ./adapter --deviations known.yaml";

/// The arguments of the command.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct ConformanceArgs {
    /// Asks about this edition only, also where the engine does not declare it, or by google-cpp: what
    /// Google's published C++ library was seen to do; repeatable
    #[arg(long = "edition", value_name = "E", value_parser = profile)]
    pub editions: Vec<Profile>,
    /// Asks the cases of this area only; repeatable
    #[arg(long = "area", value_name = "A")]
    pub areas: Vec<String>,
    /// Runs the trials whose full name (`engine::area::case::edition`, `::member`) contains the text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// What the engine is known to answer otherwise, and why: a YAML file
    #[arg(long, value_name = "FILE")]
    pub deviations: Option<PathBuf>,
    /// Writes today's failures as a deviations file, with a blank `why` each to fill in
    #[arg(long, value_name = "FILE")]
    pub write_deviations: Option<PathBuf>,
    /// How many failing cases are told, or `all`
    #[arg(long, value_name = "N", default_value = "20", value_parser = failures::most)]
    pub failures: Option<usize>,
    /// How long a question may take [default: 5 for subjects, 10 for the embedded parser]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// How many questions are asked at a time [default: the number of processors, or what a subject's
    /// `pipeline` takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Writes a report, to standard output where FILE is `-` or absent: terminal, json, jsonl, junit,
    /// markdown or html; repeatable [default: terminal]
    #[arg(long = "report", value_name = "FORMAT[=FILE]")]
    pub reports: Vec<ReportTarget>,
    /// The address at which the folder spec-cases can be read; reports in markdown and html link there
    #[arg(long, value_name = "URL")]
    pub sources: Option<Sources>,
    /// Which process is asked, instead of the embedded parser
    #[command(flatten)]
    pub subject: SubjectArgs,
}

/// Runs the embedded suite against engines, or against the subject that the arguments name.
///
/// `command` is what a reader types to run this again; failures add `--filter NAME` to it. The status
/// is 0 where all passed, 1 where something failed, 2 where the arguments name nothing.
pub fn run(arguments: &ConformanceArgs, engines: &[Arc<dyn Engine>], command: &str) -> ExitCode {
    match load::embedded() {
        Ok(suite) => run_suite(arguments, &suite, engines, command),
        Err(problems) => usage(&problems.to_string()),
    }
}

/// Runs a suite against engines, as [`run`] does with the embedded one.
pub fn run_suite(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engines: &[Arc<dyn Engine>],
    command: &str,
) -> ExitCode {
    let ending = Ending::watch();
    match reports(arguments, suite, engines, command, &ending) {
        Ok((reports, unwritten)) => {
            let has_unwritten = unwritten.is_some();
            for (report, record) in &reports {
                if let Some(partial) = record.partial() {
                    tell(&format!("\n{partial}"));
                } else if !report.is_answered() {
                    tell("error: no question was answered; does its hello name what it answers?");
                }
            }
            if let Some(problems) = unwritten {
                usage(&problems);
            }
            if let Some(status) = ending.status() {
                return ExitCode::from(status);
            }
            if has_unwritten {
                return ExitCode::from(USAGE);
            }
            let is_clean = reports.iter().all(|(_, record)| record.clean);
            if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => {
            let status = usage(&message);
            ending.status().map_or(status, ExitCode::from)
        }
    }
}

/// Says what is wrong with the arguments, and returns the status 2.
pub fn usage(message: &str) -> ExitCode {
    let error = AnsiColor::Red.on_default().bold();
    tell(&format!("{error}error{error:#}: {}", render::visible(message)));
    ExitCode::from(USAGE)
}

/// Prints text to standard output; a reader that has seen enough is no error.
///
/// # Errors
/// A message where it cannot be written.
pub fn print(text: &str) -> Result<(), String> {
    let mut stdout = anstream::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. Where nobody takes it, nobody is told: it is no reason to stop.
pub fn tell(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Reads an edition's id; the error lists the known ones.
///
/// # Errors
/// Where the text is no edition's id.
pub fn edition(text: &str) -> Result<Edition, String> {
    text.parse().map_err(|error: robots_core::error::UnknownEdition| error.to_string())
}

/// Reads a profile's id, an edition's or google-cpp; the error lists the known ones.
///
/// # Errors
/// Where the text is no profile's id.
pub fn profile(text: &str) -> Result<Profile, String> {
    text.parse().map_err(|error: robots_core::error::UnknownProfile| error.to_string())
}

/// Refuses areas the suite does not have.
///
/// # Errors
/// A sentence that lists the known ones.
pub fn known_areas(suite: &Suite, areas: &[String]) -> Result<(), String> {
    let known = suite.areas();
    match areas.iter().find(|area| !known.contains(&area.as_str())) {
        Some(area) => Err(format!("unknown area {area:?}; the areas are {}", known.join(", "))),
        None => Ok(()),
    }
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| "a number of seconds above 0".into())
}

/// The results of the engines, and what could not be written.
type Results = (Vec<(Report, Record)>, Option<String>);

/// Asks what is selected, and writes the reports.
fn reports(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engines: &[Arc<dyn Engine>],
    command: &str,
    ending: &Ending,
) -> Result<Results, String> {
    known_areas(suite, &arguments.areas)?;
    let observed = arguments.editions.contains(&Profile::GoogleCpp);
    for problem in suite.unobserved.iter().filter(|_| observed) {
        let note = AnsiColor::Yellow.on_default().bold();
        tell(&format!("{note}note{note:#}: {problem}"));
    }
    let deviations = match &arguments.deviations {
        Some(path) => Deviations::read(path).map_err(|problems| problems.to_string())?,
        None => Deviations::default(),
    };
    let jobs = arguments.jobs.map(usize::from);
    let asked = match arguments.subject.start(arguments.timeout, jobs)? {
        Some(subject) => vec![subject],
        None => engines.iter().cloned().map(Asked::Embedded).collect(),
    };
    let runs: Vec<Run> = asked
        .into_iter()
        .map(|asked| Run::of(arguments, suite, &deviations, asked, ending))
        .collect();
    if runs.iter().all(|run| run.trials.is_empty()) {
        return Err(nothing_selected(arguments, &runs));
    }
    let targets = arguments.targets();
    let command = format!("{command}{}", arguments.subject.again());
    let runs = runs.into_iter().filter(|run| !run.trials.is_empty());
    let cases = Cases::of(suite);
    let mut outputs = Reports::open(&targets)?;
    let mut reports = Vec::new();
    for run in runs {
        reports.push(run.report(arguments, &mut outputs, &cases, &command));
    }
    let records: Vec<Record> = reports.iter().map(|(_, record)| record.clone()).collect();
    let mut unwritten = Vec::new();
    unwritten.extend(outputs.finish(&records, &cases, arguments.sources.as_ref()).err());
    if let Some(path) = &arguments.write_deviations {
        let drafts: String = reports.iter().map(|(report, _)| draft::draft(report)).collect();
        if let Err(error) = fs::write(path, drafts) {
            unwritten.push(format!("cannot write {}: {error}; name another file", path.display()));
        }
    }
    let unwritten = (!unwritten.is_empty()).then(|| unwritten.join("\n"));
    Ok((reports, unwritten))
}

/// What one engine is to be asked.
struct Run {
    asked: Asked,
    runner: Runner,
    trials: Vec<Arc<Trial>>,
    /// How many there are without the filter.
    unfiltered: usize,
    stale: Vec<Problem>,
}

impl Run {
    fn of(
        arguments: &ConformanceArgs,
        suite: &Suite,
        deviations: &Deviations,
        asked: Asked,
        ending: &Ending,
    ) -> Self {
        let jobs = arguments.jobs.map(usize::from);
        let (timeout, jobs) = match &asked {
            Asked::Embedded(_) => (arguments.timeout.unwrap_or(TIMEOUT), jobs),
            // They keep the time themselves.
            Asked::Subject(subject) => (Duration::MAX, Some(subject.jobs())),
            Asked::Tool(_) => (Duration::MAX, jobs),
        };
        let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        let engine = asked.engine();
        let declared = engine.profiles().to_vec();
        let runner =
            Runner::new(engine).deviations(deviations.clone()).timeout(timeout).jobs(jobs).insist();
        let runner = runner.ending(Arc::clone(&ending.is_ending));
        let mut trials = runner.trials(suite);
        trials.extend(question::observed(suite));
        let editions = &arguments.editions;
        // Stale is what no trial of any declared or demanded edition bears out, whatever is selected now.
        trials.retain(|trial| {
            declared.contains(&trial.profile()) || editions.contains(&trial.profile())
        });
        let stale = runner.stale(&trials);
        trials.retain(|trial| {
            let areas = &arguments.areas;
            let profile = trial.profile();
            // The observed profile counts only where it is asked for.
            (editions.contains(&profile) || editions.is_empty() && profile.edition().is_some())
                && (areas.is_empty() || areas.contains(&trial.case().area))
        });
        let unfiltered = trials.len();
        if let Some(text) = &arguments.filter {
            trials.retain(|trial| trial.full_name(runner.engine_name()).contains(text));
        }
        Self { asked, runner, trials, unfiltered, stale }
    }

    /// Asks, and prints what failed.
    fn report(
        self,
        arguments: &ConformanceArgs,
        outputs: &mut Reports,
        cases: &Cases,
        command: &str,
    ) -> (Report, Record) {
        let Self { asked, runner, trials, mut stale, .. } = self;
        outputs.begin(runner.engine_name(), None, trials.len());
        let progress = Progress::start(trials.len());
        let start = Instant::now();
        let finished = runner.run(&trials, |done| {
            progress.trial(done.trial.name());
            if outputs.follows() {
                outputs.trial(&TrialRecord::of(done, runner.engine_name()));
            }
        });
        let took = start.elapsed();
        progress.end();
        let unasked = trials.len() - finished.len();
        let engine = runner.engine_name().to_owned();
        let is_selection = arguments.filter.is_some() || !arguments.areas.is_empty();
        // Only all trials together show that an entry is needed no more.
        if !is_selection && unasked == 0 {
            stale.extend(runner.healed(&finished));
        }
        let report = Report { engine, finished, stale, took, is_selection, unasked };
        let record = Record::of(&report);
        outputs.end(&record);
        // An edition that was asked for needs that again.
        let editions: Vec<String> =
            arguments.editions.iter().map(|id| format!(" --edition {id}")).collect();
        let rerun = |name: &str| format!("{command}{} --filter {name}", editions.concat());
        failures::tell(&record, cases, arguments.failures.unwrap_or(BLOCKS), &rerun);
        if let Asked::Subject(subject) = &asked {
            subject.stop();
            let note = AnsiColor::Yellow.on_default().bold();
            for text in subject.notes() {
                tell(&format!("{note}note{note:#}: {text}"));
            }
        }
        (report, record)
    }
}

fn nothing_selected(arguments: &ConformanceArgs, runs: &[Run]) -> String {
    let unfiltered: usize = runs.iter().map(|run| run.unfiltered).sum();
    match &arguments.filter {
        Some(text) if unfiltered > 0 => format!(
            "none of the {unfiltered} selected trials has a name that contains {text:?}; names are \
             engine::area::case::edition[::member]"
        ),
        _ => "no trial is selected: the engine declares none of these editions, or the areas have no case \
              of them"
            .to_owned(),
    }
}

impl ConformanceArgs {
    fn targets(&self) -> Vec<ReportTarget> {
        if self.reports.is_empty() { vec![ReportTarget::default()] } else { self.reports.clone() }
    }
}
