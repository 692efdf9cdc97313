//! A running search: the states that it has reached, and the paths that it has found.
//!
//! Start at [`Search::run`]. The search is breadth first, so the first path that it finds for a rule is a shortest path. It
//! does not follow a state after which no target can decide.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use super::super::pattern::{Move, Position};
use super::{Best, Found, Layer, RuleId, SIDES, Search, Value};

impl Search {
    /// For each target rule, searches for a shortest path on which this rule decides and the values of the two sides
    /// differ.
    ///
    /// If the deciding rules of both sides are targets, the path is stored for the rule with the higher precedence. If
    /// both have the same precedence, it is stored for both. Every move of a pattern uses one step, and the search ends
    /// when no step is left.
    pub(in crate::effect) fn run(&self, steps: &mut u64) -> Found {
        let mut run = Run::of(self);
        let is_complete = run.run(steps);
        Found { paths: run.paths, is_complete }
    }
}

/// The maximum number of states of a search. Each state needs about 200 octets of memory.
const STATES: usize = 1_000_000;

/// The path of robots.txt itself, which is allowed whatever the rules are, if the edition exempts it.
const ROBOTS_TXT: &[u8] = b"/robots.txt";
const ROBOTS_TXT_END: u8 = 11;

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

/// The data of a running search.
pub(super) struct Run<'s> {
    search: &'s Search,
    sets: Vec<Rc<[Position]>>,
    /// The number of each set. The key begins with a fingerprint, so that the comparison of two different sets usually
    /// ends at once.
    numbers: BTreeMap<(u64, Rc<[Position]>), u32>,
    nodes: Vec<Node>,
    visited: BTreeSet<State>,
    pub(super) paths: Vec<Option<Vec<u8>>>,
    /// The number of targets for which no path was found yet.
    missing: usize,
}

impl<'s> Run<'s> {
    pub(super) fn of(search: &'s Search) -> Self {
        Self {
            search,
            sets: Vec::new(),
            numbers: BTreeMap::new(),
            nodes: Vec::new(),
            visited: BTreeSet::new(),
            paths: search.rules.iter().map(|_| None).collect(),
            missing: search.rules.iter().filter(|rule| rule.is_target).count(),
        }
    }

    /// Runs the search, and returns whether it ended before it reached the limit of its steps or states.
    pub(super) fn run(&mut self, steps: &mut u64) -> bool {
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
