//! The suite as a libtest binary: `cargo test`, its filters, `--exact`, `--list`, and cargo-nextest.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use libtest_mimic::{Arguments, Completion, Failed, Trial as Test};
use robots_core::Engine;

use crate::case::Suite;
use crate::deviation::Deviations;
use crate::failure::{self, quoted};
use crate::judge::Outcome;
use crate::load;
use crate::question::Trial;
use crate::run::{Runner, TIMEOUT};

/// Runs the suite against one engine as a test binary with `harness = false`.
///
/// ```no_run
/// use robots_conformance::Harness;
/// use robots_core::{Engine, IsAllowed};
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
    /// An unanswered trial is ignored, with its reason, and so is one for a role the engine does not declare. With a deviations file, one more trial,
    /// `engine::deviations`, fails where entries are stale. Where the suite or the deviations file
    /// cannot be read, or nothing is to be asked at all, that is said and the status is 101.
    pub fn run(self) -> ExitCode {
        let arguments = Arguments::from_args();
        match self.tests() {
            Ok(tests) => libtest_mimic::run(&arguments, tests).exit_code(),
            Err(message) => {
                eprintln!("{message}");
                ExitCode::from(101)
            }
        }
    }

    fn tests(self) -> Result<Vec<Test>, String> {
        let suite = match self.suite {
            Some(suite) => suite,
            None => load::embedded().map_err(|problems| problems.to_string())?,
        };
        let deviations = match &self.deviations {
            Some(path) => Deviations::read(path).map_err(|problems| problems.to_string())?,
            None => Deviations::default(),
        };
        let mut runner = Runner::new(self.engine).timeout(self.timeout).deviations(deviations);
        if self.insist {
            runner = runner.insist();
        }
        let trials = runner.trials(&suite);
        if trials.is_empty() {
            let name = runner.engine_name();
            return Err(format!(
                "the suite asks {name} nothing: it has no case, or none of the editions the engine declares"
            ));
        }
        let (runner, suite) = (Arc::new(runner), Arc::new(suite));
        let mut tests: Vec<Test> =
            trials.iter().map(|trial| test(&runner, &suite, Arc::clone(trial))).collect();
        if self.deviations.is_some() {
            let name = format!("{}::deviations", runner.engine_name());
            tests.push(Test::test(name, move || {
                let stale: Vec<String> =
                    runner.stale(&trials).iter().map(ToString::to_string).collect();
                if stale.is_empty() { Ok(()) } else { Err(Failed::from(stale.join("\n"))) }
            }));
        }
        Ok(tests)
    }
}

fn test(runner: &Arc<Runner>, suite: &Arc<Suite>, trial: Arc<Trial>) -> Test {
    let (runner, suite) = (Arc::clone(runner), Arc::clone(suite));
    let name = trial.full_name(runner.engine_name());
    Test::ignorable_test(name.clone(), move || {
        let finished = runner.finish(&trial);
        match &finished.outcome {
            Outcome::Unanswered { reason } => Ok(Completion::ignored_with(reason)),
            Outcome::NotAsked => {
                Ok(Completion::ignored_with(format!("not asked: it is for a {}", trial.role())))
            }
            outcome if outcome.is_failure() => {
                let rerun = rerun(&name);
                Err(failure::render(&finished, runner.engine_name(), Some(&suite), &rerun).into())
            }
            _ => Ok(Completion::Completed),
        }
    })
}

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
