//! The command `conformance`, for any engine: its arguments, and what it prints.
//!
//! The report goes to standard output or a file, failures in full and progress to standard error.
//! Colour and progress appear on a terminal only; `NO_COLOR` is honoured.

mod reports;
mod subject;

use std::collections::BTreeSet;
use std::fs;
use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use robots_core::{Edition, Engine, Profile};

use self::reports::Reports;
use self::subject::Asked;
pub use self::subject::SubjectArgs;
use crate::case::Suite;
use crate::deviation::{self, Deviations};
use crate::failure::{self, quoted};
use crate::load;
use crate::question::{self, Trial};
use crate::report::{Report, ReportFormat, ReportTarget};
use crate::run::{Runner, TIMEOUT};

/// The exit status of a usage error.
pub const USAGE: u8 = 2;

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
    robots-conformance run --subject ./adapter --write-expectations known.yaml
    robots-conformance run --subject ./adapter --expectations known.yaml";

/// The arguments of the command.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct ConformanceArgs {
    /// Asks about this edition only, also where the engine does not declare it; repeatable
    #[arg(long = "edition", value_name = "E", value_parser = edition)]
    pub editions: Vec<Edition>,
    /// Asks by this profile only: an edition, or google-cpp, what Google's published C++ library was seen
    /// to do; repeatable
    #[arg(long = "profile", value_name = "P", value_parser = profile)]
    pub profiles: Vec<Profile>,
    /// Asks the cases of this area only; repeatable
    #[arg(long = "area", value_name = "A")]
    pub areas: Vec<String>,
    /// Runs the trials whose full name (`engine::area::case::edition`, `::member`) contains the text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// What the engine is known to answer otherwise, and why: a YAML file
    #[arg(long, value_name = "FILE", alias = "deviations")]
    pub expectations: Option<PathBuf>,
    /// Writes today's failures as such a file, with a blank `why` each to fill in
    #[arg(long, value_name = "FILE")]
    pub write_expectations: Option<PathBuf>,
    /// How long a question may take [default: 5 for subjects, 10 for the embedded parser]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// How many questions are asked at a time [default: the number of processors, or what a subject's
    /// `pipeline` takes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Writes a report: terminal, json, jsonl, junit, markdown or html; repeatable [default: terminal]
    #[arg(long = "report", value_name = "FORMAT[=FILE]")]
    pub reports: Vec<ReportTarget>,
    /// How the one report is written; short for --report
    #[arg(long, value_enum, default_value_t, conflicts_with = "reports")]
    pub format: Format,
    /// Writes that report to a file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "reports")]
    pub output: Option<PathBuf>,
    /// What is asked; last, since its heading holds for all that follows
    #[command(flatten)]
    pub subject: SubjectArgs,
}

/// How a report is written, where `--report` is not given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for readers
    #[default]
    Table,
    /// One JSON object, described by `conformance/schema/report.schema.json`
    Json,
}

/// Runs the embedded suite against an engine.
///
/// `command` is what a reader types to run this again; failures add `--filter NAME` to it. The status
/// is 0 where all passed, 1 where something failed, 2 where the arguments name nothing.
pub fn run(arguments: &ConformanceArgs, engine: Arc<dyn Engine>, command: &str) -> ExitCode {
    match load::embedded() {
        Ok(suite) => run_suite(arguments, &suite, engine, command),
        Err(problems) => usage(&problems.to_string()),
    }
}

/// Runs a suite against an engine, as [`run`] does with the embedded one.
pub fn run_suite(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engine: Arc<dyn Engine>,
    command: &str,
) -> ExitCode {
    match report(arguments, suite, engine) {
        Ok(report) => {
            let command = format!("{command}{}", arguments.subject.again());
            failures(arguments, &report, suite, &command);
            if !report.is_answered() {
                anstream::eprintln!(
                    "error: no question was answered; does its hello name what it answers?"
                );
            }
            if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(message) => usage(&message),
    }
}

/// Says what is wrong with the arguments, and returns the status 2.
pub fn usage(message: &str) -> ExitCode {
    let error = AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{error}error{error:#}: {message}");
    ExitCode::from(USAGE)
}

/// Reads an edition's id; the error lists the known ones.
///
/// # Errors
/// Where the text is no edition's id.
pub fn edition(text: &str) -> Result<Edition, String> {
    text.parse().map_err(|error: robots_core::UnknownEdition| error.to_string())
}

/// Reads a profile's id, an edition's or google-cpp; the error lists the known ones.
///
/// # Errors
/// Where the text is no profile's id.
pub fn profile(text: &str) -> Result<Profile, String> {
    text.parse().map_err(|error: robots_core::UnknownProfile| error.to_string())
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
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| "a number of seconds above 0".into())
}

/// Asks what is selected, and writes the reports.
fn report(
    arguments: &ConformanceArgs,
    suite: &Suite,
    embedded: Arc<dyn Engine>,
) -> Result<Report, String> {
    known_areas(suite, &arguments.areas)?;
    let observed = arguments.profiles.contains(&Profile::GoogleCpp);
    for problem in suite.unobserved.iter().filter(|_| observed) {
        let note = AnsiColor::Yellow.on_default().bold();
        anstream::eprintln!("{note}note{note:#}: {problem}");
    }
    let deviations = match &arguments.expectations {
        Some(path) => Deviations::read(path).map_err(|problems| problems.to_string())?,
        None => Deviations::default(),
    };
    let jobs = arguments.jobs.map(usize::from);
    let asked = arguments.subject.start(embedded, arguments.timeout, jobs)?;
    let (timeout, jobs) = match &asked {
        Asked::Embedded(_) => (arguments.timeout.unwrap_or(TIMEOUT), jobs),
        // They keep the time themselves.
        Asked::Subject(subject) => (Duration::MAX, Some(subject.jobs())),
        Asked::Tool(_) => (Duration::MAX, jobs),
    };
    let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
    let engine = asked.engine();
    let mut declared: BTreeSet<Profile> =
        engine.editions().iter().copied().map(Profile::from).collect();
    declared.extend(engine.observes().then_some(Profile::GoogleCpp));
    let asked_for = arguments.asked_for();
    let runner = Runner::new(engine).deviations(deviations).timeout(timeout).jobs(jobs).insist();
    // Stale is what no trial of any declared or demanded edition bears out, whatever is selected now.
    let demanded =
        |trial: &Trial| declared.contains(&trial.profile()) || asked_for.contains(&trial.profile());
    let mut trials = runner.trials(suite);
    trials.extend(question::observed(suite));
    trials.retain(|trial| demanded(trial));
    let stale = runner.stale(&trials);
    let selected = |trial: &Trial| {
        let areas = &arguments.areas;
        let profile = trial.profile();
        // The observed profile counts only where it is asked for.
        (asked_for.contains(&profile) || asked_for.is_empty() && profile.edition().is_some())
            && (areas.is_empty() || areas.contains(&trial.case().area))
    };
    trials.retain(|trial| selected(trial));
    let selected = trials.len();
    if let Some(text) = &arguments.filter {
        trials.retain(|trial| trial.full_name(runner.engine_name()).contains(text));
    }
    if trials.is_empty() {
        return Err(match &arguments.filter {
            Some(text) if selected > 0 => format!(
                "none of the {selected} selected trials has a name that contains {text:?}; names are \
                 engine::area::case::edition[::member]"
            ),
            _ => "no trial is selected: the engine declares none of these editions, or the areas have \
                  no case of them"
                .to_owned(),
        });
    }

    let mut reports = Reports::open(&arguments.targets(), runner.engine_name(), trials.len())?;
    let progress = progress(trials.len());
    let start = Instant::now();
    let finished = runner.run(&trials, |done| {
        progress.set_message(done.trial.name().to_owned());
        progress.inc(1);
        reports.trial(done);
    });
    let took = start.elapsed();
    progress.finish_and_clear();
    let report = Report { engine: runner.engine_name().to_owned(), finished, stale, took };
    reports.finish(&report, suite)?;
    if let Asked::Subject(subject) = &asked {
        subject.stop();
        let note = AnsiColor::Yellow.on_default().bold();
        for text in subject.notes() {
            anstream::eprintln!("{note}note{note:#}: {text}");
        }
    }
    if let Some(path) = &arguments.write_expectations {
        fs::write(path, deviation::draft(&report)).map_err(|error| {
            format!("cannot write {}: {error}; name another file", path.display())
        })?;
    }
    Ok(report)
}

impl ConformanceArgs {
    /// Returns the profiles asked for; none where the engine's editions are.
    fn asked_for(&self) -> Vec<Profile> {
        let editions = self.editions.iter().copied().map(Profile::from);
        editions.chain(self.profiles.iter().copied()).collect()
    }

    fn targets(&self) -> Vec<ReportTarget> {
        if !self.reports.is_empty() {
            return self.reports.clone();
        }
        let format = match self.format {
            Format::Table => ReportFormat::Terminal,
            Format::Json => ReportFormat::Json,
        };
        vec![ReportTarget { format, file: self.output.clone() }]
    }
}

fn progress(trials: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    let length = u64::try_from(trials).unwrap_or(u64::MAX);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Tells the failures in full, on standard error.
fn failures(arguments: &ConformanceArgs, report: &Report, suite: &Suite, command: &str) {
    let failed = AnsiColor::Red.on_default().bold();
    for finished in report.failures() {
        let name = finished.trial.full_name(&report.engine);
        // A profile that was asked for needs that again.
        let profile = finished.trial.profile();
        let option = if profile.edition().is_some() { "edition" } else { "profile" };
        let insisted = if arguments.asked_for().contains(&profile) {
            format!(" --{option} {profile}")
        } else {
            String::new()
        };
        let rerun = format!("{command}{insisted} --filter {}", quoted(&name));
        let text = failure::render(finished, &report.engine, Some(suite), &rerun);
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        anstream::eprintln!("\n{failed}{heading}{failed:#}\n{}", rest.trim_end());
    }
    for problem in &report.stale {
        anstream::eprintln!("\n{failed}STALE{failed:#} {problem}");
    }
}
