//! Who is judged: a crawler that is started, or one that is told where to begin.

use robots_test_web::live::Crawler;

/// A crawler, and what the run has to know of it.
pub(super) trait Subject: Crawler {
    /// Returns whether a placeholder is filled in for it.
    fn takes(&self, placeholder: &str) -> bool;

    /// Returns what it said last on its standard error in a crawl of this name.
    fn said(&self, name: &str) -> Option<String>;

    /// Returns whether the crawl of this name did not begin, or was ended, because the run was told to end.
    fn was_cut(&self, name: &str) -> bool;
}
