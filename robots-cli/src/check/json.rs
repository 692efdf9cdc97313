//! Writes the result as one JSON object; `check.schema.json` is its schema.
//!
//! The object has an entry for each file, with its totals and the results of all its expectations, met or not.

use std::io;

use robots_core::syntax::LineNumber;
use robots_lint::expect::Checked;
use serde_json::{Value, json};

use super::checked::CheckedFile;
use robots_console::json::pretty;

pub(super) fn write(files: &[CheckedFile<'_>], out: impl io::Write) -> io::Result<()> {
    let files: Vec<Value> = files.iter().map(file).collect();
    pretty(&json!({ "check": "robots", "version": 1, "files": files }), out)
}

fn file(file: &CheckedFile<'_>) -> Value {
    json!({
        "file": file.name,
        "expectations": file.expectations.display().to_string(),
        "totals": { "met": file.checked.len() - file.failed().count(), "failed": file.failed().count() },
        "results": file.checked.iter().map(result).collect::<Vec<_>>(),
    })
}

fn result(one: &Checked) -> Value {
    json!({
        "expected": one.expected(),
        "met": one.is_met(),
        "at": { "line": one.place().line, "column": one.place().column },
        "line": one.line().map(LineNumber::get),
        "reason": one.reason(),
    })
}
