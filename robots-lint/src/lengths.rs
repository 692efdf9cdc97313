//! Checks whether a fix that changes the length of a rule could change a verdict.
//!
//! If two rules match, the longer rule wins. So a fix that only changes the length of a rule can change a verdict,
//! although the rule still matches the same URLs. Start at [`Lengths::mark`].

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::file::File;
use super::kind::FindingKind;
use super::one::{Detail, Finding};
use robots_core::RuleKind;
use robots_core::syntax::{Line, LineKind};

/// The maximum number of rules with which a rule is compared. If there are more rules, the check assumes that the
/// length may decide.
const COMPARED: usize = 64;

/// The rules that have effect: allow and disallow rules separately, each with its length, sorted by length.
#[derive(Clone)]
pub(super) struct Lengths<'r> {
    allow: Vec<(usize, &'r [u8])>,
    disallow: Vec<(usize, &'r [u8])>,
}

impl<'r> Lengths<'r> {
    pub(super) fn of(file: File<'r>) -> Self {
        let mut lengths = Self { allow: Vec::new(), disallow: Vec::new() };
        for rule in file.robots.groups().flat_map(|group| group.rules()) {
            let of_kind = match rule.kind() {
                RuleKind::Allow => &mut lengths.allow,
                RuleKind::Disallow => &mut lengths.disallow,
            };
            of_kind.push((length(rule.path()), rule.path()));
        }
        lengths.allow.sort_unstable();
        lengths.disallow.sort_unstable();
        lengths
    }

    /// Marks a finding if, after its fix, another rule may decide because of the changed length.
    pub(super) fn mark(
        &self,
        file: File<'_>,
        line: &Line,
        kind: LineKind,
        finding: &mut Finding<'_>,
    ) {
        let change = match finding.kind {
            FindingKind::UselessStar | FindingKind::UselessDollar => {
                Change::Shorter(finding.span.len())
            }
            FindingKind::LeadingStar => match change_of_stars(finding.octets()) {
                Some(change) => change,
                None => return,
            },
            _ => return,
        };
        let kind = match kind {
            LineKind::Record { field, .. } => field.rule(),
            _ => None,
        };
        let (Some(kind), Some(value)) = (kind, line.value) else { return };
        if self.decides(kind, &file.body[value.range()], change) {
            finding.detail = Detail::Decides;
        }
    }

    /// Returns whether the change of the length may change which rule wins: this rule, or a rule of the other kind that
    /// may match the same path. If lengths are equal, allow wins.
    fn decides(&self, kind: RuleKind, path: &[u8], change: Change) -> bool {
        let length = length(path);
        // The winner changes if the length of the other rule is in `from..to`.
        let (others, from, to) = match (kind, change) {
            (RuleKind::Allow, Change::Shorter(by)) => (&self.disallow, length - by + 1, length + 1),
            (RuleKind::Disallow, Change::Shorter(by)) => (&self.allow, length - by, length),
            (RuleKind::Allow, Change::LongerByOne) => (&self.disallow, length + 1, length + 2),
            (RuleKind::Disallow, Change::LongerByOne) => (&self.allow, length, length + 1),
        };
        let first = others.partition_point(|(len, _)| *len < from);
        let between = others[first..].iter().take_while(|(len, _)| *len < to);
        between.enumerate().any(|(at, (_, other))| at >= COMPARED || may_meet(path, other))
    }
}

/// How a fix changes the length of a rule, in octets.
#[derive(Clone, Copy)]
enum Change {
    Shorter(usize),
    LongerByOne,
}

/// Returns the change of the length if one slash and one star replace the stars at the beginning of a path. In a path
/// that has only stars, one slash replaces them. Returns `None` if the length stays the same.
fn change_of_stars(path: &[u8]) -> Option<Change> {
    let rest = path.iter().position(|octet| *octet != b'*');
    let (stars, written) = rest.map_or((path.len(), 1), |stars| (stars, 2));
    match stars.cmp(&written) {
        Ordering::Less => Some(Change::LongerByOne),
        Ordering::Equal => None,
        Ordering::Greater => Some(Change::Shorter(stars - written)),
    }
}

/// Returns the length of a path, with the slash that an edition may assume.
fn length(path: &[u8]) -> usize {
    path.len() + usize::from(!matches!(path.first(), Some(b'/' | b'*')))
}

/// Returns whether two patterns may match the same path. For each, the octets before the first wildcard or triplet are
/// compared: one of the two must be a prefix of the other.
fn may_meet<'p>(one: &'p [u8], other: &'p [u8]) -> bool {
    let literal = |path: &'p [u8]| {
        let path = path.strip_prefix(b"/").unwrap_or(path);
        // The comparison ends at a `%`, because an encoded octet may equal another octet.
        let end = path.iter().position(|octet| matches!(octet, b'*' | b'$' | b'%'));
        &path[..end.unwrap_or(path.len())]
    };
    let (one, other) = (literal(one), literal(other));
    one.starts_with(other) || other.starts_with(one)
}
