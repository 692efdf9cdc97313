//! Finds problems that depend on several lines, for example crawlers that several groups name, and rules that change
//! nothing.
//!
//! Start at [`across`]. A crawler follows all groups that name it, so a rule must be compared with the rules of all
//! merged groups. Groups that the same crawlers follow are checked together. If two crawlers follow different groups,
//! but share some of them, the rules of these groups are not checked.

use alloc::vec;
use alloc::vec::Vec;

use super::engines::{Blocked, Engines, apart, blocked};
use super::file::File;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use super::values::names_another;
use super::{preferences, signals};
use robots_core::path::Pattern;
use robots_core::syntax::{Field, LineKind, LineNumber, NoEffect, Span};
use robots_core::usage::split;
use robots_core::{Group, ProductToken, Rule, RuleKind};

/// A finding that is about one line, but depends on other lines too.
#[derive(Clone, Copy)]
pub(super) struct Across {
    pub(super) line: LineNumber,
    kind: FindingKind,
    other: Option<LineNumber>,
    engines: Option<Engines>,
}

impl Across {
    fn new(line: LineNumber, kind: FindingKind, other: Option<LineNumber>) -> Self {
        Self { line, kind, other, engines: None }
    }

    /// Returns the finding as a [`Finding`], or `None` if the file has no line with this number.
    pub(super) fn finding(self, file: File<'_>) -> Option<Finding<'_>> {
        let (line, _) = file.robots.line(self.line)?;
        let span = match (self.kind, line.value) {
            (
                FindingKind::GroupRepeated
                | FindingKind::AgentRepeated
                | FindingKind::SignalLost
                | FindingKind::StarRulesLost
                | FindingKind::StarRulesReplaced,
                Some(value),
            ) => value,
            _ => line.comment.map_or(line.content, |comment| {
                let end = line.value.map_or(comment.start(), Span::end);
                Span::new(line.content.start(), end.max(line.content.start()))
            }),
        };
        let other = self.other.and_then(|other| file.robots.line(other));
        let detail = match (other, self.engines) {
            (Some((other, _)), _) => Detail::Line(other.number, other.content),
            (None, Some(engines)) => Detail::Engines(engines),
            (None, None) => Detail::None,
        };
        Some(file.finding(self.kind, line.number, span, detail))
    }
}

/// Returns the findings that depend on several lines, in the order of the lines.
pub(super) fn across(file: File<'_>) -> Vec<Across> {
    let groups: Vec<Group<'_>> = file.robots.groups().collect();
    let mut found = Vec::new();
    empty_rules(&groups, &mut found);
    let mut reported = Vec::new();
    for component in agents(&groups, &mut found) {
        let rules = component.iter().flat_map(|group| groups[*group].rules());
        let entries: Vec<Entry<'_>> = rules.map(Entry::of).collect();
        not_crawled(component.iter().map(|group| groups[*group]), &entries, &mut found);
        redundant(entries, &mut reported);
    }
    keep_groups_apart(&groups, &mut reported);
    found.extend(reported);
    match blocked(file.robots) {
        Blocked::Everything(line) => {
            found.push(Across::new(line, FindingKind::EverythingBlocked, None));
        }
        Blocked::Engines(engines) => found.extend(engines.into_iter().map(|(line, engines)| {
            let engines = Some(engines);
            Across { engines, ..Across::new(line, FindingKind::SearchEngineBlocked, None) }
        })),
    }
    let apart = apart(file.robots).into_iter().chain(signals::across(file.robots));
    found.extend(apart.map(|(line, kind, other)| Across::new(line, kind, Some(other))));
    found.sort_by_key(|across| across.line);
    found
}

/// Finds disallow lines without a path in groups that also have rules.
fn empty_rules(groups: &[Group<'_>], found: &mut Vec<Across>) {
    let empty = LineKind::Record { field: Field::Disallow, effect: Err(NoEffect::Empty) };
    for group in groups {
        let Some(rule) = group.rules().next() else { continue };
        for record in group.lines().filter(|record| record.kind() == empty) {
            let other = Some(rule.line().number);
            let line = record.line().number;
            found.push(Across::new(line, FindingKind::EmptyDisallow, other));
        }
    }
}

/// Finds crawlers that several lines name. Returns the sets of groups that the same crawlers follow, so that their
/// rules can be compared.
fn agents(groups: &[Group<'_>], found: &mut Vec<Across>) -> Vec<Vec<usize>> {
    let mut named: Vec<(Vec<u8>, usize, LineNumber)> = Vec::new();
    let in_effect = LineKind::Record { field: Field::UserAgent, effect: Ok(()) };
    for (position, group) in groups.iter().enumerate() {
        for record in group.lines().filter(|record| record.kind() == in_effect) {
            let value = record.value();
            let token = if value == b"*" { value } else { ProductToken::leading(value) };
            // A value that is a whole header is ignored here, because another kind of finding reports it.
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
            found.push(Across::new(line, kind, Some(first)));
            sets.join(first_group, group);
        }
    }
    let mut components = vec![Vec::new(); groups.len()];
    for group in 0..components.len() {
        components[sets.find(group)].push(group);
    }
    // A component is a set of joined groups. If some group of the component does not name this token, crawlers follow
    // different groups of the component. So the component is not checked.
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

/// Sets of groups. Each group is in exactly one set, and sets can be joined (union-find).
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
    /// Whether the pattern is only a literal prefix, without `*` and without a `$` at its end.
    plain: bool,
    kind: RuleKind,
    line: LineNumber,
}

impl<'r> Entry<'r> {
    fn of(rule: Rule<'r>) -> Self {
        let pattern = Pattern::new(rule.path());
        let plain = is_plain(&pattern);
        Self { pattern, plain, kind: rule.kind(), line: rule.line().number }
    }

    fn octets(&self) -> &[u8] {
        self.pattern.as_octets()
    }

    fn precedence(&self) -> usize {
        self.pattern.precedence()
    }
}

/// Returns whether a pattern is only a literal prefix, without `*` and without a `$` at its end.
fn is_plain(pattern: &Pattern<'_>) -> bool {
    let (prefix, tail) = pattern.split();
    tail.is_empty() && !pattern.is_anchored() && pattern.precedence() == prefix.len()
}

/// Finds the rules that can be removed without changing a verdict, in groups that the same crawlers follow.
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
    // The rules that are prefixes of the current rule, the longest one last. Each of these rules matches every path
    // that the current rule matches.
    let mut above: Vec<&Entry<'_>> = Vec::new();
    let is_same = |one: &Entry<'_>, other: &Entry<'_>| {
        let key =
            |entry: &Entry<'_>| (entry.pattern.is_anchored(), entry.precedence(), entry.plain);
        key(one) == key(other) && one.octets() == other.octets()
    };
    for same in entries.chunk_by(is_same) {
        // Between rules of equal length, allow wins. Of several equal rules, the first one is needed.
        let best = same.iter().find(|entry| entry.kind == RuleKind::Allow).unwrap_or(&same[0]);
        for entry in same {
            if entry.line != best.line {
                let kind = if entry.kind == best.kind {
                    FindingKind::RedundantRule
                } else {
                    FindingKind::OverriddenRule
                };
                found.push(Across::new(entry.line, kind, Some(best.line)));
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
            // If the longer of two rules were removed, a third rule might decide, whose length is between their
            // lengths.
            let least = above.map_or(0, |above| above.precedence());
            let against = against(best.kind);
            let from = against.partition_point(|precedence| *precedence < least);
            let contradicted =
                against.get(from).is_some_and(|precedence| *precedence <= best.precedence());
            if is_said && !contradicted {
                let other = above.map(|above| above.line);
                found.push(Across::new(best.line, FindingKind::RedundantRule, other));
            }
        }
        above.push(best);
    }
}

/// Finds preferences about pages that the crawlers of the groups may not fetch. A preference whose path has wildcards
/// is not checked. If an allow rule with wildcards is long enough to win, it is assumed to match.
fn not_crawled<'r>(
    groups: impl Iterator<Item = Group<'r>>,
    entries: &[Entry<'r>],
    found: &mut Vec<Across>,
) {
    let lines = groups.flat_map(|group| group.lines());
    let stated = lines.filter(|record| record.is_named(preferences::USAGE));
    let mut stated: Vec<(Pattern<'r>, LineNumber)> = stated
        .filter_map(|record| {
            let (path, preference) = split(record.value());
            let pattern = Pattern::new(path.unwrap_or_default());
            let is_wanted = !preference.is_empty() && is_plain(&pattern);
            is_wanted.then(|| (pattern, record.line().number))
        })
        .collect();
    if stated.is_empty() {
        return;
    }
    stated.sort_by(|(one, _), (other, _)| one.as_octets().cmp(other.as_octets()));
    let mut plain: Vec<&Entry<'r>> = entries.iter().filter(|entry| entry.plain).collect();
    // Between rules with the same path, allow wins, so the allow rule comes last.
    plain.sort_by_key(|entry| (entry.octets(), entry.kind == RuleKind::Allow));
    let wild = entries.iter().filter(|entry| !entry.plain && entry.kind == RuleKind::Allow);
    let longest_wild = wild.map(Entry::precedence).max();
    // The rules that are prefixes of the current path, the longest one last. The last rule decides about the path
    // itself.
    let mut above: Vec<&Entry<'r>> = Vec::new();
    let mut rest = &plain[..];
    for (pattern, line) in stated {
        let path = pattern.as_octets();
        // Without a path, the preference is about the whole site, which only a rule for `/` covers.
        let path = if path.is_empty() { b"/" } else { path };
        let end = rest.partition_point(|entry| entry.octets() <= path);
        for entry in &rest[..end] {
            while above.last().is_some_and(|last| !entry.octets().starts_with(last.octets())) {
                above.pop();
            }
            above.push(entry);
        }
        rest = &rest[end..];
        while above.last().is_some_and(|last| !path.starts_with(last.octets())) {
            above.pop();
        }
        let Some(rule) = above.last().filter(|rule| rule.kind == RuleKind::Disallow) else {
            continue;
        };
        // An allow rule whose path begins with the path of the preference opens some of the pages that the preference
        // is about.
        let mut below = rest.iter().take_while(|entry| entry.octets().starts_with(path));
        let is_opened = longest_wild.is_some_and(|longest| longest >= rule.precedence())
            || below.any(|entry| entry.kind == RuleKind::Allow);
        if !is_opened {
            found.push(Across::new(line, FindingKind::PreferenceNotCrawled, Some(rule.line)));
        }
    }
}

/// Removes findings about rules that a group needs. A group without a rule would be joined with the next group, or be
/// empty. So authors write a redundant rule such as `Allow: /` in such a group on purpose.
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
            // The group must keep a rule. So a finding is reported only if its rule repeats another rule of this group.
            let repeats =
                |across: &&Across| across.other.is_some_and(|other| numbers.contains(&other));
            kept.extend(of_group.iter().filter(repeats));
        }
    }
    *reported = kept;
}
