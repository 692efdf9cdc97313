//! Tests answers that never end. Every client ends the exchange within its limits and reports a failure.
//!
//! The table `floods.json` describes itself. The tests of the Python package read it too.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use robots_fetch::Verdict;
use rstest::rstest;
use serde::Deserialize;

use crate::malformed::{Octets, octets};
use crate::{blocking_builder, builder};

#[derive(Deserialize)]
struct Table {
    floods: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    first: Octets,
    repeated: Octets,
    pause: f64,
}

impl Row {
    /// Returns the time after which a client ends an exchange. A flood without a pause reaches a limit of octets before
    /// the client's default time.
    fn limit(&self) -> Option<Duration> {
        (self.pause > 0.0).then_some(LIMIT)
    }
}

const LIMIT: Duration = Duration::from_secs(1);
/// A busy machine needs more time than the limit.
const LATEST: Duration = Duration::from_secs(6);

/// Sends a flood to the first client until it closes the connection. Returns how long that took.
fn flood(listener: &TcpListener, row: &Row) -> Duration {
    let (mut stream, _) = listener.accept().unwrap();
    let _ = stream.read(&mut [0; 4096]);
    let begin = Instant::now();
    let repeated = octets(&row.repeated.text());
    let mut sent = stream.write_all(&octets(&row.first.text()));
    while sent.is_ok() && begin.elapsed() < LATEST {
        sent = stream.write_all(&repeated);
        thread::sleep(Duration::from_secs_f64(row.pause));
    }
    begin.elapsed()
}

fn with_async(url: &str, limit: Option<Duration>) -> Verdict<'_> {
    let mut builder = builder();
    if let Some(limit) = limit {
        builder = builder.answer_timeout(limit / 2).idle_timeout(limit / 2).total_timeout(limit);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(builder.build().unwrap().verdict(url)).unwrap()
}

fn with_blocking(url: &str, limit: Option<Duration>) -> Verdict<'_> {
    let mut builder = blocking_builder();
    if let Some(limit) = limit {
        builder = builder.answer_timeout(limit / 2).idle_timeout(limit / 2).total_timeout(limit);
    }
    builder.build().unwrap().verdict(url).unwrap()
}

#[rstest]
#[trace]
#[case::asynchronous(with_async)]
#[case::blocking(with_blocking)]
fn a_flood_ends_within_the_limit_and_allows_nothing(
    #[case]
    #[notrace]
    ask: fn(&str, Option<Duration>) -> Verdict<'_>,
) {
    let table: Table = serde_json::from_str(include_str!("floods.json")).unwrap();
    assert!(table.floods.len() > 10);
    thread::scope(|scope| {
        for row in &table.floods {
            scope.spawn(move || {
                let listener = TcpListener::bind("127.0.0.1:0").unwrap();
                let url = format!("http://{}/x", listener.local_addr().unwrap());
                let flooding = scope.spawn(move || flood(&listener, row));
                let verdict = ask(&url, row.limit());
                let kept = flooding.join().unwrap();
                assert!(kept < LATEST, "{}: the client keeps the connection", row.name);
                let end = &verdict.record().last.end;
                assert!(!verdict.is_allowed() && end.status.is_none(), "{}: {verdict}", row.name);
            });
        }
    });
}
