//! Tests the properties of the core that the suite's cases cannot test: limits, the lines that verdicts name, and
//! compiled rules.
//!
//! The tests use the simple `LineParser`, because this crate has no parser. Property tests compare compiled rules with
//! the verdicts of the file.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use line_parser::LineParser;
use proptest::prelude::*;
use robots_core::fetch::{Access, FetchResult};
use robots_core::syntax::{LineKind, Remark};
use robots_core::{Crawler, Edition, Options, Reason, RobotsTxt, RuleSet};
use rstest::rstest;

fn parse(body: &[u8]) -> RobotsTxt<&[u8]> {
    RobotsTxt::parse(&LineParser, body, Options::default())
}

#[rstest]
#[trace]
#[case::line_cut(25, Some(14), 1)]
#[case::cut_before_the_ending(26, Some(26), 2)]
#[case::cut_behind_the_ending(27, Some(27), 2)]
#[case::whole(28, None, 3)]
#[case::nothing(0, Some(0), 0)]
fn the_limit_drops_the_line_it_cuts(
    #[case] limit: usize,
    #[case] truncated_at: Option<usize>,
    #[case] lines: usize,
) {
    let body = b"user-agent: *\ndisallow: /x\n#";
    let robots = RobotsTxt::parse(&LineParser, body, Options::default().with_limit(limit));
    assert_eq!((robots.truncated_at(), robots.lines().count()), (truncated_at, lines));
    assert_eq!(robots.body(), body);
}

#[test]
fn no_limit_is_above_512_mebioctets() {
    assert_eq!(Options::MAX, 512 << 20);
    for &edition in Edition::ALL {
        let options = Options::from(edition);
        assert!(options.limit() <= Options::MAX, "{edition}");
        assert_eq!(options.with_limit(usize::MAX).limit(), Options::MAX);
    }
}

#[rstest]
#[trace]
#[case("/x", Reason::LongestRule, Some(4))]
#[case("/tie", Reason::AllowWinsTie, Some(6))]
#[case("/else", Reason::NoRuleMatches, None)]
#[case("/robots.txt", Reason::RobotsTxtItself, None)]
fn a_verdict_says_why(#[case] url: &str, #[case] reason: Reason, #[case] line: Option<u32>) {
    let robots = parse(
        b"user-agent: other\nallow: /x\nuser-agent: a\ndisallow: /x\ndisallow: /tie\nallow: /tie\n",
    );
    let verdict = robots.verdict("a", url);
    assert_eq!((verdict.reason(), verdict.rule().map(|r| r.line().number.get())), (reason, line));
    assert!(robots.verdict("nobody", "/x").user_agent().is_none());
    assert_eq!(robots.verdict("nobody", "/x").reason(), Reason::NoGroup);
}

#[test]
fn what_is_no_url_is_not_allowed_and_says_so() {
    let robots = parse(b"");
    assert!(!robots.verdict("a", "example.com").is_allowed());
    assert!(robots.try_verdict("a", "example.com").is_err());
    assert!(robots.verdict("a", "/").is_allowed());
}

#[test]
fn a_page_that_redirects_is_left_open_by_google_2018() {
    let page = FetchResult::status(200).with_logical_redirect();
    for edition in Edition::ALL {
        let expected = match edition {
            Edition::Google2018 => Access::Undefined { safe: &Access::ConditionalAllow },
            _ => Access::ConditionalAllow,
        };
        assert_eq!(edition.access(&page), expected, "{edition}");
        assert_eq!(edition.access(&FetchResult::status(200)), Access::ConditionalAllow);
    }
}

#[test]
fn a_group_without_rules_is_no_missing_group() {
    let robots = parse(b"user-agent: a\nuser-agent: *\ndisallow:\n");
    let verdict = robots.verdict("a", "/");
    assert_eq!(verdict.reason(), Reason::NoRules);
    assert_eq!(verdict.group().unwrap().user_agents().count(), 2);
}

#[test]
fn unknown_fields_keep_their_spans() {
    let body = b"user-agent: a\nCrawl-Delay: 10\nuser-agent: b\ndisallow: /x\n";
    let robots = parse(body);
    let (line, kind) = robots.lines().nth(1).unwrap();
    assert_eq!(kind, LineKind::Unknown);
    assert_eq!(&body[line.field.unwrap().range()], b"Crawl-Delay");
    assert_eq!(&body[line.value.unwrap().range()], b"10");
    assert_eq!(robots.groups().count(), 1);
}

#[test]
fn oddities_are_remarked_on() {
    let robots = parse(b"user-agent: a\ndisallow: /\xE9 # \x01\n");
    let remarks: Vec<_> =
        robots.remarks().map(|(line, remark)| (line.number.get(), remark)).collect();
    assert_eq!(remarks, [(2, Remark::InvalidUtf8), (2, Remark::ControlInComment)]);
    assert!(!robots.verdict("a", "/%e9").is_allowed());
}

#[test]
fn a_header_finds_its_group() {
    let crawler = Crawler::from_header("Mozilla/5.0 (compatible; ExampleBot/0.1)").unwrap();
    let robots = parse(b"user-agent: examplebot\ndisallow: /\n");
    assert!(!robots.verdict(&crawler, "/").is_allowed());
}

#[test]
fn many_empty_lines_keep_their_numbers_and_spans() {
    let empty = "\n".repeat(100);
    let body = format!("{empty}user-agent: a\n{empty}disallow: /x\n{}\n#\n", "\n".repeat(15));
    let robots = parse(body.as_bytes());
    let lines: Vec<_> = robots.lines().collect();
    assert_eq!(lines.len(), 219);
    let mut end = 0;
    for ((line, kind), number) in lines.iter().zip(1..) {
        assert_eq!((line.number.get(), line.span.start()), (number, end));
        assert_eq!(*kind == LineKind::Blank, line.span.len() == 1 || line.content.is_empty());
        end = line.span.end();
    }
    assert_eq!(end, body.len());
    let verdict = robots.verdict("a", "/x");
    assert_eq!(verdict.rule().map(|rule| rule.line().number.get()), Some(202));
    assert_eq!(verdict.user_agent().map(|line| line.line().number.get()), Some(101));
}

prop_compose! {
    fn file()(lines in prop::collection::vec(
        prop_oneof![
            "user-agent: (a|b|\\*|a-b)?",
            "(allow|disallow): [/*]([ab/*$%]|%6[12]|%2F|é){0,6}",
            // The next three lines draw rules without a slash, rules that differ only after their first octets, and
            // rules for folders.
            "(allow|disallow): [ab]([ab/*$]|%6[12]){0,3}",
            "(allow|disallow): /(a|%61){5,9}([ab*$]|%2[fF]){0,3}",
            "(allow|disallow): /a{0,2}/index.html?",
            "(allow|disallow):",
            "sitemap: https://example.com/",
            "content-usage: (/a )?train-ai=n",
            "junk",
        ], 0..16)) -> String {
        lines.join("\n")
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn compiled_rules_answer_as_the_file_does(
        body in file(),
        path in prop_oneof![
            "/([ab/*$%]|%6[12]|%2F|é){0,8}",
            "/(a|%61){5,9}([ab]|%2[fF]){0,3}",
            "/a{0,2}/(index.html?)?",
        ],
        token in "a|b|c|ab|-a|a-b|a-b-c",
        edition in prop::sample::select([Edition::ALL, Edition::DRAFTS].concat()),
    ) {
        let robots = RobotsTxt::parse(&LineParser, &body, Options::from(edition));
        let rules = robots.rules_for(&token);
        let (slow, fast) = (robots.verdict(&token, &path), rules.verdict(&path));
        prop_assert_eq!(slow.to_string(), fast.to_string());
        let line = |verdict: robots_core::Verdict<'_>| verdict.rule().map(|rule| rule.line());
        prop_assert_eq!(line(slow), line(fast));
        let agent = |verdict: robots_core::Verdict<'_>| verdict.user_agent().map(|it| it.line());
        prop_assert_eq!(agent(slow), agent(fast));
    }
}

/// Compiled rules compare eight octets of a path at once. The rules in this test begin with the same seven octets, and
/// many of them also share the eighth octet.
#[test]
fn compiled_rules_that_begin_alike_answer_as_the_file_does() {
    let mut names: Vec<String> = vec!["aaaaaaa".into()];
    for at in 0..15 {
        let longer = ["a", "b"].map(|letter| names[at].clone() + letter);
        names.extend(longer);
    }
    // A pseudo-random generator with a fixed seed chooses the rules of a file.
    let mut state = 1_u32;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    for _ in 0..200 {
        let mut body = "user-agent: a\n".to_owned();
        for name in &names {
            let kind = ["", "", "allow: /", "disallow: /", "allow: ", "disallow: "][draw(6)];
            if !kind.is_empty() {
                let end = ["", "", "$", "*b", "*b$"][draw(5)];
                body.extend([kind, name, end, "\n"]);
            }
        }
        let options = Options::from(Edition::Google2018);
        let robots = RobotsTxt::parse(&LineParser, &body, options);
        let rules = robots.rules_for("a");
        for name in &names {
            let url = format!("/{name}");
            let (slow, fast) = (robots.verdict("a", &url), rules.verdict(&url));
            assert_eq!(slow.to_string(), fast.to_string(), "{url} {body}");
        }
    }
}

#[test]
fn compiled_rules_outlive_their_file() {
    fn owned<T: Send + Sync + 'static>(value: T) -> T {
        value
    }
    let body = "user-agent: x\ndisallow: /\nuser-agent: a\nHost: h\ndisallow: /%7e # c\n\
                user-agent: *\nallow: /\nuser-agent: b\nuser-agent: a\nallow: /*/y$\nsitemap: x";
    let rules: RuleSet = owned(parse(body.as_bytes()).rules_for("a"));
    let copy = rules.clone();
    drop(rules);
    assert_eq!((copy.len(), copy.groups().count()), (2, 2));
    let verdict = copy.verdict("/~x/y");
    let rule = verdict.rule().unwrap();
    assert_eq!((rule.path(), rule.line().number.get()), (&b"/*/y$"[..], 10));
    assert_eq!(&body.as_bytes()[rule.line().value.unwrap().range()], b"/*/y$");
    assert_eq!(verdict.user_agent().unwrap().line().number, 9);
    let verdict = copy.verdict("/~x");
    assert_eq!(verdict.rule().unwrap().to_string(), "disallow: /%7e");
    assert_eq!(verdict.user_agent().unwrap().line().number, 3);
    let group = copy.groups().next().unwrap();
    let host = group.lines().find(|line| line.is_named("host")).unwrap();
    assert_eq!((host.value(), host.line().number.get()), (&b"h"[..], 4));
    for behind in ["", "# c\nsitemap: s\n"] {
        let body = format!("user-agent: a\nallow: /\nhost: h\n{behind}");
        let rules = parse(body.as_bytes()).rules_for("a");
        let last = rules.groups().next().unwrap().lines().last().unwrap();
        assert_eq!(last.to_string(), "host: h");
    }
    // A rule set does not contain the comments and sitemap lines after the last line that belongs to a group.
    let last = copy.groups().last().unwrap().lines().last().unwrap();
    assert_eq!(last.to_string(), "allow: /*/y$");
}

#[test]
fn what_is_no_product_token_follows_nothing() {
    let robots = parse(b"user-agent: *\nallow: /\nuser-agent: mozilla\nallow: /\n");
    for crawler in ["", "*", "Mozilla/5.0 (compatible; a/1.0)", &"a".repeat(257)] {
        let reason = robots.verdict(crawler, "/").reason();
        assert!(matches!(reason, Reason::NotAProductToken(_)), "{crawler}: {reason:?}");
        assert!(!robots.verdict(crawler, "/").is_allowed());
        assert!(!robots.rules_for(crawler).verdict("/").is_allowed());
        assert!(!robots.rules_for(crawler).verdict("/robots.txt").is_allowed());
        assert!(robots.followed_by(crawler).is_none());
    }
}

#[test]
fn a_user_agent_line_names_a_token_or_not() {
    let robots = parse(b"user-agent: a \x01\nuser-agent: Ab/1\n");
    let named = |token: &str| -> Vec<bool> {
        robots.groups().next().unwrap().user_agents().map(|line| line.names(token)).collect()
    };
    assert_eq!((named("ab"), named("a")), (vec![false, true], vec![false, false]));
}

/// Under google-2018, a group may name a prefix of the token that ends before a `-` or `_`.
#[rstest]
#[trace]
#[case::the_longest("a-b-c-d", &[2])]
#[case::a_shorter("a-c", &[1, 5])]
#[case::no_end_of_a_part("ab", &[])]
#[case::nothing_is_no_prefix("-b", &[])]
fn the_longest_named_prefix_is_followed(#[case] token: &str, #[case] rules: &[u32]) {
    let body = "user-agent: a\ndisallow: /1\nuser-agent: a-b\ndisallow: /2\nuser-agent: a-\n\
                disallow: /3\nuser-agent:\ndisallow: /4\nuser-agent: a\ndisallow: /5\n";
    let options = Options::from(Edition::Google2018);
    let robots = RobotsTxt::parse(&LineParser, body, options);
    for at in 1..=5 {
        let verdict = robots.verdict(token, &format!("/{at}"));
        assert_eq!(!verdict.is_allowed(), rules.contains(&at), "/{at}");
    }
}

#[test]
fn each_rule_names_the_user_agent_line_that_selects_it() {
    let body = "user-agent: a\ndisallow: /1\nuser-agent: b\nuser-agent: A\ndisallow: /2\n\
                user-agent: *\ndisallow: /3\nuser-agent: a\ndisallow: /4\n";
    let robots = parse(body.as_bytes());
    let rules = robots.rules_for("a");
    for (url, line) in [("/1", 1), ("/2", 4), ("/3", 1), ("/4", 8)] {
        for verdict in [robots.verdict("a", url), rules.verdict(url)] {
            assert_eq!(verdict.user_agent().unwrap().line().number, line, "{url}");
        }
    }
}

/// The fast comparison, which does not normalise, may reject a rule only if the normal forms differ.
#[rstest]
#[trace]
#[case::encoded_early_plain_later("/%61bcdefgh", "/abcdefgh", true)]
#[case::within_a_triplet("/abcdef%2f", "/abcdef%2F", true)]
#[case::behind_a_percent("/a%c3%a9", "/a%C3%A9", true)]
#[case::at_the_start_of_a_triplet("/abcdef%4a", "/abcdefJ", true)]
#[case::behind_two_percents("/%%e9", "/%%E9", true)]
#[case::behind_a_wildcard("*%61x", "/bax", true)]
#[case::behind_eight_octets("/abcdefghij", "/abcdefghik", false)]
#[case::shorter_than_eight("/abcd", "/abce", false)]
fn values_are_compared_normalised(#[case] value: &str, #[case] path: &str, #[case] matches: bool) {
    let body = format!("user-agent: a\ndisallow: {value}\n");
    let robots = parse(body.as_bytes());
    assert_eq!(!robots.verdict("a", path).is_allowed(), matches);
    assert_eq!(!robots.rules_for("a").verdict(path).is_allowed(), matches);
}

#[test]
fn a_compiled_set_tells_how_much_it_holds() {
    let of = |count: usize, end: &str| {
        let rules: String = (0..count).map(|rule| format!("disallow: /{rule:08}{end}\n")).collect();
        let options = Options::from(Edition::Google2019);
        RobotsTxt::parse(&LineParser, format!("user-agent: a\n{rules}"), options).rules_for("a")
    };
    let (none, some, more) = (of(0, ""), of(1000, ""), of(2000, ""));
    assert_eq!((none.is_empty(), some.is_empty()), (true, false));
    assert_eq!((none.len(), some.len(), more.len()), (0, 1000, 2000));
    assert_eq!(some.edition(), Edition::Google2019);
    // An empty set is small. Each rule adds its line of 20 octets, an entry of the index, a key and a prefix.
    assert!((1..1024).contains(&none.size()), "{}", none.size());
    assert_eq!((more.size() - some.size()) / 1000, 20 + 12 + 8 + 40);
    // The set does not copy the text after a wildcard. The set stores the position of this text, and which octets the
    // text contains.
    let wildcards = (of(2000, "*x").size() - of(1000, "*x").size()) / 1000;
    assert_eq!(wildcards, 22 + 12 + 8 + 40 + 28 + 8);
}
