//! The benchmarks: a package of its own, for it brings the peers.

use std::process::{Command, ExitCode};

use crate::{cargo, usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Passed on; without any, everything is measured and docs/benchmarks.md written. `-- --help` tells
    /// them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    passed_on: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let mut command = Command::new(cargo());
    command.current_dir(workspace()).args(["run", "--release", "--locked"]);
    command.args(["--manifest-path", "bench/Cargo.toml", "--target-dir", "target/bench", "--"]);
    if arguments.passed_on.is_empty() {
        command.args(["--markdown", "docs/benchmarks.md"]);
    }
    match command.args(&arguments.passed_on).status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => usage(format_args!("the benchmarks did not start: {error}")),
    }
}
