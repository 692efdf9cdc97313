//! The result as SARIF 2.1.0: a result for each expectation that is not met.
//!
//! The location of a result is the line of robots.txt that decided, or the first line. The place of the expectation is
//! a related location.

use std::io;

use robots_console::render::visible;
use robots_core::syntax::LineNumber;
use robots_lint::expect::Checked;
use serde_json::{Value, json};

use super::checked::CheckedFile;
use crate::sarif::{Log, location, related, tool};
use robots_console::json::pretty;

pub(super) fn write(files: &[CheckedFile<'_>], out: impl io::Write) -> io::Result<()> {
    let results = files.iter().flat_map(|file| file.failed().map(move |one| result(file, one)));
    let run = json!({
        "tool": tool(json!([{
            "id": "expectation",
            "shortDescription": { "text": "The robots.txt does not meet its expectations." },
            "defaultConfiguration": { "level": "error" },
        }])),
        // Columns of expectations are counted in characters.
        "columnKind": "unicodeCodePoints",
        "results": results.collect::<Vec<_>>(),
    });
    pretty(&Log::of(run), out)
}

fn result(file: &CheckedFile<'_>, one: &Checked) -> Value {
    let place = one.place();
    let stated = location(
        &file.expectations.display().to_string(),
        &json!({ "startLine": place.line, "startColumn": place.column }),
    );
    let text = format!("{}; not met: {}", one.expected(), one.reason().unwrap_or_default());
    json!({
        "ruleId": "expectation",
        "ruleIndex": 0,
        "level": "error",
        "message": { "text": visible(&text) },
        "locations": [location(file.place, &json!({ "startLine": one.line().map_or(1, LineNumber::get) }))],
        "relatedLocations": related(stated, "the expectation"),
    })
}
