//! The rules of one crawler, compiled for many URLs.
//!
//! A pattern is its literal prefix, up to the first `*`, and a tail. The distinct prefixes are sorted; each
//! knows the longest other prefix that it begins with. The prefixes that a URL begins with are then the
//! last one that sorts not after it and those that one begins with, as far as they reach: one binary
//! search finds them. Rules without a tail are decided in advance, prefix by prefix; those with one are
//! tried longest first, and only while they could still change the verdict.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::best::Best;
use super::octet_set::OctetSet;
use super::pattern::{self, Pattern};
use crate::edition::Semantics;
use crate::group::{Agent, Followed, Rule};
use crate::index::View;
use crate::target::Target;
use crate::verdict::{Reason, Verdict, exempt};

/// The rules one crawler follows, normalised and sorted, for many URLs.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # let robots = robots_core::RobotsTxt::parse(&LineParser,
/// #     "user-agent: *\ndisallow: /private\n", robots_core::Options::default());
/// let rules = robots.rules_for("examplebot");
/// assert!(rules.verdict("/public").is_allowed());
/// assert!(!rules.verdict("/private").is_allowed());
/// # }
/// ```
#[derive(Clone)]
pub struct RuleSet<'r> {
    view: View<'r>,
    semantics: &'static Semantics,
    /// The place of the user-agent line that selected the groups; none where there is no group.
    agent: Option<u32>,
    rules: u32,
    /// The first eight octets behind the slash of each prefix, zeros where there are fewer.
    keys: Vec<u64>,
    prefixes: Vec<Prefix>,
    tails: Vec<Tail>,
    /// What a URL must hold for each of the tails; apart from them, for most are told by it.
    needs: Vec<OctetSet>,
    /// Normalised octets of patterns that are not written so. An [`Octets`] beyond the body lies here.
    normalised: Vec<u8>,
}

/// A range of octets of the body, or, beyond its end, of what was normalised.
#[derive(Clone, Copy)]
struct Octets {
    start: u32,
    len: u32,
}

/// A distinct literal prefix.
#[derive(Clone)]
struct Prefix {
    octets: Octets,
    /// The position of the longest other prefix with which this one begins, or [`NONE`].
    parent: u32,
    /// Its rules with a tail, longest first.
    tails: Range<u32>,
    /// Whether this prefix or one it begins with has rules with a tail.
    tails_above: bool,
    /// The best of the rules without a tail here and above.
    best: Best,
}

/// What follows the literal prefix of a pattern that is not all literal.
#[derive(Clone)]
struct Tail {
    octets: Octets,
    anchored: bool,
    best: Best,
}

const NONE: u32 = u32::MAX;

impl<'r> RuleSet<'r> {
    pub(crate) fn compile(view: View<'r>, followed: Option<Followed<'r>>) -> Self {
        let mut set = Self {
            view,
            semantics: view.semantics(),
            agent: followed.as_ref().map(|followed| followed.agent().position()),
            rules: 0,
            keys: Vec::new(),
            prefixes: Vec::new(),
            tails: Vec::new(),
            needs: Vec::new(),
            normalised: Vec::new(),
        };
        if let Some(followed) = followed {
            let read = set.read(&followed);
            set.link(&read, &set.sorted(&read));
        }
        set
    }

    /// Returns the verdict on a URL, as [`RobotsTxt::verdict`](crate::RobotsTxt::verdict) does.
    #[must_use]
    pub fn verdict(&self, url: &str) -> Verdict<'r> {
        let target = match Target::of(url, self.semantics) {
            Ok(target) => target,
            Err(error) => return Verdict::not_a_url(self.view, error),
        };
        if exempt(self.semantics, &target) {
            return Verdict::without_group(self.view, Reason::RobotsTxtItself);
        }
        match self.agent {
            None => Verdict::without_group(self.view, Reason::NoGroup),
            Some(agent) => Verdict::new(self.view, agent, self.best(&target), self.rules == 0),
        }
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules as usize
    }

    /// Returns whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules == 0
    }

    #[inline]
    fn best(&self, target: &Target<'_>) -> Best {
        let octets = target.as_bytes();
        let key = key(octets);
        let Some(last) = self.last_not_after(octets, key) else { return Best::NONE };
        let mut prefix = &self.prefixes[last];
        // Most prefixes are told apart by their keys, without a look at the file.
        let shared = match key ^ self.keys[last] {
            0 if prefix.octets.len <= KEY_END => prefix.octets.len,
            0 => number(common(self.octets(prefix.octets), octets)),
            differ => 1 + differ.leading_zeros() / 8,
        };
        while prefix.octets.len > shared {
            match self.prefixes.get(prefix.parent as usize) {
                Some(parent) => prefix = parent,
                None => return Best::NONE,
            }
        }
        if prefix.tails_above { self.best_with_tails(prefix, target) } else { prefix.best }
    }

    fn best_with_tails(&self, deepest: &Prefix, target: &Target<'_>) -> Best {
        let mut best = deepest.best;
        let mut next = Some(deepest);
        while let Some(prefix) = next.filter(|prefix| prefix.tails_above) {
            let rest = &target.as_bytes()[prefix.octets.len as usize..];
            let tails = prefix.tails.start as usize..prefix.tails.end as usize;
            let needs = self.needs[tails.clone()].iter();
            let held = |needs: &OctetSet| target.held().may_hold(*needs);
            for (tail, _) in self.tails[tails].iter().zip(needs).filter(|(_, needs)| held(needs)) {
                if tail.best.precedence() < best.precedence() {
                    break;
                }
                if pattern::tail_matches(self.octets(tail.octets), tail.anchored, rest) {
                    best = best.or(tail.best);
                }
            }
            next = self.prefixes.get(prefix.parent as usize);
        }
        best
    }

    /// Returns the position of the last prefix that does not sort after the octets.
    #[inline]
    fn last_not_after(&self, target: &[u8], key: u64) -> Option<usize> {
        let after = self.keys.partition_point(|other| *other <= key);
        // Prefixes with the same first octets are told apart by the others.
        if after == 0 || self.keys[after - 1] != key {
            return after.checked_sub(1);
        }
        let first = self.keys[..after].partition_point(|other| *other < key);
        let same = &self.prefixes[first..after];
        let not_after = same.partition_point(|prefix| self.octets(prefix.octets) <= target);
        (first + not_after).checked_sub(1)
    }

    /// Returns whether a literal, with its key, begins with a prefix; the keys settle most of it.
    #[inline]
    fn begins_with(&self, literal: &[u8], key: u64, position: u32, prefix: &Prefix) -> bool {
        let len = prefix.octets.len;
        let differ = key ^ self.keys[position as usize];
        match len {
            0 => true,
            1 => !literal.is_empty(),
            2..=KEY_END => differ >> (8 * (KEY_END - len)) == 0 && literal.len() >= len as usize,
            _ => differ == 0 && literal.starts_with(self.octets(prefix.octets)),
        }
    }

    #[inline]
    fn octets(&self, octets: Octets) -> &[u8] {
        let Octets { start, len } = octets;
        let (start, len) = (start as usize, len as usize);
        match self.view.octets.get(start..start + len) {
            Some(written) => written,
            None => &self.normalised[start - self.view.octets.len()..][..len],
        }
    }

    /// Reads the rules, normalised where they have to be.
    fn read(&mut self, followed: &Followed<'r>) -> Vec<Compiled> {
        let semantics = self.semantics;
        let lines = followed.groups().map(|group| group.len()).sum();
        let mut compiled = Vec::with_capacity(lines);
        for group in followed.groups() {
            for rule in group.rules() {
                compiled.push(self.compiled(rule, semantics));
            }
        }
        self.rules = number(compiled.len());
        if semantics.observed.is_some() {
            self.read_folders(followed, semantics, &mut compiled);
        }
        compiled
    }

    /// Reads the second patterns that some rules of an observed library have.
    #[cold]
    fn read_folders(
        &mut self,
        followed: &Followed<'r>,
        semantics: &Semantics,
        compiled: &mut Vec<Compiled>,
    ) {
        for rule in followed.rules() {
            if let Some(pattern) = Pattern::of_folder(rule.kind(), rule.value(), semantics) {
                compiled.push(self.kept(rule, &pattern));
            }
        }
    }

    #[inline]
    fn compiled(&mut self, rule: Rule<'r>, semantics: &Semantics) -> Compiled {
        let written = rule.span();
        let value = &self.view.octets[written.range()];
        if value[0] == b'/' && OctetSet::of(value).is_plain() {
            return Compiled {
                literal: Octets { start: written.start, len: number(value.len()) },
                tail: 0,
                anchored: false,
                best: Best::of(rule, value.len()),
            };
        }
        self.kept(rule, &Pattern::new(value, semantics))
    }

    /// Keeps the octets of a pattern of a rule.
    #[inline]
    fn kept(&mut self, rule: Rule<'r>, pattern: &Pattern<'_>) -> Compiled {
        let (literal, tail) = pattern.split();
        let start = if pattern.is_as_written() {
            rule.span().start
        } else {
            let start = number(self.view.octets.len() + self.normalised.len());
            self.normalised.extend_from_slice(literal);
            self.normalised.extend_from_slice(tail);
            start
        };
        Compiled {
            literal: Octets { start, len: number(literal.len()) },
            tail: number(tail.len()),
            anchored: pattern.is_anchored(),
            best: Best::of(rule, pattern.precedence()),
        }
    }

    /// Returns the keys and positions of rules sorted by prefix, then longest first.
    fn sorted(&self, read: &[Compiled]) -> Vec<(u64, u64, u32)> {
        // Sixteen octets settle most of it without a look at the others.
        let keys = |position: u32, rule: &Compiled| {
            let literal = self.octets(rule.literal);
            (key(literal), key(literal.get(8..).unwrap_or(&[])), position)
        };
        let mut sorted: Vec<_> = (0..).zip(read).map(|(at, rule)| keys(at, rule)).collect();
        sorted.sort_unstable();
        let runs = sorted.chunk_by_mut(|a, b| (a.0, a.1) == (b.0, b.1));
        for run in runs.filter(|run| run.len() > 1) {
            run.sort_unstable_by(|a, b| {
                let (a, b) = (&read[a.2 as usize], &read[b.2 as usize]);
                let by_literal = self.octets(a.literal).cmp(self.octets(b.literal));
                by_literal.then_with(|| b.best.precedence().cmp(&a.best.precedence()))
            });
        }
        sorted
    }

    /// Makes prefixes and tails of sorted rules.
    fn link(&mut self, read: &[Compiled], sorted: &[(u64, u64, u32)]) {
        self.keys.reserve_exact(sorted.len());
        self.prefixes.reserve_exact(sorted.len());
        for (key, _, position) in sorted {
            let rule = &read[*position as usize];
            let literal = self.octets(rule.literal);
            // Of the prefixes so far those that this one begins with are the last and its parents.
            let mut parent = number(self.prefixes.len()).wrapping_sub(1);
            while let Some(prefix) = self.prefixes.get(parent as usize) {
                if self.begins_with(literal, *key, parent, prefix) {
                    break;
                }
                parent = prefix.parent;
            }
            let (mut best, mut tails_above, mut same) = (Best::NONE, false, false);
            if let Some(prefix) = self.prefixes.get(parent as usize) {
                (best, tails_above) = (prefix.best, prefix.tails_above);
                same = prefix.octets.len == rule.literal.len;
            }
            let tails = number(self.tails.len());
            if rule.tail == 0 && !rule.anchored {
                best = best.or(rule.best);
            } else {
                let start = rule.literal.start + rule.literal.len;
                let octets = Octets { start, len: rule.tail };
                self.needs.push(OctetSet::of(self.octets(octets)));
                self.tails.push(Tail { octets, anchored: rule.anchored, best: rule.best });
                tails_above = true;
            }
            let end = number(self.tails.len());
            if same {
                let prefix = &mut self.prefixes[parent as usize];
                (prefix.best, prefix.tails_above, prefix.tails.end) = (best, tails_above, end);
            } else {
                self.keys.push(*key);
                let octets = rule.literal;
                self.prefixes.push(Prefix { octets, parent, tails: tails..end, tails_above, best });
            }
        }
    }
}

impl fmt::Debug for RuleSet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuleSet")
            .field("agent", &self.agent.map(|line| Agent::new(self.view, line)))
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

/// A rule on its way into the set; its tail follows its literal prefix.
struct Compiled {
    literal: Octets,
    tail: u32,
    anchored: bool,
    best: Best,
}

/// Where the octets end of which a key is made.
const KEY_END: u32 = 9;

/// The eight octets behind the first, the slash; zeros, which no normalised octet is, where they end.
#[inline]
fn key(octets: &[u8]) -> u64 {
    let octets = octets.get(1..).unwrap_or(&[]);
    match octets.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => octets.iter().rev().fold(0, |key, octet| key >> 8 | u64::from(*octet) << 56),
    }
}

/// Returns how many octets two slices begin with in common.
#[inline]
fn common(a: &[u8], b: &[u8]) -> usize {
    let eights = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    for (position, (a, b)) in eights.enumerate() {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return position * 8 + differ.trailing_zeros() as usize / 8;
        }
    }
    let same = a.len().min(b.len()) / 8 * 8;
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// Offsets into a file of 32-bit offsets; its normalised octets are at most three times as many, and a
/// limit beyond 1 GiB is the caller's to avoid.
fn number(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}
