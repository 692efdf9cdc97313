//! Tests the retrieval over time: conditional requests, redirects, outages, and records of other crawlers.
//!
//! Each test acts as the driver: it gives each answer with a time, and begins the next retrieval with the record of the
//! last one ([`begun()`], [`answered()`]). A property test gives random answers in random order.

use std::time::Duration;

use robots_core::Edition;
use robots_core::fetch::{Access, Failure};
use rstest::rstest;

use super::{Body, Next, Request, Response, Retrieval};
use crate::key::CacheKey;
use crate::record::Record;
use crate::settings::Settings;

const NOW: Duration = Duration::from_secs(1_000_000_000);
const DAY: Duration = Duration::from_secs(86_400);
const FILE: &str = "user-agent: *\ndisallow: /private\n";

fn key() -> CacheKey {
    CacheKey::of("http://example.com/").unwrap()
}

fn fields<'f>(fields: &'f [(&'f str, &'f str)]) -> impl Iterator<Item = (&'f str, &'f [u8])> {
    fields.iter().map(|(name, value)| (*name, value.as_bytes()))
}

fn file(more: &[(&str, &str)]) -> Response {
    Response::new(200, fields(more)).with_body(Body::of(FILE))
}

fn status(status: u16, more: &[(&str, &str)]) -> Response {
    Response::new(status, fields(more))
}

/// Begins a retrieval that needs a request, and returns the retrieval and the request.
fn begun(settings: &Settings, known: Option<Record>, now: Duration) -> (Retrieval, Request) {
    let retrieval = Retrieval::new(&key(), settings, "examplebot", known);
    let Next::Request(request) = retrieval.step(now) else {
        panic!("{:?}", retrieval.step(now));
    };
    (retrieval, request)
}

fn answered(
    settings: &Settings,
    known: Option<Record>,
    response: Response,
    now: Duration,
) -> Record {
    let (mut retrieval, _) = begun(settings, known, now);
    retrieval.answered(response, now);
    assert_eq!(retrieval.step(now), Next::Done);
    retrieval.into_record().unwrap()
}

fn field<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.fields().find(|(found, _)| *found == name).map(|(_, value)| value)
}

#[test]
fn the_first_request_is_unconditional_and_says_who_asks() {
    let settings = Settings::default();
    let (_, request) = begun(&settings, None, NOW);
    assert!(!request.is_conditional());
    let sent: Vec<_> = request.fields().map(|(name, _)| name).collect();
    assert_eq!(sent, ["user-agent", "accept", "accept-encoding"]);
}

#[test]
fn a_copy_is_confirmed_by_its_validators_and_lives_on() {
    let settings = Settings::default();
    let validators = [("etag", "\"1\""), ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")];
    let record = answered(&settings, None, file(&validators), NOW);

    let later = NOW + DAY + Duration::from_secs(1);
    let (mut retrieval, request) = begun(&settings, Some(record), later);
    assert_eq!(field(&request, "if-none-match"), Some("\"1\""));
    assert_eq!(field(&request, "if-modified-since"), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
    retrieval.answered(status(304, &[("etag", "\"2\"")]), later);
    assert_eq!(retrieval.access(), Some(Access::UseCachedCopy));
    let record = retrieval.into_record().unwrap();
    let about = &record.copy.as_ref().unwrap().about;
    assert_eq!((about.fetched_at, about.validated_at), (NOW, later));
    assert_eq!(about.etag.as_deref(), Some("\"2\""));

    let retrieval = Retrieval::new(&key(), &settings, "examplebot", Some(record));
    assert_eq!(retrieval.step(later + DAY), Next::Done);
    assert!(matches!(retrieval.step(later + DAY + DAY), Next::Request(_)));
}

/// Validators belong to the URL at the end of the redirects, and are sent only to that URL.
#[test]
fn validators_are_sent_where_they_come_from() {
    let settings = Settings::default();
    let there = "https://other.example/robots.txt";
    let (mut retrieval, _) = begun(&settings, None, NOW);
    retrieval.answered(status(302, &[("location", there)]), NOW);
    retrieval.answered(file(&[("etag", "\"1\"")]), NOW);
    let record = retrieval.into_record().unwrap();
    assert_eq!(record.key, "http://example.com");
    assert_eq!(record.copy.as_ref().unwrap().about.url, there);

    let later = NOW + 2 * DAY;
    let (mut retrieval, request) = begun(&settings, Some(record.clone()), later);
    assert!(!request.is_conditional());
    retrieval.answered(status(301, &[("location", there)]), later);
    let Next::Request(request) = retrieval.step(later) else { panic!() };
    assert_eq!(field(&request, "if-none-match"), Some("\"1\""));

    // If the redirects now lead to another URL, no validators are sent.
    let (mut retrieval, _) = begun(&settings, Some(record), later);
    retrieval.answered(status(301, &[("location", "/elsewhere")]), later);
    let Next::Request(request) = retrieval.step(later) else { panic!() };
    assert!(!request.is_conditional());
}

#[rstest]
#[trace]
#[case("/other", "http://example.com/other")]
#[case("other?x#y", "http://example.com/other?x")]
#[case("//other.example/robots.txt", "http://other.example/robots.txt")]
#[case("https://example.com:8443/x", "https://example.com:8443/x")]
#[case("FTP://example.com/robots.txt", "ftp://example.com/robots.txt")]
fn redirects_are_followed(#[case] location: &str, #[case] url: &str) {
    let settings = Settings::default();
    let (mut retrieval, _) = begun(&settings, None, NOW);
    retrieval.answered(status(307, &[("location", location)]), NOW);
    let Next::Request(request) = retrieval.step(NOW) else { panic!() };
    assert_eq!(request.url().as_str(), url);
    assert_eq!(retrieval.hops()[0].url, "http://example.com/robots.txt");
}

/// A target that cannot be requested is a failure. Under google-2022, a missing target means a missing file.
#[rstest]
#[trace]
#[case("javascript:alert(1)", Access::FullDisallow)]
#[case("file:///etc/passwd", Access::FullDisallow)]
#[case("http://user:secret@example.com/", Access::FullDisallow)]
#[case("http://[::1", Access::FullDisallow)]
#[case("", Access::FullAllow)]
fn redirects_that_lead_nowhere(#[case] location: &str, #[case] access: Access) {
    let settings = Settings::default();
    let (mut retrieval, _) = begun(&settings, None, NOW);
    retrieval.answered(status(301, &[("location", location)]), NOW);
    assert_eq!((retrieval.access(), retrieval.step(NOW)), (Some(access), Next::Done));
    let record = retrieval.into_record().unwrap();
    assert!(!record.last.end.to_string().contains("secret"));
}

#[rstest]
#[trace]
#[case(0, 5)]
#[case(3, 5)]
#[case(8, 8)]
fn so_many_redirects_are_followed(#[case] wanted: u32, #[case] followed: u32) {
    let settings = Settings::default().redirects(wanted);
    let (mut retrieval, _) = begun(&settings, None, NOW);
    for hop in 0..followed {
        retrieval.answered(status(301, &[("location", &format!("/{hop}"))]), NOW);
        assert!(matches!(retrieval.step(NOW), Next::Request(_)), "{hop}");
    }
    let mut last = retrieval.clone();
    last.answered(file(&[]), NOW);
    assert_eq!(last.access(), Some(Access::ConditionalAllow));
    retrieval.answered(status(301, &[("location", "/last")]), NOW);
    assert_eq!((retrieval.access(), retrieval.step(NOW)), (Some(Access::FullAllow), Next::Done));
}

/// A redirect to an earlier URL of the chain is followed, because its next answer may be a file. A loop ends after five
/// redirects, as every chain does.
#[rstest]
#[trace]
fn a_redirect_to_an_earlier_url_is_followed(
    #[values(&["/robots.txt"][..], &["/a", "/robots.txt"], &["/a", "/b", "/c", "/a"])]
    locations: &[&str],
    #[values(Edition::Google2018, Edition::Google2019, Edition::Google2022, Edition::Rfc9309)]
    edition: Edition,
) {
    let settings = Settings::default().edition(edition);
    let (mut retrieval, _) = begun(&settings, None, NOW);
    for (followed, location) in locations.iter().cycle().take(6).enumerate() {
        let mut ends = retrieval.clone();
        ends.answered(file(&[]), NOW);
        assert_eq!(ends.access(), Some(Access::ConditionalAllow), "{followed}");
        assert!(matches!(retrieval.step(NOW), Next::Request(_)), "{followed}");
        retrieval.answered(status(302, &[("location", location)]), NOW);
    }
    assert_eq!((retrieval.access(), retrieval.step(NOW)), (Some(Access::FullAllow), Next::Done));
    let record = retrieval.into_record().unwrap();
    assert_eq!(record.last.end.location.as_deref(), Some("loop"));
    assert_eq!(record.last.hops.len(), 5);
}

/// An answer with an unknown end is a failure, even if its status alone would allow everything.
#[rstest]
#[trace]
fn an_answer_with_an_unknown_transfer_coding_is_a_failure(
    #[values(200, 204, 301, 404)] code: u16,
    #[values("gzip, chunked", "gzip", "xchunked")] coding: &str,
) {
    let settings = Settings::default();
    let fields = [("transfer-encoding", coding), ("location", "/elsewhere")];
    let response = status(code, &fields).with_body(Body::of(FILE));
    let (mut retrieval, _) = begun(&settings, None, NOW);
    retrieval.answered(response, NOW);
    assert_eq!((retrieval.access(), retrieval.step(NOW)), (Some(Access::FullDisallow), Next::Done));
    let record = retrieval.into_record().unwrap();
    assert_eq!(record.last.end.failure.as_deref(), Some("invalid-response"));
    assert!(record.copy.is_none());
    assert!(record.last.end.to_string().contains("Transfer-Encoding"));
}

#[test]
fn an_outage_is_one_until_an_answer_ends_it() {
    let settings = Settings::default();
    let mut record = answered(&settings, None, status(503, &[]), NOW);
    assert_eq!(record.last.unreachable_since, Some(NOW));
    let mut now = NOW;
    for failures in 2..=10 {
        let Some(next) = record.last.next_try else { panic!() };
        let waiting = Retrieval::new(&key(), &settings, "examplebot", Some(record.clone()));
        assert_eq!(
            waiting.step(next.saturating_sub(Duration::from_millis(1))),
            Next::Wait { until: next }
        );
        assert!(next > now);
        now = next;
        let (mut retrieval, _) = begun(&settings, Some(record), now);
        retrieval.failed(Failure::Timeout, "late", now);
        record = retrieval.into_record().unwrap();
        assert_eq!((record.last.unreachable_since, record.last.failures), (Some(NOW), failures));
    }
    let later = now + 2 * DAY;
    let record = answered(&settings, Some(record), status(404, &[]), later);
    assert_eq!((record.last.unreachable_since, record.last.failures), (None, 0));
    let record = answered(&settings, Some(record), status(500, &[]), later + 2 * DAY);
    assert_eq!(record.last.unreachable_since, Some(later + 2 * DAY));
}

/// After 30 days the copy decides again. If there is no copy, nothing is restricted. Google-2018 leaves the effect
/// undefined in both cases.
#[rstest]
#[trace]
#[case(Edition::Rfc9309, true, Access::UseCachedCopy)]
#[case(Edition::Rfc9309, false, Access::FullAllow)]
#[case(Edition::Google2022, true, Access::UseCachedCopy)]
#[case(Edition::Google2018, true, Access::Undefined { safe: &Access::FullDisallow })]
fn after_thirty_days(#[case] edition: Edition, #[case] copy: bool, #[case] access: Access) {
    let settings = Settings::default().edition(edition).outage_gap(40 * DAY);
    let known = copy.then(|| answered(&settings, None, file(&[]), NOW));
    let record = answered(&settings, known, status(500, &[]), NOW + 2 * DAY);
    for (days, expected) in [(20, Access::FullDisallow), (33, access)] {
        let now = NOW + days * DAY;
        let (mut retrieval, _) = begun(&settings, Some(record.clone()), now);
        retrieval.answered(status(502, &[]), now);
        assert_eq!(retrieval.access(), Some(expected), "day {days}");
        assert_eq!(retrieval.into_record().unwrap().copy.is_some(), copy);
    }
}

/// The crawler did not run for 8 or 31 days, or its clock jumped by 95 years: there is no evidence of one long outage.
#[rstest]
#[trace]
fn two_failures_far_apart_are_no_outage(
    #[values(8, 31, 95 * 365)] days: u32,
    #[values(Edition::Rfc9309, Edition::Google2018, Edition::Google2022)] edition: Edition,
) {
    let settings = Settings::default().edition(edition);
    let record = answered(&settings, None, status(500, &[]), NOW);
    let now = NOW + days * DAY;
    let (mut retrieval, _) = begun(&settings, Some(record), now);
    retrieval.answered(status(500, &[]), now);
    assert_eq!(retrieval.access(), Some(Access::FullDisallow));
    let last = retrieval.into_record().unwrap().last;
    assert_eq!((last.unreachable_since, last.failures), (Some(now), 1));
}

#[test]
fn retry_after_is_waited_for_within_bounds() {
    let settings = Settings::default();
    let wait = |value: &str| {
        let record = answered(&settings, None, status(503, &[("retry-after", value)]), NOW);
        record.last.next_try.unwrap().saturating_sub(NOW).as_secs()
    };
    for (value, least) in [("120", 120), ("7200", 7200), ("99999999", 86_400), ("1", 60)] {
        let wait = wait(value);
        assert!((least..=least + least / 10).contains(&wait), "{value}: {wait}");
    }
    // Without `Retry-After`, the wait after a 503 is shorter than after another failure.
    for (code, least) in [(503, 300), (500, 3600), (429, 3600)] {
        let record = answered(&settings, None, status(code, &[]), NOW);
        let wait = record.last.next_try.unwrap().saturating_sub(NOW).as_secs();
        assert!((least..=least + least / 10).contains(&wait), "{code}: {wait}");
    }
}

#[rstest]
#[trace]
#[case(Some("max-age=10"), Edition::Google2022, 60)]
#[case(Some("max-age=600"), Edition::Google2022, 600)]
#[case(Some("max-age=600"), Edition::Rfc9309, 600)]
#[case(Some("max-age=172800"), Edition::Google2022, 172_800)]
#[case(Some("max-age=172800"), Edition::Rfc9309, 86_400)]
#[case(Some("max-age=99999999"), Edition::Google2022, 604_800)]
#[case(None, Edition::Rfc9309, 86_400)]
fn lives(#[case] control: Option<&str>, #[case] edition: Edition, #[case] seconds: u64) {
    let settings = Settings::default().edition(edition);
    let control: Vec<_> = control.map(|control| ("cache-control", control)).into_iter().collect();
    for response in [file(&control), status(404, &control)] {
        let record = answered(&settings, None, response, NOW);
        let retrieval = Retrieval::new(&key(), &settings, "examplebot", Some(record));
        let at = |seconds| retrieval.step(NOW + Duration::from_secs(seconds));
        assert_eq!(at(seconds - 1), Next::Done);
        assert!(matches!(at(seconds + 1), Next::Request(_)));
    }
}

#[test]
fn a_reader_with_a_larger_limit_fetches_anew() {
    let small = Settings::default().with_limit(10);
    let (mut retrieval, _) = begun(&small, None, NOW);
    let mut reader = super::BodyReader::new(None, 10).unwrap();
    reader.push(FILE.as_bytes()).unwrap();
    retrieval.answered(status(200, &[("etag", "\"1\"")]).with_body(reader.finish().unwrap()), NOW);
    let record = retrieval.into_record().unwrap();
    assert!(record.copy.as_ref().unwrap().about.cut);

    let same = Retrieval::new(&key(), &small, "examplebot", Some(record.clone()));
    assert_eq!(same.step(NOW), Next::Done);
    let large = Settings::default();
    let (_, request) = begun(&large, Some(record.clone()), NOW);
    assert!(!request.is_conditional(), "a 304 would keep the cut file");
    let (_, request) = begun(&small, Some(record), NOW + 2 * DAY);
    assert!(request.is_conditional(), "the file was cut where this reader would cut it");
}

/// A file that was not cut is also complete for a crawler with a larger limit.
#[test]
fn a_whole_file_is_confirmed_for_a_larger_limit() {
    let small = Settings::default().with_limit(FILE.len() + 1);
    let record = answered(&small, None, file(&[("etag", "\"1\"")]), NOW);
    let (_, request) = begun(&Settings::default(), Some(record), NOW + 2 * DAY);
    assert!(request.is_conditional());
}

/// If the caller says that a site answers 5xx for pages that do not exist, a 5xx means that there is no robots.txt.
#[rstest]
#[trace]
#[case(false, Access::FullDisallow)]
#[case(true, Access::FullAllow)]
fn a_server_error_may_be_a_missing_page(#[case] is_known: bool, #[case] access: Access) {
    let mut retrieval = Retrieval::new(&key(), &Settings::default(), "examplebot", None);
    if is_known {
        retrieval = retrieval.with_server_errors_for_missing_pages();
    }
    retrieval.answered(status(500, &[]), NOW);
    assert_eq!(retrieval.access(), Some(access));
    let record = retrieval.into_record();
    assert_eq!(record.unwrap().last.server_errors_for_missing_pages, is_known);
}

/// A 304 confirms a copy only if the request had validators.
#[rstest]
#[trace]
#[case::no_copy(None)]
#[case::no_validator(Some(file(&[])))]
fn an_unrequested_304_is_a_failure(
    #[case]
    #[notrace]
    before: Option<Response>,
) {
    let settings = Settings::default();
    let had_copy = before.is_some();
    let known = before.map(|before| answered(&settings, None, before, NOW));
    let record = answered(&settings, known, status(304, &[]), NOW + 2 * DAY);
    assert_eq!(record.last.end.failure.as_deref(), Some("invalid-response"));
    assert_eq!(record.last.unreachable_since, Some(NOW + 2 * DAY));
    assert_eq!(record.copy.is_some(), had_copy);
    let end = record.last.end.to_string();
    assert!(end.contains("although the request had no validators"), "{end}");
}

#[test]
fn a_304_of_another_url_is_a_failure() {
    let settings = Settings::default();
    let record = answered(&settings, None, file(&[("etag", "\"1\"")]), NOW);
    let (mut retrieval, request) = begun(&settings, Some(record), NOW + 2 * DAY);
    assert!(request.is_conditional());
    retrieval.answered(status(302, &[("location", "/elsewhere")]), NOW + 2 * DAY);
    retrieval.answered(status(304, &[]), NOW + 2 * DAY);
    assert_eq!(retrieval.access(), Some(Access::FullDisallow));
}

#[test]
fn a_304_for_a_copy_that_is_too_short_is_a_failure() {
    let small = Settings::default().with_limit(10);
    let mut reader = super::BodyReader::new(None, 10).unwrap();
    reader.push(FILE.as_bytes()).unwrap();
    let cut = status(200, &[("etag", "\"1\"")]).with_body(reader.finish().unwrap());
    let record = answered(&small, None, cut, NOW);
    let large = Settings::default();
    let record = answered(&large, Some(record), status(304, &[]), NOW);
    assert_eq!(record.last.end.failure.as_deref(), Some("invalid-response"));
    // After the failure, the retrieval waits, so not every question sends a request.
    let waiting = Retrieval::new(&key(), &large, "examplebot", Some(record));
    assert!(matches!(waiting.step(NOW), Next::Wait { .. }));
}

/// If a redirect or a 404 varies by crawler, another crawler may get another target or a file. So other crawlers do not
/// use the record.
#[rstest]
#[trace]
#[case(&[status(302, &[("vary", "user-agent"), ("location", "/x")]), file(&[])])]
#[case(&[status(404, &[("vary", "user-agent")])])]
#[case(&[status(503, &[("vary", "*")])])]
fn whatever_varies_is_taken_by_nobody_else(
    #[case]
    #[notrace]
    answers: &[Response],
) {
    let settings = Settings::default();
    let (mut retrieval, _) = begun(&settings, None, NOW);
    for answer in answers {
        retrieval.answered(answer.clone(), NOW);
    }
    assert_eq!(retrieval.step(NOW), Next::Done);
    let record = retrieval.into_record().unwrap();
    assert_eq!(record.last.varies_for.as_deref(), Some("examplebot"));
    let same = Retrieval::new(&key(), &settings, "examplebot", Some(record.clone()));
    assert!(!matches!(same.step(NOW), Next::Request(_)));
    let other = Retrieval::new(&key(), &settings, "otherbot", Some(record));
    assert!(matches!(other.step(NOW), Next::Request(_)));
}

/// Only a page with a status of success can redirect by markup.
#[rstest]
#[trace]
#[case(200, "<meta http-equiv=refresh content='0; url=/x'>", true)]
#[case(200, FILE, false)]
#[case(404, "<meta http-equiv=refresh content='0; url=/x'>", false)]
fn a_page_may_redirect(#[case] code: u16, #[case] body: &str, #[case] redirects: bool) {
    let response = status(code, &[]).with_body(Body::of(body));
    let record = answered(&Settings::default(), None, response, NOW);
    assert_eq!(record.last.logical_redirect, redirects);
}

/// For each target of a redirect, the driver reports only once that rules forbid it.
#[test]
fn each_target_is_disallowed_once() {
    let settings = Settings::default();
    let (mut retrieval, _) = begun(&settings, None, NOW);
    for hop in ["/a", "/b"] {
        retrieval.answered(status(302, &[("location", hop)]), NOW);
        assert!(!retrieval.knows_disallowed(), "{hop}");
        retrieval.disallowed(NOW);
        assert!(retrieval.knows_disallowed(), "{hop}");
        // The default edition follows the redirect anyway.
        assert!(matches!(retrieval.step(NOW), Next::Request(_)), "{hop}");
    }
    assert_eq!(retrieval.hops().len(), 2);
}

/// One edition may follow a redirect that another edition does not follow.
#[test]
fn a_redirect_that_another_edition_did_not_follow_is_asked_for_anew() {
    let old = Settings::default().edition(Edition::Google2018);
    let (mut retrieval, _) = begun(&old, None, NOW);
    retrieval.answered(status(302, &[("location", "/private")]), NOW);
    retrieval.disallowed(NOW);
    assert_eq!(retrieval.step(NOW), Next::Done);
    let record = retrieval.into_record().unwrap();
    let same = Retrieval::new(&key(), &old, "examplebot", Some(record.clone()));
    assert_eq!(same.step(NOW), Next::Done);
    begun(&Settings::default(), Some(record), NOW);
}

#[test]
fn what_was_sent_for_another_is_not_taken() {
    let settings = Settings::default();
    let record = answered(&settings, None, file(&[("vary", "user-agent")]), NOW);
    let same = Retrieval::new(&key(), &settings, "examplebot", Some(record.clone()));
    assert_eq!(same.step(NOW), Next::Done);
    let other = Retrieval::new(&key(), &settings, "otherbot", Some(record.clone()));
    assert!(matches!(other.step(NOW), Next::Request(_)));
    let elsewhere = CacheKey::of("http://example.org/").unwrap();
    let other = Retrieval::new(&elsewhere, &settings, "examplebot", Some(record));
    assert!(matches!(other.step(NOW), Next::Request(_)));
}

/// The 304 has no `Vary`, but the copy that it confirmed was sent for one identification only. So the answer is not known
/// for another identification. A failure is known for all.
#[test]
fn a_copy_that_is_not_taken_leaves_no_answer() {
    let settings = Settings::default();
    let sent = file(&[("vary", "user-agent"), ("etag", "\"1\"")]);
    let record = answered(&settings, None, sent, NOW);
    let confirmed = answered(&settings, Some(record), status(304, &[]), NOW + 2 * DAY);
    assert_eq!(confirmed.last.varies_for, None);
    let failed = answered(&settings, Some(confirmed.clone()), status(503, &[]), NOW + 4 * DAY);
    let of_other =
        |record| Retrieval::new(&key(), &settings, "otherbot", Some(record)).into_record();
    assert_eq!(of_other(confirmed), None);
    let known = of_other(failed.clone());
    assert_eq!(known, Some(Record { copy: None, ..failed }));
}

#[test]
fn a_record_of_the_future_is_not_waited_for() {
    let settings = Settings::default();
    let record = answered(&settings, None, file(&[]), NOW + 400 * DAY);
    let retrieval = Retrieval::new(&key(), &settings, "examplebot", Some(record));
    assert!(matches!(retrieval.step(NOW), Next::Request(_)));
}

proptest::proptest! {
    /// Whatever answers come, the retrieval ends, sends no more requests than permitted, and never allows a URL
    /// directly after a failure.
    #[test]
    fn whatever_comes_it_ends(
        answers in proptest::collection::vec((100_u16..700, "[a-z:/.#?]{0,12}"), 1..12)
    ) {
        let settings = Settings::default();
        let (mut retrieval, _) = begun(&settings, None, NOW);
        let (mut asked, mut last) = (0, 0);
        for (code, location) in &answers {
            let Next::Request(_) = retrieval.step(NOW) else { break };
            (asked, last) = (asked + 1, *code);
            retrieval.answered(status(*code, &[("location", location)]), NOW);
        }
        proptest::prop_assert!(asked <= 6);
        let is_failure = !(200..500).contains(&last) || last == 429;
        if is_failure {
            proptest::prop_assert_eq!(retrieval.access(), Some(Access::FullDisallow));
        }
    }
}
