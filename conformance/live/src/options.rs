//! What a run crawls, and how: [`Options`].

use std::thread;
use std::time::Duration;

use robots_core::Edition;
use robots_test_web::Net;

use crate::run::Settings;

/// What a run crawls, and how.
///
/// ```
/// use robots_conformance_live::{Cases, Options};
///
/// let mut options = Options::default();
/// options.agent = "wget".to_owned();
/// options.cases = Cases::Wire;
/// assert!(options.editions.is_empty(), "every edition");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The crawler's product token.
    pub agent: String,
    /// The editions that judge; every edition if there is none.
    pub editions: Vec<Edition>,
    /// Where the web is put.
    pub net: Net,
    /// Which cases are crawled.
    pub cases: Cases,
    /// A text that the names of the trials must contain.
    pub filter: Option<String>,
    /// Whether one process crawls all cases of fetching. It always crawls the verdicts so.
    pub together: bool,
    /// How many cases are crawled at a time.
    pub jobs: usize,
    /// How long the crawl of a case may take.
    pub limit: Duration,
    /// How long a crawl of many cases may take.
    pub limit_together: Duration,
    /// Whether an undecided case is crawled once more, alone; the second crawl counts.
    pub again: bool,
}

/// Which cases are crawled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cases {
    /// All of them.
    #[default]
    All,
    /// Those of `spec-cases/live/crawling.yaml`.
    Wire,
    /// Those of the suite's verdicts that a crawler can be asked.
    Verdicts,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            agent: "examplebot".to_owned(),
            editions: Vec::new(),
            net: Net::default(),
            cases: Cases::default(),
            filter: None,
            together: false,
            // A crawl mostly waits.
            jobs: 2 * thread::available_parallelism().map_or(1, Into::into),
            limit: Duration::from_secs(30),
            limit_together: Duration::from_secs(600),
            again: false,
        }
    }
}

impl Options {
    /// Returns the settings of the crawl of one case; the crawler is told the edition, if there is one.
    pub(crate) fn settings(&self, edition: Option<Edition>) -> Settings {
        Settings {
            agent: self.agent.clone(),
            edition,
            limit: self.limit,
            net: self.net,
            jobs: self.jobs,
        }
    }
}
