//! The rules that one agent follows in both files, and the paths on which they differ.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use robots_core::path::Pattern;
use robots_core::{Reason, RobotsTxtRef, Rule, RuleKind, RuleSet};

use super::kind::Effect;
use super::search::{RuleId, SIDES, Search};
use super::{path, sample};

/// What makes two rules the same: the octets of the pattern in normal form, whether it ends with `$`, its precedence,
/// and whether it allows.
type Key = (Vec<u8>, bool, usize, bool);

/// The rules of an agent, each once.
pub(super) struct Sides<'r, 't> {
    files: [RobotsTxtRef<'r>; 2],
    token: &'t str,
    rules: BTreeMap<Key, Sided<'r>>,
}

/// A rule, and the files that have it.
struct Sided<'r> {
    /// As the first file has it first.
    rule: Rule<'r>,
    sides: [bool; 2],
}

/// The paths that were found, each with the rule that makes the difference.
pub(super) struct Paths<'r> {
    pub(super) paths: Vec<(Rule<'r>, String)>,
    /// Whether a rule without a path makes no difference on any.
    pub(super) is_exact: bool,
}

impl<'r, 't> Sides<'r, 't> {
    pub(super) fn of(files: [RobotsTxtRef<'r>; 2], token: &'t str) -> Self {
        let mut rules: BTreeMap<Key, Sided<'r>> = BTreeMap::new();
        for (side, file) in SIDES.into_iter().zip(files) {
            for rule in file.followed_by(token).iter().flat_map(robots_core::MergedGroup::rules) {
                let sided = rules.entry(key(rule)).or_insert(Sided { rule, sides: [false; 2] });
                sided.sides[side] = true;
            }
        }
        Self { files, token, rules }
    }

    /// Searches for a path for each rule that one of the files lacks.
    pub(super) fn search(&self, steps: &mut u64) -> Paths<'r> {
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
        let found = search.run(steps);
        paths.is_exact = found.is_complete;
        let compiled = self.files.map(|file| file.rules_for(self.token));
        let mut without = Vec::new();
        for (id, sided) in ids {
            match &found.paths[id as usize] {
                Some(normal) => {
                    let path = path::written(normal);
                    // The matcher has the last word.
                    let is_confirmed = effect_on(&compiled, &path) == Some(sided.effect());
                    paths.is_exact &= is_confirmed;
                    if is_confirmed {
                        paths.paths.push((sided.rule, path));
                    }
                }
                None if sided.sides != [true; 2] => without.push(sided.rule),
                None => {}
            }
        }
        if !paths.is_exact {
            sample(&compiled, &without, &mut paths.paths);
        }
        paths
    }
}

impl Sided<'_> {
    fn effect(&self) -> Effect {
        Effect::of(self.rule.kind(), self.sides[1])
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

/// Returns what changes for a path, as the matcher decides.
fn effect_on(rules: &[RuleSet; 2], path: &str) -> Option<Effect> {
    match [&rules[0], &rules[1]].map(|rules| rules.verdict(path).is_allowed()) {
        [false, true] => Some(Effect::Opened),
        [true, false] => Some(Effect::Closed),
        _ => None,
    }
}

/// Adds rules for which a path is known that follows from their pattern.
fn sample<'r>(sides: &[RuleSet; 2], rules: &[Rule<'r>], paths: &mut Vec<(Rule<'r>, String)>) {
    for &rule in rules {
        let differs = sample::paths(&Pattern::new(rule.path())).find(|path| {
            let verdicts = [&sides[0], &sides[1]].map(|rules| rules.verdict(path));
            verdicts[0].is_allowed() != verdicts[1].is_allowed()
                && verdicts
                    .iter()
                    .any(|verdict| verdict.rule().is_some_and(|decides| key(decides) == key(rule)))
        });
        paths.extend(differs.map(|path| (rule, path)));
    }
}

/// Returns whether the edition of a file allows `/robots.txt` whatever the rules say.
fn exempts_robots_txt(file: RobotsTxtRef<'_>) -> bool {
    let verdict = file.try_verdict("examplebot", "/robots.txt");
    verdict.is_ok_and(|verdict| verdict.reason() == Reason::RobotsTxtItself)
}
