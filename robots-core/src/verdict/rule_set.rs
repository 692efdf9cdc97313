//! Compiles the rules of one crawler, for verdicts on many URLs.
//!
//! A pattern is split into its literal prefix, up to the first `*`, and a tail. The distinct prefixes are sorted. Each
//! prefix has a link to its parent: the longest other prefix that it begins with. For a verdict, one binary search
//! finds the last prefix that does not sort after the URL. Every prefix that the URL begins with is this last prefix or
//! one of its ancestors. For each prefix, the best rule without a tail is known in advance. The rules with a tail that
//! belong to a prefix are tried in order of their length, longest first, and only while they could still change the
//! verdict.
//!
//! A verdict of compiled rules takes a half to a sixth of the time of the fastest other matcher that supports wildcards
//! (`xtask bench`, "Verdicts with compiled rules"). The reference implementation is `RobotsTxt::verdict`, which tries
//! the rules one by one. `tests/semantics.rs` compares the two functions. `tests/documents.rs` of the crate
//! `robots-nom-parser` compares both functions with a simple matcher that follows only the text of the documents.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;
use core::time::Duration;

use super::best_match::BestMatch;
use super::group::{Group, Rule, UserAgentLine};
use super::merged_group::{CRAWL_DELAY, MergedGroup, seconds, values_after};
#[cfg(feature = "usage")]
use super::usage::{Statements, Usage};
use super::{Reason, Verdict, exempt};
use crate::edition::Edition;
use crate::file::index::{Excerpt, Index, held};
use crate::file::slot::Slot;
use crate::file::view::View;
use crate::line::span::{Place, narrow};
use crate::line::{CompactLine, LineKind, RuleKind};
use crate::path::octet_set::OctetSet;
use crate::path::path_and_query::NotAUrl;
use crate::path::{PathAndQuery, Pattern, pattern};

/// The rules that one crawler follows, normalised and sorted, for verdicts on many URLs.
///
/// A rule set owns its data: a copy of the lines of the crawler's groups. So the caller may drop the parsed file. A
/// rule set can be sent to other threads, and clones share the data. A verdict names the same rule, group and lines as
/// a verdict of [`RobotsTxt::verdict`](crate::RobotsTxt::verdict). The line numbers and spans in this verdict refer to
/// the parsed file.
///
/// ```
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
/// # fn main() {
/// # use robots_core::{Options, RobotsTxt};
/// let rules = {
///     let body = "# hello\nuser-agent: *\ndisallow: /private\n";
///     RobotsTxt::parse(&LineParser, body, Options::default()).rules_for("examplebot")
/// };
/// assert!(rules.verdict("/public").is_allowed());
/// let verdict = rules.verdict("/private");
/// assert!(!verdict.is_allowed());
/// assert_eq!(verdict.rule().unwrap().line().number, 3);
/// # }
/// ```
#[derive(Clone)]
pub struct RuleSet(Arc<Compiled>);

struct Compiled {
    /// The lines of the groups, followed by the patterns that had to be normalised.
    octets: Vec<u8>,
    /// The index of the lines of the groups.
    index: Index,
    /// The reason if the crawler follows no group, so that no rule can decide.
    without_group: Option<Reason>,
    rules: u32,
    /// The user-agent line that selects the first of the groups.
    user_agent: Place,
    /// For each prefix, the eight octets after its slash. Missing octets are zero. These octets are stored separately
    /// from the prefixes, so that the binary search reads few cache lines.
    keys: Vec<u64>,
    prefixes: Vec<Prefix>,
    tails: Vec<Tail>,
    /// For each tail, the octets that a matching URL must contain. They are stored separately from the tails, because
    /// the check for these octets rejects most tails.
    needs: Vec<OctetSet>,
    /// The statements (`content-usage` lines) of the groups.
    #[cfg(feature = "usage")]
    statements: Statements,
}

/// A range of octets.
#[derive(Clone, Copy)]
struct Octets {
    start: u32,
    len: u32,
}

/// The position of a prefix in `Compiled::prefixes`. A position outside this list means that there is no prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Position(u32);

/// A distinct literal prefix.
struct Prefix {
    octets: Octets,
    /// The longest other prefix that this prefix begins with.
    parent: Position,
    /// The positions, in `Compiled::tails`, of the rules that have this prefix and a tail. The longest rule is first.
    tails: Range<u32>,
    /// Whether this prefix or one of its ancestors has rules with a tail.
    tails_above: bool,
    /// The best rule without a tail that this prefix or one of its ancestors has.
    best: BestMatch,
}

/// The part of a pattern after its literal prefix, and the rule with this pattern.
struct Tail {
    octets: Octets,
    anchored: bool,
    best: BestMatch,
}

impl RuleSet {
    pub(crate) fn compile(merged: &MergedGroup<'_>) -> Self {
        Self(Arc::new(Compiled::of(merged)))
    }

    /// Makes the rule set of a crawler that follows no group.
    pub(crate) fn without_group(edition: Edition, reason: Reason) -> Self {
        Self(Arc::new(Compiled::new(edition, Some(reason))))
    }

    /// Returns the edition under which the file was read.
    #[must_use]
    pub fn edition(&self) -> Edition {
        self.0.index.edition
    }

    /// Returns the verdict on a URL, as [`RobotsTxt::verdict`](crate::RobotsTxt::verdict) does.
    #[must_use]
    pub fn verdict(&self, url: &str) -> Verdict<'_> {
        match PathAndQuery::of(url) {
            Ok(path) => self.0.verdict(&path),
            Err(error) => Verdict::without_group(self.0.view(), Reason::NotAUrl(error)),
        }
    }

    /// Returns the verdict as [`verdict`](Self::verdict) does, or an error for text that is not a URL.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # let robots = robots_core::RobotsTxt::parse(&LineParser, "", robots_core::Options::default());
    /// assert!(robots.rules_for("examplebot").try_verdict("example.com").is_err());
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`NotAUrl`] if [`PathAndQuery::parse`] refuses the text.
    pub fn try_verdict(&self, url: &str) -> Result<Verdict<'_>, NotAUrl> {
        let path = PathAndQuery::of(url)?;
        Ok(self.0.verdict(&path))
    }

    /// Returns the preferences about the use of a URL's content, as [`RobotsTxt::usage`](crate::RobotsTxt::usage) does.
    ///
    /// ```
    /// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dialect/line_parser.rs"));
    /// # fn main() {
    /// # use robots_core::{Edition, Options, RobotsTxt};
    /// use robots_core::usage::{Category, Preference};
    /// let body = "user-agent: *\ncontent-usage: /a train-ai=n\n";
    /// let robots = RobotsTxt::parse(&LineParser, body, Options::from(Edition::Aipref2026_08));
    /// let usage = robots.rules_for("examplebot");
    /// let usage = usage.usage("/a/page", &[]);
    /// assert_eq!(usage.preference(Category::TrainAi), Some(Preference::Disallowed));
    /// # }
    /// ```
    #[cfg(feature = "usage")]
    #[must_use]
    pub fn usage(&self, url: &str, header: &[&[u8]]) -> Usage<'_> {
        self.try_usage(url, header).unwrap_or_else(|error| {
            let reason = Reason::NotAUrl(error);
            Usage::not_a_question(Verdict::without_group(self.0.view(), reason))
        })
    }

    /// Returns the same preferences as [`usage`](Self::usage), or an error for text that is not a URL.
    ///
    /// # Errors
    /// Returns [`NotAUrl`] if [`PathAndQuery::parse`] refuses the text.
    #[cfg(feature = "usage")]
    pub fn try_usage(&self, url: &str, header: &[&[u8]]) -> Result<Usage<'_>, NotAUrl> {
        let path = PathAndQuery::of(url)?;
        Ok(self.0.statements.usage(self.0.verdict(&path), &path, header))
    }

    /// Returns the groups that contain the rules, as written in the file. The iterator is empty if the crawler follows
    /// no group.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        Group::all(self.0.view())
    }

    /// Returns the rules, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.groups().flat_map(|group| group.rules())
    }

    /// Returns the values of a field for the crawler, as [`MergedGroup::values`] does. The iterator is empty if the
    /// crawler follows no group.
    pub fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &[u8]> + use<'_, 'n> {
        values_after(self.0.view().number(self.0.user_agent), self.groups(), name)
    }

    /// Returns the first valid `crawl-delay` of the crawler, as [`MergedGroup::crawl_delay`] does.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        seconds(self.values(CRAWL_DELAY))
    }

    /// Returns the number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.rules as usize
    }

    /// Returns whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.rules == 0
    }

    /// Returns the memory that the rule set needs, in octets, without the overhead of the allocator.
    #[must_use]
    pub fn size(&self) -> usize {
        let set = &*self.0;
        let index = size_of::<Compiled>() + set.index.size();
        [
            index,
            held(&set.octets),
            held(&set.keys),
            held(&set.prefixes),
            held(&set.tails),
            held(&set.needs),
            #[cfg(feature = "usage")]
            set.statements.size(),
        ]
        .iter()
        .sum()
    }
}

impl Compiled {
    const fn new(edition: Edition, without_group: Option<Reason>) -> Self {
        Self {
            octets: Vec::new(),
            index: Index::new(edition, None),
            without_group,
            rules: 0,
            user_agent: Place::FIRST,
            keys: Vec::new(),
            prefixes: Vec::new(),
            tails: Vec::new(),
            needs: Vec::new(),
            #[cfg(feature = "usage")]
            statements: Statements::none(),
        }
    }

    fn of(merged: &MergedGroup<'_>) -> Self {
        let file = merged.user_agent().view();
        let mut set = Self::new(file.index.edition, None);
        set.index.semantics = file.index.semantics;
        let read = set.read(file, merged);
        set.link(&read, &set.sorted(&read));
        #[cfg(feature = "usage")]
        {
            set.statements = Statements::of(set.view());
        }
        set
    }

    #[inline]
    fn view(&self) -> View<'_> {
        View { octets: &self.octets, index: &self.index }
    }

    #[expect(clippy::inline_always, reason = "inlined into the code that reads the URL")]
    #[inline(always)]
    fn verdict(&self, path: &PathAndQuery<'_>) -> Verdict<'_> {
        if self.without_group.is_some() || exempt(self.index.semantics, path) {
            return self.undecided(path);
        }
        Verdict::new(self.view(), self.best(path), self.rules == 0, self.user_agent)
    }

    /// Returns the verdict on a URL about which no rule can decide.
    #[cold]
    fn undecided(&self, path: &PathAndQuery<'_>) -> Verdict<'_> {
        let reason = match self.without_group {
            Some(Reason::NoGroup) | None if exempt(self.index.semantics, path) => {
                Reason::RobotsTxtItself
            }
            reason => reason.unwrap_or(Reason::NoGroup),
        };
        Verdict::without_group(self.view(), reason)
    }

    #[inline]
    fn best(&self, path: &PathAndQuery<'_>) -> BestMatch {
        let octets = path.as_octets();
        let key = key(octets);
        let Some((last, last_key)) = self.last_not_after(octets, key) else {
            return BestMatch::NONE;
        };
        let mut prefix = &self.prefixes[last];
        // The keys distinguish most prefixes, so the octets of a prefix are rarely read.
        let shared = match key ^ last_key {
            0 if prefix.octets.len <= KEY_END => prefix.octets.len,
            0 => narrow(common(self.octets(prefix.octets), octets)),
            differ => 1 + differ.leading_zeros() / 8,
        };
        while prefix.octets.len > shared {
            match self.prefix(prefix.parent) {
                Some(parent) => prefix = parent,
                None => return BestMatch::NONE,
            }
        }
        if prefix.tails_above { self.best_with_tails(prefix, path) } else { prefix.best }
    }

    fn best_with_tails(&self, deepest: &Prefix, path: &PathAndQuery<'_>) -> BestMatch {
        let mut best = deepest.best;
        let mut next = Some(deepest);
        while let Some(prefix) = next.filter(|prefix| prefix.tails_above) {
            let rest = &path.as_octets()[prefix.octets.len as usize..];
            let tails = prefix.tails.start as usize..prefix.tails.end as usize;
            let needs = self.needs[tails.clone()].iter();
            let held = |needs: &OctetSet| path.held().may_hold(*needs);
            for (tail, _) in self.tails[tails].iter().zip(needs).filter(|(_, needs)| held(needs)) {
                if tail.best.precedence() < best.precedence() {
                    break;
                }
                if pattern::tail_matches(self.octets(tail.octets), tail.anchored, rest) {
                    best = best.or(tail.best);
                }
            }
            next = self.prefix(prefix.parent);
        }
        best
    }

    /// Returns the position of the last prefix that does not sort after the octets of a path, and the key of this
    /// prefix.
    #[inline]
    fn last_not_after(&self, path: &[u8], key: u64) -> Option<(usize, u64)> {
        let after = self.keys.partition_point(|other| *other <= key);
        let last = *self.keys[..after].last()?;
        if last != key {
            return Some((after - 1, last));
        }
        // If several prefixes have this key, their other octets decide. Usually only one prefix has this key.
        let first = match self.keys[..after - 1].last() {
            Some(before) if *before == key => self.keys.partition_point(|other| *other < key),
            _ => after - 1,
        };
        let same = &self.prefixes[first..after];
        let not_after = same.partition_point(|prefix| self.octets(prefix.octets) <= path);
        let last = (first + not_after).checked_sub(1)?;
        Some((last, self.keys[last]))
    }

    #[inline]
    fn prefix(&self, position: Position) -> Option<&Prefix> {
        self.prefixes.get(position.0 as usize)
    }

    /// Returns whether the literal prefix of a rule begins with a prefix of the set. The keys decide most comparisons.
    #[inline]
    fn begins_with(&self, literal: &[u8], key: u64, at: Position, prefix: &Prefix) -> bool {
        let len = prefix.octets.len;
        let differ = key ^ self.keys[at.0 as usize];
        match len {
            0 => true,
            1 => !literal.is_empty(),
            2..=KEY_END => differ >> (8 * (KEY_END - len)) == 0 && literal.len() >= len as usize,
            _ => differ == 0 && literal.starts_with(self.octets(prefix.octets)),
        }
    }

    #[inline]
    fn octets(&self, Octets { start, len }: Octets) -> &[u8] {
        let start = start as usize;
        &self.octets[start..start + len as usize]
    }

    /// Copies the lines of the groups and reads their rules. Rules are normalised if necessary.
    fn read(&mut self, file: View<'_>, merged: &MergedGroup<'_>) -> Vec<Normalised> {
        // For each group, the user-agent line that selects it. The lines of all groups are copied before any rule is
        // normalised, because normalised patterns are stored after the lines.
        let mut user_agents = Vec::new();
        for (group, selecting) in merged.chosen() {
            let taken = self.copy_group(file, group);
            user_agents.push(Place::at(selecting.index() - taken.lines as usize));
        }
        self.user_agent = user_agents.first().copied().unwrap_or(Place::FIRST);
        self.index.lines.push(Slot::end(narrow(self.octets.len())));
        let mut rules = Vec::with_capacity(self.index.lines.len() - 1);
        for (position, user_agent) in user_agents.into_iter().enumerate() {
            let places = self.view().lines_of(position);
            for at in places.start.index()..places.end.index() {
                let slot = self.index.lines[at];
                if let Some(kind) = slot.kind().rule() {
                    let value = self.view().value_of(&slot);
                    let octets = Octets { start: value.first(), len: narrow(value.len()) };
                    rules.push(self.normalised((Place::at(at), kind, user_agent), octets));
                }
            }
        }
        self.rules = narrow(rules.len());
        rules
    }

    /// Copies the lines of one group.
    fn copy_group(&mut self, file: View<'_>, group: Group<'_>) -> Excerpt {
        let places = group.places();
        let from = &file.index.lines[places.start.index()..=places.end.index()];
        // The copy ends with the last line that belongs to the group. Comments and sitemap lines after this line are
        // not copied.
        let of_group = |slot: &Slot| match slot.kind().kind() {
            LineKind::Record { field, .. } => {
                self.index.semantics.role(field).is_some_and(|role| role.is_of_group)
            }
            kind => kind == LineKind::Unknown,
        };
        let lines = from[..from.len() - 1].iter().rposition(of_group).map_or(0, |last| last + 1);
        let (start, end) = (from[0].start(), from[lines].start());
        let place = Place::at(self.index.lines.len());
        let excerpt = Excerpt {
            place,
            lines: narrow(places.start.index() - place.index()),
            octets: start - narrow(self.octets.len()),
            group: narrow(group.index()),
        };
        self.octets.extend_from_slice(&file.octets[start as usize..end as usize]);
        let long = &mut self.index.long;
        self.index.lines.reserve_exact(lines + 1);
        self.index.lines.extend(from[..lines].iter().map(|slot| {
            let slot = slot.moved_back(excerpt.octets);
            match slot.long_position() {
                None => slot,
                Some(at) => {
                    long.push(file.index.long[at].moved_back(excerpt.octets));
                    let line = CompactLine::reference(slot.kind(), narrow(long.len() - 1));
                    Slot::new(slot.start(), line)
                }
            }
        }));
        self.index.groups.push(place);
        self.index.excerpts.push(excerpt);
        excerpt
    }

    #[inline]
    fn normalised(&mut self, rule: Source, written: Octets) -> Normalised {
        let (place, kind, user_agent) = rule;
        let value = self.octets(written);
        if value[0] == b'/' && OctetSet::of(value).is_plain() {
            return Normalised {
                literal: written,
                tail: 0,
                anchored: false,
                best: BestMatch::of(place, kind, value.len(), user_agent),
            };
        }
        let value = value.to_vec();
        let pattern = Pattern::new(&value);
        self.kept(rule, written, &pattern)
    }

    /// Stores the octets of a rule's pattern.
    #[inline]
    fn kept(
        &mut self,
        (place, kind, user_agent): Source,
        written: Octets,
        pattern: &Pattern<'_>,
    ) -> Normalised {
        let (literal, tail) = pattern.split();
        let start = if pattern.is_as_written() {
            written.start
        } else {
            let start = narrow(self.octets.len());
            self.octets.extend_from_slice(literal);
            self.octets.extend_from_slice(tail);
            start
        };
        Normalised {
            literal: Octets { start, len: narrow(literal.len()) },
            tail: narrow(tail.len()),
            anchored: pattern.is_anchored(),
            best: BestMatch::of(place, kind, pattern.precedence(), user_agent),
        }
    }

    /// Returns the keys and positions of the rules, sorted by prefix. If rules have the same prefix, the longest rule
    /// is first.
    fn sorted(&self, read: &[Normalised]) -> Vec<(u64, u64, u32)> {
        // The two keys of a rule contain sixteen octets. They decide most comparisons without reading the other octets.
        let keys = |position: u32, rule: &Normalised| {
            let literal = self.octets(rule.literal);
            (key(literal), key(literal.get(8..).unwrap_or(&[])), position)
        };
        let mut sorted: Vec<_> = (0..).zip(read).map(|(at, rule)| keys(at, rule)).collect();
        sorted.sort_unstable();
        for run in sorted.chunk_by_mut(|a, b| (a.0, a.1) == (b.0, b.1)) {
            run.sort_unstable_by(|a, b| {
                let (a, b) = (&read[a.2 as usize], &read[b.2 as usize]);
                let by_literal = self.octets(a.literal).cmp(self.octets(b.literal));
                by_literal.then_with(|| b.best.precedence().cmp(&a.best.precedence()))
            });
        }
        sorted
    }

    /// Builds prefixes and tails from sorted rules.
    fn link(&mut self, read: &[Normalised], sorted: &[(u64, u64, u32)]) {
        self.keys.reserve_exact(sorted.len());
        self.prefixes.reserve_exact(sorted.len());
        for (key, _, position) in sorted {
            let rule = &read[*position as usize];
            let literal = self.octets(rule.literal);
            // Because the rules are sorted, every prefix that this literal begins with is the last prefix in the list
            // or one of its ancestors.
            let mut parent = Position(narrow(self.prefixes.len()).wrapping_sub(1));
            while let Some(prefix) = self.prefix(parent) {
                if self.begins_with(literal, *key, parent, prefix) {
                    break;
                }
                parent = prefix.parent;
            }
            let (mut best, mut tails_above, mut same) = (BestMatch::NONE, false, false);
            if let Some(prefix) = self.prefix(parent) {
                (best, tails_above) = (prefix.best, prefix.tails_above);
                same = prefix.octets.len == rule.literal.len;
            }
            let tails = narrow(self.tails.len());
            if rule.tail == 0 && !rule.anchored {
                best = best.or(rule.best);
            } else {
                let start = rule.literal.start + rule.literal.len;
                let octets = Octets { start, len: rule.tail };
                self.needs.push(OctetSet::of(self.octets(octets)));
                self.tails.push(Tail { octets, anchored: rule.anchored, best: rule.best });
                tails_above = true;
            }
            let end = narrow(self.tails.len());
            if same {
                let prefix = &mut self.prefixes[parent.0 as usize];
                (prefix.best, prefix.tails_above, prefix.tails.end) = (best, tails_above, end);
            } else {
                self.keys.push(*key);
                let octets = rule.literal;
                self.prefixes.push(Prefix { octets, parent, tails: tails..end, tails_above, best });
            }
        }
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_group = self.0.without_group.is_none();
        let line = has_group.then(|| UserAgentLine::new(self.0.view(), self.0.user_agent));
        f.debug_struct("RuleSet")
            .field("edition", &self.edition())
            .field("user_agent", &line)
            .field("rules", &self.0.rules)
            .finish()
    }
}

/// The source of a rule: the place of the rule, its kind, and the place of the user-agent line that makes the crawler
/// follow its group.
type Source = (Place, RuleKind, Place);

/// A normalised rule that is not in the set yet. Its tail is stored directly after its literal prefix.
struct Normalised {
    literal: Octets,
    tail: u32,
    anchored: bool,
    best: BestMatch,
}

/// The offset in a prefix after the octets that a key contains.
const KEY_END: u32 = 9;

/// Returns the eight octets after the first octet, which is the slash. Missing octets are zeros, which never occur in
/// normalised octets.
#[inline]
fn key(octets: &[u8]) -> u64 {
    let octets = octets.get(1..).unwrap_or(&[]);
    match octets.first_chunk() {
        Some(first) => u64::from_be_bytes(*first),
        None => octets.iter().rev().fold(0, |key, octet| key >> 8 | u64::from(*octet) << 56),
    }
}

/// Returns the length of the common prefix of two slices.
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

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::{common, key};

    proptest! {
        /// Comparing eight octets at a time gives the same result as comparing each octet.
        #[test]
        fn octets_in_common_are_counted(
            shared in prop::collection::vec(1_u8.., 0..40),
            rests in prop::array::uniform2(prop::collection::vec(1_u8.., 0..20)),
        ) {
            let [a, b] = rests.map(|rest| [&*shared, &*rest].concat());
            prop_assert_eq!(common(&a, &b), a.iter().zip(&b).take_while(|(a, b)| a == b).count());
        }

        /// A key contains the eight octets after the first octet, in big-endian order, so keys sort like these octets.
        #[test]
        fn a_key_is_the_octets_behind_the_first(octets in prop::collection::vec(1_u8.., 0..14)) {
            let behind = octets.iter().skip(1).chain(&[0; 8]).take(8).copied().collect::<Vec<u8>>();
            prop_assert_eq!(key(&octets).to_be_bytes().to_vec(), behind);
        }
    }
}
