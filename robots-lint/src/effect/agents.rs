//! The agents for which files are compared. Agents that follow the same groups form a class.
//!
//! A file of 500 KiB may name 30,000 agents. One pass over the file finds the groups of all agents that it names. If
//! only one of two files names an agent, the other file must be read once more to find the groups of this agent.
//! [`LOOKUPS`] limits this work.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use robots_core::RobotsTxtRef;

/// An agent whose verdicts are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Every crawler that neither file names.
    Others,
    /// The crawler with a product token, spelled as in the first file that names it.
    Named(String),
}

impl Agent {
    /// Returns the product token. For [`Others`](Self::Others), returns the given token, which must be an example of an
    /// agent that no file names.
    pub(super) fn token<'t>(&'t self, other: &'t str) -> &'t str {
        match self {
            Self::Others => other,
            Self::Named(token) => token,
        }
    }
}

/// The maximum number of lines that are read, in all files together, to find the groups of agents that a file does not
/// name.
const LOOKUPS: usize = 20_000_000;

/// The agents of files, in classes. Agents of one class follow the same groups in every file.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    /// All agents: first the agents that no file names, then the named agents by name.
    agents: Vec<Agent>,
    /// The class of each agent, in the order of `agents`. If the limit of the work was reached, the last agents have no
    /// class.
    numbers: Vec<usize>,
    /// The agents of each class, as indices.
    members: Vec<Vec<usize>>,
    /// A token that occurs in no file. This token represents every agent that no file names.
    other: String,
    /// The number of lines of all files.
    lines: usize,
}

impl Classes {
    /// Finds the agents that files name, and the agents that follow the same groups.
    pub(crate) fn of(files: &[RobotsTxtRef<'_>]) -> Self {
        let (tokens, other) = named(files);
        let named = tokens.into_iter().map(Agent::Named);
        let agents: Vec<Agent> = core::iter::once(Agent::Others).chain(named).collect();
        let lines: usize = files.iter().map(|file| file.lines().count()).sum();
        let mut left = LOOKUPS;
        let named: Vec<BTreeMap<String, Vec<usize>>> = files.iter().map(positions).collect();
        let mut known: BTreeMap<Vec<Vec<usize>>, usize> = BTreeMap::new();
        let (mut numbers, mut members): (Vec<usize>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for (index, agent) in agents.iter().enumerate() {
            let token = agent.token(&other);
            let name = token.to_ascii_lowercase();
            let mut groups = |(file, named): (&RobotsTxtRef<'_>, &BTreeMap<String, Vec<usize>>)| {
                if let Some(positions) = named.get(&name) {
                    return positions.clone();
                }
                left = left.saturating_sub(lines);
                let merged = file.followed_by(token);
                merged.map_or_else(Vec::new, |merged| {
                    merged.groups().map(|group| group.position()).collect()
                })
            };
            let groups = files.iter().zip(&named).map(&mut groups).collect();
            let class = *known.entry(groups).or_insert(members.len());
            if class == members.len() {
                members.push(Vec::new());
            }
            members[class].push(index);
            numbers.push(class);
            if left == 0 {
                break;
            }
        }
        Self { agents, numbers, members, other, lines }
    }

    /// Returns the number of lines of all files, which is the work of reading them once.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    /// Returns all agents.
    pub(crate) fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Returns whether every agent has a class.
    pub(crate) fn are_complete(&self) -> bool {
        self.numbers.len() == self.agents.len()
    }

    /// Returns the number of classes.
    pub(crate) fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns the product token of the first agent of a class.
    pub(crate) fn token(&self, class: usize) -> &str {
        self.first(class).token(&self.other)
    }

    /// Returns the first agent of a class.
    pub(super) fn first(&self, class: usize) -> &Agent {
        &self.agents[self.members[class][0]]
    }

    /// Returns the agents of a class, as indices.
    pub(super) fn members(&self, class: usize) -> &[usize] {
        &self.members[class]
    }

    /// Returns the agents of classes, beginning with the agents that no file names.
    pub(super) fn agents_of(&self, classes: impl Iterator<Item = usize>) -> Vec<&Agent> {
        let members = classes.flat_map(|class| self.members(class));
        let mut agents: Vec<&Agent> = members.map(|index| &self.agents[*index]).collect();
        agents.sort_unstable();
        agents
    }

    /// Returns the class of an agent.
    pub(super) fn class_of(&self, agent: &Agent) -> Option<usize> {
        let index = self.agents.iter().position(|known| known == agent)?;
        self.numbers.get(index).copied()
    }
}

/// Returns the positions of the groups that name each product token. A crawler with this token follows these groups.
fn positions(file: &RobotsTxtRef<'_>) -> BTreeMap<String, Vec<usize>> {
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for group in file.groups() {
        for token in group.user_agents().filter_map(|line| line.token()) {
            let positions = named.entry(token.to_ascii_lowercase()).or_default();
            if positions.last() != Some(&group.position()) {
                positions.push(group.position());
            }
        }
    }
    named
}

/// Returns the product tokens that a file names, once for each user-agent line.
pub(crate) fn tokens(file: RobotsTxtRef<'_>) -> impl Iterator<Item = &str> {
    file.groups().flat_map(|group| group.user_agents()).filter_map(|line| line.token())
}

/// Returns a product token that is not named.
pub(crate) fn other_than(is_named: impl Fn(&str) -> bool) -> String {
    let mut other = String::from("examplebot");
    while is_named(&other) {
        other.push('x');
    }
    other
}

/// Returns the product tokens that the files name, in alphabetical order, and one token that no file names.
///
/// These tokens represent all crawlers, even under an edition in which a token falls back to its prefixes. Under such
/// an edition, a token that no file names follows the same groups as its longest prefix that a file names.
fn named(files: &[RobotsTxtRef<'_>]) -> (Vec<String>, String) {
    let mut tokens: BTreeMap<String, String> = BTreeMap::new();
    for token in files.iter().flat_map(|file| self::tokens(file)) {
        tokens.entry(token.to_ascii_lowercase()).or_insert_with(|| token.to_string());
    }
    let other = other_than(|token| tokens.contains_key(token));
    (tokens.into_values().collect(), other)
}
