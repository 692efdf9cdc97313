//! Tests the JSON form of verdicts, and of the rules and user-agent lines in them.

#[path = "dialect/line_parser.rs"]
mod line_parser;

use line_parser::LineParser;
use robots_core::{Crawler, Edition, Options, RobotsTxt};
use serde_json::{from_value, json, to_value};

#[test]
fn a_verdict_carries_its_evidence() {
    let body = "user-agent: *\ndisallow: /x # c\n";
    let robots = RobotsTxt::parse(&LineParser, body, Options::default());
    let user_agent = json!({ "value": "*", "line": 1, "span": { "start": 0, "end": 14 } });
    let rule = json!({
        "kind": "disallow", "path": "/x", "line": 2, "span": { "start": 14, "end": 31 },
    });
    assert_eq!(
        to_value(robots.verdict("a", "/x")).unwrap(),
        json!({
            "is_allowed": false, "reason": "longest-rule", "rule": rule, "user_agent": user_agent,
        })
    );
    assert_eq!(
        to_value(robots.followed_by("a")).unwrap(),
        json!([{ "user_agents": [user_agent], "rules": [rule] }])
    );
    assert_eq!(to_value(robots.verdict("a b", "/")).unwrap()["reason"], "not-a-product-token");
}

#[test]
fn names_are_read_back() {
    assert_eq!(from_value::<Edition>(json!("rfc9309")).unwrap(), Edition::Rfc9309);
    let crawler = Crawler::new(["googlebot-news", "googlebot"]).unwrap();
    assert_eq!(from_value::<Crawler>(to_value(&crawler).unwrap()).unwrap(), crawler);
    assert!(from_value::<Crawler>(json!(["googlebot/2.1"])).is_err());
}
