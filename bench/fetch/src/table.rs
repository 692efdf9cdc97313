//! The rows of the result table, and functions that compute medians and percentiles.

use std::time::Duration;

/// A result, and its target.
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) found: String,
    pub(crate) wanted: String,
    pub(crate) met: Option<bool>,
}

impl Row {
    pub(crate) fn new(what: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what: what.into(), found: found.into(), wanted: String::new(), met: None }
    }

    pub(crate) fn wanted(self, wanted: &str, met: bool) -> Self {
        Self { wanted: wanted.to_owned(), met: Some(met), ..self }
    }
}

pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

pub(crate) fn percentile(sorted: &[Duration], part: f64) -> Duration {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index in a list"
    )]
    let place = (sorted.len() as f64 * part) as usize;
    sorted.get(place.min(sorted.len() - 1)).copied().unwrap_or_default()
}
