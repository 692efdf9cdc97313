//! Reports what a file states about the use of a URL's content under the draft editions: [`Drafts`]. Published editions
//! define no such preferences.

use robots_core::syntax::{Field, LineKind};
use robots_core::{Crawler, Edition, Options, RobotsTxt};
use robots_nom_parser::ScanParser;
use serde::Serialize;

/// The answer of a draft edition to one question.
#[derive(Serialize)]
pub(crate) struct Use {
    edition: &'static str,
    says: String,
}

/// A file, parsed under each draft edition in which it states a preference.
pub(crate) struct Drafts<'r>(Vec<RobotsTxt<&'r [u8]>>);

impl<'r> Drafts<'r> {
    pub(crate) fn of(body: &'r [u8]) -> Self {
        let parse = |draft: &Edition| RobotsTxt::parse(&ScanParser, body, Options::from(*draft));
        Self(Edition::DRAFTS.iter().map(parse).filter(states).collect())
    }

    /// Returns the answer of each draft. A text that is not a URL has no preferences.
    pub(crate) fn uses(&self, crawler: &Crawler, url: &str) -> Vec<Use> {
        let uses = self.0.iter().filter_map(|robots| {
            let usage = robots.try_usage(crawler, url, &[]).ok()?;
            Some(Use { edition: robots.edition().id(), says: usage.to_string() })
        });
        uses.collect()
    }
}

fn states(robots: &RobotsTxt<&[u8]>) -> bool {
    let is_preference = |kind| matches!(kind, LineKind::Record { field: Field::ContentUsage, .. });
    robots.lines().any(|(_, kind)| is_preference(kind))
}
