//! What both clients share: entries in memory, the clock, the counters, and the way from a record to a
//! verdict.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use robots_core::Crawler;

use crate::entry::{Entry, Reader, Use};
use crate::error::{Error, ErrorKind};
use crate::key::{CacheKey, as_it_stands};
use crate::record::Record;
use crate::retrieval::Retrieval;
use crate::settings::Settings;
use crate::store::StoreError;
use crate::transport::{Config, Failed, Of, Timeouts};

/// Tells the time, since the Unix epoch.
pub(crate) type Clock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Says something of sites.
pub(crate) type Sites = Arc<dyn Fn(&CacheKey) -> bool + Send + Sync>;

/// What either builder gathers.
pub(crate) struct Parts {
    pub(crate) agents: Vec<String>,
    pub(crate) identification: Option<String>,
    pub(crate) settings: Settings,
    pub(crate) transport: Config,
    pub(crate) memory: u64,
    pub(crate) concurrency: usize,
    pub(crate) clock: Clock,
    pub(crate) fails_for_missing_pages: Option<Sites>,
}

impl Parts {
    pub(crate) fn new(agent: String) -> Self {
        Self {
            agents: vec![agent],
            identification: None,
            settings: Settings::default(),
            transport: Config::default(),
            memory: 256 << 20,
            concurrency: 256,
            clock: Arc::new(SystemTime::now),
            fails_for_missing_pages: None,
        }
    }
}

/// What of a client is the same whether it blocks or not.
pub(crate) struct Shared {
    pub(crate) reader: Arc<Reader>,
    pub(crate) identification: String,
    timeouts: Timeouts,
    pub(crate) counters: Counters,
    entries: Cache<CacheKey, Arc<Entry>>,
    putting: Mutex<()>,
    clock: Clock,
    fails_for_missing_pages: Option<Sites>,
}

impl Shared {
    pub(crate) fn new(parts: &Parts) -> Result<Self, Error> {
        let crawler = Crawler::new(parts.agents.iter().map(String::as_str))
            .map_err(|_| Error::new(ErrorKind::Agent, parts.agents.join(", ")))?;
        let identification =
            parts.identification.clone().unwrap_or_else(|| parts.agents[0].clone());
        let is_visible = |octet| matches!(octet, b' '..=b'~');
        if identification.trim().is_empty() || !identification.bytes().all(is_visible) {
            return Err(Error::new(ErrorKind::Identification, identification));
        }
        let weigh =
            |_: &CacheKey, entry: &Arc<Entry>| u32::try_from(entry.size()).unwrap_or(u32::MAX);
        Ok(Self {
            reader: Arc::new(Reader { crawler, settings: parts.settings.clone() }),
            identification,
            timeouts: parts.transport.timeouts,
            counters: Counters::default(),
            entries: Cache::builder()
                .max_capacity(parts.memory)
                .weigher(weigh)
                // What is new is wanted next, whatever was asked for often before.
                .eviction_policy(EvictionPolicy::lru())
                .build(),
            putting: Mutex::new(()),
            clock: Arc::clone(&parts.clock),
            fails_for_missing_pages: parts.fails_for_missing_pages.clone(),
        })
    }

    /// Returns the time since the Unix epoch; a clock before it is at it.
    #[inline]
    pub(crate) fn now(&self) -> Duration {
        (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    /// Returns the entry of a URL whose origin is written as its key is, without making the key.
    #[inline]
    pub(crate) fn at_hand(&self, url: &str) -> Option<Arc<Entry>> {
        self.entries.get(as_it_stands(url)?)
    }

    pub(crate) fn entry(&self, key: &CacheKey) -> Option<Arc<Entry>> {
        self.entries.get(key)
    }

    /// Reads a record and keeps it in memory.
    pub(crate) fn keep(&self, key: &CacheKey, record: Record) -> Arc<Entry> {
        let entry = Arc::new(Entry::new(record, &self.reader));
        let _one = self.put();
        self.entries.insert(key.clone(), Arc::clone(&entry));
        entry
    }

    /// Nobody else puts an entry into memory while this is held.
    fn put(&self) -> MutexGuard<'_, ()> {
        self.putting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a question about an entry, before it is answered: the second one has the rules compiled.
    #[inline]
    pub(crate) fn asked(&self, entry: &Arc<Entry>) {
        if entry.is_asked_again() {
            self.compile(entry);
        }
    }

    /// Compiles the rules of an entry, and has the memory that they take counted.
    #[cold]
    pub(crate) fn compile(&self, entry: &Arc<Entry>) {
        if !entry.compile() {
            return;
        }
        count(&self.counters.compiled, 1);
        let Ok(key) = CacheKey::of(&entry.record.key) else { return };
        let _one = self.put();
        // Another may have come in its place meanwhile, and stays.
        if self.entries.get(&key).is_some_and(|kept| Arc::ptr_eq(&kept, entry)) {
            self.entries.insert(key, Arc::clone(entry));
        }
    }

    /// Begins the retrieval of a robots.txt, given what is known of it.
    pub(crate) fn retrieval(&self, key: &CacheKey, known: Option<Record>) -> Retrieval<'_> {
        let retrieval = Retrieval::new(key, &self.reader.settings, &self.identification, known);
        match &self.fails_for_missing_pages {
            Some(fails) if fails(key) => retrieval.with_server_errors_for_missing_pages(),
            _ => retrieval,
        }
    }

    /// Whether rules that are at hand forbid the URL to which a redirect leads.
    pub(crate) fn leads_into_disallowed(&self, retrieval: &Retrieval<'_>, url: &str) -> bool {
        if retrieval.hops().is_empty() || retrieval.knows_disallowed() {
            return false;
        }
        let entry = CacheKey::of(url).ok().and_then(|key| self.entry(&key));
        entry.is_some_and(|entry| !entry.decide(url, self.now()).allowed)
    }

    /// Tells the machine that no answer came.
    pub(crate) fn failed(&self, retrieval: &mut Retrieval<'_>, failed: Failed) {
        count(&self.counters.failures, 1);
        if failed.of == Of::Guard {
            count(&self.counters.refused, 1);
        }
        retrieval.failed(failed.failure, failed.why, self.now());
    }

    /// Returns what a retrieval that is over has found out.
    pub(crate) fn landed(&self, key: &CacheKey, retrieval: Retrieval<'_>) -> Record {
        let record = retrieval.into_record_or_failure(self.now());
        tracing::info!(
            target: "robots.fetch",
            key = key.as_str(),
            end = %record.last.end,
            hops = record.last.hops.len(),
            url = record.last.url,
            octets = record.copy.as_ref().map_or(0, |copy| copy.body.len()),
        );
        record
    }

    /// Whether what was sent was for one identification alone.
    pub(crate) fn varies(record: &Record) -> bool {
        varies_for(record).next().is_some()
    }

    /// Returns for how long one process may keep others from asking: as long as its requests may take, and a little
    /// more. It gives its lease back when it is done.
    pub(crate) fn lease(&self) -> Duration {
        let requests = self.reader.settings.hops().saturating_add(1);
        self.timeouts.total.saturating_mul(requests).saturating_add(Duration::from_secs(10))
    }

    /// Returns what a store has under the key itself and under the crawler's own, as one record. Where answers vary
    /// by it, the first may be another crawler's, or know nothing of the copy that the second has.
    pub(crate) fn joined(&self, base: Option<Record>, own: Option<Record>) -> Option<Record> {
        let own = own.filter(|own| !self.is_foreign(own));
        let Some(base) = base.filter(|base| !self.is_foreign(base)) else { return own };
        let Some(own) = own else { return Some(base) };
        let base_is_newer = base.last.at > own.last.at;
        Some(if base_is_newer { Record { copy: base.copy.or(own.copy), ..base } } else { own })
    }

    /// Whether the crawler's own key is to be looked at, besides the key itself.
    pub(crate) fn wants_own(&self, base: Option<&Record>) -> bool {
        base.is_some_and(|base| {
            self.is_foreign(base) || (base.copy.is_none() && base.last.end.is_failure())
        })
    }

    pub(crate) fn store_failed(&self, key: &CacheKey, what: &str, why: &StoreError) {
        count(&self.counters.store_errors, 1);
        tracing::warn!(target: "robots.fetch", key = key.as_str(),
            "the store cannot {what}, and is done without: {why}");
    }

    /// Returns the key under which a store has what was sent for this crawler's identification alone.
    pub(crate) fn own_key(&self, key: &CacheKey) -> String {
        format!("{key}#{}", self.identification)
    }

    /// Whether a record holds what was sent for another identification alone.
    pub(crate) fn is_foreign(&self, record: &Record) -> bool {
        varies_for(record).any(|other| *other != self.identification)
    }

    /// Returns an entry that answers now, and whether it is to be fetched anew meanwhile.
    pub(crate) fn usable(entry: Arc<Entry>, now: Duration) -> Option<(Arc<Entry>, bool)> {
        match entry.usable(now) {
            Use::Now => Some((entry, false)),
            Use::Meanwhile => Some((entry, true)),
            Use::No => None,
        }
    }
}

fn varies_for(record: &Record) -> impl Iterator<Item = &String> {
    let copy = record.copy.as_ref().and_then(|copy| copy.about.varies_for.as_ref());
    copy.into_iter().chain(&record.last.varies_for)
}

/// Makes a failure that is the client's own affair no outage of the site: it never becomes one that has lasted.
pub(crate) fn own(mut record: Record) -> Record {
    record.last.unreachable_since = None;
    record.last.failures = 1;
    record
}

/// Reads what a store had; what cannot be read, or is of another origin, is a miss.
pub(crate) fn read(key: &CacheKey, octets: &[u8]) -> Option<Record> {
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

/// What a client did since it was made, to be exported.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) requests: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) from_store: AtomicU64,
    pub(crate) store_errors: AtomicU64,
    pub(crate) waited: AtomicU64,
    pub(crate) compiled: AtomicU64,
}

pub(crate) fn count(counter: &AtomicU64, by: u64) {
    counter.fetch_add(by, Ordering::Relaxed);
}

impl Counters {
    pub(crate) fn read(&self, octets: u64, entries: u64) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            requests: read(&self.requests),
            failures: read(&self.failures),
            refused: read(&self.refused),
            octets,
            from_store: read(&self.from_store),
            store_errors: read(&self.store_errors),
            waited: read(&self.waited),
            compiled: read(&self.compiled),
            entries,
        }
    }
}

/// What a client did since it was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// The requests that were to be sent, each hop counted; those that the guard refused are among them.
    pub requests: u64,
    /// The requests to which no answer came that can be read: refused, broken off, late, or no HTTP.
    pub failures: u64,
    /// The connections that the guard refused.
    pub refused: u64,
    /// The octets of bodies that were read, before decoding.
    pub octets: u64,
    /// The records that a store had.
    pub from_store: u64,
    /// The times that a store failed.
    pub store_errors: u64,
    /// The questions that waited for the request of another.
    pub waited: u64,
    /// How often rules were compiled: at the second question about a record, or for a handle on an origin.
    pub compiled: u64,
    /// The origins that are in memory now.
    pub entries: u64,
}

impl Shared {
    /// Returns the counts, given how many octets were received.
    pub(crate) fn counts(&self, octets: u64) -> Counts {
        // Until its pending tasks have run, the cache counts only some of the entries that came in last.
        self.entries.run_pending_tasks();
        self.counters.read(octets, self.entries.entry_count())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::{Parts, Shared};
    use crate::record::{About, Copy, End, Last, Record};

    fn record(at: u64, copy: Option<&str>) -> Record {
        let copy = copy.map(|body| Copy { body: body.into(), about: About::default() });
        let end = End { status: Some(503), ..End::default() };
        let last = Last { at: Duration::from_secs(at), end, ..Last::default() };
        Record { key: "http://example.com".to_owned(), copy, last }
    }

    /// The newer of two records is taken, with the copy of the older one if it has none. Of two of one time, the
    /// crawler's own is: only it is known to be meant for this crawler.
    #[rstest]
    #[trace]
    #[case::base_is_newer(3, 2, 3, "own")]
    #[case::own_is_newer(2, 3, 3, "own")]
    #[case::of_one_time(2, 2, 2, "own")]
    fn records_are_joined(
        #[case] base: u64,
        #[case] own: u64,
        #[case] at: u64,
        #[case] copy: &str,
    ) {
        let shared = Shared::new(&Parts::new("examplebot".to_owned())).unwrap();
        let (base, mut own) = (record(base, None), record(own, Some("own")));
        own.last.url = "own".to_owned();
        let expected = if own.last.at >= base.last.at { "own" } else { "" };
        let joined = shared.joined(Some(base), Some(own)).unwrap();
        assert_eq!(joined.last.at, Duration::from_secs(at));
        assert_eq!(joined.last.url, expected);
        assert_eq!(joined.copy.unwrap().body, copy.as_bytes());
    }
}
