//! The crawl of a case: [`Crawl`].
//!
//! A [`Crawl`] contains a case, and either the record of its crawl or the reason why the case was not run. This module
//! judges nothing: a [`Trial`](crate::Trial) is a crawl that is judged under an edition.

use robots_core::Edition;

use crate::case::Case;
use crate::evidence::Log;
use crate::run::{CrawlRecord, NotRun};

/// The crawl of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Crawl {
    /// The case.
    pub case: Case,
    /// The edition with which the crawler was started, if it was started with one.
    pub edition: Option<Edition>,
    /// The record of the crawl, or the reason why the case was not run.
    pub record: Result<CrawlRecord, NotRun>,
    /// The last lines that the crawler wrote to its standard error.
    pub last_words: Option<String>,
}

impl Crawl {
    /// Returns whether the crawler ran but sent no request to a host that it could reach only from another host. Such a
    /// crawler probably stays on the host of its start URL.
    #[must_use]
    pub fn stayed_on_its_host(&self) -> bool {
        self.record.as_ref().is_ok_and(|record| Log(record).stayed_on_its_host())
    }
}
