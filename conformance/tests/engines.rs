//! Tests the engines that are made from a parser and from a closure, and the words of roles, kinds and profiles.

use std::sync::Arc;

use robots_conformance::engine::{Engine, Interpreted, IsAllowed, Profile, Question};
use robots_conformance::kind::{Answer, Ask, QuestionKind, Role, VerdictQuestion};
use robots_core::{Crawler, Edition, Parser as _};
use robots_nom_parser::ScanParser;
use rstest::rstest;

fn verdict(robots_txt: &[u8], crawler: &Crawler) -> Question {
    let agents = crawler.clone().into();
    let url = "https://example.com/x".to_owned();
    let ask = Ask::Verdict(VerdictQuestion { robots_txt: robots_txt.into(), agents, url });
    Question { profile: Edition::Rfc9309.into(), ask }
}

#[rstest]
#[trace]
#[case::role("bot".parse::<Role>().unwrap_err().to_string(), "unknown role; the roles are parser, crawler")]
#[case::kind("x".parse::<QuestionKind>().unwrap_err().to_string(), "unknown kind of question; the kinds are verdict")]
fn an_error_lists_the_words(#[case] message: String, #[case] expected: &str) {
    assert!(message.contains(expected), "{message}");
}

#[test]
fn words_are_read_as_they_are_written() {
    for role in Role::ALL {
        assert_eq!(role.to_string().parse(), Ok(*role));
    }
    for kind in QuestionKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(*kind));
    }
    for profile in Profile::ALL {
        let json = serde_json::to_value(profile).unwrap();
        assert_eq!(json, profile.id());
        assert_eq!(serde_json::from_value::<Profile>(json).unwrap(), *profile);
    }
    assert_eq!(QuestionKind::Freshness.role(), Some(Role::Crawler));
    assert_eq!(QuestionKind::Groups.role(), Some(Role::Parser));
}

#[test]
fn a_profile_is_the_edition_that_it_follows() {
    let profile = Profile::Edition(Edition::Google2018);
    assert!(profile == Edition::Google2018 && profile != Edition::Rfc9309);
}

/// A reference, a box and an `Arc` of an engine answer as the engine does.
#[test]
fn a_parser_becomes_an_engine() {
    assert_eq!(Interpreted(ScanParser).name(), ScanParser.name());
    let crawler = Crawler::new(["examplebot"]).unwrap();
    let question = verdict(b"user-agent: *\ndisallow: /x", &crawler);
    let answer = Interpreted(ScanParser).answer(&question);
    assert!(matches!(&answer, Answer::Verdict(verdict) if !verdict.allowed));
    let boxed: Box<dyn Engine> = Box::new(Interpreted(ScanParser));
    assert_eq!((&&boxed).answer(&question), answer);
    assert_eq!(Arc::new(boxed).answer(&question), answer);
}

/// An engine made from a closure answers verdict questions for crawlers with one token, and answers `unsupported` to
/// all other questions.
#[test]
fn a_closure_answers_for_one_token() {
    let f = |body: &[u8], token: &str, url: &str| {
        body.is_empty() && token == "examplebot" && url == "https://example.com/x"
    };
    let engine = IsAllowed { name: "closure", f };
    let answer = |crawler: &Crawler| engine.answer(&verdict(b"", crawler));
    assert_eq!(engine.name(), "closure");
    assert_eq!(answer(&Crawler::new(["examplebot"]).unwrap()), Answer::verdict(true));
    assert_eq!(answer(&Crawler::new(["otherbot"]).unwrap()), Answer::verdict(false));
    let two = Crawler::new(["examplebot-news", "examplebot"]).unwrap();
    assert!(matches!(answer(&two), Answer::Unsupported(_)));
}
