//! The suite as a libtest binary: `cargo test`, its filters, `--exact`, `--list`, and cargo-nextest.

mod libtest;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use robots_core::engine::Engine;

use self::libtest::{Arguments, End, Printer};
use crate::case::Suite;
use crate::deviation::{Deviations, WRITE};
use crate::draft::draft;
use crate::failure::{self, quoted};
use crate::judge::Outcome;
use crate::load;
use crate::question::Trial;
use crate::run::{Report, Runner, TIMEOUT};

/// Runs the suite against one engine as a test binary with `harness = false`.
///
/// ```no_run
/// use robots_conformance::Harness;
/// use robots_core::engine::{Engine, IsAllowed};
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
    insist: bool,
}

impl Harness {
    /// Makes a harness for an engine, with the embedded suite and no deviations.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self {
            engine: Arc::new(engine),
            deviations: None,
            suite: None,
            timeout: TIMEOUT,
            insist: false,
        }
    }

    /// Sets the deviations file; under `cargo test` a relative path starts at the package's root.
    ///
    /// With `ROBOTS_CONFORMANCE_WRITE_DEVIATIONS=1` in the environment a run writes it: today's failures, each
    /// with a blank reason to fill in. Reasons that hold are kept.
    #[must_use]
    pub fn deviations(mut self, path: impl AsRef<Path>) -> Self {
        self.deviations = Some(path.as_ref().to_owned());
        self
    }

    /// Sets another suite than the embedded one.
    #[must_use]
    pub fn suite(mut self, suite: Suite) -> Self {
        self.suite = Some(suite);
        self
    }

    /// Sets how long the engine may think about one question.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Asks about every edition, also those the engine does not declare.
    #[must_use]
    pub fn insist(mut self) -> Self {
        self.insist = true;
        self
    }

    /// Runs the trials that the command line names, and returns the status to exit with.
    ///
    /// An unanswered trial is ignored, with its reason, and so is one for a role the engine does not
    /// declare. With a deviations file, one more trial, `engine::deviations`, fails where entries are
    /// stale. Where the suite or the deviations file cannot be read, or nothing is to be asked at all, that
    /// is said and the status is 101.
    pub fn run(self) -> ExitCode {
        match Arguments::of_process().and_then(|arguments| self.run_with(&arguments)) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(FAILED),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(FAILED)
            }
        }
    }

    /// Returns whether nothing failed.
    fn run_with(self, arguments: &Arguments) -> Result<bool, String> {
        if arguments.help {
            libtest::help();
            return Ok(true);
        }
        let suite = match self.suite {
            Some(suite) => suite,
            None => load::embedded().map_err(|problems| problems.to_string())?,
        };
        let is_written = std::env::var_os(WRITE).is_some_and(|value| !value.is_empty());
        let deviations = match &self.deviations {
            Some(path) if is_written && !path.exists() => Deviations::default(),
            None if is_written => {
                return Err(format!(
                    "{WRITE} is set, but the harness names no file by `deviations`"
                ));
            }
            Some(path) => Deviations::read(path).map_err(|problems| problems.to_string())?,
            None => Deviations::default(),
        };
        let threads = arguments.threads.or_else(|| thread::available_parallelism().ok());
        let mut runner = Runner::new(self.engine)
            .timeout(self.timeout)
            .deviations(deviations)
            .jobs(threads.map_or(1, Into::into));
        if self.insist {
            runner = runner.insist();
        }
        let trials = runner.trials(&suite);
        let engine = runner.engine_name();
        if trials.is_empty() {
            return Err(format!(
                "the suite asks {engine} nothing: it has no case, or none of the editions the engine declares"
            ));
        }
        let stale = self.deviations.is_some().then(|| format!("{engine}::deviations"));
        let all = trials.len() + usize::from(stale.is_some());
        let stale = stale.filter(|name| arguments.select(name));
        let selected = |trial: &&Arc<Trial>| arguments.select(&trial.full_name(engine));
        let selected: Vec<Arc<Trial>> = trials.iter().filter(selected).cloned().collect();
        if arguments.list {
            let names = selected.iter().map(|trial| trial.full_name(engine)).chain(stale);
            let lines: Vec<String> = names.map(|name| name + ": test\n").collect();
            libtest::print(&lines.concat());
            return Ok(true);
        }
        let tests = selected.len() + usize::from(stale.is_some());
        let mut printer = Printer::start(arguments.quiet, tests);
        let start = Instant::now();
        let finished = runner.run(&selected, |finished| {
            let name = finished.trial.full_name(engine);
            let end = match &finished.outcome {
                Outcome::Unanswered { reason } => End::Ignored(reason.clone()),
                Outcome::NotAsked => {
                    End::Ignored(format!("not asked: it is for a {}", finished.trial.role()))
                }
                outcome if outcome.is_failure() => {
                    End::Failed(failure::render(finished, engine, Some(&suite), &rerun(&name)))
                }
                _ => End::Passed,
            };
            printer.test(&name, end);
        });
        if let Some(name) = stale {
            let mut problems = runner.stale(&trials);
            if selected.len() == trials.len() {
                problems.extend(runner.healed(&finished));
            }
            let told: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let end = if told.is_empty() { End::Passed } else { End::Failed(told.join("\n")) };
            printer.test(&name, end);
        }
        let is_ok = printer.finish(all - tests, start.elapsed());
        if let Some(path) = self.deviations.filter(|_| is_written) {
            if selected.len() < trials.len() {
                return Err(format!("{WRITE} is set: run all trials, without a filter"));
            }
            let (engine, took) = (engine.to_owned(), start.elapsed());
            let report = Report {
                engine,
                finished,
                stale: Vec::new(),
                took,
                is_selection: false,
                unasked: 0,
            };
            let told = path.display();
            fs::write(&path, draft(&report))
                .map_err(|error| format!("cannot write {told}: {error}; name another file"))?;
            libtest::print(&format!(
                "{told} is written; say why in each `why`, and run without {WRITE}\n"
            ));
        }
        Ok(is_ok)
    }
}

/// The exit status of libtest where something failed.
const FAILED: u8 = 101;

/// Returns the command that runs one trial of this test binary.
fn rerun(name: &str) -> String {
    let package = std::env::var("CARGO_PKG_NAME").map(|package| format!(" -p {package}"));
    let executable = std::env::current_exe().unwrap_or_default();
    let stem = executable.file_stem().unwrap_or_default().to_string_lossy();
    // Cargo appends a hyphen and sixteen hex digits.
    let binary = match stem.rsplit_once('-') {
        Some((binary, hash)) if hash.len() == 16 && hash.bytes().all(|o| o.is_ascii_hexdigit()) => {
            binary
        }
        _ => &stem,
    };
    format!("cargo test{} --test {binary} -- --exact {}", package.unwrap_or_default(), quoted(name))
}
