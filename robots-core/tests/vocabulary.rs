//! Tests the small types of the core: the texts of values and errors, the defaults of traits, and builder methods. Each
//! builder method must set the field that has the name of the method.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use core::time::Duration;

use line_parser::LineParser;
use robots_core::error::NotAQuestion;
use robots_core::fetch::{CachedCopy, Failure, FetchResult, Refresh, Retry, RobotsUrl};
use robots_core::path::PathAndQuery;
use robots_core::syntax::{Grammar, LineNumber, Parser};
use robots_core::{Crawler, Edition, Options, RobotsTxt, RuleKind};
use rstest::rstest;

fn text_of(error: impl core::fmt::Display) -> String {
    error.to_string()
}

#[rstest]
#[trace]
#[case::edition(text_of("rfc".parse::<Edition>().unwrap_err()), "rfc9309")]
#[case::failure(text_of("x".parse::<Retry>().unwrap_err()), "unknown time of a retry; the times are when-stale,")]
#[case::rule(text_of("sitemap".parse::<RuleKind>().unwrap_err()), "unknown kind of rule; the kinds are allow, disallow")]
#[case::token(text_of(Crawler::new(["a b"]).unwrap_err()), "product token")]
#[case::robots_url(text_of(RobotsUrl::parse("x").unwrap_err()), "not the URL of a robots.txt file")]
fn an_error_lists_the_words(#[case] message: String, #[case] expected: &str) {
    assert!(message.contains(expected), "{message}");
}

#[test]
fn what_is_no_question_says_why() {
    let robots = RobotsTxt::parse(&LineParser, "", Options::default());
    let url = robots.try_verdict("examplebot", "x").unwrap_err();
    let token = robots.try_verdict("bot/1.0", "/").unwrap_err();
    let (NotAQuestion::Url(no_url), NotAQuestion::ProductToken(no_token)) = (url, token) else {
        panic!("{url:?}, {token:?}")
    };
    assert_eq!((text_of(url), text_of(token)), (text_of(no_url), text_of(no_token)));
    assert!(text_of(no_url).contains("URL") && text_of(no_token).contains("token"));
}

#[test]
fn words_are_read_as_they_are_written() {
    for failure in Failure::ALL {
        assert_eq!(failure.to_string(), failure.id());
    }
    assert_eq!(
        ("Allow".parse(), "DISALLOW".parse()),
        (Ok(RuleKind::Allow), Ok(RuleKind::Disallow))
    );
}

#[test]
fn numbers_compare_with_integers() {
    assert_eq!((Edition::Rfc9309.limit(), Edition::Google2022.redirects()), (512_000, 5));
    let (first, second) = (LineNumber::FIRST, LineNumber::FIRST.next());
    assert!(first == 1 && first != 2 && second == 2);
    assert_eq!(u32::from(second), 2);
}

#[test]
fn a_builder_sets_what_it_names() {
    let (base, day) = (FetchResult::status(503), Duration::from_secs(86_400));
    assert_eq!(base.after_redirects(3).redirects, 3);
    assert!(base.with_logical_redirect().logical_redirect);
    assert_eq!(base.with_cached_copy(day).cached_copy_age, Some(day));
    assert_eq!(base.unreachable_for(day).unreachable_for, day);
    assert!(base.with_server_errors_for_missing_pages().server_errors_for_missing_pages);
    let copy = CachedCopy::of_age(day).with_max_age(day).failing();
    assert_eq!((copy.age, copy.max_age, copy.refresh), (day, Some(day), Refresh::Failing));
}

#[test]
fn a_parser_without_a_recogniser_derives_nothing() {
    for grammar in [Grammar::Google2018, Grammar::Rfc9309] {
        assert_eq!(LineParser.derives(grammar, b"user-agent: *\n"), None);
    }
}

#[test]
fn lines_tell_how_many_they_are() {
    for (body, count) in [("", 0), ("a\n", 1), ("a\n\nb", 3)] {
        let robots = RobotsTxt::parse(&LineParser, body, Options::default());
        assert_eq!(robots.lines().size_hint(), (count, Some(count)), "{body:?}");
    }
}

#[test]
fn a_path_tells_whether_it_is_that_of_robots_txt() {
    let is_robots_txt = |url| PathAndQuery::parse(url).unwrap().is_robots_txt();
    assert!(is_robots_txt("https://example.com/robots.txt"));
    assert!(!is_robots_txt("https://example.com/robots.txt/x"));
}

#[test]
fn what_is_debugged_tells_its_line() {
    let body = "user-agent: a\nhost: h\nallow: /\n";
    let robots = RobotsTxt::parse(&LineParser, body, Options::default());
    let host = robots.records().nth(1).unwrap();
    assert_eq!((format!("{host:?}"), host.to_string()), ("2: host: h".into(), "host: h".into()));
    let group = robots.followed_by("a").unwrap();
    assert!(format!("{group:?}").contains("allow: /"), "{group:?}");
}

/// `Debug` shows the content of a value.
#[test]
fn values_show_what_they_hold() {
    let body = "user-agent: ExampleBot\ndisallow: /x # why\ncrawl-delay: 1\n";
    let robots = RobotsTxt::parse(&LineParser, body, Edition::Rfc9309.into());
    let group = robots.groups().next().unwrap();
    let (agent, rule) = (group.user_agents().next().unwrap(), group.rules().next().unwrap());
    assert!(agent.names("examplebot") && !agent.names("example") && !agent.names("*"));
    assert_eq!(rule.group().map(|group| group.position()), Some(group.position()));
    let rules = robots.rules_for("examplebot");
    assert!(!rules.is_empty() && robots.rules_for("otherbot").is_empty());
    assert_eq!(rules.edition(), Edition::Rfc9309);
    // The size includes at least the memory for the group's lines.
    assert!((body.len() / 2..4096).contains(&rules.size()), "{}", rules.size());
    let verdict = rules.verdict("/x");
    for shown in
        [format!("{robots:?}"), format!("{group:?}"), format!("{rule:?}"), format!("{verdict:?}")]
    {
        assert!(shown.contains("/x"), "{shown}");
    }
    for shown in [format!("{rules:?}"), format!("{agent:?}"), agent.to_string()] {
        assert!(shown.contains("ExampleBot"), "{shown}");
    }
    assert_eq!((robots.line(LineNumber::FIRST).is_some(), robots.lines().count()), (true, 3));
    let fourth = LineNumber::FIRST.next().next().next();
    assert!(robots.line(fourth).is_none());
}
