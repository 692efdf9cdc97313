//! The flight for one robots.txt: a state machine that looks in the store, takes the lease, retrieves the file, and
//! writes the record to the store.
//!
//! Start at [`Flight`]. It decides every step. A driver executes the steps: it sends the requests, limits how many are
//! sent at the same time, and uses the store. Under the cache key, a store keeps the record for all crawlers. If
//! answers vary by crawler, the record under the cache key is only for the first crawler. Every crawler, also the
//! first, then has a record under a separate key of its own.

use std::time::Duration;

use robots_core::fetch::{Failure, LASTING};

use super::retrieval::{Next, Request, Response, Retrieval};
use crate::key::CacheKey;
use crate::lifetime;
use crate::record::{FileCopy, Last, Record};
use crate::settings::Settings;

/// The right to fetch a robots.txt: a number that only its holder knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease(pub u64);

impl Lease {
    /// The duration of a lease, unless it is renewed. If a process dies, the other processes wait until its lease ends.
    pub const TIME: Duration = Duration::from_secs(6);

    /// The interval at which a lease is renewed. Two renewals may fail before the lease ends.
    pub const RENEW: Duration = Duration::from_secs(2);

    /// The maximum time to wait for the lease of another process. After this time, the robots.txt is fetched without a
    /// lease.
    pub const WAIT: Duration = Duration::from_secs(30);
}

/// The interval at which a flight checks whether the process with the lease has finished.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The flight for one robots.txt: a state machine that returns the next step.
///
/// A driver calls [`step`](Self::step), does the step, and reports the result with the method that the step names. The
/// driver repeats this until the step is [`Step::Done`].
///
/// ```
/// use robots_fetch::flight::{Flight, Step};
/// use robots_fetch::retrieval::{Body, Response};
/// use robots_fetch::{CacheKey, Settings};
/// use std::collections::HashMap;
/// use std::time::Duration;
///
/// let (key, settings) = (CacheKey::of("http://example.com/page")?, Settings::default());
/// let mut store: HashMap<String, Vec<u8>> = HashMap::new();
/// let now = Duration::from_secs(1_000_000_000); // since the Unix epoch
/// let mut flight = Flight::new(&key, &settings, "examplebot/1.0", None).with_store();
/// loop {
///     match flight.step(now) {
///         Step::Get { key } => flight.found(store.get(&key).cloned(), now),
///         // No other process uses this store, so it needs no leases.
///         Step::Lease { .. } => flight.store_failed(),
///         Step::Request(_) => {
///             let body = Body::of("user-agent: *\ndisallow: /private\n");
///             flight.answered(Response::new(200, []).with_body(body), now);
///         }
///         Step::Put { key, record, .. } => {
///             store.insert(key, record);
///             flight.done();
///         }
///         Step::Wait { .. } | Step::Release { .. } => flight.done(),
///         _ => break,
///     }
/// }
/// assert!(store.contains_key("http://example.com"));
/// assert!(flight.into_record().copy.is_some());
/// # Ok::<(), robots_fetch::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Flight {
    key: CacheKey,
    settings: Settings,
    identification: String,
    server_errors_for_missing_pages: bool,
    has_store: bool,
    stage: Stage,
    /// The record that the flight knows. During the retrieval this field is `None`, because the [`Retrieval`] owns the
    /// record.
    record: Option<Record>,
    lease: Option<Lease>,
    /// Whether the last read of the store succeeded. If the read failed, the content of the store is unknown.
    could_read: bool,
    is_from_store: bool,
    /// Whether the retrieval ended with a failure of the client itself, which says nothing about the site.
    is_client_failure: bool,
    /// Whether the driver has reported a result of the retrieval.
    has_news: bool,
    now: Duration,
}

/// The stage of a flight.
#[derive(Clone, Debug)]
enum Stage {
    /// The flight reads the record for all crawlers.
    Load,
    /// The flight also reads the record for this crawler.
    LoadSeparate {
        base: Option<Box<Record>>,
    },
    /// The flight requests the lease.
    Lease,
    /// The flight waits for the process that has the lease.
    Wait,
    /// The flight begins the retrieval.
    Ready,
    Retrieve(Box<Retrieval>),
    /// The flight reads the record for all crawlers again, to choose the key of the new record.
    Place,
    /// The flight writes the record under these keys, beginning with the last key.
    Put {
        keys: Vec<String>,
    },
    Release,
    Over,
}

/// The next action of a driver.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Read from the store; report the result to [`Flight::found`], or [`Flight::store_failed`].
    Get {
        /// The key of the record to read.
        key: String,
    },
    /// Request a lease from the store; report the result to [`Flight::leased`], [`Flight::refused`] or
    /// [`Flight::store_failed`]. If the driver limits how many flights send requests at the same time, it must first
    /// wait until this flight may send, because the time of the lease begins when the store grants it.
    Lease {
        /// The cache key of the robots.txt.
        key: String,
        /// The duration of the lease. Renew it every [`Lease::RENEW`] until the requests are finished.
        time: Duration,
    },
    /// Wait for this time; report the end of the wait to [`Flight::done`]. If the driver limits how many flights send
    /// requests, let another flight send in the meantime.
    Wait {
        /// The time to wait.
        time: Duration,
    },
    /// Send this request, and follow no redirect; report the result to [`Flight::answered`], [`Flight::failed`] or
    /// [`Flight::failed_here`].
    Request(Request),
    /// Write to the store; report the result to [`Flight::done`] or [`Flight::store_failed`].
    Put {
        /// The key under which the record is stored.
        key: String,
        /// The record, as [`Record::to_octets`] writes it.
        record: Vec<u8>,
        /// The time for which the store should keep the record.
        keep: Duration,
    },
    /// Return the lease to the store; report the result to [`Flight::done`] or [`Flight::store_failed`].
    Release {
        /// The cache key of the robots.txt.
        key: String,
        /// The lease to return.
        lease: Lease,
    },
    /// There is no further step: call [`Flight::into_record`].
    Done,
}

impl Flight {
    /// Begins a flight, given the known record of the robots.txt. The identification is sent as `User-Agent`.
    #[must_use]
    pub fn new(
        key: &CacheKey,
        settings: &Settings,
        identification: &str,
        known: Option<Record>,
    ) -> Self {
        Self {
            key: key.clone(),
            settings: settings.clone(),
            identification: identification.to_owned(),
            server_errors_for_missing_pages: false,
            has_store: false,
            stage: Stage::Ready,
            record: known,
            lease: None,
            could_read: false,
            is_from_store: false,
            is_client_failure: false,
            has_news: false,
            now: Duration::ZERO,
        }
    }

    /// Adds a store to the flight. Without this call, the flight has no store, and no step uses one.
    #[must_use]
    pub fn with_store(self) -> Self {
        Self { has_store: true, stage: Stage::Load, ..self }
    }

    /// Marks the site as one that is known to answer 5xx for pages that do not exist. Under the Google editions, its
    /// 5xx answers then count as 404.
    #[must_use]
    pub fn with_server_errors_for_missing_pages(self) -> Self {
        Self { server_errors_for_missing_pages: true, ..self }
    }

    /// Returns the next step. `now` is the time since the Unix epoch.
    pub fn step(&mut self, now: Duration) -> Step {
        self.now = now;
        if let Stage::Ready = self.stage {
            self.retrieve();
        }
        if let Stage::Retrieve(retrieval) = &self.stage {
            match retrieval.step(now) {
                Next::Request(request) => return Step::Request(request),
                Next::Wait { .. } | Next::Done => self.land(),
            }
        }
        let key = || self.key.to_string();
        match &self.stage {
            Stage::Load | Stage::Place => Step::Get { key: key() },
            Stage::LoadSeparate { .. } => Step::Get { key: self.separate_key() },
            Stage::Lease => Step::Lease { key: key(), time: Lease::TIME },
            Stage::Wait => Step::Wait { time: POLL_INTERVAL },
            Stage::Put { keys } => match (keys.last(), &self.record) {
                (Some(key), Some(record)) => {
                    let due = lifetime::due(record, &self.settings);
                    let keep = keep(due, now);
                    Step::Put { key: key.clone(), record: record.to_octets(), keep }
                }
                _ => Step::Done,
            },
            Stage::Release => {
                self.lease.map_or(Step::Done, |lease| Step::Release { key: key(), lease })
            }
            Stage::Ready | Stage::Retrieve(_) | Stage::Over => Step::Done,
        }
    }

    /// Reports the record that the store has under the key, if any. A record that cannot be read, or belongs to another
    /// origin, counts as absent.
    pub fn found(&mut self, octets: Option<Vec<u8>>, now: Duration) {
        self.now = now;
        let found = octets.and_then(|octets| read(&self.key, &octets));
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Load if self.needs_separate(found.as_ref()) => {
                self.stage = Stage::LoadSeparate { base: found.map(Box::new) };
            }
            Stage::Load => self.loaded(found),
            Stage::LoadSeparate { base } => {
                self.loaded(joined(&self.identification, base.map(|base| *base), found));
            }
            Stage::Place => self.place(found.as_ref()),
            other => self.stage = other,
        }
    }

    /// Reports that the lease was granted.
    pub fn leased(&mut self, lease: Lease) {
        if let Stage::Lease = self.stage {
            self.lease = Some(lease);
            // The flight reads the record again, because the process that had the lease before may have stored a new
            // one.
            self.stage = Stage::Load;
        }
    }

    /// Reports that another process has the lease. `waited` is the time since this flight first requested it.
    pub fn refused(&mut self, waited: Duration) {
        if let Stage::Lease = self.stage {
            if waited < Lease::WAIT {
                self.stage = Stage::Wait;
            } else {
                tracing::warn!(target: "robots.fetch", key = self.key.as_str(),
                    "another process has held the lease too long; robots.txt is fetched without a lease");
                self.stage = Stage::Ready;
            }
        }
    }

    /// Reports that the store failed.
    pub fn store_failed(&mut self) {
        match &mut self.stage {
            Stage::Load | Stage::LoadSeparate { .. } => {
                self.could_read = false;
                self.after_load();
            }
            Stage::Lease => self.stage = Stage::Ready,
            // The flight does not know the record in the store, so it does not replace that record.
            Stage::Place => self.stage = Stage::Release,
            Stage::Put { .. } | Stage::Release | Stage::Wait => self.done(),
            Stage::Ready | Stage::Retrieve(_) | Stage::Over => {}
        }
    }

    /// Reports that the driver has done a step that has no result.
    pub fn done(&mut self) {
        match &mut self.stage {
            Stage::Wait => self.stage = Stage::Load,
            Stage::Put { keys } => {
                keys.pop();
                if keys.is_empty() {
                    self.stage = Stage::Release;
                }
            }
            Stage::Release => self.stage = Stage::Over,
            _ => {}
        }
    }

    /// Reports an answer. `now` is the time at which it arrived.
    pub fn answered(&mut self, response: Response, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            (self.is_client_failure, self.has_news) = (false, true);
            retrieval.answered(response, now);
        }
    }

    /// Reports a failure: no usable answer arrived. `why` is the reason as a part of a sentence, for example "the
    /// connection was reset".
    pub fn failed(&mut self, failure: Failure, why: impl Into<String>, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            (self.is_client_failure, self.has_news) = (false, true);
            retrieval.failed(failure, why, now);
        }
    }

    /// Reports a failure of the client itself: a guard refused, or a proxy failed. Such a failure says nothing about
    /// the site, begins no outage, and is not stored.
    pub fn failed_here(&mut self, failure: Failure, why: impl Into<String>, now: Duration) {
        self.failed(failure, why, now);
        self.is_client_failure = true;
    }

    /// Reports that the rules for the redirect's target are known, and that they disallow the URL of the next request;
    /// see [`Retrieval::disallowed`].
    pub fn disallowed(&mut self, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            self.has_news = true;
            retrieval.disallowed(now);
        }
    }

    /// Returns whether the next request follows a redirect, and the driver has not yet reported that rules forbid it.
    #[must_use]
    pub fn follows_redirect(&self) -> bool {
        match &self.stage {
            Stage::Retrieve(retrieval) => {
                !retrieval.hops().is_empty() && !retrieval.knows_disallowed()
            }
            _ => false,
        }
    }

    /// Returns the lease of this flight, if it has one.
    #[must_use]
    pub fn lease(&self) -> Option<Lease> {
        self.lease
    }

    /// Returns the cache key of the robots.txt.
    #[must_use]
    pub fn key(&self) -> &CacheKey {
        &self.key
    }

    /// Returns whether the store had a valid record, so that no request was sent.
    #[must_use]
    pub fn is_from_store(&self) -> bool {
        self.is_from_store
    }

    /// Returns the resulting record. If the flight stopped before an answer arrived, the site counts as unreachable.
    #[must_use]
    pub fn into_record(mut self) -> Record {
        if let Stage::Load
        | Stage::LoadSeparate { .. }
        | Stage::Lease
        | Stage::Wait
        | Stage::Ready = self.stage
        {
            self.retrieve();
        }
        if let Stage::Retrieve(_) = self.stage {
            self.failed_here(Failure::Connection, "the retrieval was interrupted", self.now);
            self.land();
        }
        let key = self.key.to_string();
        self.record.unwrap_or(Record { key, copy: None, last: Last::default() })
    }

    /// Handles the record from the store.
    fn loaded(&mut self, found: Option<Record>) {
        self.could_read = true;
        self.record = match (self.record.take(), found) {
            // The record in memory is newer if the store could not be written.
            (Some(known), Some(found)) if known.last.at > found.last.at || known == found => {
                Some(with_copy(known, found.copy))
            }
            (known, Some(found)) => {
                self.is_from_store = !lifetime::is_due(&found, &self.settings, self.now);
                Some(with_copy(found, known.and_then(|known| known.copy)))
            }
            (known, None) => known,
        };
        if self.is_from_store {
            self.stage = Stage::Release;
        } else {
            self.after_load();
        }
    }

    fn after_load(&mut self) {
        self.stage = if self.lease.is_some() { Stage::Ready } else { Stage::Lease };
    }

    fn retrieve(&mut self) {
        let known = self.record.take();
        let mut retrieval = Retrieval::new(&self.key, &self.settings, &self.identification, known);
        if self.server_errors_for_missing_pages {
            retrieval = retrieval.with_server_errors_for_missing_pages();
        }
        self.stage = Stage::Retrieve(Box::new(retrieval));
    }

    /// Handles the result of the retrieval.
    fn land(&mut self) {
        let Stage::Retrieve(retrieval) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return;
        };
        let record = retrieval.into_record_or_failure(self.now);
        let record = if self.is_client_failure { without_outage(record) } else { record };
        // If the content of the store is unknown, a record without a copy is not written, because the store may have a
        // copy.
        let is_news = self.has_news && !self.is_client_failure;
        let is_kept = is_news && (self.could_read || record.copy.is_some());
        self.stage = if self.has_store && is_kept { Stage::Place } else { Stage::Release };
        self.record = Some(record);
    }

    /// Chooses the keys of the new record, given the stored record for all crawlers. The new record does not replace a
    /// record of another crawler.
    fn place(&mut self, base: Option<&Record>) {
        let is_others = base.is_some_and(|base| is_foreign(&self.identification, base));
        if let Some(base) = base.filter(|_| !is_others) {
            self.record = self.record.take().map(|record| with_copy(record, base.copy.clone()));
        }
        let mut keys = Vec::new();
        if !is_others {
            keys.push(self.key.to_string());
        }
        if is_others || self.record.as_ref().is_some_and(varies) {
            keys.push(self.separate_key());
        }
        self.stage = Stage::Put { keys };
    }

    /// Returns the key of the record that is only for this crawler's identification.
    fn separate_key(&self) -> String {
        format!("{}#{}", self.key, self.identification)
    }

    /// Returns whether the crawler's separate key must be read too.
    fn needs_separate(&self, base: Option<&Record>) -> bool {
        base.is_some_and(|base| {
            is_foreign(&self.identification, base)
                || (base.copy.is_none() && base.last.end.is_failure())
        })
    }
}

/// Merges the records under the key itself and under the crawler's separate key. If answers vary, the record under the
/// key itself may belong to another crawler, or may lack the copy of the separate record.
fn joined(identification: &str, base: Option<Record>, separate: Option<Record>) -> Option<Record> {
    let separate = separate.filter(|separate| !is_foreign(identification, separate));
    let base = base.filter(|base| !is_foreign(identification, base));
    match (base, separate) {
        (Some(base), Some(separate)) if base.last.at > separate.last.at => {
            Some(with_copy(base, separate.copy))
        }
        (Some(base), Some(separate)) => Some(with_copy(separate, base.copy)),
        (base, separate) => separate.or(base),
    }
}

/// Adds a copy from another record to a record without a copy, because a later outage may need the copy. If the last
/// answer of the record was a file, nothing changes, because another file must not replace that file.
fn with_copy(record: Record, other: Option<FileCopy>) -> Record {
    if record.last.end.is_file() {
        return record;
    }
    Record { copy: record.copy.or(other), ..record }
}

/// Returns whether a record is only for another identification, because the answer varies by identification.
fn is_foreign(identification: &str, record: &Record) -> bool {
    varies_for(record).any(|other| *other != identification)
}

/// Returns whether a record is only for one identification, because the answer varies by identification.
fn varies(record: &Record) -> bool {
    varies_for(record).next().is_some()
}

fn varies_for(record: &Record) -> impl Iterator<Item = &String> {
    let copy = record.copy.as_ref().and_then(|copy| copy.about.varies_for.as_ref());
    copy.into_iter().chain(&record.last.varies_for)
}

/// Removes the outage from a record if the client itself failed, so that the failure never counts as a long outage of
/// the site.
fn without_outage(mut record: Record) -> Record {
    record.last.unreachable_since = None;
    record.last.failures = 1;
    record
}

/// Reads a record from the octets of a store. A record that cannot be read, or belongs to another origin, counts as
/// absent.
fn read(key: &CacheKey, octets: &[u8]) -> Option<Record> {
    let record = match Record::from_octets(octets) {
        Ok(record) => record,
        Err(why) => {
            tracing::warn!(target: "robots.fetch", key = key.as_str(), "{why}");
            return None;
        }
    };
    if record.key != key.as_str() {
        tracing::warn!(target: "robots.fetch", key = key.as_str(), found = record.key,
            "the store returned the record of another origin, which is ignored");
        return None;
    }
    Some(record)
}

/// Returns the time for which a store should keep a record. This is the time until robots.txt must be fetched again,
/// plus twice [`LASTING`], because the crawler may need the copy during an outage.
fn keep(due: Duration, now: Duration) -> Duration {
    due.saturating_sub(now).saturating_add(2 * LASTING)
}

#[cfg(test)]
mod tests;
