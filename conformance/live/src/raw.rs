//! The keys of live cases in a case file.
//!
//! The structs have one field for each key. The suite's loader fills the structs, and stores the place of every key for
//! messages. `load.rs` checks the values and makes a [`CrawlPlan`](crate::CrawlPlan) from them.

use std::collections::HashSet;

use robots_conformance::suite::load::Form;
use robots_conformance::suite::requirement::Level;
use robots_test_web::Sites;
use serde::Deserialize;

use crate::probes::{Page, Probes};

/// The keys of a case, in addition to the keys that every case has.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Crawl {
    pub(crate) sites: Sites,
    pub(crate) links: Option<Vec<String>>,
    pub(crate) controls: Vec<Page>,
    pub(crate) follows: Option<Page>,
    pub(crate) fetched: Vec<Page>,
    pub(crate) not_fetched: Vec<Page>,
    pub(crate) either: Vec<Page>,
    pub(crate) log: Vec<Check>,
}

/// The keys of an expectation. An expectation without any of these keys uses the lists of pages in the case itself.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(crate) struct Lists {
    fetched: Option<Vec<Page>>,
    not_fetched: Option<Vec<Page>>,
    either: Option<Vec<Page>>,
}

/// A requirement on the access log.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Check {
    /// The word for the property, which `Kind::of` reads.
    #[serde(rename = "check")]
    pub(crate) word: String,
    pub(crate) origin: String,
    pub(crate) times: Option<usize>,
    pub(crate) level: Option<Level>,
    /// Whether the check is only advice, because no document requires the property.
    #[serde(default)]
    pub(crate) advice: bool,
    pub(crate) source: Option<String>,
    pub(crate) requirement: Option<String>,
}

impl Crawl {
    /// Returns the pages that the case itself lists, without the lists of its expectations.
    pub(crate) fn listed(&self) -> Probes {
        Probes {
            fetched: self.fetched.clone(),
            not_fetched: self.not_fetched.clone(),
            either: self.either.clone(),
        }
    }
}

impl Form for Crawl {
    type Keys = Lists;
    type Conforming = Probes;

    fn conforming(&self, keys: Option<Lists>, report: &mut dyn FnMut(String)) -> Option<Probes> {
        let probes = match keys.unwrap_or_default() {
            Lists { fetched: None, not_fetched: None, either: None } => self.listed(),
            Lists { fetched, not_fetched, either } => Probes {
                fetched: fetched.unwrap_or_default(),
                not_fetched: not_fetched.unwrap_or_default(),
                either: either.unwrap_or_default(),
            },
        };
        let mut seen = HashSet::new();
        if let Some(twice) = probes.pages().find(|page| !seen.insert(*page)) {
            report(format!("{twice} is listed twice"));
            return None;
        }
        Some(probes)
    }
}
