//! Findings as GitHub's workflow commands: a line a finding, which GitHub shows beside the lines of a diff.

use std::fmt::Write as _;

use robots_lint::Level;

use super::{Linted, columns};

/// Writes the findings of files.
pub(super) fn write(files: &[Linted<'_>]) -> String {
    let mut out = String::new();
    for file in files {
        for finding in &file.findings {
            let command = match finding.level() {
                Level::Error => "error",
                Level::Warning => "warning",
                Level::Note => "notice",
            };
            let (column, end) = columns(file.body, finding);
            let message = format!("{}; {}", finding.cause(), finding.mend());
            let (line, title) = (finding.line(), finding.kind());
            let _ = writeln!(
                out,
                "::{command} file={},line={line},col={column},endColumn={end},title={title}::{}",
                property(file.name),
                data(&message),
            );
        }
    }
    out
}

/// Escapes what would end a message.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes what would end a property.
fn property(text: &str) -> String {
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
