//! Tests `lint` with invented measurements of software, and the pages of `lint --explain`.

use std::collections::BTreeSet;

use clap::Parser as _;
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_lint::{Construct, FindingKind};
use robots_nom_parser::ScanParser;
use rstest::rstest;
use serde_json::{Value, json};

use super::portability::{Portability, Software};
use super::{LintArgs, explained, write};

/// Measurements of invented software that misreads a `*` in a path. `old` is the reason why it counts as old.
fn blindfold(old: Option<&str>) -> Portability {
    let reader = json!({
        "name": "blindfold",
        "version": "1.0",
        "cases": ["path-matching::star-one"],
        "old": old,
    });
    let editions = Edition::ALL
        .iter()
        .map(|edition| (edition.id().to_owned(), json!({ "wildcard": [reader] })));
    let editions: serde_json::Map<String, Value> = editions.collect();
    serde_json::from_value(json!({ "editions": editions })).unwrap()
}

/// Lints a file with the given measurements of software, and returns the output.
fn linted(body: &str, measured: &Portability, arguments: &[&str]) -> String {
    #[derive(clap::Parser)]
    struct Command {
        #[command(flatten)]
        lint: LintArgs,
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.txt");
    std::fs::write(&path, body).unwrap();
    let path = path.to_str().unwrap();
    let arguments = [&["lint", path], arguments].concat();
    let command = Command::parse_from(arguments);
    let mut text = Vec::new();
    let fails = write(&ScanParser, &command.lint, measured, &mut text).unwrap();
    assert!(!fails);
    anstream::adapter::strip_str(&String::from_utf8(text).unwrap())
        .to_string()
        .replace(path, "robots.txt")
}

const STARRED: &str = "user-agent: *\ndisallow: /a*b\ndisallow: /c*d\n";

#[test]
fn a_claim_names_who_reads_it_otherwise_and_the_case_that_shows_it() {
    let measured = blindfold(None);
    let text = linted(STARRED, &measured, &["--portability"]);
    insta::assert_snapshot!(text, @r"
    note[wildcard]: some software reads `*` in a path differently: blindfold 1.0 (lines 2 and 1 more)
      `robots lint --explain KIND` explains a finding, --all shows each with its line
    robots.txt: 1 note
    ");
    let json = linted(STARRED, &measured, &["--portability", "--format", "json"]);
    let object: Value = serde_json::from_str(&json).unwrap();
    let claims = object["files"][0]["portability"].as_array().unwrap();
    let [claim] = &claims[..] else { panic!("{claims:#?}") };
    assert_eq!((&claim["construct"], &claim["lines"]), (&"wildcard".into(), &2.into()));
    let [reader] = &claim["readers"].as_array().unwrap()[..] else { panic!("{claim}") };
    assert_eq!(reader["name"], "blindfold");
    // All software reads a file without a star in the same way.
    assert!(
        !linted("user-agent: *\ndisallow: /a\n", &measured, &["--portability"])
            .contains("blindfold")
    );
}

/// Every case that the built-in measurements name is a case of the suite.
#[test]
fn the_built_in_measurements_name_cases() {
    let suite = load::embedded().unwrap();
    let measured = Portability::embedded().unwrap();
    let mut count = 0;
    for (edition, construct) in Edition::ALL
        .iter()
        .flat_map(|edition| Construct::ALL.iter().map(move |construct| (*edition, construct)))
    {
        for reader in measured.readers(construct.name(), edition, Software::All) {
            for case in &reader.cases {
                let id = case.rsplit("::").next().unwrap();
                assert!(suite.case(id).is_some(), "{case}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn claims_are_made_if_asked_for() {
    let measured = blindfold(None);
    for format in ["text", "json"] {
        let with = linted(STARRED, &measured, &["--format", format, "--portability"]);
        let without = linted(STARRED, &measured, &["--format", format]);
        assert!(with.contains("blindfold") && !without.contains("blindfold"), "{without}");
        // Claims are notes.
        let level = ["--format", format, "--portability", "--level", "warning"];
        let errors = linted(STARRED, &measured, &level);
        assert!(!errors.contains("blindfold"), "{errors}");
    }
}

/// The command mentions old software only if the user requests it.
#[test]
fn old_software_is_left_out() {
    let measured = blindfold(Some("of 1999"));
    assert!(!linted(STARRED, &measured, &["--portability"]).contains("blindfold"));
    assert!(linted(STARRED, &measured, &["--portability=all"]).contains("blindfold"));
}

/// The totals count notes about software.
#[test]
fn a_claim_counts_as_a_note() {
    let text = linted(STARRED, &blindfold(None), &["--portability"]);
    assert!(text.ends_with("robots.txt: 1 note\n"), "{text}");
}

/// Every kind and every construct has a page, and `all` lists them. A page shows a small file, and names no case of the
/// suite.
#[test]
fn findings_are_explained() {
    let mut without = Vec::new();
    let suite = load::embedded().unwrap();
    // The name of a requirement or of a finding may also be the id of a case.
    let is_name = |id: &str| {
        suite.requirements.iter().any(|requirement| requirement.id == id)
            || id.parse::<FindingKind>().is_ok()
            || id.parse::<Construct>().is_ok()
    };
    let ids: BTreeSet<&str> =
        suite.cases.iter().map(|case| &*case.id).filter(|id| !is_name(id)).collect();
    let list = explained::page(&ScanParser, "all", Edition::default()).unwrap();
    let names = FindingKind::ALL.iter().map(|kind| kind.name());
    for name in names.chain(Construct::ALL.iter().map(|construct| construct.name())) {
        let page = explained::page(&ScanParser, name, Edition::default()).unwrap();
        let page = anstream::adapter::strip_str(&page).to_string();
        assert!(page.starts_with(name) && page.contains(&format!("--ignore {name}")), "{page}");
        assert!(list.lines().any(|line| line.starts_with(&format!("{name} ("))), "{name}: {list}");
        let mut words = page.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        assert_eq!(words.find(|word| ids.contains(word)), None, "{page}");
        let has_file = page.contains("\n   1  ");
        let is_kind = name.parse::<FindingKind>().is_ok();
        let heading =
            if is_kind { "A file with this finding:\n\n" } else { "A file that has it:\n\n" };
        assert_eq!(page.contains(&format!("{heading}   1  ")), has_file, "{page}");
        assert!(!has_file || !is_kind || page.contains(&format!("[{name}]:")), "{page}");
        if !has_file {
            without.push(name);
        }
    }
    // These kinds have no example, because they need long or binary files.
    assert_eq!(without, ["utf-16", "not-text", "truncated", "invalid-utf8", "long-line"]);
}

#[rstest]
#[trace]
fn a_page_shows_a_file_and_what_is_wrong(
    #[values("useless-star", "slash-assumed", "wildcard")] name: &str,
) {
    let page = explained::page(&ScanParser, name, Edition::default()).unwrap();
    insta::assert_snapshot!(name, anstream::adapter::strip_str(&page).to_string());
}

/// The texts of the requirements behind the findings are those of the suite.
#[test]
fn the_requirements_are_those_of_the_suite() {
    let suite = load::embedded().unwrap();
    let mut texts = serde_json::Map::new();
    let kinds = FindingKind::ALL.iter();
    for kind in kinds {
        for edition in Edition::ALL {
            if let Some(source) = kind.source(*edition) {
                let id = source.requirement();
                texts.insert(id.to_owned(), suite.says(id).into());
            }
        }
    }
    texts.sort_keys();
    let text = serde_json::to_string_pretty(&texts).unwrap() + "\n";
    assert_eq!(explained::REQUIREMENTS, text, "write this into requirements.json:\n{text}");
}
