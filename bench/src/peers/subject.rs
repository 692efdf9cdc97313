//! A subject of the measurements, [`Subject`]: one way to use a crate, as a table of functions. The module of each
//! crate defines the subjects for this crate.

use crate::slow::Items;

/// A parsed file that answers questions about [`CRAWLER`](crate::corpus::CRAWLER).
pub trait Asker {
    /// Asks about each path, and returns how many are allowed.
    fn ask(&self, paths: &[String]) -> usize;
}

/// One way to use one crate.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The name of the subject in the tables.
    pub name: &'static str,
    /// The name of the crate in the lock file.
    pub package: &'static str,
    /// A description of the code that is timed as *parse*, or `None` if it is the same as for another subject.
    pub parse: Option<&'static str>,
    /// A description of the code that is timed as *verdict with compiled rules*, or `None` if the crate stores no
    /// parsed file.
    pub verdict: Option<&'static str>,
    /// Parses the text, reads the result once, and returns the checksum.
    pub read: fn(&str) -> u64,
    /// Returns the items that [`read`](Self::read) must read, and the expected checksum. This function does not use the
    /// code of `read` to find the items.
    pub slow: fn(&str) -> (Items, u64),
    /// Parses the text and asks about one path.
    pub ask_once: fn(&str, &str) -> bool,
    /// Parses the text and compiles the rules.
    pub compile: fn(&str),
    /// Parses the text and never frees the result.
    pub leak: fn(&'static str),
    /// Parses the text, compiles the rules, and frees neither.
    pub leak_compiled: fn(&'static str),
    /// Parses the text and compiles the rules. The result answers questions.
    pub open: fn(&'static str) -> Box<dyn Asker>,
}

/// Returns a reference to a value that is never freed.
pub(super) fn forever<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}
