//! A failure as text: all that is needed to judge it without opening another file.

use std::fmt::Write as _;

use robots_core::engine::Answer;
use similar::{ChangeTag, TextDiff};

use crate::kind;
use crate::render;
use crate::run::Finished;
use crate::run::outcome::Outcome;
use crate::suite::Suite;

/// Renders a failed or errored trial.
///
/// `rerun` is the command that runs this trial alone; a suite gives the requirement's text.
pub fn render(finished: &Finished, engine: &str, suite: Option<&Suite>, rerun: &str) -> String {
    let trial = &finished.trial;
    let (case, expect) = (trial.case(), trial.expect());
    let mut out = String::new();
    let heading = match finished.outcome {
        Outcome::Errored { .. } => "ERRORED",
        _ => "FAILED",
    };
    line(&mut out, &format!("{heading} {}", trial.full_name(engine)));
    field(&mut out, "case", &format!("spec-cases/{}", case.place));
    let row = expect.row.as_ref().map_or_else(String::new, |row| format!(", row {row:?}"));
    if let Some(level) = trial.level() {
        let (id, source) = (&case.requirement, &expect.source);
        field(&mut out, "by", &format!("{id} ({level}), {} {source}{row}", trial.profile()));
        if let Some(requirement) = suite.and_then(|suite| suite.requirement(id)) {
            field(&mut out, "says", requirement.says.trim());
        }
    } else {
        // What the library does may contradict the requirement of the case: it is not told here.
        let (profile, source) = (trial.profile(), &expect.source);
        field(&mut out, "by", &format!("{profile}, {source}: what the library was seen to do"));
    }
    field(&mut out, "about", case.about.trim());
    if let Some(why) = &expect.why {
        field(&mut out, "why", why.trim());
    }
    if let Some(octets) = trial.member().ask.robots_txt() {
        line(&mut out, &format!("  robots.txt, {} octets:", octets.len()));
        block(&mut out, &render::octets(octets));
    }
    field(&mut out, "asked", &kind::question_text(&trial.member().ask));
    match &finished.answer {
        Some(answer) if !matches!(answer, Answer::Error(_) | Answer::Unsupported(_)) => {
            line(&mut out, "  expected (-) and got (+):");
            block(&mut out, &diff(&trial.conforming().text(), &kind::answer_text(answer)));
        }
        _ => {
            line(&mut out, "  expected:");
            block(&mut out, &trial.conforming().text());
        }
    }
    if let Some(evidence) = finished.answer.as_ref().and_then(kind::evidence) {
        field(&mut out, "evidence", &render::text(evidence));
    }
    match &finished.outcome {
        Outcome::Errored { message } => field(&mut out, "error", message),
        Outcome::Failed { note: Some(note) } => field(&mut out, "deviation", note),
        _ => {}
    }
    field(&mut out, "rerun", rerun);
    out
}

/// Quotes text for a POSIX shell.
///
/// ```
/// assert_eq!(robots_conformance::failure::quoted("a::b"), "a::b");
/// assert_eq!(robots_conformance::failure::quoted("it's /*"), r"'it'\''s /*'");
/// ```
pub fn quoted(text: &str) -> String {
    let plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-_:./=,".contains(&octet);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

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
