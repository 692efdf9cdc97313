//! Lists the search engines whose access matters to every site, and decides whether a file blocks them, or opens to them
//! what it closes for other crawlers.
//!
//! Start at [`blocked`] and [`apart`]. A crawler is blocked if every path except `/robots.txt` is disallowed for it. `effect` can
//! decide this exactly, but slowly. So this module first tries simple paths and rules, which are enough for most files.

use alloc::vec::Vec;
use core::fmt;

use super::effect::{
    Blocking, STEPS, blocking_within, closed_only_for, other_than, sample, tokens,
};
use super::kind::FindingKind;
use robots_core::path::Pattern;
use robots_core::syntax::LineNumber;
use robots_core::{RobotsTxtRef, Rule, RuleKind};

/// The crawlers of search engines that a file may block by mistake. The documents of the Google editions name Googlebot.
/// `Bingbot` and `DuckDuckBot` are well known. Many files block other search engines on purpose.
const ENGINES: [&str; 3] = ["Googlebot", "Bingbot", "DuckDuckBot"];

/// The crawlers of other search engines. [`apart`] asks about them too: in every edition, a group of a crawler's own
/// replaces the rules for `*`, so whoever writes a group with only a Crawl-delay for one of them loses these rules.
const OTHER_ENGINES: [&str; 5] = ["Applebot", "Baiduspider", "Slurp", "Yandex", "YandexBot"];

/// The maximum number of user-agent lines with a product token for which the finding `everything-blocked` is checked.
/// The check reads the file once for each of these lines.
const NAMED: usize = 128;

/// The number of allow rules whose paths are tried before the slower search of `effect` is used.
const TRIED: usize = 32;

/// The number of rules for `*` of which one must be repeated in the group of a search engine.
const COMPARED: usize = 128;

/// A path that no rule mentions.
const ORDINARY: &str = "/-/an-ordinary-page";

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

/// Finds the search engines that may fetch what the rules for `*` close, because they have a group of their own. Each
/// entry has the line that names the search engine, the kind of finding, and the line of a rule for `*`.
///
/// The rules for `*` that close everything are a list of the crawlers that may come, which is deliberate. If the search
/// engine's group repeats a rule for `*`, the author knows that the other rules do not apply.
pub(super) fn apart(robots: RobotsTxtRef<'_>) -> Vec<(LineNumber, FindingKind, LineNumber)> {
    let is_named = |other: &str| tokens(robots).any(|token| token.eq_ignore_ascii_case(other));
    let (others, mut steps) = (other_than(is_named), STEPS);
    let global = robots.followed_by(&others).filter(|group| group.user_agent().is_global());
    let Some(global) = global else { return Vec::new() };
    let is_open = |token: &str, path: &str| {
        robots.try_verdict(token, path).is_ok_and(|verdict| verdict.is_allowed())
    };
    let is_list = !is_open(&others, ORDINARY);
    let of_engine = |engine: &&str| {
        let own = robots.followed_by(*engine)?;
        if own.user_agent().is_global() {
            return None;
        }
        let lost = *closed_only_for(&others, engine, robots, &mut steps).first()?;
        let rules = robots.rules_for(*engine);
        let mut closed = global.rules().filter(|rule| rule.kind() == RuleKind::Disallow);
        let is_repeated = closed.by_ref().take(COMPARED).any(|rule| {
            let path = sample(&Pattern::new(rule.path()));
            !is_open(&others, &path) && !rules.verdict(&path).is_allowed()
        });
        let kind = if is_list || is_repeated {
            FindingKind::StarRulesReplaced
        } else {
            FindingKind::StarRulesLost
        };
        Some((own.user_agent().line().number, kind, lost))
    };
    ENGINES.iter().chain(&OTHER_ENGINES).filter_map(of_engine).collect()
}

/// Returns the line of the rule that disallows `/` for a crawler, or `None` if it is not certain that every other path
/// except `/robots.txt` is disallowed. The work is subtracted from `steps`.
fn blocks(robots: RobotsTxtRef<'_>, token: &str, steps: &mut u64) -> Option<LineNumber> {
    let root = robots.try_verdict(token, "/").ok()?;
    let line = root.rule().filter(|_| !root.is_allowed())?.line().number;
    let is_open =
        |path: &str| robots.try_verdict(token, path).is_ok_and(|verdict| verdict.is_allowed());
    if is_open(ORDINARY) {
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
    if allows().next().is_none() && merged.rules().any(is_everything) {
        return Some(line);
    }
    (blocking_within(robots, token.into(), steps) == Blocking::Blocked).then_some(line)
}

/// Returns whether a rule certainly matches every path.
pub(super) fn is_everything(rule: Rule<'_>) -> bool {
    matches!(rule.path(), b"/" | b"/*" | b"*")
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
