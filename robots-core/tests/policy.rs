//! A cache entry over time: what one outage leaves behind for the next.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use std::time::Duration;

use line_parser::LineParser;
use robots_core::fetch::{FetchResult, LIFETIME, RobotsUrl};
use robots_core::policy::{Fetched, Policy};
use robots_core::{Crawler, Edition};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const URL: &str = "https://example.com/page";

fn policy() -> Policy {
    let robots_url = RobotsUrl::governing(URL).unwrap();
    Policy::new(robots_url, Crawler::new(["examplebot"]).unwrap(), Edition::Rfc9309)
}

fn answered(policy: &mut Policy, status: u16, day: u32) -> bool {
    let now = DAY * day;
    policy.update(&LineParser, &Fetched::new(FetchResult::status(status)), now);
    policy.may_fetch(URL, now).unwrap().is_allowed()
}

#[test]
fn a_missing_file_ends_an_outage() {
    let mut policy = policy();
    assert!(!answered(&mut policy, 503, 0));
    assert!(answered(&mut policy, 404, 1));
    assert_eq!(policy.ask_again_at(), Some(DAY + LIFETIME));
    // The outage of day 32 is a new one, not the one of day 0 after 30 days.
    assert!(!answered(&mut policy, 503, 32));
    assert!(!answered(&mut policy, 503, 61));
    assert!(answered(&mut policy, 503, 63));
}

#[test]
fn an_outage_that_lasts_is_one_however_often_it_is_asked() {
    let mut policy = policy();
    assert!((0..=30).all(|day| !answered(&mut policy, 500 + day as u16 % 4, day)));
    assert!(answered(&mut policy, 500, 31));
    // It fails still, and is asked again soon.
    assert_eq!(policy.ask_again_at(), Some(DAY * 31 + Policy::RETRY));
}
