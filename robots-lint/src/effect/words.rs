//! Describes in words the crawlers that a change affects, for example "everyone except Googlebot". Start at
//! [`Difference::affected`].

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use super::{Agent, Difference};

/// The number of crawlers that a text names if it does not name all of them.
const NAMED: usize = 8;

/// The maximum length of a name, in characters.
const LONGEST: usize = 100;

impl Difference<'_> {
    /// Returns a description of agents that a change affects.
    ///
    /// ```
    /// use robots_lint::effect;
    /// use robots_nom_parser::parse;
    ///
    /// let old = parse("user-agent: *\ndisallow: /a\n\nuser-agent: GPTBot\ndisallow: /\n");
    /// let new = parse("user-agent: *\ndisallow: /b\n\nuser-agent: GPTBot\ndisallow: /\n");
    /// let difference = effect::compare(&old, &new);
    /// assert_eq!(difference.affected(difference.changes()[0].agents()), "everyone except GPTBot");
    /// ```
    #[must_use]
    pub fn affected<'d>(&'d self, agents: impl IntoIterator<Item = &'d Agent>) -> String {
        let affected: BTreeSet<&Agent> = agents.into_iter().collect();
        let unaffected: Vec<&Agent> =
            self.agents().iter().filter(|agent| !affected.contains(agent)).collect();
        if unaffected.is_empty() {
            return "everyone".to_owned();
        }
        if affected.contains(&&Agent::Others) && unaffected.len() <= affected.len().max(NAMED) {
            return format!("everyone except {}", listed(&unaffected));
        }
        listed(&affected.into_iter().collect::<Vec<_>>())
    }
}

/// Returns the names of the crawlers. The crawlers that no file names come last.
fn listed(agents: &[&Agent]) -> String {
    let mut names: Vec<String> = agents
        .iter()
        .filter_map(|agent| match agent {
            Agent::Named(name) => Some(short(name)),
            Agent::Others => None,
        })
        .collect();
    if names.len() > NAMED + 1 {
        let more = names.len() - NAMED;
        names.truncate(NAMED);
        names.push(format!("{more} more"));
    }
    if agents.contains(&&Agent::Others) {
        names.push("crawlers that neither file names".to_owned());
    }
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        names => names.concat(),
    }
}

/// Shortens a long name. A product token has only letters, digits, hyphens and underscores, so nothing must be escaped.
fn short(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        None => name.to_string(),
        Some((at, _)) => format!("{}…", &name[..at]),
    }
}
