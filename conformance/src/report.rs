//! What a run showed.
//!
//! [`Report`] holds all that a format needs; [`summary`] counts, [`terminal`] and [`json`] write. A new
//! format is a new module over the same data.

use std::time::Duration;

use crate::load::Problem;
use crate::run::Finished;

pub mod json;
pub mod summary;
pub mod terminal;

/// The results of one run of one engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine's name.
    pub engine: String,
    /// Every trial that was run, in the order of the suite.
    pub finished: Vec<Finished>,
    /// Entries of the deviations file that hold for no trial.
    pub stale: Vec<Problem>,
    /// How long the run took.
    pub took: Duration,
}

impl Report {
    /// Returns the trials that count against the engine.
    pub fn failures(&self) -> impl Iterator<Item = &Finished> {
        self.finished.iter().filter(|finished| finished.outcome.is_failure())
    }

    /// Returns whether nothing failed and no deviation went stale.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.stale.is_empty() && self.failures().next().is_none()
    }
}
