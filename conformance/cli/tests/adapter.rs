//! Tests the adapter that the README shows: ten lines of Python that work as a subject.

use std::process::{Command, Stdio};

use serde_json::Value;

/// Returns the code in the first Python block of a page.
fn python(page: &str) -> &str {
    let (_, rest) = page.split_once("```python\n").expect("the page shows an adapter");
    rest.split_once("```").unwrap().0
}

#[test]
fn ten_lines_of_python_get_a_full_report() {
    let adapter = python(include_str!("../README.md"));
    assert_eq!(adapter.lines().count(), 10, "{adapter}");
    assert_eq!(
        adapter,
        python(include_str!("../../../README.md")),
        "the two pages show one adapter"
    );
    let python = Command::new("python3").arg("--version").stdout(Stdio::null()).status();
    if !python.is_ok_and(|status| status.success()) {
        assert!(std::env::var_os("CI").is_none(), "python3 is needed: install it");
        eprintln!("not tested: python3 is absent; install it to run the README's adapter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("adapter.py");
    std::fs::write(&file, adapter).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .args(["run", "--report", "json", "--subject"])
        .arg(format!("python3 {}", robots_console::render::quoted(file.to_str().unwrap())))
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "it departs from RFC 9309\n{errors}");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["subject"], "urllib");
    let total = |name: &str| report["totals"][name].as_u64().unwrap();
    let trials = report["trials"].as_array().unwrap();
    assert!(trials.iter().all(|trial| trial["edition"] == "rfc9309"));
    assert!(trials.len() > 1000, "{}", trials.len());
    assert!(total("passed") > 300 && total("failed") > 50, "{}", report["totals"]);
    assert!(total("errored") < 20, "{}", report["totals"]);
}
