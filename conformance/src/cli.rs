//! The command `conformance`, for any engine: its arguments, and what it prints.
//!
//! The report goes to standard output or a file, failures in full and progress to standard error.
//! Colour and progress appear on a terminal only; `NO_COLOR` is honoured.

use std::collections::BTreeSet;
use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use robots_core::{Edition, Engine};

use crate::case::Suite;
use crate::deviation::Deviations;
use crate::failure::{self, quoted};
use crate::load;
use crate::question::Trial;
use crate::report::{Report, json, terminal};
use crate::run::Runner;

/// The exit status of a usage error.
pub const USAGE: u8 = 2;

/// The arguments of the command.
#[derive(Args, Clone, Debug, Default)]
pub struct ConformanceArgs {
    /// Asks about this edition only, also where the engine does not declare it; repeatable
    #[arg(long = "edition", value_name = "E", value_parser = edition)]
    pub editions: Vec<Edition>,
    /// Asks the cases of this area only; repeatable
    #[arg(long = "area", value_name = "A")]
    pub areas: Vec<String>,
    /// Runs the trials whose full name (`engine::area::case::edition`, `::member`) contains the text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// The engine's known deviations: a YAML file
    #[arg(long, value_name = "FILE")]
    pub deviations: Option<PathBuf>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Writes the report to a file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How a report is written.
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
            let status = if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
            match write(arguments, &report, suite, command) {
                Ok(()) => status,
                Err(message) => usage(&message),
            }
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

fn report(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engine: Arc<dyn Engine>,
) -> Result<Report, String> {
    known_areas(suite, &arguments.areas)?;
    let deviations = match &arguments.deviations {
        Some(path) => Deviations::read(path).map_err(|problems| problems.to_string())?,
        None => Deviations::default(),
    };
    let jobs = thread::available_parallelism().map_or(1, Into::into);
    let declared: BTreeSet<Edition> = engine.editions().iter().copied().collect();
    let runner = Runner::new(engine).deviations(deviations).jobs(jobs).insist();
    // Stale is what no trial of any declared or demanded edition bears out, whatever is selected now.
    let demanded = |trial: &Trial| {
        declared.contains(&trial.edition()) || arguments.editions.contains(&trial.edition())
    };
    let mut trials = runner.trials(suite);
    trials.retain(|trial| demanded(trial));
    let stale = runner.stale(&trials);
    let selected = |trial: &Trial| {
        let (editions, areas) = (&arguments.editions, &arguments.areas);
        (editions.is_empty() || editions.contains(&trial.edition()))
            && (areas.is_empty() || areas.contains(&trial.case().area))
    };
    trials.retain(|trial| selected(trial));
    let asked = trials.len();
    if let Some(text) = &arguments.filter {
        trials.retain(|trial| trial.full_name(runner.engine_name()).contains(text));
    }
    if trials.is_empty() {
        return Err(match &arguments.filter {
            Some(text) if asked > 0 => format!(
                "none of the {asked} selected trials has a name that contains {text:?}; names are \
                 engine::area::case::edition[::member]"
            ),
            _ => "no trial is selected: the engine declares none of these editions, or the areas have \
                  no case of them"
                .to_owned(),
        });
    }

    let progress = progress(trials.len());
    let start = Instant::now();
    let finished = runner.run(&trials, |done| {
        progress.set_message(done.trial.name().to_owned());
        progress.inc(1);
    });
    let took = start.elapsed();
    progress.finish_and_clear();
    Ok(Report { engine: runner.engine_name().to_owned(), finished, stale, took })
}

fn progress(trials: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    let length = u64::try_from(trials).unwrap_or(u64::MAX);
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn write(
    arguments: &ConformanceArgs,
    report: &Report,
    suite: &Suite,
    command: &str,
) -> Result<(), String> {
    let text = match arguments.format {
        Format::Table => terminal::table(report),
        Format::Json => format!("{:#}\n", json::object(report)),
    };
    match &arguments.output {
        Some(path) => fs::write(path, text).map_err(|error| {
            format!("cannot write {}: {error}; name another file", path.display())
        })?,
        None if arguments.format == Format::Table => print(&painted(&text))?,
        None => print(&text)?,
    }
    let failed = AnsiColor::Red.on_default().bold();
    for finished in report.failures() {
        let name = finished.trial.full_name(&report.engine);
        let rerun = format!("{command} --filter {}", quoted(&name));
        let text = failure::render(finished, &report.engine, Some(suite), &rerun);
        let (heading, rest) = text.split_once('\n').unwrap_or((&text, ""));
        anstream::eprintln!("\n{failed}{heading}{failed:#}\n{}", rest.trim_end());
    }
    for problem in &report.stale {
        anstream::eprintln!("\n{failed}STALE{failed:#} {problem}");
    }
    Ok(())
}

/// Writes to standard output; a reader that went away is no error.
fn print(text: &str) -> Result<(), String> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Colours the lines of the editions, which stand before the first blank line.
fn painted(text: &str) -> String {
    let (editions, rest) = text.split_once("\n\n").unwrap_or((text, ""));
    let paint = |line: &str| {
        let colour = if line.ends_with("conforms") { AnsiColor::Green } else { AnsiColor::Yellow };
        let colour = if line.contains("-failure") { AnsiColor::Red } else { colour };
        let style = Style::new().fg_color(Some(colour.into())).bold();
        format!("{style}{line}{style:#}\n")
    };
    let editions: String = editions.lines().map(paint).collect();
    format!("{editions}\n{rest}")
}
