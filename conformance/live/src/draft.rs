//! Drafts a deviations file from the failures of a run.
//!
//! Start at [`draft()`]. Each failed trial becomes an entry with its violations and a blank reason, which the user
//! fills in. The draft keeps the reasons of deviations that still apply.

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

/// Writes the failed crawls as a deviations file. The `why` of a new entry is blank. The user must fill it in, because
/// the loader refuses a blank reason. Deviations that still apply keep their reasons.
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
        // A deviation that no longer occurs is omitted.
        (!found.is_empty()).then_some((&trial.name, Entry { found, why }))
    });
    file("the crawler", entries)
}
