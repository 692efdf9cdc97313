//! Runs the suite as a test binary, which works with `cargo test` (filters, `--exact`, `--list`) and with
//! cargo-nextest.
//!
//! Each trial is one test of `libtest-mimic`, which reads the arguments and prints the results. This module adds a test
//! that checks the deviations file. This test needs the results of all other tests. The module can also write a
//! deviations file after the run. Start at [`Harness`].

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::Engine;
use libtest_mimic::{Arguments, Completion, Failed};

use crate::report::failure;
use crate::run::deviations::{Deviations, WRITE};
use crate::run::draft::draft;
use crate::run::outcome::Outcome;
use crate::run::trial::Trial;
use crate::run::{Finished, Report, Runner, TIMEOUT};
use crate::suite::Suite;
use crate::suite::load;
use robots_console::render::quoted;

/// Runs the suite against one engine as a test binary with `harness = false`.
///
/// ```no_run
/// use robots_conformance::harness::Harness;
/// use robots_conformance::engine::{Engine, IsAllowed};
///
/// fn main() -> std::process::ExitCode {
///     let engine = IsAllowed { name: "mine", f: |_: &[u8], _: &str, _: &str| true };
///     Harness::new(engine).deviations("tests/deviations.yaml").run()
/// }
/// ```
pub struct Harness {
    engine: Arc<dyn Engine>,
    deviations: Option<PathBuf>,
    suite: Option<Suite>,
    timeout: Duration,
    every_edition: bool,
}

impl Harness {
    /// Makes a harness for an engine, with the embedded suite and no deviations.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self {
            engine: Arc::new(engine),
            deviations: None,
            suite: None,
            timeout: TIMEOUT,
            every_edition: false,
        }
    }

    /// Sets the deviations file; under `cargo test` a relative path starts at the package's root.
    ///
    /// If the environment has `ROBOTS_CONFORMANCE_WRITE_DEVIATIONS=1`, a run writes the file: the failures of this run,
    /// each with a blank reason to fill in. Entries that still apply keep their reasons.
    #[must_use]
    pub fn deviations(mut self, path: impl AsRef<Path>) -> Self {
        self.deviations = Some(path.as_ref().to_owned());
        self
    }

    /// Sets the suite. The default is the embedded suite.
    #[must_use]
    pub fn suite(mut self, suite: Suite) -> Self {
        self.suite = Some(suite);
        self
    }

    /// Sets the time limit for one question.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Asks about every edition, including those that the engine does not declare.
    #[must_use]
    pub fn every_edition(mut self) -> Self {
        self.every_edition = true;
        self
    }

    /// Runs the trials that the command line selects, and returns the exit status.
    ///
    /// If the engine answers that it does not support a question, the trial is ignored, with the engine's reason. A
    /// trial is also ignored if the engine lacks the role or the clock that the trial needs. With a deviations file,
    /// there is one more test, `engine::deviations`. This test fails if an entry is stale: it names no trial, or its
    /// trial cannot have the stated answer. If all trials are selected, the test also fails if an entry covers a whole
    /// case, or a case under one edition, and none of its trials fails any more (a healed entry). If the suite or the
    /// deviations file cannot be read, or if the suite has no trial for the engine, an error is printed and the status
    /// is 101.
    pub fn run(self) -> ExitCode {
        let mut arguments = Arguments::from_args();
        // `libtest` reads this variable, but `libtest-mimic` does not.
        let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|text| text.parse().ok());
        arguments.test_threads = arguments.test_threads.or(threads);
        match self.run_with(&arguments) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(FAILED),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(FAILED)
            }
        }
    }

    /// Runs the selected trials, and returns whether no test failed.
    fn run_with(self, arguments: &Arguments) -> Result<bool, String> {
        let suite = match self.suite {
            Some(suite) => suite,
            None => load::embedded()?,
        };
        let is_written = std::env::var_os(WRITE).is_some_and(|value| !value.is_empty());
        let deviations = match &self.deviations {
            Some(path) if is_written && !path.exists() => Deviations::default(),
            None if is_written => {
                return Err(format!(
                    "{WRITE} is set, but the harness names no file by `deviations`"
                ));
            }
            Some(path) => Deviations::read(path)?,
            None => Deviations::default(),
        };
        let mut runner = Runner::new(self.engine).timeout(self.timeout).deviations(deviations);
        if self.every_edition {
            runner = runner.every_edition();
        }
        let trials = runner.trials(&suite);
        let engine = runner.engine_name().to_owned();
        if trials.is_empty() {
            return Err(format!(
                "the suite has no trial for {engine}: it has no cases, or none for the editions that the engine declares"
            ));
        }
        let run = Arc::new(SharedRun { runner, suite, trials, ended: Ended::default() });
        let mut tests: Vec<libtest_mimic::Trial> =
            run.trials.iter().map(|trial| test(&run, trial)).collect();
        let is_run = |test: &&_| !arguments.is_filtered_out(test) && !arguments.is_ignored(test);
        let selected = tests.iter().filter(is_run).count();
        if self.deviations.is_some() {
            let run = Arc::clone(&run);
            let name = format!("{engine}::deviations");
            tests.push(libtest_mimic::Trial::test(name, move || run.deviations(selected)));
        }
        let is_ok = !libtest_mimic::run(arguments, tests).has_failed();
        if let Some(path) = self.deviations.filter(|_| is_written && !arguments.list) {
            if selected < run.trials.len() {
                return Err(format!("{WRITE} is set: run all trials, without a filter"));
            }
            let report = run.runner.report(run.ended.after(selected));
            let shown = path.display();
            fs::write(&path, draft(&report, ""))
                .map_err(|error| format!("cannot write {shown}: {error}; name another file"))?;
            println!("{shown} is written; give the reason in each `why`, and run without {WRITE}");
        }
        Ok(is_ok)
    }
}

/// The data of one run, which all its tests share.
struct SharedRun {
    runner: Runner,
    suite: Suite,
    /// Every trial for the engine, whether selected or not.
    trials: Vec<Arc<Trial>>,
    ended: Ended,
}

impl SharedRun {
    fn trial(&self, trial: &Arc<Trial>) -> Result<Completion, Failed> {
        let engine = self.runner.engine_name();
        let finished = self.runner.finish(trial);
        self.ended.push(finished.clone());
        match &finished.outcome {
            Outcome::Unanswered { reason } => Ok(Completion::ignored_with(reason)),
            Outcome::NotAsked { missing } => {
                Ok(Completion::ignored_with(format!("not asked: {missing}")))
            }
            outcome if outcome.is_failure() => {
                let rerun = rerun(&trial.full_name(engine));
                Err(failure::of(&finished, engine, &self.suite, &rerun).into())
            }
            _ => Ok(Completion::Completed),
        }
    }

    /// Fails if entries of the deviations file are stale, or if entries of whole cases have healed. Only a run of all
    /// trials shows whether the entry of a whole case has healed, so a run of selected trials does not check this.
    fn deviations(&self, selected: usize) -> Result<(), Failed> {
        let is_selection = selected < self.trials.len();
        let finished = if is_selection { Vec::new() } else { self.ended.after(selected) };
        let mut report = Report::new(self.runner.engine_name(), finished);
        report.is_selection = is_selection;
        self.runner.compare(&mut report, &self.trials);
        let lines: Vec<String> = report.stale.iter().map(ToString::to_string).collect();
        if lines.is_empty() { Ok(()) } else { Err(lines.join("\n").into()) }
    }
}

/// Makes the test of one trial.
fn test(run: &Arc<SharedRun>, trial: &Arc<Trial>) -> libtest_mimic::Trial {
    let name = trial.full_name(run.runner.engine_name());
    let (run, trial) = (Arc::clone(run), Arc::clone(trial));
    libtest_mimic::Trial::ignorable_test(name, move || run.trial(&trial))
}

/// The finished trials.
#[derive(Default)]
struct Ended {
    finished: Mutex<Vec<Finished>>,
    changed: Condvar,
}

impl Ended {
    fn push(&self, finished: Finished) {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner).push(finished);
        self.changed.notify_all();
    }

    /// Waits until the given number of trials have finished, and returns the finished trials in the order of their
    /// names.
    ///
    /// The test that calls this function is the last one, so all other tests have already started. Each trial ends at
    /// its time limit at the latest, so the wait ends.
    fn after(&self, trials: usize) -> Vec<Finished> {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let finished = self.changed.wait_while(finished, |finished| finished.len() < trials);
        let mut finished = finished.unwrap_or_else(PoisonError::into_inner).clone();
        finished.sort_by(|one, other| one.trial.name().cmp(other.trial.name()));
        finished
    }
}

/// The exit status of libtest after a failure.
const FAILED: u8 = 101;

/// Returns the command that runs one trial of this test binary.
fn rerun(name: &str) -> String {
    let package = std::env::var("CARGO_PKG_NAME").map(|package| format!(" -p {package}"));
    let executable = std::env::current_exe().unwrap_or_default();
    let stem = executable.file_stem().unwrap_or_default().to_string_lossy();
    // Cargo appends a hyphen and sixteen hex digits to the name of a test binary.
    let binary = match stem.rsplit_once('-') {
        Some((binary, hash)) if hash.len() == 16 && hash.bytes().all(|o| o.is_ascii_hexdigit()) => {
            binary
        }
        _ => &stem,
    };
    format!("cargo test{} --test {binary} -- --exact {}", package.unwrap_or_default(), quoted(name))
}
