//! Tests the async and the blocking client on a few sites. For example, many questions need only one request, and
//! requests contain no data that servers must not receive.

mod answers;
#[path = "../events/mod.rs"]
mod events;
mod floods;
mod guards;
mod limits;
mod lives;
mod malformed;
mod octets;
mod proxies;
mod stores;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use robots_fetch::guard::{Connection, Refused};
use robots_fetch::{Builder, Client, ErrorKind, blocking};
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

/// A clock that a test can set.
#[derive(Clone)]
struct Clock(Arc<AtomicU64>);

impl Clock {
    fn new() -> Self {
        Self(Arc::new(AtomicU64::new(1_000_000_000)))
    }

    fn advance(&self, time: Duration) {
        self.0.fetch_add(time.as_secs(), Ordering::Relaxed);
    }

    fn set_back(&self, time: Duration) {
        self.0.fetch_sub(time.as_secs(), Ordering::Relaxed);
    }

    /// Sets the clock to a number of seconds after its start, or before it.
    fn jump(&self, seconds: i64) {
        self.0.store(1_000_000_000_u64.saturating_add_signed(seconds), Ordering::Relaxed);
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

/// If the caller drops its question, the answer is still stored, and no other request is needed.
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

/// A caller may stop polling its question for longer than the time limit of a request, and still gets the answer.
#[tokio::test]
async fn a_question_that_stands_still_is_answered_all_the_same() {
    let web = web("main: { robots: { status: 404, delay: 200 } }");
    let limit = Duration::from_secs(1);
    let client = builder().total_timeout(limit).build().unwrap();
    let url = web.expand("{main}/");
    let mut first = std::pin::pin!(client.verdict(&url));
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut first).await.is_err());
    tokio::time::sleep(2 * limit).await;
    assert!(client.verdict(&url).await.unwrap().is_allowed());
    assert!(first.await.unwrap().is_allowed());
    assert_eq!((web.log().len(), client.counts().waited), (1, 0));
}

/// If code of the caller panics, such as a guard, the question gets an answer that allows nothing.
#[tokio::test]
async fn a_flight_that_panics_allows_nothing() {
    let web = web("main: { robots: 404 }");
    let guard = |_: &Connection<'_>| -> Result<(), Refused> { panic!("on purpose") };
    let verdict = builder()
        .guard(guard)
        .build()
        .unwrap()
        .verdict(&web.expand("{main}/"))
        .await
        .unwrap()
        .to_string();
    assert!(verdict.starts_with("disallow") && verdict.contains("was interrupted"), "{verdict}");
    assert_eq!(web.log().len(), 0);
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
    assert!(refused(Client::builder("example bot")).contains("not a product token"));
    assert!(refused(builder().identification("a\r\nb: c")).contains("User-Agent"));
    assert!(refused(builder().trust("no certificate")).contains("PEM"));
    assert!(refused(builder().proxy("socks5://proxy")).contains("scheme socks5"));
    let error = blocking_builder().trust("no certificate").build().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Certificate);
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
