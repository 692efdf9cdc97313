//! Tests the findings about example files, with lines from `ScanParser`.
//!
//! A test is a table of files or lines with the expected findings in short form ([`short`]). `finding_texts.rs` tests
//! the texts, and `finding_properties.rs` tests generated files.

use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{Finding, FindingKind, Level, findings, findings_for};
use robots_nom_parser::ScanParser;
use rstest::rstest;

fn parse(body: &[u8], edition: Edition) -> RobotsTxt<&[u8]> {
    RobotsTxt::parse(&ScanParser, body, Options::from(edition))
}

/// Returns a finding in short form: its line, its kind and its octets.
fn short(finding: &Finding<'_>, body: &[u8]) -> String {
    let octets = &body[finding.span().range()];
    format!("{} {} {}", finding.line(), finding.kind(), octets.escape_ascii())
}

fn found(body: &[u8], edition: Edition) -> Vec<String> {
    findings(&parse(body, edition)).map(|finding| short(&finding, body)).collect()
}

/// Common broken files, each with its findings and their fixes.
#[rstest]
#[trace]
#[case::typo(
    "user-agent: *\nDisalow: /x\n",
    "2 misspelt-field Disalow",
    "did you mean `Disallow`?"
)]
#[case::no_colons(
    "user-agent *\ndisallow /x\n",
    "1 no-colon user-agent *|2 no-colon disallow /x",
    "write `User-agent: *`|write `Disallow: /x`"
)]
#[case::rule_before_any_agent(
    "Disallow: /x # why\nUser-agent: *\nDisallow: /y\n",
    "1 rule-before-agent Disallow: /x",
    "write `User-agent: *` before it"
)]
#[case::byte_order_mark(
    "\u{FEFF}user-agent: *\ndisallow: /x\n",
    r"1 byte-order-mark \xef\xbb\xbf",
    "save the file without it"
)]
#[case::html(
    "<!DOCTYPE html>\n<title>Not found: robots.txt</title>\n",
    "1 html-page <!DOCTYPE html>",
    "serve plain text, or answer 404 where there is no robots.txt"
)]
#[case::relative_sitemap(
    "user-agent: *\ndisallow: /x\nSitemap: /sitemap.xml\n",
    "3 relative-sitemap /sitemap.xml",
    "write the whole URL: `https://example.com/sitemap.xml`"
)]
#[case::noindex_and_crawl_delay(
    "user-agent: *\nNoindex: /x\nCrawl-delay: 5\ndisallow: /y\n",
    "2 obsolete-field Noindex|3 extension-field Crawl-delay",
    "allow the page, and put it into a robots meta element or an X-Robots-Tag header|\
     keep it for the crawlers that read it; do not rely on it for others"
)]
#[case::non_ascii(
    "user-agent: *\ndisallow: /café\n",
    r"2 non-ascii /caf\xc3\xa9",
    "write `/caf%C3%A9`"
)]
#[case::leading_star(
    "user-agent: *\nDisallow: *.pdf\n",
    "2 leading-star *.pdf",
    "write `/*.pdf`, which matches the same"
)]
#[case::agents_joined(
    "User-agent: Googlebot, Bingbot\nDisallow: /x\n",
    "1 agents-joined Googlebot, Bingbot",
    "write a user-agent line for each, one below the other"
)]
fn broken_files(#[case] body: &str, #[case] expected: &str, #[case] fixes: &str) {
    for edition in Edition::ALL {
        let robots = parse(body.as_bytes(), *edition);
        let all: Vec<_> = findings(&robots).collect();
        let short: Vec<_> = all.iter().map(|finding| short(finding, body.as_bytes())).collect();
        assert_eq!(short.join("|"), expected, "{edition}");
        let found: Vec<_> = all.iter().map(|finding| finding.fix().to_string()).collect();
        assert_eq!(found.join("|"), fixes, "{edition}");
    }
}

#[test]
fn utf_16_is_one_finding() {
    let text = "user-agent: *\r\ndisallow: /x\r\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for body in
        [[&b"\xFF\xFE"[..], &little].concat(), [&b"\xFE\xFF"[..], &big].concat(), little, big]
    {
        let robots = parse(&body, Edition::default());
        let all: Vec<_> = findings(&robots).collect();
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].kind(), FindingKind::Utf16);
        assert_eq!(all[0].fix().to_string(), "save it as UTF-8, without a byte order mark");
    }
}

#[test]
fn what_lies_beyond_the_limit_is_told() {
    let rules: String = (0..40_000).map(|number| format!("disallow: /{number:05}\n")).collect();
    let body = format!("user-agent: *\n{rules}");
    assert!(body.len() > 500 * 1024);
    let robots = parse(body.as_bytes(), Edition::default());
    let all: Vec<_> = findings(&robots).collect();
    let [finding] = &all[..] else { panic!("{:?}", &all[..3]) };
    assert_eq!((finding.kind(), finding.level()), (FindingKind::Truncated, Level::Error));
    assert_eq!(Some(finding.span().start()), robots.truncated_at());
    assert_eq!(finding.span().end(), body.len());
    assert_eq!(finding.line().get() as usize, robots.lines().count() + 1);
    assert!(finding.fix().to_string().starts_with("keep the file below 500 KiB"));
    let beyond = body.len() - robots.truncated_at().unwrap();
    assert!(finding.to_string().contains(&format!("{beyond} octets")), "{finding}");
    assert_eq!(format!("{finding:?}"), format!("{}@{} truncated", finding.line(), finding.span()));
}

/// Each case is a line after `user-agent: *`, with its finding.
#[rstest]
#[trace]
#[case("x y", "no-colon x y")]
#[case(
    "Sitemap https://example.com/sitemap.xml",
    "no-colon Sitemap https://example.com/sitemap.xml"
)]
#[case("disallow /a:b", "no-colon disallow /a:b")]
#[case("allow all: /", "unknown-field allow all")]
#[case(": /x", "no-field :")]
#[case("dis\x01allow: /x", r"control-in-field dis\x01allow")]
#[case("disallow: /\x01", r"control-in-value /\x01")]
#[case("disallow: /x # \x01", r"control-in-comment # \x01")]
#[case("robots: /x", "unknown-field robots")]
#[case("craw-delay: 5", "unknown-field craw-delay")]
#[case("Host: example.com", "obsolete-field Host")]
#[case("Content-Signal: search=yes", "extension-field Content-Signal")]
#[case("License: https://example.com/l.xml", "extension-field License")]
#[case("https://example.com/sitemap.xml", "bare-url https://example.com/sitemap.xml")]
#[case("disallow: /a disallow: /b", "lines-joined disallow: /b")]
#[case(r"disallow: /a\nallow: /b", "lines-joined allow: /b")]
#[case("disallow: \u{A0}/x", r"odd-space \xc2\xa0/x")]
#[case("\u{FEFF}disallow: /x", r"odd-space \xef\xbb\xbfdisallow")]
#[case("user-agent:", "empty-agent user-agent:")]
#[case(
    "user-agent: Mozilla/5.0 (compatible; examplebot/1.0)",
    "agent-header Mozilla/5.0 (compatible; examplebot/1.0)"
)]
#[case("user-agent: *bot", "agent-names-nobody *bot")]
#[case("user-agent: examplebot/1.0", "agent-suffix /1.0")]
#[case(
    "user-agent: examplebot/1.0 (+https://example.com/)",
    "agent-suffix /1.0 (+https://example.com/)"
)]
#[case("user-agent: bot2", "agent-digits bot2")]
#[case("user-agent: *", "agent-repeated *")]
#[case("allow:", "empty-allow allow:")]
#[case("disallow: https://example.com/x", "absolute-url https://example.com/x")]
#[case("disallow: private/", "no-slash private/")]
#[case("disallow: /a /b", "paths-joined /a /b")]
#[case("disallow: /a b", "raw-space /a b")]
#[case("disallow: /100%", "stray-percent %")]
#[case("disallow: /a$b", "dollar-inside $")]
#[case("disallow: /a*$", "useless-dollar *$")]
#[case("disallow: /(a|b)/[0-9]+", "regular-expression /(a|b)/[0-9]+")]
#[case(r"disallow: /a\b", r"backslash-in-path \\")]
#[case("disallow: /.PDF$", "extension-alone /.PDF$")]
#[case("user-agent: All", "agent-all All")]
#[case("user-agent: SemrushBoth", "misspelt-agent SemrushBoth")]
#[case("user-agent: GTPBot", "misspelt-agent GTPBot")]
#[case("user-agent: Perplexity-Usre", "misspelt-agent Perplexity-Usre")]
#[case("user-agent: __Usage_ai-training", "policy-token __Usage_ai-training")]
#[case("disallow: /a*", "useless-star *")]
#[case("disallow: /a**b", "useless-star *")]
#[case("disallow: /a#b", "hash-in-path #b")]
#[case("disallow: /robots.txt", "robots-txt-rule /robots.txt")]
#[case("disallow: /\u{E9}", r"non-ascii /\xc3\xa9")]
#[case("sitemap:", "empty-sitemap sitemap:")]
#[case(
    "sitemap: https://example.com/a https://example.com/b",
    "sitemaps-joined https://example.com/a https://example.com/b"
)]
fn lines(#[case] line: &str, #[case] expected: &str) {
    let body = format!("user-agent: *\n{line}\n");
    assert_eq!(found(body.as_bytes(), Edition::Rfc9309), [format!("2 {expected}")]);
}

/// The text of a fix states "matches the same" only if the new path matches the same URLs.
#[rstest]
#[trace]
#[case("disallow: *.pdf", "write `/*.pdf`, which matches the same")]
#[case("disallow: **x", "write `/*x`, which matches the same")]
#[case("disallow: *", "write `/`, which matches the same")]
#[case("disallow: */x/", "write two rules, `/x/` and `/*/x/`")]
#[case("disallow: private", "did you mean `/private`?")]
#[case("disallow: ?id=", "did you mean `/*?id=`?")]
#[case("disallow: www.example.com/x", "begin the path with `/`")]
#[case("disallow: https://example.com/x", "write `/x`, in the robots.txt of that host")]
#[case("Sitemap http://example.com/s.xml", "write `Sitemap: http://example.com/s.xml`")]
#[case("sitemap: s.xml", "write the whole URL: `https://example.com/sitemap.xml`")]
#[case("sitemap: /a/s.xml", "write the whole URL: `https://example.com/a/s.xml`")]
#[case(
    "user-agent: Mozilla/5.0 (compatible; examplebot/1.0)",
    "write the product token, `examplebot`"
)]
#[case(
    "user-agent: Mozilla/5.0 (compatible; Two Words)",
    "write the product token that the crawler documents"
)]
#[case("disallow: id=1*", "did you mean `/*id=1*`?")]
#[case("user-agent: bot/1.0", "write `bot`")]
#[case("user-agent: Two Words", "write the product token that the crawler documents")]
fn fixes(#[case] line: &str, #[case] fix: &str) {
    let body = format!("user-agent: *\n{line}\n");
    let robots = parse(body.as_bytes(), Edition::Rfc9309);
    let mut fixes = findings(&robots).map(|finding| finding.fix().to_string());
    assert!(fixes.any(|found| found == fix), "{fix}");
}

/// A useless star at the end of a rule may still change a verdict, because the longer rule wins.
#[rstest]
#[trace]
#[case("allow: /\ndisallow: /*", true)]
#[case("allow: /a\ndisallow: /a*", true)]
#[case("disallow: /ab\nallow: /a*", true)]
#[case("disallow: /a*$\nallow: /ab", true)]
#[case("allow: /b\ndisallow: /a*", false)]
#[case("allow: /abc\ndisallow: /a*", false)]
#[case("disallow: /a\ndisallow: /b*", false)]
#[case::a_tie_is_no_longer_won("disallow: /ab\nallow: /a*", true)]
#[case::a_tie_of_three_is_won("disallow: /abc\nallow: /a**", true)]
#[case::a_tie_is_lost_anyway("allow: /ab\ndisallow: /a*", false)]
#[case::a_tie_is_won_all_the_same("disallow: /a\nallow: /a*", false)]
fn a_star_that_may_decide_is_not_left_out(#[case] rules: &str, #[case] decides: bool) {
    let body = format!("user-agent: *\n{rules}\n");
    let robots = parse(body.as_bytes(), Edition::Rfc9309);
    let is_star = |finding: &Finding<'_>| {
        matches!(finding.kind(), FindingKind::UselessStar | FindingKind::UselessDollar)
    };
    let finding = findings(&robots).find(is_star).unwrap();
    let (fix, replacement) = (finding.fix().to_string(), finding.replacement());
    assert!(fix.starts_with("leave it out"), "{fix}");
    assert_eq!(fix.contains("by its length"), decides, "{fix}");
    assert_eq!(replacement.is_none(), decides);
}

/// A slash that the edition assumes is a part of the length of a rule.
#[rstest]
#[trace]
#[case("allow: /ab\ndisallow: ab*", true)]
#[case("allow: /abc\ndisallow: ab*", false)]
fn a_star_behind_an_assumed_slash_may_decide(#[case] rules: &str, #[case] decides: bool) {
    let body = format!("user-agent: *\n{rules}\n");
    let robots = parse(body.as_bytes(), Edition::Google2018);
    let finding = findings(&robots).find(|it| it.kind() == FindingKind::UselessStar).unwrap();
    assert_eq!(finding.fix().to_string().contains("by its length"), decides);
}

#[test]
fn what_a_line_holds_is_pointed_at() {
    assert_eq!(
        found(b"# a\xFFb\xE9\n# \xE9", Edition::default()),
        [r"1 invalid-utf8 \xff", r"2 invalid-utf8 \xe9",]
    );
    assert_eq!(
        found(b"user-agent: *\n  disallow /x # y\n", Edition::default()),
        ["2 no-colon disallow /x"]
    );
    let long = |len: usize| format!("#{}\n", "x".repeat(len - 1));
    assert!(found(long(16_663).as_bytes(), Edition::default()).is_empty());
    assert_eq!(found(long(16_666).as_bytes(), Edition::default()), ["1 long-line xxx"]);
}

#[test]
fn a_rule_that_says_nothing_new_names_the_other() {
    let body = b"user-agent: *\ndisallow: /x\ndisallow: /x/y\n";
    let robots = parse(body, Edition::Rfc9309);
    let finding = findings(&robots).next().unwrap();
    let (line, span) = finding.other().unwrap();
    assert_eq!((line.get(), &body[span.range()]), (2, &b"disallow: /x"[..]));
}

/// A slash before the only leading star makes the rule one octet longer. A slash and one star in place of three stars
/// make it shorter. The longer rule wins.
#[rstest]
#[trace]
#[case::a_tie_that_would_be_won("allow: /*.css\ndisallow: *poisk", true)]
#[case::a_tie_that_would_be_lost("disallow: /*.css\nallow: *poisk", false)]
#[case::a_longer_one_that_would_lose("disallow: /*.html\nallow: *poisk", true)]
#[case::one_longer_by_two("disallow: /*.html5\nallow: *poisk", false)]
#[case::much_shorter("allow: /*.x\ndisallow: *poisk", false)]
#[case::two_stars("allow: /*.html\ndisallow: **poisk", false)]
#[case::three_stars_that_win("allow: /*.html\ndisallow: ***poisk", true)]
#[case::three_stars_that_lose("allow: /*.html5\nallow: /*.html5x\ndisallow: ***poisk", false)]
fn a_leading_star_gets_no_slash_where_that_may_decide(#[case] rules: &str, #[case] decides: bool) {
    let body = format!("user-agent: *\n{rules}\n");
    let robots = parse(body.as_bytes(), Edition::Rfc9309);
    let finding = findings(&robots).find(|it| it.kind() == FindingKind::LeadingStar).unwrap();
    let fix = finding.fix().to_string();
    assert!(fix.starts_with("write `/*poisk`, which matches the same"), "{fix}");
    assert_eq!(fix.contains("by its length"), decides, "{fix}");
    assert_eq!(finding.replacement().is_none(), decides);
}

#[test]
fn a_rule_of_another_host_is_not_put_in_place() {
    let body = "user-agent: *\ndisallow: https://other.example/x\n";
    let robots = parse(body.as_bytes(), Edition::Rfc9309);
    let finding = findings(&robots).next().unwrap();
    assert_eq!(finding.fix().to_string(), "write `/x`, in the robots.txt of that host");
    assert_eq!(finding.replacement(), None);
}

#[test]
fn a_header_names_no_group_again() {
    let body = "user-agent: Mozilla/4.0 (compatible; a/1)\ndisallow: /x\n\
        user-agent: Mozilla/5.0 (compatible; b/1)\ndisallow: /x\n";
    let robots = parse(body.as_bytes(), Edition::Rfc9309);
    let kinds: Vec<_> = findings(&robots).map(|finding| finding.kind()).collect();
    assert_eq!(kinds, [FindingKind::AgentHeader; 2]);
}

/// Lines without a problem.
#[rstest]
#[trace]
#[case("disallow:")]
#[case("user-agent: MJ12bot")]
#[case("user-agent: Mail.RU_Bot")]
#[case("user-agent: Y!J-SRD")]
#[case("user-agent: semrushbot")]
#[case::two_letters_of_a_short_name("user-agent: Discobot")]
#[case::a_crawler_with_a_similar_name("user-agent: Pingbot")]
#[case("disallow: /index.*x")]
#[case("disallow: /.git")]
#[case("disallow: /.env$")]
#[case("disallow: /Mercury_(planet)?x=")]
#[case("Disallow : /a/*/b$ # why")]
#[case("disallow: /a,/b")]
#[case("disallow: /x?y=%C3%A9&z=a:b")]
#[case("allow: /")]
#[case("sitemap: https://example.com/sitemap.xml")]
#[case("user-agent: a-b_c")]
#[case("# anything: at \u{E9} all")]
#[case("")]
fn nothing_is_amiss(#[case] line: &str) {
    for edition in Edition::ALL {
        let body = format!("user-agent: *\n{line}\n");
        assert_eq!(found(body.as_bytes(), *edition), [""; 0], "{edition}");
    }
}

/// Findings that depend on several lines.
#[rstest]
#[trace]
#[case::run_on("user-agent: a\ncrawl-delay: 5\n\nuser-agent: b\ndisallow: /x\n",
    &["2 extension-field crawl-delay", "4 agents-run-on user-agent: b"])]
#[case::no_run_on("user-agent: a\n# and\nuser-agent: b\ndisallow: /x\n", &[])]
#[case::two_groups("user-agent: a\ndisallow: /x\nuser-agent: A\ndisallow: /y\n",
    &["3 group-repeated A"])]
#[case::empty_beside_rules("user-agent: *\ndisallow:\ndisallow: /x\n", &["2 empty-disallow disallow:"])]
#[case::the_same_twice("user-agent: *\ndisallow: /x\ndisallow: /x\n",
    &["3 redundant-rule disallow: /x"])]
#[case::said_by_a_shorter("user-agent: *\ndisallow: /x\ndisallow: /x/y\n",
    &["3 redundant-rule disallow: /x/y"])]
#[case::an_exception_between("user-agent: *\ndisallow: /x\nallow: /x/y\ndisallow: /x/y/z\n", &[])]
#[case::a_wildcard_between("user-agent: *\ndisallow: /x\nallow: /x*y\ndisallow: /x/y/z\n", &[])]
#[case::a_wildcard_that_is_longer("user-agent: *\ndisallow: /x\nallow: /x/*/z/end\ndisallow: /x/y\n",
    &["4 redundant-rule disallow: /x/y"])]
#[case::allow_wins("user-agent: *\nallow: /x\ndisallow: /x\ndisallow: /y\n",
    &["3 overridden-rule disallow: /x"])]
#[case::nothing_to_except("user-agent: *\nallow: /x\ndisallow: /y\n", &["2 redundant-rule allow: /x"])]
#[case::the_idiom_that_allows_all("user-agent: a\nallow: /\nuser-agent: *\ndisallow: /x\n", &[])]
#[case::a_list_of_who_may("user-agent: a\nallow: /\nuser-agent: *\ndisallow: /\n",
    &["4 search-engine-blocked disallow: /"])]
#[case::everything("user-agent: *\ndisallow: /\n", &["2 everything-blocked disallow: /"])]
#[case::everything_by_name("user-agent: a\ndisallow: /\n\nuser-agent: *\ndisallow: /*\nallow: /robots.txt$\n",
    &["5 everything-blocked disallow: /*", "5 useless-star *"])]
#[case::one_page_is_open("user-agent: *\ndisallow: /\nallow: /$\n", &[])]
#[case::one_directory_is_open("user-agent: *\ndisallow: /\nallow: /public/*.html$\n", &[])]
#[case::one_search_engine("user-agent: googlebot\ndisallow: /\n\nuser-agent: *\ndisallow: /x\n",
    &["2 search-engine-blocked disallow: /"])]
#[case::in_merged_groups("user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /x/y\ndisallow: /z\n",
    &["3 group-repeated a", "4 redundant-rule disallow: /x/y"])]
#[case::contradicted_in_another_group(
    "user-agent: a\ndisallow: /x\ndisallow: /x/y/z\nuser-agent: a\nallow: /x/y\n",
    &["4 group-repeated a"])]
#[case::overlapping_groups(
    "user-agent: a\nuser-agent: b\ndisallow: /x\ndisallow: /x/y\nuser-agent: a\nallow: /z\n",
    &["5 group-repeated a"])]
#[case::in_groups_of_others("user-agent: a\ndisallow: /x\ndisallow: /x/y\nuser-agent: b\ndisallow: /x\n",
    &["3 redundant-rule disallow: /x/y"])]
#[case::the_shorter_is_anchored("user-agent: *\ndisallow: /x$\ndisallow: /x/y\n", &[])]
#[case::the_shorter_has_a_wildcard("user-agent: *\ndisallow: /x*y\ndisallow: /x*y/z\n", &[])]
#[case::the_shorter_has_a_useless_star("user-agent: *\ndisallow: /x*\ndisallow: /x/y\n",
    &["2 useless-star *"])]
#[case::as_long_as_the_shorter("user-agent: *\ndisallow: /x\nallow: /$\ndisallow: /x/y\n", &[])]
#[case::rules_for_the_star_are_lost("user-agent: *\ndisallow: /x\nuser-agent: googlebot\nallow: /\n",
    &["3 star-rules-lost googlebot"])]
#[case::lost_because_all_is_allowed("user-agent: *\ndisallow: /*?x=\nuser-agent: bingbot\ndisallow:\n",
    &["3 star-rules-lost bingbot"])]
#[case::lost_for_two("user-agent: Googlebot\nuser-agent: Bingbot\ndisallow: /y\nuser-agent: *\ndisallow: /x\n",
    &["1 star-rules-lost Googlebot", "2 star-rules-lost Bingbot"])]
#[case::one_rule_is_repeated("user-agent: *\ndisallow: /x\ndisallow: /y\nuser-agent: googlebot\ndisallow: /x\n",
    &["4 star-rules-replaced googlebot"])]
#[case::the_star_closes_everything("user-agent: *\ndisallow: /\nallow: /z\nuser-agent: googlebot\ndisallow: /x\n",
    &["4 star-rules-replaced googlebot"])]
#[case::every_rule_is_repeated("user-agent: *\ndisallow: /x\nuser-agent: googlebot\ndisallow: /y\ndisallow: /x\n", &[])]
#[case::a_shorter_rule_closes_more("user-agent: *\ndisallow: /x/y\nuser-agent: googlebot\ndisallow: /x\n", &[])]
#[case::the_star_closes_nothing("user-agent: *\ndisallow:\nuser-agent: googlebot\ndisallow: /x\n", &[])]
#[case::lost_for_a_delay("user-agent: *\ndisallow: /x\nuser-agent: Slurp\ncrawl-delay: 5\n",
    &["3 star-rules-lost Slurp", "4 extension-field crawl-delay"])]
#[case::another_search_engine_is_blocked("user-agent: Slurp\ndisallow: /\n", &[])]
#[case::the_signal_for_all_is_lost(
    "user-agent: *\ncontent-signal: ai-train=no\nallow: /\nuser-agent: a\nuser-agent: b\ndisallow: /x\nuser-agent: b\nallow: /\n",
    &["2 extension-field content-signal", "4 signal-lost a", "7 group-repeated b"])]
#[case::a_signal_of_its_own(
    "user-agent: *\ncontent-signal: search=yes\nallow: /\nuser-agent: a\ndisallow: /x\nuser-agent: A\ncontent-signal: search=no\nallow: /y\n",
    &["2 extension-field content-signal", "6 group-repeated A", "7 extension-field content-signal"])]
#[case::no_content_for_the_signal(
    "user-agent: *\ncontent-signal: ai-train=no\nallow: /\nuser-agent: a\ndisallow: /\nuser-agent: __usage_ai-training\nallow: /\n",
    &["2 extension-field content-signal", "2 preference-contradicted content-signal: ai-train=no", "6 policy-token __usage_ai-training"])]
#[case::a_policy_token_of_one_path(
    "user-agent: *\ncontent-usage: train-ai=y\ncontent-usage: /x/ train-ai=y\nallow: /\nuser-agent: __usage_ai-training\ndisallow: /x/\n",
    &["2 extension-field content-usage", "3 extension-field content-usage", "3 preference-contradicted content-usage: /x/ train-ai=y",
      "5 policy-token __usage_ai-training"])]
#[case::an_exception_for_one_crawler(
    "user-agent: a\ncontent-usage: train-ai=y\nallow: /\nuser-agent: *\ncontent-usage: train-ai=n\nallow: /\nuser-agent: __usage_ai-training\ndisallow: /\n",
    &["2 extension-field content-usage", "5 extension-field content-usage", "7 policy-token __usage_ai-training"])]
#[case::no_group_for_the_policy_token("user-agent: *\ncontent-usage: train-ai=y\ndisallow: /x\n", &["2 extension-field content-usage"])]
#[case::some_content_for_the_signal(
    "user-agent: *\ncontent-signal: ai-train=no\nallow: /\nuser-agent: a\nallow: /x\ndisallow: /\n",
    &["2 extension-field content-signal", "4 signal-lost a"])]
#[case::a_line_for_the_policy_token(
    "user-agent: __usage_ai-training\ncontent-usage: train-ai=y\ndisallow: /\n",
    &["1 policy-token __usage_ai-training", "2 extension-field content-usage", "2 preference-not-crawled content-usage: train-ai=y",
      "2 preference-contradicted content-usage: train-ai=y"])]
#[case::the_last_preference_counts(
    "user-agent: *\ncontent-usage: train-ai=n, train-ai=y\ncontent-signal: AI-Train=no, AI-Train=YES\nallow: /\nuser-agent: __usage_ai-training\ndisallow: /\n",
    &["2 extension-field content-usage", "2 preference-contradicted content-usage: train-ai=n, train-ai=y",
      "3 extension-field content-signal", "3 preference-contradicted content-signal: AI-Train=no, AI-Train=YES",
      "5 policy-token __usage_ai-training"])]
#[case::another_value_is_no_preference(
    "user-agent: *\ncontent-usage: train-ai=x\ncontent-signal: ai-train=x\nallow: /\nuser-agent: __usage_ai-training\ndisallow: /\n",
    &["2 extension-field content-usage", "2 usage-value train-ai=x", "3 extension-field content-signal", "3 signal-value ai-train=x",
      "5 policy-token __usage_ai-training"])]
#[case::the_opposite_value_is_no_preference(
    "user-agent: *\ncontent-signal: ai-train=x\nallow: /\nuser-agent: __usage_ai-training\nallow: /\n",
    &["2 extension-field content-signal", "2 signal-value ai-train=x", "4 policy-token __usage_ai-training"])]
#[case::no_search_engine("user-agent: *\ndisallow: /x\nuser-agent: examplebot\nallow: /\n", &[])]
fn across_lines(#[case] body: &str, #[case] expected: &[&str]) {
    assert_eq!(found(body.as_bytes(), Edition::Google2022), expected);
}

/// The meaning of a line under an edition decides which finding the line has.
#[rstest]
#[trace]
#[case("disallow: x", Edition::Google2018, "slash-assumed x")]
#[case("disallow: x", Edition::Google2022, "no-slash x")]
fn editions_differ(#[case] line: &str, #[case] edition: Edition, #[case] expected: &str) {
    let body = format!("user-agent: *\n{line}\n");
    let found = found(body.as_bytes(), edition);
    assert_eq!(found[0], format!("2 {expected}"));
}

/// A finding cites the section of the edition, or of the newest edition that states the requirement.
#[rstest]
#[trace]
#[case("disallow: x", Edition::Google2019, "RULE-ROOT", "google-2019, \"Group-member rules\"")]
#[case("disallow: x", Edition::Rfc9309, "RULE-ROOT", "rfc9309, 2.2.2")]
#[case("sitemap: x", Edition::Rfc9309, "SITEMAP-ABSOLUTE", "google-2022, \"Syntax, sitemap\"")]
#[case("user-agent: bot2", Edition::Google2018, "AGENT-TOKEN", "rfc9309, 2.2.1")]
fn sources(
    #[case] line: &str,
    #[case] edition: Edition,
    #[case] requirement: &str,
    #[case] expected: &str,
) {
    let body = format!("user-agent: *\n{line}\n");
    let robots = parse(body.as_bytes(), edition);
    let finding = findings(&robots).next().unwrap();
    let source = finding.source().unwrap();
    assert_eq!((source.requirement(), &source.to_string()[..]), (requirement, expected));
    let section = expected.split_once(", ").unwrap().1;
    assert_eq!(source.section(), section.trim_matches('"'));
}

#[test]
fn findings_show_what_is_left_of_them() {
    let robots = parse(b"user-agent: *\ndisalow: /x\n", Edition::Rfc9309);
    let mut findings = findings(&robots);
    let first = findings.clone().next().unwrap();
    assert_eq!(format!("{findings:?}"), format!("[{first:?}]"));
    findings.next();
    assert_eq!(format!("{findings:?}"), "[]");
}

/// [`findings_for`] returns only findings that could explain the answer.
#[rstest]
#[trace]
#[case("user-agent: *\ndisalow: /x\ndisalow: /y\n", "a", "/x/1", &["2 misspelt-field disalow"])]
#[case("user-agent: a, b\ndisallow: /x\n", "b", "/x", &["1 agents-joined a, b"])]
#[case("user-agent: a, b\ndisallow: /x\n", "c", "/x", &[])]
#[case("useragent: b\ndisallow: /x\n", "b", "/x",
    &["1 misspelt-field useragent", "2 rule-before-agent disallow: /x"])]
#[case("user-agent: *\ndisallow: https://example.com/x\n", "a", "https://example.com/x",
    &["2 absolute-url https://example.com/x"])]
#[case("user-agent: *\ndisallow: https://example.com/x\n", "a", "/y", &[])]
#[case("user-agent: *\ndisallow: *.pdf\ncrawl-delay: 5\n", "a", "/y.pdf", &["2 leading-star *.pdf"])]
#[case("user-agent: *\ndisallow: x\n", "a", "/x", &["2 no-slash x"])]
#[case("user-agent: b\ndisallow: x\n", "a", "/x", &[])]
#[case::the_whole_file("<!DOCTYPE html>\n", "a", "/", &["1 html-page <!DOCTYPE html>"])]
#[case::a_mark_at_the_start("\u{FEFF}user-agent: *\ndisallow: /x\n", "b", "/y",
    &[r"1 byte-order-mark \xef\xbb\xbf"])]
#[case::a_header("user-agent: Mozilla/5.0 (compatible; bot/1.0)\ndisallow: /x\n", "bot", "/x",
    &["1 agent-header Mozilla/5.0 (compatible; bot/1.0)"])]
#[case::the_header_of_another("user-agent: Mozilla/5.0 (compatible; bot/1.0)\ndisallow: /x\n",
    "b", "/x", &[])]
#[case::the_first_of_those_joined("user-agent: a, b\ndisallow: /x\n", "a", "/x",
    &["1 agents-joined a, b"])]
#[case::joined_with_others("user-agent: a\nuser-agent: b, c\ndisallow: /x\n", "a", "/x", &[])]
#[case::a_word_of_a_header("user-agent: a, Mozilla/5.0 (compatible; bot/1.0)\ndisallow: /x\n",
    "compatible", "/x", &[])]
#[case::an_odd_space("user-agent: a\n\u{A0}disallow: /x\n", "a", "/x", &[r"2 odd-space \xc2\xa0disallow"])]
#[case::a_suffix("user-agent: a/1\ndisallow: /x\nuser-agent: b/1\ndisallow: /x\n", "a", "/y",
    &["1 agent-suffix /1"])]
#[case::a_suffix_of_another_of_the_group("user-agent: a\nuser-agent: b/1\ndisallow: /x\n", "a", "/y",
    &[])]
#[case::a_suffix_of_a_star_in_a_group("user-agent: a\nuser-agent: b*\ndisallow: /x\n", "a", "/y",
    &["2 agent-suffix *"])]
#[case::behind_a_carriage_return("user-agent: a\r/x y\r", "a", "/x", &["2 no-colon /x y"])]
#[case::the_line_behind_the_group("user-agent: a\ndisallow: /x\nuser-agent: b*\ndisallow: /y\n",
    "a", "/y", &[])]
#[case::digits("user-agent: a1\ndisallow: /x\n", "a1", "/y", &["1 agent-digits a1"])]
#[case::a_group_that_is_repeated("user-agent: a\ndisallow: /x\nuser-agent: a\ndisallow: /y\n", "a", "/z",
    &["3 group-repeated a"])]
#[case::no_colon_and_one_in_the_path("user-agent: a\ndisallow /x:y\n", "a", "/x:y",
    &["2 no-colon disallow /x:y"])]
#[case::no_colon_and_no_match("user-agent: a\ndisallow /x:/y\n", "a", "/y", &[])]
#[case::without_a_space("user-agent: a\ndisalow:/x\n", "a", "/x", &["2 misspelt-field disalow"])]
#[case::the_colon_is_none_of_the_path("user-agent: a\ndisalow:/x\n", "a", "/y", &[])]
#[case::a_comment_matches_nothing("user-agent: a\ndisalow: /x # /y\n", "a", "/y", &[])]
#[case::the_line_before_matches_nothing("user-agent: a\nallow: /y\ndisalow: /x\n", "a", "/y", &[])]
#[case::in_force_and_decides("user-agent: a\nallow: /é\nallow: /ü\n", "a", "/é",
    &[r"2 non-ascii /\xc3\xa9"])]
#[case::no_url("user-agent: a\ndisalow: /\ndisallow: *x\n", "a", "x", &[])]
#[case::no_crawler("user-agent: *\ndisalow: /\n<p>\n", "a b", "/", &[])]
fn what_bears_on_an_answer(
    #[case] body: &str,
    #[case] agent: &str,
    #[case] url: &str,
    #[case] expected: &[&str],
) {
    let robots = parse(body.as_bytes(), Edition::default());
    let findings = findings_for(&robots, agent, url);
    let short: Vec<_> = findings.iter().map(|finding| short(finding, body.as_bytes())).collect();
    assert_eq!(short, expected);
}
