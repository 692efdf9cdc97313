//! Tests that the command prints the output that the README of the workspace shows.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the block of the README that contains a text, without its fences.
fn block(text: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let found = readme.split("```").find(|block| block.contains(text));
    found.unwrap_or_else(|| panic!("no block of the README has {text:?}")).to_owned()
}

fn output(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots-conformance"));
    let output = command.args(arguments).env("NO_COLOR", "1").current_dir(folder).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// Tests the failure that the README shows, with a tool that allows every URL.
#[test]
#[cfg(unix)]
fn a_failure_is_printed_as_the_readme_shows() {
    let folder = tempfile::tempdir().unwrap();
    let name = "length-rfc-longest-match::rfc9309::/example/page/disallowed.gif";
    let exec = ["run", "--exec", "true {agent} {robots} {url}", "--filter", name];
    let printed = output(folder.path(), &exec);
    // The README calls the tool `allow`, and shows no command that repeats the trial.
    let (_, printed) = printed.split_once("FAILED true::").unwrap();
    let printed = printed.split("  rerun ").next().unwrap();
    let shown = block("FAILED allow::");
    assert!(
        shown.contains(printed.trim_end()),
        "the README shows{shown}but the command prints\n{printed}"
    );
}
