//! Tests an audit with logs that nobody wrote in good faith: any octets, any order of times, and more crawlers and hosts
//! than are kept.

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use robots_audit::robots_core::{Crawler, Edition};
use robots_audit::{Address, Agents, Audit, Class, History, Ranges, Reason, Request};
use rstest::rstest;

fn request() -> impl Strategy<Value = (u64, u16, Vec<u8>, Vec<u8>, String, bool)> {
    let time = prop_oneof![0..200_000_u64, Just(u64::MAX), 0..u64::MAX];
    let status =
        prop_oneof![Just(200_u16), Just(304), Just(301), Just(404), Just(503), 0..1000_u16];
    let target = prop_oneof![
        Just(b"/robots.txt".to_vec()),
        Just(b"/a".to_vec()),
        Just(b"http://a.example/robots.txt".to_vec()),
        vec(any::<u8>(), 0..12),
    ];
    let agent = prop_oneof![
        Just(b"onebot/1".to_vec()),
        Just(b"twobot/1".to_vec()),
        vec(any::<u8>(), 0..20)
    ];
    (time, status, target, agent, "[a-z:/\\[\\]@ .]{0,6}", any::<bool>())
}

proptest! {
    /// The audit never panics, counts each request once, and gives each class that it returns a cause.
    #[test]
    fn any_log_is_audited(
        requests in vec(request(), 0..60),
        versions in vec((0..300_000_u64, prop_oneof![Just(None), "[a-z:/* \n-]{0,40}".prop_map(Some)]), 0..5),
    ) {
        let mut history = History::default();
        for (from, file) in versions {
            history.add(None, Duration::from_secs(from), file.map(String::into_bytes));
        }
        let mut audit = Audit::new(Edition::Google2022, history, Agents::default());
        let mut judged = 0;
        for (time, status, target, user_agent, host, is_aborted) in &requests {
            judged += u64::from(audit.request(&Request {
                time: Duration::from_secs(*time),
                status: *status,
                target,
                user_agent,
                scheme: host.contains('/').then_some("https"),
                host: (!host.is_empty()).then_some(host),
                is_aborted: *is_aborted,
                ..Request::default()
            }).is_some());
        }
        let report = audit.finish();
        let rows = report.crawlers.iter();
        let counted: u64 = rows.clone().map(|row| row.requests).sum();
        prop_assert_eq!(report.requests, requests.len() as u64);
        prop_assert_eq!(counted + report.of_others + report.not_kept, report.requests);
        let classes: u64 = rows.clone().flat_map(|row| Class::ALL.iter().map(|it| row.count(*it))).sum();
        let causes: u64 = rows.flat_map(|row| &row.causes).map(|cause| cause.requests).sum();
        prop_assert_eq!([classes, causes], [judged; 2]);
    }
}

/// The memory does not grow with invented names: what is beyond the limits is only counted.
#[rstest]
#[trace]
fn what_is_beyond_the_limits_is_counted(#[values(true, false)] by_host: bool) {
    let mut audit =
        Audit::new(Edition::Rfc9309, History::one("user-agent: *\n"), Agents::default());
    let requests = Audit::MOST + 5;
    for number in 0..requests {
        let (agent, host) = if by_host {
            ("examplebot".to_owned(), format!("host{number}.example"))
        } else {
            (format!("bot{number}x"), "one.example".to_owned())
        };
        audit.request(&Request {
            host: Some(&host),
            user_agent: agent.as_bytes(),
            ..Request::default()
        });
    }
    let report = audit.finish();
    assert_eq!((report.requests, report.not_kept), (requests as u64, 5));
}

/// Long targets and many requests of one cause leave short examples.
#[test]
fn examples_are_few_and_short() {
    let file = "user-agent: *\ndisallow: /\n";
    let mut audit = Audit::new(Edition::Rfc9309, History::one(file), Agents::default());
    let long = vec![b'/'; 1 << 20];
    for (second, target) in [&b"/robots.txt"[..]].into_iter().chain([&long[..]; 100]).enumerate() {
        let time = Duration::from_secs(second as u64);
        audit.request(&Request { time, target, user_agent: b"bot/1", ..Request::default() });
    }
    let report = audit.finish();
    let [cause] = &report.crawlers[0].causes[..] else { panic!("{:?}", report.crawlers) };
    assert_eq!((cause.class, cause.requests), (Class::Disobeyed, 100));
    assert_eq!(cause.examples.len(), 10);
    assert!(cause.examples.iter().all(|example| example.target.len() == 1024));
}

#[rstest]
#[trace]
#[case::no_json("", "EOF")]
#[case::no_list("{}", "prefixes")]
#[case::no_prefix(r#"{"prefixes": []}"#, "no prefix")]
#[case::no_length(r#"{"prefixes": [{"ipv4Prefix": "192.0.2.1"}]}"#, "192.0.2.1")]
#[case::another_family(r#"{"prefixes": [{"ipv6Prefix": "192.0.2.0/24"}]}"#, "192.0.2.0/24")]
#[case::too_long(r#"{"prefixes": [{"ipv4Prefix": "192.0.2.0/33"}]}"#, "192.0.2.0/33")]
fn octets_that_are_no_ranges_are_refused(#[case] json: &str, #[case] says: &str) {
    let mut ranges = Ranges::default();
    let error = ranges.add("examplebot", json.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(says) && error.contains("ipv4Prefix"), "{error}");
    // A refused file contradicts no address.
    assert_eq!(ranges.check("examplebot", "192.0.2.1".parse().ok()), Address::Claimed);
}

/// An address is found in overlapping, adjacent and repeated prefixes of several files.
#[rstest]
#[trace]
#[case("192.0.2.0", true)]
#[case("192.0.3.255", true)]
#[case("192.0.4.0", false)]
#[case("191.255.255.255", false)]
#[case("10.1.2.3", true)]
#[case("::a01:203", false)]
#[case("2001:db8:ffff::", true)]
#[case("2001:db9::", false)]
fn addresses_are_found(#[case] address: &str, #[case] is_known: bool) {
    let mut ranges = Ranges::default();
    let prefix = |key: &str, prefix: &str| {
        format!("{{\"syncToken\": 1, \"prefixes\": [{{\"{key}\": \"{prefix}\"}}]}}")
    };
    for (key, net) in [
        ("ipv4Prefix", "192.0.3.0/24"),
        ("ipv4Prefix", "192.0.2.0/24"),
        ("ipv4Prefix", "192.0.2.64/26"),
        ("ipv4Prefix", "10.1.2.3/32"),
        ("ipv6Prefix", "2001:db8::/32"),
    ] {
        ranges.add("ExampleBot", prefix(key, net).as_bytes()).unwrap();
    }
    let expected = if is_known { Address::Confirmed } else { Address::Contradicted };
    assert_eq!(ranges.check("examplebot", address.parse().ok()), expected);
}

#[rstest]
#[trace]
#[case::first_word("newbot", Some("newbot"))]
#[case::version(
    "Mozilla/5.0 (X11) AppleWebKit/1 (Examplebot/0.1; +http://www.example.com/)",
    Some("Examplebot")
)]
#[case::page("fetcher/1.1 (+http://www.example.com/about.html)", Some("fetcher"))]
#[case::person("fetcher/1.1 (someone@example.com)", Some("fetcher"))]
#[case::known_in_a_comment("Mozilla/5.0 (compatible; known; x)", Some("Known"))]
#[case::known_only_in_an_address("x/1.0 (+https://known/)", Some("x"))]
#[case::a_model_of_a_phone(
    "Mozilla/5.0 (Linux; Android 9; CUBOT X19) Chrome/130.0 Safari/537.36",
    None
)]
#[case::a_browser(
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
    None
)]
#[case::a_tool("curl/8.5.0", None)]
#[case::nothing("", None)]
#[case::a_hyphen("-", None)]
#[case::no_text("\u{0}\u{1}é", None)]
fn crawlers_are_recognised(#[case] field: &str, #[case] token: Option<&str>) {
    let mut agents = Agents::default();
    agents.add_file(b"user-agent: Known\nuser-agent: mozilla\nuser-agent: *\ndisallow:\n");
    let recognised = agents.recognise(field.as_bytes());
    assert_eq!(recognised.as_ref().map(|it| it.tokens()[0].as_str()), token);
}

/// A field that names more crawlers than a crawler has tokens is a crawler too.
#[test]
fn a_field_of_many_names_is_a_crawler() {
    let field: String = (0..100).map(|number| format!("bot{number}/1 ")).collect();
    let crawler = Agents::default().recognise(field.as_bytes()).unwrap();
    assert_eq!(crawler.tokens().len(), Crawler::MAX);
}

/// A crawler may read more of a file than the limit of 500 KiB, so a rule behind it may allow a page.
#[test]
fn a_rule_behind_the_limit_leaves_a_request_open() {
    let comments = format!("# {}\n", "x".repeat(97)).repeat(5_200);
    let file = format!("user-agent: *\ndisallow: /x\n{comments}allow: /x/a\n");
    let mut audit = Audit::new(Edition::Rfc9309, History::one(file), Agents::default());
    let mut judged = |time, target: &str| {
        let (time, target) = (Duration::from_secs(time), target.as_bytes());
        let request = Request { time, target, user_agent: b"examplebot/1", ..Request::default() };
        audit.request(&request)
    };
    assert_eq!(judged(0, "/robots.txt"), None);
    assert_eq!(judged(600, "/x/a"), Some((Class::Open, Reason::SizeLimit)));
    assert_eq!(judged(601, "/x/b"), Some((Class::Disobeyed, Reason::Rule)));
}
