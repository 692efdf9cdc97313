//! Groups, rules and user-agent lines as they stand in a file, and the groups one crawler follows.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::agent::{self, CrawlerRef};
use crate::edition::Observed;
use crate::index::View;
use crate::meaning::is_control;
use crate::observed;
use crate::{Line, RuleKind, Span};

/// A group as written: a run of user-agent lines and the rules that follow it.
#[derive(Clone, Copy)]
pub struct Group<'r> {
    view: View<'r>,
    position: usize,
}

impl<'r> Group<'r> {
    #[inline]
    pub(crate) fn new(view: View<'r>, position: usize) -> Self {
        Self { view, position }
    }

    /// Returns the group's place in the file, from 0.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// The number of its lines.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.view.lines_of(self.position).len()
    }

    /// Returns its user-agent lines, in order.
    #[inline]
    pub fn agents(&self) -> impl Iterator<Item = Agent<'r>> + use<'r> {
        let view = self.view;
        view.short_lines(view.lines_of(self.position))
            .take_while(|(_, line)| !line.kind().is_rule())
            .filter(|(_, line)| line.kind().is_agent())
            .map(move |(at, line)| Agent { view, line: at, value: view.value_of(line) })
    }

    /// Returns its rules with effect, in order.
    #[inline]
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        let view = self.view;
        view.short_lines(view.lines_of(self.position)).filter_map(move |(at, line)| {
            let kind = line.kind().rule()?;
            Some(Rule { view, line: at, kind, value: view.value_of(line) })
        })
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
    value: Span,
}

impl<'r> Agent<'r> {
    /// The user-agent line at a place.
    #[inline]
    pub(crate) fn new(view: View<'r>, line: u32) -> Self {
        Self { view, line, value: view.value(line) }
    }

    /// The line's place.
    #[inline]
    pub(crate) fn position(self) -> u32 {
        self.line
    }

    /// Returns the value as written, without surrounding white space.
    #[must_use]
    #[inline]
    pub fn value(&self) -> &'r [u8] {
        &self.view.octets[self.value.range()]
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.line)
    }

    /// Returns the group it belongs to.
    ///
    /// # Panics
    /// Never: a user-agent line starts or continues a group.
    #[must_use]
    pub fn group(&self) -> Group<'r> {
        self.view.group_of(self.line).expect("a user-agent line stands in a group")
    }

    /// Returns whether the value is the global agent: `*` alone, or, in google-cpp, before white space.
    #[must_use]
    #[inline]
    pub fn is_global(&self) -> bool {
        match &self.view.semantics().observed {
            None => self.value() == b"*",
            Some(observed) => observed::is_global(self.value(), observed),
        }
    }

    /// Returns whether the value names a product token: it begins with it, ASCII case ignored, and no
    /// further octet of a token follows. In google-cpp the token is the value's first letters, `-` and
    /// `_`.
    ///
    /// Sources: "order of precedence for user agents" of the Google editions; RFC 9309, 2.2.1.
    #[must_use]
    #[inline]
    pub fn names(&self, token: &str) -> bool {
        match &self.view.semantics().observed {
            None => {
                agent::names(self.value(), token.as_bytes())
                    && !self.value().iter().copied().any(is_control)
            }
            Some(observed) => observed::names(self.value(), token, observed),
        }
    }
}

impl fmt::Debug for Agent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: user-agent: {}", self.line().number, Shown(self.value()))
    }
}

/// An allow or disallow line with effect.
#[derive(Clone, Copy)]
pub struct Rule<'r> {
    view: View<'r>,
    line: u32,
    kind: RuleKind,
    value: Span,
}

impl<'r> Rule<'r> {
    /// The rule of the line at a place, which contributes one of the kind.
    #[inline]
    pub(crate) fn new(view: View<'r>, line: u32, kind: RuleKind) -> Self {
        Self { view, line, kind, value: view.value(line) }
    }

    /// The line's place.
    #[inline]
    pub(crate) fn position(self) -> u32 {
        self.line
    }

    /// Returns whether it allows or disallows.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> RuleKind {
        self.kind
    }

    /// Returns the path pattern as written, without surrounding white space.
    #[must_use]
    #[inline]
    pub fn value(&self) -> &'r [u8] {
        &self.view.octets[self.value.range()]
    }

    /// The span of the value.
    #[inline]
    pub(crate) fn span(&self) -> Span {
        self.value
    }

    /// Returns the line.
    #[must_use]
    pub fn line(&self) -> Line {
        self.view.line(self.line)
    }

    /// Returns the group it stands in; `None` for a rule before the first user-agent line, which no
    /// verdict rests on.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        self.view.group_of(self.line)
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
    /// The first user-agent line that selects.
    agent: Agent<'r>,
    selector: Selector<'r>,
}

/// What selects groups: a product token as its first user-agent line spells it, or the global agent; or
/// the places of the groups themselves, in order.
#[derive(Clone)]
enum Selector<'r> {
    Token(&'r [u8]),
    Global,
    Places(Arc<[usize]>),
}

impl<'r> Followed<'r> {
    #[inline]
    pub(crate) fn select(view: View<'r>, crawler: CrawlerRef<'_>) -> Option<Self> {
        if let Some(observed) = &view.semantics().observed {
            return Self::observed(view, crawler, observed);
        }
        let fallback = view.semantics().agent_prefix_fallback;
        for token in crawler.tokens() {
            let shorter = agent::shorter(token).filter(|_| fallback);
            for token in core::iter::once(token).chain(shorter) {
                if let Some(agent) = first(view, |agent| agent.names(token)) {
                    let selector = Selector::Token(&agent.value()[..token.len()]);
                    return Some(Self { agent, selector });
                }
            }
        }
        first(view, Agent::is_global).map(|agent| Self { agent, selector: Selector::Global })
    }

    /// Selects as an observed library does: every group that one of the tokens names, or the global ones.
    #[cold]
    fn observed(view: View<'r>, crawler: CrawlerRef<'_>, observed: &Observed) -> Option<Self> {
        let named = |agent: &Agent<'r>| {
            if observed.tokens_as_given {
                crawler.written().any(|token| agent.names(token))
            } else {
                crawler.tokens().any(|token| agent.names(token))
            }
        };
        let chosen = |agent: Agent<'r>, names: &dyn Fn(&Agent<'r>) -> bool| {
            let groups = view.groups().filter(|group| group.agents().any(|agent| names(&agent)));
            let places = groups.map(|group| group.position).collect();
            Self { agent, selector: Selector::Places(places) }
        };
        first(view, named)
            .map(|agent| chosen(agent, &named))
            .or_else(|| Some(chosen(first(view, Agent::is_global)?, &Agent::is_global)))
    }

    /// Returns the groups that are merged, in the order of the file; at least one.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = Group<'r>> + use<'r> {
        let first = self.agent.group().position;
        let (view, selector) = (self.agent.view, self.selector.clone());
        view.groups()
            .skip(first)
            .filter(move |group| group.position == first || selector.selects(group))
    }

    /// Returns the user-agent line that selected the first of them.
    #[must_use]
    #[inline]
    pub fn agent(&self) -> Agent<'r> {
        self.agent
    }

    /// Returns the rules of all of them, in the order of the file.
    #[inline]
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        self.groups().flat_map(|group| group.rules())
    }
}

impl Selector<'_> {
    #[inline]
    fn selects(&self, group: &Group<'_>) -> bool {
        match self {
            Self::Token(token) => group.agents().any(|agent| {
                agent::names(agent.value(), token) && !agent.value().iter().copied().any(is_control)
            }),
            Self::Global => group.agents().any(|agent| agent.is_global()),
            Self::Places(places) => places.binary_search(&group.position).is_ok(),
        }
    }
}

/// Returns the first user-agent line of a kind.
fn first<'r>(view: View<'r>, selects: impl Fn(&Agent<'r>) -> bool) -> Option<Agent<'r>> {
    view.groups().flat_map(|group| group.agents()).find(selects)
}

impl fmt::Debug for Followed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<Group<'_>> = self.groups().collect();
        f.debug_struct("Followed").field("agent", &self.agent).field("groups", &groups).finish()
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
