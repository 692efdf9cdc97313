//! Tests flights with a store: whose record a flight uses, how it waits for a lease, and what it writes.
//!
//! [`World`] is the driver: a map is the store, and a list of answers is the network. [`World`] logs the steps of a
//! flight, and most tests compare this log. No time passes; a test gives the time of each flight.

use std::collections::BTreeMap;
use std::time::Duration;

use robots_core::fetch::Failure;
use rstest::rstest;

use super::{Flight, Lease, Step, joined};
use crate::key::CacheKey;
use crate::machine::retrieval::{Body, Response};
use crate::record::{About, End, FileCopy, Last, Record};
use crate::settings::Settings;

const NOW: Duration = Duration::from_secs(1_000_000_000);
const DAY: Duration = Duration::from_secs(86_400);
const FILE: &str = "user-agent: *\ndisallow: /private\n";

/// A driver whose store is a map, and a log of the steps of the last flight.
#[derive(Default)]
struct World {
    records: BTreeMap<String, Vec<u8>>,
    /// The number of times that the lease is refused before it is granted.
    held: u32,
    /// The number of reads that fail before the first successful read.
    failing_reads: u32,
    /// The record that is in memory when the flight begins.
    known: Option<Record>,
    steps: Vec<&'static str>,
    is_from_store: bool,
}

impl World {
    /// Runs a flight with an answer for each request.
    fn fly(&mut self, name: &str, answers: &[Response], now: Duration) -> Record {
        let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
        let mut flight = Flight::new(&key, &settings, name, self.known.take()).with_store();
        let (mut answers, mut waited) = (answers.iter(), Duration::ZERO);
        self.steps.clear();
        loop {
            match flight.step(now) {
                Step::Get { .. } if self.failing_reads > 0 => {
                    self.failing_reads -= 1;
                    flight.store_failed();
                }
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
                    let is_leased = self.steps.contains(&"lease");
                    assert_eq!(flight.lease(), is_leased.then_some(Lease(7)));
                    self.steps.push("request");
                    match answers.next() {
                        Some(answer) => flight.answered(answer.clone(), now),
                        None => flight.failed_here(Failure::Connection, "no answer", now),
                    }
                }
                Step::Put { key, record, keep } => {
                    self.steps.push("put");
                    // The store must keep a record through an outage of thirty days that begins when the record is due.
                    assert!(keep > 60 * DAY, "{keep:?}");
                    self.records.insert(key, record);
                    flight.done();
                }
                Step::Release { lease, .. } => {
                    self.steps.push("release");
                    assert_eq!(lease, Lease(7));
                    flight.done();
                }
                Step::Done => {
                    self.is_from_store = flight.is_from_store();
                    return flight.into_record();
                }
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
    for answer in [file(&[]), Response::new(404, [])] {
        let mut world = World::default();
        let record = world.fly("onebot", &[answer], NOW);
        assert_eq!(world.steps, ["get", "lease", "get", "request", "get", "put", "release"]);
        assert!(!world.is_from_store);
        let again = world.fly("twobot", &[], NOW + DAY);
        assert_eq!((world.steps.as_slice(), again), (&["get"][..], record));
        assert!(world.is_from_store);
    }
}

/// A record of the store is used only if it is not older than the record in memory, and differs from that record.
#[rstest]
#[trace]
#[case::memory_is_newer(2, 1, "stored", false)]
#[case::store_is_newer(1, 2, "stored", true)]
#[case::two_of_one_time(1, 1, "stored", true)]
#[case::the_same(1, 1, "known", false)]
fn a_record_of_the_store_is_used_if_it_is_news(
    #[case] known: u64,
    #[case] stored: u64,
    #[case] url: &str,
    #[case] is_used: bool,
) {
    let stored = record(stored, None, url);
    let mut world = World { known: Some(record(known, None, "known")), ..World::default() };
    world.records.insert(stored.key.clone(), stored.to_octets());
    let record = world.fly("onebot", &[], Duration::from_secs(3));
    assert_eq!(world.is_from_store, is_used);
    assert_eq!(record.last.url, if is_used { "stored" } else { "known" });
}

/// The copy of the older record is kept, because a later outage may need the copy.
#[rstest]
#[trace]
#[case::memory_is_newer(2, None, 1, Some("copy"), "known")]
#[case::store_is_newer(1, Some("copy"), 2, None, "stored")]
fn a_copy_is_not_lost_to_a_newer_record(
    #[case] known: u64,
    #[case] copy_in_memory: Option<&str>,
    #[case] stored: u64,
    #[case] copy_in_store: Option<&str>,
    #[case] last: &str,
) {
    let stored = record(stored, copy_in_store, "stored");
    let known = Some(record(known, copy_in_memory, "known"));
    let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
    let mut flight = Flight::new(&key, &settings, "onebot", known).with_store();
    flight.found(Some(stored.to_octets()), Duration::from_secs(3));
    // The flight may also read the crawler's separate key.
    if let Step::Get { .. } = flight.step(Duration::from_secs(3)) {
        flight.found(None, Duration::from_secs(3));
    }
    let record = flight.record.unwrap();
    assert_eq!(record.last.url, last);
    assert_eq!(record.copy.unwrap().body, b"copy");
}

/// An older file never replaces a newer file, even if the newer file was lost.
#[test]
fn a_copy_does_not_stand_for_a_newer_file() {
    let mut newer = record(2, None, "stored");
    newer.last.end = End { status: Some(200), ..End::default() };
    let mut world = World { known: Some(record(1, Some("copy"), "known")), ..World::default() };
    world.records.insert(newer.key.clone(), newer.to_octets());
    let record = world.fly("onebot", &[Response::new(503, [])], NOW);
    assert_eq!((record.last.end.status, record.copy), (Some(503), None));
}

/// Another process may store a copy while this flight asks the site.
#[test]
fn a_failure_does_not_replace_a_copy_that_came_meanwhile() {
    let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
    let mut flight = Flight::new(&key, &settings, "onebot", None).with_store();
    flight.found(None, NOW);
    flight.refused(Lease::WAIT);
    assert!(matches!(flight.step(NOW), Step::Request(_)));
    flight.answered(Response::new(503, []), NOW);
    assert!(matches!(flight.step(NOW), Step::Get { .. }));
    flight.found(Some(record(1, Some("copy"), "other").to_octets()), NOW);
    let Step::Put { record, .. } = flight.step(NOW) else { panic!("nothing is stored") };
    let record = Record::from_octets(&record).unwrap();
    assert_eq!((record.last.at, record.copy.unwrap().body), (NOW, b"copy".to_vec()));
}

/// If answers vary, a crawler does not use the record of another crawler, and does not replace it.
#[test]
fn what_varies_is_kept_for_each() {
    let mut world = World::default();
    let varying = [file(&[("vary", "user-agent")])];
    world.fly("onebot", &varying, NOW);
    assert_eq!(world.records.len(), 2);
    world.fly("twobot", &varying, NOW);
    let keys: Vec<_> = world.records.keys().map(String::as_str).collect();
    let separate = ["http://example.com#onebot", "http://example.com#twobot"];
    assert_eq!(keys, ["http://example.com", separate[0], separate[1]]);
    for (name, gets) in [("onebot", 1), ("twobot", 2)] {
        world.fly(name, &[], NOW);
        assert_eq!(world.steps, vec!["get"; gets], "{name}");
    }
}

/// The process with the lease stores the record; the process that waits finds it.
#[test]
fn a_lease_that_is_anothers_is_waited_for() {
    let mut world = World { held: 3, ..World::default() };
    world.fly("onebot", &[file(&[])], NOW);
    assert_eq!(world.steps[..4], ["get"; 4]);
    assert!(world.steps.ends_with(&["lease", "get", "request", "get", "put", "release"]));
    // The flight waits for thirty seconds at most. After this wait it has no lease, so it returns none to the store.
    let mut world = World { held: u32::MAX, ..World::default() };
    let record = world.fly("onebot", &[file(&[])], NOW);
    assert!(record.copy.is_some());
    assert!(world.steps.ends_with(&["get", "request", "get", "put"]), "{:?}", world.steps);
    assert_eq!(world.steps.len(), 30 * 20 + 1 + 3);
}

/// A failure of this client is not stored. An outage is not stored if the store could not be read, because the record
/// of the outage could replace a copy.
#[test]
fn what_is_not_known_of_the_site_is_not_kept() {
    let mut world = World::default();
    let record = world.fly("onebot", &[], NOW);
    assert_eq!((record.last.unreachable_since, record.last.failures), (None, 1));
    assert_eq!(world.steps, ["get", "lease", "get", "request", "release"]);
    let mut world = World { failing_reads: u32::MAX, ..World::default() };
    let record = world.fly("onebot", &[Response::new(503, [])], NOW);
    assert_eq!(record.last.unreachable_since, Some(NOW));
    assert_eq!(world.steps, ["lease", "request", "release"]);
    // A file is stored even if the store could not be read. An outage is stored if the store could be read.
    for (failing_reads, answer) in [(2, file(&[])), (0, Response::new(503, []))] {
        let mut world = World { failing_reads, ..World::default() };
        world.fly("onebot", &[answer], NOW);
        assert!(world.steps.contains(&"put"), "{:?}", world.steps);
    }
}

/// The driver asks whether rules forbid the target of a redirect, once for each redirect.
#[test]
fn a_redirect_is_reported_until_the_driver_knows_its_rules() {
    let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
    let mut flight = Flight::new(&key, &settings, "onebot", None);
    assert!(!flight.follows_redirect());
    assert!(matches!(flight.step(NOW), Step::Request(_)));
    assert!(!flight.follows_redirect());
    let location = [("location", &b"http://other.example/robots.txt"[..])];
    flight.answered(Response::new(302, location), NOW);
    assert!(flight.follows_redirect());
    flight.disallowed(NOW);
    assert!(!flight.follows_redirect());
    assert!(matches!(flight.step(NOW), Step::Request(_)));
}

/// The record says whether the site is known to answer 5xx for pages that do not exist.
#[test]
fn what_5xx_means_at_a_site_is_kept() {
    let (key, settings) = (CacheKey::of("http://example.com").unwrap(), Settings::default());
    for is_known in [false, true] {
        let mut flight = Flight::new(&key, &settings, "onebot", None);
        if is_known {
            flight = flight.with_server_errors_for_missing_pages();
        }
        assert!(matches!(flight.step(NOW), Step::Request(_)));
        flight.answered(Response::new(500, []), NOW);
        assert_eq!(flight.step(NOW), Step::Done);
        assert_eq!(flight.into_record().last.server_errors_for_missing_pages, is_known);
    }
}

/// If the driver stops early, the record of the flight allows nothing.
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
    let copy = copy.map(|body| FileCopy { body: body.into(), about: About::default() });
    let end = End { status: Some(503), ..End::default() };
    let last = Last { at: Duration::from_secs(at), end, url: url.to_owned(), ..Last::default() };
    Record { key: "http://example.com".to_owned(), copy, last }
}

/// The newer of two records is used. If it has no copy, it gets the copy of the older record. If both have the same
/// time, the crawler's separate record is used, because only that record is certainly for this crawler.
#[rstest]
#[trace]
#[case::base_is_newer(3, 2, "base")]
#[case::separate_is_newer(2, 3, "separate")]
#[case::of_one_time(2, 2, "separate")]
fn records_are_joined(#[case] base: u64, #[case] separate: u64, #[case] last: &str) {
    for (of_base, of_separate) in [(None, Some("copy")), (Some("copy"), None)] {
        let (base, separate) =
            (record(base, of_base, "base"), record(separate, of_separate, "separate"));
        let joined = joined("onebot", Some(base), Some(separate)).unwrap();
        assert_eq!(joined.last.url, last);
        assert_eq!(joined.copy.unwrap().body, b"copy");
    }
}
