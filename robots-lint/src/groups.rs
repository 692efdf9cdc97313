//! What rests on several lines: crawlers that are named again, and rules that change nothing.
//!
//! Start at [`across`]. A crawler follows all groups that name it, so that a rule is to be compared with those
//! of the groups that are merged with its own. Groups that the same crawlers name are looked at together; where
//! crawlers follow overlapping sets of groups, nothing is said about their rules.

use alloc::vec;
use alloc::vec::Vec;

use super::file::File;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::values::names_another;
use robots_core::path::Pattern;
use robots_core::syntax::{Field, LineKind, LineNumber, NoEffect, Span};
use robots_core::{Group, ProductToken, Rule, RuleKind};

/// A finding on a line that rests on another.
#[derive(Clone, Copy)]
pub(super) struct Across {
    pub(super) line: LineNumber,
    kind: FindingKind,
    other: Option<LineNumber>,
}

impl Across {
    /// Returns the finding; `None` where the file has no such line.
    pub(super) fn finding(self, file: File<'_>) -> Option<Finding<'_>> {
        let (line, _) = file.robots.line(self.line)?;
        let span = match (self.kind, line.value) {
            (FindingKind::GroupRepeated | FindingKind::AgentRepeated, Some(value)) => value,
            _ => line.comment.map_or(line.content, |comment| {
                let end = line.value.map_or(comment.start(), Span::end);
                Span::new(line.content.start(), end.max(line.content.start()))
            }),
        };
        let other = self.other.and_then(|other| file.robots.line(other));
        let detail =
            other.map_or(Detail::None, |(other, _)| Detail::Line(other.number, other.content));
        Some(file.finding(self.kind, line.number, span, detail))
    }
}

/// Returns the findings that rest on several lines, in the order of the lines.
pub(super) fn across(file: File<'_>) -> Vec<Across> {
    let groups: Vec<Group<'_>> = file.robots.groups().collect();
    let mut found = Vec::new();
    empty_rules(&groups, &mut found);
    let mut reported = Vec::new();
    for component in agents(&groups, &mut found) {
        let rules = component.iter().flat_map(|group| groups[*group].rules());
        redundant(rules.map(Entry::of).collect(), &mut reported);
    }
    keep_groups_apart(&groups, &mut reported);
    found.extend(reported);
    found.sort_by_key(|across| across.line);
    found
}

/// Finds disallow lines without a path beside rules.
fn empty_rules(groups: &[Group<'_>], found: &mut Vec<Across>) {
    let empty = LineKind::Record { field: Field::Disallow, effect: Err(NoEffect::Empty) };
    for group in groups {
        let Some(rule) = group.rules().next() else { continue };
        for record in group.lines().filter(|record| record.kind() == empty) {
            let other = Some(rule.line().number);
            let line = record.line().number;
            found.push(Across { line, kind: FindingKind::EmptyDisallow, other });
        }
    }
}

/// Finds crawlers that are named again, and returns the groups whose rules can be compared: runs of groups that
/// the same crawlers follow.
fn agents(groups: &[Group<'_>], found: &mut Vec<Across>) -> Vec<Vec<usize>> {
    let mut named: Vec<(Vec<u8>, usize, LineNumber)> = Vec::new();
    let in_effect = LineKind::Record { field: Field::UserAgent, effect: Ok(()) };
    for (position, group) in groups.iter().enumerate() {
        for record in group.lines().filter(|record| record.kind() == in_effect) {
            let value = record.value();
            let token = if value == b"*" { value } else { ProductToken::leading(value) };
            // A header is told of by itself.
            if !token.is_empty() && !names_another(value, token) {
                named.push((token.to_ascii_lowercase(), position, record.line().number));
            }
        }
    }
    named.sort();
    let mut sets = Sets::new(groups.len());
    for lines in named.chunk_by(|(one, ..), (other, ..)| one == other) {
        let (_, first_group, first) = lines[0];
        for &(_, group, line) in &lines[1..] {
            let kind = if group == first_group {
                FindingKind::AgentRepeated
            } else {
                FindingKind::GroupRepeated
            };
            found.push(Across { line, kind, other: Some(first) });
            sets.join(first_group, group);
        }
    }
    let mut components = vec![Vec::new(); groups.len()];
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

/// A rule and its pattern.
struct Entry<'r> {
    pattern: Pattern<'r>,
    /// Whether the pattern is a literal prefix and nothing else.
    plain: bool,
    kind: RuleKind,
    line: LineNumber,
}

impl<'r> Entry<'r> {
    fn of(rule: Rule<'r>) -> Self {
        let pattern = Pattern::new(rule.path());
        let (prefix, tail) = pattern.split();
        let plain =
            tail.is_empty() && !pattern.is_anchored() && pattern.precedence() == prefix.len();
        Self { pattern, plain, kind: rule.kind(), line: rule.line().number }
    }

    fn octets(&self) -> &[u8] {
        self.pattern.as_octets()
    }

    fn precedence(&self) -> usize {
        self.pattern.precedence()
    }
}

/// Finds the rules of groups that are followed together without which no verdict would differ.
fn redundant(mut entries: Vec<Entry<'_>>, found: &mut Vec<Across>) {
    entries.sort_by(|one, other| {
        let key = |entry: &Entry<'_>| (entry.pattern.is_anchored(), entry.precedence(), entry.line);
        one.octets().cmp(other.octets()).then_with(|| key(one).cmp(&key(other)))
    });
    let wild = |kind| {
        let wild = entries.iter().filter(|entry| !entry.plain && entry.kind == kind);
        let mut precedences: Vec<usize> = wild.map(Entry::precedence).collect();
        precedences.sort_unstable();
        precedences
    };
    let (wild_allow, wild_disallow) = (wild(RuleKind::Allow), wild(RuleKind::Disallow));
    let against = |kind| if kind == RuleKind::Allow { &wild_disallow } else { &wild_allow };
    // Rules that match what a longer one matches, the longest last: prefixes of one another.
    let mut above: Vec<&Entry<'_>> = Vec::new();
    let is_same = |one: &Entry<'_>, other: &Entry<'_>| {
        let key =
            |entry: &Entry<'_>| (entry.pattern.is_anchored(), entry.precedence(), entry.plain);
        key(one) == key(other) && one.octets() == other.octets()
    };
    for same in entries.chunk_by(is_same) {
        // Allow wins a tie; of rules that say the same the first stays.
        let best = same.iter().find(|entry| entry.kind == RuleKind::Allow).unwrap_or(&same[0]);
        for entry in same {
            if entry.line != best.line {
                let kind = if entry.kind == best.kind {
                    FindingKind::RedundantRule
                } else {
                    FindingKind::OverriddenRule
                };
                found.push(Across { line: entry.line, kind, other: Some(best.line) });
            }
        }
        if !best.plain {
            continue;
        }
        while above.last().is_some_and(|last| !best.octets().starts_with(last.octets())) {
            above.pop();
        }
        let is_alone = same.iter().all(|entry| entry.kind == best.kind);
        if is_alone {
            let above = above.last();
            let is_said =
                above.map_or(best.kind == RuleKind::Allow, |above| above.kind == best.kind);
            // What lies between the two might decide without the longer one.
            let least = above.map_or(0, |above| above.precedence());
            let against = against(best.kind);
            let from = against.partition_point(|precedence| *precedence < least);
            let contradicted =
                against.get(from).is_some_and(|precedence| *precedence <= best.precedence());
            if is_said && !contradicted {
                let other = above.map(|above| above.line);
                found.push(Across { line: best.line, kind: FindingKind::RedundantRule, other });
            }
        }
        above.push(best);
    }
}

/// Leaves a group the rules without which it would run on into the next one, or have none: those that say
/// nothing new are an idiom there, `Allow: /` say.
fn keep_groups_apart(groups: &[Group<'_>], reported: &mut Vec<Across>) {
    reported.sort_by_key(|across| across.line);
    let mut rest = &reported[..];
    let mut kept = Vec::with_capacity(reported.len());
    for group in groups {
        let numbers = group.line_numbers();
        let here = rest.iter().take_while(|across| across.line < numbers.end).count();
        let (of_group, behind) = rest.split_at(here);
        rest = behind;
        if of_group.len() < group.rules().count() {
            kept.extend_from_slice(of_group);
        } else {
            // One has to stay: the first that another rule does not repeat.
            let repeats =
                |across: &&Across| across.other.is_some_and(|other| numbers.contains(&other));
            kept.extend(of_group.iter().filter(repeats));
        }
    }
    *reported = kept;
}
