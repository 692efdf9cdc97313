//! The flight with a store: whose record is whose, which lease is waited for, and what is written.

use std::collections::BTreeMap;
use std::time::Duration;

use robots_core::fetch::Failure;
use rstest::rstest;

use super::{Flight, Lease, Step, joined};
use crate::key::CacheKey;
use crate::machine::retrieval::{Body, Response};
use crate::record::{About, Copy, End, Last, Record};
use crate::settings::Settings;

const NOW: Duration = Duration::from_secs(1_000_000_000);
const DAY: Duration = Duration::from_secs(86_400);
const FILE: &str = "user-agent: *\ndisallow: /private\n";

/// A store, and what happened to it.
#[derive(Default)]
struct World {
    records: BTreeMap<String, Vec<u8>>,
    /// How often the lease is another's before it is given.
    held: u32,
    reads_fail: bool,
    steps: Vec<&'static str>,
}

impl World {
    /// Flies with an answer for each request.
    fn fly(&mut self, name: &str, answers: &[Response], now: Duration) -> Record {
        let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
        let mut flight = Flight::new(&key, &settings, name, None).with_store();
        let (mut answers, mut waited) = (answers.iter(), Duration::ZERO);
        self.steps.clear();
        loop {
            match flight.step(now) {
                Step::Get { .. } if self.reads_fail => flight.store_failed(),
                Step::Get { key } => {
                    self.steps.push("get");
                    flight.found(self.records.get(&key).cloned(), now);
                }
                Step::Lease { time, .. } => {
                    assert_eq!(time, Lease::TIME);
                    if self.held == 0 {
                        self.steps.push("lease");
                        flight.leased(Lease(7));
                    } else {
                        self.held -= 1;
                        flight.refused(waited);
                    }
                }
                Step::Wait { time } => {
                    waited += time;
                    flight.done();
                }
                Step::Request(_) => {
                    self.steps.push("request");
                    match answers.next() {
                        Some(answer) => flight.answered(answer.clone(), now),
                        None => flight.failed_here(Failure::Connection, "no answer", now),
                    }
                }
                Step::Put { key, record, .. } => {
                    self.steps.push("put");
                    self.records.insert(key, record);
                    flight.done();
                }
                Step::Release { lease, .. } => {
                    self.steps.push("release");
                    assert_eq!(lease, Lease(7));
                    flight.done();
                }
                Step::Done => return flight.into_record(),
            }
        }
    }
}

fn file(fields: &[(&'static str, &'static str)]) -> Response {
    let fields = fields.iter().map(|(name, value)| (*name, value.as_bytes()));
    Response::new(200, fields).with_body(Body::of(FILE))
}

#[test]
fn a_file_is_fetched_once_and_kept() {
    let mut world = World::default();
    let record = world.fly("onebot", &[file(&[])], NOW);
    assert_eq!(world.steps, ["get", "lease", "get", "request", "get", "put", "release"]);
    let again = world.fly("twobot", &[], NOW + DAY);
    assert_eq!((world.steps.as_slice(), again), (&["get"][..], record));
}

/// What one crawler was sent for itself is no other's, and nobody takes another's place.
#[test]
fn what_varies_is_kept_for_each() {
    let mut world = World::default();
    let varying = [file(&[("vary", "user-agent")])];
    world.fly("onebot", &varying, NOW);
    assert_eq!(world.records.len(), 2);
    world.fly("twobot", &varying, NOW);
    let keys: Vec<_> = world.records.keys().map(String::as_str).collect();
    let own = ["http://example.com#onebot", "http://example.com#twobot"];
    assert_eq!(keys, ["http://example.com", own[0], own[1]]);
    for (name, gets) in [("onebot", 1), ("twobot", 2)] {
        world.fly(name, &[], NOW);
        assert_eq!(world.steps, vec!["get"; gets], "{name}");
    }
}

/// The process that has the lease puts the record there; the one that waits finds it.
#[test]
fn a_lease_that_is_anothers_is_waited_for() {
    let mut world = World { held: 3, ..World::default() };
    world.fly("onebot", &[file(&[])], NOW);
    assert_eq!(world.steps[..4], ["get"; 4]);
    assert!(world.steps.ends_with(&["lease", "get", "request", "get", "put", "release"]));
    // For thirty seconds, and no longer; then there is no lease to give back.
    let mut world = World { held: u32::MAX, ..World::default() };
    let record = world.fly("onebot", &[file(&[])], NOW);
    assert!(record.copy.is_some());
    assert!(world.steps.ends_with(&["get", "request", "get", "put"]), "{:?}", world.steps);
    assert_eq!(world.steps.len(), 30 * 20 + 1 + 3);
}

/// What this client cannot do is not told to others; nor is an outage, if nobody knows which copy it would replace.
#[test]
fn what_is_not_known_of_the_site_is_not_kept() {
    let mut world = World::default();
    let record = world.fly("onebot", &[], NOW);
    assert_eq!((record.last.unreachable_since, record.last.failures), (None, 1));
    assert_eq!(world.steps, ["get", "lease", "get", "request", "release"]);
    let mut world = World { reads_fail: true, ..World::default() };
    let record = world.fly("onebot", &[Response::new(503, [])], NOW);
    assert_eq!(record.last.unreachable_since, Some(NOW));
    assert_eq!(world.steps, ["lease", "request", "release"]);
}

/// A flight whose driver gives up allows nothing.
#[test]
fn a_flight_that_breaks_off_is_a_failure() {
    let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
    for has_store in [false, true] {
        let mut flight = Flight::new(&key, &settings, "onebot", None);
        if has_store {
            flight = flight.with_store();
        }
        let _ = flight.step(NOW);
        let record = flight.into_record();
        assert!(record.last.end.is_failure());
        assert_eq!((record.last.at, record.last.unreachable_since), (NOW, None));
    }
}

fn record(at: u64, copy: Option<&str>, url: &str) -> Record {
    let copy = copy.map(|body| Copy { body: body.into(), about: About::default() });
    let end = End { status: Some(503), ..End::default() };
    let last = Last { at: Duration::from_secs(at), end, url: url.to_owned(), ..Last::default() };
    Record { key: "http://example.com".to_owned(), copy, last }
}

/// The newer of two records is taken, with the copy of the older one if it has none. Of two of one time, the crawler's
/// own is: only that is known to be meant for this crawler.
#[rstest]
#[trace]
#[case::base_is_newer(3, 2, "base")]
#[case::own_is_newer(2, 3, "own")]
#[case::of_one_time(2, 2, "own")]
fn records_are_joined(#[case] base: u64, #[case] own: u64, #[case] last: &str) {
    let (base, own) = (record(base, None, "base"), record(own, Some("copy"), "own"));
    let joined = joined("onebot", Some(base), Some(own)).unwrap();
    assert_eq!(joined.last.url, last);
    assert_eq!(joined.copy.unwrap().body, b"copy");
}
