//! Findings as workflow commands of GitHub Actions: one line for each finding.
//!
//! GitHub shows each finding beside the lines of a diff. The command for a note is `notice`. The number of findings
//! that are not shown and a claim about other software are also a `notice`.

use std::io::{self, Write};

use robots_console::render::visible;
use robots_lint::Level;

use super::linted::{Linted, columns, columns_of};
use super::text::otherwise;

/// Writes the findings of files.
pub(super) fn write(files: &[Linted<'_>], out: &mut dyn Write) -> io::Result<()> {
    for file in files {
        let name = property(file.place);
        for finding in file.findings.shown() {
            let command = match finding.level() {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "notice",
            };
            let (column, end) = columns(file.body, finding);
            let message = format!("{}; {}", finding.cause(), finding.fix());
            let (line, title) = (finding.line(), finding.kind());
            writeln!(
                out,
                "::{command} file={name},line={line},col={column},endColumn={end},title={title}::{}",
                data(&message),
            )?;
        }
        for (kind, count) in file.findings.left_out() {
            writeln!(
                out,
                "::notice file={name},title={kind}::{count} more of {kind}; --all shows them"
            )?;
        }
        for claim in &file.claims {
            let (column, end) = columns_of(file.body, claim.span);
            let (line, title) = (claim.line, claim.construct);
            writeln!(
                out,
                "::notice file={name},line={line},col={column},endColumn={end},title={title}::{}",
                data(&otherwise(claim)),
            )?;
        }
    }
    Ok(())
}

/// Escapes line breaks, which would end a message, and also `%` and invisible characters.
pub(crate) fn data(text: &str) -> String {
    visible(&text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A"))
}

/// Escapes a text like [`data`], and also the characters that would end a property: `:` and `,`.
pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("a\r\nb%c:d"), "a%0D%0Ab%25c:d");
        assert_eq!(property("a:b,c\n"), "a%3Ab%2Cc%0A");
    }
}
