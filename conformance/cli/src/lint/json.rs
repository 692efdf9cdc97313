//! Findings as one object, for programs: see `schema/lint.schema.json`.

use robots_lint::{Finding, Level};
use serde_json::{Value, json, to_value};

use super::portability::Claim;
use super::{Linted, columns};

/// The version of the object: it changes when a key changes its meaning or goes.
const VERSION: u32 = 1;

/// Writes the findings of files.
pub(super) fn write(files: &[Linted<'_>]) -> Result<String, String> {
    let files = files.iter().map(file).collect::<Result<Vec<_>, _>>()?;
    let object = json!({ "lint": "robots-conformance", "version": VERSION, "files": files });
    let text = serde_json::to_string_pretty(&object).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn file(file: &Linted<'_>) -> Result<Value, String> {
    let of = |level: Level| file.findings.iter().filter(|finding| finding.level() == level).count();
    let findings = file.findings.iter().map(|finding| object(file.body, finding));
    Ok(json!({
        "file": file.name,
        "edition": file.edition.id(),
        "octets": file.body.len(),
        "totals": {
            "error": of(Level::Error),
            "warning": of(Level::Warning),
            "note": of(Level::Note),
        },
        "findings": findings.collect::<Result<Vec<_>, _>>()?,
        "portability": file.claims.iter().map(claim).collect::<Vec<_>>(),
    }))
}

fn claim(claim: &Claim<'_>) -> Value {
    json!({
        "construct": claim.construct,
        "says": claim.says,
        "line": claim.line.get(),
        "lines": claim.lines,
        "span": { "start": claim.span.start(), "end": claim.span.end() },
        "readers": claim.readers,
    })
}

/// The finding as the core has it, with its columns.
fn object(body: &[u8], finding: &Finding<'_>) -> Result<Value, String> {
    let mut object = to_value(finding).map_err(|error| error.to_string())?;
    let (column, end) = columns(body, finding);
    object["column"] = column.into();
    object["end_column"] = end.into();
    Ok(object)
}
