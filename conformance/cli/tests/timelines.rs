//! Runs the programs that docs/timelines.md shows.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

const PAGE: &str = include_str!("../../../docs/timelines.md");

/// The timelines that the programs fail for another reason than a redirect or a `Retry-After`. The page gives the
/// reason for each of the two.
const OTHERS: [&str; 2] = ["timeline-host-in-capitals", "timeline-identification-in-user-agent"];

/// The timelines that the programs fail because they ignore `Retry-After`, although their names do not say it.
const PAUSES: [&str; 1] = ["timeline-restart-a-minute-later"];

/// Returns a Python program of the page.
fn program(index: usize) -> &'static str {
    let block = PAGE.split("```python\n").nth(index + 1).expect("the page shows a program");
    block.split_once("```").unwrap().0
}

/// Returns whether Python is present. It must be in CI.
fn has_python() -> bool {
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    let is_present = python.is_ok_and(|status| status.success());
    assert!(is_present || std::env::var_os("CI").is_none(), "python3 is needed: install it");
    if !is_present {
        eprintln!("not tested: python3 is absent; install it to run the programs of the page");
    }
    is_present
}

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Runs the timelines on a program of the page. Returns the ids of the failed timelines.
fn failed(index: usize) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("retriever.py");
    std::fs::write(&file, program(index)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .args(["run", "--filter", "timeline-", "--report", "json", "--subject"])
        .arg(format!("python3 {}", robots_console::render::quoted(file.to_str().unwrap())))
        .env("PYTHONPATH", workspace().join("packages/pypi/robots-conformance"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "it departs from RFC 9309\n{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let trials = report["trials"].as_array().unwrap();
    let has_outcome = |trial: &Value, outcome: &str| trial["outcome"] == outcome;
    let is_answered = |trial| ["passed", "failed", "open"].iter().any(|it| has_outcome(trial, it));
    assert!(trials.iter().all(is_answered), "{}", report["totals"]);
    assert!(trials.len() > 180, "{}", trials.len());
    let failed = trials.iter().filter(|trial| has_outcome(trial, "failed"));
    failed.map(|trial| trial["case"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_first_program_fails_what_the_page_names() {
    if !has_python() {
        return;
    }
    let failed = failed(0);
    let is_named = |id: &&String| {
        id.contains("redirect")
            || id.contains("retry-after")
            || OTHERS.contains(&id.as_str())
            || PAUSES.contains(&id.as_str())
    };
    let others: Vec<_> = failed.iter().filter(|id| !is_named(id)).collect();
    assert!(others.is_empty(), "{others:?}");
    let count = |part: &str| failed.iter().filter(|id| id.contains(part)).count();
    assert!(count("redirect") > 25 && count("retry-after") > 5, "{failed:?}");
    assert!(OTHERS.iter().all(|id| failed.contains(*id)), "{failed:?}");
}

#[test]
fn the_second_program_is_the_same_retriever() {
    if has_python() {
        assert_eq!(failed(0), failed(1));
    }
}

/// Runs the third program, which is a test, on a retriever that follows no redirect.
#[test]
fn the_third_program_judges_a_retriever() {
    if !has_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let copy = |from: &str, name: &str| {
        std::fs::copy(workspace().join(from).join(name), folder.path().join(name)).unwrap();
    };
    copy("docs/examples/pytest", "expand.py");
    copy("spec-cases/vectors", "fetch-vectors.json");
    let retriever = r#"

from urllib.robotparser import RobotFileParser


def may_fetch(url, at, send):
    reply = send("/".join(url.split("/")[:3]) + "/robots.txt", {"user-agent": "examplebot"}, at)
    if reply.get("status", 599) >= 300:
        return 400 <= reply.get("status", 599) < 500
    parser = RobotFileParser()
    parser.parse(reply["body"].decode("utf-8", "replace").splitlines())
    return parser.can_fetch("examplebot", url)


failed = [vector["id"] for vector in vectors if not passes(vector, may_fetch)]
print(json.dumps({"asked": len(vectors), "failed": failed}))
"#;
    std::fs::write(folder.path().join("test.py"), program(2).to_owned() + retriever).unwrap();
    let mut command = Command::new("python3");
    let output = command.args(["-B", "test.py"]).current_dir(folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(result["asked"].as_u64().unwrap() > 150, "{result}");
    let failed = result["failed"].as_array().unwrap();
    let count =
        |part: &str| failed.iter().filter(|name| name.as_str().unwrap().contains(part)).count();
    assert!(count("redirect") > 15 && failed.len() < 50, "{failed:?}");
}
