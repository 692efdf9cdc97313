//! A file that was checked: [`CheckedFile`].
//!
//! A [`CheckedFile`] has the names of the file and of its expectations, and the result of each expectation. `mod.rs`
//! makes a list of the checked files, and each format of `check` is written from this list.

use std::path::Path;

use robots_lint::expect::Checked;

/// A file, and the result of each expectation.
pub(crate) struct CheckedFile<'a> {
    /// The path of the expectations.
    pub(crate) expectations: &'a Path,
    /// The name of the checked file.
    pub(crate) name: &'a str,
    /// The path or URL of the checked file.
    pub(crate) place: &'a str,
    pub(crate) checked: Vec<Checked>,
}

impl CheckedFile<'_> {
    pub(super) fn failed(&self) -> impl Iterator<Item = &Checked> {
        self.checked.iter().filter(|one| !one.is_met())
    }
}
