//! Drafts a deviations file: today's failures, with blank reasons.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::run::outcome::Outcome;
use serde::Serialize;

use crate::trial::Trial;

#[derive(Serialize)]
struct Entry<'t> {
    found: BTreeSet<String>,
    why: &'t str,
}

/// Writes the failed crawls as a deviations file. Each new `why` is blank and must be filled in, because a file with a
/// blank one is refused. Deviations that still apply keep their reasons.
///
/// # Panics
/// Never, because texts can be written as YAML.
#[must_use]
pub fn draft(trials: &[Trial]) -> String {
    let mut text =
        "# What the crawler does differently. Give the reason in each `why`; a blank one is refused.\n"
            .to_owned();
    for trial in trials {
        let why = match &trial.outcome {
            Outcome::Failed { .. } => "",
            Outcome::Deviation { why } => why,
            _ => continue,
        };
        let found = trial.judgement.found();
        // An entry that healed is omitted.
        if !found.is_empty() {
            let entry = BTreeMap::from([(&trial.name, Entry { found, why })]);
            text.push_str(&serde_yaml::to_string(&entry).expect("texts can be written as YAML"));
        }
    }
    text
}
