//! The result as workflow commands of GitHub Actions: an error for each expectation that is not met.
//!
//! GitHub shows such an error beside a line of a file. `lint/github.rs` escapes the values.

use std::io::{self, Write};

use super::checked::CheckedFile;
use crate::lint::github::{data, property};

pub(super) fn write(files: &[CheckedFile<'_>], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let expectations = property(&file.expectations.display().to_string());
        for one in file.failed() {
            let message = format!(
                "{}: not met by {}: {}",
                one.expected(),
                file.name,
                one.reason().unwrap_or_default()
            );
            // GitHub shows the error at the line of robots.txt that decided. If no line decided, it shows the error at
            // the line of the expectation.
            let place = match one.line() {
                Some(line) => format!("file={},line={line}", property(file.place)),
                None => format!(
                    "file={expectations},line={},col={}",
                    one.place().line,
                    one.place().column
                ),
            };
            writeln!(out, "::error {place},title=check::{}", data(&message))?;
        }
    }
    Ok(())
}
