//! The crawler of a run: [`Subject`].

use crate::run::Crawler;

/// A crawler, and what a run must know about it.
pub trait Subject: Crawler {
    /// Returns the text that names the crawler in reports: its command, for example.
    fn name(&self) -> String;

    /// Returns whether the crawler is told its product token.
    fn takes_agent(&self) -> bool {
        false
    }

    /// Returns whether the crawler is told the edition to follow. Such a crawler is run once for each edition.
    fn takes_edition(&self) -> bool {
        false
    }

    /// Returns whether somebody else starts the crawler. Such a crawler makes a single crawl.
    fn is_started_once(&self) -> bool {
        false
    }

    /// Returns the end of what the crawler wrote to its standard error in the crawl of this name.
    fn last_words(&self, crawl: &str) -> Option<String> {
        let _ = crawl;
        None
    }

    /// Returns whether the crawl of this name was cut short or not begun, because the run was told to end.
    fn was_cut(&self, crawl: &str) -> bool {
        let _ = crawl;
        false
    }
}
