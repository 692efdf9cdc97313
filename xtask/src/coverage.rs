//! What no case shows: sentences, requirements, rows of tables, and one side of a question.

use std::process::ExitCode;

use robots_conformance::{coverage, load};

use crate::usage;

pub(crate) fn run() -> ExitCode {
    let suite = match load::embedded() {
        Ok(suite) => suite,
        Err(problems) => return usage(problems),
    };
    let coverage = coverage::coverage(&suite);
    for note in &coverage.notes {
        anstream::eprintln!("note: {note}");
    }
    for problem in &coverage.problems {
        anstream::eprintln!("error: {problem}");
    }
    anstream::println!("{}", coverage.counts);
    if coverage.problems.is_empty() {
        anstream::println!(
            "every sentence has its requirements, every testable requirement and every row its cases"
        );
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
