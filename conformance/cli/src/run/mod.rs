//! The verb `run` for any engine: its arguments and its output.
//!
//! The report goes to standard output or a file; failures and progress go to standard error. Colour and progress appear
//! only on a terminal, and `NO_COLOR` turns colour off.

pub(crate) mod failures;
mod progress;
pub(crate) mod reports;
mod subject;
mod trials;

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anstyle::AnsiColor;
use clap::Args;
use robots_core::Profile;
use robots_core::engine::Engine;

use self::progress::Progress;
use self::reports::Reports;
use self::subject::Subject;
pub use self::subject::SubjectArgs;
pub use self::trials::{TrialArgs, known_areas};
use crate::ending::Ending;
use crate::report::record::RunRecord;
use robots_conformance::report::{Cases, TrialRecord};
use robots_conformance::run::deviations::Deviations;
use robots_conformance::run::draft;
use robots_conformance::run::selection::Selection;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::run::{Report, Runner, TIMEOUT};
use robots_conformance::suite::Suite;
use robots_conformance::suite::load;
use robots_console::error::Error;
use robots_console::output::{remark, seconds, to_stderr, usage};

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

/// The arguments of the command.
#[derive(Args, Clone, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct ConformanceArgs {
    /// Asks only about this edition, even if the engine does not declare it; also the draft aipref-2026-08, or google-cpp,
    /// the observed behaviour of Google's published C++ library; repeatable [default: all published editions]
    #[arg(long = "edition", value_name = "E")]
    pub editions: Vec<Profile>,
    /// The arguments that the verb `live` has too
    #[command(flatten)]
    pub trials: TrialArgs,
    /// The time limit for a question [default: 5 for subjects, 10 for the embedded parser]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// How many questions are asked at a time [default: the number of processors, or a subject's `pipeline`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// The arguments that name a subject, which is tested instead of the embedded parser
    #[command(flatten)]
    pub subject: SubjectArgs,
}

/// Runs the embedded suite against engines, or against the subject in the arguments.
///
/// `command` is the command line that repeats this run; a failure shows it with `--filter NAME`. The status is 0 if
/// everything passed. The status is 1 if a trial failed, an entry of the deviations file is no longer valid, or no
/// question was answered. The status is 2 if the arguments select nothing or a report cannot be written.
pub fn run(arguments: &ConformanceArgs, engines: &[Arc<dyn Engine>], command: &str) -> ExitCode {
    match load::embedded() {
        Ok(suite) => run_suite(arguments, &suite, engines, command),
        Err(problems) => usage(&problems.to_string()),
    }
}

/// Runs the given suite against engines, as [`run`] does with the embedded suite.
pub fn run_suite(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engines: &[Arc<dyn Engine>],
    command: &str,
) -> ExitCode {
    let ending = Ending::watch();
    let results =
        reports(arguments, suite, engines, command, &ending).map(|(reports, unwritten)| {
            for report in reports.iter().map(|(report, _)| report) {
                if report.unasked == 0 && !report.is_answered() {
                    to_stderr(
                        "error: no question was answered; does its hello name what it answers?",
                    );
                }
            }
            (reports.into_iter().map(|(_, record)| record).collect(), unwritten)
        });
    status(results, &ending)
}

/// Prints which records are partial and which files could not be written, and returns the exit status of the run.
pub(crate) fn status(
    results: Result<(Vec<RunRecord>, Option<String>), Error>,
    ending: &Ending,
) -> ExitCode {
    let status = match results {
        Ok((records, unwritten)) => {
            for partial in records.iter().filter_map(RunRecord::partial) {
                to_stderr(&format!("\n{partial}"));
            }
            match unwritten {
                Some(problems) => usage(&problems),
                None if records.iter().all(|record| record.clean) => ExitCode::SUCCESS,
                None => ExitCode::FAILURE,
            }
        }
        Err(message) => usage(&message),
    };
    ending.status().map_or(status, ExitCode::from)
}

/// The results of the engines, and the reports that could not be written.
type Results = (Vec<(Report, RunRecord)>, Option<String>);

/// Asks the selected questions, and writes the reports.
fn reports(
    arguments: &ConformanceArgs,
    suite: &Suite,
    engines: &[Arc<dyn Engine>],
    command: &str,
    ending: &Ending,
) -> Result<Results, Error> {
    known_areas(&suite.areas(), &arguments.trials.areas)?;
    let observed = arguments.editions.contains(&Profile::GoogleCpp);
    for problem in suite.unobserved.iter().filter(|_| observed) {
        let note = AnsiColor::Yellow.on_default().bold();
        remark(&format!("{note}note{note:#}: {problem}"));
    }
    let deviations = arguments.trials.deviations()?;
    let jobs = arguments.jobs.map(usize::from);
    let asked = match arguments.subject.start(arguments.timeout, jobs)? {
        Some(subject) => vec![subject],
        None => engines.iter().cloned().map(Subject::Embedded).collect(),
    };
    let runs: Vec<EngineRun> = asked
        .into_iter()
        .map(|asked| EngineRun::of(arguments, suite, &deviations, asked, ending))
        .collect();
    if runs.iter().all(|run| run.trials.is_empty()) {
        return Err(nothing_selected(arguments, &runs).into());
    }
    let command = format!("{command}{}", arguments.subject.again());
    let runs = runs.into_iter().filter(|run| !run.trials.is_empty());
    let cases = Cases::of(suite);
    let mut outputs = Reports::open(&arguments.trials.reports)?;
    let mut reports = Vec::new();
    for run in runs {
        reports.push(run.report(arguments, &mut outputs, &cases, &command));
    }
    let records: Vec<RunRecord> = reports.iter().map(|(_, record)| record.clone()).collect();
    let draft =
        arguments.trials.draft(|| reports.iter().map(|(report, _)| draft::draft(report)).collect());
    let sources = arguments.trials.sources.as_ref();
    let unwritten = outputs.finish(&records, &cases, sources, draft).err();
    Ok((reports, unwritten))
}

/// The trials of one engine.
struct EngineRun {
    asked: Subject,
    runner: Runner,
    /// All trials of the editions that the engine declares or the user requests.
    all: Vec<Arc<Trial>>,
    /// The selected trials.
    trials: Vec<Arc<Trial>>,
    /// The number of trials that would be selected without the filter.
    unfiltered: usize,
}

impl EngineRun {
    fn of(
        arguments: &ConformanceArgs,
        suite: &Suite,
        deviations: &Deviations,
        asked: Subject,
        ending: &Ending,
    ) -> Self {
        let jobs = arguments.jobs.map(usize::from);
        let (timeout, jobs) = match &asked {
            Subject::Embedded(_) => (arguments.timeout.unwrap_or(TIMEOUT), jobs),
            // An engine that runs a process enforces the time limit itself, so the runner has no limit.
            Subject::Process(subject) => (Duration::MAX, Some(subject.jobs())),
            Subject::Tool(_) => (Duration::MAX, jobs),
        };
        let jobs = jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, Into::into));
        let engine = asked.engine();
        let declared = engine.profiles().to_vec();
        let runner = Runner::new(engine)
            .deviations(deviations.clone())
            .timeout(timeout)
            .jobs(jobs)
            .every_edition();
        let runner = runner.ending(Arc::clone(&ending.is_ending));
        let mut trials = runner.trials(suite);
        trials.extend(trial::observed(suite));
        // An entry of the deviations file is stale if it applies to no trial of a declared or requested edition. Trials
        // that are not selected are included.
        trials.retain(|trial| {
            declared.contains(&trial.profile()) || arguments.editions.contains(&trial.profile())
        });
        let all = trials.clone();
        let selection = arguments.selection();
        trials.retain(|trial| {
            selection.has_profile(trial.profile()) && selection.has_area(&trial.case().area)
        });
        let unfiltered = trials.len();
        trials.retain(|trial| selection.has_name(&trial.full_name(runner.engine_name())));
        Self { asked, runner, all, trials, unfiltered }
    }

    /// Asks the questions, and prints the failures.
    fn report(
        self,
        arguments: &ConformanceArgs,
        outputs: &mut Reports,
        cases: &Cases,
        command: &str,
    ) -> (Report, RunRecord) {
        let Self { asked, runner, all, trials, .. } = self;
        outputs.begin(runner.engine_name(), None, trials.len());
        let progress = Progress::start(trials.len());
        let start = Instant::now();
        let finished = runner.run(&trials, |done| {
            progress.trial(done.trial.name());
            if outputs.follows() {
                outputs.trial(&TrialRecord::of(done, runner.engine_name()));
            }
        });
        let mut report = Report::new(runner.engine_name(), finished);
        report.took = start.elapsed();
        progress.end();
        report.is_selection = arguments.selection().is_part();
        report.unasked = trials.len() - report.trials.len();
        runner.compare(&mut report, &all);
        let record = RunRecord::of(&report);
        outputs.end(&record);
        arguments.trials.print_failures(&record, cases, command, &arguments.editions);
        if let Subject::Process(subject) = &asked {
            subject.stop();
            let note = AnsiColor::Yellow.on_default().bold();
            for text in subject.notes() {
                remark(&format!("{note}note{note:#}: {text}"));
            }
        }
        (report, record)
    }
}

fn nothing_selected(arguments: &ConformanceArgs, runs: &[EngineRun]) -> String {
    let unfiltered: usize = runs.iter().map(|run| run.unfiltered).sum();
    match &arguments.trials.filter {
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
    fn selection(&self) -> Selection {
        self.trials.selection(self.editions.iter().copied())
    }
}
