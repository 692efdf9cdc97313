//! Lists the search engines whose access matters to every site, and decides whether a file blocks them.
//!
//! Start at [`blocked`]. A crawler is blocked if every path except `/robots.txt` is disallowed for it. `effect` can
//! decide this exactly, but slowly. So this module first tries simple paths and rules, which are enough for most files.

use alloc::vec::Vec;
use core::fmt;

use super::effect::{Blocking, STEPS, blocking_within, other_than, tokens};
use robots_core::syntax::LineNumber;
use robots_core::{RobotsTxtRef, RuleKind};

/// The crawlers of search engines, by the product tokens under which they are widely known. The documents of the Google
/// editions name Googlebot. `Bingbot` and `DuckDuckBot` are well known. Other search engines are not in the list,
/// because this project has not examined their documents.
const ENGINES: [&str; 3] = ["Googlebot", "Bingbot", "DuckDuckBot"];

/// The maximum number of user-agent lines with a product token for which the finding `everything-blocked` is checked.
/// The check reads the file once for each of these lines.
const NAMED: usize = 128;

/// The number of allow rules whose paths are tried before the slower search of `effect` is used.
const TRIED: usize = 32;

/// A set of search engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Engines(u8);

/// Writes the names of the search engines, for example `Googlebot and Bingbot`.
impl fmt::Display for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = ENGINES
            .iter()
            .enumerate()
            .filter(|(at, _)| self.0 & (1 << at) != 0)
            .map(|(_, name)| *name)
            .collect();
        match &names[..] {
            [first @ .., last] if !first.is_empty() => write!(f, "{} and {last}", first.join(", ")),
            names => f.write_str(&names.concat()),
        }
    }
}

/// The crawlers that a file blocks, with the lines of the rules that block them.
pub(super) enum Blocked {
    /// Every crawler.
    Everything(LineNumber),
    /// Some search engines. Each entry has the line of a rule and the search engines that this rule blocks.
    Engines(Vec<(LineNumber, Engines)>),
}

/// Finds out whether a file blocks every crawler, or search engines.
pub(super) fn blocked(robots: RobotsTxtRef<'_>) -> Blocked {
    let is_named = |other: &str| tokens(robots).any(|token| token.eq_ignore_ascii_case(other));
    let (others, mut steps) = (other_than(is_named), STEPS);
    if let Some(line) = blocks(robots, &others, &mut steps)
        && tokens(robots).nth(NAMED).is_none()
        && tokens(robots).all(|token| blocks(robots, token, &mut steps).is_some())
    {
        return Blocked::Everything(line);
    }
    let mut found: Vec<(LineNumber, Engines)> = Vec::new();
    for (at, engine) in ENGINES.iter().enumerate() {
        let Some(line) = blocks(robots, engine, &mut steps) else { continue };
        match found.iter_mut().find(|(known, _)| *known == line) {
            Some((_, engines)) => engines.0 |= 1 << at,
            None => found.push((line, Engines(1 << at))),
        }
    }
    Blocked::Engines(found)
}

/// Returns the line of the rule that disallows `/` for a crawler, or `None` if it is not certain that every other path
/// except `/robots.txt` is disallowed. The work is subtracted from `steps`.
fn blocks(robots: RobotsTxtRef<'_>, token: &str, steps: &mut u64) -> Option<LineNumber> {
    let root = robots.try_verdict(token, "/").ok()?;
    let line = root.rule().filter(|_| !root.is_allowed())?.line().number;
    let is_open =
        |path: &str| robots.try_verdict(token, path).is_ok_and(|verdict| verdict.is_allowed());
    if is_open("/an-ordinary-page") {
        return None;
    }
    let merged = robots.followed_by(token)?;
    let allows = || merged.rules().filter(|rule| rule.kind() == RuleKind::Allow);
    let is_opened = allows().take(TRIED).any(|rule| {
        core::str::from_utf8(rule.path()).is_ok_and(|path| path.starts_with('/') && is_open(path))
    });
    if is_opened {
        return None;
    }
    // Without an allow rule, one rule that matches every path disallows everything.
    let is_everything = |rule: robots_core::Rule<'_>| matches!(rule.path(), b"/" | b"/*" | b"*");
    if allows().next().is_none() && merged.rules().any(is_everything) {
        return Some(line);
    }
    (blocking_within(robots, token.into(), steps) == Blocking::Blocked).then_some(line)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::Engines;

    #[test]
    fn engines_are_listed() {
        assert_eq!(Engines(0b1).to_string(), "Googlebot");
        assert_eq!(Engines(0b111).to_string(), "Googlebot, Bingbot and DuckDuckBot");
    }
}
