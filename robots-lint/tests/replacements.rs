//! Tests the replacements of findings. A case has a line with a mistake, and the same line after its first finding was
//! fixed ([`fixed`]). The lines come from `ScanParser`.

use robots_core::{Edition, Options, RobotsTxt};
use robots_lint::{FindingKind, findings};
use robots_nom_parser::ScanParser;
use rstest::rstest;

/// Puts a line after a user-agent line, and fixes the line's first finding. Returns the kind of this finding and the
/// fixed line. Returns `None` if the finding has no replacement.
fn fixed(line: &str) -> Option<(FindingKind, String)> {
    let body = format!("user-agent: *\n{line}\n");
    let robots = RobotsTxt::parse(&ScanParser, &body, Options::from(Edition::Rfc9309));
    let finding = findings(&robots).next().unwrap();
    let text = finding.replacement()?;
    let (before, behind) = (&body[..finding.span().start()], &body[finding.span().end()..]);
    let whole = format!("{before}{text}{behind}");
    Some((finding.kind(), whole["user-agent: *\n".len()..].trim_end().to_owned()))
}

#[rstest]
#[trace]
#[case::misspelt("Disalow: /x", "misspelt-field", "Disallow: /x")]
#[case::no_colon("disallow /x", "no-colon", "Disallow: /x")]
#[case::equals_sign("disallow = /x # y", "no-colon", "Disallow: /x # y")]
#[case::odd_space("disallow: \u{A0}/x", "odd-space", "disallow: /x")]
#[case::a_url_alone("https://example.com/s.xml", "bare-url", "Sitemap: https://example.com/s.xml")]
#[case::two_lines("disallow: /x allow: /y", "lines-joined", "disallow: /x \nallow: /y")]
#[case::a_version("user-agent: a/1.0", "agent-suffix", "user-agent: a")]
#[case::a_star_behind_a_name("user-agent: a*", "agent-suffix", "user-agent: a")]
#[case::a_header(
    "user-agent: Mozilla/5.0 (compatible; bot/1.0)",
    "agent-header",
    "user-agent: bot"
)]
#[case::two_agents("user-agent: a, b", "agents-joined", "user-agent: a\nUser-agent: b")]
#[case::two_paths("disallow: /x, /y", "paths-joined", "disallow: /x\nDisallow: /y")]
#[case::two_paths_of_an_allow("allow: /x /y", "paths-joined", "allow: /x\nAllow: /y")]
#[case::no_slash("disallow: x/y", "no-slash", "disallow: /x/y")]
#[case::a_dot_and_a_slash("disallow: ./x", "no-slash", "disallow: /x")]
#[case::an_extension("disallow: .pdf", "no-slash", "disallow: /*.pdf")]
#[case::a_query("disallow: ?id", "no-slash", "disallow: /*?id")]
#[case::a_part_of_a_query("disallow: id=1", "no-slash", "disallow: /*id=1")]
#[case::an_underscore("disallow: _x", "no-slash", "disallow: /_x")]
#[case::one_dot("disallow: x.y/z", "no-slash", "disallow: /x.y/z")]
#[case::dots_behind_a_slash("disallow: x/a.b.c", "no-slash", "disallow: /x/a.b.c")]
#[case::dots_and_no_slash("disallow: a.b.c", "no-slash", "disallow: /a.b.c")]
#[case::a_leading_star("disallow: *.pdf", "leading-star", "disallow: /*.pdf")]
#[case::two_leading_stars("disallow: **x", "leading-star", "disallow: /*x")]
#[case::a_space("disallow: /a b\tc", "raw-space", "disallow: /a%20b%09c")]
#[case::letters_beyond_ascii("disallow: /a é", "raw-space", "disallow: /a%20é")]
#[case::not_ascii("disallow: /é", "non-ascii", "disallow: /%C3%A9")]
#[case::a_percent("disallow: /a%b", "stray-percent", "disallow: /a%25b")]
#[case::a_percent_before_one_digit("disallow: /%4g", "stray-percent", "disallow: /%254g")]
#[case::a_dollar("disallow: /a$b", "dollar-inside", "disallow: /a%24b")]
#[case::a_useless_dollar("disallow: /a*$", "useless-dollar", "disallow: /a")]
#[case::a_useless_star("disallow: /a*", "useless-star", "disallow: /a")]
fn what_is_put_in_place(#[case] line: &str, #[case] kind: &str, #[case] expected: &str) {
    let (found, line) = fixed(line).unwrap();
    assert_eq!((found.name(), &line[..]), (kind, expected));
}

#[rstest]
#[trace]
#[case::a_second_word("user-agent: two words")]
#[case::a_host("disallow: www.example.com/x")]
#[case::another_host("disallow: https://other.example/x")]
#[case::a_letter_beyond_ascii("disallow: éx")]
#[case::a_star_before_a_slash("disallow: */x")]
#[case::a_product_of_two_words("user-agent: Mozilla/5.0 (compatible; two words)")]
#[case::an_unknown_field("foobar: x")]
fn what_is_for_the_author_to_say(#[case] line: &str) {
    assert_eq!(fixed(line), None);
}
