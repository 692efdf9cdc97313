//! The verbs of the package `xtask-heavy`, which needs crates that no other verb needs. Cargo builds it when
//! one is called, so that `cargo xtask conformance` does not wait for it.

use std::process::{Command, ExitCode};

use crate::{cargo, usage, workspace};

#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Passed on; `--help` tells them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    passed_on: Vec<String>,
}

pub(crate) fn run(verb: &str, arguments: &Arguments) -> ExitCode {
    let mut command = Command::new(cargo());
    command.current_dir(workspace()).args(["run", "--package", "xtask-heavy", "--", verb]);
    match command.args(&arguments.passed_on).status() {
        Ok(status) => {
            ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
        }
        Err(error) => usage(format_args!("cargo did not start: {error}")),
    }
}
