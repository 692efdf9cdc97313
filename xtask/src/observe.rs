//! The observed profile `google-cpp`: records how Google's published library answers the suite, and compares the engine
//! of `robots-google-cpp` with the library on random questions.
//!
//! Start at [`run()`]. Python runs `conformance/google-cpp/observe.py`, which asks the library. The other program is the
//! command `robots-conformance`: it copies the suite, and answers with the engine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::invocation::{built, workspace};
use crate::written::settle;

/// The package with the library, as pip installs it.
const ORACLE: &str = "jwm.robotstxt==1.0.8";
const OBSERVED: &str = "spec-cases/observed/google-cpp.yaml";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail if the checked-in answers are stale
    #[arg(long)]
    check: bool,
    /// The number of random questions
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    count: u32,
    /// The seed of the questions; by default a different one each time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let install = workspace().join("target/observe");
    let python = oracle(&install)?;
    let script = workspace().join("conformance/google-cpp/observe.py");
    let build = ["--profile", "local", "--package", "robots-conformance-cli"];
    let [subject] = built(&build, ["robots-conformance"])?;

    let answers = answers(&python, &script, &install, &subject)?;
    let texts = [(OBSERVED.to_owned(), answers)];
    if !settle("observe", &workspace(), &texts, arguments.check)? {
        return Ok(false);
    }

    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (seed, count) = (arguments.seed.unwrap_or(now).to_string(), arguments.count.to_string());
    anstream::println!("{count} made-up questions of seed {seed}");
    let status = Command::new(&python)
        .arg(&script)
        .args(["compare", &seed, &count, "--"])
        .arg(&subject)
        .arg("serve")
        .status()
        .map_err(|error| format!("{} did not start: {error}", python.display()))?;
    if !status.success() {
        anstream::eprintln!(
            "error: the engine differs from the library: append these lines to \
             conformance/google-cpp/tests/triples.tsv, which the engine's test reads, and correct the engine"
        );
    }
    Ok(status.success())
}

/// Installs the library into an environment of its own, and returns the Python of this environment.
fn oracle(install: &Path) -> Result<PathBuf, String> {
    let python = install.join("python/bin/python");
    let environment = install.join("python");
    succeeds(Command::new("python3").args(["-m", "venv"]).arg(environment))?;
    succeeds(Command::new(&python).args(["-m", "pip", "install", "--quiet", ORACLE]))?;
    Ok(python)
}

/// Asks the library the verdict questions of the suite, and returns its answers as YAML.
fn answers(python: &Path, script: &Path, install: &Path, subject: &Path) -> Result<String, String> {
    let folder = install.join("suite");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    succeeds(Command::new(subject).arg("copy").arg(&folder))?;
    succeeds(Command::new(python).arg(script).arg("cases").arg(&folder))
}

/// Runs a command, and returns its output.
fn succeeds(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("{program} did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program} failed; its message is above"));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}
