//! Accepts snapshots: runs the tests with insta in update mode, then lists the changes.
//!
//! Start at [`run()`]. This function reads all snapshots before and after the tests, and compares the two states. In CI
//! the function refuses to run, because a person must read the changes. A test that fails for another reason still
//! fails.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::invocation::{cargo, usage, workspace};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The packages whose snapshots are accepted; the default is all
    #[arg(value_name = "PACKAGE")]
    packages: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if std::env::var_os("CI").is_some() {
        return usage(
            "snapshots are never accepted under CI; run `cargo xtask bless` and commit the result",
        );
    }
    let before = match snapshots() {
        Ok(before) => before,
        Err(error) => return usage(format_args!("the snapshots cannot be read: {error}")),
    };
    let mut command = Command::new(cargo());
    command.current_dir(workspace()).arg("test").arg("--no-fail-fast");
    if arguments.packages.is_empty() {
        command.arg("--workspace");
    }
    for package in &arguments.packages {
        command.args(["--package", package]);
    }
    let status = command.env("INSTA_UPDATE", "always").env("INSTA_FORCE_PASS", "1").status();
    let after = match snapshots() {
        Ok(after) => after,
        Err(error) => return usage(format_args!("the snapshots cannot be read: {error}")),
    };
    for line in changes(&before, &after) {
        anstream::println!("{line}");
    }
    match status {
        Ok(status) if status.success() => {
            anstream::println!("read the changes with `git diff` before you commit them");
            ExitCode::SUCCESS
        }
        Ok(_) => {
            anstream::eprintln!("error: tests failed for other reasons than snapshots");
            ExitCode::FAILURE
        }
        Err(error) => usage(format_args!("cargo test did not start: {error}")),
    }
}

type Snapshots = BTreeMap<PathBuf, String>;

/// Lists every snapshot that was added, changed or removed, one on each line.
fn changes(before: &Snapshots, after: &Snapshots) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, text) in after {
        match before.get(path) {
            None => lines.push(format!("added    {}", path.display())),
            Some(old) if old != text => {
                let (removed, added) = (only_in(old, text), only_in(text, old));
                lines.push(format!("changed  {} (-{removed} +{added} lines)", path.display()));
            }
            Some(_) => {}
        }
    }
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        lines.push(format!("removed  {}", path.display()));
    }
    if lines.is_empty() {
        lines.push("no snapshot changed".to_owned());
    }
    lines
}

fn only_in(text: &str, other: &str) -> usize {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in other.lines() {
        *counts.entry(line).or_default() += 1;
    }
    text.lines()
        .filter(|line| match counts.get_mut(line) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .count()
}

fn snapshots() -> io::Result<Snapshots> {
    fn walk(folder: &Path, found: &mut Snapshots) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default();
                if name != "target" && name != ".git" {
                    walk(&path, found)?;
                }
            } else if path.extension().is_some_and(|extension| extension == "snap") {
                found.insert(path.clone(), fs::read_to_string(&path)?);
            }
        }
        Ok(())
    }
    let mut found = Snapshots::new();
    walk(&workspace(), &mut found)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Snapshots, changes};

    #[test]
    fn every_kind_of_change_is_listed() {
        let file = |name: &str, text: &str| (name.into(), text.to_owned());
        let before = Snapshots::from([file("a", "1\n2\n"), file("b", "x"), file("c", "x")]);
        let after = Snapshots::from([file("a", "1\n3\n4\n"), file("c", "x"), file("d", "x")]);
        insta::assert_snapshot!(changes(&before, &after).join("\n"), @r"
        changed  a (-1 +2 lines)
        added    d
        removed  b
        ");
        assert_eq!(changes(&before, &before), ["no snapshot changed"]);
    }
}
