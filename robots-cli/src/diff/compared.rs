//! The result of comparing two files: [`Compared`].
//!
//! [`Compared`] contains the [`Difference`] that `robots-lint` found, and the other data that the formats need: the two
//! inputs, the edition, and the maximum number of changes to show.

use std::collections::BTreeSet;

use robots_core::{Edition, RobotsTxt};
use robots_lint::effect::{Change, Difference};

use crate::lint::Input;

/// The result of comparing two files.
pub(super) struct Compared<'c> {
    pub(super) old: &'c Input,
    pub(super) new: &'c Input,
    pub(super) edition: Edition,
    pub(super) difference: &'c Difference<'c>,
    /// The sitemaps that only the old file lists, and those that only the new file lists.
    pub(super) sitemaps: [Vec<String>; 2],
    /// The maximum number of changes that are shown.
    pub(super) most: usize,
}

/// Returns the sitemaps that a file lists and another file does not.
pub(super) fn sitemaps_missing_in(
    other: &RobotsTxt<Vec<u8>>,
    of: &RobotsTxt<Vec<u8>>,
) -> Vec<String> {
    let known: BTreeSet<&[u8]> = other.sitemaps().map(|(url, _)| url).collect();
    let missing: BTreeSet<&[u8]> =
        of.sitemaps().map(|(url, _)| url).filter(|url| !known.contains(url)).collect();
    missing.into_iter().map(|url| String::from_utf8_lossy(url).into_owned()).collect()
}

impl<'c> Compared<'c> {
    pub(super) fn shown(&self) -> &'c [Change<'c>] {
        let changes = self.difference.changes();
        &changes[..changes.len().min(self.most)]
    }

    pub(super) fn left_out(&self) -> usize {
        self.difference.changes().len().saturating_sub(self.most)
    }

    /// Returns the number of changes whose effect has this word.
    pub(super) fn count(&self, id: &str) -> usize {
        self.difference.changes().iter().filter(|change| change.effect().id() == id).count()
    }
}
