//! Tests a cache entry ([`Policy`]) over several answers and days: the URLs that it allows, its reasons, and the time
//! of its next request.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use std::time::Duration;

use line_parser::LineParser;
use robots_core::fetch::{Access, Basis, Failure, FetchResult, Location, RobotsUrl};
use robots_core::policy::Fetched;
use robots_core::{Crawler, Edition, Policy};
use rstest::rstest;

const NOW: Duration = Duration::from_secs(1_000_000);
const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const URL: &str = "https://example.com/private/x";
const BODY: &[u8] = b"user-agent: *\ndisallow: /private\n";

fn policy(edition: Edition) -> Policy {
    let robots_url = RobotsUrl::governing(URL).unwrap();
    Policy::new(robots_url, Crawler::new(["examplebot"]).unwrap(), edition)
}

/// Returns an entry with a file that was fetched at `NOW`.
fn with_copy(edition: Edition) -> Policy {
    let mut policy = policy(edition);
    let answer = Fetched::new(FetchResult::status(200)).with_body(BODY);
    assert_eq!(policy.update(&LineParser, &answer, NOW), Access::ConditionalAllow);
    policy
}

fn text_of(policy: &Policy, url: &str, at: Duration) -> String {
    policy.may_fetch(url, at).unwrap().to_string()
}

#[test]
fn nothing_is_allowed_before_the_file_was_fetched() {
    let mut policy = policy(Edition::Rfc9309);
    for answer in [None, Some(FetchResult::redirect(301, Location::Present))] {
        if let Some(result) = answer {
            let access = policy.update(&LineParser, &Fetched::new(result), NOW);
            assert_eq!(access, Access::FollowRedirect);
        }
        let permission = policy.may_fetch(URL, NOW).unwrap();
        assert!(!permission.is_allowed() && permission.needs_robots_txt());
        assert_eq!(permission.basis(), Basis::NotFetched);
        assert!(permission.verdict().is_none());
        assert_eq!((permission.until(), policy.ask_again_at()), (NOW, None));
        assert_eq!(permission.to_string(), "disallow: robots.txt is to be fetched first");
    }
    assert!(policy.rules().is_none());
    assert_eq!(policy.robots_url().to_string(), "https://example.com/robots.txt");
    assert_eq!(policy.crawler().tokens()[0].as_str(), "examplebot");
}

#[rstest]
#[trace]
#[case::missing(Edition::Rfc9309, FetchResult::status(404), "allow", "full-allow", DAY)]
#[case::throttled(Edition::Rfc9309, FetchResult::status(429), "allow", "full-allow", DAY)]
#[case::throttled_as_an_error(
    Edition::Google2022,
    FetchResult::status(429),
    "disallow",
    "full-disallow",
    Policy::RETRY
)]
#[case::a_pause(
    Edition::Rfc9309,
    FetchResult::status(503),
    "disallow",
    "full-disallow",
    Policy::RETRY_SOON
)]
#[case::an_error(
    Edition::Rfc9309,
    FetchResult::status(500),
    "disallow",
    "full-disallow",
    Policy::RETRY
)]
#[case::no_answer(
    Edition::Rfc9309,
    FetchResult::failure(Failure::Dns),
    "disallow",
    "full-disallow",
    Policy::RETRY
)]
#[case::not_modified_and_no_copy(
    Edition::Rfc9309,
    FetchResult::status(304),
    "allow",
    "full-allow",
    DAY
)]
fn an_answer_without_a_file(
    #[case] edition: Edition,
    #[case] result: FetchResult,
    #[case] word: &str,
    #[case] means: &str,
    #[case] again: Duration,
) {
    let mut policy = policy(edition);
    let access = policy.update(&LineParser, &Fetched::new(result), NOW);
    assert_eq!(access.to_string(), means);
    let permission = policy.may_fetch(URL, NOW).unwrap();
    assert_eq!(permission.to_string(), format!("{word}: the answer for robots.txt means {means}"));
    assert_eq!((permission.is_allowed(), permission.needs_robots_txt()), (word == "allow", false));
    assert_eq!((permission.until(), policy.ask_again_at()), (NOW + again, Some(NOW + again)));
}

/// RFC 9309, to which google-2022 refers, states that robots.txt itself is always allowed.
#[rstest]
#[trace]
#[case(Edition::Google2022, "allow: robots.txt itself")]
#[case(Edition::Google2019, "disallow: the answer for robots.txt means full-disallow")]
fn robots_txt_itself_while_the_server_fails(#[case] edition: Edition, #[case] says: &str) {
    let mut policy = policy(edition);
    policy.update(&LineParser, &Fetched::new(FetchResult::status(500)), NOW);
    assert_eq!(text_of(&policy, "https://example.com/robots.txt", NOW), says);
    let other = "disallow: the answer for robots.txt means full-disallow";
    assert_eq!(text_of(&policy, URL, NOW), other);
}

#[rstest]
#[trace]
#[case(Edition::Google2022, None, DAY)]
#[case(Edition::Google2022, Some(HOUR), HOUR)]
#[case(Edition::Google2022, Some(3 * DAY), 3 * DAY)]
#[case(Edition::Rfc9309, Some(3 * DAY), DAY)]
fn a_copy_and_a_missing_file_hold_for_their_lifetime(
    #[case] edition: Edition,
    #[case] max_age: Option<Duration>,
    #[case] lifetime: Duration,
    #[values(200, 404)] status: u16,
) {
    let mut policy = policy(edition);
    let answer = Fetched::new(FetchResult::status(status)).with_body(BODY);
    let answer = max_age.map_or(answer, |max_age| answer.with_max_age(max_age));
    policy.update(&LineParser, &answer, NOW);
    for at in [NOW, (NOW + lifetime).checked_sub(SECOND).unwrap()] {
        let permission = policy.may_fetch(URL, at).unwrap();
        assert!(!permission.needs_robots_txt());
        assert_eq!((permission.is_allowed(), permission.until()), (status == 404, NOW + lifetime));
        assert_eq!(permission.verdict().is_some(), status == 200);
    }
    let permission = policy.may_fetch(URL, NOW + lifetime).unwrap();
    assert!(!permission.is_allowed() && permission.needs_robots_txt());
    assert_eq!(permission.to_string(), "disallow: the copy of robots.txt is too old");
}

#[test]
fn a_copy_that_is_not_modified_begins_anew() {
    let mut policy = with_copy(Edition::Rfc9309);
    let later = NOW + 2 * DAY;
    let answer = Fetched::new(FetchResult::status(304)).with_max_age(3 * HOUR);
    assert_eq!(policy.update(&LineParser, &answer, later), Access::UseCachedCopy);
    assert_eq!(policy.ask_again_at(), Some(later + 3 * HOUR));
    assert!(text_of(&policy, URL, later).contains("line 2, `disallow: /private`"));
    assert!(policy.may_fetch("https://example.com/open", later).unwrap().is_allowed());
}

/// During an outage, nothing is allowed for 30 days. After 30 days, the last copy decides, and robots.txt is still
/// requested as often as before.
#[test]
fn an_outage_ends_in_the_last_copy() {
    let mut policy = with_copy(Edition::Rfc9309);
    let began = NOW + HOUR;
    let error = Fetched::new(FetchResult::status(500));
    for at in [0, 7, 14, 21, 28, 30].map(|day| began + day * DAY) {
        assert_eq!(policy.update(&LineParser, &error, at), Access::FullDisallow);
        assert!(policy.may_fetch("https://example.com/open", at).is_ok_and(|it| !it.is_allowed()));
    }
    let over = began + 30 * DAY + SECOND;
    assert!(policy.may_fetch("https://example.com/open", over).unwrap().is_allowed());
    assert_eq!(policy.update(&LineParser, &error, over), Access::UseCachedCopy);
    assert_eq!(policy.ask_again_at(), Some(over + Policy::RETRY));
    for at in [over, over + DAY] {
        assert!(text_of(&policy, URL, at).contains("line 2, `disallow: /private`"));
    }
    assert_eq!(policy.rules().map(robots_core::RuleSet::len), Some(1));
}

#[test]
fn an_outage_without_a_copy_ends_in_an_allow() {
    let mut policy = policy(Edition::Rfc9309);
    let error = Fetched::new(FetchResult::status(500));
    for week in 0..=4 {
        let at = NOW + week * 7 * DAY;
        assert_eq!(policy.update(&LineParser, &error, at), Access::FullDisallow);
    }
    let over = NOW + 30 * DAY + SECOND;
    assert!(policy.may_fetch(URL, over).unwrap().is_allowed());
    assert_eq!(policy.update(&LineParser, &error, over), Access::FullAllow);
    // The next request is still due after `Policy::RETRY`, as after any failure.
    assert_eq!(policy.ask_again_at(), Some(over + Policy::RETRY));
    assert!(policy.may_fetch(URL, over + DAY).unwrap().is_allowed());
}

#[test]
fn an_outage_that_lasts_is_one_however_often_it_is_asked() {
    let mut policy = policy(Edition::Rfc9309);
    for day in 0..=30 {
        let at = NOW + DAY * day;
        let error = Fetched::new(FetchResult::status(if day % 2 == 0 { 500 } else { 503 }));
        assert_eq!(policy.update(&LineParser, &error, at), Access::FullDisallow);
        assert!(!policy.may_fetch(URL, at).unwrap().is_allowed());
    }
    let error = Fetched::new(FetchResult::status(500));
    assert_eq!(policy.update(&LineParser, &error, NOW + 31 * DAY), Access::FullAllow);
}

/// If the time between two failures is long, the site may have worked between them. The machine of the crawler may have
/// been off, or its clock may have jumped.
#[rstest]
#[trace]
#[case::off(31 * DAY)]
#[case::a_second_over_a_week(7 * DAY + SECOND)]
#[case::a_jump_of_the_clock(95 * 365 * DAY)]
fn failures_far_apart_are_no_outage(#[case] gap: Duration) {
    let mut policy = policy(Edition::Rfc9309);
    let error = Fetched::new(FetchResult::status(500));
    let weeks = [0, 1, 2, 3, 4].map(|week| NOW + week * 7 * DAY);
    for at in weeks {
        policy.update(&LineParser, &error, at);
    }
    let later = weeks[4] + gap;
    assert!(!policy.may_fetch(URL, later).unwrap().is_allowed());
    assert_eq!(policy.update(&LineParser, &error, later), Access::FullDisallow);
    assert!(!policy.may_fetch(URL, later).unwrap().is_allowed());
    // The failure after the gap began a new outage, which continues.
    policy.update(&LineParser, &error, later + 7 * DAY);
    assert!(!policy.may_fetch(URL, later + 7 * DAY).unwrap().is_allowed());
}

/// The clock of the crawler was ahead, and is set back. The answers that the crawler recorded before are now in the
/// future, so they are not valid. A difference of at most five minutes is permitted, as in `robots-fetch`.
#[rstest]
#[trace]
#[case::a_missing_file(&[(404, 0)])]
#[case::a_file(&[(200, 0)])]
#[case::a_failure(&[(500, 0)])]
#[case::a_long_outage(&[(500, 0), (500, 6), (500, 12), (500, 18), (500, 24), (500, 30)])]
fn an_entry_of_the_future_is_due(#[case] answers: &[(u16, u32)]) {
    let mut policy = policy(Edition::Rfc9309);
    let mut last = NOW;
    for (status, day) in answers {
        last = NOW + 95 * 365 * DAY + *day * DAY;
        let answer =
            Fetched::new(FetchResult::status(*status)).with_body(b"user-agent: *\nallow: /\n");
        policy.update(&LineParser, &answer, last);
    }
    let before = policy.may_fetch(URL, last).unwrap();
    for ahead in [5 * 60 * SECOND, SECOND, Duration::ZERO] {
        let permission = policy.may_fetch(URL, last.saturating_sub(ahead)).unwrap();
        assert_eq!(permission.basis(), before.basis(), "{ahead:?}");
    }
    for now in [last.saturating_sub(301 * SECOND), NOW + DAY, NOW] {
        let permission = policy.may_fetch(URL, now).unwrap();
        assert!(!permission.is_allowed() && permission.needs_robots_txt(), "{permission}");
        assert_eq!((permission.basis(), permission.until()), (Basis::Expired, now));
    }
    // The next failure begins a new outage.
    let error = Fetched::new(FetchResult::status(500));
    policy.update(&LineParser, &error, NOW);
    policy.update(&LineParser, &error, NOW + DAY);
    let permission = policy.may_fetch(URL, NOW + DAY).unwrap();
    assert_eq!((permission.is_allowed(), permission.basis()), (false, Basis::Unreachable));
}

/// A site without robots.txt was reached, so the next failure begins a new outage.
#[test]
fn an_answer_without_a_file_ends_an_outage() {
    let mut policy = policy(Edition::Rfc9309);
    let [error, missing] = [500, 404].map(|status| Fetched::new(FetchResult::status(status)));
    policy.update(&LineParser, &error, NOW);
    let reached = NOW + HOUR;
    assert_eq!(policy.update(&LineParser, &missing, reached), Access::FullAllow);
    assert_eq!(policy.ask_again_at(), Some(reached + DAY));
    let later = NOW + 40 * DAY;
    assert_eq!(policy.update(&LineParser, &error, later), Access::FullDisallow);
    assert!(!policy.may_fetch(URL, later).unwrap().is_allowed());
}

#[test]
fn an_url_of_another_site_is_refused() {
    let error = policy(Edition::Rfc9309).may_fetch("http://example.com/", NOW).unwrap_err();
    let says = "this robots.txt does not govern the URL: scheme, host or port differ";
    assert!(error.to_string().starts_with(says), "{error}");
}
