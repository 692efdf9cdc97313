//! The rules and statements that one agent follows in the two files, and the paths on which they differ.
//!
//! Start at [`Sides::of`], which reads the lines, and [`Sides::search`], which finds paths. If the search reaches its
//! limit, this module makes paths from the patterns and tries them as samples. [`Budget`] limits the searches, and also
//! the work of reading and compiling rules and of computing verdicts on paths.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::time::Duration;

use robots_core::path::Pattern;
use robots_core::usage::{Category, Preferences};
use robots_core::{Reason, RobotsTxtRef, RuleSet};

use super::kind::Effect;
use super::search::{Entry, Layer, RuleId, SIDES, Search, Value};
use super::stated::{self, Source};
use super::{path, sample};

/// The property of a path that is compared.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    /// The verdict.
    Verdict,
    /// The preference for a category of use, if both files allow the path.
    Preference(Category),
}

impl Asked {
    /// Returns everything that is compared. The categories are those of all vocabularies.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let categories = Category::ALL.iter().copied().map(Self::Preference);
        core::iter::once(Self::Verdict).chain(categories)
    }
}

/// The key of a rule or a statement: the octets of the pattern in normal form, whether it ends with `$`, its
/// precedence, and its value. Two rules with the same key are equal.
type Key = (Vec<u8>, bool, usize, Value);

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

/// The maximum number of patterns of a search for which a natural path is tried.
const NATURAL: usize = 64;

/// The work of reading and compiling one rule, in steps.
const RULE: usize = 16;

/// The work of computing the verdicts on a path, in steps. Patterns with wildcards need additional work.
const QUESTION: usize = 16;

/// The rules that an agent follows in one or both files, and the statements in each of them. Equal rules are stored
/// once. Two agents can also be compared in one file, which is then both files.
pub(super) struct Sides<'r, 't> {
    files: [RobotsTxtRef<'r>; 2],
    /// The product token of the agent that is asked about in each file.
    tokens: [&'t str; 2],
    rules: Rules<'r>,
    statements: Vec<(usize, Source<'r>, Preferences)>,
    /// The agent's `Crawl-delay` in each file.
    pub(super) delays: [Option<Duration>; 2],
}

/// Rules, or statements about one category. Equal ones are stored once.
#[derive(Default)]
struct Rules<'r>(BTreeMap<Key, Sided<'r>>);

/// A rule, and the files that have it.
struct Sided<'r> {
    /// The rule at its first place in the first file that has it.
    source: Source<'r>,
    sides: [bool; 2],
}

/// The paths that were found.
pub(super) struct Paths<'r> {
    pub(super) paths: Vec<Found<'r>>,
    /// Whether the search was complete and every path was confirmed, so that no change is missing.
    pub(super) is_exact: bool,
}

/// A path that was found.
pub(super) struct Found<'r> {
    /// The rule or the statement that makes the difference.
    pub(super) source: Source<'r>,
    pub(super) effect: Effect,
    /// A shortest path.
    pub(super) path: String,
    /// A path that looks natural, if the shortest path may not.
    pub(super) natural: Option<String>,
}

impl<'r, 't> Sides<'r, 't> {
    /// Reads the rules and statements of an agent in each file. The function reads all lines of the files, which counts
    /// as work. Returns `None` if no work is left.
    pub(super) fn of(
        files: [RobotsTxtRef<'r>; 2],
        tokens: [&'t str; 2],
        lines: usize,
        budget: &mut Budget,
    ) -> Option<Self> {
        if !budget.spend(lines / 4) {
            return None;
        }
        let (mut rules, mut statements, mut delays) = (Rules::default(), Vec::new(), [None; 2]);
        for (side, file) in SIDES.into_iter().zip(files) {
            let Some(merged) = file.followed_by(tokens[side]) else { continue };
            delays[side] = merged.crawl_delay();
            for rule in merged.rules() {
                if !budget.spend(RULE + rule.path().len() / 4) {
                    return None;
                }
                let source = Source { path: rule.path(), line: rule.line().number };
                rules.add(side, source, Value::of_kind(rule.kind()));
            }
            for (source, preferences) in stated::statements(&merged) {
                if !budget.spend(RULE + source.path.len() / 4) {
                    return None;
                }
                statements.push((side, source, preferences));
            }
        }
        Some(Self { files, tokens, rules, statements, delays })
    }

    /// For each rule (or statement, if a preference is asked about) that only one of the files has, searches for a path
    /// about which the answer changes because of it.
    pub(super) fn search(&self, asked: Asked, budget: &mut Budget) -> Paths<'r> {
        let mut paths = Paths { paths: Vec::new(), is_exact: true };
        let mut statements = Rules::default();
        let (layer, targets) = match asked {
            Asked::Verdict => (Layer::Verdict, &self.rules),
            Asked::Preference(category) => {
                for (side, source, preferences) in &self.statements {
                    let value = Value::of_preference(preferences.get(category));
                    statements.add(*side, *source, value);
                }
                (Layer::Preference, &statements)
            }
        };
        if targets.0.values().all(Sided::is_shared) {
            return paths;
        }
        let mut search = Search::new(layer, exempts_robots_txt(self.files[0]));
        if layer == Layer::Preference {
            self.rules.add_to(&mut search, Layer::Verdict, |_| false);
        }
        let ids = targets.add_to(&mut search, layer, |sided| !sided.is_shared());
        let found = search.run(&mut budget.steps);
        paths.is_exact = found.is_complete;
        let cost = [&self.rules, &statements].map(|rules| rules.0.values().map(Sided::cost).sum());
        let matcher = Matcher {
            asked,
            rules: SIDES.map(|side| self.files[side].rules_for(self.tokens[side])),
            cost: QUESTION + cost.iter().sum::<usize>() + statements.0.len(),
        };
        let (mut without, mut natural) = (Vec::new(), NATURAL);
        for (id, sided) in ids {
            match &found.paths[id as usize] {
                Some(normal) => {
                    let path = path::written(normal);
                    // The search found this path. The compiled rules must confirm that the answer about it changes.
                    match matcher.effect_on(&path, budget) {
                        Some(effect) => {
                            let source = sided.source;
                            let natural = matcher.natural(&source, effect, &mut natural, budget);
                            paths.paths.push(Found { source, effect, path, natural });
                        }
                        None => paths.is_exact = false,
                    }
                }
                None if !sided.is_shared() => without.push(sided.source),
                None => {}
            }
        }
        if !paths.is_exact {
            matcher.sample(&without, budget, &mut paths.paths);
        }
        paths
    }
}

impl<'r> Rules<'r> {
    fn add(&mut self, side: usize, source: Source<'r>, value: Value) {
        let pattern = Pattern::new(source.path);
        let octets = pattern.as_octets().to_vec();
        let key = (octets, pattern.is_anchored(), pattern.precedence(), value);
        let sided = self.0.entry(key).or_insert(Sided { source, sides: [false; 2] });
        sided.sides[side] = true;
    }

    /// Adds all rules to a search, and returns them with their numbers.
    fn add_to(
        &self,
        search: &mut Search,
        layer: Layer,
        is_target: impl Fn(&Sided<'r>) -> bool,
    ) -> Vec<(RuleId, &Sided<'r>)> {
        let add = |((_, _, precedence, value), sided): (&Key, &'_ Sided<'r>)| {
            let (precedence, value, sides) = (*precedence, *value, sided.sides);
            let rule = Entry { layer, precedence, value, sides, is_target: is_target(sided) };
            search.add(&Pattern::new(sided.source.path), rule)
        };
        let ids: Vec<RuleId> = self.0.iter().map(add).collect();
        ids.into_iter().zip(self.0.values()).collect()
    }
}

impl Sided<'_> {
    fn is_shared(&self) -> bool {
        self.sides == [true; 2]
    }

    /// Returns the work that a rule adds to a verdict. Rules without wildcards add none, because one binary search
    /// finds all of them.
    fn cost(&self) -> usize {
        let path = self.source.path;
        if path.contains(&b'*') { 1 + path.len() / 16 } else { 0 }
    }
}

/// The compiled rules of the two files, and the work of asking them about a path.
struct Matcher {
    asked: Asked,
    rules: [RuleSet; 2],
    cost: usize,
}

impl Matcher {
    /// Returns the change of the answer about a path, or `None` if it does not change or no work is left.
    fn effect_on(&self, path: &str, budget: &mut Budget) -> Option<Effect> {
        if !budget.spend(self.cost + path.len() / 16) {
            return None;
        }
        let [old, new] = &self.rules;
        match self.asked {
            Asked::Verdict => match [old, new].map(|rules| rules.verdict(path).is_allowed()) {
                [false, true] => Some(Effect::Opened),
                [true, false] => Some(Effect::Closed),
                _ => None,
            },
            Asked::Preference(category) => {
                let [old, new] = [old, new].map(|rules| stated::preference(rules, path, category));
                (old? != new?).then_some(Effect::Preference(category))
            }
        }
    }

    /// Returns whether a rule (or a statement, if a preference is asked about) with this pattern decides about a path.
    fn decides(&self, pattern: &Pattern<'_>, path: &str) -> bool {
        self.rules.iter().any(|rules| match self.asked {
            Asked::Verdict => {
                rules.verdict(path).rule().is_some_and(|rule| Pattern::new(rule.path()) == *pattern)
            }
            Asked::Preference(_) => stated::decides(rules, path, pattern),
        })
    }

    /// Makes natural paths from a pattern with wildcards, and returns the first one on which the rule has the effect.
    /// `left` is the number of patterns that may still be tried.
    fn natural(
        &self,
        source: &Source<'_>,
        effect: Effect,
        left: &mut usize,
        budget: &mut Budget,
    ) -> Option<String> {
        let pattern = Pattern::new(source.path);
        if !pattern.as_octets().contains(&b'*') || *left == 0 {
            return None;
        }
        *left -= 1;
        sample::natural(&pattern).find(|path| {
            self.effect_on(path, budget) == Some(effect) && self.decides(&pattern, path)
        })
    }

    /// Makes paths from the patterns, asks about these paths, and adds each rule that decides about a path about which
    /// the answer changes.
    fn sample<'r>(&self, sources: &[Source<'r>], budget: &mut Budget, paths: &mut Vec<Found<'r>>) {
        for &source in sources {
            let pattern = Pattern::new(source.path);
            let found = sample::paths(&pattern).find_map(|path| {
                let effect = self.effect_on(&path, budget)?;
                let found = Found { source, effect, path, natural: None };
                self.decides(&pattern, &found.path).then_some(found)
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
