//! Reads the cases and refuses contradictions in them.
//!
//! Start at [`load_files()`]. The catalogue of requirements parses the YAML into the structs of `raw.rs`; [`case()`]
//! checks each of them and makes a [`Case`]. The first mistake ends the reading of its case, and loading continues with
//! the next case. An edition that follows another one has the expectation of that edition. If all cases are right,
//! every requirement that is tested on the wire must have a case or a check in each edition that states it.

use std::collections::{BTreeMap, HashSet};

use robots_conformance::problem::{Place, Problem, Problems};
use robots_conformance::suite::load::Catalogue;
use robots_conformance::suite::requirement::{Level, Requirement};
use robots_core::Edition;

use crate::case::{Case, Check, Expectation, Follows, HUB, Kind, NEUTRAL, Page};
use crate::judge::ASKED;
use crate::raw;

/// The suite's file of cases, below `spec-cases/`.
const FILE: &str = "live/crawling.yaml";

/// The area of its cases.
pub const AREA: &str = "crawling";

/// The requirement that redirects of robots.txt are followed.
const REDIRECTS: &str = "FETCH-3XX";

/// Reads the cases of the embedded suite.
///
/// # Errors
/// Returns the mistakes in the files: the first one of each case.
pub fn load() -> Result<Vec<Case>, Problems> {
    let text = |file| robots_spec_cases::file(file).unwrap_or_default();
    load_files(text("requirements.yaml"), FILE, text(FILE))
}

/// Reads cases from the texts of a catalogue of requirements and of a case file.
///
/// # Errors
/// Returns the mistakes in the texts: the first one of each case.
pub fn load_files(catalogue: &str, file: &str, text: &str) -> Result<Vec<Case>, Problems> {
    let catalogue = Catalogue::read(catalogue)?;
    let (mut cases, mut problems) = (Vec::new(), Vec::new());
    for (raw, place) in catalogue.cases::<raw::Case>(file, text)? {
        let id = raw.id.clone();
        match case(raw, place.clone(), &catalogue) {
            Ok(case) => cases.push(case),
            Err(message) => {
                problems.push(Problem::new(place, format!("case {id}: {message}")));
            }
        }
    }
    // `ASKED` needs no case, because every case shows whether robots.txt was requested before a page.
    let on_the_wire = catalogue.requirements.iter().filter(|it| it.on_the_wire && it.id != ASKED);
    for requirement in on_the_wire {
        for edition in requirement.editions.keys() {
            let is_shown = |case: &Case| {
                case.requirement == requirement.id && case.expect.contains_key(edition)
                    || case.log.iter().any(|check| {
                        check.requirement == requirement.id && check.levels.contains_key(edition)
                    })
            };
            if problems.is_empty() && !cases.iter().any(is_shown) {
                let place = Place::new(file, 1);
                let id = &requirement.id;
                let message = format!("{id} needs a live case of {edition}, but there is none");
                problems.push(Problem::new(place, message));
            }
        }
    }
    Problems::none_or(problems, cases)
}

/// The levels and sections of a requirement, by edition.
type Statements = BTreeMap<Edition, (Level, String)>;

/// Returns the statements of the editions about a requirement.
fn stated(catalogue: &Catalogue, id: &str) -> Result<Statements, String> {
    let requirement = catalogue.requirement(id);
    let requirement =
        requirement.ok_or_else(|| format!("requirements.yaml has no requirement {id}"))?;
    let editions = requirement.editions.iter();
    Ok(editions.map(|(edition, it)| (*edition, (it.level, it.source.clone()))).collect())
}

fn case(raw: raw::Case, place: Place, catalogue: &Catalogue) -> Result<Case, String> {
    if let Some(made) = [HUB, NEUTRAL].into_iter().find(|name| raw.sites.0.contains_key(*name)) {
        return Err(format!("the name {made} is reserved; choose another name for the origin"));
    }
    let stated = stated(catalogue, &raw.requirement)?;
    let requirement = catalogue.requirement(&raw.requirement);
    let lists =
        raw::Lists { fetched: raw.fetched, not_fetched: raw.not_fetched, either: raw.either };
    let mut expect = BTreeMap::new();
    for (edition, keys) in expected(raw.expect, requirement, catalogue)? {
        let expectation = expectation(keys, &lists, stated.get(&edition))
            .map_err(|problem| format!("{edition}: {problem}"))?;
        for page in expectation.pages() {
            if !raw.sites.0.contains_key(&page.origin) {
                return Err(format!("{edition}: {page}: the case has no such origin"));
            }
        }
        expect.insert(edition, expectation);
    }
    if expect.is_empty() {
        return Err("no edition is asked".to_owned());
    }
    let probes = [&lists.fetched, &lists.not_fetched, &lists.either].into_iter().flatten();
    let links = raw.links.unwrap_or_else(|| probes.cloned().collect());
    let links = links.into_iter();
    let links =
        links.map(|link| if link.starts_with('/') { format!("{{main}}{link}") } else { link });
    let links = links.collect();
    let known = |key: &str, text: &str| {
        let page = page(text)?;
        if !raw.sites.0.contains_key(&page.origin) {
            return Err(format!("{key}: {page}: the case has no such origin"));
        }
        Ok(page)
    };
    let controls = raw.controls.iter().map(|text| known("controls", text));
    let controls = controls.collect::<Result<Vec<_>, _>>()?;
    let follows = raw.follows.as_ref().map(|text| {
        let levels = self::stated(catalogue, REDIRECTS);
        let levels = levels.map_err(|problem| format!("follows: {problem}"))?;
        let (page, requirement) = (known("follows", text)?, REDIRECTS.to_owned());
        Ok::<_, String>(Follows { page, requirement, levels })
    });
    let follows = follows.transpose()?;
    let log = raw.log.into_iter().map(|check| {
        if !raw.sites.0.contains_key(&check.origin) {
            return Err(format!("log: the case has no origin {}", check.origin));
        }
        self::check(check, &raw.requirement, catalogue, &expect)
    });
    let log = log.collect::<Result<Vec<_>, _>>()?;
    let asserts = |edition: &Edition, expectation: &Expectation| {
        !expectation.fetched.is_empty()
            || !expectation.not_fetched.is_empty()
            || log.iter().any(|check| check.levels.contains_key(edition))
    };
    if !expect.iter().any(|(edition, expectation)| asserts(edition, expectation)) {
        return Err(
            "no crawler can fail it under any edition; list what must or must not be fetched"
                .to_owned(),
        );
    }
    Ok(Case {
        id: raw.id,
        area: AREA.to_owned(),
        place,
        requirement: raw.requirement,
        about: raw.about,
        sites: raw.sites,
        links,
        controls,
        follows,
        log,
        expect,
    })
}

fn expectation(
    keys: raw::Keys,
    lists: &raw::Lists,
    stated: Option<&(Level, String)>,
) -> Result<Expectation, String> {
    let lists = match (keys.fetched, keys.not_fetched, keys.either) {
        (None, None, None) => lists.clone(),
        (fetched, not_fetched, either) => raw::Lists {
            fetched: fetched.unwrap_or_default(),
            not_fetched: not_fetched.unwrap_or_default(),
            either: either.unwrap_or_default(),
        },
    };
    let missing = "the requirement is not stated by this edition; give `level` and `source`";
    let level = keys.level.or(stated.map(|(level, _)| *level)).ok_or(missing)?;
    let source = keys.source.or(stated.map(|(_, source)| source.clone())).ok_or(missing)?;
    if level == Level::May && !(lists.fetched.is_empty() && lists.not_fetched.is_empty()) {
        return Err(
            "a crawler need not do what an edition only permits: list it under `either`".to_owned()
        );
    }
    let pages =
        |texts: &[String]| texts.iter().map(|text| page(text)).collect::<Result<Vec<_>, _>>();
    let expectation = Expectation {
        fetched: pages(&lists.fetched)?,
        not_fetched: pages(&lists.not_fetched)?,
        either: pages(&lists.either)?,
        level,
        source,
        why: keys.why,
    };
    let mut seen = HashSet::new();
    if let Some(twice) = expectation.pages().find(|page| !seen.insert(*page)) {
        return Err(format!("{twice} is listed twice"));
    }
    Ok(expectation)
}

/// Returns the expectations of the editions. An edition that follows another one has the expectation of that edition,
/// unless it states a different one.
fn expected(
    raw: impl IntoIterator<Item = (String, raw::Expectation)>,
    requirement: Option<&Requirement>,
    catalogue: &Catalogue,
) -> Result<BTreeMap<Edition, raw::Keys>, String> {
    let (mut expected, mut stated) = (BTreeMap::new(), HashSet::new());
    for (name, raw::Expectation(keys)) in raw {
        let edition: Edition = name.parse().map_err(|error| format!("{error}"))?;
        if keys.is_none() && !catalogue.followed.has(edition) {
            return Err(format!(
                "{edition}: leave it out; only an edition that follows another one can be `not-asked`"
            ));
        }
        stated.insert(edition);
        expected.extend(keys.map(|keys| (edition, keys)));
    }
    let is_stated = |edition: Edition| stated.contains(&edition);
    catalogue.followed.inherit(requirement, is_stated, &mut expected);
    Ok(expected)
}

fn page(text: &str) -> Result<Page, String> {
    Page::parse(text)
        .ok_or_else(|| format!("{text:?} is not a page; write /path or {{origin}}/path"))
}

fn check(
    raw: raw::Check,
    requirement: &str,
    catalogue: &Catalogue,
    expect: &BTreeMap<Edition, Expectation>,
) -> Result<Check, String> {
    let requirement = raw.requirement.unwrap_or_else(|| requirement.to_owned());
    let stated = stated(catalogue, &requirement).map_err(|problem| format!("log: {problem}"))?;
    let kind = match (raw.kind, raw.times) {
        (raw::CheckKind::RobotsFirst, None) => Kind::RobotsFirst,
        (raw::CheckKind::Get, None) => Kind::Get,
        (raw::CheckKind::Unconditional, None) => Kind::Unconditional,
        (raw::CheckKind::NamesToken, None) => Kind::NamesToken,
        (raw::CheckKind::Anonymous, None) => Kind::Anonymous,
        (raw::CheckKind::AtLeast, Some(times)) => Kind::AtLeast(times),
        (raw::CheckKind::AtMost, Some(times)) => Kind::AtMost(times),
        (raw::CheckKind::AtLeast | raw::CheckKind::AtMost, None) => {
            return Err("log: `at-least` and `at-most` need `times`".to_owned());
        }
        _ => return Err("log: only `at-least` and `at-most` take `times`".to_owned()),
    };
    let own = raw.level.map(raw::CheckLevel::level);
    let levels = expect.keys().filter_map(|edition| {
        let (level, source) = stated.get(edition)?;
        let source = raw.source.as_ref().unwrap_or(source).clone();
        Some((*edition, (own.unwrap_or(Some(*level))?, source)))
    });
    let levels = levels.collect();
    Ok(Check { kind, origin: raw.origin, levels, requirement })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const CATALOGUE: &str = "requirements:
  - { id: MUST, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' } } }
  - { id: MAY, area: crawling, says: x, editions: { rfc9309: { level: may, source: '2' } } }
";

    fn problem(case: &str) -> String {
        let text =
            format!("cases:\n  - id: one\n    about: x\n    {}\n", case.replace("; ", "\n    "));
        let problems = load_files(CATALOGUE, "x.yaml", &text).unwrap_err();
        problems.to_string()
    }

    #[rstest]
    #[trace]
    #[case(
        "requirement: NO; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: as-listed}",
        "no requirement NO"
    )]
    #[case(
        "requirement: MUST; sites: {hub: {}}; expect: {rfc9309: as-listed}",
        "choose another name"
    )]
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
    #[case(
        "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {}",
        "no edition is asked"
    )]
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
        "give `level`"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9310: as-listed}",
        "unknown edition"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: not-asked}",
        "only an edition that follows"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; fetched: [/a]; expect: {rfc9309: listed}",
        "`as-listed`"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; log: [{check: get, origin: b}]; expect: {rfc9309: as-listed}",
        "no origin b"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; log: [{check: at-most, origin: main}]; expect: {rfc9309: as-listed}",
        "need `times`"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; fetched: [/a]; follows: '{b}/x'; expect: {rfc9309: as-listed}",
        "requirements.yaml has no requirement FETCH-3XX"
    )]
    #[case(
        "requirement: MUST; sites: {main: {}}; fetch: [/a]; expect: {rfc9309: as-listed}",
        "unknown field `fetch`"
    )]
    fn mistakes_are_reported(#[case] case: &str, #[case] message: &str) {
        let problem = problem(case);
        assert!(problem.contains(message), "{problem}");
    }

    /// Returns the editions of a case, with the pages that must be fetched.
    fn asked(case: &str) -> Vec<String> {
        let catalogue = "same-as: { google-2022: rfc9309 }
requirements:
  - { id: MUST, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' } } }
  - { id: OWN, area: crawling, says: x, editions: { rfc9309: { level: must, source: '1' }, google-2022: not-asked } }
";
        let text =
            format!("cases:\n  - {{ id: one, about: x, sites: {{ main: {{}} }}, {case} }}\n");
        let cases = load_files(catalogue, "x.yaml", &text).unwrap();
        let text_of = |(edition, expectation): (&Edition, &Expectation)| {
            let pages: Vec<String> = expectation.fetched.iter().map(ToString::to_string).collect();
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

    /// A requirement that is tested on the wire needs a case, or a check of a case, in each edition that states it.
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
        let stated =
            "{ google-2022: { level: must, source: a }, rfc9309: { level: must, source: b } }";
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
            "cases:\n  - {{ id: one, about: x, requirement: {requirement}, sites: {{ main: {{}} }}, \
             fetched: [/a], {log}expect: {{ {editions} }} }}\n"
        );
        let problems = load_files(&catalogue, "x.yaml", &text).err();
        let first = problems.as_ref().and_then(|problems| problems.iter().next());
        let found = first.map_or("", |problem| problem.message.as_str());
        assert!(found.starts_with(message) && found.is_empty() == message.is_empty(), "{found}");
    }

    #[test]
    fn the_place_is_reported() {
        let case =
            "requirement: MUST; sites: {main: {}}; either: [/a]; expect: {rfc9309: as-listed}";
        assert!(problem(case).starts_with("x.yaml:2: case one: "));
        let cases = "cases:\n  - {id: a, about: x, requirement: MUST, sites: {main: {}}, fetched: [/a], \
                     expect: {rfc9309: as-listed}}\n";
        let twice = format!("{cases}{}", cases.split_once('\n').unwrap().1);
        let problems = load_files(CATALOGUE, "x.yaml", &twice).unwrap_err();
        assert!(problems.iter().next().unwrap().message.contains("is already used at"));
    }
}
