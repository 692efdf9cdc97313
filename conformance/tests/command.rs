//! The command: exit statuses, messages about wrong usage, and where output goes.

#![cfg(feature = "cli")]

mod common;

use std::process::{Command, ExitCode, Output};
use std::sync::Arc;

use robots_conformance::cli::{self, ConformanceArgs};
use robots_core::{Answer, Edition, Question};
use rstest::rstest;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .args(arguments)
        .env_remove("NO_COLOR")
        .output()
        .unwrap()
}

fn text(octets: &[u8]) -> String {
    String::from_utf8(octets.to_vec()).unwrap()
}

#[rstest]
#[case::unknown_edition(&["run", "--edition", "rfc9310"], "the editions are google-2018, google-2019,")]
#[case::unknown_area(&["run", "--area", "paths"], "the areas are caching, file-format,")]
#[case::filter_matches_nothing(&["run", "--filter", "no such trial"], "contains \"no such trial\"")]
#[case::missing_deviations(&["run", "--deviations", "no.yaml"], "no.yaml:1: cannot read")]
#[case::unknown_format(&["run", "--format", "xml"], "[possible values: table, json]")]
#[case::unwritable_output(&["run", "--area", "caching", "--output", "no/such/folder/x"], "no/such/folder/x")]
#[case::unknown_case(&["show", "no-such-case"], "robots-conformance list")]
#[case::missing_file(&["explain", "--agent", "a", "no.txt", "/"], "cannot read no.txt")]
#[case::no_url(&["explain", "--agent", "a", "Cargo.toml", "page"], "\"page\"")]
fn wrong_usage_is_status_2(#[case] arguments: &[&str], #[case] message: &str) {
    let output = run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains(message), "{error}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn a_selection_that_passes_is_status_0_and_plain_when_piped() {
    let output =
        run(&["run", "--area", "path-matching", "--edition", "rfc9309", "--filter", "fish"]);
    let report = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{report}{}", text(&output.stderr));
    assert!(report.starts_with("rfc9309      conforms\n"), "{report}");
    assert!(!report.contains('\u{1b}'), "{report}");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_failure_is_status_1() {
    let status = |allows: bool, filter: &str| {
        let engine =
            common::Fake(&[Edition::Rfc9309], move |_: &Question<'_>| Answer::verdict(allows));
        let filter = Some(filter.to_owned());
        let arguments = ConformanceArgs { filter, ..ConformanceArgs::default() };
        let status = cli::run_suite(&arguments, &common::suite(), Arc::new(engine), "again");
        format!("{status:?}")
    };
    let (success, failure) =
        (format!("{:?}", ExitCode::SUCCESS), format!("{:?}", ExitCode::FAILURE));
    assert_eq!(status(true, "fish-prefix::rfc9309::/catfish"), success);
    assert_eq!(status(false, "fish-prefix::rfc9309::/catfish"), failure);
    assert_eq!(status(true, "shapes::two-agents"), failure, "an answer to another question");
}

#[test]
fn a_stale_deviation_is_status_1() {
    let file = std::env::temp_dir().join(format!("stale-{}.yaml", std::process::id()));
    std::fs::write(&file, "nom::gone:\n  answers: allow\n  why: It went.\n").unwrap();
    let output = run(&["run", "--area", "caching", "--deviations", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("STALE"), "{}", text(&output.stderr));
}

#[test]
fn json_goes_to_a_file_where_one_is_named() {
    let file = std::env::temp_dir().join(format!("report-{}.json", std::process::id()));
    let arguments =
        ["run", "--area", "caching", "--format", "json", "--output", file.to_str().unwrap()];
    let output = run(&arguments);
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(report["totals"]["failed"], 0);
    assert!(report["totals"]["passed"].as_u64().unwrap() > 0);
}

#[test]
fn list_and_show_and_explain() {
    let list = text(&run(&["list", "--area", "sitemap", "--edition", "rfc9309"]).stdout);
    let first = list.lines().next().unwrap();
    let id = first.split_whitespace().next().unwrap();
    let shown = text(&run(&["show", id]).stdout);
    assert!(shown.starts_with(id), "{shown}");
    assert!(shown.contains("robots-conformance run --filter"), "{shown}");

    let file = std::env::temp_dir().join(format!("robots-{}.txt", std::process::id()));
    std::fs::write(&file, "user-agent: *\ndisallow: /x\n").unwrap();
    let path = file.to_str().unwrap();
    let explained = text(&run(&["explain", "--agent", "examplebot", path, "/x"]).stdout);
    std::fs::remove_file(&file).unwrap();
    assert!(explained.starts_with("disallow"), "{explained}");
    assert!(explained.contains("line 2"), "{explained}");
}
