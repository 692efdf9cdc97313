//! Embeds the requirements and test cases of four editions and one draft edition of robots.txt.
//!
//! The data files are the YAML files, the vectors, the grammars and the schemas beside this crate's `src`; [`README`]
//! describes their format for programs in any language. This crate embeds the files, so that the installed command
//! contains the suite. The crate does not interpret the files. [`unescape`] reads the escapes of the format, and
//! [`escape`](escape()) writes them.

// The escapes in texts of cases.
mod escape;

pub use crate::escape::{BadEscape, escape, unescape};

/// The description of the format.
pub const README: &str = include_str!("../README.md");

/// The path and the text of every data file, sorted by path; the build script writes this list.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Returns every data file: its path below `spec-cases/`, with `/` between folders, and its text.
///
/// ```
/// let cases = robots_spec_cases::files().filter(|(path, _)| path.ends_with(".yaml"));
/// assert!(cases.count() > 0);
/// assert!(robots_spec_cases::files().any(|(path, _)| path == "README.md"));
/// ```
pub fn files() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

/// Returns the text of a data file, or `None` if the path does not exist.
///
/// ```
/// assert!(robots_spec_cases::file("README.md").is_some());
/// assert_eq!(robots_spec_cases::file("src/lib.rs"), None);
/// ```
#[must_use]
pub fn file(path: &str) -> Option<&'static str> {
    files().find(|(candidate, _)| *candidate == path).map(|(_, text)| text)
}
