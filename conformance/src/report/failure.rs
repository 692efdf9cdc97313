//! Renders a failure as text: the case, the requirement, the file, the question, the expected answer, the answer and
//! the command that repeats the trial. Start at [`render`] for a record, and at [`of`] for a finished question.

use std::fmt::Write as _;

use robots_core::Edition;
use similar::{ChangeTag, TextDiff};

use crate::report::{CaseRecord, TrialRecord};
use crate::run::Finished;
use crate::run::outcome::OutcomeKind;
use crate::suite::Suite;
use crate::suite::requirement::{Level, address};

/// Renders a failed or errored trial of a case.
///
/// `rerun` is the command that runs only this trial.
pub fn render(trial: &TrialRecord, case: &CaseRecord, rerun: &str) -> String {
    let mut out = String::new();
    let heading = if trial.outcome == OutcomeKind::Errored { "ERRORED" } else { "FAILED" };
    line(&mut out, &format!("{heading} {}", trial.name));
    if let Some(since) = trial.new_case() {
        field(&mut out, "new case", &since);
    }
    field(&mut out, "case", &format!("spec-cases/{}", trial.place));
    let row = trial.row.as_ref().map_or_else(String::new, |row| format!(", row {row:?}"));
    let (id, edition, source) = (&trial.requirement, &trial.edition, &trial.source);
    if trial.level == OBSERVED {
        // Google's published library may contradict the requirement of the case. So the text of a trial under the
        // observed profile omits the requirement.
        field(
            &mut out,
            "by",
            &format!("{edition}, {source}: the observed behaviour of the library"),
        );
    } else {
        field(&mut out, "by", &format!("{id} ({}), {edition} {source}{row}", trial.level));
        if let Some(place) = place(edition, source, id) {
            field(&mut out, "place", &place);
        }
        if !case.says.is_empty() {
            field(&mut out, "says", &case.says);
        }
    }
    field(&mut out, "about", &case.about);
    if let Some(why) = case.expect(&trial.edition).and_then(|expect| expect.why.as_ref()) {
        field(&mut out, "why", why);
    }
    if let Some((_, member)) = case.member(trial.member.as_deref()) {
        if let Some(file) = member.file.and_then(|file| case.files.get(file)) {
            line(&mut out, &format!("  {}:", file.title));
            block(&mut out, &file.text);
        }
        field(&mut out, "asked", &member.question);
    }
    match (&trial.got, &*trial.findings) {
        (Some(got), []) if trial.outcome != OutcomeKind::Errored => {
            line(&mut out, "  expected (-) and got (+):");
            block(&mut out, &diff(&trial.expected, got));
        }
        (_, []) => {
            line(&mut out, "  expected:");
            block(&mut out, &trial.expected);
        }
        (_, findings) => {
            line(&mut out, "  expected:");
            block(&mut out, &trial.expected);
            line(&mut out, "  found:");
            for finding in findings {
                let level = finding.level.map_or("advice", Level::id);
                let source =
                    if finding.source.is_empty() { "good practice" } else { &finding.source };
                let (sentence, offended) = (&finding.sentence, &finding.requirement);
                block(&mut out, &format!("{level}: {sentence} ({offended}, {source})"));
            }
        }
    }
    match &trial.evidence {
        Some(log) if !trial.findings.is_empty() => {
            line(&mut out, "  access log:");
            block(&mut out, log);
        }
        Some(evidence) => field(&mut out, "evidence", evidence),
        None => {}
    }
    match (trial.numbered_detail(), trial.outcome) {
        (Some(message), OutcomeKind::Errored) => field(&mut out, "error", &message),
        (Some(note), _) => field(&mut out, "deviation", &note),
        (None, _) => {}
    }
    field(&mut out, "rerun", rerun);
    out
}

/// Returns where a document states a requirement: the place on the site's annotated page, because the site may be hosted
/// anywhere, and the first named section of the document if it has a permanent address. A draft has no page.
#[must_use]
pub fn place(edition: &str, section: &str, requirement: &str) -> Option<String> {
    let edition = Edition::ALL.iter().find(|known| known.id() == edition)?;
    let place = format!("standard-{edition}.html#{requirement}");
    Some(match address(edition.id(), section) {
        Some(address) => format!("{place}, {address}"),
        None => place,
    })
}

/// Renders a failed or errored question to an engine, as [`render`] does. `suite` contains the case.
pub fn of(done: &Finished, engine: &str, suite: &Suite, rerun: &str) -> String {
    let trial = TrialRecord::of(done, engine);
    match suite.case(&trial.case) {
        Some(case) => render(&trial, &CaseRecord::of(case, suite), rerun),
        None => format!("FAILED {}\n", trial.name),
    }
}

/// The word for the level of a trial under the observed profile.
const OBSERVED: &str = "observed";

fn diff(expected: &str, got: &str) -> String {
    let (expected, got) = (format!("{expected}\n"), format!("{got}\n"));
    let diff = TextDiff::from_lines(&expected, &got);
    let mut out = String::new();
    for change in diff.iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        let _ = write!(out, "{sign} {change}");
    }
    out
}

fn field(out: &mut String, name: &str, text: &str) {
    const WIDTH: usize = 12;
    let indented = text.replace('\n', &format!("\n{}", " ".repeat(WIDTH)));
    line(out, &format!("  {name:<0$}{indented}", WIDTH - 2));
}

fn block(out: &mut String, text: &str) {
    for text in text.lines() {
        line(out, &format!("    {text}"));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn a_place_is_an_anchor() {
        let rfc = "standard-rfc9309.html#X, https://www.rfc-editor.org/rfc/rfc9309#section-2.1";
        assert_eq!(place("rfc9309", "2.1, 2.2.2", "X").as_deref(), Some(rfc));
        let google = place("google-2018", "File format", "X");
        assert_eq!(google.as_deref(), Some("standard-google-2018.html#X"));
        assert_eq!(place("aipref-2026-08", "attach 3", "X"), None);
    }
}
