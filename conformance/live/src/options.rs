//! The settings of a run: [`Options`].
//!
//! [`Options`] says which cases are crawled, on which network, with which time limits, and how many at the same time.
//! [`CaseSelection`] selects cases by their kind. [`Options::default`] selects all cases under all published editions.

use std::time::Duration;

use robots_conformance::run::selection::Selection;
use robots_core::Edition;

use crate::run::Settings;

/// The settings of a run.
///
/// ```
/// use robots_conformance_live::{CaseSelection, Options};
///
/// let mut options = Options::default();
/// options.settings.agent = "wget".to_owned();
/// options.cases = CaseSelection::Wire;
/// assert!(options.selection.profiles.is_empty(), "every edition");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The settings for the crawl of one case. The run sets the edition.
    pub settings: Settings,
    /// The selected trials.
    pub selection: Selection,
    /// The selection of the cases that are crawled.
    pub cases: CaseSelection,
    /// Whether one process crawls all cases about fetching. Verdict cases with the same product token always share a
    /// process.
    pub together: bool,
    /// The time limit for a crawl of many cases.
    pub limit_together: Duration,
    /// Whether a case is crawled a second time, alone, if its first crawl ended without a decision. The second crawl
    /// then replaces the first.
    pub again: bool,
}

/// The selection of the cases that are crawled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CaseSelection {
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
            settings: Settings::default(),
            selection: Selection::default(),
            cases: CaseSelection::default(),
            together: false,
            limit_together: Duration::from_secs(600),
            again: false,
        }
    }
}

impl Options {
    /// Returns the settings for the crawl of one case. If an edition is given, the crawler is started with it.
    pub(crate) fn settings(&self, edition: Option<Edition>) -> Settings {
        Settings { edition, ..self.settings.clone() }
    }
}
