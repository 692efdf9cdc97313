//! Tests limits on the octets that servers send, on time, on memory and on connections.
//!
//! A hostile server must not cost a crawler more than these limits.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use robots_fetch::guard::{Connection, Refused};
use robots_fetch::robots_core::Edition;
use rstest::rstest;

use crate::{blocking_builder, builder, web};

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
    // The rule comes after the limit.
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
    let client = builder().answer_timeout(limit).idle_timeout(limit).build().unwrap();
    let began = std::time::Instant::now();
    let verdict = client.verdict(&url).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(3));
    assert!(!verdict.is_allowed());
    assert_eq!(verdict.record().last.end.failure.as_deref(), Some("timeout"), "{verdict}");
    let asked = url.clone();
    let failure = tokio::task::spawn_blocking(move || {
        let client = blocking_builder().answer_timeout(limit).idle_timeout(limit).build().unwrap();
        let began = std::time::Instant::now();
        let verdict = client.verdict(&asked).unwrap();
        assert!(began.elapsed() < Duration::from_secs(3));
        verdict.record().last.end.failure.clone()
    });
    assert_eq!(failure.await.unwrap().as_deref(), Some("timeout"));
}

/// If many origins are asked at once, there are no more connections than the settings allow.
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

#[tokio::test]
async fn the_entries_in_memory_are_counted_exactly() {
    let guard = |_: &Connection<'_>| Err(Refused::because("this site gets no request"));
    let client = builder().guard(guard).build().unwrap();
    for host in 0..2000_u32 {
        client.verdict(&format!("http://10.0.{}.{}/", host / 250, host % 250)).await.unwrap();
    }
    assert_eq!(client.counts().entries, 2000);
}

/// If memory is full, a new origin replaces the origin that was not used for the longest time.
#[tokio::test]
async fn full_memory_takes_new_origins() {
    let sites: String = (0..30)
        .map(|n| format!("s{n}: {{ robots: \"user-agent: *\\ndisallow: /private\\n\" }}\n"))
        .collect();
    let web = web(&sites);
    // Memory has room for about ten such origins, and the first origins are used often. The cache removes entries from
    // time to time.
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

/// Rules that are compiled after the file was stored are included in the used memory.
#[tokio::test]
async fn compiled_rules_take_their_place_in_memory() {
    let rules: String = (0..200).map(|n| format!("disallow: /{n}/\\n")).collect();
    let sites: String =
        (0..20).map(|n| format!("s{n}: {{ robots: \"user-agent: *\\n{rules}\" }}\n")).collect();
    let web = web(&sites);
    let client = builder().memory(20 * 8_000).build().unwrap();
    for times in [1, 20] {
        for site in (0..20).flat_map(|site| std::iter::repeat_n(site, times)) {
            client.verdict(&web.expand(&format!("{{s{site}}}/x"))).await.unwrap();
        }
        // The test waits, because the cache removes entries only from time to time.
        tokio::time::sleep(Duration::from_millis(400)).await;
        client.verdict(&web.expand("{s19}/x")).await.unwrap();
        let counts = client.counts();
        assert_eq!(
            (counts.entries == 20, counts.compiled > 1),
            (times == 1, times > 1),
            "{counts:?}"
        );
    }
}

/// A changed size of a chunk can make a file longer than the limit, so that a rule at its end is cut off. The end of the
/// chunk shows the change, because the client also reads octets after the limit.
#[tokio::test]
async fn a_changed_size_of_a_chunk_is_a_failure_near_the_limit() {
    let mut file = "user-agent: *\n".to_owned();
    while file.len() < 61 * 8192 - 20 {
        file += "disallow: /shop/private\n";
    }
    // The change moves the line of a size into this rule.
    file += &"#".repeat(61 * 8192 - 10 - file.len());
    file += "\ndisallow: /secret\n";
    file += &"#".repeat(511_990 - file.len());
    for (size, is_whole) in [("2000", true), ("6000", false)] {
        let mut body = Vec::new();
        let chunks = file.as_bytes().chunks(8192);
        for (index, chunk) in chunks.enumerate() {
            let declared = if index == 60 { size.to_owned() } else { format!("{:x}", chunk.len()) };
            body.extend([declared.as_bytes(), b"\r\n", chunk, b"\r\n"].concat());
        }
        body.extend(b"0\r\n\r\n");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/secret", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let _ = stream.read(&mut [0; 1024]);
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
                let _ = stream.write_all(&body);
            }
        });
        let client = builder().build().unwrap();
        let verdict = client.verdict(&url).await.unwrap();
        assert!(!verdict.is_allowed(), "{verdict}");
        assert_eq!(verdict.record().last.end.status.is_some(), is_whole, "{verdict}");
    }
}

/// A server may send some interim answers. The table `floods.json` has a flood of them.
#[tokio::test]
async fn some_interim_answers_are_skipped() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/x", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 1024]);
            let answer =
                "HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\nuser-agent: *\ndisallow: /\n";
            let interim = "HTTP/1.1 102 Processing\r\n\r\n".repeat(20);
            let _ = stream.write_all((interim + answer).as_bytes());
        }
    });
    let verdict = builder().build().unwrap().verdict(&url).await.unwrap();
    assert!(!verdict.is_allowed(), "{verdict}");
    assert_eq!(verdict.record().last.end.status, Some(200), "{verdict}");
}

/// The look-up of a host needs a thread of the runtime. If no thread is free, the site is not the cause.
#[test]
fn a_look_up_that_waits_for_a_thread_begins_no_outage() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://localhost:{}/page", listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut request) = (stream.unwrap(), [0; 4096]);
            assert!(stream.read(&mut request).unwrap() > 0);
            stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n").unwrap();
        }
    });
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let limit = Duration::from_millis(500);
        let busy = tokio::task::spawn_blocking(move || std::thread::sleep(4 * limit));
        let client = builder().connect_timeout(limit).total_timeout(3 * limit).build().unwrap();
        let verdict = client.verdict(&url).await.unwrap();
        assert!(verdict.is_allowed(), "{verdict}");
        busy.await.unwrap();
    });
}
