//! Writes findings as one object for programs; `schema/lint.schema.json` is its schema.
//!
//! The object has an entry for each file: its totals, its shown findings with their columns, and the claims that
//! software reads a construct in another way than the edition.

use std::collections::BTreeMap;
use std::io::{self, Write};

use robots_lint::{Finding, Level};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::linted::{Linted, columns};
use super::portability::Claim;
use robots_console::json::pretty;

/// The version of the object. The version changes when a key is removed or changes its meaning.
const VERSION: u32 = 1;

/// Writes the findings of files, one at a time.
pub(super) fn write(files: &[Linted<'_>], out: impl Write) -> io::Result<()> {
    let files = files.iter().map(File::of).collect();
    pretty(&Object { lint: "robots", version: VERSION, files }, out)
}

#[derive(Serialize)]
struct Object<'f> {
    lint: &'static str,
    version: u32,
    files: Vec<File<'f>>,
}

#[derive(Serialize)]
struct File<'f> {
    #[serde(rename = "file")]
    name: &'f str,
    edition: &'static str,
    octets: usize,
    totals: Value,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    left_out: BTreeMap<&'static str, usize>,
    findings: Findings<'f>,
    portability: Vec<Value>,
}

impl<'f> File<'f> {
    fn of(file: &'f Linted<'_>) -> Self {
        let findings = &file.findings;
        Self {
            name: file.name,
            edition: file.edition.id(),
            octets: file.body.len(),
            totals: json!({
                "error": file.of(Level::Error),
                "warning": file.of(Level::Warning),
                "note": file.of(Level::Note),
            }),
            left_out: findings.left_out().map(|(kind, count)| (kind.name(), count)).collect(),
            findings: Findings { body: file.body, shown: findings.shown() },
            portability: file.claims.iter().map(claim).collect(),
        }
    }
}

/// The findings as JSON. Each finding becomes an object when it is written, so that only one object exists at a time.
struct Findings<'f> {
    body: &'f [u8],
    shown: &'f [Finding<'f>],
}

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.shown.iter().map(|finding| placed(self.body, finding)))
    }
}

/// Returns a finding with its columns, given the octets of its file.
pub(crate) fn placed<'f>(body: &[u8], finding: &'f Finding<'f>) -> impl Serialize + use<'f> {
    let (column, end_column) = columns(body, finding);
    Placed { finding, column, end_column }
}

/// A finding of robots-lint, with its columns.
#[derive(Serialize)]
struct Placed<'f> {
    #[serde(flatten)]
    finding: &'f Finding<'f>,
    column: usize,
    end_column: usize,
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
