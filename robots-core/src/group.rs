//! Groups, rules and user-agent lines as they stand in a file, and the groups one crawler follows.

use alloc::vec::Vec;
use core::fmt;

use crate::agent::{self, CrawlerRef};
use crate::robots_txt::{IndexedRule, View};
use crate::{Line, RuleKind};

/// A group as written: a run of user-agent lines and the rules that follow it.
#[derive(Clone, Copy)]
pub struct Group<'r> {
    view: View<'r>,
    number: usize,
}

impl<'r> Group<'r> {
    pub(crate) fn new(view: View<'r>, number: usize) -> Self {
        Self { view, number }
    }

    /// Returns the group's place in the file, from 0.
    #[must_use]
    pub fn position(&self) -> usize {
        self.number
    }

    /// Returns its user-agent lines, in order.
    pub fn agents(&self) -> impl Iterator<Item = Agent<'r>> + use<'r> {
        let (view, groups) = (self.view, &self.view.index.groups);
        let start = groups[self.number].agents as usize;
        let end =
            groups.get(self.number + 1).map_or(view.index.agents.len(), |g| g.agents as usize);
        view.index.agents[start..end].iter().map(move |line| Agent { view, line: *line })
    }

    /// Returns its rules with effect, in order.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        let (view, groups) = (self.view, &self.view.index.groups);
        let start = groups[self.number].rules as usize;
        let end = groups.get(self.number + 1).map_or(view.index.rules.len(), |g| g.rules as usize);
        view.index.rules[start..end].iter().map(move |rule| view.rule(*rule))
    }
}

impl fmt::Debug for Group<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group")
            .field("agents", &self.agents().collect::<Vec<_>>())
            .field("rules", &self.rules().collect::<Vec<_>>())
            .finish()
    }
}

/// A user-agent line.
#[derive(Clone, Copy)]
pub struct Agent<'r> {
    view: View<'r>,
    line: u32,
}

impl<'r> Agent<'r> {
    /// Returns the value as written, without surrounding white space.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.view.value(self.line)
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.index.lines[self.line as usize]
    }

    /// Returns whether the value is `*` alone, the global agent.
    #[must_use]
    pub fn is_global(&self) -> bool {
        self.value() == b"*"
    }

    /// Returns whether the value names a product token: it begins with it, ASCII case ignored, and no
    /// further octet of a token follows.
    ///
    /// Sources: "order of precedence for user agents" of the Google editions; RFC 9309, 2.2.1.
    #[must_use]
    pub fn names(&self, token: &str) -> bool {
        agent::names(self.value(), token) && self.has_effect()
    }

    fn has_effect(&self) -> bool {
        !self.value().iter().copied().any(crate::line::is_control)
    }
}

impl fmt::Debug for Agent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: user-agent: {}", self.line().number, self.value().escape_ascii())
    }
}

/// An allow or disallow line with effect.
#[derive(Clone, Copy)]
pub struct Rule<'r> {
    view: View<'r>,
    rule: IndexedRule,
}

impl<'r> Rule<'r> {
    pub(crate) fn new(view: View<'r>, rule: IndexedRule) -> Self {
        Self { view, rule }
    }

    /// Returns whether it allows or disallows.
    #[must_use]
    pub fn kind(&self) -> RuleKind {
        self.rule.kind
    }

    /// Returns the path pattern as written, without surrounding white space.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.view.value(self.rule.line)
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.index.lines[self.rule.line as usize]
    }

    /// Returns the group it stands in.
    #[must_use]
    pub fn group(&self) -> Group<'r> {
        Group::new(self.view, self.rule.group as usize)
    }
}

impl fmt::Debug for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.line().number)
    }
}

/// Writes the rule as a line of a file; octets outside printable ASCII and UTF-8 text are escaped.
impl fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), Shown(self.value()))
    }
}

/// The groups one crawler follows, as one.
#[derive(Clone)]
pub struct Followed<'r> {
    groups: Vec<Group<'r>>,
    agent: Agent<'r>,
}

impl<'r> Followed<'r> {
    pub(crate) fn select(view: View<'r>, crawler: CrawlerRef<'_>) -> Option<Self> {
        let fallback = view.semantics().agent_prefix_fallback;
        for token in crawler.tokens() {
            let shorter = agent::shorter(token).filter(|_| fallback);
            for token in core::iter::once(token).chain(shorter) {
                if let Some(found) = Self::with(view, |agent| agent.names(token)) {
                    return Some(found);
                }
            }
        }
        Self::with(view, Agent::is_global)
    }

    /// Returns the groups that were merged, in the order of the file; at least one.
    pub fn groups(&self) -> impl Iterator<Item = Group<'r>> {
        self.groups.iter().copied()
    }

    /// Returns the user-agent line that selected the first of them.
    #[must_use]
    pub fn agent(&self) -> Agent<'r> {
        self.agent
    }

    /// Returns the rules of all of them, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> {
        self.groups().flat_map(|group| group.rules())
    }

    fn with(view: View<'r>, selects: impl Fn(&Agent<'r>) -> bool) -> Option<Self> {
        let mut agent = None;
        let mut groups = Vec::new();
        for group in view.groups() {
            if let Some(found) = group.agents().find(&selects) {
                agent.get_or_insert(found);
                groups.push(group);
            }
        }
        Some(Self { groups, agent: agent? })
    }
}

impl fmt::Debug for Followed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Followed")
            .field("agent", &self.agent)
            .field("groups", &self.groups)
            .finish()
    }
}

/// Octets for people: UTF-8 text as it is, controls and other octets escaped.
pub(crate) struct Shown<'o>(pub(crate) &'o [u8]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                if character.is_control() {
                    write!(f, "{}", character.escape_debug())?;
                } else {
                    write!(f, "{character}")?;
                }
            }
            for octet in chunk.invalid() {
                write!(f, "\\x{octet:02X}")?;
            }
        }
        Ok(())
    }
}
