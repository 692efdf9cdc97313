//! Tests guards: the connections that a guard checks, and the verdicts after a guard refuses a connection. A refusal or
//! a panic of a guard must never lead to an allowed URL.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use robots_fetch::guard::{Connection, PublicOnly, Refused};
use robots_fetch::store::{Memory, Store};
use robots_fetch::{Basis, Settings};
use rstest::rstest;

use crate::{Clock, DAY, blocking_builder, builder, web};

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
        if to == other { Err(Refused::because("it is the other site")) } else { Ok(()) }
    };
    let guard = Arc::new(guard);
    let url = web.expand("{main}/x");
    let (first, second) = (Arc::clone(&guard), guard);
    let store = Memory::of_octets(1 << 20);
    let client = builder().store(store.clone()).guard(move |c: &Connection<'_>| first(c));
    let client = client.build().unwrap();
    let verdict = client.verdict(&url).await.unwrap();
    assert!(!verdict.is_allowed());
    // Only this client has the guard. Other clients that share the store may be allowed to connect, so nothing is
    // stored.
    assert_eq!(Store::get(&store, web.url("main").unwrap()).await.unwrap(), None);
    assert!(
        verdict.to_string().contains("the guard refused the connection: it is the other site"),
        "{verdict}"
    );
    assert_eq!(client.counts().refused, 1);
    assert_eq!(web.log().len(), 1);

    let asked = url.clone();
    tokio::task::spawn_blocking(move || {
        let guard = move |c: &Connection<'_>| second(c);
        let client = blocking_builder().guard(guard).build().unwrap();
        let verdict = client.verdict(&asked).unwrap();
        assert!(
            verdict.to_string().contains("the guard refused the connection: it is the other site"),
            "{verdict}"
        );
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

/// If a guard panics, only the current question fails, and its URL is not allowed. The client continues to work.
#[tokio::test]
async fn a_guard_that_panics_forbids() {
    let guard = |_: &Connection<'_>| -> Result<(), Refused> { panic!("a fault of the guard") };
    let client = builder().guard(guard).build().unwrap();
    let verdict = client.verdict("http://127.0.0.1:9/").await.unwrap();
    assert!(!verdict.is_allowed());
    assert!(verdict.to_string().contains("the retrieval was interrupted"), "{verdict}");
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
    assert!(verdict.to_string().contains("the guard refused the connection"), "{verdict}");
}

#[tokio::test]
async fn through_a_proxy_a_guard_sees_the_name_and_the_address_of_the_proxy() {
    // The test server acts as a proxy if a request has a whole URL.
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

/// A refusal by the guard is not an outage of the site. So even after 30 days of refusals, nothing is allowed.
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

/// Refusals by the guard begin no outage of the site, so each refusal counts as a first failure. But the last rules are
/// used after their lifetime only for as long as `stale_if_error` permits.
#[tokio::test]
async fn refusals_do_not_keep_a_copy_alive() {
    let web = web("main: { robots: \"user-agent: *\\ndisallow: /private\\n\" }");
    let (clock, refuses) = (Clock::new(), Arc::new(AtomicBool::new(false)));
    let is_refusing = Arc::clone(&refuses);
    let guard = move |_: &Connection<'_>| {
        if is_refusing.load(Ordering::Relaxed) {
            return Err(Refused::because("not today"));
        }
        Ok(())
    };
    let settings = Settings::default().stale_if_error(DAY / 12);
    let client = builder().settings(settings).guard(guard).clock(clock.read()).build().unwrap();
    let url = web.expand("{main}/page");
    assert!(client.verdict(&url).await.unwrap().is_allowed());
    refuses.store(true, Ordering::Relaxed);
    for hour in 1..100 {
        clock.advance(DAY / 24);
        let verdict = client.verdict(&url).await.unwrap();
        let expected = match hour {
            ..=24 => Basis::Rules,
            25 => Basis::LastCopy,
            _ => Basis::Unreachable,
        };
        assert_eq!(verdict.basis(), expected, "after {hour} hours");
    }
    assert_eq!(web.log().len(), 1);
}

/// A panic of the guard begins no outage of the site either.
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
