//! The settings of a run: [`Options`].
//!
//! [`Options`] says which cases are crawled, on which network, with which time limits, and how many at the same time.
//! [`Cases`] selects cases by their kind. [`Options::default`] selects all cases under all published editions.

use std::thread;
use std::time::Duration;

use robots_conformance::run::selection::Selection;
use robots_core::Edition;
use robots_test_web::Net;

use crate::run::Settings;

/// The settings of a run.
///
/// ```
/// use robots_conformance_live::{Cases, Options};
///
/// let mut options = Options::default();
/// options.agent = "wget".to_owned();
/// options.cases = Cases::Wire;
/// assert!(options.selection.profiles.is_empty(), "every edition");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The crawler's product token.
    pub agent: String,
    /// The selected trials.
    pub selection: Selection,
    /// The kind of network for the test server.
    pub net: Net,
    /// The selection of the cases that are crawled.
    pub cases: Cases,
    /// Whether one process crawls all cases about fetching. Verdict cases with the same product token always share a
    /// process.
    pub together: bool,
    /// The number of cases that are crawled at the same time.
    pub jobs: usize,
    /// The time limit for the crawl of a case.
    pub limit: Duration,
    /// The time limit for a crawl of many cases.
    pub limit_together: Duration,
    /// Whether the crawler stays on one host. If it does, only the cases with one origin are crawled.
    pub own_host: bool,
    /// Whether the run continues with a crawler that repeatedly ends at once without a request.
    pub keep_going: bool,
    /// Whether an undecided case is crawled a second time, alone. The second crawl then replaces the first.
    pub again: bool,
}

/// The selection of the cases that are crawled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cases {
    /// All cases.
    #[default]
    All,
    /// The cases of `spec-cases/live/crawling.yaml`.
    Wire,
    /// The suite's verdict cases that can be tested with a crawler.
    Verdicts,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agent: "examplebot".to_owned(),
            selection: Selection::default(),
            net: Net::default(),
            cases: Cases::default(),
            together: false,
            // A crawl mostly waits, so more crawls run at once than there are processors.
            jobs: 2 * thread::available_parallelism().map_or(1, Into::into),
            limit: Duration::from_secs(30),
            limit_together: Duration::from_secs(600),
            own_host: false,
            keep_going: false,
            again: false,
        }
    }
}

impl Options {
    /// Returns the settings for the crawl of one case. If an edition is given, the crawler is started with it.
    pub(crate) fn settings(&self, edition: Option<Edition>) -> Settings {
        Settings {
            agent: self.agent.clone(),
            edition,
            limit: self.limit,
            net: self.net,
            jobs: self.jobs,
            keep_going: self.keep_going,
        }
    }
}
