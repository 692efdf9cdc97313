//! Writes the results of a run in the formats of `--report`.
//!
//! [`write()`] writes [`RunRecord`]s in one of these formats. Each format has a variant of [`ReportFormat`], and the
//! compiler reports a variant that is not written. Each format except JSON has a module here. All formats are written
//! from the type in [`record`].

mod format;
#[cfg(feature = "html")]
pub mod html;
pub mod jsonl;
#[cfg(feature = "junit")]
pub mod junit;
pub mod markdown;
pub mod record;
mod sources;
pub mod terminal;

use std::io::{self, Write};

use robots_conformance::report::Cases;

pub use self::format::{ReportFormat, ReportTarget};
use self::record::RunRecord;
pub use self::sources::Sources;
use robots_console::json;

/// Writes a report in one of the formats, about one subject or several subjects. The cases provide the texts of the
/// questions. If `sources` is given, Markdown and HTML link to it.
///
/// # Errors
/// Returns an error if the writer fails, or if this build cannot write the format (features `junit`, `html`).
pub fn write(
    format: ReportFormat,
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Terminal => {
            let tables: Vec<String> = records.iter().map(terminal::table).collect();
            out.write_all(tables.join("\n").as_bytes())
        }
        ReportFormat::Json => match records {
            [record] => json::pretty(record, out),
            records => json::pretty(records, out),
        },
        ReportFormat::Jsonl => {
            records.iter().try_for_each(|record| jsonl::write(record, &mut *out))
        }
        ReportFormat::Markdown => {
            let pages = records.iter().map(|record| markdown::page(record, cases, sources));
            out.write_all(pages.collect::<Vec<_>>().join("\n").as_bytes())
        }
        ReportFormat::Junit => junit::write(records, cases, out),
        ReportFormat::Html => html::write(records, cases, sources, out),
    }
}

/// Replaces the module of a format that this build cannot write. A run with this format is refused before it begins.
#[cfg(not(feature = "junit"))]
mod junit {
    use super::{Cases, ReportFormat, RunRecord, Write, io};

    pub(super) fn write(_: &[RunRecord], _: &Cases, _: &mut dyn Write) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, ReportFormat::Junit.left_out()))
    }
}

#[cfg(not(feature = "html"))]
mod html {
    use super::{Cases, ReportFormat, RunRecord, Sources, Write, io};

    pub(super) fn write(
        _: &[RunRecord],
        _: &Cases,
        _: Option<&Sources>,
        _: &mut dyn Write,
    ) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, ReportFormat::Html.left_out()))
    }
}
