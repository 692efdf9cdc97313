//! Tests which expectations leave a question open, and which answers conform to an expectation, for each kind of
//! question.

use crate::kind::{Answer, QuestionKind, RetrievedVerdict, StepAnswer, UsageAnswer};
use robots_core::fetch::{Access, Basis, Freshness, Retry, Scope};
use robots_core::syntax::GrammarMatch;
use rstest::rstest;

use super::{complete, conforms, expected, is_deviation, is_open, side, text};

fn read(kind: QuestionKind, text: &str) -> super::Expected {
    expected(kind, &serde_yaml::from_str(text).unwrap()).unwrap()
}

/// A question is open if every well-formed answer conforms to one of the expectations.
#[rstest]
#[trace]
#[case(QuestionKind::Verdict, &["allow", "disallow"], true)]
#[case(QuestionKind::Verdict, &["allow", "{ verdict: allow, line: 2 }"], false)]
#[case(QuestionKind::Groups, &["[]", "[{ agents: [a], rules: [] }]"], false)]
#[case(QuestionKind::Group, &["none", "{ rules: [] }"], false)]
#[case(QuestionKind::Sitemaps, &["[]", "['https://example.com/a']"], false)]
#[case(QuestionKind::Scope, &["governs", "does-not-govern"], false)]
#[case(QuestionKind::Scope, &["governs", "does-not-govern", "not-a-robots-url"], true)]
#[case(QuestionKind::Access, &["full-allow", "full-disallow"], false)]
#[case(
    QuestionKind::Access,
    &["follow-redirect", "full-allow", "full-disallow", "conditional-allow", "use-cached-copy", "undefined"],
    true
)]
#[case(QuestionKind::Retry, &["when-stale", "frequently"], false)]
#[case(QuestionKind::Retry, &["when-stale", "until-answered", "frequently"], true)]
#[case(QuestionKind::Freshness, &["fresh"], false)]
#[case(QuestionKind::Freshness, &["fresh", "stale"], true)]
#[case(QuestionKind::Derives, &["{ lines: [true] }", "{ lines: [false] }"], true)]
#[case(QuestionKind::Derives, &["{ lines: [true] }", "{ file: false, lines: [false] }"], false)]
#[case(QuestionKind::Usage, &["not-applicable", "{ search: allowed }"], false)]
#[case(QuestionKind::Preference, &["{}", "{ search: allowed }"], false)]
#[case(QuestionKind::Timeline, &["[{ verdict: allow }]", "[{ verdict: disallow }]"], true)]
#[case(QuestionKind::Timeline, &["[{ verdict: allow }]", "[{ verdict: disallow, because: rules }]"], false)]
#[case(QuestionKind::Timeline, &["[{ verdict: allow }]", "[{}]"], true)]
fn what_every_answer_fits_is_open(
    #[case] kind: QuestionKind,
    #[case] stated: &[&str],
    #[case] open: bool,
) {
    let stated: Vec<_> = stated.iter().map(|text| read(kind, text)).collect();
    assert_eq!(is_open(kind, &stated.iter().collect::<Vec<_>>()), open);
}

#[rstest]
#[trace]
#[case("{ file: true }", true)]
#[case("{ file: false }", false)]
#[case("{ lines: [true, false] }", true)]
#[case("{ lines: [true, true] }", false)]
#[case("{ file: true, lines: [true, false] }", true)]
#[case("{ file: false, lines: [true, false] }", false)]
#[case("{ file: true, lines: [true] }", false)]
fn file_and_lines_are_judged_if_they_are_stated(#[case] stated: &str, #[case] right: bool) {
    let answer = Answer::Derives(GrammarMatch::new(true, vec![true, false]));
    assert_eq!(conforms(&read(QuestionKind::Derives, stated), &answer), right);
}

#[rstest]
#[trace]
#[case::more_often(QuestionKind::Retry, "until-answered", Answer::Retry(Retry::Frequently), true)]
#[case(QuestionKind::Retry, "until-answered", Answer::Retry(Retry::UntilAnswered), true)]
#[case(QuestionKind::Retry, "until-answered", Answer::Retry(Retry::WhenStale), false)]
#[case(QuestionKind::Retry, "frequently", Answer::Retry(Retry::UntilAnswered), false)]
#[case(QuestionKind::Retry, "frequently", Answer::Retry(Retry::Frequently), true)]
#[case(QuestionKind::Access, "full-allow", Answer::Access(Access::FullAllow), true)]
#[case(QuestionKind::Access, "full-allow", Answer::Access(Access::FullDisallow), false)]
#[case::whatever_is_safe(
    QuestionKind::Access,
    "undefined",
    Answer::Access(Access::Undefined { safe: &Access::FullAllow }),
    true
)]
#[case(QuestionKind::Freshness, "fresh", Answer::Freshness(Freshness::Stale), false)]
#[case(QuestionKind::Scope, "governs", Answer::Scope(Scope::Governs), true)]
#[case(QuestionKind::Scope, "governs", Answer::Scope(Scope::DoesNotGovern), false)]
#[case::of_another_kind(QuestionKind::Scope, "governs", Answer::Retry(Retry::Frequently), false)]
fn an_answer_conforms_to_what_is_stated(
    #[case] kind: QuestionKind,
    #[case] stated: &str,
    #[case] answer: Answer,
    #[case] right: bool,
) {
    assert_eq!(conforms(&read(kind, stated), &answer), right);
}

/// A deviations entry covers an answer only if it states what is wrong with it.
#[rstest]
#[trace]
#[case(
    QuestionKind::Retry,
    "when-stale",
    "until-answered",
    Answer::Retry(Retry::UntilAnswered),
    true
)]
#[case(
    QuestionKind::Retry,
    "when-stale",
    "until-answered",
    Answer::Retry(Retry::Frequently),
    false
)]
#[case::whole(
    QuestionKind::Derives,
    "{ file: true, lines: [true] }",
    "{ file: true, lines: [false] }",
    derives(),
    true
)]
#[case(QuestionKind::Derives, "{ file: true, lines: [true] }", "{ file: true }", derives(), false)]
#[case(
    QuestionKind::Derives,
    "{ file: true, lines: [true] }",
    "{ lines: [false] }",
    derives(),
    false
)]
#[case(QuestionKind::Derives, "{ lines: [true] }", "{ lines: [false] }", derives(), true)]
#[case(QuestionKind::Derives, "{ lines: [true] }", "{ file: true }", derives(), false)]
#[case(
    QuestionKind::Usage,
    "{ search: disallowed, lines: [1] }",
    "{ search: allowed }",
    usage(),
    true
)]
#[case(
    QuestionKind::Usage,
    "{ search: allowed, lines: [1] }",
    "{ search: allowed, lines: [2] }",
    usage(),
    true
)]
#[case(
    QuestionKind::Usage,
    "{ search: allowed, lines: [1] }",
    "{ search: allowed }",
    usage(),
    false
)]
#[case(QuestionKind::Usage, "not-applicable", "{ search: allowed }", usage(), true)]
#[case::no_form_with_lines(
    QuestionKind::Usage,
    "not-applicable",
    "not-applicable",
    not_applicable(),
    true
)]
#[case(
    QuestionKind::Timeline,
    "[{ usage: { search: allowed, lines: [1] } }]",
    "[{ usage: { search: allowed, lines: [2] } }]",
    timeline(),
    true
)]
#[case(
    QuestionKind::Timeline,
    "[{ usage: { search: allowed, lines: [1] } }]",
    "[{ usage: { search: allowed } }]",
    timeline(),
    false
)]
#[case(
    QuestionKind::Timeline,
    "[{ usage: { search: disallowed } }]",
    "[{ usage: { search: allowed } }]",
    timeline(),
    true
)]
#[case(
    QuestionKind::Timeline,
    "[{ usage: { search: disallowed } }]",
    "[{ verdict: allow }]",
    timeline(),
    false
)]
#[case(
    QuestionKind::Timeline,
    "[{ usage: { search: disallowed }, verdict: disallow }]",
    "[{ verdict: allow }]",
    bare(),
    true
)]
#[case(
    QuestionKind::Timeline,
    "[{ at-most: 3, verdict: disallow }]",
    "[{ verdict: allow }]",
    timeline(),
    false
)]
#[case(
    QuestionKind::Timeline,
    "[{ because: unreachable, verdict: disallow }]",
    "[{ verdict: allow }]",
    bare(),
    true
)]
#[case(QuestionKind::Timeline, "[{ verdict: disallow }]", "[{ verdict: allow }]", timeline(), true)]
#[case(QuestionKind::Timeline, "[{ verdict: disallow }]", "[{}]", timeline(), false)]
#[case(
    QuestionKind::Timeline,
    "[{ requests: [https://a.example/robots.txt] }]",
    "[{ requests: [] }]",
    timeline(),
    true
)]
#[case(QuestionKind::Timeline, "[{ at-least: 1 }]", "[{ verdict: allow }]", timeline(), false)]
#[case(
    QuestionKind::Timeline,
    "[{ because: unreachable }]",
    "[{ verdict: allow, because: rules }]",
    timeline(),
    true
)]
#[case(
    QuestionKind::Timeline,
    "[{ because: unreachable }]",
    "[{ verdict: allow }]",
    timeline(),
    false
)]
fn a_deviation_is_the_whole_answer(
    #[case] kind: QuestionKind,
    #[case] right: &str,
    #[case] stated: &str,
    #[case] answer: Answer,
    #[case] covers: bool,
) {
    let right = complete(&serde_yaml::Mapping::new(), read(kind, right));
    let stated = read(kind, stated);
    assert!(conforms(&stated, &answer) && !conforms(&right, &answer));
    assert_eq!(is_deviation(&stated, &[&right], &answer), covers);
}

fn derives() -> Answer {
    Answer::Derives(GrammarMatch::new(true, vec![false]))
}

fn usage() -> Answer {
    let super::Expected::Usage(answer) =
        read(QuestionKind::Usage, "{ search: allowed, lines: [2] }")
    else {
        unreachable!("an answer is read as its kind");
    };
    Answer::Usage(UsageAnswer {
        preferences: answer.preferences,
        lines: answer.lines,
        evidence: None,
    })
}

/// Returns an answer that no draft can state completely.
fn not_applicable() -> Answer {
    Answer::Usage(UsageAnswer { preferences: None, lines: Some(vec![3]), evidence: None })
}

fn timeline() -> Answer {
    let Answer::Usage(usage) = usage() else { unreachable!("the answer is about usage") };
    retrieved(RetrievedVerdict { allowed: true, basis: Some(Basis::Rules), usage: Some(usage) })
}

/// Returns a timeline of an engine that gives neither reasons nor usages.
fn bare() -> Answer {
    retrieved(RetrievedVerdict { allowed: true, basis: None, usage: None })
}

fn retrieved(verdict: RetrievedVerdict) -> Answer {
    let step = StepAnswer { requests: Vec::new(), verdicts: vec![verdict] };
    Answer::Timeline(vec![step])
}

/// Every step of a timeline is judged, and the number of steps must be right.
#[rstest]
#[trace]
#[case("[{ verdict: allow }, { verdict: disallow }]", true)]
#[case("[{}, {}]", true)]
#[case("[{ verdict: allow }]", false)]
#[case("[{}, {}, {}]", false)]
#[case("[{ verdict: allow }, { verdict: allow }]", false)]
#[case("[{ verdict: disallow }, { verdict: disallow }]", false)]
fn each_step_is_judged(#[case] stated: &str, #[case] right: bool) {
    let step = |allowed| StepAnswer {
        requests: Vec::new(),
        verdicts: vec![RetrievedVerdict { allowed, basis: None, usage: None }],
    };
    let answer = Answer::Timeline(vec![step(true), step(false)]);
    assert_eq!(conforms(&read(QuestionKind::Timeline, stated), &answer), right);
}

/// The comparison of editions shows preferences without their lines, so `side` omits the lines.
#[test]
fn the_side_of_a_usage_has_no_lines() {
    let with_lines = read(QuestionKind::Usage, "{ search: allowed, lines: [2] }");
    assert_eq!(side(&with_lines), side(&read(QuestionKind::Usage, "{ search: allowed }")));
    assert!(side(&with_lines).contains("search") && text(&with_lines).contains("line 2"));
}
