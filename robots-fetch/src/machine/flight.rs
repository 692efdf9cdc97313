//! The flight for one robots.txt: look-up in a store, lease, retrieval, and the write to the store.
//!
//! Start at [`Flight`]. It decides everything but what is local to a driver: connections, turns, and the store itself.
//! Under the cache key a store has the record for everybody, or that of the first crawler for which an answer varied.
//! Every other crawler for which it varies has a key of its own.

use std::time::Duration;

use robots_core::fetch::{Failure, LASTING};

use super::retrieval::{self, Request, Response, Retrieval};
use crate::key::CacheKey;
use crate::lifetime;
use crate::record::{Last, Record};
use crate::settings::Settings;

/// The right to fetch a robots.txt: a number that its holder alone knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease(pub u64);

impl Lease {
    /// How long a lease lasts unless it is renewed. A process that dies keeps the others waiting for so long.
    pub const TIME: Duration = Duration::from_secs(6);

    /// How often to renew a lease that is held: two renewals may fail before it ends.
    pub const RENEW: Duration = Duration::from_secs(2);

    /// How long to wait for the lease of another process. Then the robots.txt is fetched without one.
    pub const WAIT: Duration = Duration::from_secs(30);
}

/// How often to look whether the process that holds the lease is done.
const LOOK: Duration = Duration::from_millis(50);

/// The flight for one robots.txt: given what came of each step, it says what to do next.
///
/// A driver calls [`step`](Self::step) and reports what came of it by the method that the step names, until the step is
/// [`Step::Done`].
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
///         // Nobody else uses this store: it can as well not know about leases.
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
    /// What is known before the retrieval, and after it.
    record: Option<Record>,
    lease: Option<Lease>,
    /// Whether the store was read the last time. Otherwise nobody knows what it has.
    could_read: bool,
    is_from_store: bool,
    /// Whether the retrieval ended with a failure of the client's own, which says nothing about the site.
    is_own_failure: bool,
    /// Whether anybody was asked.
    has_news: bool,
    now: Duration,
}

/// How far a flight has come.
#[derive(Clone, Debug)]
enum Stage {
    /// It reads what is for everybody.
    Load,
    /// It reads what is for this crawler, too.
    LoadOwn {
        base: Option<Box<Record>>,
    },
    /// It asks for the lease.
    Lease,
    /// It waits for the process that has the lease.
    Wait,
    /// It begins the retrieval.
    Ready,
    Retrieve(Box<Retrieval>),
    /// It reads again what is for everybody, to see where the record belongs.
    Place,
    /// It writes under these keys, the last one first.
    Put {
        keys: Vec<String>,
    },
    Release,
    Over,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// Read from the store; report to [`Flight::found`], or [`Flight::store_failed`].
    Get {
        /// The key.
        key: String,
    },
    /// Ask the store for a lease; report to [`Flight::leased`], [`Flight::refused`] or [`Flight::store_failed`]. Take
    /// a turn before it if turns are limited, because the time of the lease begins with it.
    Lease {
        /// The key.
        key: String,
        /// How long it lasts. Renew it every [`Lease::RENEW`] as long as requests go on.
        time: Duration,
    },
    /// Wait so long, without a turn; report to [`Flight::done`].
    Wait {
        /// The time.
        time: Duration,
    },
    /// Send this request, and follow no redirect; report to [`Flight::answered`] or [`Flight::failed`].
    Request(Request),
    /// Write to the store; report to [`Flight::done`] or [`Flight::store_failed`].
    Put {
        /// The key.
        key: String,
        /// The record, as [`Record::to_octets`] writes it.
        record: Vec<u8>,
        /// How long the record is of use.
        keep: Duration,
    },
    /// Give the lease back; report to [`Flight::done`] or [`Flight::store_failed`].
    Release {
        /// The key.
        key: String,
        /// The lease.
        lease: Lease,
    },
    /// Nothing: take the record.
    Done,
}

impl Flight {
    /// Begins a flight, given what is known of the robots.txt. The identification is sent as `User-Agent`.
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
            is_own_failure: false,
            has_news: false,
            now: Duration::ZERO,
        }
    }

    /// Adds that there is a store. Without one, no step names it.
    #[must_use]
    pub fn with_store(self) -> Self {
        Self { has_store: true, stage: Stage::Load, ..self }
    }

    /// Adds that the site is known to answer 5xx for pages that do not exist; google-2022 and the editions before
    /// then read its 5xx as 404.
    #[must_use]
    pub fn with_server_errors_for_missing_pages(self) -> Self {
        Self { server_errors_for_missing_pages: true, ..self }
    }

    /// Returns what to do next. `now` is the time since the Unix epoch.
    pub fn step(&mut self, now: Duration) -> Step {
        self.now = now;
        if let Stage::Ready = self.stage {
            self.retrieve();
        }
        if let Stage::Retrieve(retrieval) = &self.stage {
            match retrieval.step(now) {
                retrieval::Step::Request(request) => return Step::Request(request),
                retrieval::Step::Wait { .. } | retrieval::Step::Done => self.land(),
            }
        }
        let key = || self.key.to_string();
        match &self.stage {
            Stage::Load | Stage::Place => Step::Get { key: key() },
            Stage::LoadOwn { .. } => Step::Get { key: self.own_key() },
            Stage::Lease => Step::Lease { key: key(), time: Lease::TIME },
            Stage::Wait => Step::Wait { time: LOOK },
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

    /// Takes what the store has under the key. What cannot be read, or is of another origin, counts as nothing.
    pub fn found(&mut self, octets: Option<Vec<u8>>, now: Duration) {
        self.now = now;
        let found = octets.and_then(|octets| read(&self.key, &octets));
        match std::mem::replace(&mut self.stage, Stage::Over) {
            Stage::Load if self.wants_own(found.as_ref()) => {
                self.stage = Stage::LoadOwn { base: found.map(Box::new) };
            }
            Stage::Load => self.loaded(found),
            Stage::LoadOwn { base } => {
                self.loaded(joined(&self.identification, base.map(|base| *base), found));
            }
            Stage::Place => self.place(found.as_ref()),
            other => self.stage = other,
        }
    }

    /// Takes the lease that was asked for.
    pub fn leased(&mut self, lease: Lease) {
        if let Stage::Lease = self.stage {
            self.lease = Some(lease);
            // Whoever had it before may have put there what is wanted.
            self.stage = Stage::Load;
        }
    }

    /// Takes that another process has the lease. `waited` is the time since this flight asked for it first.
    pub fn refused(&mut self, waited: Duration) {
        if let Stage::Lease = self.stage {
            if waited < Lease::WAIT {
                self.stage = Stage::Wait;
            } else {
                tracing::warn!(target: "robots.fetch", key = self.key.as_str(),
                    "another process holds the lease for too long; robots.txt is fetched without one");
                self.stage = Stage::Ready;
            }
        }
    }

    /// Takes that the store did not do what it was asked.
    pub fn store_failed(&mut self) {
        match &mut self.stage {
            Stage::Load | Stage::LoadOwn { .. } => {
                self.could_read = false;
                self.after_load();
            }
            Stage::Lease => self.stage = Stage::Ready,
            // What is not known there is not replaced.
            Stage::Place => self.stage = Stage::Release,
            Stage::Put { .. } | Stage::Release | Stage::Wait => self.done(),
            Stage::Ready | Stage::Retrieve(_) | Stage::Over => {}
        }
    }

    /// Takes that a step is done that has no answer.
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

    /// Takes an answer. `now` is the time at which it came.
    pub fn answered(&mut self, response: Response, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            (self.is_own_failure, self.has_news) = (false, true);
            retrieval.answered(response, now);
        }
    }

    /// Takes a failure: no answer came. `why` says it in words, as a clause.
    pub fn failed(&mut self, failure: Failure, why: impl Into<String>, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            (self.is_own_failure, self.has_news) = (false, true);
            retrieval.failed(failure, why, now);
        }
    }

    /// Takes a failure of the client's own: a guard that refuses, or a proxy that is away. It says nothing about the
    /// site, begins no outage, and is kept from the store.
    pub fn failed_here(&mut self, failure: Failure, why: impl Into<String>, now: Duration) {
        self.failed(failure, why, now);
        self.is_own_failure = true;
    }

    /// Takes that the rules of the redirect's target are known, and disallow the URL that is to be asked;
    /// see [`Retrieval::disallowed`].
    pub fn disallowed(&mut self, now: Duration) {
        if let Stage::Retrieve(retrieval) = &mut self.stage {
            self.has_news = true;
            retrieval.disallowed(now);
        }
    }

    /// Returns whether the request that is due follows a redirect, and nobody has said yet whether rules forbid it.
    #[must_use]
    pub fn follows_redirect(&self) -> bool {
        match &self.stage {
            Stage::Retrieve(retrieval) => {
                !retrieval.hops().is_empty() && !retrieval.knows_disallowed()
            }
            _ => false,
        }
    }

    /// Returns the lease that is held.
    #[must_use]
    pub fn lease(&self) -> Option<Lease> {
        self.lease
    }

    /// Returns the key.
    #[must_use]
    pub fn key(&self) -> &CacheKey {
        &self.key
    }

    /// Returns whether the store had a record that holds, so that nobody was asked.
    #[must_use]
    pub fn is_from_store(&self) -> bool {
        self.is_from_store
    }

    /// Returns what is known now. A flight that broke off before an answer came counts as one that could not reach the
    /// site.
    #[must_use]
    pub fn into_record(mut self) -> Record {
        if let Stage::Load | Stage::LoadOwn { .. } | Stage::Lease | Stage::Wait | Stage::Ready =
            self.stage
        {
            self.retrieve();
        }
        if let Stage::Retrieve(_) = self.stage {
            self.failed_here(Failure::Connection, "the retrieval broke off", self.now);
            self.land();
        }
        let key = self.key.to_string();
        self.record.unwrap_or(Record { key, copy: None, last: Last::default() })
    }

    /// Takes what the store has, as one record.
    fn loaded(&mut self, found: Option<Record>) {
        self.could_read = true;
        let is_known = |found: &Record| {
            // What memory has is newer if the store could not be written.
            let known = self.record.as_ref();
            known.is_some_and(|known| known.last.at > found.last.at || known == found)
        };
        if let Some(found) = found.filter(|found| !is_known(found)) {
            let is_due = lifetime::is_due(&found, &self.settings, self.now);
            self.record = Some(found);
            if !is_due {
                self.is_from_store = true;
                self.stage = Stage::Release;
                return;
            }
        }
        self.after_load();
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

    /// Takes what the retrieval has found out.
    fn land(&mut self) {
        let Stage::Retrieve(retrieval) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return;
        };
        let record = retrieval.into_record_or_failure(self.now);
        let record = if self.is_own_failure { own(record) } else { record };
        // If it is not known what the store has, a copy there is not given up for the news of an outage.
        let is_news = self.has_news && !self.is_own_failure;
        let is_kept = is_news && (self.could_read || record.copy.is_some());
        self.stage = if self.has_store && is_kept { Stage::Place } else { Stage::Release };
        self.record = Some(record);
    }

    /// Decides where the record belongs, given what is there for everybody. What is another crawler's stays.
    fn place(&mut self, base: Option<&Record>) {
        let is_others = base.is_some_and(|base| is_foreign(&self.identification, base));
        let mut keys = Vec::new();
        if !is_others {
            keys.push(self.key.to_string());
        }
        if is_others || self.record.as_ref().is_some_and(varies) {
            keys.push(self.own_key());
        }
        self.stage = Stage::Put { keys };
    }

    /// Returns the key under which a store has what was sent for this crawler's identification alone.
    fn own_key(&self) -> String {
        format!("{}#{}", self.key, self.identification)
    }

    /// Returns whether the crawler's own key is to be read, besides the key itself.
    fn wants_own(&self, base: Option<&Record>) -> bool {
        base.is_some_and(|base| {
            is_foreign(&self.identification, base)
                || (base.copy.is_none() && base.last.end.is_failure())
        })
    }
}

/// Returns what a store has under the key itself and under the crawler's own, as one record. If answers vary by it, the
/// first may be another crawler's, or know nothing of the copy that the second has.
fn joined(identification: &str, base: Option<Record>, own: Option<Record>) -> Option<Record> {
    let own = own.filter(|own| !is_foreign(identification, own));
    let base = base.filter(|base| !is_foreign(identification, base));
    match (base, own) {
        (Some(base), Some(own)) if base.last.at > own.last.at => {
            Some(Record { copy: base.copy.or(own.copy), ..base })
        }
        (base, own) => own.or(base),
    }
}

/// Returns whether a record holds what was sent for another identification alone.
fn is_foreign(identification: &str, record: &Record) -> bool {
    varies_for(record).any(|other| *other != identification)
}

/// Returns whether what was sent was for one identification alone.
fn varies(record: &Record) -> bool {
    varies_for(record).next().is_some()
}

fn varies_for(record: &Record) -> impl Iterator<Item = &String> {
    let copy = record.copy.as_ref().and_then(|copy| copy.about.varies_for.as_ref());
    copy.into_iter().chain(&record.last.varies_for)
}

/// Makes a failure of the client's own no outage of the site: it never becomes one that has lasted.
fn own(mut record: Record) -> Record {
    record.last.unreachable_since = None;
    record.last.failures = 1;
    record
}

/// Reads what a store had; what cannot be read, or is of another origin, is a miss.
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
            "the store gave the record of another origin, which counts as none");
        return None;
    }
    Some(record)
}

/// Returns how long a record is of use: until it is due, and then as long as an outage may last in which it is the last
/// copy.
fn keep(due: Duration, now: Duration) -> Duration {
    due.saturating_sub(now).saturating_add(2 * LASTING)
}

#[cfg(test)]
mod tests;
