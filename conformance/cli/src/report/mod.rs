//! What a run showed, in the formats of `--report`.
//!
//! [`write()`] writes a [`Report`] in any of them. A format is a module: a new one is a variant of
//! [`ReportFormat`] and its arm in [`write()`]. [`summary`] counts, and [`record`] holds what the formats for
//! programs share.

mod format;
#[cfg(feature = "html")]
pub mod html;
pub mod json;
pub mod jsonl;
#[cfg(feature = "junit")]
pub mod junit;
pub mod markdown;
pub mod record;
mod sources;
pub mod summary;
pub mod terminal;

use std::io::{self, Write};

use robots_conformance::case::Suite;
use robots_conformance::run::Report;

pub use self::format::{ReportFormat, ReportTarget};
pub use self::sources::Sources;

/// Writes a report in one of the formats; the suite gives what a reader wants to know of the cases, and the sources
/// where Markdown and HTML link to.
///
/// # Errors
/// Where the writer fails, and where this build leaves the format out (features `junit`, `html`).
pub fn write(
    format: ReportFormat,
    report: &Report,
    suite: &Suite,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Terminal => out.write_all(terminal::table(report).as_bytes()),
        ReportFormat::Json => out.write_all(format!("{:#}\n", json::object(report)).as_bytes()),
        ReportFormat::Jsonl => jsonl::write(report, out),
        ReportFormat::Markdown => out.write_all(markdown::page(report, suite, sources).as_bytes()),
        #[cfg(feature = "junit")]
        ReportFormat::Junit => junit::write(report, suite, out),
        #[cfg(feature = "html")]
        ReportFormat::Html => {
            let page = html::Page { sources: sources.cloned(), ..html::Page::of(report) };
            let page = page.render(suite).map_err(io::Error::other)?;
            out.write_all(page.as_bytes())
        }
        #[allow(unreachable_patterns, reason = "what this build leaves out, if anything")]
        absent => Err(io::Error::new(io::ErrorKind::Unsupported, not_built(absent))),
    }
}

/// Says that a report is partial, where it is.
#[must_use]
pub fn partial(report: &Report) -> String {
    let (asked, all) = (report.finished.len(), report.finished.len() + report.unasked);
    format!("PARTIAL: the run was told to end after {asked} of {all} questions")
}

/// Returns whether this build writes a format.
#[must_use]
pub const fn is_built(format: ReportFormat) -> bool {
    let is_missing = (matches!(format, ReportFormat::Junit) && !cfg!(feature = "junit"))
        || (matches!(format, ReportFormat::Html) && !cfg!(feature = "html"));
    !is_missing
}

/// Says how to get a report that this build does not write.
#[must_use]
pub fn not_built(format: ReportFormat) -> String {
    format!(
        "this build writes no {format} report; the installed command does: \
         cargo install robots-conformance-cli"
    )
}
