//! [`Stored`] is a client's store, which may fail.
//!
//! A store that hangs or refuses costs time for each origin. So after some failures the client skips the store. One
//! task tries the store again after a pause, and after each further failure the pause is longer. No flight waits for
//! that task.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::store::{Answer, AnyStore, LIMIT, StoreError};

/// If an operation takes at least this time and then fails, it counts as [`FAILURES`] failures, so the store is skipped
/// at once. Otherwise the next robots.txt would probably wait for the hanging store too.
const SLOW: Duration = Duration::from_millis(500);

/// The number of failures in a row after which the store is skipped.
const FAILURES: u32 = 3;

/// The length of the first pause. The client skips a failing store during a pause, and each time that the store fails
/// again, the next pause is twice as long.
const PAUSE: Duration = Duration::from_millis(250);

const MAX_PAUSE: Duration = Duration::from_secs(30);

/// A store and its health.
pub(super) struct Stored {
    store: Box<dyn AnyStore>,
    health: Mutex<Health>,
}

#[derive(Default)]
struct Health {
    failures: u32,
    /// The time by which the task must have tried the store again, or `None` if the store is not skipped.
    skipped: Option<Instant>,
    /// The task that tries the store again.
    task: Option<AbortHandle>,
}

/// The reason why a store did not do an operation.
#[derive(Debug)]
pub(super) enum Missed {
    /// The client did not ask the store, because it had failed before.
    Skipped,
    Failed(StoreError),
}

impl Stored {
    pub(super) fn new(store: Box<dyn AnyStore>) -> Arc<Self> {
        Arc::new(Self { store, health: Mutex::default() })
    }

    /// Asks the store, unless it is skipped. If the store does not answer in time, this counts as a failure.
    pub(super) async fn ask<'s, T>(
        self: &'s Arc<Self>,
        asked: impl FnOnce(&'s dyn AnyStore) -> Answer<'s, T>,
    ) -> Result<T, Missed> {
        if self.is_skipped() {
            return Err(Missed::Skipped);
        }
        let began = Instant::now();
        let answer = in_time(asked(&*self.store)).await;
        match &answer {
            Ok(_) => self.works(),
            Err(_) => self.fails(began),
        }
        answer.map_err(Missed::Failed)
    }

    fn is_skipped(self: &Arc<Self>) -> bool {
        let mut health = self.health();
        let Some(due) = health.skipped else { return false };
        if due <= Instant::now() {
            // The task did not try the store in time, because its runtime has ended or did not run for a while. Start
            // another task.
            self.retry(&mut health);
        }
        true
    }

    /// Skips the store, and starts a task that tries it until it works. So the store is ready again soon, even if the
    /// client gets no questions in the meantime. The task replaces an earlier task.
    fn retry(self: &Arc<Self>, health: &mut Health) {
        let store = Arc::downgrade(self);
        let task = tokio::spawn(async move {
            let mut pause = PAUSE;
            loop {
                sleep(pause).await;
                let Some(store) = store.upgrade() else { return };
                if in_time(store.store.get("")).await.is_ok() {
                    return store.works();
                }
                pause = pause.saturating_mul(2).min(MAX_PAUSE);
                let mut health = store.health();
                // A flight may have asked the store before the pause began, and received the answer during the pause.
                // In this case the store is no longer skipped.
                if health.skipped.is_none() {
                    return;
                }
                health.skipped = Some(due(pause));
            }
        });
        health.skipped = Some(due(PAUSE));
        if let Some(earlier) = health.task.replace(task.abort_handle()) {
            earlier.abort();
        }
    }

    fn works(&self) {
        let mut health = self.health();
        health.failures = 0;
        if let Some(task) = health.task.take() {
            task.abort();
        }
        if health.skipped.take().is_some() {
            tracing::info!(target: "robots.fetch", "the store works again");
        }
    }

    fn fails(self: &Arc<Self>, began: Instant) {
        let mut health = self.health();
        health.failures += if began.elapsed() >= SLOW { FAILURES } else { 1 };
        if health.failures >= FAILURES && health.skipped.is_none() {
            self.retry(&mut health);
            tracing::warn!(target: "robots.fetch",
                "the store failed several times and is skipped until it works");
        }
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the time by which the next try must have ended. The try begins after the pause.
fn due(pause: Duration) -> Instant {
    Instant::now() + pause + 2 * LIMIT
}

async fn in_time<T>(asked: Answer<'_, T>) -> Result<T, StoreError> {
    let late = |_| {
        let limit = LIMIT.as_secs_f32();
        Err(StoreError::new(format_args!("it did not answer within {limit} seconds")))
    };
    timeout(LIMIT, asked).await.unwrap_or_else(late)
}
