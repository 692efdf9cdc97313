//! Tests which constructs of a file are found, and where. The lines come from `ScanParser`. A test is a table of files
//! with their constructs in short form ([`used`]).

use robots_core::{Options, RobotsTxt};
use robots_lint::{Construct, constructs};
use robots_nom_parser::ScanParser;
use rstest::rstest;

/// Returns the constructs of a file in short form: line, name and octets.
fn used(body: &str) -> String {
    let robots = RobotsTxt::parse(&ScanParser, body, Options::default());
    let short = |(construct, line, span): (Construct, _, robots_core::syntax::Span)| {
        format!("{line} {construct} {}", body.as_bytes()[span.range()].escape_ascii())
    };
    constructs(&robots).map(short).collect::<Vec<_>>().join("|")
}

#[rstest]
#[trace]
#[case::nothing("user-agent: *\ndisallow: /a\n", "")]
#[case::allow("user-agent: *\nallow: /a\n", "2 allow allow: /a")]
#[case::allow_without_a_group("allow: /a\n", "1 allow allow: /a")]
#[case::both_kinds(
    "user-agent: *\ndisallow: /a\nallow: /b\ndisallow: /c\n",
    "3 allow allow: /b|3 allow-and-disallow allow: /b|4 allow-and-disallow disallow: /c"
)]
#[case::both_kinds_in_two_groups(
    "user-agent: a\nallow: /b\nuser-agent: b\ndisallow: /c\n",
    "2 allow allow: /b"
)]
#[case::an_empty_allow_is_no_allow("user-agent: a\nallow:\ndisallow: /c\n", "2 empty-path allow:")]
#[case::wildcard("user-agent: *\ndisallow: /a*b*c\n", "2 wildcard *")]
#[case::stars_at_the_ends(
    "user-agent: *\ndisallow: *a\ndisallow: /a**\ndisallow: /*$\n",
    "4 end-anchor $"
)]
#[case::wildcard_before_an_anchor(
    "user-agent: *\ndisallow: /*.gif$\n",
    "2 wildcard *|2 end-anchor $"
)]
#[case::dollar_inside("user-agent: *\ndisallow: /a$b\n", "")]
#[case::query("user-agent: *\ndisallow: /a?b?c\n", "2 query ?")]
#[case::triplet("user-agent: *\ndisallow: /a%2%g1%41%42\n", "2 percent-encoding %")]
#[case::no_triplet("user-agent: *\ndisallow: /%4\ndisallow: /b%g4\ndisallow: /%4g\n", "")]
#[case::several_agents(
    "user-agent: a\nuser-agent: b\ndisallow: /\n",
    "2 several-agents user-agent: b"
)]
#[case::named_and_global(
    "user-agent: a\ndisallow: /a\nuser-agent: *\ndisallow: /b\n",
    "3 named-and-global user-agent: *"
)]
#[case::global_and_named(
    "user-agent: *\ndisallow: /a\nuser-agent: a\ndisallow: /b\n",
    "3 named-and-global user-agent: a"
)]
#[case::two_named("user-agent: a\ndisallow: /a\nuser-agent: b\ndisallow: /b\n", "")]
#[case::two_global("user-agent: *\ndisallow: /a\nuser-agent: *\ndisallow: /b\n", "")]
#[case::two_global_and_one_named(
    "user-agent: *\ndisallow: /a\nuser-agent: *\ndisallow: /b\nuser-agent: a\ndisallow: /c\n",
    "5 named-and-global user-agent: a"
)]
#[case::two_named_and_one_global(
    "user-agent: a\ndisallow: /a\nuser-agent: b\ndisallow: /b\nuser-agent: *\ndisallow: /c\n",
    "5 named-and-global user-agent: *"
)]
#[case::an_empty_agent_is_neither("user-agent: *\ndisallow: /a\nuser-agent:\ndisallow: /b\n", "")]
#[case::blank(
    "\nuser-agent: a\n\ndisallow: /a\n\nuser-agent: b\ndisallow: /b\n\n",
    "4 blank-in-group disallow: /a"
)]
#[case::blank_between_agents(
    "user-agent: a\n\nuser-agent: b\ndisallow: /b\n",
    "3 several-agents user-agent: b|3 blank-in-group user-agent: b"
)]
#[case::comment(
    "# a\nuser-agent: a\ndisallow: /a\n# b\ndisallow: /b\n# c\n",
    "5 comment-in-group disallow: /b"
)]
#[case::another_field(
    "host: a\nuser-agent: a\nsitemap: https://e/\ndisallow: /a\nx: b\nno colon\ndisallow: /b\nhost: b\n",
    "4 field-in-group disallow: /a|7 field-in-group disallow: /b"
)]
#[case::what_stood_before_is_of_the_group_before(
    "user-agent: a\ndisallow: /a\n\n# a\nx: y\nuser-agent: b\ndisallow: /b\n",
    ""
)]
#[case::comment_behind_a_value("user-agent: a\ndisallow: /a # b\n", "2 comment-behind-value # b")]
#[case::field_case("User-Agent: a\nDisallow: /a\nDISALLOW: /b\n", "3 field-case DISALLOW")]
#[case::field_case_of_agents(
    "User-agent: a\nuser-Agent: b\ndisallow: /a\n",
    "2 several-agents user-Agent: b|2 field-case user-Agent"
)]
#[case::the_case_of_other_fields_is_theirs("user-agent: a\ndisallow: /a\nCrawl-Delay: 3\n", "")]
#[case::indented("user-agent: a\n disallow: /a\n", "2 indented  disallow: /a")]
#[case::space_before_the_colon(
    "user-agent: a\ndisallow : /a\n",
    "2 space-before-colon disallow : /a"
)]
#[case::space_behind_the_colon(
    "user-agent:a\ndisallow:\t/a\ndisallow:  /b\ndisallow: \n",
    "1 space-behind-colon user-agent:a|2 space-behind-colon disallow:\\t/a|\
     3 space-behind-colon disallow:  /b|4 empty-path disallow: "
)]
#[case::trailing_space(
    "user-agent: a\ndisallow: /a \ndisallow: /b\t\ndisallow: /c #\n",
    "2 trailing-space disallow: /a |3 trailing-space disallow: /b\\t|4 comment-behind-value #"
)]
#[case::carriage_returns("user-agent: a\rdisallow: /a\r\n", "1 carriage-return user-agent: a")]
#[case::no_final_line_ending("user-agent: a\ndisallow: /a", "2 no-final-line-ending disallow: /a")]
#[case::an_empty_file("", "")]
fn what_a_file_uses(#[case] body: &str, #[case] expected: &str) {
    assert_eq!(used(body), expected);
}

#[test]
fn constructs_are_read_as_they_are_written() {
    for construct in Construct::ALL {
        assert_eq!(construct.to_string().parse(), Ok(*construct));
        assert!(!construct.says().is_empty());
    }
    let unknown = "wild".parse::<Construct>().unwrap_err().to_string();
    assert!(
        unknown.starts_with("unknown construct; the constructs are allow, allow-and-disallow, ")
    );
    assert!(unknown.ends_with(", no-final-line-ending"), "{unknown}");
}
