//! The crawler of a run: [`Subject`].

use crate::run::Crawler;

/// A crawler, and the properties that a run needs.
pub trait Subject: Crawler {
    /// Returns the name of the crawler in reports, for example its command.
    fn name(&self) -> String;

    /// Returns whether the crawler receives its product token.
    fn takes_agent(&self) -> bool {
        false
    }

    /// Returns whether the crawler receives the edition to follow. Such a crawler runs once for each edition.
    fn takes_edition(&self) -> bool {
        false
    }

    /// Returns whether a person starts the crawler. Such a crawler makes a single crawl.
    fn is_started_once(&self) -> bool {
        false
    }

    /// Returns the last lines that the crawler wrote to its standard error in the crawl with this name.
    fn last_words(&self, crawl: &str) -> Option<String> {
        let _ = crawl;
        None
    }

    /// Returns whether the end of the run interrupted or prevented the crawl with this name.
    fn was_cut(&self, crawl: &str) -> bool {
        let _ = crawl;
        false
    }
}
