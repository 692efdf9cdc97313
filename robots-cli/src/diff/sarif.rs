//! Writes the changes as SARIF 2.1.0: a result for each change, at the deciding line of the new file. The deciding line
//! of the old file is a related location.

use std::io;

use robots_console::render::visible;
use robots_core::Verdict;
use robots_lint::effect::{Change, Effect};
use serde_json::{Value, json};

use super::compared::Compared;
use super::words;
use crate::lint::Input;
use crate::sarif::{Log, invocations, location, related, tool};
use robots_console::json::pretty;

/// Writes a log of one run.
pub(super) fn write(compared: &Compared<'_>, out: impl io::Write) -> io::Result<()> {
    let mut notes = Vec::new();
    if compared.difference.is_sampled() {
        notes.push(words::SAMPLED.to_owned());
    }
    notes.extend(words::left_out(compared));
    let mut run = json!({
        "tool": tool(vec![
            rule(Effect::Opened, "URLs that crawlers may fetch now, but might not fetch before."),
            rule(Effect::Closed, "URLs that crawlers may not fetch any more."),
        ]),
        "properties": { "edition": compared.edition.id(), "sampled": compared.difference.is_sampled() },
        "results": compared.shown().iter().map(|change| result(compared, change)).collect::<Vec<_>>(),
    });
    if !notes.is_empty() {
        let notification = |text: &String| json!({ "level": "note", "message": { "text": text } });
        let notifications: Vec<Value> = notes.iter().map(notification).collect();
        run["invocations"] = invocations(&notifications);
    }
    pretty(&Log::of(run), out)
}

fn rule(effect: Effect, summary: &str) -> Value {
    json!({
        "id": effect.id(),
        "shortDescription": { "text": summary },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn result(compared: &Compared<'_>, change: &Change<'_>) -> Value {
    let (pattern, verb) = (words::pattern(change), words::verb(change.effect()));
    let (agents, example) =
        (compared.difference.affected(change), words::example(compared, change));
    let before = deciding(compared.old, &change.before());
    let after = deciding(compared.new, &change.after());
    let mut result = json!({
        "ruleId": change.effect().id(),
        "ruleIndex": usize::from(change.effect() == Effect::Closed),
        "level": "warning",
        "message": { "text": visible(&format!(
            "`{pattern}` {verb} for {agents}, for example {example}; before: {}; after: {}",
            change.before(), change.after(),
        )) },
        "locations": [after],
    });
    if change.before().rule().is_some() {
        result["relatedLocations"] = related(before, "the rule that decided before");
    }
    result
}

/// Returns the location of the rule that decides. If no rule decides, returns the location of the first line of the
/// file.
fn deciding(input: &Input, verdict: &Verdict<'_>) -> Value {
    let line = verdict.rule().map_or(1, |rule| rule.line().number.get());
    location(input.place(), &json!({ "startLine": line }))
}
