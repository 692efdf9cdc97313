//! The verb `live` with crawlers that are small scripts, and with the test web's own cases.

#![cfg(all(unix, feature = "live"))]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Follows every link of the hub by a few lines of shell and python: it asks for no robots.txt.
const GREEDY: &str = r#"
import re, sys, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
seed = sys.argv[1]
for link in re.findall('href="([^"]*)"', opener.open(seed, timeout=3).read().decode()):
    try:
        opener.open(link, timeout=3).read()
    except OSError:
        pass
"#;

fn live(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    command.arg("live").args(words).stdin(Stdio::null()).output().unwrap()
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

fn has_python() -> bool {
    Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn greedy(folder: &Path) -> String {
    let script = folder.join("greedy.py");
    fs::write(&script, GREEDY).unwrap();
    format!("python3 {} {{seed}}", script.display())
}

#[test]
fn who_fetches_what_is_forbidden_fails_and_is_told_how() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [json, junit, markdown] =
        ["live.json", "live.xml", "live.md"].map(|name| folder.path().join(name));
    let output = live(&[
        "--exec",
        &greedy(folder.path()),
        "--filter",
        "wire-status-503::rfc9309",
        "--report",
        &format!("json={}", json.display()),
        "--report",
        &format!("junit={}", junit.display()),
        "--report",
        &format!("markdown={}", markdown.display()),
    ]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for part in [
        "wire-status-503 under rfc9309: failed",
        "The sites:",
        "The access log:",
        "without having asked",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let report: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(report["clean"], false);
    assert_eq!(report["trials"][0]["name"], "wire-status-503::rfc9309");
    assert_eq!(report["trials"][0]["outcome"], "failed");
    assert_eq!(report["records"][0]["case"], "wire-status-503");
    assert!(fs::read_to_string(junit).unwrap().contains("<failure "));
    assert!(fs::read_to_string(markdown).unwrap().contains("`wire-status-503::rfc9309` (must"));
}

#[test]
fn a_known_failure_is_a_deviation_and_one_that_healed_fails() {
    if !has_python() {
        eprintln!("not run: python3 is not there");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let known = folder.path().join("known.yaml");
    let exec = greedy(folder.path());
    let run = |entries: &str, filter: &str| {
        fs::write(&known, entries).unwrap();
        live(&["--exec", &exec, "--filter", filter, "--deviations", &known.display().to_string()])
    };
    let entry = "wire-status-503::rfc9309: { outcome: failed, why: It asks nobody. }";
    let output = run(entry, "wire-status-503::rfc9309");
    assert!(output.status.success(), "{}", text(&output.stderr));
    // A crawler that fetches everything is right where there is no robots.txt.
    let healed = "verdict-no-such-case::rfc9309: { outcome: failed, why: x }";
    let output = run(healed, "wire-status-503::rfc9309");
    assert!(text(&output.stderr).contains("STALE"), "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_crawler_that_never_comes_passes_nothing() {
    let output = live(&["--exec", "true {seed}", "--filter", "wire-status-404::rfc9309"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("inconclusive"), "{}", text(&output.stdout));
}

/// The crawler's children end with it, and the folder it wrote to goes.
#[test]
fn at_the_limit_the_whole_group_is_ended_and_nothing_stays() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("note");
    let script = format!(
        "echo {{seed}} > left-behind; pwd > {0}; sleep 600 & echo $! >> {0}; wait",
        note.display()
    );
    let exec = format!("sh -c '{script}'");
    let output = live(&["--exec", &exec, "--filter", "wire-status-404::rfc9309", "--limit", "1"]);
    let table = text(&output.stdout);
    let waited = table.lines().find(|line| line.starts_with("rfc9309  ") && line.contains('·'));
    assert!(waited.is_some_and(|line| line.split_whitespace().nth(6) == Some("1")), "{table}");
    let note = fs::read_to_string(note).unwrap();
    let [dir, child] = note.lines().collect::<Vec<_>>()[..] else { panic!("{note}") };
    assert!(!Path::new(dir).exists(), "{dir} is still there");
    // Signal 0 reaches a process that is still there.
    let alive = Command::new("kill").args(["-0", child]).stderr(Stdio::null()).status().unwrap();
    let gone = !alive.success()
        || fs::read_to_string(format!("/proc/{child}/stat"))
            .is_ok_and(|stat| stat.contains(") Z "));
    assert!(gone, "{child} is still running");
}

#[test]
fn wrong_use_is_2() {
    for (words, message) in [
        (["--exec", "wget", "--filter", "x"], "neither {seed} nor {seeds}"),
        (["--exec", "wget {seed}", "--filter", "no-such-case"], "no case has a name"),
        (["--exec", "wget {seed}", "--report", "html"], "live writes no html report"),
        (["--exec", "wget {seed}", "--deviations", "/nowhere.yaml"], "cannot read"),
    ] {
        let output = live(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(message), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn a_crawler_that_is_not_there_is_not_run() {
    let output =
        live(&["--exec", "/no/such/crawler {seed}", "--filter", "wire-status-404::rfc9309"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("the crawler does not start"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn live_cases_are_listed_and_shown() {
    let run = |words: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_robots-conformance")).args(words).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let list = run(&["list", "--live", "--edition", "rfc9309"]);
    assert!(list.lines().count() > 400, "{}", list.lines().count());
    assert!(list.contains("wire-status-503  "));
    assert!(run(&["show", "wire-status-503"]).contains("not fetched: "));
}

#[test]
fn a_site_stands_until_standard_input_ends() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    let output =
        command.args(["serve-web", "wire-status-503"]).stdin(Stdio::null()).output().unwrap();
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains("begin at     http://"), "{said}");
}
