//! Writes the changes as SARIF 2.1.0: a result for each change, at the deciding line of the new file. The deciding line
//! of the old file is a related location.

use std::io;

use robots_console::render::visible;
use robots_core::syntax::LineNumber;
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
    notes.extend(words::beside(compared));
    let mut run = json!({
        "tool": tool(vec![
            rule("opened", "URLs that crawlers may fetch now, but might not fetch before."),
            rule("closed", "URLs that crawlers may not fetch any more."),
            rule("preference", "URLs with another preference about the use of their content."),
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

fn rule(id: &str, summary: &str) -> Value {
    json!({
        "id": id,
        "shortDescription": { "text": summary },
        "defaultConfiguration": { "level": "warning" },
    })
}

fn result(compared: &Compared<'_>, change: &Change<'_>) -> Value {
    let (pattern, verb) = (words::pattern(change), words::verb(change.effect()));
    let (agents, example) =
        (compared.difference.affected(change.agents()), words::example(compared, change));
    let [said_before, said_after] = words::answers(change);
    let [before, after] = deciding(change);
    let rule = match change.effect() {
        Effect::Opened => 0,
        Effect::Closed => 1,
        Effect::Preference(_) => 2,
    };
    let mut result = json!({
        "ruleId": change.effect().id(),
        "ruleIndex": rule,
        "level": "warning",
        "message": { "text": visible(&format!(
            "`{pattern}` {verb} for {agents}, for example {example}; before: {said_before}; after: {said_after}",
        )) },
        "locations": [place(compared.new, after)],
    });
    if before.is_some() {
        result["relatedLocations"] =
            related(place(compared.old, before), "the line that decided before");
    }
    result
}

/// Returns the first line that decides about the example of a change, in the old file and in the new file.
fn deciding(change: &Change<'_>) -> [Option<LineNumber>; 2] {
    match (change.usage_before(), change.usage_after()) {
        (Some(before), Some(after)) => [before, after]
            .map(|usage| usage.statements().next().map(|statement| statement.line().number)),
        _ => [change.before(), change.after()]
            .map(|verdict| verdict.rule().map(|rule| rule.line().number)),
    }
}

/// Returns the location of a line. Without a line, returns the location of the first line of the file.
fn place(input: &Input, line: Option<LineNumber>) -> Value {
    location(input.place(), &json!({ "startLine": line.map_or(1, LineNumber::get) }))
}
