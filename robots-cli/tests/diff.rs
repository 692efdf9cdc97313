//! Tests the verb `diff`: its input, its output in each format, and its exit status.

mod common;

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use pulldown_cmark::{Event, Options, Parser, Tag};
use robots_core::Edition;
use rstest::rstest;
use serde_json::{Value, json};
use serde_sarif::sarif::Sarif;

use self::common::text;

const OLD: &str = "User-agent: *\nDisallow: /shop/\nDisallow: /a|b`\n";
const NEW: &str = "User-agent: *\nDisallow: /shop/\nAllow: /shop/*?color=\n\n\
    User-agent: GPTBot\nDisallow: /private\nDisallow: /shop/\nAllow: /shop/*?color=\n";

struct Folder(common::Folder);

impl Folder {
    fn new() -> Self {
        Self(common::Folder::with(&[("old.txt", OLD), ("new.txt", NEW)]))
    }

    fn write(&self, name: &str, text: &str) {
        self.0.write(name, text);
    }

    fn diff(&self, arguments: &[&str]) -> Output {
        self.0.run(&[&["diff"], arguments].concat())
    }
}

fn object(output: &Output) -> Value {
    common::object(&output.stdout, "diff")
}

/// The output calls standard input `standard input`, not `robots.txt`, which is its name in findings.
#[test]
fn standard_input_is_named_as_such() {
    let folder = Folder::new();
    for format in ["text", "markdown"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
        let file = fs::File::open(folder.0.path("new.txt")).unwrap();
        let command = command.args(["diff", "old.txt", "-", "--format", format]).stdin(file);
        let output = command.env("NO_COLOR", "1").current_dir(folder.0.path("")).output().unwrap();
        let shown = text(&output.stdout);
        assert!(shown.contains("standard input") && !shown.contains("robots.txt`"), "{shown}");
    }
}

#[test]
fn editions_are_compared_by_another_verb() {
    let output = Folder::new().diff(&["rfc9309", "google-2022"]);
    assert_eq!(output.status.code(), Some(2));
    let shown = text(&output.stderr);
    assert!(shown.contains("`robots-conformance editions rfc9309 google-2022`"), "{shown}");
}

#[test]
fn people_read_what_opens_and_closes() {
    let output = Folder::new().diff(&["old.txt", "new.txt"]);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!("diff_text", text(&output.stdout));
}

#[test]
fn a_pull_request_gets_a_table() {
    let output = Folder::new().diff(&["--format", "markdown", "old.txt", "new.txt"]);
    let page = text(&output.stdout);
    let events: Vec<Event<'_>> = Parser::new_ext(&page, Options::ENABLE_TABLES).collect();
    let count =
        |wanted: fn(&Event<'_>) -> bool| events.iter().filter(|event| wanted(event)).count();
    let rows = count(|event| matches!(event, Event::Start(Tag::TableRow)));
    let cells = count(|event| matches!(event, Event::Start(Tag::TableCell)));
    assert_eq!(cells, 6 * (rows + 1), "{page}");
    assert!(events.contains(&Event::Code("/a|b`".into())), "{page}");
    insta::assert_snapshot!("diff_markdown", page);
}

#[test]
fn programs_get_an_object_of_the_schema() {
    let folder = Folder::new();
    for edition in Edition::ALL.iter().chain(Edition::DRAFTS) {
        let output =
            folder.diff(&["--edition", edition.id(), "--format", "json", "old.txt", "new.txt"]);
        object(&output);
    }
    let output = folder.diff(&["--format", "json", "old.txt", "new.txt"]);
    insta::assert_snapshot!("diff_json", text(&output.stdout));
}

#[test]
fn code_hosts_get_sarif() {
    let output = Folder::new().diff(&["--format", "sarif", "old.txt", "new.txt"]);
    let log: Sarif = serde_json::from_slice(&output.stdout).unwrap();
    let results = log.runs[0].results.as_ref().unwrap();
    assert_eq!(results.len(), 3);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    let message = |one: &&Value| one["message"]["text"].as_str().unwrap().contains("?color=");
    let shop = object["runs"][0]["results"].as_array().unwrap().iter().find(message).unwrap();
    assert_eq!(shop["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    assert_eq!(shop["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 2);
}

/// If only preferences change, every format shows which, for which crawlers, with an example and the deciding lines.
#[test]
fn preferences_are_compared() {
    let folder = Folder::new();
    let page = "User-agent: *\nDisallow: /shop/\nContent-Usage: train-ai=n\nContent-Usage: /open/ train-ai=y\n";
    folder.write("old.txt", page);
    folder.write("new.txt", &page.replace("train-ai=n\n", "search=y\n"));
    let diff = |format: &str| {
        let draft = Edition::Aipref2026_08.id();
        let output = folder.diff(&["--edition", draft, "--format", format, "old.txt", "new.txt"]);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        output.stdout
    };
    insta::assert_snapshot!("diff_preferences_text", text(&diff("text")));
    let cells = text(&diff("markdown"));
    assert!(
        cells.contains("| `/` | changes the preference for train-ai | everyone | `/` |"),
        "{cells}"
    );
    let log: Sarif = serde_json::from_slice(&diff("sarif")).unwrap();
    let results = log.runs[0].results.as_ref().unwrap();
    assert!(results.iter().all(|result| result.rule_id.as_deref() == Some("preference")));
    assert_eq!(results.len(), 2);
    let object = common::object(&diff("json"), "diff");
    let changes = object["changes"].as_array().unwrap();
    let change = changes.iter().find(|change| change["category"] == "train-ai").unwrap();
    assert_eq!(change["example"]["before"], json!({ "preference": "disallowed", "lines": [3] }));
    assert_eq!(change["example"]["after"], json!({ "preference": "unknown", "lines": [3] }));
}

/// Changes of sitemaps and of `Crawl-delay` are reported, but do not change the exit status.
#[test]
fn sitemaps_and_delays_are_mentioned() {
    let folder = Folder::new();
    let file = |delay: u8, sitemap: &str| {
        format!(
            "User-agent: *\nCrawl-delay: {delay}\nDisallow: /x\n\nSitemap: https://example.com/{sitemap}\n"
        )
    };
    folder.write("old.txt", &file(5, "old.xml"));
    folder.write("new.txt", &file(10, "new.xml"));
    let lines = [
        "sitemap https://example.com/old.xml is not listed any more",
        "sitemap https://example.com/new.xml is new",
        "Crawl-delay for everyone: 5 s -> 10 s",
    ];
    for format in ["text", "markdown", "sarif"] {
        let output = folder.diff(&["--format", format, "old.txt", "new.txt"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let printed = text(&output.stdout);
        assert!(lines.iter().all(|line| printed.contains(line)), "{printed}");
    }
    let output = folder.diff(&["--format", "json", "old.txt", "new.txt"]);
    let object = object(&output);
    assert_eq!(
        object["sitemaps"],
        json!({ "removed": ["https://example.com/old.xml"], "added": ["https://example.com/new.xml"] })
    );
    let delay = json!({ "unnamed": true, "agents": [], "before": 5.0, "after": 10.0 });
    assert_eq!(object["crawl_delays"], json!([delay]));
}

/// Sentences about sitemaps that are cut are counted, also if no URL changes its verdict.
#[rstest]
#[case("text")]
#[case("markdown")]
fn sentences_that_are_cut_are_counted(#[case] format: &str) {
    let folder = Folder::new();
    let sitemaps: String = (0..52).map(|n| format!("Sitemap: https://example.com/{n}\n")).collect();
    folder.write("new.txt", &(OLD.to_owned() + &sitemaps));
    let count = |options: &[&str]| {
        let output = folder.diff(&[options, &["--format", format, "old.txt", "new.txt"]].concat());
        let printed = text(&output.stdout);
        let left_out = printed.contains("and 2 more changes; --all shows every change");
        (printed.matches(" is new").count(), left_out)
    };
    assert_eq!([count(&[]), count(&["--all"])], [(50, true), (52, false)]);
}

#[rstest]
#[trace]
#[case::same(&["old.txt", "old.txt"], 0)]
#[case::both_kinds(&["old.txt", "new.txt"], 1)]
#[case::opened(&["--fail-on", "opened", "old.txt", "new.txt"], 1)]
#[case::closed(&["--fail-on", "closed", "old.txt", "more.txt"], 0)]
#[case::preference(&["--fail-on", "preference", "old.txt", "new.txt"], 0)]
#[case::closed_the_other_way(&["--fail-on", "closed", "more.txt", "old.txt"], 1)]
#[case::no_such_file(&["old.txt", "none.txt"], 2)]
#[case::no_such_kind(&["--fail-on", "changed", "old.txt", "new.txt"], 2)]
#[case::no_such_format(&["--format", "html", "old.txt", "new.txt"], 2)]
#[case::standard_input_twice(&["-", "-"], 2)]
fn the_exit_status_says_what_was_found(#[case] arguments: &[&str], #[case] status: i32) {
    let folder = Folder::new();
    folder.write("more.txt", "User-agent: *\nDisallow: /shop/\n");
    let output = folder.diff(arguments);
    assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    if status == 2 {
        assert_eq!(text(&output.stdout), "");
        assert!(text(&output.stderr).starts_with("error: "), "{}", text(&output.stderr));
    }
}

#[test]
fn a_revision_of_git_is_read() {
    let folder = Folder::new();
    folder.write("robots.txt", OLD);
    folder.0.git(&["init", "--quiet"]);
    folder.0.git(&["add", "robots.txt"]);
    folder.0.git(&["commit", "--quiet", "--message", "one"]);
    folder.write("robots.txt", NEW);
    let output = folder.diff(&["--format", "sarif", "HEAD:robots.txt", "robots.txt"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    // SARIF names a path, because code hosts show findings at a path.
    let log: Value = serde_json::from_slice(&output.stdout).unwrap();
    let before = &log["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"];
    assert_eq!(before["artifactLocation"]["uri"], "robots.txt");
}

/// Makes a file of 5,000 rules. The first `wild` rules have wildcards. Two files with different values of `turn` have
/// no rule in common.
fn large(wild: usize, turn: usize) -> String {
    let mut file = String::from("User-agent: *\n");
    for rule in 0..5000 {
        let (kind, number) = (if rule % 7 == 0 { "Allow" } else { "Disallow" }, rule + turn * 5000);
        let _ = if rule < wild {
            writeln!(file, "{kind}: /*/p{number}?*sort=")
        } else {
            writeln!(file, "{kind}: /shop/{}/item-{number}/", number % 97)
        };
    }
    file
}

#[test]
fn five_thousand_rules_a_side_take_seconds() {
    let folder = Folder::new();
    folder.write("one.txt", &large(0, 0));
    folder.write("other.txt", &large(0, 1));
    let start = Instant::now();
    let output = folder.diff(&["one.txt", "other.txt"]);
    let time = start.elapsed();
    println!("{time:?}");
    // The limit is generous, because an unoptimised build on a busy machine is slower than a released command.
    assert!(time < Duration::from_secs(60), "{time:?}");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(printed.contains("more changes; --all shows every change\n"), "{printed}");
    assert!(!printed.contains("sample"), "{printed}");
}

/// If the comparison reaches its limit, every format and the exit status report that the result is a sample.
#[test]
fn a_sample_is_marked() {
    let folder = Folder::new();
    folder.write("one.txt", &large(200, 0));
    folder.write("other.txt", &large(200, 1));
    for format in ["text", "json", "sarif", "markdown"] {
        let output = folder.diff(&["--format", format, "one.txt", "other.txt"]);
        assert_eq!(output.status.code(), Some(1), "{format}");
        let printed = text(&output.stdout);
        let mark = match format {
            "json" => "\"sampled\": true",
            _ => "this is a sample",
        };
        assert!(printed.contains(mark), "{format}: {printed}");
    }
}
