//! What crawls showed, in the formats of `--report`.
//!
//! [`record`] holds what the formats for programs share.

#[cfg(feature = "html")]
mod html;
pub mod jsonl;
#[cfg(feature = "junit")]
mod junit;
pub mod record;
mod text;

use std::io::{self, Write};

use robots_conformance_live::Report;

use self::record::LiveRecord;
use crate::report::{ReportFormat, ReportTarget};
use crate::run::reports::Output;

/// Writes a report where it is wanted.
pub(super) fn write(target: &ReportTarget, report: &Report, mut out: Output) -> Result<(), String> {
    let written = match target.format {
        ReportFormat::Terminal => out.write_all(text::table(report).as_bytes()),
        ReportFormat::Json => serde_json::to_string_pretty(&LiveRecord::of(report))
            .map_err(io::Error::from)
            .and_then(|text| writeln!(out, "{text}")),
        ReportFormat::Jsonl => jsonl::write(report, &mut out),
        ReportFormat::Markdown => out.write_all(text::markdown(report).as_bytes()),
        #[cfg(feature = "junit")]
        ReportFormat::Junit => junit::write(report, &mut out),
        #[cfg(feature = "html")]
        ReportFormat::Html => html::page(report)
            .map_err(io::Error::other)
            .and_then(|page| out.write_all(page.as_bytes())),
        #[allow(unreachable_patterns, reason = "what this build leaves out, if anything")]
        other => Err(io::Error::other(crate::report::not_built(other))),
    };
    match written.and_then(|()| out.close()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(crate::run::reports::failed(target, &error))
        }
        _ => Ok(()),
    }
}
