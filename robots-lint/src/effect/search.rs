//! The search for paths on which two sets of rules differ.
//!
//! Start at [`Search`]. A state describes a path that may still grow. The state contains the position in each pattern
//! that may still match. For each of the two sets (sides), the state also contains the best rule that already matches.
//! The caller marks some rules as targets: the search looks for a path on which such a rule decides and the two sides
//! differ. The search is breadth first, so the first path that it finds for a rule is a shortest path. The search does
//! not follow a state after which no target can decide. This module does not know files and URLs: `sides` gives it the
//! rules, and `path` converts its paths.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::rc::Rc;
use alloc::vec::Vec;

use robots_core::RuleKind;
use robots_core::path::Pattern;

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

/// The path of robots.txt itself, about which no rule decides if the edition exempts it.
const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// A rule that one side or both sides have, without its pattern.
struct Entry {
    precedence: usize,
    kind: RuleKind,
    sides: [bool; 2],
    /// Whether the search looks for a path on which this rule decides and the other side has another verdict.
    is_target: bool,
}

/// The number of a rule in a search.
pub(super) type RuleId = u32;

/// The two sets of rules that are compared. A rule that both sets have is stored once.
#[derive(Default)]
pub(super) struct Search {
    positions: Positions,
    rules: Vec<Entry>,
    start: Vec<Move>,
    exempts_robots_txt: bool,
}

/// The result of a search.
pub(super) struct Found {
    /// One entry for each rule: a shortest path, in normal form, on which this rule decides and the verdict of the
    /// other side differs. The entry is `None` if the rule is not a target, or if no path was found.
    pub(super) paths: Vec<Option<Vec<u8>>>,
    /// Whether the search ended before it reached the limit of its steps or states.
    pub(super) is_complete: bool,
}

/// The state of the search after some octets of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// The index of a set of positions. The set has one position for each pattern that may still match.
    set: u32,
    /// For each side, the best rule that matches, whatever octets follow.
    best: [Option<RuleId>; 2],
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
    /// Makes a search whose two sets of rules are empty. The caller adds the rules with [`add`](Self::add).
    pub(super) fn new(exempts_robots_txt: bool) -> Self {
        Self { exempts_robots_txt, ..Self::default() }
    }

    /// Adds a rule that the given sides have, and returns its number.
    pub(super) fn add(
        &mut self,
        pattern: &Pattern<'_>,
        precedence: usize,
        kind: RuleKind,
        sides: [bool; 2],
        is_target: bool,
    ) -> RuleId {
        let id = RuleId::try_from(self.rules.len()).unwrap_or(RuleId::MAX);
        self.start.push(self.positions.add(id, pattern));
        self.rules.push(Entry { precedence, kind, sides, is_target });
        id
    }

    /// For each target rule, searches for a shortest path on which this rule decides and the verdicts of the two sides
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

    /// Returns the rank of a matching rule: the longer rule wins, and allow wins between rules of the same length.
    fn rank(&self, id: RuleId) -> (usize, bool) {
        let rule = self.rule(id);
        (rule.precedence, rule.kind == RuleKind::Allow)
    }

    fn is_allowed(&self, best: Option<RuleId>) -> bool {
        best.is_none_or(|id| self.rule(id).kind == RuleKind::Allow)
    }

    /// Replaces the best rule so far by another matching rule, if this other rule wins. Between two rules with the same
    /// rank, a rule that is not a target wins, because then the target rule makes no difference.
    fn improve(&self, best: &mut Option<RuleId>, id: RuleId) {
        let key = |id: RuleId| (self.rank(id), !self.rule(id).is_target);
        if best.is_none_or(|best| key(id) > key(best)) {
            *best = Some(id);
        }
    }

    /// Returns, for each side, whether the side has the rule and the rule would win against the side's best rule if it
    /// matched.
    fn may_win(&self, id: RuleId, best: [Option<RuleId>; 2]) -> [bool; 2] {
        let rule = self.rule(id);
        SIDES.map(|side| {
            rule.sides[side] && best[side].is_none_or(|best| self.rank(id) > self.rank(best))
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
        self.reach(&all, [None, None], Some(0), 0, 0);
        let mut next = 0;
        while next < self.nodes.len() && self.missing > 0 {
            if *steps == 0 || self.nodes.len() >= STATES {
                return false;
            }
            if self.is_worth_following(self.nodes[next].state) {
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
        mut best: [Option<RuleId>; 2],
        of_robots_txt: Option<u8>,
        parent: usize,
        octet: u8,
    ) {
        let search = self.search;
        for &(_, id) in moves.iter().filter(|(to, _)| *to == Move::Matched) {
            for side in SIDES.into_iter().filter(|side| search.rule(id).sides[*side]) {
                search.improve(&mut best[side], id);
            }
        }
        let live = moves.iter().filter_map(|&(to, id)| match to {
            Move::To(position) if search.may_win(id, best) != [false; 2] => Some(position),
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

    /// Computes the verdicts of the two sides for the path that ends at a node, and stores the path if the verdicts
    /// differ.
    fn end_at(&mut self, node: usize) {
        let search = self.search;
        let State { set, mut best, of_robots_txt } = self.nodes[node].state;
        let is_robots_txt = of_robots_txt == Some(11);
        if node == 0 || is_robots_txt && search.exempts_robots_txt {
            return;
        }
        for &position in self.sets[set as usize].iter() {
            if search.positions.accepts_end(position) {
                let id = search.positions.owner(position);
                for side in SIDES.into_iter().filter(|side| search.rule(id).sides[*side]) {
                    search.improve(&mut best[side], id);
                }
            }
        }
        if search.is_allowed(best[0]) == search.is_allowed(best[1]) {
            return;
        }
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
    /// may decide, and the verdict of the other side may differ.
    fn is_worth_following(&self, state: State) -> bool {
        let search = self.search;
        // For each side, whether a longer path may be disallowed, and whether a longer path may be allowed.
        let mut may = SIDES.map(|side| {
            let is_allowed = search.is_allowed(state.best[side]);
            [!is_allowed, is_allowed]
        });
        // For each side, whether a target for which no path was found yet may disallow a longer path, and whether such
        // a target may allow one.
        let mut open = [[false; 2]; 2];
        let mut note = |id: RuleId, side: usize| {
            let rule = search.rule(id);
            if rule.is_target && self.paths[id as usize].is_none() {
                open[side][usize::from(rule.kind == RuleKind::Allow)] = true;
            }
        };
        for side in SIDES {
            if let Some(id) = state.best[side] {
                note(id, side);
            }
        }
        for position in self.sets[state.set as usize].iter() {
            let id = search.positions.owner(*position);
            let wins = search.may_win(id, state.best);
            for side in SIDES.into_iter().filter(|side| wins[*side]) {
                may[side][usize::from(search.rule(id).kind == RuleKind::Allow)] = true;
                note(id, side);
            }
        }
        let differs = |side: usize, kind: usize| open[side][kind] && may[1 - side][1 - kind];
        SIDES.into_iter().any(|side| differs(side, 0) || differs(side, 1))
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
