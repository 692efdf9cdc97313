//! Tests properties of the findings that must be true for all files.
//!
//! proptest generates lines and rules that often have a finding. Fixes must remove their findings, and removed rules
//! must not change a verdict. The last test measures hostile files.

use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{FindingKind, findings, findings_for};
use robots_nom_parser::ScanParser;

fn parse(body: &[u8], edition: Edition) -> RobotsTxt<&[u8]> {
    RobotsTxt::parse(&ScanParser, body, Options::from(edition).with_limit(4096))
}

/// Generates lines; most have a finding.
fn lines() -> impl Strategy<Value = Vec<u8>> {
    let fields = &[
        "user-agent",
        "User-Agent",
        "allow",
        "disallow",
        "Disallow",
        "sitemap",
        "disalow",
        "crawl-delay",
        "host",
        "\u{FEFF}allow",
        "Content-Usage",
        "content-signal",
        "https",
        "",
        "x",
    ];
    let values = &[
        "",
        "*",
        "a",
        "b",
        "a/1",
        "a, b",
        "*x",
        "/",
        "/a",
        "/a/b",
        "/a*",
        "/a*$",
        "/a$b",
        "/a b",
        "/a /b",
        "*.x",
        "a/b",
        "https://example.com/a",
        "//example.com",
        "/\u{E9}",
        "/%",
        "/%41",
        "/a#b",
        "/robots.txt",
        "/a allow: /b",
        "\u{A0}/a",
        "/\u{1}",
        "Mozilla/5.0 (compatible; a/1)",
        "train-ai=n;a=\"#",
        "/a Train-AI=no, ai-train=n;,",
        "/a\t\u{E9}=",
    ];
    let line = (
        prop::sample::select(&fields[..]),
        prop::sample::select(&[": ", ":", " "][..]),
        prop::sample::select(&values[..]),
        prop::sample::select(&["\n", "\r\n", "\r", " # c\n", "\n\n"][..]),
    );
    let line = line.prop_map(|(field, colon, value, end)| format!("{field}{colon}{value}{end}"));
    vec(line, 0..12).prop_map(|lines| lines.concat().into_bytes())
}

/// Generates groups of a few similar rules.
fn rules() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        1 => prop::sample::select(&["user-agent: a", "user-agent: b", "user-agent: *"][..])
            .prop_map(str::to_owned),
        4 => ("(allow|disallow)", "(/[ab/]{0,4}|/[ab*]{0,4}\\$?)").prop_map(|(kind, path)| format!("{kind}: {path}")),
    ];
    vec(line, 0..12).prop_map(|lines| {
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        format!("user-agent: a\n{}", lines.concat())
    })
}

fn any_edition() -> impl Strategy<Value = Edition> {
    prop::sample::select(Edition::ALL)
}

const URLS: [&str; 16] = [
    "/", "/a", "/b", "/a/", "/ab", "/ba", "/aa", "/a/b", "/aab", "/abab", "/a/a/b", "/bb/a",
    "/aaaa", "/abba", "/b/b", "/bab/a",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2048,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/findings.txt",
        ))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn findings_lie_in_the_file_in_order(
        body in prop_oneof![vec(any::<u8>(), 0..200), lines()],
        edition in any_edition(),
    ) {
        let robots = parse(&body, edition);
        let mut before = (0, 0);
        for finding in findings(&robots) {
            let span = finding.span();
            prop_assert!(span.end() <= body.len());
            let at = (finding.line().get(), span.start());
            prop_assert!(before <= at, "{finding:?} behind {before:?}");
            before = at;
            if let Some((line, _)) = robots.line(finding.line()) {
                let in_line = line.span.contains(span) || finding.kind() == FindingKind::Truncated;
                prop_assert!(in_line, "{finding:?}");
            }
            if let Some((number, span)) = finding.other() {
                prop_assert!(robots.line(number).unwrap().0.span.contains(span));
            }
            prop_assert!(!finding.to_string().is_empty());
            let source = finding.source();
            prop_assert!(source.is_some());
        }
    }

    /// No finding is reported twice: two findings of a line differ in kind or span.
    #[test]
    fn nothing_is_said_twice(body in lines(), edition in any_edition()) {
        let robots = parse(&body, edition);
        let mut seen = std::collections::HashSet::new();
        for finding in findings(&robots) {
            prop_assert!(seen.insert((finding.span(), finding.kind())), "{finding:?}");
        }
    }

    /// A replacement removes its finding.
    #[test]
    fn a_replacement_fixes(body in lines(), edition in any_edition()) {
        let robots = parse(&body, edition);
        for finding in findings(&robots) {
            let Some(text) = finding.replacement() else { continue };
            let (before, behind) =
                (&body[..finding.span().start()], &body[finding.span().end()..]);
            let fixed = [before, text.as_bytes(), behind].concat();
            let fixed = parse(&fixed, edition);
            let again = |other: &robots_lint::Finding<'_>| {
                other.kind() == finding.kind() && other.line() == finding.line()
                    // A path may have several findings of the same kind. The findings after the fixed one may remain.
                    && other.span().start() <= finding.span().start()
            };
            let again = findings(&fixed).find(again);
            prop_assert!(again.is_none(), "{finding:?} by {text:?}: {again:?}");
        }
    }

    /// If a useless or leading star, or a useless dollar, is replaced in a path, the path matches the same URLs as
    /// before.
    #[test]
    fn mended_paths_match_the_same(path in "[*/][ab/*]{0,5}\\$?") {
        let edition = Edition::default();
        let body = format!("user-agent: *\ndisallow: {path}\n");
        let robots = parse(body.as_bytes(), edition);
        for finding in findings(&robots) {
            let equal = matches!(
                finding.kind(),
                FindingKind::LeadingStar | FindingKind::UselessStar | FindingKind::UselessDollar
            );
            let Some(text) = finding.replacement().filter(|_| equal) else { continue };
            let span = finding.span();
            let fixed = format!("{}{text}{}", &body[..span.start()], &body[span.end()..]);
            let fixed = parse(fixed.as_bytes(), edition);
            for url in URLS {
                prop_assert_eq!(
                    robots.verdict("a", url).is_allowed(),
                    fixed.verdict("a", url).is_allowed(),
                    "{} by {:?} for {}", &path, &finding, url
                );
            }
        }
    }

    /// If the replacement of a useless star or dollar removes it, no verdict changes, whatever the other rules are.
    #[test]
    fn what_is_left_out_changes_nothing(body in rules(), edition in any_edition()) {
        let robots = parse(body.as_bytes(), edition);
        for finding in findings(&robots) {
            let is_star =
                matches!(finding.kind(), FindingKind::UselessStar | FindingKind::UselessDollar);
            let Some(text) = finding.replacement().filter(|_| is_star) else { continue };
            let span = finding.span();
            let fixed = format!("{}{text}{}", &body[..span.start()], &body[span.end()..]);
            let fixed = parse(fixed.as_bytes(), edition);
            for agent in ["a", "b", "c"] {
                for url in URLS {
                    prop_assert_eq!(
                        robots.verdict(agent, url).is_allowed(),
                        fixed.verdict(agent, url).is_allowed(),
                        "{} {} without {:?}", agent, url, &finding
                    );
                }
            }
        }
    }

    /// If the rules that are reported as redundant are removed, one by one or all together, no verdict changes.
    #[test]
    fn rules_without_effect_can_go(body in rules(), edition in any_edition()) {
        let robots = parse(body.as_bytes(), edition);
        let useless: Vec<_> = findings(&robots)
            .filter(|finding| {
                matches!(finding.kind(), FindingKind::RedundantRule | FindingKind::OverriddenRule)
            })
            .map(|finding| finding.line().get())
            .collect();
        let alone = useless.iter().map(|number| vec![*number]);
        for gone in alone.chain([useless.clone()]) {
            let kept = (1..).zip(body.lines()).filter(|(number, _)| !gone.contains(number));
            let kept: String = kept.flat_map(|(_, line)| [line, "\n"]).collect();
            let without = parse(kept.as_bytes(), edition);
            for agent in ["a", "b", "c"] {
                for url in URLS {
                    prop_assert_eq!(
                        robots.verdict(agent, url).is_allowed(),
                        without.verdict(agent, url).is_allowed(),
                        "{} {} without {:?}", agent, url, &gone
                    );
                }
            }
        }
    }

    /// Each finding that affects an answer is also in the list of all findings.
    #[test]
    fn what_bears_is_found(body in lines(), edition in any_edition(), url in prop::sample::select(&URLS[..])) {
        let robots = parse(&body, edition);
        let all: Vec<String> = findings(&robots).map(|finding| format!("{finding:?}")).collect();
        for finding in findings_for(&robots, "a", url) {
            let name = format!("{finding:?}");
            prop_assert!(all.contains(&name));
        }
    }
}

/// Hostile files repeat a few pieces up to the full size. Quadratic code would need minutes.
#[test]
fn hostile_files_end() {
    let agents = |number: u32| format!("user-agent: a\nuser-agent: b{number}\nallow: /\n");
    let deep = |number: u32| format!("allow: /{}\n", "a".repeat(number as usize % 250));
    let star = |number: u32| format!("allow: /a{number:05}\ndisallow: /a{number:04}*\n");
    let shapes: [(&str, String); 13] = [
        ("lines of a letter", "a\n".repeat(256 * 1024)),
        ("rules before agents", "allow:/\n".repeat(64 * 1024)),
        ("equal rules", format!("user-agent: *\n{}", "allow: /\n".repeat(56 * 1024))),
        ("nested rules", format!("user-agent: *\n{}", (0..4000).map(deep).collect::<String>())),
        ("groups that share a crawler", (0..12_000).map(agents).collect()),
        ("one crawler again and again", "user-agent: a\n\n".repeat(34 * 1024)),
        (
            "stars of equal length",
            format!("user-agent: *\n{}", (0..9000).map(star).collect::<String>()),
        ),
        ("colons", format!("user-agent: {}", ":".repeat(500 * 1024))),
        ("commas", format!("user-agent: a{}", ",a".repeat(250 * 1024))),
        ("stars", format!("user-agent: *\nallow: /{}", "*".repeat(500 * 1024))),
        ("spaces", format!("user-agent: *\nallow: /{}", " /".repeat(250 * 1024))),
        ("odd spaces", format!("user-agent: *\nallow: {}", "\u{A0}".repeat(250 * 1024))),
        ("misspelt fields", "disalow: /\n".repeat(46 * 1024)),
    ];
    for (shape, body) in &shapes {
        let robots = RobotsTxt::parse(&ScanParser, body, Options::default().with_limit(body.len()));
        let start = Instant::now();
        let octets: usize = findings(&robots).map(|finding| finding.to_string().len()).sum();
        let bearing = findings_for(&robots, "a", "/a").len();
        let took = start.elapsed();
        assert!(took < Duration::from_secs(60), "{shape}: {took:?}, {octets} octets, {bearing}");
    }
}
