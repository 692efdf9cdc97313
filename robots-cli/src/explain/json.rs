//! Writes the answers as one JSON object; `explain.schema.json` is its schema.
//!
//! There is one answer for each crawler and URL. Each answer has the verdict, the deciding line, the reason, and the
//! findings that affect this answer.

use std::collections::BTreeMap;
use std::io;

use serde_json::{Value, json};

use super::answers::{Answer, Asked};
use super::arguments::ExplainArgs;
use crate::lint::{FOR_PROGRAMS, placed};
use robots_console::json::pretty;

/// The version of the object. The version changes when a key is removed or its meaning changes.
const VERSION: u32 = 1;

pub(super) fn write(
    arguments: &ExplainArgs,
    asked: &[Asked<'_>],
    out: impl io::Write,
) -> io::Result<()> {
    let answers = asked.iter().flat_map(|asked| asked.answers.iter().map(|one| answer(asked, one)));
    let object = json!({
        "explain": "robots",
        "version": VERSION,
        "file": arguments.file.name(),
        "edition": arguments.edition.id(),
        "answers": answers.collect::<Vec<_>>(),
    });
    pretty(&object, out)
}

fn answer(asked: &Asked<'_>, answer: &Answer<'_>) -> Value {
    let findings = asked.findings(answer, FOR_PROGRAMS);
    let body = asked.body().unwrap_or_default();
    let mut object = json!({
        "agents": asked.crawler.tokens,
        "user_agent": asked.crawler.header,
        "url": answer.url,
        "verdict": if answer.is_allowed { "allow" } else { "disallow" },
        "line": answer.line,
        "reason": answer.verdict,
        "usage": answer.usage,
        "policies": answer.policies,
        "basis": answer.basis,
        "findings": findings.shown().iter().map(|one| placed(body, one)).collect::<Vec<_>>(),
    });
    let left_out: BTreeMap<&str, usize> =
        findings.left_out().map(|(kind, count)| (kind.name(), count)).collect();
    if !left_out.is_empty() {
        object["left_out"] = json!(left_out);
    }
    object
}
