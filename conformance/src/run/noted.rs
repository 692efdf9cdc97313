//! The facts about a question that only its engine knows: the time without waits, and the `id` in the protocol.
//!
//! While an engine answers, it notes these facts in variables of the thread that asks it. [`asked`] reads them after
//! the answer.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static TIME: Cell<Option<Duration>> = const { Cell::new(None) };
    static ID: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Notes the time of the question that this thread asks. This time excludes waits for a free process, for a start, and
/// for answers to earlier questions.
#[cfg(feature = "process")]
pub(crate) fn time(took: Duration) {
    TIME.set(Some(took));
}

/// Notes the protocol's `id` of the question that this thread asks. This is done if the question has no usable answer.
#[cfg(feature = "process")]
pub(crate) fn id(id: u64) {
    ID.set(Some(id));
}

/// The facts about a question that was answered.
pub(crate) struct Asked {
    /// The time that the engine noted, or the time until the answer if it noted none.
    pub(crate) took: Duration,
    /// The `id` that the engine noted, if there is one.
    pub(crate) id: Option<u64>,
}

/// Runs a question on this thread, and returns its result with the noted facts.
pub(crate) fn asked<T>(question: impl FnOnce() -> T) -> (T, Asked) {
    TIME.set(None);
    ID.set(None);
    let start = Instant::now();
    let answer = question();
    let waited = start.elapsed();
    (answer, Asked { took: TIME.take().unwrap_or(waited), id: ID.take() })
}
