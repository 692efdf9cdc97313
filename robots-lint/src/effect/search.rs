//! The search for paths on which two sets of rules differ.
//!
//! Start at [`Search`]. A rule is a pattern with a [`Value`]: an allow or disallow line, or a statement about the use of
//! content. These are two [layers](Layer) of rules, which decide separately. A state describes a path that may still
//! grow. The state contains the position in each pattern that may still match. For each layer and each of the two sets
//! (sides), the state also contains the best rule that already matches. The caller marks some rules of one layer as
//! targets: the search looks for a path on which such a rule decides and the two sides differ. The search is breadth
//! first, so the first path that it finds for a rule is a shortest path. The search does not follow a state after which
//! no target can decide. This module does not know files and URLs: `sides` gives it the rules, and `path` converts its
//! paths.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use robots_core::RuleKind;
use robots_core::path::Pattern;
use robots_core::usage::Preference;

use super::pattern::{Move, Position, Positions};

/// The maximum work of [`compare`](super::compare) and of [`blocking`](super::blocking()). If the work reaches this
/// limit, `compare` samples the rest, and `blocking` returns `Unknown`. One step advances the position in one pattern
/// by one octet of the path.
///
/// If each of two files has 5,000 rules that the other file does not have, their comparison stays below this limit,
/// unless many rules have wildcards.
pub const STEPS: u64 = 20_000_000;

/// The maximum number of states of a search. Each state needs about 200 octets of memory.
const STATES: usize = 1_000_000;

/// The two sides: 0 is the old file, and 1 is the new file.
pub(super) const SIDES: [usize; 2] = [0, 1];

/// The path of robots.txt itself, which is allowed whatever the rules are, if the edition exempts it.
const ROBOTS_TXT: &[u8] = b"/robots.txt";
const ROBOTS_TXT_END: u8 = 11;

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

/// A set of values.
#[derive(Clone, Copy)]
struct Values(u8);

impl Values {
    const NONE: Self = Self(0);

    const fn only(Value(value): Value) -> Self {
        Self(1 << value)
    }

    fn add(&mut self, Value(value): Value) {
        self.0 |= 1 << value;
    }

    fn contains(self, Value(value): Value) -> bool {
        self.0 & 1 << value != 0
    }

    /// Returns whether some value of this set differs from some value of the other set, which must not be empty.
    fn may_differ(self, other: Self) -> bool {
        self.0 != 0 && !(self.0 == other.0 && self.0.is_power_of_two())
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

/// The state of the search after some octets of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// The index of a set of positions. The set has one position for each pattern that may still match.
    set: u32,
    /// The best rules that match, whatever octets follow.
    best: Best,
    /// The number of octets that were read, if they are a beginning of `/robots.txt`; otherwise `None`.
    of_robots_txt: Option<u8>,
}

/// A state, and the last step of the path that leads to it: the state before, and the octet.
struct Node {
    state: State,
    parent: usize,
    octet: u8,
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

    /// For each target rule, searches for a shortest path on which this rule decides and the values of the two sides
    /// differ.
    ///
    /// If the deciding rules of both sides are targets, the path is stored for the rule with the higher precedence. If
    /// both have the same precedence, it is stored for both. Every move of a pattern uses one step, and the search ends
    /// when no step is left.
    pub(super) fn run(&self, steps: &mut u64) -> Found {
        let mut run = Run {
            search: self,
            sets: Vec::new(),
            numbers: BTreeMap::new(),
            nodes: Vec::new(),
            visited: BTreeSet::new(),
            paths: self.rules.iter().map(|_| None).collect(),
            missing: self.rules.iter().filter(|rule| rule.is_target).count(),
        };
        let is_complete = run.run(steps);
        Found { paths: run.paths, is_complete }
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

/// The data of a running search.
struct Run<'s> {
    search: &'s Search,
    sets: Vec<Rc<[Position]>>,
    /// The number of each set. The key begins with a fingerprint, so that the comparison of two different sets usually
    /// ends at once.
    numbers: BTreeMap<(u64, Rc<[Position]>), u32>,
    nodes: Vec<Node>,
    visited: BTreeSet<State>,
    paths: Vec<Option<Vec<u8>>>,
    /// The number of targets for which no path was found yet.
    missing: usize,
}

impl Run<'_> {
    fn run(&mut self, steps: &mut u64) -> bool {
        let all = self.search.start.iter().zip(0..).map(|(start, id)| (*start, id));
        let all: Vec<(Move, RuleId)> = all.collect();
        *steps = steps.saturating_sub(all.len() as u64);
        self.reach(&all, Best::default(), Some(0), 0, 0);
        let mut next = 0;
        while next < self.nodes.len() && self.missing > 0 {
            if *steps == 0 || self.nodes.len() >= STATES {
                return false;
            }
            if self.is_worth_following(&self.nodes[next].state) {
                self.follow(next, steps);
            }
            next += 1;
        }
        true
    }

    /// Makes the next states of a state: one for each octet that some pattern distinguishes, and one for all other
    /// octets.
    fn follow(&mut self, node: usize, steps: &mut u64) {
        let state = self.nodes[node].state;
        let set = Rc::clone(&self.sets[state.set as usize]);
        let positions = &self.search.positions;
        // `moves` has the moves for single octets, and `otherwise` has the moves for all other octets. If a position
        // has two moves for an octet, only the first one is used.
        let mut moves: Vec<(u8, usize, Move)> = Vec::new();
        let mut otherwise: Vec<(usize, Move)> = Vec::new();
        for (index, &position) in set.iter().enumerate() {
            moves.extend(positions.moves(position).map(|(octet, to)| (octet, index, to)));
            let to = positions.otherwise(position);
            if to != Move::Dead {
                otherwise.push((index, to));
            }
        }
        *steps = steps.saturating_sub((set.len() + moves.len()) as u64);
        moves.sort_by_key(|(octet, index, _)| (*octet, *index));
        moves.dedup_by_key(|(octet, index, _)| (*octet, *index));
        let is_root = node == 0;
        let expected = state.of_robots_txt.and_then(|at| ROBOTS_TXT.get(usize::from(at)).copied());
        let mut is_used = [false; 256];
        for group in moves.chunk_by(|one, other| one.0 == other.0) {
            let octet = group[0].0;
            is_used[usize::from(octet)] = true;
            // A path begins with a slash, and has no `#`, which would begin a fragment.
            if octet == b'#' || is_root && octet != b'/' {
                continue;
            }
            *steps = steps.saturating_sub((group.len() + otherwise.len()) as u64);
            let next = merged(group, &otherwise);
            self.step(node, &set, &next, octet);
        }
        let is_free = |octet: &u8| !is_used[usize::from(*octet)];
        let others = FREE
            .iter()
            .copied()
            .find(|octet| !is_root && is_free(octet) && Some(*octet) != expected);
        for octet in expected.filter(is_free).into_iter().chain(others) {
            *steps = steps.saturating_sub(otherwise.len() as u64 + 1);
            self.step(node, &set, &otherwise, octet);
        }
    }

    fn step(&mut self, parent: usize, set: &[Position], moves: &[(usize, Move)], octet: u8) {
        let state = self.nodes[parent].state;
        let at = state.of_robots_txt.filter(|at| ROBOTS_TXT.get(usize::from(*at)) == Some(&octet));
        let of_robots_txt = at.map(|at| at + 1);
        let owner = |index: usize| self.search.positions.owner(set[index]);
        let moves: Vec<(Move, RuleId)> =
            moves.iter().map(|(index, to)| (*to, owner(*index))).collect();
        self.reach(&moves, state.best, of_robots_txt, parent, octet);
    }

    /// Handles the state that an octet leads to. If the state is new, checks the path that ends with this octet.
    fn reach(
        &mut self,
        moves: &[(Move, RuleId)],
        mut best: Best,
        of_robots_txt: Option<u8>,
        parent: usize,
        octet: u8,
    ) {
        let search = self.search;
        for &(_, id) in moves.iter().filter(|(to, _)| *to == Move::Matched) {
            search.improve(&mut best, id);
        }
        let live = moves.iter().filter_map(|&(to, id)| match to {
            Move::To(position) if search.may_win(id, &best) != [false; 2] => Some(position),
            _ => None,
        });
        let live: Rc<[Position]> = live.collect();
        let new = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        let key = (fingerprint(&live), Rc::clone(&live));
        let set = *self.numbers.entry(key).or_insert(new);
        if set == new {
            self.sets.push(live);
        }
        let state = State { set, best, of_robots_txt };
        if self.visited.insert(state) {
            let number = self.nodes.len();
            self.nodes.push(Node { state, parent, octet });
            self.end_at(number);
        }
    }

    /// Computes the values of the two sides for the path that ends at a node, and stores the path if the values differ.
    fn end_at(&mut self, node: usize) {
        let search = self.search;
        let State { set, mut best, of_robots_txt } = self.nodes[node].state;
        if node == 0 {
            return;
        }
        for &position in self.sets[set as usize].iter() {
            if search.positions.accepts_end(position) {
                search.improve(&mut best, search.positions.owner(position));
            }
        }
        let is_exempt = search.exempts_robots_txt && of_robots_txt == Some(ROBOTS_TXT_END);
        let is_allowed =
            |side: usize| is_exempt || search.value(&best, Layer::Verdict, side) == Value::ALLOWED;
        let differs = match search.layer {
            Layer::Verdict => is_allowed(0) != is_allowed(1),
            layer @ Layer::Preference => {
                let [old, new] = SIDES.map(|side| search.value(&best, layer, side));
                old != new && is_allowed(0) && is_allowed(1)
            }
        };
        if !differs {
            return;
        }
        let best = best[search.layer as usize];
        let target = |side: usize| best[side].filter(|id| search.rule(*id).is_target);
        let found = match SIDES.map(target) {
            [Some(old), Some(new)] => {
                match search.rule(old).precedence.cmp(&search.rule(new).precedence) {
                    core::cmp::Ordering::Less => [None, Some(new)],
                    core::cmp::Ordering::Equal => [Some(old), Some(new)],
                    core::cmp::Ordering::Greater => [Some(old), None],
                }
            }
            found => found,
        };
        for id in found.into_iter().flatten() {
            if self.paths[id as usize].is_none() {
                self.paths[id as usize] = Some(self.path_to(node));
                self.missing -= 1;
            }
        }
    }

    /// Returns whether the search must follow a state: on some longer path, a target for which no path was found yet
    /// may decide, and the value of the other side may differ.
    fn is_worth_following(&self, state: &State) -> bool {
        let search = self.search;
        let State { set, best, of_robots_txt } = state;
        // For each layer and each side, the values that a longer path may have.
        let value = |layer: Layer, side: usize| Values::only(search.value(best, layer, side));
        let mut may = Layer::ALL.map(|layer| SIDES.map(|side| value(layer, side)));
        // For each side, the values that a longer path may have because of a target for which no path was found yet.
        let mut open = [Values::NONE; 2];
        let mut note = |id: RuleId, side: usize| {
            let rule = search.rule(id);
            may[rule.layer as usize][side].add(rule.value);
            if rule.is_target && self.paths[id as usize].is_none() {
                open[side].add(rule.value);
            }
        };
        for position in self.sets[*set as usize].iter() {
            let id = search.positions.owner(*position);
            let wins = search.may_win(id, best);
            SIDES.into_iter().filter(|side| wins[*side]).for_each(|side| note(id, side));
        }
        for (side, best) in SIDES.into_iter().zip(best[search.layer as usize]) {
            if let Some(id) = best {
                note(id, side);
            }
        }
        if search.layer == Layer::Preference {
            let may_be_exempt = search.exempts_robots_txt && of_robots_txt.is_some();
            let allowed =
                may[Layer::Verdict as usize].map(|values| values.contains(Value::ALLOWED));
            if !may_be_exempt && allowed != [true; 2] {
                return false;
            }
        }
        let may = may[search.layer as usize];
        SIDES.into_iter().any(|side| open[side].may_differ(may[1 - side]))
    }

    fn path_to(&self, mut node: usize) -> Vec<u8> {
        let mut path = Vec::new();
        while node > 0 {
            path.push(self.nodes[node].octet);
            node = self.nodes[node].parent;
        }
        path.reverse();
        path
    }
}

/// Octets that a path in normal form may contain. The search prefers the first ones, because they make an example easy
/// to read.
const FREE: &[u8] =
    b"xyzabcdefghijklmnopqrstuvw0123456789-_.~XYZABCDEFGHIJKLMNOPQRSTUVW!'()+,;:@[]=&/?%";

/// Returns a fingerprint of a set. Two different sets rarely have the same fingerprint.
fn fingerprint(set: &[Position]) -> u64 {
    set.iter().fold(0xCBF2_9CE4_8422_2325, |all: u64, position| {
        (all ^ u64::from(position.number())).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(23)
    })
}

/// Returns the moves of all positions for an octet, in the order of the positions. A move in `group` replaces the move
/// of the same position in `otherwise`.
fn merged(group: &[(u8, usize, Move)], otherwise: &[(usize, Move)]) -> Vec<(usize, Move)> {
    let mut next = Vec::with_capacity(group.len() + otherwise.len());
    let mut rest = otherwise;
    for &(_, index, to) in group {
        let before = rest.iter().take_while(|(other, _)| *other < index).count();
        next.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        if rest.first().is_some_and(|(other, _)| *other == index) {
            rest = &rest[1..];
        }
        next.push((index, to));
    }
    next.extend_from_slice(rest);
    next
}
