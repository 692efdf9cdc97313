//! What is expected of a crawl, and its access log, as text.

use std::fmt::Write as _;

use robots_core::Edition;

use crate::case::{Case, Expectation, Page};
use crate::run::{Ended, Record};

/// The most requests that are shown.
const SHOWN: usize = 40;

/// Returns what an edition expects of a crawl.
pub(crate) fn expected(case: &Case, edition: Edition, expectation: &Expectation) -> String {
    let pages = |pages: &[Page]| -> String {
        pages.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let lists = [
        ("fetched", &expectation.fetched),
        ("not fetched", &expectation.not_fetched),
        ("either", &expectation.either),
    ];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let mut lines: Vec<String> =
        lists.map(|(name, list)| format!("{name}: {}", pages(list))).collect();
    let checks = case.log.iter().filter(|check| check.levels.contains_key(&edition));
    lines.extend(checks.map(|check| format!("log: {}", check.name())));
    lines.join("\n")
}

/// Returns the access log, and how the crawl ended.
pub(crate) fn log(record: &Record) -> String {
    let mut text = String::new();
    for entry in record.log.iter().take(SHOWN) {
        let answer = entry.answer.as_ref().map_or("was not answered", |answer| &answer.what);
        let (at, origin, method, target) =
            (entry.at / 1000, &entry.origin, &entry.method, &entry.target);
        // A string takes all that is written to it.
        let _ = writeln!(text, "{at:>6} ms  {origin:<8} {method:<4} {target}  {answer}");
    }
    if record.log.len() > SHOWN {
        let _ = writeln!(text, "and {} more requests", record.log.len() - SHOWN);
    }
    if record.ended == Ended::AtTheLimit {
        text.push_str("The crawler was still at work at the time limit.\n");
    }
    text
}
