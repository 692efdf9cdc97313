//! The output of `list`, `show` and `editions`.
//!
//! Each function returns a page as text and prints nothing. [`list()`] returns a line for each case, [`case()`] a case
//! in full, [`requirement()`] a requirement in full, and [`editions()`] the differences between two editions. Pages and
//! reports are rendered from the same records of cases. So a page shows the conforming answers that a run uses, and
//! live cases have pages of the same form.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use robots_conformance::report::{CaseRecord, failure};
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::on_one_line;
use robots_conformance::suite::requirement::Requirement;
use robots_console::render::{self, counted, grouped};
use robots_core::Edition;

use crate::lookup::Trial;

/// Lists cases, one on each line: name, requirement, description, and the sections of the editions.
pub(crate) fn list<'c>(cases: impl IntoIterator<Item = &'c CaseRecord>) -> String {
    let mut out = String::new();
    for case in cases {
        let sources = case.shown().map(|expect| {
            let (profile, source) = (expect.profile, &expect.source);
            format!("{profile}{} ({source})", profile.mark())
        });
        let sources: Vec<String> = sources.collect();
        let CaseRecord { area, id, requirement, about, .. } = case;
        let _ = writeln!(out, "{area}::{id}  {requirement}  {about}  {}", sources.join(", "));
    }
    out
}

/// Shows a case: each file once, then its questions, the conforming answers, and the answers of the nom parser by the
/// name of the trial. `next` is the last line of the page, which explains how to run the case.
pub(crate) fn case(
    case: &CaseRecord,
    trials: &[Trial<'_>],
    answers: &BTreeMap<String, String>,
    next: &str,
) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "{}::{}  (spec-cases/{})", case.area, case.id, case.place);
    let _ = writeln!(out, "  {}", case.about);
    if !case.says.is_empty() {
        let _ = writeln!(out, "  {}: {}", case.requirement, case.says);
    }
    let mut shown = None;
    for Trial { name, expect, member, expected, .. } in trials {
        if let Some(index) = member.file.filter(|_| shown != member.file) {
            let file = &case.files[index];
            let _ = write!(out, "\n{}:\n{}", file.title, file.text);
            if !out.ends_with('\n') {
                out.push('\n');
            }
        }
        shown = member.file;
        let row = expect.row.as_ref().map_or_else(String::new, |row| format!(", row {row:?}"));
        let (mark, level, source) = (expect.profile.mark(), &expect.level, &expect.source);
        let _ = writeln!(out, "\n{name}{mark}  ({level}, {source}{row})");
        if let Some(place) = failure::place(expect.profile.id(), source, &case.requirement) {
            let _ = writeln!(out, "  see {place}");
        }
        let _ = writeln!(out, "  {}", member.question);
        let _ = writeln!(out, "  → {}", expected.replace('\n', "\n    "));
        if let Some(why) = &expect.why {
            let _ = writeln!(out, "  for {why}");
        }
        if let Some(answer) = answers.get(name) {
            let _ = writeln!(out, "  the nom parser answers {}", answer.replace('\n', "\n    "));
        }
    }
    let _ = writeln!(out, "\n{next}");
    out
}

/// Shows a requirement: its text, its statement in each edition, its cases, and the differences between editions.
pub(crate) fn requirement(suite: &Suite, requirement: &Requirement) -> String {
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
        let _ = writeln!(out, "\n{}:", counted(count, "case"));
    }
    for case in cases() {
        let _ = writeln!(out, "  {}  {}", case.id, case.about.trim());
        let differing = differing(&CaseRecord::of(case, suite));
        if !differing.is_empty() {
            let _ = writeln!(out, "    the editions differ: {}", differing.join("; "));
        }
    }
    let _ = writeln!(out, "\nsee: robots-conformance list --requirement {id}");
    out
}

/// Shows the cases for which two editions expect different answers, by requirement. Cases of only one edition are
/// counted, not shown.
pub(crate) fn editions(suite: &Suite, one: Edition, other: Edition) -> String {
    let mut out = String::new();
    let (mut count, mut of_one) = (0, 0);
    for requirement in &suite.requirements {
        let mut is_named = false;
        for case in suite.cases.iter().filter(|case| case.requirement == requirement.id) {
            let answered = [one, other].map(|edition| case.expect.contains_key(&edition));
            of_one += usize::from(answered[0] != answered[1]);
            let differences = differences(&CaseRecord::of(case, suite), one, other);
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

/// Returns a line for each member (one question of the case) for which the answers differ. The line has the conforming
/// answers of both editions.
fn differences(case: &CaseRecord, one: Edition, other: Edition) -> Vec<String> {
    let of = |edition: Edition, index: usize| {
        case.expect(edition.id()).map(|expect| on_one_line(&expect.expected[index]))
    };
    let differing = case.members.iter().enumerate().filter_map(|(index, member)| {
        let (left, right) = (of(one, index)?, of(other, index)?);
        let name = member.name.as_ref().map_or_else(String::new, |name| format!("{name}  "));
        (left != right).then(|| format!("{}{one}: {left} | {other}: {right}", render::text(&name)))
    });
    differing.collect()
}

/// Returns the different answers to a case, each with the editions that expect it. The list is empty if all editions
/// agree.
fn differing(case: &CaseRecord) -> Vec<String> {
    let answers = grouped(case.shown().map(|expect| {
        let texts: Vec<String> = expect.expected.iter().map(|text| on_one_line(text)).collect();
        (texts, expect.profile.id())
    }));
    if answers.len() < 2 {
        return Vec::new();
    }
    let named = answers.into_iter().map(|(texts, editions)| {
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
