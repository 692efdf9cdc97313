//! The findings of one file: the findings that are shown, and the number of findings of each kind.
//!
//! A file of 500 KiB can have 250,000 findings, and the text of each takes hundreds of octets. So [`Counted`] keeps
//! only the first findings of each kind. For the other findings, it stores only their number, which every format shows.

use std::collections::BTreeMap;

use robots_lint::{Finding, FindingKind, Level};

/// The findings of one file.
#[derive(Clone, Debug)]
pub(crate) struct Counted<'r> {
    shown: Vec<Finding<'r>>,
    kinds: BTreeMap<FindingKind, usize>,
    most: usize,
}

impl<'r> Counted<'r> {
    /// Keeps the first findings of each kind, at most `most` of a kind, and counts all findings.
    pub(crate) fn new(findings: impl Iterator<Item = Finding<'r>>, most: usize) -> Self {
        let (mut shown, mut kinds) = (Vec::new(), BTreeMap::new());
        for finding in findings {
            let count: &mut usize = kinds.entry(finding.kind()).or_default();
            *count += 1;
            if *count <= most {
                shown.push(finding);
            }
        }
        Self { shown, kinds, most }
    }

    /// Returns the findings that are shown, in the order of the file.
    #[must_use]
    pub(crate) fn shown(&self) -> &[Finding<'r>] {
        &self.shown
    }

    /// Returns the number of findings of a level, shown or not.
    #[must_use]
    pub(crate) fn of(&self, level: Level) -> usize {
        self.kinds.iter().filter(|(kind, _)| kind.level() == level).map(|(_, count)| count).sum()
    }

    /// Returns the number of findings of a kind, shown or not.
    #[must_use]
    pub(crate) fn of_kind(&self, kind: FindingKind) -> usize {
        self.kinds.get(&kind).copied().unwrap_or_default()
    }

    /// Returns the kinds with findings that are not shown, each with the number of these findings.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = (FindingKind, usize)> {
        let left_out =
            |(kind, count): (&FindingKind, &usize)| (*kind, count.saturating_sub(self.most));
        self.kinds.iter().map(left_out).filter(|(_, count)| *count > 0)
    }
}
