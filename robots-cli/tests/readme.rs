//! Tests that the command prints the output that the README of the workspace shows.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the block of the README that contains a text, without its fences.
fn block(text: &str) -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let found = readme.split("```").find(|block| block.contains(text));
    found.unwrap_or_else(|| panic!("no block of the README has {text:?}")).to_owned()
}

fn output(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robots"));
    let output = command.args(arguments).env("NO_COLOR", "1").current_dir(folder).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn lint_prints_what_the_readme_shows() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("robots.txt"), "User-agent: *\nDisalow: /private\n").unwrap();
    let (shown, printed) =
        (block("$ robots lint robots.txt"), output(folder.path(), &["lint", "robots.txt"]));
    assert!(shown.contains(&printed), "the README shows{shown}but the command prints\n{printed}");
}
