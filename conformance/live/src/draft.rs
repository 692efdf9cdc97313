//! A draft of a deviations file: what failed today, with blanks for the reasons.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::judge::Outcome;
use serde::Serialize;

use crate::trial::Trial;

#[derive(Serialize)]
struct Entry<'t> {
    found: BTreeSet<String>,
    why: &'t str,
}

/// Writes the failed crawls as a deviations file. Each new `why` is blank, to be filled in: a blank one is refused when
/// the file is read. Deviations that hold keep their reasons.
///
/// # Panics
/// Never: texts have a YAML form.
#[must_use]
pub fn draft(trials: &[Trial]) -> String {
    let mut text =
        "# What the crawler does otherwise. Say why in each `why`; a blank one is refused.\n"
            .to_owned();
    for trial in trials {
        let why = match &trial.outcome {
            Outcome::Failed { .. } => "",
            Outcome::Deviation { why } => why,
            _ => continue,
        };
        let found = trial.judgement.found();
        // An entry that healed is left out.
        if !found.is_empty() {
            let entry = BTreeMap::from([(&trial.name, Entry { found, why })]);
            text.push_str(&serde_yaml::to_string(&entry).expect("texts have a YAML form"));
        }
    }
    text
}
