//! Tests lifetimes and outages with a clock that the test sets ([`Clock`]). For example, a copy is confirmed after its
//! lifetime, the last copy decides after an outage of 30 days, and stale rules are used while they are fetched again.

use std::env;
use std::fs::File;
use std::process::Command;
use std::time::Duration;

use robots_fetch::store::Memory;
use robots_fetch::{Basis, Client, Settings};
use rstest::rstest;

use crate::{Clock, DAY, blocking_builder, builder, web};

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
        "disallow: robots.txt answered 503, so google-2022 allows nothing (RFC 9309, 2.3.1.4; \
         \"handling of HTTP result codes\" of the Google editions, 5xx)"
    );
    // Between two attempts, the client sends no request to the site.
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

/// If the clock is set back, an answer may be older than its time suggests. So the answer is not used, and robots.txt
/// is requested again.
#[rstest]
#[trace]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_of_the_future_is_not_used(#[values(0, 1)] days: u32) {
    let web = web("main: { robots: [ 404, 503, 404, 503 ] }");
    let clock = Clock::new();
    let settings = Settings::default().stale_while_revalidate(days * DAY);
    let client = builder().settings(settings.clone()).clock(clock.read()).build().unwrap();
    let url = web.expand("{main}/page");
    assert!(client.verdict(&url).await.unwrap().is_allowed());
    clock.set_back(10 * DAY);
    let verdict = client.verdict(&url).await.unwrap();
    assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));

    let blocking = tokio::task::spawn_blocking(move || {
        clock.advance(10 * DAY);
        let client = blocking_builder().settings(settings).clock(clock.read()).build().unwrap();
        assert!(client.verdict(&url).unwrap().is_allowed());
        clock.set_back(10 * DAY);
        client.verdict(&url).unwrap().basis()
    });
    assert_eq!(blocking.await.unwrap(), Basis::Unreachable);
    assert_eq!(web.log().len(), 4);
}

/// A clock may jump at any time, also during a request, and other machines with wrong clocks may write into a store. If
/// the last answer of a site forbids a page, no jump allows it.
#[rstest]
#[trace]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_jumps_allows_nothing(
    #[values(-86_400, 315_360_000)] jump: i64,
    #[values(-86_400, 1, 315_360_000)] step: i64,
    #[values("status: 503", "text: \"user-agent: *\\ndisallow: /\\n\"")] answer: &str,
    #[values(false, true)] restarts: bool,
) {
    let web = web(&format!("main: {{ robots: [ 404, {{ {answer}, delay: 200 }} ] }}"));
    let (clock, store, url) = (Clock::new(), Memory::of_octets(1 << 20), web.expand("{main}/page"));
    let client = || builder().clock(clock.read()).store(store.clone()).build().unwrap();
    let mut asked = client();
    assert!(asked.verdict(&url).await.unwrap().is_allowed());
    if restarts {
        asked = client();
    }
    clock.jump(jump);
    let asking = async |client: &Client| client.verdict(&url).await.unwrap().is_allowed();
    let steps = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        clock.jump(jump + step);
    };
    assert!(!tokio::join!(asking(&asked), steps).0, "the clock steps during the request");
    let blocking = blocking_builder().clock(clock.read()).store(store.clone()).build().unwrap();
    for now in [jump + step, 0, jump, 2 * jump, 60] {
        clock.jump(now);
        assert!(!asking(&asked).await, "at {now}");
        let allowed = |url: &str| blocking.verdict(url).unwrap().is_allowed();
        assert!(!tokio::task::block_in_place(|| allowed(&url)), "at {now}, the blocking client");
    }
    assert!(web.log().len() > 1);
}

/// Without a free file descriptor, a machine cannot look up names. This failure begins no outage of the site.
#[cfg(unix)]
#[test]
fn a_machine_without_descriptors_begins_no_outage() {
    const NAME: &str = "lives::a_machine_without_descriptors_begins_no_outage";
    if env::var_os("ROBOTS_FETCH_DESCRIPTORS").is_some() {
        let client = blocking_builder().build().unwrap();
        let mut files = Vec::new();
        files.extend(std::iter::from_fn(|| File::open("/dev/null").ok()));
        let verdict = client.verdict("http://name.invalid/").unwrap();
        files.clear();
        let since = verdict.record().last.unreachable_since;
        assert_eq!((verdict.basis(), since), (Basis::Unreachable, None), "{verdict}");
        return;
    }
    let mut child = Command::new("sh");
    child.args(["-c", "ulimit -n 64; exec \"$0\" \"$@\""]).arg(env::current_exe().unwrap());
    child.args([NAME, "--exact"]).env("ROBOTS_FETCH_DESCRIPTORS", "");
    let output = child.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
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

/// One request in the background refreshes stale rules. Questions in the meantime start no further threads.
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
            // If each question had started a thread, these threads would have waited for the running request.
            assert_eq!((web.log().len(), client.counts().waited), (2, 0));
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("it was never fetched anew");
}

/// While the network of this machine is down, no site is known to fail.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_machine_without_a_network_sees_no_outage() {
    // TCP has no broadcast, so Linux reports that the network is unreachable.
    for url in ["http://255.255.255.255/x", "https://255.255.255.255/x"] {
        let clock = Clock::new();
        let client = builder().clock(clock.read()).build().unwrap();
        for _ in 0..40 {
            let verdict = client.verdict(url).await.unwrap();
            assert_eq!((verdict.is_allowed(), verdict.basis()), (false, Basis::Unreachable));
            assert_eq!(verdict.record().last.unreachable_since, None, "{verdict}");
            assert!(verdict.to_string().contains("Network is unreachable"), "{verdict}");
            clock.advance(DAY);
        }
    }
}
