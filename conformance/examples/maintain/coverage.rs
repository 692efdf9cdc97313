//! Finds gaps of the suite: sentences of a document without a requirement, and requirements and table rows without
//! cases. A requirement is also a gap if no answer fails its cases, or if all its cases expect the same one of two
//! opposite answers.
//!
//! [`coverage::coverage`] finds the gaps in the embedded suite. This module prints the problems, and fails if there is
//! one.

use robots_conformance::coverage;
use robots_conformance::suite::load;

pub(crate) fn run() -> Result<bool, String> {
    let suite = load::embedded()?;
    let coverage = coverage::coverage(&suite);
    for note in &coverage.notes {
        eprintln!("note: {note}");
    }
    for problem in &coverage.problems {
        eprintln!("error: {problem}");
    }
    println!("{}", coverage.size);
    if coverage.problems.is_empty() {
        println!(
            "every sentence has its requirements, every testable requirement and every row its cases"
        );
    }
    Ok(coverage.problems.is_empty())
}
