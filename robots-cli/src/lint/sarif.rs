//! Findings as SARIF 2.1.0, which code hosts and editors read.
//!
//! Start at [`write()`]. The log lists every kind of finding and every construct as a rule; [`result()`] and
//! [`claim()`] refer to a rule by its index in this list. Columns count UTF-16 code units, as `linted.rs` computes
//! them, and a region ends at the end of its first line.

use std::io;

use robots_lint::{Construct, Finding, FindingKind, Level};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::linted::{Linted, columns, columns_of, line_end};
use super::portability::Claim;
use super::text::otherwise;
use crate::sarif::{Log, invocations, location, related, tool, uri};
use robots_console::json::pretty;

/// Writes the findings of files as a log of one run, one result at a time.
pub(super) fn write(files: &[Linted<'_>], out: impl io::Write) -> io::Result<()> {
    let edition = files.first().map(|file| file.edition).unwrap_or_default();
    let mut rules: Vec<Value> = FindingKind::ALL
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
    rules.extend(Construct::ALL.iter().map(|construct| {
        json!({
            "id": construct.name(),
            "shortDescription": { "text": construct.says() },
            "help": { "text": format!("{} Not all software reads this alike.", construct.says()) },
            "defaultConfiguration": { "level": "note" },
        })
    }));
    let run = Run {
        tool: tool(rules),
        column_kind: "utf16CodeUnits",
        properties: json!({ "edition": edition.id() }),
        invocations: left_out(files),
        results: Results(files),
    };
    pretty(&Log::of(run), out)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'f> {
    tool: Value,
    column_kind: &'static str,
    properties: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    invocations: Option<Value>,
    results: Results<'f>,
}

/// The results as JSON. Each result is made when it is written, so that only one result exists at a time.
struct Results<'f>(&'f [Linted<'f>]);

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let findings =
            self.0.iter().flat_map(|file| file.findings.shown().iter().map(move |one| (file, one)));
        let claims = self.0.iter().flat_map(|file| file.claims.iter().map(move |one| (file, one)));
        let findings = findings.map(|(file, finding)| result(file, finding));
        serializer.collect_seq(findings.chain(claims.map(|(file, one)| claim(file, one))))
    }
}

/// If some findings are not shown, returns a SARIF invocation. The invocation has one notification for each file and
/// each kind with findings that are not shown.
fn left_out(files: &[Linted<'_>]) -> Option<Value> {
    let of = |file: &Linted<'_>| {
        let uri = uri(file.place);
        let notification = |(kind, count): (FindingKind, usize)| {
            json!({
                "level": "note",
                "message": { "text": format!("{count} more of {kind}; --all shows them") },
                "locations": [{ "physicalLocation": { "artifactLocation": { "uri": uri.as_str() } } }],
            })
        };
        file.findings.left_out().map(notification).collect::<Vec<_>>()
    };
    let notifications: Vec<Value> = files.iter().flat_map(of).collect();
    (!notifications.is_empty()).then(|| invocations(&notifications))
}

const fn level(level: Level) -> &'static str {
    level.name()
}

fn result(file: &Linted<'_>, finding: &Finding<'_>) -> Value {
    let index = FindingKind::ALL.iter().position(|kind| *kind == finding.kind());
    let (column, end) = columns(file.body, finding);
    // The region covers only the part of the span that is in the span's first line. The columns and the octets of the
    // region both describe this part (SARIF 2.1.0, 3.30.4).
    let span = finding.span();
    let len = line_end(file.body, span.start()).min(span.end()).saturating_sub(span.start());
    let region = json!({
        "startLine": finding.line().get(),
        "startColumn": column,
        "endColumn": end,
        "byteOffset": span.start(),
        "byteLength": len,
    });
    let mut result = json!({
        "ruleId": finding.kind().name(),
        "ruleIndex": index,
        "level": level(finding.level()),
        "message": { "text": format!("{}; {}", finding.cause(), finding.fix()) },
        "locations": [location(file.place, &region)],
    });
    if let Some((line, _)) = finding.other() {
        let other = location(file.place, &json!({ "startLine": line.get() }));
        result["relatedLocations"] = related(other, "the other line");
    }
    if let Some(text) = finding.replacement() {
        let replacement = if finding.kind() == FindingKind::ByteOrderMark {
            // A byte order mark is before the first column, so a region in columns cannot contain it.
            json!({ "deletedRegion": { "byteOffset": span.start(), "byteLength": span.len() } })
        } else {
            // The file is text, so the region is a text region and not an octet region (SARIF 2.1.0, 3.30.5 and
            // 3.57.4).
            let line = finding.line().get();
            json!({
                "deletedRegion": {
                    "startLine": line, "startColumn": column, "endLine": line, "endColumn": end
                },
                "insertedContent": { "text": text },
            })
        };
        result["fixes"] = json!([{
            "description": { "text": finding.fix().to_string() },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(file.place) },
                "replacements": [replacement],
            }],
        }]);
    }
    result
}

/// Returns the result about a construct that some software reads in another way.
fn claim(file: &Linted<'_>, claim: &Claim<'_>) -> Value {
    let kinds = FindingKind::ALL.iter().map(|kind| kind.name());
    let mut names = kinds.chain(Construct::ALL.iter().map(|construct| construct.name()));
    let (column, end) = columns_of(file.body, claim.span);
    json!({
        "ruleId": claim.construct,
        "ruleIndex": names.position(|name| name == claim.construct),
        "level": "note",
        "message": { "text": otherwise(claim) },
        "locations": [location(
            file.place,
            &json!({ "startLine": claim.line.get(), "startColumn": column, "endColumn": end }),
        )],
    })
}
