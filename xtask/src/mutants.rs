//! Compares the mutants that no test caught with the list of mutants that need no test.
//!
//! Start at [`compare()`]. This function reads the output of a finished run of `cargo mutants`. Every survivor (a
//! mutant that no test caught) must be in the list with a reason. A listed mutant must still survive, so the list has
//! no stale entry. Mutants are compared without line and column, because edits change them.

mod name;
mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use self::name::{file, name};
use crate::invocation::workspace;

/// The list of the mutants that need no test. Each line has a mutant, ` -- `, and the reason why no test needs to catch
/// the mutant.
const LIST: &str = "mutants.txt";

/// The page about the mutants that the timelines catch.
const PAGE: &str = "docs/timeline-mutants.md";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder `mutants.out` of a run of `cargo mutants`
    folder: PathBuf,
    /// The run tested all mutants of its files, so every listed mutant of these files must be among the survivors
    #[arg(long)]
    whole: bool,
    /// The run asked only the timelines: write docs/timeline-mutants.md instead
    #[arg(long, conflicts_with = "whole")]
    timelines: bool,
}

/// Compares the survivors of a run with the list.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let outcome = if arguments.timelines { write_page(arguments) } else { compare(arguments) };
    match outcome {
        Ok(message) => {
            anstream::println!("{message}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            anstream::eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the page about the mutants that the timelines catch.
fn write_page(arguments: &Arguments) -> Result<String, String> {
    let read = |name: &str| read(&arguments.folder.join(name));
    let caught = read("caught.txt")? + &read("timeout.txt")?;
    let path = workspace().join(PAGE);
    fs::write(&path, page::page(&caught, &read("missed.txt")?))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(format!("{PAGE}: written"))
}

fn compare(arguments: &Arguments) -> Result<String, String> {
    let list = read(&workspace().join(LIST))?;
    let [missed, caught] =
        ["missed.txt", "caught.txt"].map(|name| read(&arguments.folder.join(name)));
    // With `--iterate`, cargo mutants stores the mutants that earlier runs caught or could not build in this file.
    let before = read(&arguments.folder.join("previously_caught.txt")).unwrap_or_default();
    let explained = explained(&list)?;
    let (missed, caught) = (missed?, caught? + &before);
    let mut problems = differences(&explained, &missed, &caught);
    if arguments.whole {
        let timeout = read(&arguments.folder.join("timeout.txt")).unwrap_or_default();
        let is_there = |file: &str| workspace().join(file).is_file();
        problems.extend(absent(&explained, &missed, &(caught + &timeout), is_there));
    }
    if problems.is_empty() {
        return Ok(format!("every survivor has its reason; {LIST} has {}", explained.len()));
    }
    Err(format!(
        "{}\nadd a test that catches it, or a line `MUTANT -- REASON` to {LIST}; remove the lines of \
         mutants that were caught, or that cargo mutants no longer makes",
        problems.join("\n")
    ))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Reads the list. The list contains each mutant once, with a reason that is not blank.
fn explained(list: &str) -> Result<BTreeMap<String, &str>, String> {
    let mut explained = BTreeMap::new();
    for (number, line) in (1..).zip(list.lines()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| format!("{LIST}:{number}: {what}");
        let (mutant, reason) = line.split_once(" -- ").ok_or_else(|| wrong("no ` -- REASON`"))?;
        if reason.trim().is_empty() {
            return Err(wrong("the reason is blank"));
        }
        if explained.insert(name(mutant), reason).is_some() {
            return Err(wrong("the mutant is listed twice"));
        }
    }
    Ok(explained)
}

/// Reports survivors without a reason, and caught mutants that are still listed.
fn differences(explained: &BTreeMap<String, &str>, missed: &str, caught: &str) -> Vec<String> {
    let survivors = missed.lines().filter(|line| !explained.contains_key(&name(line)));
    let healed = caught.lines().filter(|line| {
        // If several mutants have this name, some may be caught while another survives.
        explained.contains_key(&name(line))
            && !missed.lines().any(|other| name(other) == name(line))
    });
    let survivors = survivors.map(|line| format!("survived without a reason: {line}"));
    survivors.chain(healed.map(|line| format!("caught, and still listed: {line}"))).collect()
}

/// Reports listed mutants that do not appear in the results although other mutants of their file do, or whose file no
/// longer exists. Their code has probably changed.
fn absent(
    explained: &BTreeMap<String, &str>,
    missed: &str,
    caught: &str,
    is_there: impl Fn(&str) -> bool,
) -> Vec<String> {
    let seen: BTreeSet<_> = missed.lines().chain(caught.lines()).map(name).collect();
    let files: BTreeSet<_> = seen.iter().map(|mutant| file(mutant)).collect();
    let absent = explained.keys().filter(|mutant| {
        let file = file(mutant);
        !seen.contains(*mutant) && (files.contains(file) || !is_there(file))
    });
    absent.map(|mutant| format!("listed, but cargo mutants no longer makes it: {mutant}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{absent, differences, explained};

    #[test]
    fn survivors_are_compared_by_what_they_are() {
        let list = "# why\na.rs: replace f with 0 -- it is never called\n";
        let explained_list = explained(list).unwrap();
        assert!(differences(&explained_list, "a.rs:7:9: replace f with 0\n", "").is_empty());
        let other = differences(&explained_list, "b.rs:7:9: replace f with 0\n", "");
        assert_eq!(other, ["survived without a reason: b.rs:7:9: replace f with 0"]);
        let healed = differences(&explained_list, "", "a.rs:8:1: replace f with 0\n");
        assert_eq!(healed, ["caught, and still listed: a.rs:8:1: replace f with 0"]);
        let absent = |missed, caught, is_there| {
            absent(&explained_list, missed, caught, |file| file == "a.rs" && is_there)
        };
        let gone = ["listed, but cargo mutants no longer makes it: a.rs: replace f with 0"];
        assert!(absent("", "a.rs:8:1: replace f with 0\n", true).is_empty());
        assert_eq!(absent("a.rs:8:1: replace f with 1\n", "", true), gone);
        // A run of other files shows nothing about this mutant, unless its file no longer exists.
        assert!(absent("b.rs:8:1: replace f with 1\n", "", true).is_empty());
        assert_eq!(absent("b.rs:8:1: replace f with 1\n", "", false), gone);
        assert!(explained("a.rs: x\n").is_err());
        assert!(explained("a.rs: x -- \n").is_err());
    }
}
