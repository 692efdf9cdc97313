//! A crawl of a case: [`Crawl`].

use robots_core::Edition;

use crate::case::Case;
use crate::run::{NotRun, Record};

/// A crawl of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Crawl {
    /// The case.
    pub case: Case,
    /// The edition that the crawler was told to follow, if it was told one.
    pub edition: Option<Edition>,
    /// What happened, or why the case was not run.
    pub record: Result<Record, NotRun>,
    /// The end of what the crawler wrote to its standard error.
    pub last_words: Option<String>,
}
