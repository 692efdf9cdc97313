//! Writes a first text of expectations, which the owner of a file can change ([`draft`]). The file meets all these
//! expectations when the text is written.
//!
//! The text is about Googlebot, Bingbot, the agents that the file names, the paths of its rules, and its sitemaps. The
//! numbers of paths and agents are limited.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

use robots_core::RobotsTxtRef;
use robots_core::path::Pattern;

use super::EVERYONE;
use super::checked::{Everyone, sitemaps};
use crate::effect::{Blocking, STEPS, blocking_within, sample, tokens};

/// The maximum number of paths that are tried. The first is `/`, and the others are the paths of the file's rules.
const PATHS: usize = 20;

/// The maximum number of agents, counting Googlebot, Bingbot, and the agents that the file names.
const AGENTS: usize = 1000;

/// The maximum number of agents in an item of `urls`.
const ASKED: usize = 8;

/// Returns expectations that a file meets, as YAML. The expectations are about Googlebot, Bingbot, the agents that the
/// file names, the paths of its rules, and its sitemaps.
///
/// ```
/// use robots_lint::expect::{Expectations, check, draft};
/// let robots = robots_nom_parser::parse("user-agent: *\ndisallow: /private/\n\nuser-agent: GPTBot\ndisallow: /\n");
/// let text = draft(&robots);
/// assert!(text.contains("blocked:\n  - GPTBot\n"));
/// assert!(check(&Expectations::read(&text)?, &robots).iter().all(|one| one.is_met()));
/// # Ok::<(), robots_lint::expect::Mistake>(())
/// ```
#[must_use]
pub fn draft<'r>(robots: impl Into<RobotsTxtRef<'r>>) -> String {
    let robots = robots.into();
    let mut out = String::from(
        "# What this robots.txt does today. Correct what is not meant: `robots check` compares files with this list.\n",
    );
    let mut agents: Vec<&str> = alloc::vec!["Googlebot", "Bingbot"];
    let mut known: BTreeSet<String> = agents.iter().map(|agent| agent.to_lowercase()).collect();
    for token in tokens(robots).filter(|token| *token != EVERYONE) {
        if agents.len() < AGENTS && known.insert(token.to_lowercase()) {
            agents.push(token);
        }
    }
    let mut steps = STEPS;
    let (mut never, mut blocked) = (Vec::new(), Vec::new());
    for agent in agents {
        match blocking_within(robots, agent.into(), &mut steps) {
            Blocking::Blocked => blocked.push(agent),
            Blocking::Open(_) => never.push(agent),
            Blocking::Unknown => {}
        }
    }
    list(&mut out, "never-blocked", never.iter().copied());
    list(&mut out, "blocked", blocked.into_iter());
    urls(&mut out, robots, &never[..never.len().min(ASKED)]);
    let sitemaps = sitemaps(robots).filter_map(|url| core::str::from_utf8(url).ok());
    list(&mut out, "sitemaps", sitemaps);
    out
}

/// Writes what crawlers may fetch: a path for each rule. If not all crawlers get the same answer, the text states the
/// answers for the given agents.
fn urls(out: &mut String, robots: RobotsTxtRef<'_>, agents: &[&str]) {
    let rules = robots.groups().flat_map(|group| group.rules());
    let paths = rules.map(|rule| match core::str::from_utf8(rule.path()) {
        Ok(path) if path.starts_with('/') && !path.contains(['*', '$', '#']) => String::from(path),
        _ => sample(&Pattern::new(rule.path())),
    });
    let mut everyone = Everyone::of(robots);
    // For each list of agents, the paths that they may fetch, and those that they may not.
    let mut answers: BTreeMap<Vec<&str>, [Vec<String>; 2]> = BTreeMap::new();
    let mut known = BTreeSet::new();
    for path in core::iter::once(String::from("/")).chain(paths).take(PATHS) {
        if !known.insert(path.clone()) {
            continue;
        }
        let is_open = |agent: &&&str| {
            robots.try_verdict(**agent, &path).is_ok_and(|verdict| verdict.is_allowed())
        };
        let (open, closed) = match everyone.agree(robots, &path) {
            Some(true) => (alloc::vec![EVERYONE], Vec::new()),
            Some(false) => (Vec::new(), alloc::vec![EVERYONE]),
            None => agents.iter().partition(is_open),
        };
        for (place, agents) in [open, closed].into_iter().enumerate() {
            if !agents.is_empty() {
                answers.entry(agents).or_default()[place].push(path.clone());
            }
        }
    }
    for (place, (agents, paths)) in answers.iter().enumerate() {
        if place == 0 {
            out.push_str("urls:\n");
        }
        let agents: Vec<String> = agents.iter().map(|agent| quoted(agent)).collect();
        let _ = writeln!(out, "  - agents: [{}]", agents.join(", "));
        for (key, paths) in ["allow", "disallow"].into_iter().zip(paths) {
            for (place, path) in paths.iter().enumerate() {
                if place == 0 {
                    let _ = writeln!(out, "    {key}:");
                }
                let _ = writeln!(out, "      - {}", quoted(path));
            }
        }
    }
}

fn list<'t>(out: &mut String, key: &str, texts: impl Iterator<Item = &'t str>) {
    for (place, text) in texts.enumerate() {
        if place == 0 {
            let _ = writeln!(out, "{key}:");
        }
        let _ = writeln!(out, "  - {}", quoted(text));
    }
}

/// Returns a text as a YAML scalar, in quotation marks if it may need them.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/-_.:".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    let is_word = matches!(text, "null" | "true" | "false" | "yes" | "no");
    if begins && !is_word && !text.ends_with(':') && text.chars().all(is_plain) {
        return text.into();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // The character is visible, and YAML does not read it as a line end or a byte order mark, so it is not
            // escaped.
            '\'' => out.push(c),
            c if c.escape_debug().len() == 1 => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::{AGENTS, draft};

    /// The text is about at most 1000 agents, and about each agent once. Googlebot and Bingbot are two of them.
    #[test]
    fn the_number_of_agents_is_limited() {
        let listed = |named: usize| {
            // Some editions permit only letters and two marks, so the number is in the length of the token.
            let token = |n: usize| format!("bot-{}-{}", "x".repeat(n % 40), "y".repeat(n / 40));
            let lines = (0..named).map(|n| format!("user-agent: {0}\nuser-agent: {0}\n", token(n)));
            let body = lines.collect::<String>() + "disallow: /private/\n";
            let text = draft(&robots_nom_parser::parse(&body));
            text.lines().filter(|line| line.starts_with("  - ") && !line.contains(':')).count()
        };
        assert_eq!([listed(5), listed(AGENTS - 2), listed(AGENTS + 5)], [7, AGENTS, AGENTS]);
    }
}
