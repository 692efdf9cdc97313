//! Writes the changes as one object for programs; `schema/diff.schema.json` is its schema.
//!
//! The object has the totals, the number of changes that are not shown, and the shown changes. Each change has an
//! example URL with the answers of the old file and of the new file.

use std::io::{self, Write};

use robots_core::Verdict;
use robots_core::usage::{Category, Usage};
use robots_lint::effect::{Agent, Change, Delays, Effect};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::compared::Compared;
use super::words;
use robots_console::json::pretty;

/// The version of the object. The version changes when a key is removed or its meaning changes.
const VERSION: u32 = 1;

/// Writes the object, one change at a time.
pub(super) fn write(compared: &Compared<'_>, out: impl Write) -> io::Result<()> {
    let object = Object {
        diff: "robots",
        version: VERSION,
        edition: compared.edition.id(),
        old: compared.old.name(),
        new: compared.new.name(),
        sampled: compared.difference.is_sampled(),
        totals: json!({
            "opened": compared.count("opened"),
            "closed": compared.count("closed"),
            "preference": compared.count("preference"),
        }),
        left_out: compared.left_out(),
        changes: Changes(compared),
        sitemaps: json!({ "removed": compared.sitemaps[0], "added": compared.sitemaps[1] }),
        crawl_delays: compared.difference.crawl_delays().map(delay).collect(),
    };
    pretty(&object, out)
}

#[derive(Serialize)]
struct Object<'c> {
    diff: &'static str,
    version: u32,
    edition: &'static str,
    old: &'c str,
    new: &'c str,
    sampled: bool,
    totals: Value,
    left_out: usize,
    changes: Changes<'c>,
    sitemaps: Value,
    crawl_delays: Vec<Value>,
}

/// Returns the crawlers whose `Crawl-delay` changes, and their delays in seconds.
fn delay((agents, delays): (Vec<&Agent>, Delays)) -> Value {
    let [before, after] = delays.map(|delay| delay.map(|delay| delay.as_secs_f64()));
    json!({
        "unnamed": agents.contains(&&Agent::Others),
        "agents": agents.into_iter().filter_map(name).collect::<Vec<_>>(),
        "before": before,
        "after": after,
    })
}

/// The changes as JSON. Each change becomes an object when it is written, so that only one object exists at a time.
struct Changes<'c>(&'c Compared<'c>);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.shown().iter().map(|change| OneChange::of(self.0, change)))
    }
}

#[derive(Serialize)]
struct OneChange<'c> {
    effect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'static str>,
    pattern: String,
    everyone: bool,
    /// Whether the change affects crawlers that are named in neither file.
    unnamed: bool,
    agents: Vec<&'c str>,
    example: Example<'c>,
}

#[derive(Serialize)]
struct Example<'c> {
    url: String,
    agent: Option<&'c str>,
    before: Answer<'c>,
    after: Answer<'c>,
}

/// The answer of a file about the example.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'c> {
    Verdict(Verdict<'c>),
    Preference { preference: &'static str, lines: Vec<u32> },
}

impl<'c> Answer<'c> {
    fn of(verdict: Verdict<'c>, usage: Option<&Usage<'c>>, category: Option<Category>) -> Self {
        let (Some(usage), Some(category)) = (usage, category) else {
            return Self::Verdict(verdict);
        };
        Self::Preference {
            preference: usage.preference(category).unwrap_or_default().id(),
            lines: usage.statements().map(|statement| statement.line().number.get()).collect(),
        }
    }
}

impl<'c> OneChange<'c> {
    fn of(compared: &Compared<'_>, change: &'c Change<'_>) -> Self {
        let category = match change.effect() {
            Effect::Preference(category) => Some(category),
            Effect::Opened | Effect::Closed => None,
        };
        Self {
            effect: change.effect().id(),
            category: category.map(Category::label),
            pattern: String::from_utf8_lossy(change.pattern()).into_owned(),
            everyone: compared.difference.is_everyone(change),
            unnamed: change.agents().any(|agent| *agent == Agent::Others),
            agents: change.agents().filter_map(name).collect(),
            example: Example {
                url: words::example(compared, change),
                agent: name(change.agent()),
                before: Answer::of(change.before(), change.usage_before().as_ref(), category),
                after: Answer::of(change.after(), change.usage_after().as_ref(), category),
            },
        }
    }
}

fn name(agent: &Agent) -> Option<&str> {
    match agent {
        Agent::Named(name) => Some(name),
        Agent::Others => None,
    }
}
