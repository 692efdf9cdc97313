//! Tests the loader of live cases.
//!
//! The tests load small case files. They check what the loader reads, which mistakes it reports and at which key, and
//! for which editions a case has an expectation.

use rstest::rstest;

use super::*;

const CATALOGUE: &str = "requirements:
  - { id: MUST, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' } } }
  - { id: MAY, area: crawling, says: x, editions: { rfc9309: { level: may, source: '2' } } }
";

/// Reads the cases in `text`. They refer to the requirements in the text of a `requirements.yaml`.
pub(crate) fn read(catalogue: &str, text: &str) -> Result<Vec<Case>, Problems> {
    load_file(&load::suite([("requirements.yaml", catalogue)]).unwrap(), "x.yaml", text)
}

fn problem(case: &str) -> String {
    let text = format!(
        "area: x\ncases:\n  - id: one\n    about: x\n    {}\n",
        case.replace("; ", "\n    ")
    );
    let problems = read(CATALOGUE, &text).unwrap_err();
    problems.to_string()
}

#[rstest]
#[trace]
#[case(
    "requirement: NO; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: as-listed}",
    "unknown requirement NO"
)]
#[case("requirement: MUST; sites: {hub: {}}; expect: {rfc9309: as-listed}", "choose another name")]
#[case(
    "requirement: MUST; sites: {neutral: {}}; expect: {rfc9309: as-listed}",
    "choose another name"
)]
#[case(
    "requirement: MUST; sites: {a: {}}; fetched: [/a]; expect: {rfc9309: as-listed}",
    "no such origin"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [a]; expect: {rfc9309: as-listed}",
    "is not a page"
)]
#[case("requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {}", "`expect` is empty")]
#[case(
    "requirement: MUST; sites: {main: {}}; either: [/a]; expect: {rfc9309: as-listed}",
    "no crawler can fail"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; either: [/a]; expect: {rfc9309: as-listed}",
    "listed twice"
)]
#[case(
    "requirement: MAY; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: as-listed}",
    "need not do"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {google-2018: as-listed}",
    "give the expectation its own `level`"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9310: as-listed}",
    "unknown edition"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: not-asked}",
    "is for an edition that follows another"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: listed}",
    "`as-listed`"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; log: [{check: get, origin: b}]; expect: {rfc9309: as-listed}",
    "b: the case has no such origin"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; log: [{check: get, origin: main, level: must, advice: true}]; expect: {rfc9309: as-listed}",
    "advice has no level"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; log: [{check: at-most, origin: main}]; expect: {rfc9309: as-listed}",
    "need `times`"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; log: [{check: get, origin: main, times: 2}]; expect: {rfc9309: as-listed}",
    "only `at-least` and `at-most` take `times`"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; log: [{check: put, origin: main}]; expect: {rfc9309: as-listed}",
    "log: unknown `check: put`; known here: robots-first, get, unconditional, at-least, at-most, names-token, token-characters, anonymous"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetched: [/a]; follows: '{b}/x'; expect: {rfc9309: as-listed}",
    "requirements.yaml has no requirement FETCH-3XX"
)]
#[case(
    "requirement: MUST; sites: {main: {}}; fetch: [/a]; expect: {rfc9309: as-listed}",
    "unknown key `fetch`"
)]
fn mistakes_are_reported(#[case] case: &str, #[case] message: &str) {
    let problem = problem(case);
    assert!(problem.contains(message), "{problem}");
}

/// A check has the level of its requirement, unless the check gives another level. A check that is only advice has no
/// level.
#[rstest]
#[trace]
#[case("check: robots-first", Kind::RobotsFirst, Some(Level::Must))]
#[case("check: get", Kind::Get, Some(Level::Must))]
#[case("check: unconditional", Kind::Unconditional, Some(Level::Must))]
#[case("check: names-token, level: should", Kind::NamesToken, Some(Level::Should))]
#[case("check: anonymous, advice: true", Kind::Anonymous, None)]
#[case("check: at-least, times: 2", Kind::AtLeast(2), Some(Level::Must))]
#[case("check: at-most, times: 3", Kind::AtMost(3), Some(Level::Must))]
fn a_check_is_read(#[case] check: &str, #[case] kind: Kind, #[case] level: Option<Level>) {
    let text = format!(
        "area: x\ncases:\n  - {{ id: one, about: x, requirement: MUST, sites: {{ main: {{}} }}, fetched: [/a], \
         log: [{{ {check}, origin: main }}], expect: {{ rfc9309: as-listed }} }}\n"
    );
    let cases = read(CATALOGUE, &text).unwrap();
    let check = &cases[0].form.log[0];
    assert_eq!((check.kind, check.origin.as_str()), (kind, "main"));
    let levels: Vec<Level> = check.levels.values().map(|statement| statement.level).collect();
    assert_eq!(levels, Vec::from_iter(level));
}

#[test]
fn the_embedded_cases_are_read() {
    let cases = super::load(&load::embedded().unwrap()).unwrap();
    assert!(cases.iter().any(|case| case.id == "wire-asks-first"));
}

/// Loads a case and returns its editions, each with the pages that must be fetched.
fn asked(case: &str) -> Vec<String> {
    let catalogue = "same-as: { google-2022: rfc9309 }
requirements:
  - { id: MUST, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' } } }
  - { id: OWN, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' }, google-2022: not-asked } }
";
    let text =
        format!("area: x\ncases:\n  - {{ id: one, about: x, sites: {{ main: {{}} }}, {case} }}\n");
    let cases = read(catalogue, &text).unwrap();
    let text_of = |(edition, expectation): (&Edition, &Expectation)| {
        let pages: Vec<String> =
            expectation.conforming.fetched.iter().map(ToString::to_string).collect();
        format!("{edition} {}", pages.join(" "))
    };
    cases[0].expect.iter().map(text_of).collect()
}

#[rstest]
#[trace]
#[case::inherited(
    "requirement: MUST, fetched: [/a], expect: { rfc9309: as-listed }",
    &["google-2022 /a of main", "rfc9309 /a of main"]
)]
#[case::otherwise(
    "requirement: MUST, fetched: [/a], expect: { rfc9309: as-listed, google-2022: { fetched: [/b] } }",
    &["google-2022 /b of main", "rfc9309 /a of main"]
)]
#[case::not_asked(
    "requirement: MUST, fetched: [/a], expect: { rfc9309: as-listed, google-2022: not-asked }",
    &["rfc9309 /a of main"]
)]
#[case::not_stated(
    "requirement: OWN, fetched: [/a], expect: { rfc9309: as-listed }",
    &["rfc9309 /a of main"]
)]
fn an_edition_follows_another(#[case] case: &str, #[case] editions: &[&str]) {
    assert_eq!(asked(case), editions);
}

/// A requirement that crawls must test (`on-the-wire`) needs a case, or a check of a case, in each edition that states
/// it.
#[rstest]
#[trace]
#[case::of_both("WIRE", "rfc9309: as-listed, google-2022: as-listed", "", "")]
#[case::of_one("WIRE", "rfc9309: as-listed", "", "WIRE needs a live case of google-2022")]
#[case::of_another(
    "OTHER",
    "rfc9309: as-listed, google-2022: as-listed",
    "",
    "WIRE needs a live case of google-2022"
)]
#[case::by_a_check("OTHER", "rfc9309: as-listed, google-2022: as-listed", "WIRE", "")]
#[case::by_a_check_of_another(
    "APPLY-CRAWLERS",
    "rfc9309: as-listed, google-2022: as-listed",
    "OTHER",
    "WIRE needs a live case of google-2022"
)]
fn what_is_tested_on_the_wire_needs_a_case(
    #[case] requirement: &str,
    #[case] editions: &str,
    #[case] check: &str,
    #[case] message: &str,
) {
    let stated = "{ google-2022: { level: must, source: a }, rfc9309: { level: must, source: b } }";
    let line = |id: &str, more: &str| {
        format!("  - {{ id: {id}, area: crawling, says: x, {more}editions: {stated} }}\n")
    };
    let on_the_wire = "on-the-wire: true, ";
    let catalogue = format!(
        "requirements:\n{}{}{}",
        line("WIRE", on_the_wire),
        line("OTHER", ""),
        line("APPLY-CRAWLERS", on_the_wire)
    );
    let log = if check.is_empty() {
        String::new()
    } else {
        format!("log: [{{ check: get, origin: main, requirement: {check} }}], ")
    };
    let text = format!(
        "area: x\ncases:\n  - {{ id: one, about: x, requirement: {requirement}, sites: {{ main: {{}} }}, \
         fetched: [/a], {log}expect: {{ {editions} }} }}\n"
    );
    let problems = read(&catalogue, &text).err();
    let first = problems.as_ref().and_then(|problems| problems.iter().next());
    let found = first.map_or("", |problem| problem.message.as_str());
    assert!(found.starts_with(message) && found.is_empty() == message.is_empty(), "{found}");
}

/// Every mistake of a case is reported, each at its key.
#[test]
fn the_place_is_reported() {
    let case = "requirement: MUST; sites: {main: {}}; fetched: [/a, '{b}/a']; controls: ['{c}/a']; \
                log: [{check: at-least, origin: d}]; expect: {rfc9309: as-listed}";
    insta::assert_snapshot!(problem(case), @r"
    x.yaml:10: case one: rfc9309: /a of b: the case has no such origin
    x.yaml:8: case one: controls: /a of c: the case has no such origin
    x.yaml:9: case one: log: d: the case has no such origin
    x.yaml:9: case one: log: `at-least` and `at-most` need `times`
    ");
    let case = "requirement: MUST; sites: {main: {}}; either: [/a]; expect: {rfc9309: as-listed}";
    insta::assert_snapshot!(problem(case), @"x.yaml:8: case one: no crawler can fail it under any edition; list what must or must not be fetched");
}
