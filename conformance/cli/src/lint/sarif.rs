//! Findings as SARIF 2.1.0, which code hosts and editors read.

use std::fmt::Write as _;

use robots_lint::{Finding, FindingKind, Level};
use serde_json::{Value, json};

use super::{Linted, columns};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Writes the findings of files as a log of one run.
pub(super) fn write(files: &[Linted<'_>]) -> Result<String, String> {
    let edition = files.first().map(|file| file.edition).unwrap_or_default();
    let rules: Vec<Value> = FindingKind::ALL
        .iter()
        .map(|kind| {
            let source = kind.source(edition);
            let help = source.map_or(String::new(), |source| {
                format!("{} Source: {source} ({}).", kind.summary(), source.requirement())
            });
            json!({
                "id": kind.name(),
                "shortDescription": { "text": kind.summary() },
                "help": { "text": help },
                "defaultConfiguration": { "level": level(kind.level()) },
            })
        })
        .collect();
    let results = files
        .iter()
        .flat_map(|file| file.findings.iter().map(move |finding| result(file, finding)));
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "robots-conformance",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "columnKind": "utf16CodeUnits",
            "properties": { "edition": edition.id() },
            "results": results.collect::<Vec<_>>(),
        }],
    });
    let text = serde_json::to_string_pretty(&log).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

const fn level(level: Level) -> &'static str {
    level.name()
}

fn result(file: &Linted<'_>, finding: &Finding<'_>) -> Value {
    let index = FindingKind::ALL.iter().position(|kind| *kind == finding.kind());
    let uri = uri(file.name);
    let (column, end) = columns(file.body, finding);
    let span = finding.span();
    let mut region = json!({
        "startLine": finding.line().get(),
        "startColumn": column,
        "byteOffset": span.start(),
        "byteLength": span.len(),
    });
    // What lies beyond the limit has many lines, and no end that anyone should be shown.
    if finding.kind() != FindingKind::Truncated {
        region["endColumn"] = end.into();
    }
    let location = |region: Value| json!({ "physicalLocation": { "artifactLocation": { "uri": uri.as_str() }, "region": region } });
    let mut result = json!({
        "ruleId": finding.kind().name(),
        "ruleIndex": index,
        "level": level(finding.level()),
        "message": { "text": format!("{}; {}", finding.cause(), finding.mend()) },
        "locations": [location(region)],
    });
    if let Some((line, _)) = finding.other() {
        let mut other = location(json!({ "startLine": line.get() }));
        other["id"] = 0.into();
        other["message"] = json!({ "text": "the other line" });
        result["relatedLocations"] = json!([other]);
    }
    if let Some(text) = finding.replacement() {
        let deleted = json!({ "byteOffset": span.start(), "byteLength": span.len() });
        let replacement = json!({ "deletedRegion": deleted, "insertedContent": { "text": text } });
        result["fixes"] = json!([{
            "description": { "text": finding.mend().to_string() },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri.as_str() },
                "replacements": [replacement],
            }],
        }]);
    }
    result
}

/// Returns a path as a relative reference (RFC 3986, 4.2), or a URL as it stands.
fn uri(name: &str) -> String {
    if name.contains("://") {
        return name.to_owned();
    }
    let mut out = String::with_capacity(name.len());
    for octet in name.replace('\\', "/").bytes() {
        if octet.is_ascii_alphanumeric() || matches!(octet, b'/' | b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(octet));
        } else {
            let _ = write!(out, "%{octet:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_path_is_a_relative_reference() {
        assert_eq!(uri("public/my robots#1.txt"), "public/my%20robots%231.txt");
        assert_eq!(uri("https://example.com/robots.txt"), "https://example.com/robots.txt");
    }
}
