//! Renders the expectation of a case, and the access log of its crawl.
//!
//! [`expected()`] writes which pages must be fetched or must not be fetched, and what the log must show. [`log()`]
//! writes the first requests, one on each line, the number of further requests, and whether the crawler was still at
//! work at the time limit.

use std::fmt::Write as _;

use robots_console::render;
use robots_core::Edition;
use robots_test_web::LogEntry;

use crate::case::{Case, Expectation};
use crate::run::{CrawlRecord, Ended};

/// The maximum number of requests of a log that are shown.
const SHOWN: usize = 40;

/// Renders the expectation of an edition.
pub(crate) fn expected(case: &Case, edition: Edition, expectation: &Expectation) -> String {
    let mut lines: Vec<String> = expectation.conforming.lines().collect();
    let checks = case.form.log.iter().filter(|check| check.levels.contains_key(&edition));
    lines.extend(checks.map(|check| format!("log: {}", check.name())));
    lines.join("\n")
}

/// Renders the access log, with a sentence if the crawler was still at work at the time limit.
pub(crate) fn log(record: &CrawlRecord) -> String {
    let mut text = String::new();
    for entry in record.log.iter().take(SHOWN) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", request(entry));
    }
    if record.log.len() > SHOWN {
        let _ = writeln!(text, "and {} more requests", record.log.len() - SHOWN);
    }
    if record.ended == Ended::AtTheLimit {
        text.push_str("The crawler was still at work at the time limit.\n");
    }
    text
}

/// Returns a request of the access log and its answer on one line.
#[must_use]
pub fn request(entry: &LogEntry) -> String {
    let answer = entry.answer.as_ref().map_or("was not answered", |answer| &answer.what);
    let (at, origin) = (entry.at / 1000, &entry.origin);
    let (method, target) = (render::text(&entry.method), render::text(&entry.target));
    format!("{at:>6} ms  {origin:<8} {method:<4} {target}  {answer}")
}
