//! The result of comparing two files: [`Compared`].
//!
//! [`Compared`] contains the [`Difference`] that `robots-lint` found, and the other data that the formats need: the two
//! inputs, the edition, and the maximum number of changes to show.

use robots_core::Edition;
use robots_lint::effect::{Change, Difference};

use crate::lint::Input;

/// The result of comparing two files.
pub(super) struct Compared<'c> {
    pub(super) old: &'c Input,
    pub(super) new: &'c Input,
    pub(super) edition: Edition,
    pub(super) difference: &'c Difference<'c>,
    /// The maximum number of changes that are shown.
    pub(super) most: usize,
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
