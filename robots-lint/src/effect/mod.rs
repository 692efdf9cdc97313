//! What a change of a robots.txt does: the URLs that it opens or closes, and for whom.
//!
//! Start at [`compare`]. It compares the rules that each agent follows in the old file and in the new one. Rules are
//! patterns, and patterns are automata, so the answer is exact: for every rule that only one of the files has, either a
//! shortest URL is found on which the rule makes the difference, or there is none. [`blocking()`] asks the same way
//! whether a file leaves an agent anything at all. Nothing here reads files, knows a parser or writes a report.

mod agents;
mod blocking;
mod kind;
mod path;
mod pattern;
mod sample;
mod search;
mod sides;
mod words;

use alloc::borrow::ToOwned as _;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Reverse;

pub use agents::Agent;
pub use blocking::{Blocking, blocking};
pub use kind::Effect;
use robots_core::path::Pattern;
use robots_core::{RobotsTxtRef, Rule, Verdict};
pub use search::STEPS;
use sides::Sides;

/// Compares what two files mean, for every agent that either of them names and for those that neither names.
///
/// Both files have to be read by the same edition. If the edition exempts `/robots.txt`, that path is left out, however
/// it is written.
///
/// ```
/// use robots_lint::effect::{self, Effect};
/// use robots_nom_parser::parse;
///
/// let old = parse("user-agent: *\ndisallow: /shop/\n");
/// let new = parse("user-agent: *\ndisallow: /shop/\nallow: /shop/*?color=\n");
/// let difference = effect::compare(&old, &new);
/// let change = &difference.changes()[0];
/// assert_eq!((change.effect(), change.pattern()), (Effect::Opened, &b"/shop/*?color="[..]));
/// assert_eq!(change.path(), "/shop/?color=");
/// assert!(difference.is_everyone(change) && !difference.is_sampled());
/// ```
#[must_use]
pub fn compare<'r>(
    old: impl Into<RobotsTxtRef<'r>>,
    new: impl Into<RobotsTxtRef<'r>>,
) -> Difference<'r> {
    compare_within(old, new, STEPS)
}

/// Compares as [`compare`] does, with a bound of the caller's on the [work](STEPS).
#[must_use]
pub fn compare_within<'r>(
    old: impl Into<RobotsTxtRef<'r>>,
    new: impl Into<RobotsTxtRef<'r>>,
    mut steps: u64,
) -> Difference<'r> {
    let files = [old.into(), new.into()];
    let (tokens, other) = agents::named(&files);
    let agents: Vec<Agent> =
        core::iter::once(Agent::Others).chain(tokens.into_iter().map(Agent::Named)).collect();
    // Agents that follow the same groups in both files share a comparison.
    let mut classes: Vec<Vec<&Agent>> = Vec::new();
    let mut numbers = BTreeMap::new();
    for agent in &agents {
        let token = agent.token(&other);
        let groups = files.map(|file| {
            let merged = file.followed_by(token);
            merged.map_or_else(Vec::new, |merged| {
                merged.groups().map(|group| group.position()).collect()
            })
        });
        let class = *numbers.entry(groups).or_insert(classes.len());
        if class == classes.len() {
            classes.push(Vec::new());
        }
        classes[class].push(agent);
    }
    let mut changes: Vec<Change<'r>> = Vec::new();
    let mut known = BTreeMap::new();
    let mut is_sampled = false;
    for class in &classes {
        let token = class[0].token(&other);
        let sides = Sides::of(files, token);
        let found = sides.search(&mut steps);
        is_sampled |= !found.is_exact;
        for (rule, path) in found.paths {
            let verdicts = files.map(|file| file.try_verdict(token, &path));
            let [Ok(old), Ok(new)] = verdicts else { continue };
            let effect = if new.is_allowed() { Effect::Opened } else { Effect::Closed };
            let pattern = Pattern::new(rule.path());
            let key = (effect, pattern.as_octets().to_vec(), pattern.is_anchored());
            let number = *known.entry(key).or_insert(changes.len());
            if number == changes.len() {
                let (examples, verdicts) = (BTreeMap::new(), [old, new]);
                changes.push(Change {
                    effect,
                    rule,
                    examples,
                    example: class[0].clone(),
                    verdicts,
                });
            }
            changes[number].add(class, &path, [old, new]);
        }
    }
    let mut difference = Difference { changes, agents, is_sampled };
    difference.sort();
    difference
}

/// What a change of a file does.
#[derive(Clone, Debug)]
pub struct Difference<'r> {
    changes: Vec<Change<'r>>,
    agents: Vec<Agent>,
    is_sampled: bool,
}

impl<'r> Difference<'r> {
    /// Returns what changes, that for the most agents first.
    #[must_use]
    pub fn changes(&self) -> &[Change<'r>] {
        &self.changes
    }

    /// Returns the agents that were compared: those that no file names first, then the others by name.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Returns whether the comparison ran into its bound. Then every change that it has is one, but there may be more.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// Returns whether a change concerns all agents.
    #[must_use]
    pub fn is_everyone(&self, change: &Change<'_>) -> bool {
        change.examples.len() == self.agents.len()
    }

    /// Returns the agents that a change leaves out.
    pub fn unaffected<'d>(&'d self, change: &'d Change<'_>) -> impl Iterator<Item = &'d Agent> {
        self.agents.iter().filter(|agent| !change.examples.contains_key(agent))
    }

    /// Brings changes for the same agents together, those for the most agents first.
    fn sort(&mut self) {
        self.changes.sort_by(|one, other| {
            let key = |change: &Change<'r>| {
                (Reverse(change.examples.len()), change.effect, change.rule.line().number)
            };
            key(one).cmp(&key(other)).then_with(|| one.agents().cmp(other.agents()))
        });
    }
}

/// URLs that are opened or closed: those for which one rule decides.
#[derive(Clone, Debug)]
pub struct Change<'r> {
    effect: Effect,
    rule: Rule<'r>,
    /// For each agent a shortest path.
    examples: BTreeMap<Agent, String>,
    /// The agent whose path is the shortest, and the verdicts on it.
    example: Agent,
    verdicts: [Verdict<'r>; 2],
}

impl<'r> Change<'r> {
    /// Returns whether the URLs are opened or closed.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the pattern of the rule that makes the difference, as the file writes it.
    #[must_use]
    pub fn pattern(&self) -> &'r [u8] {
        self.rule.path()
    }

    /// Returns the agents for which the URLs change, those that no file names first.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = &Agent> {
        self.examples.keys()
    }

    /// Returns a shortest path and query, as a URL has them, whose verdict changes for an agent because of the rule;
    /// `None` if nothing changes for that agent.
    ///
    /// In a [sampled](Difference::is_sampled) difference there may be a shorter one.
    #[must_use]
    pub fn path_for(&self, agent: &Agent) -> Option<&str> {
        self.examples.get(agent).map(String::as_str)
    }

    /// Returns the shortest of these paths.
    #[must_use]
    pub fn path(&self) -> &str {
        self.path_for(&self.example).unwrap_or_default()
    }

    /// Returns the agent whose path that is.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        &self.example
    }

    /// Returns the verdict of the old file on [the shortest path](Self::path), for [its agent](Self::agent).
    #[must_use]
    pub fn before(&self) -> Verdict<'r> {
        self.verdicts[0]
    }

    /// Returns the verdict of the new file on [the shortest path](Self::path), for [its agent](Self::agent).
    #[must_use]
    pub fn after(&self) -> Verdict<'r> {
        self.verdicts[1]
    }

    /// Adds agents that follow the same rules, with a path whose verdicts differ for them.
    fn add(&mut self, agents: &[&Agent], path: &str, verdicts: [Verdict<'r>; 2]) {
        let shortest = self.path_for(&self.example).map(str::len);
        for &agent in agents {
            let known = self.examples.entry(agent.clone()).or_insert_with(|| path.to_owned());
            if path.len() < known.len() {
                path.clone_into(known);
            }
        }
        if shortest.is_none_or(|shortest| path.len() < shortest) {
            (self.example, self.verdicts) = (agents[0].clone(), verdicts);
        }
    }
}
