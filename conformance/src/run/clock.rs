//! The time a question took its engine, where the engine knows better than who waits for the answer.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static OWN: Cell<Option<Duration>> = const { Cell::new(None) };
}

/// Notes the own time of the question that this thread asks: without a wait for a free process, for a start,
/// or for the answers to questions before it.
#[cfg(feature = "process")]
pub(crate) fn note(own: Duration) {
    OWN.set(Some(own));
}

/// Runs a question on this thread, and returns its own time.
pub(crate) fn time<T>(question: impl FnOnce() -> T) -> (T, Duration) {
    OWN.set(None);
    let start = Instant::now();
    let answer = question();
    let waited = start.elapsed();
    (answer, OWN.take().unwrap_or(waited))
}
