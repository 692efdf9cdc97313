//! Tests how a deviations file is read, and how its entries about crawls are applied. `tests/runner.rs` tests entries
//! about questions.

use std::collections::{BTreeMap, BTreeSet};

use robots_core::Edition;

use super::{Behaviour, Deviations};
use crate::kind::QuestionKind;
use crate::run::outcome::{Outcome, OutcomeKind};

fn parse(text: &str) -> Deviations {
    Deviations::parse("mine.yaml", text).unwrap()
}

#[test]
fn a_file_that_cannot_be_read_says_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let absent = Deviations::read(&dir.path().join("absent.yaml")).unwrap_err().to_string();
    assert!(absent.contains("--write-deviations"), "{absent}");
    let folder = Deviations::read(dir.path()).unwrap_err().to_string();
    assert!(folder.ends_with("it is not a regular file"), "{folder}");
}

#[test]
fn what_a_crawl_fails_by_is_not_nothing() {
    let none = Deviations::parse("mine.yaml", "a::b::c: { found: [], why: It. }").unwrap_err();
    assert!(none.to_string().contains("`found` is empty"), "{none}");
    let one = parse("a::b::c: { found: [x], why: It. }");
    assert_eq!((one.len(), one.is_empty()), (1, false));
    let two = parse("a::b::c: { found: [x], why: It. }\na::b::d: { answers: allow, why: It. }");
    assert_eq!(two.len(), 2);
    assert!(Deviations::default().is_empty());
}

/// An entry is stale if it names no trial, or lists a trial that does not exist.
#[test]
fn an_entry_without_a_trial_is_stale() {
    let entries = "
a::b::c::rfc9309: { found: [x], why: It. }
a::b::c: { found: [x], why: It. }
gone::b::c: { found: [x], why: It. }
known: { trials: ['a::b::c::rfc9309'], found: [x], why: It. }
half: { trials: ['a::b::c::rfc9309', 'gone::b::c::rfc9309'], found: [x], why: It. }
";
    let crawls = ["a::b::c::rfc9309", "a::b::d::rfc9309"].map(|name| (name.to_owned(), None));
    let stale = parse(entries).stale(&BTreeMap::from(crawls));
    let stale: Vec<&str> =
        stale.iter().map(|problem| problem.message.split(": ").next().unwrap()).collect();
    assert_eq!(stale, ["gone::b::c", "half"]);
}

/// A known failure of a crawl passes only while the crawler does exactly what the entry states.
#[test]
fn an_entry_of_a_crawl_is_exact() {
    let known = parse("a::b::c::rfc9309: { found: [fetched /x of main], why: It is so. }");
    let applied = |outcome, found: &[&str]| {
        let found: BTreeSet<String> = found.iter().map(|&found| found.to_owned()).collect();
        known.apply("a::b::c::rfc9309", outcome, Behaviour::Crawl(&found))
    };
    let failed = || Outcome::Failed { note: None };
    let same = applied(failed(), &["fetched /x of main"]);
    assert_eq!(same, Outcome::Deviation { why: "It is so.".to_owned() });
    for (outcome, found, begins) in [
        (failed(), &[][..], "drifted: "),
        (failed(), &["fetched /y of main"], "drifted: "),
        (failed(), &["fetched /x of main", "fetched /y of main"], "drifted: "),
        (Outcome::Passed, &[], "healed: "),
    ] {
        let Outcome::Failed { note: Some(note) } = applied(outcome, found) else {
            panic!("{found:?} passes");
        };
        assert!(note.starts_with(begins), "{note}");
    }
}

#[test]
fn only_what_failed_or_errored_is_a_failure() {
    let failures = OutcomeKind::ALL.into_iter().filter(|kind| kind.is_failure());
    assert_eq!(failures.collect::<Vec<_>>(), [OutcomeKind::Failed, OutcomeKind::Errored]);
    assert!(Outcome::Failed { note: None }.is_failure() && !Outcome::Passed.is_failure());
    assert!(OutcomeKind::ALL.iter().all(|kind| kind.to_string() == kind.id()));
}

/// The texts of a deviations file and of a crawl are not trusted. A report may show them in a terminal, so they are
/// escaped.
#[test]
fn the_texts_of_an_entry_about_a_crawl_are_escaped() {
    let known = parse("a::b::c::rfc9309: { found: [x], why: \"\\e[2J It is so.\" }");
    let of = |found: &str| {
        let failed = Outcome::Failed { note: None };
        let found = BTreeSet::from([found.to_owned()]);
        known.apply("a::b::c::rfc9309", failed, Behaviour::Crawl(&found))
    };
    assert_eq!(of("x"), Outcome::Deviation { why: "\\x1B[2J It is so.".to_owned() });
    let drifted = of("\u{1b}]0;y");
    assert!(drifted.is_failure() && !format!("{drifted:?}").contains("\\u{1b}"), "{drifted:?}");
}

#[rstest::rstest]
#[trace]
#[case::no_tag("fish::/cat", "\"\" is no tag; the tags are bug, wontfix, divergence, error")]
#[case::another_tag("fish::/cat fine It is so.", "\"fine\" is no tag")]
#[case::twice("fish bug A.\n# x\n\nfish error B.", "known.txt:4: fish: the list has this id twice")]
fn a_line_of_a_list_needs_a_tag_and_a_reason(#[case] text: &str, #[case] message: &str) {
    let problems = Deviations::parse_list("known.txt", text).unwrap_err().to_string();
    assert!(problems.contains(message), "{problems}");
}

#[test]
fn a_list_may_begin_with_a_byte_order_mark() {
    let known = Deviations::parse_list("known.txt", "\u{feff}# Mine.\nfish bug It is so.\n");
    assert_eq!(known.unwrap().len(), 1);
}

/// A question that was answered anew has another id in the editions that changed.
#[test]
fn an_id_of_a_list_is_of_its_editions() {
    let id = |edition, question: &str| match (edition, question) {
        (Edition::Rfc9309, "fish::/x~y") => "fish::/x~y~2".to_owned(),
        _ => question.to_owned(),
    };
    let is_known = |listed: &str, edition: &str| {
        let known = Deviations::parse_list("known.txt", &format!("{listed} bug It is so."));
        let trials = BTreeMap::from([(
            format!("me::area::fish::{edition}::/x~y"),
            Some(QuestionKind::Verdict),
        )]);
        known.unwrap().with_ids(id).stale(&trials).is_empty()
    };
    assert!(is_known("fish::/x~y~2", "rfc9309") && !is_known("fish::/x~y~2", "google-2022"));
    assert!(!is_known("fish::/x~y", "rfc9309") && is_known("fish::/x~y", "google-2022"));
    assert!(is_known("fish::/x~y", "google-cpp") && !is_known("fish::/x", "google-2022"));
}
