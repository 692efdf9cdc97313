//! The parts of `cargo xtask` that need the suite. They are an example of this crate, so that `cargo xtask` compiles
//! without the suite.
//!
//! `coverage` finds gaps of the suite, `case AREA ID KIND` begins a new case, and `seeds` writes input for the fuzz
//! targets. `cargo xtask` passes the arguments.

mod case;
mod coverage;
mod seeds;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["coverage"] => coverage::run(),
        ["case", area, id, kind] => case::run(&workspace(), area, id, kind),
        ["seeds"] => seeds::run(&workspace()),
        _ => Err("the verbs are `coverage`, `case AREA ID KIND` and `seeds`".to_owned()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Returns the workspace's folder.
fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
