//! Both clients on a small web: one request for many questions, lives by an injected clock, stores over a restart, the
//! guard, limits, and what is kept back from servers.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{IpAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use robots_fetch::guard::{Connection, PublicOnly, Refused};
use robots_fetch::record::Record;
use robots_fetch::robots_core::Edition;
use robots_fetch::store::{Lease, Memory, Redb, Store, StoreError};
use robots_fetch::{Basis, Builder, Client, ErrorKind, Settings, blocking};
use robots_test_web::{Sites, Web};
use rstest::rstest;

const DAY: Duration = Duration::from_secs(86_400);

fn web(sites: &str) -> Web {
    Web::start(&Sites::from_yaml(sites).unwrap()).unwrap()
}

fn builder() -> Builder {
    Client::builder("examplebot").identification("examplebot/1.0 (a test)").no_proxy()
}

fn blocking_builder() -> blocking::Builder {
    blocking::Client::builder("examplebot").identification("examplebot/1.0 (a test)").no_proxy()
}

/// A clock that a test moves.
#[derive(Clone)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_000_000_000)))
    }

    fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    fn read(&self) -> impl Fn() -> SystemTime + Send + Sync + 'static {
        let clock = self.clone();
        move || UNIX_EPOCH + Duration::from_secs(clock.0.load(Ordering::Relaxed))
    }
}

const RULES: &str = "user-agent: *\ndisallow: /private\n";

fn rules(more: &str) -> String {
    format!(
        "main: {{ robots: {{ text: \"user-agent: *\\ndisallow: /private\\n\", headers: {{ {more} }} }} }}"
    )
}

#[tokio::test]
async fn a_thousand_questions_are_one_request() {
    let web =
        web("main: { robots: { text: \"user-agent: *\\ndisallow: /private\\n\", delay: 200 } }");
    let client = builder().build().unwrap();
    let asked: Vec<_> = (0..1000)
        .map(|n| {
            let (client, url) = (client.clone(), web.expand(&format!("{{main}}/{n}")));
            tokio::spawn(async move { client.verdict(&url).await.unwrap().is_allowed() })
        })
        .collect();
    for answer in asked {
        assert!(answer.await.unwrap());
    }
    assert_eq!(web.log().len(), 1);
    assert_eq!((client.counts().requests, client.counts().waited), (1, 999));
    let private = web.expand("{main}/private/x");
    let verdict = client.verdict(&private).await.unwrap();
    assert!(!verdict.is_allowed());
    assert_eq!(verdict.evidence().unwrap().rule().unwrap().line().number, 2);
    assert_eq!(web.log().len(), 1);
}

#[test]
fn a_hundred_threads_make_one_request() {
    let web =
        web("main: { robots: { text: \"user-agent: *\\ndisallow: /private\\n\", delay: 200 } }");
    let client = blocking_builder().build().unwrap();
    std::thread::scope(|scope| {
        for n in 0..100 {
            let (client, url) = (&client, web.expand(&format!("{{main}}/{n}")));
            scope.spawn(move || assert!(client.verdict(&url).unwrap().is_allowed()));
        }
    });
    assert_eq!((web.log().len(), client.counts().waited), (1, 99));
}

/// Who asked may go away: the answer is kept, and nobody asks again.
#[tokio::test]
async fn a_question_that_is_dropped_loses_nothing() {
    let web = web("main: { robots: { status: 404, delay: 200 } }");
    let client = builder().build().unwrap();
    let url = web.expand("{main}/");
    let dropped = tokio::time::timeout(Duration::from_millis(50), client.verdict(&url)).await;
    assert!(dropped.is_err());
    assert!(client.verdict(&url).await.unwrap().is_allowed());
    assert_eq!(web.log().len(), 1);
}

#[tokio::test]
async fn requests_carry_nothing_but_who_asks_and_what_for() {
    let web = web(
        "main: { robots: { status: 302, location: '{other}/robots.txt', headers: { set-cookie: 'a=b' } } }\n\
                   other: { robots: 404 }",
    );
    let url = web.expand("{main}/x?secret#y");
    builder().build().unwrap().verdict(&url).await.unwrap();
    let url = url.clone();
    tokio::task::spawn_blocking(move || {
        blocking_builder().build().unwrap().verdict(&url).unwrap().is_allowed()
    })
    .await
    .unwrap();
    let log = web.log();
    assert_eq!(log.len(), 4);
    for entry in &log {
        let mut names: Vec<_> = entry.headers.iter().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "accept-encoding", "host", "user-agent"], "{entry:?}");
        assert_eq!(entry.header("user-agent"), Some("examplebot/1.0 (a test)"));
        assert_eq!((&*entry.method, &*entry.target), ("GET", "/robots.txt"));
    }
}

#[tokio::test]
async fn a_copy_lives_for_its_time_and_is_then_confirmed() {
    let web = web("main:\n  robots:\n\
         \x20   - { text: \"user-agent: *\\ndisallow: /private\\n\", headers: { etag: '\"1\"', cache-control: max-age=600 } }\n\
         \x20   - { status: 304, headers: { cache-control: max-age=1200 } }\n    - 404\n");
    let clock = Clock::new();
    let client = builder().clock(clock.read()).build().unwrap();
    let url = web.expand("{main}/private");
    let asked = async |expected: bool, requests: usize| {
        assert_eq!(client.verdict(&url).await.unwrap().is_allowed(), expected);
        assert_eq!(web.log().len(), requests);
    };
    asked(false, 1).await;
    clock.advance(Duration::from_secs(599));
    asked(false, 1).await;
    clock.advance(Duration::from_secs(1));
    asked(false, 2).await;
    assert_eq!(web.log()[0].header("if-none-match"), None);
    // The log escapes quotation marks.
    assert_eq!(web.log()[1].header("if-none-match"), Some("\\\"1\\\""));
    clock.advance(Duration::from_secs(1199));
    asked(false, 2).await;
    clock.advance(Duration::from_secs(1));
    asked(true, 3).await;
}

#[tokio::test]
async fn an_outage_forbids_and_after_thirty_days_the_copy_decides() {
    let web = web("main: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", 503 ] }");
    let clock = Clock::new();
    let client = builder().clock(clock.read()).build().unwrap();
    let (public, private) = (web.expand("{main}/public"), web.expand("{main}/private"));
    assert!(client.verdict(&public).await.unwrap().is_allowed());
    clock.advance(DAY + Duration::from_secs(1));
    let verdict = client.verdict(&public).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));
    assert_eq!(
        verdict.to_string(),
        "disallow: robots.txt answered 503, and by google-2022 nothing may then be fetched (RFC 9309, 2.3.1.4; \
         \"handling of HTTP result codes\" of the Google editions, 5xx)"
    );
    // Between the tries the site is left alone.
    assert_eq!(web.log().len(), 2);
    clock.advance(Duration::from_secs(60));
    assert!(!client.verdict(&public).await.unwrap().is_allowed());
    assert_eq!(web.log().len(), 2);
    for _ in 0..30 {
        clock.advance(DAY + DAY / 5);
        client.verdict(&public).await.unwrap();
    }
    let verdict = client.verdict(&public).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::LastCopy));
    assert!(!client.verdict(&private).await.unwrap().is_allowed());
    assert!(web.log().len() < 40);
}

#[tokio::test]
async fn a_copy_bridges_an_outage_where_that_is_wanted() {
    let web =
        web("main: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", { fault: reset } ] }");
    let clock = Clock::new();
    let settings = Settings::default().stale_if_error(2 * DAY);
    let client = builder().settings(settings).clock(clock.read()).build().unwrap();
    let (public, private) = (web.expand("{main}/public"), web.expand("{main}/private"));
    client.verdict(&public).await.unwrap();
    clock.advance(DAY + Duration::from_secs(1));
    let verdict = client.verdict(&public).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::LastCopy));
    assert!(!client.verdict(&private).await.unwrap().is_allowed());
    clock.advance(2 * DAY);
    assert!(!client.verdict(&public).await.unwrap().is_allowed());
}

#[tokio::test]
async fn stale_rules_answer_while_they_are_fetched_anew() {
    let web = web(
        "main: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", { text: '', delay: 300 } ] }",
    );
    let clock = Clock::new();
    let settings = Settings::default().stale_while_revalidate(DAY);
    let client = builder().settings(settings).clock(clock.read()).build().unwrap();
    let url = web.expand("{main}/private");
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    clock.advance(DAY + Duration::from_secs(2));
    for _ in 0..10 {
        let verdict = client.verdict(&url).await.unwrap();
        assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::StaleRules));
    }
    for _ in 0..100 {
        if client.verdict(&url).await.unwrap().is_allowed() {
            assert_eq!(web.log().len(), 2);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it was never fetched anew");
}

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

/// An outage is kept too: a crawler that starts again neither asks at once nor begins to count anew.
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
    clock.advance(31 * DAY);
    let client = builder().store(store).clock(clock.read()).build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (true, Basis::UnreachableForLong));
}

/// A store of faults.
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

/// A store that gives the record of another origin opens nothing.
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

#[tokio::test]
async fn a_guard_is_asked_about_every_hop_and_what_it_refuses_is_not_reached() {
    let web = web(
        "main: { robots: { status: 302, location: '{other}/robots.txt' } }\nother: { robots: 404 }",
    );
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let other = web.url("other").unwrap().strip_prefix("http://").unwrap().to_owned();
    let guard = move |connection: &Connection<'_>| {
        let to = format!("{}:{}", connection.host, connection.port);
        noted.lock().unwrap().push((to.clone(), connection.address));
        if to == other { Err(Refused::because("it is the other")) } else { Ok(()) }
    };
    let guard = Arc::new(guard);
    let url = web.expand("{main}/x");
    let (first, second) = (Arc::clone(&guard), guard);
    let store = Memory::of_octets(1 << 20);
    let client = builder().store(store.clone()).guard(move |c: &Connection<'_>| first(c));
    let client = client.build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert!(!verdict.is_allowed());
    // It is this client's affair: whoever shares the store may ask.
    assert_eq!(Store::get(&store, web.url("main").unwrap()).await.unwrap(), None);
    assert!(verdict.to_string().contains("the guard refused it: it is the other"), "{verdict}");
    assert_eq!(client.counts().refused, 1);
    assert_eq!(web.log().len(), 1);

    let asked = url.clone();
    tokio::task::spawn_blocking(move || {
        let guard = move |c: &Connection<'_>| second(c);
        let client = blocking_builder().guard(guard).build().unwrap();
        let verdict = client.verdict(&asked).unwrap();
        assert!(verdict.to_string().contains("the guard refused it: it is the other"), "{verdict}");
        assert_eq!(client.counts().refused, 1);
    })
    .await
    .unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!((web.log().len(), seen.len()), (2, 4), "{seen:?}");
    for (host, address) in &*seen {
        let host = host.rsplit_once(':').unwrap().0;
        assert_eq!(host.parse::<IpAddr>().ok(), Some(*address));
    }
}

/// A guard that panics takes its question with it, and no client.
#[tokio::test]
async fn a_guard_that_panics_forbids() {
    let guard = |_: &Connection<'_>| -> Result<(), Refused> { panic!("a fault of the guard") };
    let client = builder().guard(guard).build().unwrap();
    let verdict = client.verdict("http://127.0.0.1:9/").await.unwrap();
    assert!(!verdict.is_allowed());
    assert!(verdict.to_string().contains("the retrieval broke off"), "{verdict}");
}

#[rstest]
#[trace]
#[case("http://127.0.0.1:9/")]
#[case("http://[::1]:9/")]
#[case("http://localhost:9/")]
#[case("http://0x7f.1:9/")]
#[case("http://2130706433:9/")]
#[case("http://169.254.169.254/latest")]
#[tokio::test]
async fn a_guard_for_the_public_refuses_this_machine(#[case] url: &str) {
    let client = builder().guard(PublicOnly::default()).build().unwrap();
    let verdict = client.verdict(url).await.unwrap();
    assert!(!verdict.is_allowed());
    assert!(verdict.to_string().contains("the guard refused it"), "{verdict}");
}

#[tokio::test]
async fn through_a_proxy_a_guard_sees_the_name_and_the_address_of_the_proxy() {
    // Any web is a proxy to one that asks it for whole URLs.
    let web = web(
        "main: { otherwise: \"user-agent: *\\ndisallow: /private\\n\", robots: \"user-agent: *\\ndisallow: /private\\n\" }",
    );
    let proxy = web.url("main").unwrap();
    let url = "http://example.com/private";
    let refusing = builder().proxy(proxy).guard(PublicOnly::default()).build().unwrap();
    let verdict = refusing.verdict(url).await.unwrap().to_string();
    assert!(verdict.contains("through the proxy"), "{verdict}");
    assert_eq!(web.log().len(), 0);

    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&seen);
    let guard = move |connection: &Connection<'_>| {
        let proxy = connection.proxy.map(str::to_owned);
        noted.lock().unwrap().push((connection.host.to_owned(), connection.address, proxy));
        Ok(())
    };
    let client = builder().proxy(proxy).guard(guard).build().unwrap();
    client.verdict(url).await.unwrap();
    let expected: IpAddr =
        proxy.strip_prefix("http://").unwrap().split(':').next().unwrap().parse().unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [("example.com".to_owned(), expected, Some(proxy.to_owned()))]
    );
    assert_eq!(web.log().len(), 1);
    assert_eq!(web.log()[0].header("host"), Some("example.com"));
}

#[rstest]
#[trace]
#[case("gzip")]
#[case("br")]
#[case("zstd")]
#[tokio::test]
async fn a_body_counts_after_decoding(#[case] coding: &str) {
    let sites = format!(
        "main: {{ robots: {{ parts: [ {{ text: \"user-agent: *\\n\" }}, {{ text: \"#\", times: 2000000 }}, \
         {{ text: \"\\ndisallow: /\\n\" }} ], coding: {coding} }} }}"
    );
    let web = web(&sites);
    let client = builder().edition(Edition::Rfc9309).build().unwrap();
    let url = web.expand("{main}/x");
    let verdict = client.verdict(&url).await.unwrap();
    // The rule lies beyond the limit.
    assert!(verdict.is_allowed());
    let copy = verdict.record().copy.as_ref().unwrap();
    assert_eq!((copy.body.len(), copy.about.cut, copy.about.limit), (512_001, true, 512_000));
}

#[tokio::test]
async fn a_body_without_end_is_left_at_the_limit() {
    let web = web(
        "main: { robots: { text: \"user-agent: *\\ndisallow: /private\\n\", fault: endless-body } }",
    );
    let client = builder().build().unwrap();
    let url = web.expand("{main}/private");
    assert!(!client.verdict(&url).await.unwrap().is_allowed());
    let read = client.counts().octets;
    assert!((512_000..1_000_000).contains(&read), "{read}");
}

#[rstest]
#[trace]
#[case::connect("main: { robots: { fault: hang } }")]
#[case::body("main: { robots: { text: \"user-agent: *\\nallow: /\\n\", fault: hang-in-body } }")]
#[tokio::test]
async fn a_server_that_keeps_silent_is_not_waited_for(#[case] sites: &str) {
    let web = web(sites);
    let limit = Duration::from_millis(300);
    let url = web.expand("{main}/x");
    let client = builder().time_limits(limit, limit, limit, 4 * limit).build().unwrap();
    let began = std::time::Instant::now();
    let verdict = client.verdict(&url).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(3));
    assert!(!verdict.is_allowed());
    assert_eq!(verdict.record().last.end.failure.as_deref(), Some("timeout"), "{verdict}");
    let asked = url.clone();
    let failure = tokio::task::spawn_blocking(move || {
        let client =
            blocking_builder().time_limits(limit, limit, limit, 4 * limit).build().unwrap();
        let began = std::time::Instant::now();
        let verdict = client.verdict(&asked).unwrap();
        assert!(began.elapsed() < Duration::from_secs(3));
        verdict.record().last.end.failure.clone()
    });
    assert_eq!(failure.await.unwrap().as_deref(), Some("timeout"));
}

#[tokio::test]
async fn a_handle_answers_for_its_origin_alone() {
    let web = web(&rules(""));
    let client = builder().build().unwrap();
    let url = web.expand("{main}/");
    let origin = client.origin(&url).await.unwrap();
    assert!(!origin.verdict("/private").unwrap().is_allowed());
    assert!(!origin.verdict(&web.expand("{main}/private")).unwrap().is_allowed());
    let shouted = web.expand("{main}/private").replace("http", "HTTP");
    assert!(!origin.verdict(&shouted).unwrap().is_allowed());
    for other in [
        "http://example.com/",
        "//example.com/",
        "/\\example.com/x",
        "/\t/example.com/x",
        "/\n/example.com/x",
        "/\r/example.com/x",
        "https://127.0.0.1/",
    ] {
        assert!(origin.verdict(other).is_err(), "{other}");
    }
    let prefix = format!("{}1/", web.url("main").unwrap());
    assert!(origin.verdict(&prefix).is_err());
    assert_eq!(origin.rules().unwrap().len(), 1);
    assert_eq!(origin.record().copy.as_ref().unwrap().body, RULES.as_bytes());
}

#[rstest]
#[trace]
#[case("example.com/x", ErrorKind::NotAUrl)]
#[case("http://user@example.com/x", ErrorKind::UserInfo)]
#[case("gopher://example.com/x", ErrorKind::Scheme)]
#[tokio::test]
async fn what_is_no_question_is_refused(#[case] url: &str, #[case] kind: ErrorKind) {
    let client = builder().build().unwrap();
    assert_eq!(client.verdict(url).await.unwrap_err().kind(), kind);
}

#[test]
fn a_client_that_cannot_be_made_says_why() {
    let refused = |builder: Builder| builder.build().unwrap_err().to_string();
    assert!(refused(Client::builder("example bot")).contains("no product token"));
    assert!(refused(builder().identification("a\r\nb: c")).contains("User-Agent"));
    assert!(refused(builder().trust("no certificate")).contains("PEM"));
    assert!(refused(builder().proxy("socks5://proxy")).contains("scheme socks5"));
    let error = blocking_builder().trust("no certificate").build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Certificate);
}

/// Many origins at once: no more connections than allowed.
#[tokio::test]
async fn so_many_origins_are_asked_at_once() {
    let sites: String =
        (0..12).map(|n| format!("s{n}: {{ robots: {{ status: 404, delay: 100 }} }}\n")).collect();
    let web = web(&sites);
    let client = builder().concurrency(3).build().unwrap();
    let asked: Vec<_> = web
        .origins()
        .map(|(_, url)| (client.clone(), format!("{url}/")))
        .map(|(client, url)| {
            tokio::spawn(async move { client.verdict(&url).await.unwrap().is_allowed() })
        })
        .collect();
    for answer in asked {
        assert!(answer.await.unwrap());
    }
    let log = web.log();
    let spans: Vec<_> = log.iter().map(|e| (e.at, e.answer.as_ref().unwrap().at)).collect();
    let most = spans.iter().map(|(at, _)| spans.iter().filter(|(a, b)| a <= at && at < b).count());
    assert!(most.max().unwrap() <= 3, "{spans:?}");
}

/// What a guard refuses is no outage of the site, and never becomes one that has lasted for 30 days.
#[tokio::test]
async fn what_a_guard_refuses_stays_refused() {
    let clock = Clock::new();
    let client = builder().guard(PublicOnly::default()).clock(clock.read()).build().unwrap();
    let url = "http://169.254.169.254/latest";
    let blocked = clock.clone();
    let blocking = tokio::task::spawn_blocking(move || {
        let client = blocking_builder().guard(PublicOnly::default());
        client.clock(blocked.read()).build().unwrap()
    });
    let blocking = blocking.await.unwrap();
    for day in 0..33 {
        let verdict = client.verdict(url).await.unwrap();
        assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable), "{day}");
        assert_eq!(verdict.record().last.unreachable_since, None);
        let blocking = blocking.clone();
        let basis =
            tokio::task::spawn_blocking(move || blocking.verdict(url).unwrap().basis()).await;
        assert_eq!(basis.unwrap(), Basis::Unreachable, "{day}");
        clock.advance(DAY);
    }
    assert_eq!(client.counts().refused, 33);
}

/// Neither does a fault of the client's own.
#[tokio::test]
async fn a_guard_that_panics_forbids_for_ever() {
    let clock = Clock::new();
    let guard = |_: &Connection<'_>| -> Result<(), Refused> { panic!("a fault of the guard") };
    let client = builder().guard(guard).clock(clock.read()).build().unwrap();
    for _ in 0..2 {
        assert!(!client.verdict("http://127.0.0.1:9/").await.unwrap().is_allowed());
        clock.advance(31 * DAY);
    }
}

/// A store that can be made to fail, in the ways that a real one does.
#[derive(Clone, Default)]
struct Moody {
    records: Arc<Mutex<HashMap<String, Vec<u8>>>>,
    /// How many reads fail from now on.
    reads_fail: Arc<AtomicU64>,
    writes_fail: Arc<AtomicBool>,
    reads: Arc<AtomicU64>,
    /// How often a lease is another's before it is given.
    held: Arc<AtomicU64>,
    /// The time of the lease that was asked for last, in seconds.
    leased: Arc<AtomicU64>,
}

impl Moody {
    fn record(&self, key: &str) -> Option<Record> {
        let records = self.records.lock().unwrap();
        records.get(key).map(|octets| Record::from_octets(octets).unwrap())
    }
}

impl blocking::Store for Moody {
    fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        let left = self.reads_fail.load(Ordering::Relaxed);
        self.reads_fail.store(left.saturating_sub(1), Ordering::Relaxed);
        if left > 0 {
            return Err(StoreError::new("not now"));
        }
        Ok(self.records.lock().unwrap().get(key).cloned())
    }

    fn put(&self, key: &str, record: Vec<u8>, _: Duration) -> Result<(), StoreError> {
        if self.writes_fail.load(Ordering::Relaxed) {
            return Err(StoreError::new("not now"));
        }
        self.records.lock().unwrap().insert(key.to_owned(), record);
        Ok(())
    }

    fn lease(&self, _: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        self.leased.store(time.as_secs(), Ordering::Relaxed);
        let held = self.held.load(Ordering::Relaxed);
        self.held.store(held.saturating_sub(1), Ordering::Relaxed);
        Ok((held == 0).then_some(Lease(1)))
    }
}

impl Store for Moody {
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        blocking::Store::get(self, key)
    }

    async fn put(&self, key: &str, record: Vec<u8>, keep: Duration) -> Result<(), StoreError> {
        blocking::Store::put(self, key, record, keep)
    }

    async fn lease(&self, key: &str, time: Duration) -> Result<Option<Lease>, StoreError> {
        blocking::Store::lease(self, key, time)
    }
}

/// Asks one URL by either client, made anew each time: only the store remembers.
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

/// A store that cannot be read for a while keeps the copy that decides after 30 days.
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
    // Both looks before the request fail, and none when it is over.
    store.reads_fail.store(2, Ordering::Relaxed);
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert_eq!(store.reads_fail.load(Ordering::Relaxed), 0);
    assert!(store.record(key).unwrap().copy.is_some());
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    clock.advance(31 * DAY);
    // The copy decides, and not its absence.
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
    assert_eq!(store.record(key).unwrap().last.end.status, Some(503));
}

/// What is for one crawler alone is not lost where another finds the site failing.
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
    // However the record came to stand there.
    let without = store.record(&format!("{key}#twobot")).unwrap().to_octets();
    store.records.lock().unwrap().insert(key.to_owned(), without);
    clock.advance(31 * DAY);
    assert!(!asked(&store, "onebot", &clock, &url, blocks).await);
}

/// Where a store could not be written, memory is newer than it.
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
        // The copy of memory is confirmed; the store knows of none.
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

/// A store that keeps silent is done without, and nobody waits for it for long.
#[tokio::test(start_paused = true)]
async fn a_store_that_keeps_silent_is_not_waited_for() {
    struct Silent;
    impl Store for Silent {
        async fn get(&self, _: &str) -> Result<Option<Vec<u8>>, StoreError> {
            std::future::pending().await
        }

        async fn put(&self, _: &str, _: Vec<u8>, _: Duration) -> Result<(), StoreError> {
            std::future::pending().await
        }

        async fn lease(&self, _: &str, _: Duration) -> Result<Option<Lease>, StoreError> {
            std::future::pending().await
        }
    }
    let guard = |_: &Connection<'_>| Err(Refused::because("nobody is asked here"));
    let client = builder().guard(guard).store(Silent).build().unwrap();
    let began = tokio::time::Instant::now();
    assert!(!client.verdict("http://127.0.0.1:9/").await.unwrap().is_allowed());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(client.counts().store_errors, 2);
}

/// One request in the background, and not one thread for each question.
#[test]
fn stale_rules_are_fetched_anew_by_one_thread() {
    let web = web(
        "main: { robots: [ \"user-agent: *\\ndisallow: /private\\n\", { text: '', delay: 300 } ] }",
    );
    let clock = Clock::new();
    let settings = Settings::default().stale_while_revalidate(DAY);
    let client = blocking_builder().settings(settings).clock(clock.read()).build().unwrap();
    let url = web.expand("{main}/private");
    assert!(!client.verdict(&url).unwrap().is_allowed());
    clock.advance(DAY + Duration::from_secs(2));
    for _ in 0..100 {
        let verdict = client.verdict(&url).unwrap();
        assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::StaleRules));
    }
    for _ in 0..100 {
        if client.verdict(&url).unwrap().is_allowed() {
            // A thread for each question would have waited for the one that flew.
            assert_eq!((web.log().len(), client.counts().waited), (2, 0));
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it was never fetched anew");
}

/// New origins go into memory that is full: what was not asked for longest goes.
#[tokio::test]
async fn full_memory_takes_new_origins() {
    let sites: String = (0..30)
        .map(|n| format!("s{n}: {{ robots: \"user-agent: *\\ndisallow: /private\\n\" }}\n"))
        .collect();
    let web = web(&sites);
    // About ten such origins; the first are asked for often. What is kept is looked through now and then.
    let client = builder().memory(10 * 3_000).build().unwrap();
    let ask = async |sites: std::ops::Range<u32>, times: u32| {
        for site in sites {
            let url = web.expand(&format!("{{s{site}}}/private"));
            for _ in 0..times {
                client.verdict(&url).await.unwrap();
            }
        }
        tokio::time::sleep(Duration::from_millis(400)).await;
    };
    ask(0..8, 20).await;
    ask(0..8, 20).await;
    ask(8..30, 1).await;
    ask(29..30, 1).await;
    let before = web.log().len();
    assert!(client.counts().entries < 25, "{:?}", client.counts());
    ask(29..30, 2).await;
    assert_eq!(web.log().len(), before, "it is in memory");
}

/// While another process asks, the record that is known is not compiled again and again.
#[tokio::test]
async fn a_record_that_is_known_is_compiled_once() {
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
    // The stale record once, and the new one.
    assert_eq!(client.counts().compiled, 2);
}

#[tokio::test]
async fn a_crawler_of_two_names_calls_itself_by_the_first() {
    let web = web("main: { robots: 404 }");
    let client = Client::builder("onebot").also_named("twobot").no_proxy().build().unwrap();
    client.verdict(&web.expand("{main}/")).await.unwrap();
    assert_eq!(web.log()[0].header("user-agent"), Some("onebot"));
}

#[tokio::test]
async fn a_site_is_known_to_answer_5xx_for_missing_pages() {
    let web = web("main: { robots: 500 }\nother: { robots: 500 }");
    let main = web.url("main").unwrap().to_owned();
    let client = builder().server_errors_for_missing_pages(move |site| site.as_str() == main);
    let client = client.build().unwrap();
    assert!(client.verdict(&web.expand("{main}/x")).await.unwrap().is_allowed());
    assert!(!client.verdict(&web.expand("{other}/x")).await.unwrap().is_allowed());
}

/// No other process asks while the requests of this one go on.
#[rstest]
#[trace]
#[tokio::test]
async fn a_lease_lasts_as_long_as_the_requests_may(#[values(false, true)] blocks: bool) {
    let web = web("main: { robots: 404 }");
    let store = Moody::default();
    asked(&store, "onebot", &Clock::new(), &web.expand("{main}/"), blocks).await;
    // A minute for each of six requests, and ten seconds for the store.
    assert_eq!(store.leased.load(Ordering::Relaxed), 370);
}

/// A head without end is no answer.
#[tokio::test]
async fn a_head_without_end_is_left() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/x", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&sent);
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nx: ");
            while stream.write_all(&[b'a'; 1024]).is_ok() {
                counted.fetch_add(1024, Ordering::Relaxed);
            }
        }
    });
    let verdict_url = url.clone();
    let client = builder().build().unwrap();
    let verdict = client.verdict(&verdict_url).await.unwrap();
    assert!(!verdict.is_allowed());
    assert_eq!(verdict.record().last.end.status, None, "{verdict}");
    let blocked = tokio::task::spawn_blocking(move || {
        blocking_builder().build().unwrap().verdict(&url).unwrap().is_allowed()
    });
    assert!(!blocked.await.unwrap());
    // What the buffers of both ends take comes to it.
    assert!(sent.load(Ordering::Relaxed) < 32 << 20);
}
