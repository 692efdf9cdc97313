//! Runs the benchmarks of the parsers and of the retrieval.
//!
//! Start at [`run()`]. `cargo xtask bench` and `cargo xtask bench fetch` each write their results to a separate part of
//! docs/benchmarks.md, in a short form. With further arguments, the two commands print all results and write nothing.
//! The benchmarks are separate packages, because they depend on parsers of other projects.

use std::fs;
use std::process::{Command, Stdio};

use crate::invocation::{cargo, workspace};
use crate::written::between;

const PAGE: &str = "docs/benchmarks.md";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// `fetch` as the first argument measures the retrieval. All other arguments are passed to the benchmarks;
    /// `-- --help` describes those of the parsers. Without arguments, the parsers are measured and docs/benchmarks.md
    /// is written
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    passed_on: Vec<String>,
}

/// A benchmark, and the part of docs/benchmarks.md that contains its results.
struct Measure {
    part: &'static str,
    manifest: &'static str,
    target: &'static str,
}

const PARSERS: Measure =
    Measure { part: "parsers", manifest: "bench/Cargo.toml", target: "target/bench" };
const FETCH: Measure =
    Measure { part: "fetch", manifest: "bench/fetch/Cargo.toml", target: "target/bench-fetch" };

pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    match &*arguments.passed_on {
        [] => PARSERS.written(),
        [first] if first == "fetch" => FETCH.written(),
        [first, rest @ ..] if first == "fetch" => FETCH.shown(rest),
        all => PARSERS.shown(all),
    }
}

impl Measure {
    fn command(&self) -> Command {
        let mut command = Command::new(cargo());
        command.current_dir(workspace()).args(["run", "--release", "--locked"]);
        command.args(["--manifest-path", self.manifest, "--target-dir", self.target, "--"]);
        command
    }

    /// Runs the benchmark, and prints the results.
    fn shown(&self, words: &[String]) -> Result<bool, String> {
        let status = self.command().args(words).status();
        let status = status.map_err(|error| format!("the benchmarks did not start: {error}"))?;
        Ok(status.success())
    }

    /// Runs the benchmark, prints the short form of the results, and writes it to the page.
    fn written(&self) -> Result<bool, String> {
        let output = self.command().arg("--short").stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("the benchmarks did not start: {error}"))?;
        if !output.status.success() {
            return Ok(false);
        }
        let found = String::from_utf8_lossy(&output.stdout);
        let path = workspace().join(PAGE);
        let page = fs::read_to_string(&path).map_err(|error| format!("{PAGE}: {error}"))?;
        let page = between(PAGE, &page, &marks(self.part), &found)?;
        fs::write(&path, page).map_err(|error| format!("{PAGE}: {error}"))?;
        anstream::println!("{found}written: {PAGE}");
        Ok(true)
    }
}

/// Returns the lines of the page before and after a part.
fn marks(part: &str) -> [String; 2] {
    [format!("<!-- {part}: written, not to be edited -->"), format!("<!-- end of {part} -->")]
}
