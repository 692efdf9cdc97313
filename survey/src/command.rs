//! Runs the command `robots-conformance` of this checkout, and reads its JSON.
//!
//! The survey uses no other interface of the runner: [`Command::suite`] copies the suite, [`Command::report`] asks a
//! subject or runs a crawler, and [`Command::crawls`] lists the live cases.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::files::{cargo, workspace};

/// The package of the command.
const PACKAGE: &str = "robots-conformance-cli";

/// The command, built from this checkout.
pub(crate) struct Command {
    program: PathBuf,
    /// The folder for the files that the command writes.
    folder: PathBuf,
}

/// A trial in a JSON report.
#[derive(Debug, Deserialize)]
pub(crate) struct Trial {
    pub(crate) case: String,
    pub(crate) edition: String,
    pub(crate) member: Option<String>,
    pub(crate) level: String,
    pub(crate) outcome: String,
    #[serde(default)]
    pub(crate) open: bool,
    /// The subject's answer.
    pub(crate) got: Option<String>,
    /// The error.
    pub(crate) detail: Option<String>,
    /// What a crawler did wrong.
    #[serde(default)]
    pub(crate) findings: Vec<Finding>,
    pub(crate) microseconds: u64,
}

/// What a crawler did wrong, or against good practice.
#[derive(Debug, Deserialize)]
pub(crate) struct Finding {
    pub(crate) level: Option<String>,
    #[serde(default)]
    pub(crate) requirement: String,
    pub(crate) what: String,
}

#[derive(Deserialize)]
struct Report {
    trials: Vec<Trial>,
}

impl Trial {
    /// Returns the name of the question: the case, with `::member` if the case has lists.
    pub(crate) fn question(&self) -> String {
        match &self.member {
            Some(member) => format!("{}::{member}", self.case),
            None => self.case.clone(),
        }
    }
}

impl Command {
    /// Builds the command.
    ///
    /// # Errors
    /// Returns a message if it does not build.
    pub(crate) fn build() -> Result<Self, String> {
        let output = process::Command::new(cargo())
            .current_dir(workspace())
            .args(["build", "--quiet", "--locked", "--package", PACKAGE])
            .arg("--message-format=json-render-diagnostics")
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("cargo did not start: {error}"))?;
        if !output.status.success() {
            return Err(format!("{PACKAGE} does not build; the output is above"));
        }
        let messages = output.stdout.split(|octet| *octet == b'\n');
        let messages = messages.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
        let mut executables =
            messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
        let program = executables.next_back().ok_or("cargo reports no executable")?;
        Ok(Self { program, folder: workspace().join("target/survey") })
    }

    /// Writes the suite into a folder, which is returned: `questions.jsonl` and the files of `spec-cases`.
    ///
    /// # Errors
    /// Returns a message if the command fails.
    pub(crate) fn suite(&self) -> Result<PathBuf, String> {
        let folder = self.folder.join("suite");
        if folder.exists() {
            fs::remove_dir_all(&folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        self.run(&[&"copy", &folder], &[0])?;
        Ok(folder)
    }

    /// Returns the live cases, one JSON object in each line.
    ///
    /// # Errors
    /// Returns a message if the command fails.
    pub(crate) fn crawls(&self) -> Result<String, String> {
        self.run(&[&"list", &"--live", &"--json"], &[0])
    }

    /// Runs the command, which writes a JSON report to this file, and returns the trials of the report.
    ///
    /// # Errors
    /// Returns a message if the command fails for another reason than failed trials.
    pub(crate) fn report(
        &self,
        arguments: &[&dyn AsRef<std::ffi::OsStr>],
        file: &Path,
    ) -> Result<Vec<Trial>, String> {
        let report = format!("json={}", file.display());
        let mut all = arguments.to_vec();
        all.extend([&"--report" as &dyn AsRef<_>, &report]);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        self.run(&all, &[0, 1])?;
        let text = fs::read_to_string(file);
        let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(json::<Report>(&text, file)?.trials)
    }

    /// Runs the command and returns its output. `fine` are the expected exit codes.
    fn run(
        &self,
        arguments: &[&dyn AsRef<std::ffi::OsStr>],
        fine: &[i32],
    ) -> Result<String, String> {
        let mut command = process::Command::new(&self.program);
        command.args(arguments.iter().map(AsRef::as_ref)).current_dir(workspace());
        let output = command.stderr(Stdio::piped()).output();
        let output = output.map_err(|error| format!("{}: {error}", self.program.display()))?;
        if !output.status.code().is_some_and(|code| fine.contains(&code)) {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(format!("robots-conformance failed: {message}"));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }
}

/// Reads JSON from a file.
pub(crate) fn json<T: DeserializeOwned>(text: &str, file: &Path) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{}: {error}", file.display()))
}
