//! The manifests and the results of the three tables.

use crate::crawlers::Crawler;
use crate::files::workspace;
use crate::manifests::Manifest;
use crate::peers::Peer;
use crate::results::Results;
use crate::retrievers::Retriever;
use crate::row::{Row, Survey};
use crate::table::rows;

/// The manifests and the results of all tables.
pub(crate) struct All {
    peers: Manifest<Peer>,
    crawlers: Manifest<Crawler>,
    retrievers: Manifest<Retriever>,
    pub(crate) results: [Results; 3],
}

/// The rows of all tables.
pub(crate) type AllRows<'s> = (Vec<Row<'s, Peer>>, Vec<Row<'s, Crawler>>, Vec<Row<'s, Retriever>>);

impl All {
    /// Reads all of them.
    ///
    /// # Errors
    /// Returns a message about the file that is wrong.
    pub(crate) fn read() -> Result<Self, String> {
        let folder = |name: &str| workspace().join("survey").join(name);
        Ok(Self {
            peers: Manifest::read(&folder("peers"))?,
            crawlers: Manifest::read(&folder("crawlers"))?,
            retrievers: Manifest::read(&folder("peers"))?,
            results: [
                Results::read("peers")?,
                Results::read("crawlers")?,
                Results::read("retrievers")?,
            ],
        })
    }

    /// Returns the rows of the parsers, the crawlers and the retrievers.
    pub(crate) fn rows<'s>(&'s self, survey: &'s Survey) -> AllRows<'s> {
        let [peers, crawlers, retrievers] = &self.results;
        (
            rows(survey, &self.peers, peers),
            rows(survey, &self.crawlers, crawlers),
            rows(survey, &self.retrievers, retrievers),
        )
    }
}
