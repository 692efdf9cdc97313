//! Finds the URLs that a change of a file opens (allows) or closes (disallows), or whose preferences it changes, and the
//! crawlers that the change concerns. `robots_lint::effect` compares the files; this module makes the texts for the page.

use robots_core::RobotsTxt;
use robots_lint::effect::{Effect, compare};
use serde::Serialize;

/// The maximum number of changes that are listed.
const MOST: usize = 500;

/// The changes of the URLs' verdicts and preferences.
#[derive(Serialize)]
pub(crate) struct Changes {
    opened: usize,
    closed: usize,
    preferences: usize,
    /// Whether the comparison reached the limit of its work. If the limit was reached, there may be more changes.
    sampled: bool,
    listed: Vec<Listed>,
}

/// URLs that are opened or closed, or whose preferences change.
#[derive(Serialize)]
struct Listed {
    /// The change, as words that follow the pattern.
    verb: String,
    pattern: String,
    who: String,
    /// A shortest path about which the answer changes. `before` and `after` are the answers of the two files.
    path: String,
    before: String,
    after: String,
}

impl Changes {
    pub(crate) fn of(old: &RobotsTxt<&[u8]>, new: &RobotsTxt<&[u8]>) -> Self {
        let difference = compare(old, new);
        let count = |id: &str| {
            difference.changes().iter().filter(|change| change.effect().id() == id).count()
        };
        let listed = difference.changes().iter().take(MOST).map(|change| {
            let [before, after] = match (change.usage_before(), change.usage_after()) {
                (Some(before), Some(after)) => [before.to_string(), after.to_string()],
                _ => [change.before().to_string(), change.after().to_string()],
            };
            // A statement without a path is about the same URLs as the pattern `/`.
            let pattern = if change.pattern().is_empty() { b"/" } else { change.pattern() };
            Listed {
                verb: match change.effect() {
                    Effect::Opened => "opens".to_owned(),
                    Effect::Closed => "closes".to_owned(),
                    Effect::Preference(category) => {
                        format!("changes the preference for {category}")
                    }
                },
                pattern: String::from_utf8_lossy(pattern).into_owned(),
                who: difference.affected(change.agents()),
                path: change.example().to_owned(),
                before,
                after,
            }
        });
        Self {
            opened: count("opened"),
            closed: count("closed"),
            preferences: count("preference"),
            sampled: difference.is_sampled(),
            listed: listed.collect(),
        }
    }
}
