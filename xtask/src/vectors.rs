//! Writes the suite as flat files into `spec-cases`, or compares them with the checked-in files.
//!
//! `robots_conformance_cli::vectors` makes the texts; each flat file is an entry of its list `ALL`. With `--check`
//! nothing is written, and the first line that differs is reported.

use std::fs;
use std::process::ExitCode;

use robots_conformance::suite::load;
use robots_conformance_cli::vectors;

use xtask::invocation::{usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write nothing, and fail if a file differs from the cases
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let suite = match load::embedded() {
        Ok(suite) => suite,
        Err(problems) => return usage(problems),
    };
    let mut code = ExitCode::SUCCESS;
    for flat in vectors::ALL {
        let text = flat.text(&suite);
        let name = format!("spec-cases/{}", flat.file);
        let path = workspace().join(&name);
        if !arguments.check {
            if let Err(error) = fs::write(&path, &text) {
                return usage(format_args!("{} cannot be written: {error}", path.display()));
            }
            anstream::println!("{name}: {} octets", text.len());
            continue;
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        match first_difference(&written, &text) {
            None => anstream::println!("{name} says what the cases say"),
            Some(line) => {
                anstream::eprintln!(
                    "error: {name}:{line}: not what the cases say; run `cargo xtask vectors` and commit the file"
                );
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

/// Returns the number of the first line in which two texts differ, or `None` if they are equal.
fn first_difference(one: &str, other: &str) -> Option<usize> {
    if one == other {
        return None;
    }
    let same = one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::first_difference;
    use xtask::invocation::workspace;

    /// An example runs only if its tools are installed. This test always runs, and finds names in the examples' lists
    /// that are no longer vectors.
    #[test]
    fn the_examples_list_vectors() {
        let suite = fs::read_to_string(workspace().join("spec-cases/vectors.json")).unwrap();
        let suite: serde_json::Value = serde_json::from_str(&suite).unwrap();
        let vectors = suite["vectors"].as_array().unwrap().iter();
        let asked = vectors.filter(|vector| {
            let is_one = vector["tokens"].as_array().is_some_and(|tokens| tokens.len() == 1);
            is_one && vector["ask"] == "verdict" && vector["editions"]["rfc9309"].is_object()
        });
        let names: BTreeSet<&str> = asked.map(|vector| vector["name"].as_str().unwrap()).collect();
        for example in ["go", "junit", "pytest", "rust", "vitest"] {
            let list = format!("docs/examples/{example}/known-failures.txt");
            let text = fs::read_to_string(workspace().join(&list)).unwrap();
            let unknown: Vec<&str> = text.lines().filter(|name| !names.contains(name)).collect();
            assert!(unknown.is_empty(), "{list}: no vector is named {unknown:?}");
        }
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
        assert_eq!(first_difference("a\nb", "a\nb\n"), Some(3));
    }
}
