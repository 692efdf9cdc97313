//! The effects of a change of a robots.txt: the URLs that the change opens or closes, or whose preferences it changes,
//! and the agents that the change affects.
//!
//! Start at [`compare`]. This function compares the rules that each agent follows in the old file and in the new one,
//! and the statements about the use of content. Rules are patterns, and patterns are automata, so the result is exact
//! within a limit ([`STEPS`]). If a rule is in only one of the files and changes a verdict, the result contains a
//! shortest URL whose verdict changes. The same holds for statements and preferences.
//! [`blocking()`] uses the same search to decide whether a file allows an agent to fetch anything. This module reads no
//! files, knows no parser and writes no report.

mod agents;
mod blocking;
mod kind;
mod path;
mod pattern;
mod sample;
mod search;
mod sides;
mod stated;
mod words;

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::time::Duration;

pub use agents::Agent;
pub(crate) use agents::{Classes, other_than, tokens};
pub(crate) use blocking::blocking_within;
pub use blocking::{Blocking, blocking};
pub use kind::Effect;
use robots_core::path::Pattern;
use robots_core::syntax::LineNumber;
#[cfg(feature = "usage")]
use robots_core::usage::Usage;
use robots_core::{RobotsTxtRef, Verdict};
pub(crate) use sample::sample;
pub use search::STEPS;
use sides::{Asked, Budget, Found, Sides};
use stated::Source;

/// Compares the meaning of two files, for every agent that one of them names and for all other agents.
///
/// The two files must be read under the same edition. If the edition exempts `/robots.txt`, the comparison of verdicts
/// ignores this path in every spelling. Without the feature `usage`, preferences are not compared, so a comparison of
/// files with `content-usage` lines counts as [sampled](Difference::is_sampled) under an edition that defines them.
///
/// ```
/// use robots_lint::effect::{self, Effect};
/// use robots_nom_parser::parse;
///
/// let old = parse("user-agent: *\ndisallow: /shop/\n");
/// let new = parse("user-agent: *\ndisallow: /shop/\nallow: /shop/*?color=\n");
/// let difference = effect::compare(&old, &new);
/// let change = &difference.changes()[0];
/// assert_eq!((change.effect(), change.pattern()), (Effect::Opened, &b"/shop/*?color="[..]));
/// assert_eq!(change.path(), "/shop/?color=");
/// assert!(difference.is_everyone(change) && !difference.is_sampled());
/// ```
#[must_use]
pub fn compare<'r>(
    old: impl Into<RobotsTxtRef<'r>>,
    new: impl Into<RobotsTxtRef<'r>>,
) -> Difference<'r> {
    compare_within(old, new, STEPS)
}

/// Compares as [`compare`] does. The caller passes the limit for the [work](STEPS).
#[must_use]
pub fn compare_within<'r>(
    old: impl Into<RobotsTxtRef<'r>>,
    new: impl Into<RobotsTxtRef<'r>>,
    mut steps: u64,
) -> Difference<'r> {
    compare_by(old, new, &mut steps)
}

/// Compares as [`compare`] does. The [work](STEPS) is subtracted from a limit that the caller passes.
pub(crate) fn compare_by<'r>(
    old: impl Into<RobotsTxtRef<'r>>,
    new: impl Into<RobotsTxtRef<'r>>,
    steps: &mut u64,
) -> Difference<'r> {
    let files = [old.into(), new.into()];
    let classes = Arc::new(Classes::of(&files));
    let mut budget = Budget::new(*steps);
    let mut changes: Vec<Change<'r>> = Vec::new();
    let (mut known, mut delays) = (BTreeMap::new(), BTreeMap::new());
    let mut is_sampled = !classes.are_complete() || files.into_iter().any(stated::are_unread);
    for class in 0..classes.count() {
        let Some(sides) = Sides::of(files, [classes.token(class); 2], classes.lines(), &mut budget)
        else {
            is_sampled = true;
            break;
        };
        if sides.delays[0] != sides.delays[1] {
            delays.entry(sides.delays).or_insert_with(Vec::new).push(class);
        }
        for asked in Asked::all() {
            let found = sides.search(asked, &mut budget);
            is_sampled |= !found.is_exact;
            for Found { source, effect, path, natural } in found.paths {
                let pattern = Pattern::new(source.path);
                let key = (effect, pattern.as_octets().to_vec(), pattern.is_anchored());
                let number = *known.entry(key).or_insert(changes.len());
                if number == changes.len() {
                    let classes = Arc::clone(&classes);
                    let (paths, natural) = (Vec::new(), None);
                    let shortest = 0;
                    changes.push(Change {
                        effect,
                        source,
                        files,
                        classes,
                        paths,
                        shortest,
                        natural,
                    });
                }
                changes[number].add(class, path, natural);
            }
        }
    }
    *steps = budget.steps;
    let mut difference = Difference { changes, delays, classes, is_sampled };
    difference.sort();
    difference
}

/// Returns the lines of the rules that close some path for one agent, although the file allows the path for another
/// agent. The [work](STEPS) is subtracted from a limit that the caller passes. If it is reached, lines may be missing.
pub(crate) fn closed_only_for(
    one: &str,
    other: &str,
    robots: RobotsTxtRef<'_>,
    steps: &mut u64,
) -> BTreeSet<LineNumber> {
    let mut budget = Budget::new(*steps);
    let sides = Sides::of([robots; 2], [one, other], robots.lines().count(), &mut budget);
    let found = sides.map(|sides| sides.search(Asked::Verdict, &mut budget).paths);
    *steps = budget.steps;
    let opened = found.into_iter().flatten().filter(|found| found.effect == Effect::Opened);
    let rules = opened.filter_map(|found| robots.try_verdict(one, &found.path).ok()?.rule());
    rules.map(|rule| rule.line().number).collect()
}

/// The effects of a change of a file.
#[derive(Clone, Debug)]
pub struct Difference<'r> {
    changes: Vec<Change<'r>>,
    /// For each pair of delays, the classes of agents that have it.
    delays: BTreeMap<Delays, Vec<usize>>,
    classes: Arc<Classes>,
    is_sampled: bool,
}

/// The `Crawl-delay` of an agent in the old file and in the new one.
pub type Delays = [Option<Duration>; 2];

impl<'r> Difference<'r> {
    /// Returns the changes. The change that concerns the most agents is first.
    #[must_use]
    pub fn changes(&self) -> &[Change<'r>] {
        &self.changes
    }

    /// Returns the agents of the two files: first the agents that no file names, then the named agents by name. In a
    /// [sampled](Self::is_sampled) difference, some agents may not have been compared.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        self.classes.agents()
    }

    /// Returns whether the comparison reached the limit of its work. If the limit was reached, every listed change is
    /// real, but there may be more changes.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// Returns whether a change concerns all agents.
    #[must_use]
    pub fn is_everyone(&self, change: &Change<'_>) -> bool {
        change.count() == self.agents().len()
    }

    /// Returns the agents whose `Crawl-delay` changes, with the delay of each file. No edition defines this field, so it
    /// changes no verdict.
    ///
    /// ```
    /// use core::time::Duration;
    /// use robots_lint::effect;
    /// use robots_nom_parser::parse;
    ///
    /// let (old, new) = (parse("user-agent: *\ncrawl-delay: 5\n"), parse("user-agent: *\n"));
    /// let difference = effect::compare(&old, &new);
    /// assert!(difference.changes().is_empty());
    /// let (agents, delays) = difference.crawl_delays().next().unwrap();
    /// assert_eq!(difference.affected(agents), "everyone");
    /// assert_eq!(delays, [Some(Duration::from_secs(5)), None]);
    /// ```
    pub fn crawl_delays(&self) -> impl Iterator<Item = (Vec<&Agent>, Delays)> {
        let agents = |classes: &[usize]| self.classes.agents_of(classes.iter().copied());
        self.delays.iter().map(move |(delays, classes)| (agents(classes), *delays))
    }

    /// Sorts the changes by the number of agents, beginning with the most, then by effect, line and agents.
    fn sort(&mut self) {
        self.changes.sort_by_cached_key(|change| {
            let classes: Vec<usize> = change.paths.iter().map(|(class, _)| *class).collect();
            (Reverse(change.count()), change.effect, change.source.line, classes)
        });
    }
}

/// URLs that a change of the file opens or closes because of one rule, or whose preferences it changes because of one
/// statement.
#[derive(Clone, Debug)]
pub struct Change<'r> {
    effect: Effect,
    source: Source<'r>,
    files: [RobotsTxtRef<'r>; 2],
    classes: Arc<Classes>,
    /// A shortest path for each affected class of agents.
    paths: Vec<(usize, String)>,
    /// The index of the shortest path in `paths`.
    shortest: usize,
    /// A natural path for the class of the shortest path.
    natural: Option<String>,
}

impl<'r> Change<'r> {
    /// Returns what changes about the URLs.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the pattern of the rule or the statement that makes the difference, as the file writes it. For a
    /// statement without a path, which is about every URL, the pattern is empty.
    #[must_use]
    pub fn pattern(&self) -> &'r [u8] {
        self.source.path
    }

    /// Returns the agents for which the URLs change, beginning with the agents that no file names.
    pub fn agents(&self) -> impl ExactSizeIterator<Item = &Agent> {
        self.classes.agents_of(self.paths.iter().map(|(class, _)| *class)).into_iter()
    }

    /// Returns a path and query about which the answer changes for an agent because of the rule. The path is a shortest
    /// one, and has the form that a URL contains. Returns `None` if nothing changes for this agent.
    ///
    /// In a [sampled](Difference::is_sampled) difference, there may be a shorter path.
    #[must_use]
    pub fn path_for(&self, agent: &Agent) -> Option<&str> {
        let class = self.classes.class_of(agent)?;
        let found = self.paths.iter().find(|(known, _)| *known == class);
        found.map(|(_, path)| path.as_str())
    }

    /// Returns the shortest of the paths that [`path_for`](Self::path_for) returns for the agents.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.paths[self.shortest].1
    }

    /// Returns a path that looks natural, about which the answer changes as about [the shortest path](Self::path). For
    /// example, for the pattern `/*.pdf` it is `/a.pdf` and not `/.pdf`. If no such path is known, returns the shortest
    /// path.
    #[must_use]
    pub fn example(&self) -> &str {
        self.natural.as_deref().unwrap_or(self.path())
    }

    /// Returns an agent for which the answers about [the shortest path](Self::path) and [the example](Self::example) change.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        self.classes.first(self.paths[self.shortest].0)
    }

    /// Returns the verdict of the old file on [the example](Self::example), for [its agent](Self::agent).
    #[must_use]
    pub fn before(&self) -> Verdict<'r> {
        self.verdict(0)
    }

    /// Returns the verdict of the new file on [the example](Self::example), for [its agent](Self::agent).
    #[must_use]
    pub fn after(&self) -> Verdict<'r> {
        self.verdict(1)
    }

    /// Returns the preferences of the old file for [the example](Self::example), if the change is about a preference.
    /// The vocabulary of the result has the category of the change. This function needs the feature `usage`.
    ///
    /// ```
    /// use robots_core::{Edition, usage::{Category, Preference}};
    /// use robots_lint::effect::{self, Effect};
    /// use robots_nom_parser::parse_with;
    ///
    /// let [old, new] = ["train-ai=n", "train-ai=y"].map(|stated| {
    ///     parse_with(format!("user-agent: *\ncontent-usage: {stated}\n"), Edition::Aipref2026_08)
    /// });
    /// let difference = effect::compare(&old, &new);
    /// let change = &difference.changes()[0];
    /// assert_eq!((change.effect(), change.path()), (Effect::Preference(Category::TrainAi), "/"));
    /// let [before, after] = [change.usage_before(), change.usage_after()].map(Option::unwrap);
    /// assert_eq!(before.preference(Category::TrainAi), Some(Preference::Disallowed));
    /// assert_eq!(after.preference(Category::TrainAi), Some(Preference::Allowed));
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage_before(&self) -> Option<Usage<'r>> {
        self.usage(0)
    }

    /// Returns the preferences of the new file for [the example](Self::example), as
    /// [`usage_before`](Self::usage_before) does for the old file.
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage_after(&self) -> Option<Usage<'r>> {
        self.usage(1)
    }

    /// Returns the number of agents for which the URLs change.
    fn count(&self) -> usize {
        self.paths.iter().map(|(class, _)| self.classes.members(*class).len()).sum()
    }

    /// Computes the verdict of one of the files on the example. The computation reads the whole file, so verdicts
    /// are computed only when they are shown.
    fn verdict(&self, side: usize) -> Verdict<'r> {
        self.files[side].verdict(self.token(), self.example())
    }

    #[cfg(feature = "usage")]
    fn usage(&self, side: usize) -> Option<Usage<'r>> {
        let Effect::Preference(category) = self.effect else { return None };
        let usage = self.files[side].try_usage(self.token(), self.example(), &[]).ok()?;
        Some(stated::usage(usage, category))
    }

    /// Returns a product token for which the answer about the shortest path changes.
    fn token(&self) -> &str {
        self.classes.token(self.paths[self.shortest].0)
    }

    /// Adds a class of agents, with a path about which the answer changes for them. Callers add the classes in ascending order.
    fn add(&mut self, class: usize, path: String, natural: Option<String>) {
        if self.paths.is_empty() || path.len() < self.path().len() {
            self.natural = natural;
        }
        match self.paths.last_mut() {
            // If two rules of this class have the same pattern but different precedence, each rule may have a path. The
            // shorter path is kept.
            Some((last, known)) if *last == class => {
                if path.len() < known.len() {
                    *known = path;
                }
            }
            _ => self.paths.push((class, path)),
        }
        let last = self.paths.len() - 1;
        if self.paths[last].1.len() < self.path().len() {
            self.shortest = last;
        }
    }
}
