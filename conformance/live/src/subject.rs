//! The crawler of a run: [`Subject`].
//!
//! A [`Crawler`] only crawls. A [`Subject`] also has a name for reports. Some of its methods return what the crawler
//! receives at its start, so that a run can decide how often to start it. [`Subject::name`] is the only method of this
//! trait without a default.

use crate::run::Crawler;

/// A crawler, and the properties that a run needs.
pub trait Subject: Crawler {
    /// Returns the name of the crawler in reports, for example its command.
    fn name(&self) -> String;

    /// Returns whether the crawler receives its product token when it is started.
    fn takes_agent(&self) -> bool {
        false
    }

    /// Returns whether the crawler receives the edition to follow when it is started. Such a crawler crawls once for
    /// each edition.
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
