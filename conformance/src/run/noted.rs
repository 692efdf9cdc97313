//! The facts about a question that its engine knows better than the caller: the time that it took, and its `id`.
//!
//! An engine notes them on the thread that asks it, while it answers. [`asked`] reads them after the answer.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static TIME: Cell<Option<Duration>> = const { Cell::new(None) };
    static ID: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Notes the time of the question that this thread asks. It excludes waits for a free process, for a start, and for
/// answers to earlier questions.
#[cfg(feature = "process")]
pub(crate) fn time(took: Duration) {
    TIME.set(Some(took));
}

/// Notes the `id` in the protocol of the question that this thread asks, because it has no usable answer.
#[cfg(feature = "process")]
pub(crate) fn id(id: u64) {
    ID.set(Some(id));
}

/// The facts about a question that was answered.
pub(crate) struct Asked {
    /// The time that the engine noted; otherwise the time until the answer.
    pub(crate) took: Duration,
    /// The `id` that the engine noted.
    pub(crate) id: Option<u64>,
}

/// Runs a question on this thread, and returns what the engine noted about it.
pub(crate) fn asked<T>(question: impl FnOnce() -> T) -> (T, Asked) {
    TIME.set(None);
    ID.set(None);
    let start = Instant::now();
    let answer = question();
    let waited = start.elapsed();
    (answer, Asked { took: TIME.take().unwrap_or(waited), id: ID.take() })
}
