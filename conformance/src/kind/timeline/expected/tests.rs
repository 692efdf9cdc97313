//! Tests whether the actions of a retriever meet an expectation, and how expectations are written and read.

use crate::kind::{RetrievedVerdict, SentRequest, StepAnswer, UsageAnswer};
use robots_core::fetch::Basis;
use robots_core::usage::Preferences;
use rstest::rstest;

use super::{ExpectedStep, RawStep};

fn expected(yaml: &str) -> ExpectedStep {
    serde_yaml::from_str::<RawStep>(yaml).unwrap().expected().unwrap()
}

/// A step with one request, sent at 60 s, and two verdicts.
fn step() -> StepAnswer {
    let url = "https://example.com/robots.txt".to_owned();
    let fields = vec![("user-agent".to_owned(), "examplebot/1.0".to_owned())];
    let verdict = |allowed| RetrievedVerdict { allowed, basis: Some(Basis::Rules), usage: None };
    StepAnswer {
        requests: vec![SentRequest { url, fields, at: 60 }],
        verdicts: vec![verdict(true), verdict(false)],
    }
}

#[rstest]
#[trace]
#[case::nothing_is_judged("{}", true)]
#[case("{ requests: [/robots.txt] }", true)]
#[case("{ requests: [https://example.com/robots.txt] }", true)]
#[case("{ requests: [/r] }", false)]
#[case("{ requests: [] }", false)]
#[case("{ requests: [/robots.txt, /robots.txt] }", false)]
#[case("{ requests: [{ url: /robots.txt, with: { User-Agent: examplebot } }] }", true)]
#[case("{ requests: [{ url: /r, with: { User-Agent: examplebot } }] }", false)]
#[case("{ requests: [{ url: /robots.txt, with: { user-agent: otherbot } }] }", false)]
#[case("{ requests: [{ url: /robots.txt, with: { cookie: '' } }] }", false)]
#[case("{ requests: [{ url: /robots.txt, without: [cookie, range] }] }", true)]
#[case("{ requests: [{ url: /robots.txt, without: User-Agent }] }", false)]
#[case("{ requests: [{ url: /robots.txt, not-before: 60 }] }", true)]
#[case("{ requests: [{ url: /robots.txt, not-before: 61 }] }", false)]
#[case("{ at-least: 1 }", true)]
#[case("{ at-least: 2 }", false)]
#[case("{ at-most: 1 }", true)]
#[case("{ at-most: 0 }", false)]
#[case("{ verdict: [allow, disallow] }", true)]
#[case("{ verdict: [disallow, allow] }", false)]
#[case("{ verdict: [allow, either] }", true)]
#[case::one_for_all("{ verdict: allow }", false)]
#[case("{ verdict: either }", true)]
#[case::too_few("{ verdict: [allow, disallow, allow] }", false)]
#[case("{ because: rules }", true)]
#[case("{ because: [no-file, rules] }", true)]
#[case("{ because: no-file }", false)]
#[case::no_usage_was_asked("{ usage: { search: allowed } }", false)]
fn a_step_is_judged(#[case] yaml: &str, #[case] is_met: bool) {
    assert_eq!(expected(yaml).is_met(&step()), is_met);
}

/// A retriever need not give reasons.
#[test]
fn no_reason_is_not_judged() {
    let mut step = step();
    step.verdicts.iter_mut().for_each(|verdict| verdict.basis = None);
    assert!(expected("{ because: no-file }").is_met(&step));
}

#[rstest]
#[trace]
#[case("{ usage: {} }", true)]
#[case("{ usage: [{}, {}] }", true)]
#[case("{ usage: { search: allowed } }", false)]
#[case("{ usage: [{}, { search: allowed }] }", false)]
#[case("{ usage: [{}, {}, {}] }", false)]
#[case("{ usage: not-applicable }", false)]
fn the_usage_of_each_url_is_judged(#[case] yaml: &str, #[case] is_met: bool) {
    let mut step = step();
    let usage =
        UsageAnswer { preferences: Some(Preferences::default()), lines: None, evidence: None };
    step.verdicts.iter_mut().for_each(|verdict| verdict.usage = Some(usage.clone()));
    assert_eq!(expected(yaml).is_met(&step), is_met);
}

#[rstest]
#[trace]
#[case("{}", true)]
#[case("{ verdict: either }", true)]
#[case("{ verdict: [either, allow] }", false)]
#[case("{ requests: [] }", false)]
#[case("{ at-least: 0 }", false)]
#[case("{ at-most: 9 }", false)]
#[case("{ because: rules }", false)]
#[case("{ usage: {} }", false)]
fn what_judges_nothing(#[case] yaml: &str, #[case] nothing: bool) {
    assert_eq!(expected(yaml).judges_nothing(), nothing);
}

/// An expectation that is written as YAML and read again does not change.
#[rstest]
#[trace]
#[case("{}", "anything")]
#[case("{ requests: [], verdict: allow }", "no request; allow")]
#[case(
    "{ requests: [{ url: /a, with: { b: c }, without: [d], not-before: 3 }], because: [rules, no-file] }",
    "requests <https://example.com/a> with b: c without d not before 3 s; because rules or no-file"
)]
#[case(
    "{ requests: [/a, /b], at-least: 1, at-most: 2, verdict: [disallow, either] }",
    "requests <https://example.com/a>, <https://example.com/b>; at least 1 request; at most 2 requests; disallow, either"
)]
#[case("{ usage: { search: allowed } }", "usage search allowed")]
fn yaml_and_text(#[case] yaml: &str, #[case] text: &str) {
    let step = expected(yaml);
    assert_eq!(step.text(), text);
    let written = serde_yaml::from_value::<RawStep>(step.yaml()).unwrap();
    assert_eq!(written.expected().unwrap(), step);
}

#[rstest]
#[trace]
#[case("{ verdict: maybe }", "\"maybe\" is not a verdict; write `allow`, `disallow` or `either`")]
#[case("{ because: luck }", "\"luck\" is not a reason; known here: ")]
#[case("{ requests: [{ url: /a, with: { b: 1 } }] }", "`with` has names and texts; quote them")]
fn mistakes_are_told(#[case] yaml: &str, #[case] message: &str) {
    let problem = serde_yaml::from_str::<RawStep>(yaml).unwrap().expected().unwrap_err();
    assert!(problem.starts_with(message), "{problem}");
}

/// The actions of a retriever can be written as an expectation, and they meet this expectation.
#[test]
fn a_step_is_written_as_an_expectation() {
    let (mut step, url) = (step(), "https://example.com/robots.txt");
    step.requests[0].fields.push(("if-none-match".to_owned(), "\"1\"".to_owned()));
    let stated = ExpectedStep::from(&step);
    let text =
        format!("requests <{url}> with if-none-match: \"1\"; allow, disallow; because rules");
    assert_eq!(stated.text(), text);
    assert!(stated.is_met(&step));
    step.verdicts[0].basis = None;
    assert!(ExpectedStep::from(&step).because.is_empty());
    let usage =
        UsageAnswer { preferences: Some(Preferences::default()), lines: None, evidence: None };
    step.verdicts.iter_mut().for_each(|verdict| verdict.usage = Some(usage.clone()));
    assert_eq!(ExpectedStep::from(&step).usage.len(), 2);
}

/// A list must have one value for each URL. A single value applies to all URLs.
#[rstest]
#[trace]
#[case("{ verdict: [allow, disallow] }", false)]
#[case("{ usage: [{}, {}] }", false)]
#[case("{ verdict: [allow, disallow, allow], usage: {} }", true)]
fn a_list_is_about_each_url(#[case] yaml: &str, #[case] is_met: bool) {
    let mut step = step();
    step.verdicts.push(step.verdicts[0].clone());
    let usage =
        UsageAnswer { preferences: Some(Preferences::default()), lines: None, evidence: None };
    step.verdicts.iter_mut().for_each(|verdict| verdict.usage = Some(usage.clone()));
    assert_eq!(expected(yaml).is_met(&step), is_met);
}

/// If only the URL of a request is judged, YAML contains only the URL.
#[test]
fn a_bare_request_is_its_url() {
    let written = serde_yaml::to_string(&expected("{ requests: [/a] }").yaml()).unwrap();
    assert_eq!(written, "requests:\n- https://example.com/a\n");
}
