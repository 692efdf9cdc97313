//! A crawl of a case: [`Crawl`].

use robots_core::Edition;
use robots_test_web::live::{Case, NotRun, Record};

/// A crawl of a case, and what was recorded.
#[derive(Clone, Debug)]
pub struct Crawl {
    /// The case.
    pub case: Case,
    /// The edition the crawler was told to follow, if it was told.
    pub edition: Option<Edition>,
    /// What happened, or why nothing did.
    pub record: Result<Record, NotRun>,
    /// What the crawler said last on its standard error.
    pub said: Option<String>,
}
