//! The judge: whether a crawl conforms, from its record alone.

use std::fmt;

use robots_core::Edition;
use serde::{Deserialize, Serialize};

use super::case::{AFTER, BEFORE, Case, Check, Expectation, HUB, Kind, Level, Page};
use super::run::{Ended, Record};
use crate::log::Entry;
use crate::target;

/// What a crawl amounts to under an edition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Outcome {
    /// What must be was, and what must not be was not.
    Passed,
    /// Something was as it must not be.
    Failed,
    /// The crawler did not come by the control pages, so that what it left out says nothing.
    Inconclusive,
    /// It had done nothing wrong and was still at work, or waiting, at the limit.
    Waited,
    /// Nothing could have been wrong.
    Open,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Inconclusive => "inconclusive",
            Self::Waited => "waited",
            Self::Open => "open",
        })
    }
}

/// A judgement of a crawl.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Judgement {
    /// What it amounts to.
    pub outcome: Outcome,
    /// What was wrong, and what could have been better.
    pub findings: Vec<Finding>,
}

/// One thing that was wrong, or could have been better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Finding {
    /// How binding what it offends is.
    pub level: Level,
    /// The requirement that it offends.
    pub requirement: String,
    /// The section that says so; empty for advice.
    pub source: String,
    /// What happened.
    pub sentence: String,
}

/// Judges the record of a case under an edition; one that the case does not ask is open.
#[must_use]
pub fn judge(case: &Case, edition: Edition, record: &Record) -> Judgement {
    let Some(expectation) = case.expect.get(&edition) else {
        return Judgement { outcome: Outcome::Open, findings: Vec::new() };
    };
    let log = Log(record);
    let found = |sentence| Finding {
        level: expectation.level,
        requirement: case.requirement.clone(),
        source: expectation.source.clone(),
        sentence,
    };
    // What was done stands, however the crawl ended; what was left out counts only where the crawler came by.
    let done = expectation.not_fetched.iter().filter_map(|page| log.fetched_against(page));
    let mut done: Vec<Finding> = done.map(found).collect();
    let left_out = expectation.fetched.iter().filter(|page| log.fetch(page).is_none());
    let left_out = left_out.map(|page| format!("did not fetch {page}, which nothing forbids"));
    let mut left_out: Vec<Finding> = left_out.map(found).collect();
    for check in &case.log {
        let Some((omission, sentence)) = log.offends(check) else { continue };
        let (level, source) = match check.levels.get(&edition) {
            Some((level, source)) => (*level, source.clone()),
            None if check.levels.is_empty() => (Level::Advice, String::new()),
            None => continue,
        };
        let finding = Finding { level, requirement: check.requirement.clone(), source, sentence };
        if omission { left_out.push(finding) } else { done.push(finding) }
    }

    let binding = |findings: &[Finding]| findings.iter().any(|found| found.level != Level::Advice);
    let outcome = if binding(&done) {
        Outcome::Failed
    } else if record.ended == Ended::AtTheLimit {
        Outcome::Waited
    } else if !log.came_by() {
        Outcome::Inconclusive
    } else if binding(&left_out) {
        Outcome::Failed
    } else if is_open(case, edition, expectation) {
        Outcome::Open
    } else {
        Outcome::Passed
    };
    if log.came_by() && record.ended == Ended::ByItself {
        done.append(&mut left_out);
    }
    Judgement { outcome, findings: done }
}

fn is_open(case: &Case, edition: Edition, expectation: &Expectation) -> bool {
    expectation.fetched.is_empty()
        && expectation.not_fetched.is_empty()
        && !case.log.iter().any(|check| check.levels.contains_key(&edition))
}

/// The access log, read for the judge.
struct Log<'r>(&'r Record);

impl Log<'_> {
    /// Returns whether the crawler fetched both controls.
    fn came_by(&self) -> bool {
        let control = |target: &str| Page { origin: HUB.to_owned(), target: target.to_owned() };
        [BEFORE, AFTER].into_iter().all(|target| self.fetch(&control(target)).is_some())
    }

    /// Returns the first request for a page.
    fn fetch(&self, page: &Page) -> Option<&Entry> {
        let wanted = target::normalize(&page.target);
        self.of(&page.origin).find(|entry| asked(entry) == wanted)
    }

    fn of(&self, origin: &str) -> impl Iterator<Item = &Entry> {
        self.0.log.iter().filter(move |entry| entry.origin == origin)
    }

    fn robots(&self, origin: &str) -> impl Iterator<Item = &Entry> {
        self.of(origin).filter(|entry| asked(entry) == "/robots.txt")
    }

    /// Says that a page was fetched, and what the crawler knew then.
    fn fetched_against(&self, page: &Page) -> Option<String> {
        let fetch = self.fetch(page)?;
        let before = self.robots(&page.origin).take_while(|robots| robots.at <= fetch.at);
        let before = before.filter(|robots| !std::ptr::eq(*robots, fetch));
        let Some(robots) = before.last() else {
            return Some(format!("fetched {page} without having asked for /robots.txt there"));
        };
        let after = |at: u64| milliseconds(fetch.at.saturating_sub(at));
        Some(match &robots.answer {
            Some(answer) if answer.at <= fetch.at => {
                format!("fetched {page} {} after /robots.txt {}", after(answer.at), answer.what)
            }
            _ => format!(
                "fetched {page} {} after asking for /robots.txt, before it was answered",
                after(robots.at)
            ),
        })
    }

    /// Says how a check is offended, and whether by leaving something out.
    fn offends(&self, check: &Check) -> Option<(bool, String)> {
        let origin = check.origin.as_str();
        let times = self.robots(origin).count();
        let sentence = match check.kind {
            Kind::RobotsFirst => {
                let first = self.of(origin).next()?;
                (asked(first) != "/robots.txt").then(|| {
                    format!("asked {origin} for {} before asking for /robots.txt", first.target)
                })
            }
            Kind::Get => {
                let other = |entry: &&Entry| !matches!(entry.method.as_str(), "GET" | "RETR");
                let other = self.robots(origin).find(other)?;
                Some(format!("asked {origin} for /robots.txt by {}", other.method))
            }
            Kind::Unconditional => {
                let first = self.robots(origin).next()?;
                let conditions = ["if-modified-since", "if-none-match", "range"];
                let header = conditions.into_iter().find(|name| first.header(name).is_some())?;
                Some(format!("asked {origin} for /robots.txt for the first time with {header}"))
            }
            Kind::AtLeast(least) => {
                let sentence = format!("asked {origin} for /robots.txt {times} times, not {least}");
                return (times < least).then_some((true, sentence));
            }
            Kind::AtMost(most) => (times > most)
                .then(|| format!("asked {origin} for /robots.txt {times} times, {most} would do")),
            Kind::NamesToken => {
                let token = self.0.agent.to_ascii_lowercase();
                let names = |entry: &&Entry| {
                    let agent = entry.header("user-agent").unwrap_or_default();
                    !agent.to_ascii_lowercase().contains(&token)
                };
                let silent = self.of(origin).find(names)?;
                let agent = silent.header("user-agent").unwrap_or_default();
                Some(format!(
                    "asked {origin} for {} as {agent:?}, which does not hold {:?}",
                    silent.target, self.0.agent
                ))
            }
        };
        sentence.map(|sentence| (false, sentence))
    }
}

/// Returns path and query of what was asked for, in normal form.
fn asked(entry: &Entry) -> String {
    let target = entry.target.as_str();
    let path = match target.split_once("://") {
        Some((_, rest)) if !target.starts_with('/') => rest.find('/').map_or("/", |at| &rest[at..]),
        _ => target,
    };
    target::normalize(path)
}

fn milliseconds(microseconds: u64) -> String {
    match microseconds / 1000 {
        0 => "less than 1 ms".to_owned(),
        milliseconds => format!("{milliseconds} ms"),
    }
}
