//! The text of a failure: the site, the log, and what was wrong.

use std::fmt::Write as _;

use robots_core::Edition;

use crate::case::Case;
use crate::judge::Judgement;
use crate::run::{Ended, Record};

/// The most requests that are shown.
const SHOWN: usize = 40;

/// The most characters of a line of the sites that are shown; bodies can be long.
const WIDEST: usize = 1_000;

/// Writes out what a judgement rests on: the sites, the access log, and a sentence for each finding.
#[must_use]
pub fn failure(case: &Case, edition: Edition, record: &Record, judgement: &Judgement) -> String {
    let mut text = String::new();
    // Strings take all that is written to them.
    let _ = writeln!(text, "{} under {edition}: {}", case.id, judgement.outcome.name());
    let _ = writeln!(text, "  {} ({})", case.about, case.requirement);
    if let Some(why) = case.expect.get(&edition).and_then(|expectation| expectation.why.as_ref()) {
        let _ = writeln!(text, "  {why}");
    }
    let _ = writeln!(text, "\nThe sites:");
    let sites = serde_yaml::to_string(&case.sites).unwrap_or_else(|error| error.to_string());
    for line in sites.lines() {
        let _ = writeln!(text, "  {}", folded(line));
    }
    let _ = writeln!(text, "\nThe access log:");
    for entry in record.log.iter().take(SHOWN) {
        let answer = entry.answer.as_ref().map_or("was not answered", |answer| &answer.what);
        let at = entry.at / 1000;
        let _ = writeln!(
            text,
            "  {at:>6} ms  {:<8} {:<4} {}  {answer}",
            entry.origin, entry.method, entry.target
        );
    }
    if record.log.len() > SHOWN {
        let _ = writeln!(text, "  and {} more requests", record.log.len() - SHOWN);
    }
    if record.ended == Ended::AtTheLimit {
        let _ = writeln!(text, "  The crawler was still at work at the time limit.");
    }
    let _ = writeln!(text, "\nWhat was wrong:");
    for finding in &judgement.findings {
        let source = if finding.source.is_empty() { "good practice" } else { &finding.source };
        let _ = writeln!(
            text,
            "  {}: {} ({}, {source})",
            finding.level, finding.sentence, finding.requirement
        );
    }
    text
}

/// Leaves out the middle of a line that nobody would read.
fn folded(line: &str) -> String {
    let length = line.chars().count();
    if length <= WIDEST {
        return line.to_owned();
    }
    let head: String = line.chars().take(WIDEST / 2).collect();
    let tail: String = line.chars().skip(length - WIDEST / 2).collect();
    format!("{head} … {} characters … {tail}", length - WIDEST / 2 * 2)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_line_keeps_both_ends() {
        let line = format!("a{}z", "-".repeat(5_000));
        let folded = super::folded(&line);
        assert!(folded.starts_with("a-") && folded.ends_with("-z"), "{folded}");
        assert!(folded.contains(" … 4002 characters … "), "{folded}");
        assert_eq!(super::folded("short"), "short");
    }
}
