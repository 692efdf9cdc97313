//! Tests clients with stores: after a restart, with several crawlers that share a store, and with stores that fail.
//!
//! The stores [`Bad`], [`Moody`] and [`Away`] fail in different ways. The stores of this crate are tested in
//! `tests/stores.rs`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use robots_fetch::Basis;
use robots_fetch::guard::{Connection, Refused};
use robots_fetch::record::Record;
use robots_fetch::store::{Lease, Memory, Redb, Store, StoreError};
use rstest::rstest;

use crate::events::Events;
use crate::{Clock, DAY, blocking_builder, builder, rules, web};

#[tokio::test]
async fn rules_outlive_the_process_in_a_file() {
    let web = web(&rules("cache-control: max-age=600, etag: '\"1\"'"));
    let dir = tempfile::tempdir().unwrap();
    let url = web.expand("{main}/private");
    for run in 0..3 {
        let store = Redb::open(dir.path().join("robots.redb")).unwrap();
        let client = builder().store(store).build().unwrap();
        assert!(!client.verdict(&url).await.unwrap().is_allowed());
        assert_eq!(client.counts().from_store, u64::from(run > 0));
    }
    // The blocking client reads the same file.
    let (path, asked) = (dir.path().join("robots.redb"), url.clone());
    let allowed = tokio::task::spawn_blocking(move || {
        let client = blocking_builder().store(Redb::open(path).unwrap()).build().unwrap();
        client.verdict(&asked).unwrap().is_allowed()
    });
    assert!(!allowed.await.unwrap());
    assert_eq!(web.log().len(), 1);
}

/// An outage is stored too: after a restart, a crawler does not request robots.txt at once, and the outage still counts
/// from its beginning.
#[tokio::test]
async fn an_outage_outlives_the_process() {
    let web = web("main: { robots: { fault: reset } }");
    let (clock, store) = (Clock::new(), Memory::of_octets(1 << 20));
    let url = web.expand("{main}/x");
    let mut requests = Vec::new();
    for _ in 0..2 {
        let client = builder().store(store.clone()).clock(clock.read()).build().unwrap();
        let verdict = client.verdict(&url).await.unwrap();
        assert!(!verdict.is_allowed());
        assert_eq!(
            verdict.record().last.unreachable_since,
            Some(Duration::from_secs(1_000_000_000))
        );
        requests.push(web.log().len());
        clock.advance(Duration::from_secs(60));
    }
    assert_eq!(requests, [1, 1]);
    for day in (0..30).step_by(6) {
        let client = builder().store(store.clone()).clock(clock.read()).build().unwrap();
        let verdict = client.verdict(&url).await.unwrap();
        assert_eq!(verdict.basis(), Basis::Unreachable, "day {day}");
        clock.advance(6 * DAY);
    }
    let client = builder().store(store.clone()).clock(clock.read()).build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::UnreachableForLong));
    // No crawler ran for 31 days, so the state of the site in this time is unknown.
    clock.advance(31 * DAY);
    let client = builder().store(store).clock(clock.read()).build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));
}

/// A store whose reads give a chosen result, and whose writes fail.
struct Bad(fn() -> Result<Option<Vec<u8>>, StoreError>);

impl Store for Bad {
    async fn get(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        (self.0)()
    }

    async fn put(&self, _: &str, _: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        Err(StoreError::new("no space left on device"))
    }
}

#[rstest]
#[trace]
#[case::away(|| Err(StoreError::new("connection refused")))]
#[case::garbage(|| Ok(Some(b"garbage".to_vec())))]
#[case::of_another_version(|| Ok(Some(b"robots-fetch 2 0 0 00000000\n".to_vec())))]
#[tokio::test]
async fn a_store_that_fails_costs_a_request_and_no_answer(
    #[case]
    #[notrace]
    get: fn() -> Result<Option<Vec<u8>>, StoreError>,
) {
    let web = web(&rules(""));
    let client = builder().store(Bad(get)).build().unwrap();
    let url = web.expand("{main}/private");
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    assert_eq!(web.log().len(), 1);
    assert!(client.counts().store_errors >= 1);
}

/// A store that returns the record of another origin must not allow anything.
#[tokio::test]
async fn the_record_of_another_origin_is_not_taken() {
    let sites = web("main: { robots: \"user-agent: *\\ndisallow: /\\n\" }\nother: { robots: 404 }");
    let store = Memory::of_octets(1 << 20);
    let other = sites.expand("{other}/");
    let client = builder().store(store.clone()).build().unwrap();
    assert!(client.verdict(&other).await.unwrap().is_allowed());
    let key = sites.url("other").unwrap();
    let record = Store::get(&store, key).await.unwrap().unwrap();
    assert_eq!(Record::from_octets(&record).unwrap().key, key);
    Store::put(&store, sites.url("main").unwrap(), record, DAY).await.unwrap();
    let client = builder().store(store).build().unwrap();
    let url = sites.expand("{main}/x");
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
}

#[tokio::test]
async fn what_was_sent_for_one_crawler_is_not_taken_by_another() {
    let web = web(&rules("vary: user-agent"));
    let store = Memory::of_octets(1 << 20);
    let url = web.expand("{main}/private");
    for (name, requests) in [("onebot", 1), ("twobot", 2), ("onebot", 2), ("twobot", 2)] {
        let client = builder().identification(name).store(store.clone()).build().unwrap();
        assert!(!client.verdict(&url).await.unwrap().is_allowed());
        assert_eq!(web.log().len(), requests, "{name}");
    }
}

/// A store that can fail in the same ways as a real store.
#[derive(Clone, Default)]
struct Moody {
    records: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    /// The number of reads that will fail, beginning with the next read.
    reads_fail: Arc<AtomicU64>,
    writes_fail: Arc<AtomicBool>,
    reads: Arc<AtomicU64>,
    /// The number of times that a lease is refused, because another process has it.
    held: Arc<AtomicU64>,
    /// The number of times that a lease was renewed.
    renewed: Arc<AtomicU64>,
}

impl Moody {
    fn record(&self, key: &str) -> Option<Record> {
        let records = self.records.lock().unwrap();
        records.get(key).map(|octets| Record::from_octets(octets).unwrap())
    }
}

impl Store for Moody {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let left = self.reads_fail.load(Ordering::Relaxed);
        self.reads_fail.store(left.saturating_sub(1), Ordering::Relaxed);
        if left > 0 {
            return Err(StoreError::new("not now"));
        }
        Ok(self.records.lock().unwrap().get(key).cloned())
    }

    async fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        if self.writes_fail.load(Ordering::Relaxed) {
            return Err(StoreError::new("not now"));
        }
        self.records.lock().unwrap().insert(key.to_owned(), record);
        Ok(())
    }

    async fn lease(&self, _: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        assert_eq!(time, Lease::TIME);
        let held = self.held.load(Ordering::Relaxed);
        self.held.store(held.saturating_sub(1), Ordering::Relaxed);
        Ok((held == 0).then_some(Lease(1)))
    }

    async fn renew(&self, _: &str, lease: Lease, _: Duration) -> Result<bool, StoreError> {
        assert_eq!(lease, Lease(1));
        self.renewed.fetch_add(1, Ordering::Relaxed);
        Ok(true)
    }
}

/// Asks about a URL with a new client, so that only the store has earlier data.
async fn asked(store: &Moody, name: &'static str, clock: &Clock, url: &str, blocks: bool) -> bool {
    let (store, clock, url) = (store.clone(), clock.read(), url.to_owned());
    if blocks {
        let asked = tokio::task::spawn_blocking(move || {
            let client = blocking_builder().identification(name).store(store).clock(clock);
            client.build().unwrap().verdict(&url).unwrap().is_allowed()
        });
        return asked.await.unwrap();
    }
    let client = builder().identification(name).store(store).clock(clock).build().unwrap();
    client.verdict(&url).await.unwrap().is_allowed()
}

/// If a store cannot be read for a while, it does not lose the copy that decides after an outage of 30 days.
#[rstest]
#[trace]
#[tokio::test]
async fn a_copy_is_not_lost_with_a_read(#[values(false, true)] blocks: bool) {
    let web = web("main: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", 503 ] }");
    let (clock, store) = (Clock::new(), Moody::default());
    let (key, url) = (web.url("main").unwrap(), web.expand("{main}/private"));
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert!(store.record(key).unwrap().copy.is_some());
    clock.advance(2 * DAY);
    // The two reads before the request fail. Later reads succeed.
    store.reads_fail.store(2, Ordering::Relaxed);
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert_eq!(store.reads_fail.load(Ordering::Relaxed), 0);
    assert!(store.record(key).unwrap().copy.is_some());
    for _ in 0..6 {
        assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
        clock.advance(6 * DAY);
    }
    // The outage has now lasted more than 30 days, so the copy decides. Without it, everything would be allowed.
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    let public = web.expand("{main}/public");
    assert!(asked(&store, "onebot", &clock, &public, blocks).await);
    assert_eq!(store.record(key).unwrap().last.end.status, Some(503));
}

/// A record for one crawler survives if another crawler finds that the site fails.
#[rstest]
#[trace]
#[tokio::test]
async fn a_copy_is_not_lost_to_another_crawler(#[values(false, true)] blocks: bool) {
    let web = web(
        "main: { robots: [ { text: \"user-agent: *\\ndisallow: /private\\n\", headers: { vary: user-agent } }, 503 ] }",
    );
    let (clock, store) = (Clock::new(), Moody::default());
    let (key, url) = (web.url("main").unwrap(), web.expand("{main}/private"));
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert!(!asked(&store, "twobot", &clock, &url, blocks).await);
    assert!(store.record(key).unwrap().copy.is_some());
    assert!(store.record(&format!("{key}#twobot")).unwrap().copy.is_none());
    clock.advance(2 * DAY);
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert!(!asked(&store, "twobot", &clock, &url, blocks).await);
    // The store may also contain a record without a copy under the cache key itself.
    let without = store.record(&format!("{key}#twobot")).unwrap().to_octets();
    store.records.lock().unwrap().insert(key.to_owned(), without);
    for _ in 0..6 {
        clock.advance(6 * DAY);
        assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    }
    let public = web.expand("{main}/public");
    assert!(asked(&store, "onebot", &clock, &public, blocks).await);
}

/// If the store could not be written, the record in memory is newer than the record in the store, and the client uses
/// it.
#[rstest]
#[trace]
#[tokio::test]
async fn memory_is_not_replaced_by_an_older_record(#[values(false, true)] blocks: bool) {
    let web = web(
        "main: { robots: [ 404, { text: \"user-agent: *\\ndisallow: /private\\n\", headers: { etag: '\"1\"' } }, 304 ] }",
    );
    let (clock, store, url) = (Clock::new(), Moody::default(), web.expand("{main}/private"));
    let second = Arc::clone(&store.writes_fail);
    let (read, advance) = (clock.read(), clock.clone());
    let ask = move |verdict: &dyn Fn() -> bool| {
        assert!(verdict());
        second.store(true, Ordering::Relaxed);
        advance.advance(2 * DAY);
        assert!(!verdict());
        advance.advance(2 * DAY);
        // The server confirms the copy in memory. The store has no copy.
        assert!(!verdict());
    };
    tokio::task::spawn_blocking(move || {
        if blocks {
            let client = blocking_builder().store(store).clock(read).build().unwrap();
            ask(&|| client.verdict(&url).unwrap().is_allowed());
        } else {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let client = builder().store(store).clock(read).build().unwrap();
            ask(&|| runtime.block_on(client.verdict(&url)).unwrap().is_allowed());
        }
    })
    .await
    .unwrap();
    assert_eq!(web.log().len(), 3);
    assert_eq!(web.log()[2].header("if-none-match"), Some("\\\"1\\\""));
}

/// A store that is unavailable until `works` is set: it hangs if `silent` is set, and otherwise it fails at once.
#[derive(Clone, Default)]
struct Away {
    silent: bool,
    works: Arc<AtomicBool>,
    asked: Arc<AtomicU64>,
}

impl Away {
    async fn answer<T>(&self, answer: T) -> Result<T, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.works.load(Ordering::Relaxed) {
            return Ok(answer);
        }
        if self.silent {
            std::future::pending::<()>().await;
        }
        Err(StoreError::new("connection refused"))
    }
}

impl Store for Away {
    async fn get(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.answer(None).await
    }

    async fn put(&self, _: &str, _: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        self.answer(()).await
    }

    async fn lease(&self, _: &str, _: Duration) -> Result<Option<Lease>, StoreError> {
        self.answer(Some(Lease(1))).await
    }
}

/// A client skips a store that hangs or fails. Questions about a thousand origins lose no more time than a question
/// about one origin.
#[rstest]
#[trace]
#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_is_skipped(#[values(false, true)] silent: bool) {
    let (logged, log) = std::sync::mpsc::channel();
    let logged = Mutex::new(logged);
    let _events = tracing::subscriber::set_default(Events(move |event: &str| {
        logged.lock().unwrap().send(event.to_owned()).unwrap();
    }));
    let guard = |_: &Connection<'_>| Err(Refused::because("this site gets no request"));
    let store = Away { silent, ..Away::default() };
    let client = builder().guard(guard).store(store.clone()).build().unwrap();
    let began = tokio::time::Instant::now();
    for host in 0..1000_u32 {
        let url = format!("http://10.0.{}.{}/", host / 250, host % 250);
        assert!(!client.verdict(&url).await.unwrap().is_allowed());
        // A crawler does other work in the meantime.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let waited = began.elapsed().saturating_sub(Duration::from_secs(100));
    assert!(waited < Duration::from_secs(3), "{waited:?}");
    let counts = client.counts();
    assert!(counts.store_errors <= 3 && counts.store_skips > 1990, "{counts:?}");
    // The client tried the store from time to time, and uses it again when it works.
    let asked = store.asked.load(Ordering::Relaxed);
    assert!((5..20).contains(&asked), "{asked}");
    store.works.store(true, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(31)).await;
    // The client tries the store even if there are no questions, so the first question can use it.
    client.verdict("http://10.1.0.1/").await.unwrap();
    let after = client.counts();
    assert_eq!(after.store_errors, counts.store_errors);
    assert_eq!(after.store_skips, counts.store_skips);
    let is_state = |event: &String| {
        event.starts_with(", message: the store") && !event.contains("continues without it")
    };
    let states: Vec<String> = log.try_iter().filter(is_state).collect();
    assert_eq!(
        states,
        [
            ", message: the store failed several times and is skipped until it works",
            ", message: the store works again",
        ]
    );
}

/// The first question only parses the file, even if it waits for a lease and reads the store several times. The second
/// question compiles the rules.
#[tokio::test]
async fn rules_are_compiled_for_the_second_question() {
    let web = web("main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }");
    let (clock, store) = (Clock::new(), Moody::default());
    let url = web.expand("{main}/private");
    assert!(!asked(&store, "onebot", &clock, &url, false).await);
    clock.advance(2 * DAY);
    store.held.store(3, Ordering::Relaxed);
    let client = builder().identification("onebot").store(store.clone()).clock(clock.read());
    let client = client.build().unwrap();
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    assert!(store.reads.load(Ordering::Relaxed) >= 5);
    assert_eq!(client.counts().compiled, 0);
    for _ in 0..2 {
        let verdict = client.verdict(&url).await.unwrap();
        assert_eq!(verdict.evidence().unwrap().rule().unwrap().line().number, 2);
        assert_eq!(client.counts().compiled, 1);
    }
}

/// A client renews its lease while its request is running, so that no other process sends a request for the origin.
#[rstest]
#[trace]
#[tokio::test]
async fn a_lease_is_renewed_while_a_request_goes_on(#[values(false, true)] blocks: bool) {
    let web = web("main: { robots: { status: 404, delay: 5000 } }");
    let store = Moody::default();
    assert!(asked(&store, "onebot", &Clock::new(), &web.expand("{main}/"), blocks).await);
    assert_eq!(store.renewed.load(Ordering::Relaxed), 2);
}

/// A crawler waits thirty seconds for a lease that is never granted. Then it fetches the file without one.
#[tokio::test(start_paused = true)]
async fn a_lease_that_is_never_granted_is_not_waited_for() {
    let guard = |_: &Connection<'_>| Err(Refused::because("this site gets no request"));
    let store = Moody::default();
    store.held.store(u64::MAX, Ordering::Relaxed);
    let client = builder().guard(guard).store(store).build().unwrap();
    let began = tokio::time::Instant::now();
    client.verdict("http://127.0.0.1:9/").await.unwrap();
    let waited = began.elapsed().as_secs_f32();
    assert!((30.0..31.0).contains(&waited), "{waited}");
    assert_eq!(client.counts().requests, 1);
}
