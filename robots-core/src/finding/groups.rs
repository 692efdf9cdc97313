//! What rests on several lines: crawlers that are named again, and rules that change nothing.
//!
//! Start at [`across`]. A crawler follows all groups that name it, so that a rule is to be compared with those
//! of the groups that are merged with its own. Groups that the same crawlers name are looked at together; where
//! crawlers follow overlapping sets of groups, nothing is said about their rules.

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;

use super::file::File;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::values::{names_another, token};
use crate::file::view::View;
use crate::line::span::Place;
use crate::line::{Field, LineKind, NoEffect, RuleKind, Span};
use crate::path::Pattern;
use crate::verdict::{Group, Rule};

/// A finding on a line that rests on another.
#[derive(Clone, Copy)]
pub(super) struct Across {
    pub(super) place: Place,
    kind: FindingKind,
    other: Option<Place>,
}

impl Across {
    pub(super) fn finding(self, file: File<'_>) -> Finding<'_> {
        let view = file.view;
        let line = view.line(self.place);
        let span = match (self.kind, line.value) {
            (FindingKind::GroupRepeated | FindingKind::AgentRepeated, Some(value)) => value,
            _ => line.comment.map_or(line.content, |comment| {
                let end = line.value.map_or(comment.start(), Span::end);
                Span::new(line.content.start(), end.max(line.content.start()))
            }),
        };
        let detail = self.other.map_or(Detail::None, |other| {
            let other = view.line(other);
            Detail::Line(other.number, other.content)
        });
        file.finding(self.kind, line.number, span, detail)
    }
}

/// Returns the findings that rest on several lines, in the order of the lines.
pub(super) fn across(view: View<'_>) -> Vec<Across> {
    let mut found = Vec::new();
    empty_rules(view, &mut found);
    let components = agents(view, &mut found);
    let mut reported = Vec::new();
    for groups in components {
        redundant(view, &groups, &mut reported);
    }
    keep_groups_apart(view, &mut reported);
    found.extend(reported);
    found.sort_by_key(|across| across.place);
    found
}

/// Finds disallow lines without a path beside rules.
fn empty_rules(view: View<'_>, found: &mut Vec<Across>) {
    for group in Group::all(view) {
        let Some(rule) = group.rules().next() else { continue };
        for (place, slot) in view.slots(group.places()) {
            let empty = LineKind::Record { field: Field::Disallow, effect: Err(NoEffect::Empty) };
            if slot.kind().kind() == empty {
                let other = Some(rule.place());
                found.push(Across { place, kind: FindingKind::EmptyDisallow, other });
            }
        }
    }
}

/// Finds crawlers that are named again, and returns the groups whose rules can be compared: runs of groups that
/// the same crawlers follow.
fn agents(view: View<'_>, found: &mut Vec<Across>) -> Vec<Vec<usize>> {
    let mut named: Vec<(Vec<u8>, usize, Place)> = Vec::new();
    for group in Group::all(view) {
        for line in group.user_agents() {
            let has_effect = view.index.lines[line.place().index()].kind().is(Field::UserAgent);
            let token = if line.is_global() { b"*" } else { token(line.value(), view.semantics()) };
            // A header is told of by itself.
            if has_effect && !token.is_empty() && !names_another(line.value(), token) {
                named.push((token.to_ascii_lowercase(), group.position(), line.place()));
            }
        }
    }
    named.sort();
    let mut sets = Sets::new(view.index.groups.len());
    for lines in named.chunk_by(|(one, ..), (other, ..)| one == other) {
        let (_, first_group, first) = lines[0];
        for &(_, group, place) in &lines[1..] {
            let kind = if group == first_group {
                FindingKind::AgentRepeated
            } else {
                FindingKind::GroupRepeated
            };
            found.push(Across { place, kind, other: Some(first) });
            sets.join(first_group, group);
        }
    }
    let mut components = vec![Vec::new(); view.index.groups.len()];
    for group in 0..components.len() {
        components[sets.find(group)].push(group);
    }
    // Of a token's groups each has to be one of all tokens of the component.
    for lines in named.chunk_by(|(one, ..), (other, ..)| one == other) {
        let groups = lines.chunk_by(|(_, one, _), (_, other, _)| one == other).count();
        let component = &mut components[sets.find(lines[0].1)];
        if groups < component.len() {
            component.clear();
        }
    }
    components.retain(|component| !component.is_empty());
    components
}

/// Disjoint sets of groups.
struct Sets(Vec<usize>);

impl Sets {
    fn new(len: usize) -> Self {
        Self((0..len).collect())
    }

    fn find(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one.max(other)] = one.min(other);
    }
}

/// A pattern of a rule.
struct Entry<'r> {
    literal: Cow<'r, [u8]>,
    /// The wildcards behind the literal prefix, and whether the pattern is anchored; neither in a plain prefix.
    anchored: bool,
    plain: bool,
    precedence: usize,
    kind: RuleKind,
    place: Place,
}

impl<'r> Entry<'r> {
    fn all(view: View<'r>, groups: &[usize]) -> Vec<Self> {
        let rules = groups.iter().flat_map(|group| Group::new(view, *group).rules());
        rules.flat_map(|rule| Self::of(view, rule)).collect()
    }

    /// The patterns of a rule: its own, and that of the folder of an index page where a library adds one.
    fn of(view: View<'r>, rule: Rule<'r>) -> impl Iterator<Item = Self> {
        let (kind, place) = (rule.kind(), rule.place());
        let value = view.octets.get(view.value(place).range()).unwrap_or_default();
        let own = Pattern::of(value, view.semantics());
        let folder = if view.semantics().observed { Pattern::of_folder(kind, value) } else { None };
        let alone = folder.is_none();
        [Some(own), folder].into_iter().flatten().map(move |pattern| {
            let (prefix, tail) = pattern.split();
            let plain = alone
                && tail.is_empty()
                && !pattern.is_anchored()
                && pattern.precedence() == prefix.len();
            let (anchored, precedence) = (pattern.is_anchored(), pattern.precedence());
            Self { literal: pattern.into_octets(), anchored, plain, precedence, kind, place }
        })
    }
}

/// Finds the rules of groups that are followed together without which no verdict would differ.
fn redundant(view: View<'_>, groups: &[usize], found: &mut Vec<Across>) {
    let mut entries = Entry::all(view, groups);
    entries.sort_by(|one, other| {
        let key = |entry: &Entry<'_>| (entry.anchored, entry.precedence, entry.place);
        one.literal.cmp(&other.literal).then_with(|| key(one).cmp(&key(other)))
    });
    let wild = |kind| {
        let wild = entries.iter().filter(|entry| !entry.plain && entry.kind == kind);
        let mut precedences: Vec<usize> = wild.map(|entry| entry.precedence).collect();
        precedences.sort_unstable();
        precedences
    };
    let (wild_allow, wild_disallow) = (wild(RuleKind::Allow), wild(RuleKind::Disallow));
    let against = |kind| if kind == RuleKind::Allow { &wild_disallow } else { &wild_allow };
    // Rules that match what a longer one matches, the longest last: prefixes of one another.
    let mut above: Vec<&Entry<'_>> = Vec::new();
    let is_same = |one: &Entry<'_>, other: &Entry<'_>| {
        let key = |entry: &Entry<'_>| (entry.anchored, entry.precedence, entry.plain);
        key(one) == key(other) && one.literal == other.literal
    };
    for same in entries.chunk_by(is_same) {
        // Allow wins a tie; of rules that say the same the first stays.
        let best = same.iter().find(|entry| entry.kind == RuleKind::Allow).unwrap_or(&same[0]);
        for entry in same {
            if entry.place != best.place {
                let kind = if entry.kind == best.kind {
                    FindingKind::RedundantRule
                } else {
                    FindingKind::OverriddenRule
                };
                found.push(Across { place: entry.place, kind, other: Some(best.place) });
            }
        }
        if !best.plain {
            continue;
        }
        while above.last().is_some_and(|last| !best.literal.starts_with(&last.literal)) {
            above.pop();
        }
        let is_alone = same.iter().all(|entry| entry.kind == best.kind);
        if is_alone {
            let above = above.last();
            let is_said =
                above.map_or(best.kind == RuleKind::Allow, |above| above.kind == best.kind);
            // What lies between the two might decide without the longer one.
            let least = above.map_or(0, |above| above.precedence);
            let against = against(best.kind);
            let from = against.partition_point(|precedence| *precedence < least);
            let contradicted =
                against.get(from).is_some_and(|precedence| *precedence <= best.precedence);
            if is_said && !contradicted {
                let other = above.map(|above| above.place);
                found.push(Across { place: best.place, kind: FindingKind::RedundantRule, other });
            }
        }
        above.push(best);
    }
}

/// Leaves a group the rules without which it would run on into the next one, or have none: those that say
/// nothing new are an idiom there, `Allow: /` say.
fn keep_groups_apart(view: View<'_>, reported: &mut Vec<Across>) {
    reported.sort_by_key(|across| across.place);
    let mut rest = &reported[..];
    let mut kept = Vec::with_capacity(reported.len());
    for group in Group::all(view) {
        let places = group.places();
        let here = rest.iter().take_while(|across| across.place < places.end).count();
        let (of_group, behind) = rest.split_at(here);
        rest = behind;
        if of_group.len() < group.rules().count() {
            kept.extend_from_slice(of_group);
        } else {
            // One has to stay: the first that another rule does not repeat.
            let repeats =
                |across: &&Across| across.other.is_some_and(|other| places.contains(&other));
            kept.extend(of_group.iter().filter(repeats));
        }
    }
    *reported = kept;
}
