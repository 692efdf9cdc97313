//! Compares expectations with a file.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use robots_core::syntax::{Field, LineKind, LineNumber};
use robots_core::{ProductToken, RobotsTxtRef, Verdict};

use super::{EVERYONE, Expectation, Expectations, Place, What};
use crate::effect::{Blocking, blocking};

/// An expectation and what the file does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    expectation: Expectation,
    failure: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failure {
    reason: String,
    line: Option<LineNumber>,
}

impl Checked {
    /// Returns whether the file does what is expected.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.failure.is_none()
    }

    /// Returns what is expected, as a sentence without a full stop.
    #[must_use]
    pub fn expected(&self) -> String {
        self.expectation.what.to_string()
    }

    /// Returns the expectation.
    #[must_use]
    pub fn expectation(&self) -> &Expectation {
        &self.expectation
    }

    /// Returns where the text states it.
    #[must_use]
    pub fn place(&self) -> Place {
        self.expectation.place
    }

    /// Returns what the file does instead, and why.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| failure.reason.as_str())
    }

    /// Returns the line of the file that is the reason, if a line is.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.failure.as_ref().and_then(|failure| failure.line)
    }
}

/// Compares every expectation with a file.
#[must_use]
pub fn check<'r>(expectations: &Expectations, robots: impl Into<RobotsTxtRef<'r>>) -> Vec<Checked> {
    let robots = robots.into();
    let everyone = everyone(robots);
    let checked = |expectation: &Expectation| {
        let agents = |agent: &String| match agent.as_str() {
            EVERYONE => everyone.clone(),
            _ => alloc::vec![agent.clone()],
        };
        let failure = match &expectation.what {
            What::Sitemap { url } => sitemap(robots, url),
            What::Url { agent, url, is_allowed } => {
                agents(agent).iter().find_map(|agent| verdict(robots, agent, url, *is_allowed))
            }
            What::NeverBlocked { agent } => {
                agents(agent).iter().find_map(|agent| blocked(robots, agent, false))
            }
            What::Blocked { agent } => {
                agents(agent).iter().find_map(|agent| blocked(robots, agent, true))
            }
        };
        Checked { expectation: expectation.clone(), failure }
    };
    expectations.all.iter().map(checked).collect()
}

/// Returns every product token of a file, and one that it does not name.
fn everyone(robots: RobotsTxtRef<'_>) -> Vec<String> {
    let lines = robots.groups().flat_map(|group| group.user_agents());
    let tokens = lines.filter_map(|line| {
        let token = core::str::from_utf8(ProductToken::leading(line.value())).ok()?;
        (!token.is_empty() && line.names(token)).then(|| token.to_owned())
    });
    let mut tokens: Vec<String> = tokens.collect();
    let mut other = String::from("examplebot");
    while tokens.iter().any(|token| token.eq_ignore_ascii_case(&other)) {
        other.push('x');
    }
    tokens.insert(0, other);
    tokens
}

fn verdict(robots: RobotsTxtRef<'_>, agent: &str, url: &str, is_allowed: bool) -> Option<Failure> {
    match robots.try_verdict(agent, url) {
        Ok(verdict) if verdict.is_allowed() == is_allowed => None,
        Ok(verdict) => Some(Failure {
            reason: format!("for {agent}: {verdict}"),
            line: verdict.rule().map(|rule| rule.line().number),
        }),
        Err(error) => Some(Failure { reason: format!("{url:?}: {error}"), line: None }),
    }
}

fn blocked(robots: RobotsTxtRef<'_>, agent: &str, is_expected: bool) -> Option<Failure> {
    match (blocking(robots, agent), is_expected) {
        (Blocking::Blocked, true) | (Blocking::Open(_), false) => None,
        (Blocking::Blocked, false) => {
            let verdict = robots.try_verdict(agent, "/").ok();
            let rule = verdict.as_ref().and_then(Verdict::rule);
            let why = verdict.map_or(String::new(), |verdict| format!(": {verdict}"));
            let line = rule.map(|rule| rule.line().number);
            Some(Failure { reason: format!("{agent} may fetch nothing but robots.txt{why}"), line })
        }
        (Blocking::Open(path), true) => {
            let verdict = robots.try_verdict(agent, &path).ok();
            let rule = verdict.as_ref().and_then(Verdict::rule);
            let why = verdict.map_or(String::new(), |verdict| format!(": {verdict}"));
            let line = rule.map(|rule| rule.line().number);
            Some(Failure { reason: format!("{agent} may fetch {path}{why}"), line })
        }
        (Blocking::Unknown, _) => Some(Failure {
            reason: format!("the rules for {agent} are too large to decide whether they block it"),
            line: None,
        }),
    }
}

fn sitemap(robots: RobotsTxtRef<'_>, url: &str) -> Option<Failure> {
    let is_sitemap = LineKind::Record { field: Field::Sitemap, effect: Ok(()) };
    let mut found = robots.lines().filter(|(_, kind)| *kind == is_sitemap);
    let is_listed = found.any(|(line, _)| {
        line.value.is_some_and(|value| &robots.body()[value.range()] == url.as_bytes())
    });
    (!is_listed)
        .then(|| Failure { reason: "no sitemap line of the file names it".to_owned(), line: None })
}

/// Returns the verdict on a path if it is the same for everyone.
pub(super) fn agree(robots: RobotsTxtRef<'_>, path: &str) -> Option<bool> {
    let mut verdicts = everyone(robots).into_iter().map(|agent| {
        robots.try_verdict(agent.as_str(), path).ok().map(|verdict| verdict.is_allowed())
    });
    let first = verdicts.next()??;
    verdicts.all(|other| other == Some(first)).then_some(first)
}
