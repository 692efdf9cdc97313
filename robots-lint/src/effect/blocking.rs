//! Decides whether a file allows an agent to fetch anything: [`blocking()`].
//!
//! [`blocking()`] uses the search of [`compare`](super::compare): it compares the file with a file that disallows
//! everything. If the two differ on a path, the file allows this path.

use alloc::string::String;

use robots_core::path::Pattern;
use robots_core::{CrawlerRef, RobotsTxtRef, RuleKind};

use super::path;
use super::search::{Entry, Layer, STEPS, Search, Value};

/// Whether an agent is blocked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// Every path except `/robots.txt` is disallowed.
    Blocked,
    /// The file allows this path. Apart from `/robots.txt`, it allows no path whose normal form is shorter.
    Open(String),
    /// The search reached its limit before it could decide, or the crawler is invalid.
    Unknown,
}

/// Decides whether every path except `/robots.txt` is disallowed for a crawler.
///
/// ```
/// use robots_lint::effect::{Blocking, blocking};
/// use robots_nom_parser::parse;
///
/// let robots = parse("user-agent: *\ndisallow: /\nuser-agent: b\ndisallow: /\nallow: /*.pdf$\n");
/// assert_eq!(blocking(&robots, "a"), Blocking::Blocked);
/// assert_eq!(blocking(&robots, "b"), Blocking::Open("/.pdf".to_owned()));
/// ```
#[must_use]
pub fn blocking<'r, 'c>(
    robots: impl Into<RobotsTxtRef<'r>>,
    crawler: impl Into<CrawlerRef<'c>>,
) -> Blocking {
    blocking_within(robots.into(), crawler.into(), &mut STEPS.clone())
}

/// Decides as [`blocking`] does. The [work](STEPS) is subtracted from a limit that the caller passes.
pub(crate) fn blocking_within(
    robots: RobotsTxtRef<'_>,
    crawler: CrawlerRef<'_>,
    steps: &mut u64,
) -> Blocking {
    if *steps == 0 {
        return Blocking::Unknown;
    }
    let mut search = Search::new(Layer::Verdict, true);
    let mut add = |pattern: &Pattern<'_>, kind: RuleKind, sides: [bool; 2], is_target: bool| {
        let (precedence, value) = (pattern.precedence(), Value::of_kind(kind));
        search.add(pattern, Entry { layer: Layer::Verdict, precedence, value, sides, is_target })
    };
    for rule in robots.followed_by(crawler).iter().flat_map(robots_core::MergedGroup::rules) {
        add(&Pattern::new(rule.path()), rule.kind(), [true, false], false);
    }
    // The second side of the search is a file that disallows everything, so the two sides differ on every path that the
    // first side allows.
    let everything = add(&Pattern::new(b"/"), RuleKind::Disallow, [false, true], true);
    let found = search.run(steps);
    match &found.paths[everything as usize] {
        Some(normal) => {
            let path = path::written(normal);
            match robots.try_verdict(crawler, &path) {
                Ok(verdict) if verdict.is_allowed() => Blocking::Open(path),
                _ => Blocking::Unknown,
            }
        }
        None if found.is_complete => Blocking::Blocked,
        None => Blocking::Unknown,
    }
}
