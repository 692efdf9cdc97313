//! Drafts a deviations file: today's failures, with blank reasons.

use std::collections::BTreeSet;

use robots_conformance::run::draft::file;
use robots_conformance::run::outcome::Outcome;
use serde::Serialize;

use crate::trial::Trial;

#[derive(Serialize)]
struct Entry<'t> {
    found: BTreeSet<String>,
    why: &'t str,
}

/// Writes the failed crawls as a deviations file. Each new `why` is blank and must be filled in, because the loader
/// refuses a blank reason. Deviations that still apply keep their reasons.
///
/// # Panics
/// Never panics, because texts can be written as YAML.
#[must_use]
pub fn draft(trials: &[Trial]) -> String {
    let entries = trials.iter().filter_map(|trial| {
        let why = match &trial.outcome {
            Outcome::Failed { .. } => "",
            Outcome::Deviation { why } => why,
            _ => return None,
        };
        let found = trial.judgement.found();
        // An entry that healed is omitted.
        (!found.is_empty()).then_some((&trial.name, Entry { found, why }))
    });
    file("the crawler", entries)
}
