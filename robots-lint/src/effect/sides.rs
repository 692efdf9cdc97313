//! The rules that one agent follows in the two files, and the paths on which they differ.
//!
//! Start at [`Sides::of`], which reads the rules, and [`Sides::search`], which finds paths. If the search reaches its
//! limit, this module makes paths from the patterns and tries them as samples. [`Budget`] limits the searches, and also
//! the work of reading and compiling rules and of computing verdicts on paths.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use robots_core::path::Pattern;
use robots_core::{Reason, RobotsTxtRef, Rule, RuleKind, RuleSet};

use super::kind::Effect;
use super::search::{RuleId, SIDES, Search};
use super::{path, sample};

/// The key of a rule: the octets of the pattern in normal form, whether it ends with `$`, its precedence, and whether
/// the rule allows. Two rules with the same key are equal.
type Key = (Vec<u8>, bool, usize, bool);

/// The work that a comparison may still do.
pub(super) struct Budget {
    /// The remaining steps. Searches use these steps, and other work, for example reading the rules, uses them too.
    pub(super) steps: u64,
    /// The remaining work for samples. This work is used only when no step is left.
    pub(super) samples: u64,
}

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Self { steps, samples: SAMPLES }
    }

    /// Subtracts work from the remaining steps, or from the work for samples if no step is left. Returns false if the
    /// work for samples is used up.
    fn spend(&mut self, work: usize) -> bool {
        let left = if self.steps > 0 { &mut self.steps } else { &mut self.samples };
        *left = left.saturating_sub(work as u64);
        self.samples > 0
    }
}

/// The maximum work of sampling, in addition to the steps of searches. The unit of this work is one step of a search.
const SAMPLES: u64 = 5_000_000;

/// The work of reading and compiling one rule, in steps.
const RULE: usize = 16;

/// The work of computing the verdicts on a path, in steps. Patterns with wildcards need additional work.
const QUESTION: usize = 16;

/// The rules that an agent follows in one or both files. Equal rules are stored once.
pub(super) struct Sides<'r, 't> {
    files: [RobotsTxtRef<'r>; 2],
    token: &'t str,
    rules: BTreeMap<Key, Sided<'r>>,
}

/// A rule, and the files that have it.
struct Sided<'r> {
    /// The rule at its first place in the first file that has it.
    rule: Rule<'r>,
    sides: [bool; 2],
}

/// The paths that were found. Each entry has the rule that makes the difference, the effect on the path, and the path.
pub(super) struct Paths<'r> {
    pub(super) paths: Vec<(Rule<'r>, Effect, String)>,
    /// Whether the search was complete and every path was confirmed, so that no change is missing.
    pub(super) is_exact: bool,
}

impl<'r, 't> Sides<'r, 't> {
    /// Reads the rules of an agent. The function reads all lines of the files, which counts as work. Returns `None` if
    /// no work is left.
    pub(super) fn of(
        files: [RobotsTxtRef<'r>; 2],
        token: &'t str,
        lines: usize,
        budget: &mut Budget,
    ) -> Option<Self> {
        if !budget.spend(lines / 4) {
            return None;
        }
        let mut rules: BTreeMap<Key, Sided<'r>> = BTreeMap::new();
        for (side, file) in SIDES.into_iter().zip(files) {
            for rule in file.followed_by(token).iter().flat_map(robots_core::MergedGroup::rules) {
                if !budget.spend(RULE + rule.path().len() / 4) {
                    return None;
                }
                let sided = rules.entry(key(rule)).or_insert(Sided { rule, sides: [false; 2] });
                sided.sides[side] = true;
            }
        }
        Some(Self { files, token, rules })
    }

    /// For each rule that only one of the files has, searches for a path whose verdict changes because of the rule.
    pub(super) fn search(&self, budget: &mut Budget) -> Paths<'r> {
        let mut paths = Paths { paths: Vec::new(), is_exact: true };
        if self.rules.values().all(|sided| sided.sides == [true; 2]) {
            return paths;
        }
        let mut search = Search::new(exempts_robots_txt(self.files[0]));
        let ids: Vec<(RuleId, &Sided<'r>)> = self
            .rules
            .values()
            .map(|sided| {
                let pattern = Pattern::new(sided.rule.path());
                let is_target = sided.sides != [true; 2];
                (
                    search.add(
                        &pattern,
                        pattern.precedence(),
                        sided.rule.kind(),
                        sided.sides,
                        is_target,
                    ),
                    sided,
                )
            })
            .collect();
        let found = search.run(&mut budget.steps);
        paths.is_exact = found.is_complete;
        let matcher = Matcher {
            rules: self.files.map(|file| file.rules_for(self.token)),
            cost: QUESTION + self.rules.values().map(Sided::cost).sum::<usize>(),
        };
        let mut without = Vec::new();
        for (id, sided) in ids {
            match &found.paths[id as usize] {
                Some(normal) => {
                    let path = path::written(normal);
                    // The search found this path. The compiled rules must confirm that the verdict on it changes.
                    let effect = matcher.effect_on(&path, budget);
                    let is_confirmed = effect == Some(sided.effect());
                    paths.is_exact &= is_confirmed;
                    if is_confirmed {
                        paths.paths.push((sided.rule, sided.effect(), path));
                    }
                }
                None if sided.sides != [true; 2] => without.push(sided.rule),
                None => {}
            }
        }
        if !paths.is_exact {
            matcher.sample(&without, budget, &mut paths.paths);
        }
        paths
    }
}

impl Sided<'_> {
    fn effect(&self) -> Effect {
        Effect::of(self.rule.kind(), self.sides[1])
    }

    /// Returns the work that a rule adds to a verdict. Rules without wildcards add none, because one binary search
    /// finds all of them.
    fn cost(&self) -> usize {
        let path = self.rule.path();
        if path.contains(&b'*') { 1 + path.len() / 16 } else { 0 }
    }
}

fn key(rule: Rule<'_>) -> Key {
    let pattern = Pattern::new(rule.path());
    (
        pattern.as_octets().to_vec(),
        pattern.is_anchored(),
        pattern.precedence(),
        rule.kind() == RuleKind::Allow,
    )
}

/// The compiled rules of the two files, and the work of asking them about a path.
struct Matcher {
    rules: [RuleSet; 2],
    cost: usize,
}

impl Matcher {
    /// Returns the change of the verdict for a path, or `None` if it does not change or no work is left.
    fn effect_on(&self, path: &str, budget: &mut Budget) -> Option<Effect> {
        if !budget.spend(self.cost + path.len() / 16) {
            return None;
        }
        match [&self.rules[0], &self.rules[1]].map(|rules| rules.verdict(path).is_allowed()) {
            [false, true] => Some(Effect::Opened),
            [true, false] => Some(Effect::Closed),
            _ => None,
        }
    }

    /// Makes paths from the patterns of the rules, computes the verdicts on these paths, and adds each rule that
    /// decides about a path whose verdict changes.
    fn sample<'r>(
        &self,
        rules: &[Rule<'r>],
        budget: &mut Budget,
        paths: &mut Vec<(Rule<'r>, Effect, String)>,
    ) {
        for &rule in rules {
            let decides = |path: &str| {
                let mut verdicts = self.rules.iter().map(|rules| rules.verdict(path));
                verdicts.any(|it| it.rule().is_some_and(|decides| key(decides) == key(rule)))
            };
            let pattern = Pattern::new(rule.path());
            let found = sample::paths(&pattern).find_map(|path| {
                let effect = self.effect_on(&path, budget)?;
                decides(&path).then_some((rule, effect, path))
            });
            paths.extend(found);
            if budget.samples == 0 {
                return;
            }
        }
    }
}

/// Returns whether the edition of a file always allows `/robots.txt`.
fn exempts_robots_txt(file: RobotsTxtRef<'_>) -> bool {
    let verdict = file.try_verdict("examplebot", "/robots.txt");
    verdict.is_ok_and(|verdict| verdict.reason() == Reason::RobotsTxtItself)
}
