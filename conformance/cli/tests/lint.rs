//! The verbs `lint` and `explain` on files: what they print, in which format, and how they end.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use rstest::rstest;
use serde_json::Value;
use serde_sarif::sarif::Sarif;

/// Much of what can be amiss.
const BROKEN: &str = "Disallow: /early\n\
    User-agent: Googlebot, Bingbot\n\
    Disalow: /typo\n\
    Disallow: https://example.com/absolute\n\
    Disallow: *.pdf\n\
    Allow: /caf\u{E9}\n\
    Crawl-delay: 5\n\
    Noindex: /x\n\
    \n\
    user-agent: *\n\
    Disallow: /a\n\
    Disallow: /a/b\n\
    no colon\n\
    Sitemap: /sitemap.xml # relative\n";

fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that is told wrongly does not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn stdout(arguments: &[&str], input: &[u8]) -> String {
    String::from_utf8(run(arguments, input).stdout).unwrap()
}

#[test]
fn people_see_the_lines() {
    let text = stdout(&["lint", "-", "--no-portability"], BROKEN.as_bytes());
    insta::assert_snapshot!("lint_text", text);
}

#[test]
fn what_could_mislead_is_escaped() {
    let body = b"user-agent: *\ndisallow: x\x1B]0;owned\x07\xE2\x80\xAEgnp\xFF\n\
        dis\x1Ballow\x08: /\nDisallow: /\xE2\x80\xAE y\n";
    for format in ["text", "github"] {
        let text = stdout(&["lint", "-", "--format", format], body);
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{8}', '\u{202e}']), "{text:?}");
    }
}

#[test]
fn a_long_line_is_shown_around_the_finding() {
    let body = format!("user-agent: *\ndisallow: /{}%{}\n", "é".repeat(4000), "z".repeat(4000));
    let text = stdout(&["lint", "-", "--level", "warning", "--no-portability"], body.as_bytes());
    assert!(text.len() < 2000 && text.contains("… ") && text.contains(" …"), "{text}");
}

#[test]
fn five_of_a_kind_are_shown() {
    let body = format!("user-agent: *\n{}", "Disalow: /x\n".repeat(8));
    let text = stdout(&["lint", "-"], body.as_bytes());
    assert_eq!(text.matches("error[misspelt-field]").count(), 5, "{text}");
    assert!(text.contains("and 3 more of misspelt-field; --all shows them"), "{text}");
    let text = stdout(&["lint", "-", "--all"], body.as_bytes());
    assert_eq!(text.matches("error[misspelt-field]").count(), 8, "{text}");
}

#[test]
fn programs_get_an_object_of_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../schema/lint.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for edition in ["google-2018", "google-2019", "google-2022", "rfc9309", "google-cpp"] {
        let text =
            stdout(&["lint", "-", "--format", "json", "--edition", edition], BROKEN.as_bytes());
        let object: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<String> =
            schema.iter_errors(&object).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{text}");
        assert_eq!(object["files"][0]["edition"], edition);
        let findings = object["files"][0]["findings"].as_array().unwrap();
        assert!(findings.len() > 8, "{text}");
    }
    let text = stdout(&["lint", "-", "--format", "json", "--no-portability"], BROKEN.as_bytes());
    insta::assert_snapshot!("lint_json", text);
}

#[test]
fn sarif_is_read_by_its_readers() {
    let text = stdout(&["lint", "-", "--format", "sarif"], BROKEN.as_bytes());
    let log: Sarif = serde_json::from_str(&text).unwrap();
    let run = &log.runs[0];
    let results = run.results.as_ref().unwrap();
    let rules = run.tool.driver.rules.as_ref().unwrap();
    assert!(results.len() > 8);
    for result in results {
        let index = usize::try_from(result.rule_index.unwrap()).unwrap();
        assert_eq!(result.rule_id.as_ref(), Some(&rules[index].id));
        let location = &result.locations.as_ref().unwrap()[0];
        let region = location.physical_location.as_ref().unwrap().region.as_ref().unwrap();
        let line = usize::try_from(region.start_line.unwrap()).unwrap();
        let column = usize::try_from(region.start_column.unwrap()).unwrap();
        let text = BROKEN.lines().nth(line - 1).unwrap();
        assert!(column <= text.encode_utf16().count() + 1, "{result:?}");
    }
}

#[test]
fn github_gets_a_line_a_finding() {
    let text = stdout(&["lint", "-", "--format", "github", "--level", "error"], BROKEN.as_bytes());
    insta::assert_snapshot!("lint_github", text);
}

/// The status is told by the worst finding, shown or not.
#[rstest]
#[trace]
#[case("user-agent: *\ndisallow: /x\n", &[], 0)]
#[case("user-agent: *\ndisallow: /x*\n", &[], 0)]
#[case("user-agent: *\ndisallow: /x*\n", &["--fail-on", "note"], 1)]
#[case("user-agent: *\ndisallow: *x\n", &["--fail-on", "warning"], 1)]
#[case("user-agent: *\ndisalow: /x\n", &[], 1)]
#[case("user-agent: *\ndisalow: /x\n", &["--fail-on", "never"], 0)]
#[case("user-agent: *\ndisallow: *x\n", &["--fail-on", "warning", "--level", "error"], 1)]
fn the_status_is_told_by_the_level(
    #[case] body: &str,
    #[case] arguments: &[&str],
    #[case] status: i32,
) {
    let output = run(&[&["lint", "-"], arguments].concat(), body.as_bytes());
    assert_eq!(output.status.code(), Some(status), "{output:?}");
}

#[rstest]
#[trace]
#[case(&["lint"], "required")]
#[case(&["lint", "no.txt"], "cannot read no.txt")]
#[case(&["lint", "-", "--level", "fatal"], "the levels are note, warning, error")]
#[case(&["lint", "-", "--fail-on", "x"], "the levels are note, warning, error, never")]
#[case(&["lint", "-", "--format", "xml"], "[possible values: text, json, sarif, github]")]
#[case(&["lint", "-", "--edition", "x"], "the profiles are google-2018")]
#[case(&["explain", "--agent", "a", "--user-agent", "a/1", "-", "/"], "cannot be used with")]
#[case(&["explain", "--user-agent", "(x)", "-", "/"], "names no product")]
fn wrong_usage_is_one_message(#[case] arguments: &[&str], #[case] message: &str) {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(message), "{told}");
    assert!(output.stdout.is_empty());
}

#[test]
fn several_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a b.txt", "c.txt"].map(|name| folder.path().join(name));
    std::fs::write(&paths[0], "disalow: /\n").unwrap();
    std::fs::write(&paths[1], "user-agent: *\n").unwrap();
    let paths = paths.each_ref().map(|path| path.to_str().unwrap());
    let text = stdout(&["lint", paths[0], paths[1]], b"");
    assert!(text.contains("a b.txt: 1 error") && text.contains("c.txt: no findings"), "{text}");
    let text = stdout(&["lint", "--format", "sarif", paths[0], paths[1]], b"");
    assert!(text.contains("a%20b.txt"), "{text}");
}

/// The answer comes first, then what bears on it.
#[rstest]
#[trace]
#[case("user-agent: *\ndisalow: /x\n", "/x", 0, Some("misspelt-field"))]
#[case("user-agent: *\ndisalow: /x\n", "/y", 0, None)]
#[case("user-agent: *\ndisallow: /x\n", "/x", 1, None)]
#[case("user-agent: a, examplebot\ndisallow: /x\n", "/x", 0, Some("agents-joined"))]
#[case("user-agent: *\ndisallow: https://example.com/x\n", "/x", 0, Some("absolute-url"))]
fn explain_ends_with_what_bears_on_its_answer(
    #[case] body: &str,
    #[case] url: &str,
    #[case] status: i32,
    #[case] kind: Option<&str>,
) {
    let header = "Mozilla/5.0 (compatible; examplebot/1.0)";
    for who in [["--agent", "examplebot"], ["--user-agent", header]] {
        let output = run(&[&["explain"], &who[..], &["-", url]].concat(), body.as_bytes());
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        let verdict = if status == 0 { "allow: " } else { "disallow: " };
        assert!(text.starts_with(verdict), "{text}");
        let kinds = text.matches('[').count();
        assert_eq!(kinds, usize::from(kind.is_some()), "{text}");
        assert!(kind.is_none_or(|kind| text.contains(&format!("[{kind}]"))), "{text}");
    }
}

#[test]
fn explain_always_tells_that_the_file_is_cut() {
    let rules = "disallow: /a-rule-that-takes-room\n".repeat(16 * 1024);
    let body = format!("user-agent: *\n{rules}disallow: /x\n");
    let output = run(&["explain", "--agent", "examplebot", "-", "/x"], body.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("allow: no rule matches") && text.contains("[truncated]"), "{text}");
    let snapshot: String = text.lines().take(12).map(|line| format!("{line}\n")).collect();
    insta::assert_snapshot!("explain_truncated", snapshot);
}
