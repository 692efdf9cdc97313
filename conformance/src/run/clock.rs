//! The time that a question took its engine, for engines that know it better than the caller.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static OWN: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// Notes the time of the question that this thread asks. It excludes waits for a free process, for a start, and for
/// answers to earlier questions.
#[cfg(feature = "process")]
pub(crate) fn note(own: Duration) {
    OWN.set(Some(own));
}

/// Runs a question on this thread, and returns the time that it noted.
pub(crate) fn time<T>(question: impl FnOnce() -> T) -> (T, Duration) {
    OWN.set(None);
    let start = Instant::now();
    let answer = question();
    let waited = start.elapsed();
    (answer, OWN.take().unwrap_or(waited))
}
