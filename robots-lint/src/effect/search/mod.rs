//! The search for paths on which two sets of rules differ.
//!
//! Start at [`Search`]. A rule is a pattern with a [`Value`]: an allow or disallow line, or a statement about the use of
//! content. These are two [layers](Layer) of rules, which decide separately. A state describes a path that may still
//! grow. The state contains the position in each pattern that may still match. For each layer and each of the two sets
//! (sides), the state also contains the best rule that already matches. The caller marks some rules of one layer as
//! targets: the search looks for a path on which such a rule decides and the two sides differ. `run` does the search.
//! This module does not know files and URLs: `sides` gives it the rules, and `path` converts its paths.

mod run;

use alloc::vec::Vec;

use robots_core::RuleKind;
use robots_core::path::Pattern;
use robots_core::usage::Preference;

use super::pattern::{Move, Positions};

/// The maximum work of [`compare`](super::compare) and of [`blocking`](super::blocking()). If the work reaches this
/// limit, `compare` samples the rest, and `blocking` returns `Unknown`. One step advances the position in one pattern
/// by one octet of the path.
///
/// If each of two files has 5,000 rules that the other file does not have, their comparison stays below this limit,
/// unless many rules have wildcards.
pub const STEPS: u64 = 20_000_000;

/// The two sides: 0 is the old file, and 1 is the new file.
pub(super) const SIDES: [usize; 2] = [0, 1];

/// The value that a rule gives to a path. If rules with the same precedence match, the greatest value decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value(u8);

impl Value {
    const ALLOWED: Self = Self::of_kind(RuleKind::Allow);

    /// Returns the value of an allow or disallow line. Between lines of the same length, allow wins.
    pub(super) const fn of_kind(kind: RuleKind) -> Self {
        Self((matches!(kind, RuleKind::Allow)) as u8)
    }

    /// Returns the value of a statement.
    pub(super) const fn of_preference(preference: Preference) -> Self {
        Self(preference as u8)
    }
}

/// The rules that decide together about a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layer {
    /// Allow and disallow lines, which decide the verdict. A path that no rule matches is allowed.
    Verdict,
    /// Statements, which decide the preference for one category of use. A preference applies only to a path that is
    /// allowed. For a path that no statement matches, it is unknown.
    Preference,
}

impl Layer {
    const ALL: [Self; 2] = [Self::Verdict, Self::Preference];

    /// Returns the value of a path that no rule of the layer matches.
    const fn default(self) -> Value {
        match self {
            Self::Verdict => Value::ALLOWED,
            Self::Preference => Value::of_preference(Preference::Unknown),
        }
    }
}

/// A rule that one side or both sides have, without its pattern.
pub(super) struct Entry {
    pub(super) layer: Layer,
    pub(super) precedence: usize,
    pub(super) value: Value,
    pub(super) sides: [bool; 2],
    /// Whether the search looks for a path on which this rule decides and the other side has another value.
    pub(super) is_target: bool,
}

/// For each layer and each side, the best rule that matches.
type Best = [[Option<RuleId>; 2]; 2];

/// The number of a rule in a search.
pub(super) type RuleId = u32;

/// The two sets of rules that are compared. A rule that both sets have is stored once.
pub(super) struct Search {
    /// The layer of the targets.
    layer: Layer,
    positions: Positions,
    rules: Vec<Entry>,
    start: Vec<Move>,
    exempts_robots_txt: bool,
}

/// The result of a search.
pub(super) struct Found {
    /// One entry for each rule: a shortest path, in normal form, on which this rule decides and the value of the other
    /// side differs. The entry is `None` if the rule is not a target, or if no path was found.
    pub(super) paths: Vec<Option<Vec<u8>>>,
    /// Whether the search ended before it reached the limit of its steps or states.
    pub(super) is_complete: bool,
}

impl Search {
    /// Makes a search whose two sets of rules are empty. The caller adds the rules with [`add`](Self::add). All targets
    /// are in the given layer.
    pub(super) fn new(layer: Layer, exempts_robots_txt: bool) -> Self {
        let (positions, rules, start) = (Positions::default(), Vec::new(), Vec::new());
        Self { layer, positions, rules, start, exempts_robots_txt }
    }

    /// Adds a rule and returns its number.
    pub(super) fn add(&mut self, pattern: &Pattern<'_>, rule: Entry) -> RuleId {
        let id = RuleId::try_from(self.rules.len()).unwrap_or(RuleId::MAX);
        self.start.push(self.positions.add(id, pattern));
        self.rules.push(rule);
        id
    }

    fn rule(&self, id: RuleId) -> &Entry {
        &self.rules[id as usize]
    }

    /// Returns the rank of a matching rule: the longer rule wins, and the greater value wins between rules of the same
    /// length.
    fn rank(&self, id: RuleId) -> (usize, Value) {
        let rule = self.rule(id);
        (rule.precedence, rule.value)
    }

    /// Returns the value that a side gives to a path in a layer.
    fn value(&self, best: &Best, layer: Layer, side: usize) -> Value {
        best[layer as usize][side].map_or(layer.default(), |id| self.rule(id).value)
    }

    /// Notes that a rule matches: on each side that has it, the rule replaces the best rule so far, if it wins. Between
    /// two rules with the same rank, a rule that is not a target wins, because then the target rule makes no
    /// difference.
    fn improve(&self, best: &mut Best, id: RuleId) {
        let key = |id: RuleId| (self.rank(id), !self.rule(id).is_target);
        let rule = self.rule(id);
        for side in SIDES.into_iter().filter(|side| rule.sides[*side]) {
            let best = &mut best[rule.layer as usize][side];
            if best.is_none_or(|best| key(id) > key(best)) {
                *best = Some(id);
            }
        }
    }

    /// Returns, for each side, whether the side has the rule and the rule would win against the side's best rule if it
    /// matched.
    fn may_win(&self, id: RuleId, best: &Best) -> [bool; 2] {
        let rule = self.rule(id);
        SIDES.map(|side| {
            let best = best[rule.layer as usize][side];
            rule.sides[side] && best.is_none_or(|best| self.rank(id) > self.rank(best))
        })
    }
}
