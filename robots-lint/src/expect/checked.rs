//! Compares expectations with a file.
//!
//! Start at [`check()`]. An expectation for everyone is checked for one crawler of each class ([`Everyone`]), because
//! all crawlers of a class follow the same groups. One example represents all crawlers that the file does not name. The
//! module `effect` decides whether a file blocks a crawler. All expectations share the limits of the work. If a limit
//! is reached, an expectation counts as not met, because the check could not prove it.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use robots_core::syntax::{Field, LineKind, LineNumber};
use robots_core::{CrawlerRef, RobotsTxtRef, Verdict};

use super::{EVERYONE, Expectation, Expectations, Place, What};
use crate::effect::{Blocking, Classes, STEPS, blocking_within};

/// An expectation, and whether the file meets it.
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
    /// Returns whether the file meets the expectation.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.failure.is_none()
    }

    /// Returns the expectation as a sentence without a full stop.
    #[must_use]
    pub fn expected(&self) -> String {
        self.expectation.what.to_string()
    }

    /// Returns the expectation.
    #[must_use]
    pub fn expectation(&self) -> &Expectation {
        &self.expectation
    }

    /// Returns the place of the expectation in the YAML text.
    #[must_use]
    pub fn place(&self) -> Place {
        self.expectation.place
    }

    /// Returns the actual meaning of the file, and the reason for it, or `None` if the file meets the expectation.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.failure.as_ref().map(|failure| failure.reason.as_str())
    }

    /// Returns the line that causes the failure, if there is one.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        self.failure.as_ref().and_then(|failure| failure.line)
    }
}

/// The maximum number of lines that are read to check the expectations for everyone.
const WALKS: usize = 200_000_000;

/// Compares every expectation with a file.
///
/// The work is limited. If a file names so many crawlers with separate rules that not all of them can be checked, an
/// expectation for everyone counts as not met.
#[must_use]
pub fn check<'r>(expectations: &Expectations, robots: impl Into<RobotsTxtRef<'r>>) -> Vec<Checked> {
    let robots = robots.into();
    let mut everyone = Everyone::of(robots);
    let mut steps = STEPS;
    let mut failure = |what: &What| {
        let mut any = |agent: &str, check: &mut Check<'_>| match agent {
            EVERYONE => everyone.any(check),
            _ => check(expectations.crawler(agent)),
        };
        match what {
            What::Sitemap { url } => sitemap(robots, url),
            What::Url { agent, url, is_allowed } => {
                any(agent, &mut |crawler| verdict(robots, crawler, url, *is_allowed))
            }
            What::NeverBlocked { agent } => {
                any(agent, &mut |crawler| blocked(robots, crawler, false, &mut steps))
            }
            What::Blocked { agent } => {
                any(agent, &mut |crawler| blocked(robots, crawler, true, &mut steps))
            }
        }
    };
    let checked = |expectation: &Expectation| Checked {
        failure: failure(&expectation.what),
        expectation: expectation.clone(),
    };
    expectations.all.iter().map(checked).collect()
}

/// Checks what is expected of a crawler.
type Check<'c> = dyn FnMut(CrawlerRef<'_>) -> Option<Failure> + 'c;

/// Every crawler, in classes. The crawlers of a class follow the same groups, so only one of them is checked.
pub(super) struct Everyone {
    classes: Classes,
    /// The number of lines that may still be read.
    left: usize,
}

impl Everyone {
    pub(super) fn of(robots: RobotsTxtRef<'_>) -> Self {
        Self { classes: Classes::of(&[robots]), left: WALKS }
    }

    /// Calls the check for one crawler of each class, and returns the first failure. If the limit is reached before
    /// every class is checked, this is a failure too.
    fn any(&mut self, check: &mut Check<'_>) -> Option<Failure> {
        let found = self.tokens().find_map(|token| check(token.into()));
        found.or_else(|| {
            let reason =
                "the file names too many crawlers to check them all; name those that matter";
            let failure = Failure { reason: reason.to_owned(), line: None };
            (self.left == 0 || !self.classes.are_complete()).then_some(failure)
        })
    }

    /// Returns the token of one crawler of each class, until the limit is reached.
    fn tokens(&mut self) -> impl Iterator<Item = &str> {
        let Self { classes, left } = self;
        let classes = &*classes;
        (0..classes.count()).map_while(move |class| {
            *left = left.saturating_sub(classes.lines());
            (*left > 0).then(|| classes.token(class))
        })
    }

    /// Returns whether a path is allowed. Returns `None` if the answer is not the same for every crawler, or if the
    /// limit was reached.
    pub(super) fn agree(&mut self, robots: RobotsTxtRef<'_>, path: &str) -> Option<bool> {
        let mut all = None;
        for token in self.tokens() {
            let allowed = robots.try_verdict(token, path).ok()?.is_allowed();
            if *all.get_or_insert(allowed) != allowed {
                return None;
            }
        }
        all.filter(|_| self.left > 0 && self.classes.are_complete())
    }
}

fn verdict(
    robots: RobotsTxtRef<'_>,
    crawler: CrawlerRef<'_>,
    url: &str,
    is_allowed: bool,
) -> Option<Failure> {
    match robots.try_verdict(crawler, url) {
        Ok(verdict) if verdict.is_allowed() == is_allowed => None,
        Ok(verdict) => Some(Failure {
            reason: format!("for {}: {verdict}", name(crawler)),
            line: verdict.rule().map(|rule| rule.line().number),
        }),
        Err(error) => Some(Failure { reason: format!("{url:?}: {error}"), line: None }),
    }
}

fn blocked(
    robots: RobotsTxtRef<'_>,
    crawler: CrawlerRef<'_>,
    is_expected: bool,
    steps: &mut u64,
) -> Option<Failure> {
    match (blocking_within(robots, crawler, steps), is_expected) {
        (Blocking::Blocked, true) | (Blocking::Open(_), false) => None,
        (Blocking::Blocked, false) => {
            Some(may_fetch(robots, crawler, "/", "nothing but robots.txt"))
        }
        (Blocking::Open(path), true) => Some(may_fetch(robots, crawler, &path, &path)),
        (Blocking::Unknown, _) => Some(Failure {
            reason: format!(
                "the rules for {} are too large to decide whether they block it",
                name(crawler)
            ),
            line: None,
        }),
    }
}

/// Makes the failure that says what a crawler may fetch, with the verdict on a path as the reason.
fn may_fetch(robots: RobotsTxtRef<'_>, crawler: CrawlerRef<'_>, path: &str, what: &str) -> Failure {
    let verdict = robots.try_verdict(crawler, path).ok();
    let rule = verdict.as_ref().and_then(Verdict::rule);
    let why = verdict.map_or(String::new(), |verdict| format!(": {verdict}"));
    let line = rule.map(|rule| rule.line().number);
    Failure { reason: format!("{} may fetch {what}{why}", name(crawler)), line }
}

fn name(crawler: CrawlerRef<'_>) -> &str {
    crawler.tokens().next().unwrap_or_default()
}

fn sitemap(robots: RobotsTxtRef<'_>, url: &str) -> Option<Failure> {
    let is_listed = sitemaps(robots).any(|listed| listed == url.as_bytes());
    (!is_listed)
        .then(|| Failure { reason: "no sitemap line of the file names it".to_owned(), line: None })
}

/// Returns the URLs of a file's sitemap lines.
pub(super) fn sitemaps(robots: RobotsTxtRef<'_>) -> impl Iterator<Item = &[u8]> {
    let is_sitemap = LineKind::Record { field: Field::Sitemap, effect: Ok(()) };
    let lines = robots.lines().filter(move |(_, kind)| *kind == is_sitemap);
    lines.filter_map(move |(line, _)| Some(&robots.body()[line.value?.range()]))
}
