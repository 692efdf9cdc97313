//! Checks the causes: [`run`]. Proposes entries for failing questions without one: [`propose`].
//!
//! Each failing question that no rule excuses belongs to exactly one entry of the software's file of causes. Software
//! without a file has no causes, and its failures are differences that nobody has read. Without `offline`, the commands
//! of each page run in a folder of their own, because a page must be true without the tools of this project.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::causes::{Causes, Entry, FOLDER, is_listed};
use crate::judged::requirements;
use crate::results::Outcome;
use crate::row::{Judgement, Row, Survey, Table, Why};
use crate::shown::Shown;

/// What is wrong, a message for each problem.
pub(crate) type Problems = Vec<String>;

/// Checks the causes of a table's software.
pub(crate) fn run<T: Table>(
    rows: &[Row<'_, T>],
    survey: &Survey,
    only: &[String],
    offline: bool,
) -> Problems {
    let mut problems = Problems::new();
    for row in rows.iter().filter(|row| only.is_empty() || only.contains(&row.head.software)) {
        let unread = unread(row).len();
        let Some(causes) = row.causes else {
            if unread > 0 {
                anstream::println!(
                    "{}: {unread} differences that nobody has read",
                    row.head.full_name()
                );
            }
            continue;
        };
        let mut found = entries(row, causes, survey);
        if unread > 0 {
            found.push(format!(
                "{unread} failing questions belong to no cause; run `cargo survey propose {:?}`",
                row.head.software
            ));
        }
        if !offline && found.is_empty() {
            found.extend(reproduced(row, causes));
        }
        anstream::println!("{}: {} causes", row.head.full_name(), causes.charged.len());
        problems.extend(found.into_iter().map(|it| format!("{FOLDER}/{}.toml: {it}", causes.file)));
    }
    problems
}

/// Returns the files of causes for which no row exists, for example because the version is another one. `measured` has
/// the kind and the full name of each measured software.
pub(crate) fn orphans(survey: &Survey, measured: &BTreeSet<(String, String)>) -> Problems {
    let orphans = survey.causes.iter().filter(|(key, _)| !measured.contains(*key));
    let say = |((kind, software), causes): (&(String, String), &Causes)| {
        let file = &causes.file;
        format!("{FOLDER}/{file}.toml: there is no result of the {kind} {software}")
    };
    orphans.map(say).collect()
}

/// Returns the failing questions that nobody has read.
fn unread<'r, T: Table>(row: &'r Row<'_, T>) -> Vec<&'r str> {
    let is_unread = |judgement| matches!(judgement, Judgement::NotJudged(Why::Unread));
    let unread = row.judgements().filter(|(_, judgement)| is_unread(*judgement));
    unread.map(|(failure, _)| failure.tried.name).collect()
}

/// Compares the entries of a file with the results.
fn entries<T: Table>(row: &Row<'_, T>, causes: &Causes, survey: &Survey) -> Problems {
    let mut problems = Problems::new();
    // The failing questions that no rule excuses.
    let is_read = |judgement| {
        matches!(judgement, Judgement::Charged(_) | Judgement::NotJudged(Why::Reason(_)))
    };
    let read = row.judgements().filter(|(_, judgement)| is_read(*judgement));
    let read: BTreeSet<&str> = read.map(|(failure, _)| failure.tried.name).collect();
    let claimed = requirements(row, survey);
    let mut ids = BTreeSet::new();
    for entry in causes.entries() {
        for item in entry.shows() {
            if !read.iter().any(|name| is_listed(item, name)) {
                problems.push(format!("{item:?} is no failing question that may be charged"));
            }
            let passed = passed_cases(row, item);
            if !passed.is_empty() {
                let passed = passed.join(", ");
                problems.push(format!("{item:?} includes cases that it passes: {passed}"));
            }
        }
        let Entry::Cause(cause) = entry else { continue };
        let id = &cause.id;
        if !ids.insert(id) {
            problems.push(format!("two causes have the id {id:?}"));
        }
        if !claimed.contains_key(cause.requirement.as_str()) {
            let requirement = &cause.requirement;
            problems.push(format!("{id}: {requirement} is no requirement at must that it claims"));
        }
        if !cause.shows.iter().any(|item| is_listed(item, &cause.example)) {
            problems.push(format!("{id}: the example is not one of the questions that show it"));
        }
        if let Err(problem) = Shown::of(row, causes, cause) {
            problems.push(format!("{id}: {problem}"));
        }
    }
    for name in read {
        if causes.listing(name).count() > 1 {
            problems.push(format!("{name:?} belongs to more than one entry"));
        }
    }
    problems
}

/// Returns the cases of an item of `shows` that the software passes in full. Another fault may be the reason for the other
/// cases that begin so.
fn passed_cases<'r, T: Table>(row: &'r Row<'_, T>, item: &str) -> Vec<&'r str> {
    let mut cases: BTreeMap<&str, bool> = BTreeMap::new();
    for tried in row.tried.iter().filter(|it| it.edition == row.edition()) {
        if is_listed(item, tried.name) {
            let case = tried.name.split("::").next().unwrap_or_default();
            *cases.entry(case).or_insert(true) &= tried.outcome == Outcome::Passed;
        }
    }
    cases.into_iter().filter_map(|(case, is_passed)| is_passed.then_some(case)).collect()
}

/// Runs the commands of the page in a folder of their own, and compares what they print.
fn reproduced<T: Table>(row: &Row<'_, T>, causes: &Causes) -> Problems {
    let Some(reproduce) = &causes.reproduce else { return Problems::new() };
    if reproduce.system {
        anstream::println!(
            "{}: its page was not run, because it installs packages",
            row.head.full_name()
        );
        return Problems::new();
    }
    // The folder is outside the checkout, because Cargo would add a package in it to the workspace.
    let folder = std::env::temp_dir().join("robots-survey-pages").join(&causes.file);
    // Returns whether the commands succeeded, and what they printed.
    let shell = |lines: &str| {
        let output = Command::new("sh").arg("-ec").arg(lines).current_dir(&folder).output();
        let output = output.map_err(|error| format!("sh: {error}"))?;
        let text = [output.stdout, output.stderr].concat();
        Ok::<_, String>((output.status.success(), String::from_utf8_lossy(&text).into_owned()))
    };
    // The installation is kept, and made anew if its commands change.
    let done = folder.join("setup-is-done");
    if fs::read_to_string(&done).ok().as_deref() != Some(&reproduce.setup) {
        let emptied = match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => fs::create_dir_all(&folder),
        };
        if let Err(error) = emptied {
            return vec![format!("{}: {error}", folder.display())];
        }
        match shell(&reproduce.setup) {
            Ok((true, _)) => {}
            Ok((false, text)) => return vec![format!("the setup failed: {text}")],
            Err(problem) => return vec![problem],
        }
        if let Err(error) = fs::write(&done, &reproduce.setup) {
            return vec![format!("{}: {error}", done.display())];
        }
    }
    let check = |cause| {
        let shown = Shown::of(row, causes, cause)?;
        let (_, text) = shell(&format!("{}\n{}", shown.file, shown.ask))?;
        let is_shown = text.contains(shown.prints.trim());
        if is_shown { Ok(()) } else { Err(format!("does not print {:?}: {text}", shown.prints)) }
    };
    let problem = |cause| check(cause).err().map(|problem| (cause, problem));
    let problems = causes.charged.iter().filter_map(problem);
    problems.map(|(cause, problem)| format!("{}: {problem}", cause.id)).collect()
}

/// Prints a skeleton of causes for the failing questions that nobody has read: a cause for each reader with one fault
/// that fails them, and one for each other requirement.
pub(crate) fn propose<T: Table>(row: &Row<'_, T>, survey: &Survey) -> String {
    let mut groups: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    for (failure, judgement) in row.judgements() {
        if !matches!(judgement, Judgement::NotJudged(Why::Unread)) {
            continue;
        }
        let question = failure.tried.question;
        let reader = survey.faults.reader(&question.requirement, &question.case);
        let reader = reader.unwrap_or("no reader with one fault").to_owned();
        let requirement = failure.charged.first().unwrap_or(&question.requirement).clone();
        groups.entry((requirement, reader)).or_default().insert(failure.tried.name);
    }
    let mut text = format!("kind = {:?}\nsoftware = {:?}\n", T::KIND, row.head.full_name());
    for ((requirement, reader), questions) in groups {
        let example = questions.iter().next().copied().unwrap_or_default();
        let shows: Vec<String> = questions.iter().map(|name| format!("    {name:?},\n")).collect();
        let _ = write!(
            text,
            "\n# {reader}\n[[cause]]\nid = \"\"\ntitle = \"\"\nrequirement = {requirement:?}\n\
             example = {example:?}\nshows = [\n{}]\n",
            shows.concat()
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{entries, run, unread};
    use crate::all::All;
    use crate::causes::Causes;
    use crate::row::{Judgement, Survey};

    #[test]
    fn the_causes_fit_the_stored_results() {
        let (survey, all) = (Survey::of_the_checkout(), All::read().unwrap());
        let (peers, crawlers, retrievers) = all.rows(&survey);
        let mut problems = run(&peers, &survey, &[], true);
        problems.extend(run(&crawlers, &survey, &[], true));
        problems.extend(run(&retrievers, &survey, &[], true));
        assert!(problems.is_empty(), "{problems:#?}");
        // Software that names no document, or has a newer release, is compared and never charged.
        for row in peers.iter().filter(|row| !row.group().is_ranked()) {
            let is_charged = |judgement| matches!(judgement, Judgement::Charged(_));
            assert!(!row.judgements().any(|(_, it)| is_charged(it)), "{}", row.head.software);
            assert!(unread(row).is_empty(), "{}", row.head.software);
        }
    }

    #[test]
    fn a_cause_that_does_not_fit_is_reported() {
        let (survey, all) = (Survey::of_the_checkout(), All::read().unwrap());
        let (peers, ..) = all.rows(&survey);
        let row = peers.iter().find(|row| row.head.software == "Protego").unwrap();
        let text = r#"
kind = "peer"
software = "Protego"
cause = [
    { id = "a", title = "", requirement = "SITEMAP-CASE", example = "no-line-end-next-line::/z", shows = ["gone", "other-*"] },
    { id = "a", title = "", requirement = "FORMAT-EOL", example = "other-*", shows = ["other-*"] },
]
"#;
        let causes: Causes = toml::from_str(text).unwrap();
        let problems = entries(row, &causes, &survey).join("\n");
        for part in [
            "\"gone\" is no failing question",
            "\"other-*\" includes cases that it passes: other-crawl-delay-before-rule, ",
            "SITEMAP-CASE is no requirement at must that it claims",
            "the example is not one of the questions that show it",
            "two causes have the id",
            "other-* is not failed",
            "\"other-crawl-delay-between-agents\" belongs to more than one entry",
        ] {
            assert!(problems.contains(part), "{part:?} is missing: {problems}");
        }
    }
}
