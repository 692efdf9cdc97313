//! Compares verdicts that are computed in four ways: directly, with compiled rules, from lines of the other parser
//! (`NomParser`), and by a simple implementation of the documents.
//!
//! The simple implementation is `naive`, which shares no code with the core. A test adds faults to `naive`, to show
//! that the comparison finds these faults.

mod naive;

use naive::{Fault, allows};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use robots_nom_parser::robots_core::{Edition, Options, RobotsTxt};
use robots_nom_parser::{NomParser, ScanParser};

/// A file, a product token, and a path.
type Asked = (Vec<u8>, String, String);

fn asked() -> impl Strategy<Value = Asked> {
    let of = |choices: &'static [&'static str]| prop::sample::select(choices);
    let path = prop::collection::vec(
        of(&[
            "/", "a", "b", "aa", "ab", "%61", "%2a", "%2A", "%2f", "%2F", "é", "%c3%a9", "%C3%A9",
            "?", "%", ";", "~", "%7E",
        ]),
        0..6,
    );
    let pattern = (
        of(&["/", "*", "/", "/*", ""]),
        prop::collection::vec(
            of(&[
                "/",
                "a",
                "b",
                "aa",
                "*",
                "$",
                "%61",
                "%2a",
                "%2A",
                "%24",
                "%2f",
                "é",
                "%c3%a9",
                "%C3%A9",
                "?",
                "%",
                "~",
                "**",
                "robots.txt",
            ]),
            0..5,
        ),
        of(&["", "", "$", "*", "*$", "\u{1}", "\u{7f}", " "]),
    )
        .prop_map(|(begin, parts, end)| format!("{begin}{}{end}", parts.concat()));
    let agent = of(&[
        "*", "a", "A", "a-b", "a_b", "ab", "a/1", "a b", "b", "A-B-c", "*a", "", "a\u{1}", "é",
    ]);
    let line = prop_oneof![
        5 => agent.prop_map(|agent| ("user-agent", agent.to_owned())),
        8 => (of(&["allow", "disallow", "disallow"]), pattern.clone()),
        1 => Just(("crawl-delay", "1".to_owned())),
        1 => of(&["sitemap", "x", "user agent", ""]).prop_map(|field| (field, "/a".to_owned())),
    ];
    let written = (
        line,
        any::<bool>(),
        of(&[":", ": ", " : ", ":\t", ""]),
        of(&["", "", " ", "#", " # c"]),
        of(&["\n", "\n", "\r\n", "\r", "\n\n", "\r\r\n"]),
    )
        .prop_map(|((field, value), is_upper, colon, behind, end)| {
            let field = if is_upper { field.to_uppercase() } else { field.to_owned() };
            format!("{field}{colon}{value}{behind}{end}")
        });
    let file = (
        of(&["", "", "\u{feff}"]),
        of(&["", "user-agent: *\n", "user-agent: a\n"]),
        prop::collection::vec(written, 0..10),
    );
    let file = file
        .prop_map(|(mark, first, lines)| format!("{mark}{first}{}", lines.concat()).into_bytes());
    let token = of(&["a", "A", "a-b", "a_b", "a-b-c", "ab", "b", "c", "a-"]);
    let url = prop_oneof![
        9 => path.prop_map(|parts| format!("/{}", parts.concat())),
        1 => Just("/robots.txt".to_owned()),
    ];
    let url = (url, of(&["", "", "", "#a"])).prop_map(|(url, fragment)| url + fragment);
    (file, token, url).prop_map(|(file, token, url)| (file, token.to_owned(), url))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn four_ways_to_one_verdict((file, token, url) in asked()) {
        for &edition in Edition::ALL {
            let options = Options::from(edition);
            let [scan, nom] = [
                RobotsTxt::parse(&ScanParser, &file, options),
                RobotsTxt::parse(&NomParser, &file, options),
            ];
            let once = scan.verdict(&*token, &url);
            let compiled = scan.rules_for(&*token);
            let compiled = compiled.verdict(&url);
            let shown = String::from_utf8_lossy(&file);
            prop_assert_eq!(once.to_string(), compiled.to_string(), "{}: {:?}", edition, shown);
            prop_assert_eq!(once.to_string(), nom.verdict(&*token, &url).to_string(), "{}: {:?}", edition, shown);
            let expected = allows(edition, &file, &token, &url, None);
            prop_assert_eq!(once.is_allowed(), expected, "{}: {:?}", edition, shown);
        }
    }
}

/// The comparison finds every fault that is added to the simple implementation, so it would find the same faults in the
/// core.
#[test]
fn every_planted_fault_is_found() {
    const TRIES: usize = 60_000;
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = asked();
    let mut left = Fault::ALL.to_vec();
    for _ in 0..TRIES {
        if left.is_empty() {
            return;
        }
        let (file, token, url) = strategy.new_tree(&mut runner).unwrap().current();
        left.retain(|fault| {
            !Edition::ALL.iter().any(|&edition| {
                let robots = RobotsTxt::parse(&ScanParser, &file, Options::from(edition));
                let verdict = robots.verdict(&*token, &url).is_allowed();
                verdict != allows(edition, &file, &token, &url, Some(*fault))
            })
        });
    }
    assert_eq!(left, [], "not found in {TRIES} tries");
}
