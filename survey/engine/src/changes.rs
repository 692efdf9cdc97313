//! Finds the URLs that a change of a file opens (allows) or closes (disallows), and the crawlers that the change
//! concerns. `robots_lint::effect` compares the files; this module makes the texts for the page.

use robots_core::RobotsTxt;
use robots_lint::effect::{Effect, compare};
use serde::Serialize;

/// The maximum number of changes that are listed.
const MOST: usize = 500;

/// The URLs that a change of a file opens and closes.
#[derive(Serialize)]
pub(crate) struct Changes {
    opened: usize,
    closed: usize,
    /// Whether the comparison reached the limit of its work. If the limit was reached, there may be more changes.
    sampled: bool,
    listed: Vec<Listed>,
}

/// URLs that are opened or closed.
#[derive(Serialize)]
struct Listed {
    /// True if the URLs are opened, and false if they are closed.
    opens: bool,
    pattern: String,
    who: String,
    /// A shortest path whose verdict changes. `before` and `after` are the verdicts of the two files on this path.
    path: String,
    before: String,
    after: String,
}

impl Changes {
    pub(crate) fn of(old: &RobotsTxt<&[u8]>, new: &RobotsTxt<&[u8]>) -> Self {
        let difference = compare(old, new);
        let count = |effect: Effect| {
            difference.changes().iter().filter(|change| change.effect() == effect).count()
        };
        let listed = difference.changes().iter().take(MOST).map(|change| Listed {
            opens: change.effect() == Effect::Opened,
            pattern: String::from_utf8_lossy(change.pattern()).into_owned(),
            who: difference.affected(change),
            path: change.path().to_owned(),
            before: change.before().to_string(),
            after: change.after().to_string(),
        });
        Self {
            opened: count(Effect::Opened),
            closed: count(Effect::Closed),
            sampled: difference.is_sampled(),
            listed: listed.collect(),
        }
    }
}
