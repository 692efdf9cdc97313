//! The output of `list`, `show` and `editions`.
//!
//! Each function returns a page as text and prints nothing. [`list()`] writes a line for each case, [`case()`] and
//! [`requirement()`] show one of them in full, and [`editions()`] compares what two editions expect. The expectations
//! come from trials, so a page shows the same answers that a run judges by.

use std::fmt::Write as _;
use std::sync::Arc;

use robots_conformance::failure::quoted;
use robots_conformance::kind;
use robots_conformance::render;
use robots_conformance::run::trial;
use robots_conformance::run::trial::Trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::Case;
use robots_conformance::suite::requirement::Requirement;
use robots_core::{Edition, Profile};

/// Lists cases, one on each line: name, requirement, description, and the sections of the editions.
pub fn list<'s>(cases: impl IntoIterator<Item = &'s Arc<Case>>) -> String {
    let mut out = String::new();
    for case in cases {
        let sources = case.shown().map(|(edition, expect)| (edition, &*expect.source));
        let name = format!("{}::{}", case.area, case.id);
        let _ = writeln!(out, "{}", listed(&name, &case.requirement, &case.about, sources));
    }
    out
}

/// Returns the line of a case in a list: its name, requirement and description, and the sections of the editions.
pub(crate) fn listed<'s>(
    name: &str,
    requirement: &str,
    about: &str,
    sources: impl Iterator<Item = (Edition, &'s str)>,
) -> String {
    let source =
        |(edition, source): (Edition, &str)| format!("{edition}{} ({source})", edition.mark());
    let sources: Vec<String> = sources.map(source).collect();
    format!("{name}  {requirement}  {}  {}", about.trim(), sources.join(", "))
}

/// Shows a case: each file once, then its questions and the conforming answers.
pub fn case(suite: &Suite, case: &Case, trials: &[Arc<Trial>]) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}::{}  (spec-cases/{})", case.area, case.id, case.place);
    let _ = writeln!(out, "  {}", case.about.trim());
    if let Some(requirement) = suite.requirement(&case.requirement) {
        let _ = writeln!(out, "  {}: {}", requirement.id, requirement.says.trim());
    }
    let mut shown = None;
    for trial in trials {
        let expect = trial.expect();
        let file = trial.member().ask.robots_txt();
        if let Some(octets) = file.filter(|_| shown != file) {
            let _ =
                write!(out, "\nrobots.txt, {} octets:\n{}", octets.len(), render::octets(octets));
        }
        shown = file;
        let row = expect.row.as_ref().map_or_else(String::new, |row| format!(", row {row:?}"));
        let mark = trial.profile().mark();
        let (name, level, source) = (trial.name(), trial.level_id(), &expect.source);
        let _ = writeln!(out, "\n{name}{mark}  ({level}, {source}{row})");
        let _ = writeln!(out, "  {}", kind::question_text(&trial.member().ask));
        let conforming = trial.conforming().text();
        let _ = writeln!(out, "  → {}", conforming.replace('\n', "\n    "));
        if let Some(why) = &expect.why {
            let _ = writeln!(out, "  for {}", why.trim());
        }
    }
    let filter = match trials {
        [trial] => format!("::{}", trial.name()),
        _ => format!("::{}::", case.id),
    };
    let _ = writeln!(out, "\nrun: robots-conformance run --filter {}", quoted(&filter));
    out
}

/// Shows a requirement: its text, its statement in each edition, its cases, and the differences between editions.
pub fn requirement(suite: &Suite, requirement: &Requirement) -> String {
    let mut out = String::new();
    let (id, place) = (&requirement.id, &requirement.place);
    let _ = writeln!(out, "{id}  (spec-cases/{place})");
    let _ = writeln!(out, "  {}", requirement.says.trim());
    let _ = writeln!(out, "  asked of a {}", requirement.role);
    if let Some(note) = &requirement.note {
        let _ = writeln!(out, "  note: {}", note.trim());
    }
    if let Some(why) = &requirement.not_testable {
        let _ = writeln!(out, "  not testable: {}", why.trim());
    }
    out.push('\n');
    for (edition, statement) in requirement.shown() {
        let edition = format!("{edition}{}", edition.mark());
        let _ = writeln!(out, "{edition:<11}  {:<6}  {}", statement.level, statement.source);
    }
    let cases = || suite.cases.iter().filter(|case| case.requirement == *id);
    let count = cases().count();
    if count > 0 {
        let _ = writeln!(out, "\n{count} case{}:", if count == 1 { "" } else { "s" });
    }
    for case in cases() {
        let _ = writeln!(out, "  {}  {}", case.id, case.about.trim());
        let differing = differing(case);
        if !differing.is_empty() {
            let _ = writeln!(out, "    the editions differ: {}", differing.join("; "));
        }
    }
    let _ = writeln!(out, "\nsee: robots-conformance list --requirement {id}");
    out
}

/// Shows the cases for which two editions expect different answers, by requirement. Cases of only one edition are
/// counted, not shown.
pub fn editions(suite: &Suite, one: Edition, other: Edition) -> String {
    let mut out = String::new();
    let (mut count, mut of_one) = (0, 0);
    for requirement in &suite.requirements {
        let mut is_named = false;
        for case in suite.cases.iter().filter(|case| case.requirement == requirement.id) {
            let answered = [one, other].map(|edition| case.expect.contains_key(&edition));
            of_one += usize::from(answered[0] != answered[1]);
            let differences = differences(case, one, other);
            if differences.is_empty() {
                continue;
            }
            if !std::mem::replace(&mut is_named, true) {
                let says = requirement.says.trim();
                let _ = writeln!(out, "{}: {says}", requirement.id);
            }
            let _ = writeln!(out, "  {}::{}  {}", case.area, case.id, case.about.trim());
            for difference in &differences {
                let _ = writeln!(out, "    {difference}");
            }
            count += 1;
        }
        if is_named {
            out.push('\n');
        }
    }
    let _ = writeln!(out, "{count} cases differ between {one} and {other}");
    if of_one > 0 {
        let _ = writeln!(out, "{of_one} more cases are answered by only one of the two");
    }
    out
}

/// Returns the conforming answers of both editions for each member where they differ.
fn differences(case: &Arc<Case>, one: Edition, other: Edition) -> Vec<String> {
    let trials = trial::of_case(case);
    let of = |edition: Edition, member: &Option<String>| {
        let asked = |trial: &&Arc<Trial>| {
            trial.profile() == Profile::Edition(edition) && trial.member().name == *member
        };
        trials.iter().find(asked).map(|trial| on_one_line(&trial.conforming().text()))
    };
    let differing = case.members.iter().filter_map(|member| {
        let (left, right) = (of(one, &member.name)?, of(other, &member.name)?);
        let name = member.name.as_ref().map_or_else(String::new, |name| format!("{name}  "));
        (left != right).then(|| format!("{}{one}: {left} | {other}: {right}", render::text(&name)))
    });
    differing.collect()
}

/// Returns the different answers to a case, each with the editions that expect it, or nothing if all editions agree.
fn differing(case: &Arc<Case>) -> Vec<String> {
    let trials = trial::of_case(case);
    let mut answers: Vec<(Vec<String>, Vec<Edition>)> = Vec::new();
    for (edition, _) in case.shown() {
        let of_edition = trials.iter().filter(|trial| trial.profile() == Profile::Edition(edition));
        let texts: Vec<String> =
            of_edition.map(|trial| on_one_line(&trial.conforming().text())).collect();
        match answers.iter_mut().find(|(known, _)| *known == texts) {
            Some((_, editions)) => editions.push(edition),
            None => answers.push((texts, vec![edition])),
        }
    }
    if answers.len() < 2 {
        return Vec::new();
    }
    let named = answers.into_iter().map(|(texts, editions)| {
        let editions: Vec<&str> = editions.into_iter().map(Edition::id).collect();
        let mut texts = texts;
        texts.dedup();
        let texts = if texts.len() > 3 {
            "a different answer for each member".to_owned()
        } else {
            texts.join(", ")
        };
        format!("{} {texts}", editions.join(" and "))
    });
    named.collect()
}

/// Renders an answer on one line.
fn on_one_line(text: &str) -> String {
    let text = text.replace("\n-- or --\n", " or ");
    text.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}
