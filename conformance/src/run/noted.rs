//! Stores two facts about a question that only its engine knows: the duration without waits, and the `id` in the
//! protocol.
//!
//! While an engine answers, it stores these facts in variables of the thread that asks the question. [`asked`] reads
//! them after the answer.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static TIME: Cell<Option<Duration>> = const { Cell::new(None) };
    static ID: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Stores the duration of the question that this thread asks. This duration excludes waits for a free process, for the
/// start of a process, and for answers to earlier questions.
#[cfg(feature = "process")]
pub(crate) fn time(took: Duration) {
    TIME.set(Some(took));
}

/// Stores the protocol's `id` of the question that this thread asks. An engine calls this function if the question has
/// no usable answer.
#[cfg(feature = "process")]
pub(crate) fn id(id: u64) {
    ID.set(Some(id));
}

/// The facts about a question that was answered.
pub(crate) struct Asked {
    /// The duration that the engine stored, or the time until the answer if the engine stored no duration.
    pub(crate) took: Duration,
    /// The `id` that the engine stored, if there is one.
    pub(crate) id: Option<u64>,
}

/// Asks a question on this thread, and returns the answer with the stored facts.
pub(crate) fn asked<T>(question: impl FnOnce() -> T) -> (T, Asked) {
    TIME.set(None);
    ID.set(None);
    let start = Instant::now();
    let answer = question();
    let waited = start.elapsed();
    (answer, Asked { took: TIME.take().unwrap_or(waited), id: ID.take() })
}
