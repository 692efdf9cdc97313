//! A client's store, which may fail: [`Stored`].
//!
//! A store that hangs or refuses costs time for each origin. So after some failures it is skipped for a while, and
//! longer after each further failure. Then one task tries it again, and no flight waits for that task.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, timeout};

use crate::store::{Answer, AnyStore, StoreError};

/// The time limit of one operation of a store, because many questions may wait for the flight.
const LIMIT: Duration = Duration::from_secs(2);

/// A failure that took this time counts as several, because a store that hangs once would also hang for the next
/// flight.
const SLOW: Duration = Duration::from_millis(500);

/// The number of failures in a row after which the store is skipped.
const FAILURES: u32 = 3;

/// The first time for which a failing store is skipped. The time doubles each time that it fails again.
const PAUSE: Duration = Duration::from_millis(250);

const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A store and its health.
pub(super) struct Stored {
    store: Box<dyn AnyStore>,
    health: Mutex<Health>,
}

#[derive(Default)]
struct Health {
    failures: u32,
    /// The duration for which the store is skipped, and the time of the next try.
    skipped: Option<(Duration, Instant)>,
}

/// The reason why a store did not do an operation.
#[derive(Debug)]
pub(super) enum Missed {
    /// The client did not ask it, because it had failed before.
    Skipped,
    Failed(StoreError),
}

impl Stored {
    pub(super) fn new(store: Box<dyn AnyStore>) -> Arc<Self> {
        Arc::new(Self { store, health: Mutex::default() })
    }

    /// Asks the store, unless it is skipped. If it does not answer in time, it has failed.
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
        let Some((pause, until)) = health.skipped else { return false };
        let now = Instant::now();
        if until <= now {
            // If the runtime ends before this task does, another task follows.
            health.skipped = Some((pause, now + pause + LIMIT));
            let store = Arc::clone(self);
            drop(tokio::spawn(async move { store.try_again(pause).await }));
        }
        true
    }

    async fn try_again(&self, pause: Duration) {
        if in_time(self.store.get("")).await.is_ok() {
            return self.works();
        }
        let pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        self.health().skipped = Some((pause, Instant::now() + pause));
    }

    fn works(&self) {
        let mut health = self.health();
        health.failures = 0;
        if health.skipped.take().is_some() {
            tracing::info!(target: "robots.fetch", "the store works again");
        }
    }

    fn fails(&self, began: Instant) {
        let mut health = self.health();
        let now = Instant::now();
        health.failures += if now - began >= SLOW { FAILURES } else { 1 };
        if health.failures >= FAILURES && health.skipped.is_none() {
            health.skipped = Some((PAUSE, now + PAUSE));
            tracing::warn!(target: "robots.fetch",
                "the store failed several times and is skipped until it works");
        }
    }

    fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn in_time<T>(asked: Answer<'_, T>) -> Result<T, StoreError> {
    let late = |_| {
        let limit = LIMIT.as_secs_f32();
        Err(StoreError::new(format_args!("it did not answer within {limit} seconds")))
    };
    timeout(LIMIT, asked).await.unwrap_or_else(late)
}
