//! Tests the verbs `lint` and `explain` on files: their output in each format, and their exit status.
//!
//! Each test starts the command. `src/lint/tests.rs` has the tests with invented measurements of software. The findings
//! themselves have their tests in `robots-lint`.

mod common;

use robots_core::Edition;
use rstest::rstest;
use serde_json::Value;
use serde_sarif::sarif::Sarif;

use self::common::{object, run, text};

/// A file with many kinds of mistakes.
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

fn stdout(arguments: &[&str], input: &[u8]) -> String {
    text(&run(arguments, input).stdout)
}

#[test]
fn people_see_the_lines() {
    let text = stdout(&["lint", "-"], BROKEN.as_bytes());
    insta::assert_snapshot!("lint_text", text);
}

/// In every edition, the text format shows the same kind, line and fix as the JSON object.
#[test]
fn the_formats_show_the_same_findings() {
    for edition in Edition::ALL {
        let arguments = ["lint", "-", "--all", "--edition", edition.id()];
        let text = stdout(&arguments, BROKEN.as_bytes());
        let json = stdout(&[&arguments[..], &["--format", "json"]].concat(), BROKEN.as_bytes());
        let object: Value = serde_json::from_str(&json).unwrap();
        for finding in object["files"][0]["findings"].as_array().unwrap() {
            let [kind, fix] = ["kind", "fix"].map(|key| finding[key].as_str().unwrap());
            let place = format!("--> robots.txt:{}:{}\n", finding["line"], finding["column"]);
            let shown = [format!("[{kind}]: "), place, format!("= help: {fix}\n")];
            assert!(shown.iter().all(|part| text.contains(part)), "{finding}: {text}");
        }
    }
}

#[test]
fn what_could_mislead_is_escaped() {
    let body = b"user-agent: *\ndisallow: x\x1B]0;owned\x07\xE2\x80\xAEgnp\xFF\n\
        dis\x1Ballow\x08: /\nDisallow: /\xE2\x80\xAE y\n";
    for format in ["text", "github", "json", "sarif"] {
        let text = stdout(&["lint", "-", "--format", format], body);
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{8}', '\u{202e}']), "{text:?}");
    }
}

#[test]
fn a_long_line_is_shown_around_the_finding() {
    let body = format!("user-agent: *\ndisallow: /{}%{}\n", "é".repeat(4000), "z".repeat(4000));
    let text = stdout(&["lint", "-", "--level", "warning"], body.as_bytes());
    assert!(text.len() < 2000 && text.contains("… ") && text.contains(" …"), "{text}");
}

#[test]
fn three_findings_are_shown_with_their_lines() {
    let body = format!("user-agent: *\n{}", "Disalow: /x\n".repeat(12));
    let text = stdout(&["lint", "-"], body.as_bytes());
    assert_eq!(text.matches("error[misspelt-field]").count(), 3, "{text}");
    assert!(
        text.contains("and 9 more of misspelt-field (lines 5, 6, 7, 8, 9, 10 and 3 more)"),
        "{text}"
    );
    let text = stdout(&["lint", "-", "--all"], body.as_bytes());
    assert_eq!(text.matches("error[misspelt-field]").count(), 12, "{text}");
}

/// The findings of the most severe kinds come first. Each kind is shown once before a second finding of any kind. The
/// remaining findings have one line for each kind.
#[test]
fn an_ordinary_file_fits_on_a_screen() {
    let body = "User-agent: *\nDisallow: *.pdf\nDisallow: *.doc\nDisallow: /a b\nDisallow: /100%\n\
        Disalow: /c\nDisalow: /d\nDisallow: /e*\nDisallow: /f*\n\nUser-agent: x\nCrawl-delay: 5\n\n\
        User-agent: y/1.0\nDisallow: /\n\nUser-agent: x\nDisallow: /*/g$\n";
    let text = stdout(&["lint", "-"], body.as_bytes());
    assert!(text.lines().count() <= 40, "{text}");
    insta::assert_snapshot!("lint_folded", text);
}

/// The file is as long as the size limit, and has a finding in every line. The command prints some of the findings and
/// counts the rest.
#[test]
fn a_file_full_of_findings_is_counted() {
    let body = "x\n".repeat(250 * 1024);
    let rest = 250 * 1024 - 1000;
    for format in ["json", "sarif", "github"] {
        let text = stdout(&["lint", "-", "--format", format], body.as_bytes());
        assert!(text.len() < 2 << 20, "{format}: {} octets", text.len());
        let printed = match format {
            "json" => {
                let object = object(text.as_bytes(), "lint");
                assert_eq!(object["files"][0]["findings"].as_array().unwrap().len(), 1000);
                assert_eq!(object["files"][0]["totals"]["error"], 250 * 1024);
                object["files"][0]["left_out"].to_string()
            }
            "sarif" => {
                let log: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 1000);
                log["runs"][0]["invocations"][0]["toolExecutionNotifications"].to_string()
            }
            _ => text.lines().last().unwrap().to_owned(),
        };
        assert!(printed.contains(&rest.to_string()), "{format}: {printed}");
    }
    let arguments = ["explain", "-", "--agent", "examplebot", "/"];
    let text = String::from_utf8(run(&arguments, body.as_bytes()).stdout).unwrap();
    assert!(text.len() < 1 << 14, "{} octets", text.len());
    // `explain` has the same limit, and also counts the other findings.
    let body = format!("User-agent: *\n{}", "Disalow: /\n".repeat(3000));
    let arguments = ["explain", "-", "--agent", "examplebot", "--format", "json", "/"];
    let object = object(&run(&arguments, body.as_bytes()).stdout, "explain");
    let answer = &object["answers"][0];
    assert_eq!(answer["findings"].as_array().unwrap().len(), 1000);
    assert_eq!(answer["left_out"], serde_json::json!({ "misspelt-field": 2000 }));
}

#[test]
fn programs_get_an_object_of_the_schema() {
    for edition in Edition::ALL.iter().chain(Edition::DRAFTS) {
        let edition = edition.id();
        let text =
            stdout(&["lint", "-", "--format", "json", "--edition", edition], BROKEN.as_bytes());
        let object = object(text.as_bytes(), "lint");
        assert_eq!(object["files"][0]["edition"], edition);
        let findings = object["files"][0]["findings"].as_array().unwrap();
        assert!(findings.len() > 8, "{text}");
    }
    let text = stdout(&["lint", "-", "--format", "json"], BROKEN.as_bytes());
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

/// A fix names the deleted text by line and column. This text must begin at the octet offset of the finding.
#[test]
fn sarif_fixes_are_regions_of_text() {
    let text = stdout(&["lint", "-", "--format", "sarif"], BROKEN.as_bytes());
    let log: Value = serde_json::from_str(&text).unwrap();
    let mut fixes = 0;
    for result in log["runs"][0]["results"].as_array().unwrap() {
        let Some(fix) = result["fixes"].as_array().and_then(|fixes| fixes.first()) else {
            continue;
        };
        fixes += 1;
        assert!(fix["description"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        let change = &fix["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "robots.txt");
        let replacement = &change["replacements"][0];
        let region = &replacement["deletedRegion"];
        assert!(
            region.get("byteOffset").is_none() && region.get("charOffset").is_none(),
            "{region}"
        );
        let number = |key: &str| usize::try_from(region[key].as_u64().unwrap()).unwrap();
        assert_eq!(number("startLine"), number("endLine"));
        let line = BROKEN.lines().nth(number("startLine") - 1).unwrap();
        let units: Vec<u16> = line.encode_utf16().collect();
        let deleted =
            String::from_utf16(&units[number("startColumn") - 1..number("endColumn") - 1]).unwrap();
        let offset = &result["locations"][0]["physicalLocation"]["region"];
        let start = usize::try_from(offset["byteOffset"].as_u64().unwrap()).unwrap();
        assert!(BROKEN[start..].starts_with(&deleted), "{deleted}");
        assert!(replacement["insertedContent"]["text"].is_string());
    }
    assert!(fixes >= 4, "{text}");
}

#[test]
fn github_gets_a_line_a_finding() {
    let text = stdout(&["lint", "-", "--format", "github", "--level", "error"], BROKEN.as_bytes());
    insta::assert_snapshot!("lint_github", text);
}

/// The most severe finding decides the exit status, even if it is not shown.
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
#[case(&["lint", "-", "--edition", "x"], "the editions are google-2018")]
#[case(&["explain", "--user-agent", "(x)", "-", "/"], "names no product")]
fn wrong_usage_is_one_message(#[case] arguments: &[&str], #[case] message: &str) {
    let output = run(arguments, b"");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.contains(message), "{printed}");
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

/// The answer comes first, then the findings that affect it.
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

/// Writes a file in a new folder.
fn file(body: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.txt");
    std::fs::write(&path, body).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

/// `--fix` removes a star that changes nothing. `--fix` does not correct a misspelt rule, because the corrected rule
/// would take effect and change verdicts.
#[test]
fn a_fix_is_shown_and_written_and_changes_no_verdict() {
    let body = "user-agent: *\ndisallow: /a*\ndisalow: /b\n";
    let (_folder, path) = file(body);
    let dry = run(&["lint", "--fix", "--dry-run", &path], b"");
    let text = String::from_utf8(dry.stdout).unwrap();
    assert!(text.contains("-disallow: /a*\n+disallow: /a\n"), "{text}");
    assert!(text.contains("1 finding can be fixed"), "{text}");
    assert_eq!(
        (dry.status.code(), std::fs::read_to_string(&path).unwrap()),
        (Some(1), body.to_owned())
    );
    let text = stdout(&["lint", "--fix", &path], b"");
    assert!(text.contains("1 finding fixed"), "{text}");
    assert!(
        text.contains("1 finding left for you") && text.contains("misspelt-field in line 3"),
        "{text}"
    );
    let fixed = "user-agent: *\ndisallow: /a\ndisalow: /b\n";
    assert_eq!(std::fs::read_to_string(&path).unwrap(), fixed);
    // A second run finds nothing to fix.
    let text = stdout(&["lint", "--fix", &path], b"");
    assert!(text.contains("0 findings fixed"), "{text}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), fixed);
    let output = run(&["lint", "--fix", "-"], body.as_bytes());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

#[rstest]
#[trace]
#[case(&[], "useless-star", true)]
#[case(&["--ignore", "useless-star"], "useless-star", false)]
#[case(&["--ignore", "useless-star,raw-space"], "raw-space", false)]
#[case(&["--select", "raw-space"], "useless-star", false)]
#[case(&["--select", "raw-space"], "raw-space", true)]
fn findings_are_selected(#[case] arguments: &[&str], #[case] kind: &str, #[case] is_shown: bool) {
    let body = "user-agent: *\ndisallow: /a*\ndisallow: /b c\n";
    let text = stdout(&[&["lint", "-"], arguments].concat(), body.as_bytes());
    assert_eq!(text.contains(&format!("[{kind}]")), is_shown, "{text}");
}

#[test]
fn comments_switch_findings_off() {
    let whole = "# robots-lint: ignore useless-star\nuser-agent: *\ndisallow: /a*\ndisallow: /b*\n";
    assert_eq!(stdout(&["lint", "-"], whole.as_bytes()), "robots.txt: no findings\n");
    let line = "user-agent: *\ndisallow: /a* # robots-lint: ignore useless-star\ndisallow: /b*\n";
    let text = stdout(&["lint", "-"], line.as_bytes());
    assert!(text.ends_with("robots.txt: 1 note\n") && text.contains("(line 3)"), "{text}");
    let output = run(&["lint", "-"], b"# robots-lint: ignore useless-start\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("line 1") && stderr.contains("did you mean \"useless-star\"?"),
        "{stderr}"
    );
}

#[test]
fn a_config_file_sets_what_arguments_leave_open() {
    let (folder, path) = file("user-agent: *\ndisallow: /a*\ndisallow: /b c\n");
    let config = folder.path().join("lint.yaml");
    let config = config.to_str().unwrap();
    std::fs::write(config, "ignore: [useless-star]\nfail-on: warning\nportability: none\n")
        .unwrap();
    let output = run(&["lint", "--config", config, &path], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.ends_with(": 1 warning\n"), "{text}");
    let output = run(&["lint", "--config", config, "--fail-on", "never", &path], b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for wrong in ["ignor: [x]\n", "ignore: [useless-start]\n", "fail-on: sometimes\n"] {
        std::fs::write(config, wrong).unwrap();
        let output = run(&["lint", "--config", config, &path], b"");
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_known_host_is_in_suggestions() {
    let body = "user-agent: *\ndisallow: /x\nsitemap: /s.xml\n";
    let text = stdout(&["lint", "-", "--origin", "https://shop.example"], body.as_bytes());
    assert!(text.contains("`https://shop.example/s.xml`"), "{text}");
    let output = run(&["lint", "-", "--origin", "shop.example"], body.as_bytes());
    assert_eq!(output.status.code(), Some(2));
}

/// The totals count every note that shares a line of the output with other notes, and notes about software.
#[test]
fn totals_agree_with_what_is_printed() {
    let stars: String = (0..20).map(|number| format!("disallow: /a{number}/*\n")).collect();
    let body = format!("user-agent: *\n{stars}");
    let text = stdout(&["lint", "-"], body.as_bytes());
    assert!(text.contains("(lines 2, 3, 4, 5, 6, 7 and 14 more)"), "{text}");
    assert!(text.ends_with("robots.txt: 20 notes\n"), "{text}");
}

#[test]
fn a_mistyped_finding_is_not_explained() {
    let output = run(&["lint", "--explain", "useless-start"], b"");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr.contains("did you mean \"useless-star\"?"), "{stderr}");
}
