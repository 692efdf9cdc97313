//! Tests the suite: readers with one fault each show which requirements the cases protect.
//!
//! A case is fair if only readers that violate its requirement fail it. So a parser with one fault fails only cases
//! about requirements that this fault violates. [`matrix()`] runs every reader of [`fault::Fault`] through the suite,
//! and [`problems()`] compares the failures with the table of faults and with `spec-cases/faults/exceptions.yaml`.
//! `cargo xtask faults` runs this program; `cargo test` does not build it.

// The table of faults.
mod fault;
// The listed failures, with their reasons.
mod exceptions;
// Answers about scope, fetch results, caching and the grammar, changed according to a fault.
mod bent;
// A retriever with a fault.
mod retriever;
// A small parser with a fault.
mod reader;
// Runs the readers through the suite.
mod matrix;
// Decides what the failures of the readers say about the suite.
mod problems;

#[cfg(test)]
mod tests;

use std::env;
use std::process::ExitCode;

use robots_conformance::suite::load;

use self::exceptions::Exceptions;
use self::matrix::{Matrix, matrix};
use self::problems::problems;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let as_json = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--json"] => true,
        _ => {
            anstream::eprintln!("error: the only option is --json, not {arguments:?}");
            return ExitCode::from(2);
        }
    };
    match run(as_json) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            anstream::eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(as_json: bool) -> Result<bool, String> {
    let suite = load::embedded()?;
    let exceptions = Exceptions::read()?;
    let matrix = matrix(&suite);
    if as_json {
        anstream::print!("{}", lines(&matrix));
        return Ok(true);
    }
    let problems = problems(&matrix, &suite, &exceptions);
    for problem in &problems {
        anstream::eprintln!("error: {problem}");
    }
    anstream::println!("{} readers, {} exceptions", matrix.len(), exceptions.all().count());
    Ok(problems.is_empty())
}

/// Returns the failures as JSON Lines, one for each reader that violates a requirement. The measurements of the survey
/// read them, to find the requirement under which a failure counts.
fn lines(matrix: &Matrix) -> String {
    let violating = matrix.iter().filter(|(fault, _)| !fault.requirements().is_empty());
    let line = |(fault, failed): (&fault::Fault, _)| {
        let offends = fault.requirements();
        serde_json::json!({ "reader": fault.name(), "offends": offends, "fails": failed })
            .to_string()
    };
    violating.map(line).fold(String::new(), |text, line| text + &line + "\n")
}
