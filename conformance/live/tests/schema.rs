//! Checks the schema of the live cases: it accepts the suite's cases, and refuses mistakes.

use robots_conformance::suite::load;
use robots_conformance_live::{self as live, Expectation};
use rstest::rstest;
use serde_json::{Value, json};

fn text(file: &str) -> &'static str {
    robots_spec_cases::file(file).unwrap()
}

fn valid(value: &Value) -> bool {
    let schema: Value = serde_json::from_str(text("schema/crawling.schema.json")).unwrap();
    jsonschema::draft202012::new(&schema).unwrap().is_valid(value)
}

fn cases() -> Value {
    serde_yaml::from_str(text("live/crawling.yaml")).unwrap()
}

#[test]
fn the_cases_are_valid() {
    assert!(valid(&cases()));
}

#[test]
fn there_are_many_cases_and_who_visits_nothing_passes_less_than_half() {
    let suite = load::embedded().unwrap_or_else(|problems| panic!("{problems}"));
    let cases = live::load(&suite).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(cases.len() >= 120, "{} cases", cases.len());
    let wants = cases.iter().filter(|case| {
        let fetched = |expectation: &Expectation| !expectation.conforming.fetched.is_empty();
        !case.form.controls.is_empty() || case.expect.values().any(fetched)
    });
    assert!(wants.count() * 2 >= cases.len());
}

#[rstest]
#[trace]
#[case("/cases/0/fetch", json!(["/a"]))]
#[case("/cases/0/sites/hub", json!({}))]
#[case("/cases/0/sites/main/robot", json!(""))]
#[case("/cases/0/sites/main/robots", json!(99))]
#[case("/cases/0/sites/main/robots", json!({ "fault": "explode" }))]
#[case("/cases/0/sites/main/robots", json!([]))]
#[case("/cases/0/id", json!("Wire"))]
#[case("/cases/0/fetched", json!(["a"]))]
#[case("/cases/0/log", json!([{ "check": "at-most", "origin": "main" }]))]
#[case("/cases/0/log", json!([{ "check": "get", "origin": "main", "times": 1 }]))]
#[case("/cases/0/expect", json!({}))]
#[case("/cases/0/expect", json!({ "rfc9309": "listed" }))]
fn mistakes_are_not(#[case] place: &str, #[case] value: Value) {
    let mut cases = cases();
    let (parent, key) = place.rsplit_once('/').unwrap();
    cases.pointer_mut(parent).unwrap()[key] = value;
    assert!(!valid(&cases));
}
