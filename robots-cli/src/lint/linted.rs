//! A file with its findings: [`Linted`].
//!
//! Each format of `lint` is written from a list of [`Linted`] files. [`columns`] computes the columns of a finding only
//! when the finding is written.

use robots_core::Edition;
use robots_core::syntax::Span;
use robots_lint::{Finding, Level};

use super::counted::Counted;
use super::portability::Claim;

/// A file that was checked.
pub(crate) struct Linted<'r> {
    /// The name, for reports.
    pub name: &'r str,
    /// The path or URL.
    pub place: &'r str,
    /// The octets.
    pub body: &'r [u8],
    /// The edition that defines how the file was read.
    pub edition: Edition,
    /// The findings of the requested level and of higher levels.
    pub findings: Counted<'r>,
    /// The claims that measured software reads a construct in another way than the edition, in the order of the lines.
    pub claims: Vec<Claim<'r>>,
}

impl Linted<'_> {
    /// Returns the number of findings of a level, shown or not. A claim about other software counts as a note.
    #[must_use]
    pub(crate) fn of(&self, level: Level) -> usize {
        let claims = if level == Level::Note { self.claims.len() } else { 0 };
        self.findings.of(level) + claims
    }
}

/// Returns the first column of a finding and the column after its end, both from 1.
///
/// Columns count UTF-16 code units, as editors do. An octet that is not UTF-8 counts as one, and a byte order mark does
/// not count.
pub(super) fn columns(body: &[u8], finding: &Finding<'_>) -> (usize, usize) {
    #[cfg(test)]
    tests::COMPUTED.set(tests::COMPUTED.get() + 1);
    columns_of(body, finding.span())
}

/// Returns the first column of a span and the column after its end, as [`columns`] counts them.
pub(super) fn columns_of(body: &[u8], span: Span) -> (usize, usize) {
    const MARK: &[u8] = "\u{FEFF}".as_bytes();
    let start = match line_start(body, span.start()) {
        0 if body.starts_with(MARK) => MARK.len().min(span.end()),
        start => start,
    };
    let from = span.start().max(start);
    let units = |octets: &[u8]| String::from_utf8_lossy(octets).encode_utf16().count();
    let before = units(&body[start..from]);
    let end = line_end(body, from).min(span.end());
    (before + 1, before + 1 + units(&body[from..end.max(from)]))
}

/// Returns the start of the line that contains an offset.
pub(super) fn line_start(body: &[u8], at: usize) -> usize {
    let before = &body[..at.min(body.len())];
    before.iter().rposition(|octet| matches!(octet, b'\r' | b'\n')).map_or(0, |end| end + 1)
}

/// Returns the end of the line that contains an offset, before its line ending.
pub(super) fn line_end(body: &[u8], at: usize) -> usize {
    let behind = &body[at.min(body.len())..];
    let len = behind.iter().position(|octet| matches!(octet, b'\r' | b'\n'));
    at + len.unwrap_or(behind.len())
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::{self, Write};

    use robots_core::{Options, RobotsTxt};
    use robots_lint::findings;
    use robots_nom_parser::NomParser;
    use rstest::rstest;

    use super::super::counted::Counted;
    use super::super::{json, sarif};
    use super::Linted;

    thread_local! {
        /// The number of findings whose columns this thread has computed.
        pub(super) static COMPUTED: Cell<usize> = const { Cell::new(0) };
    }

    /// A writer that stores the largest number of findings whose columns were computed between two writes.
    #[derive(Default)]
    struct Noting {
        octets: usize,
        computed: usize,
        at_once: usize,
    }

    impl Write for Noting {
        fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
            self.at_once = self.at_once.max(COMPUTED.get() - self.computed);
            self.computed = COMPUTED.get();
            self.octets += octets.len();
            Ok(octets.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A file of 500 KiB can have 250,000 findings, so not all their objects may be in memory at the same time.
    #[rstest]
    #[trace]
    fn findings_are_written_one_by_one(#[values("json", "sarif")] format: &str) {
        let count = 10_000;
        let robots = RobotsTxt::parse(&NomParser, "x\n".repeat(count), Options::default());
        let findings = Counted::new(findings(&robots), usize::MAX);
        let made = findings.shown().len();
        assert!(made >= count, "{made}");
        let file = Linted {
            name: "robots.txt",
            place: "robots.txt",
            body: robots.body(),
            edition: robots_core::Edition::default(),
            findings,
            claims: Vec::new(),
        };
        let mut out = Noting::default();
        COMPUTED.set(0);
        match format {
            "json" => json::write(&[file], &mut out).unwrap(),
            _ => sarif::write(&[file], &mut out).unwrap(),
        }
        assert_eq!(COMPUTED.get(), made);
        assert!(out.octets > 100 * made, "{}", out.octets);
        // The formats write through a buffer, so the columns of several findings can be computed before a write.
        assert!(out.at_once < made / 20, "{} of {made} at once", out.at_once);
    }
}
