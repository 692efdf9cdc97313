//! Writes the suite as flat files into `spec-cases`, or compares them with the checked-in files.
//!
//! `robots_conformance_cli::vectors` makes the texts; each flat file is an entry of its list `ALL`.

use robots_conformance::suite::load;
use robots_conformance_cli::vectors;

use crate::invocation::workspace;
use crate::written::{Check, Text, settle};

pub(crate) fn run(arguments: &Check) -> Result<bool, String> {
    let suite = load::embedded()?;
    let text = |flat: &vectors::Flat| (format!("spec-cases/{}", flat.file), flat.text(&suite));
    let texts: Vec<Text> = vectors::ALL.iter().map(text).collect();
    settle("vectors", &workspace(), &texts, arguments.check)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use crate::invocation::workspace;

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
}
