//! What a run showed.
//!
//! [`Report`] holds all that a format needs, and [`write()`] writes it in any; [`summary`] counts. A format
//! is a module over the same data; those that programs read share the types of [`record`].

use std::io::{self, Write};
use std::time::Duration;

use crate::case::Suite;
use crate::load::Problem;
use crate::run::Finished;

mod format;
#[cfg(feature = "cli")]
pub mod html;
pub mod json;
pub mod jsonl;
#[cfg(feature = "cli")]
pub mod junit;
pub mod markdown;
pub mod record;
pub mod summary;
pub mod terminal;

pub use self::format::{ReportFormat, ReportTarget};

/// The results of one run of one engine.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine's name.
    pub engine: String,
    /// Every trial that was run, in the order of the suite.
    pub finished: Vec<Finished>,
    /// Entries of the deviations file that hold for no trial.
    pub stale: Vec<Problem>,
    /// How long the run took.
    pub took: Duration,
}

impl Report {
    /// Returns the trials that count against the engine.
    pub fn failures(&self) -> impl Iterator<Item = &Finished> {
        self.finished.iter().filter(|finished| finished.outcome.is_failure())
    }

    /// Returns whether any question was answered; an engine that answers none shows nothing.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        use crate::judge::Outcome;
        let silent =
            |outcome: &Outcome| matches!(outcome, Outcome::Unanswered { .. } | Outcome::NotAsked);
        self.finished.iter().any(|done| !silent(&done.outcome))
    }

    /// Returns whether something was answered, nothing failed and no deviation went stale.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.is_answered() && self.stale.is_empty() && self.failures().next().is_none()
    }
}

/// Writes a report in one of the formats; the suite gives what a reader wants to know of the cases.
///
/// # Errors
/// Where the writer fails, and for `junit` and `html` where the crate is built without its feature `cli`.
pub fn write(
    format: ReportFormat,
    report: &Report,
    suite: &Suite,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Terminal => out.write_all(terminal::table(report).as_bytes()),
        ReportFormat::Json => writeln!(out, "{:#}", json::object(report)),
        ReportFormat::Jsonl => jsonl::write(report, out),
        ReportFormat::Markdown => out.write_all(markdown::page(report, suite).as_bytes()),
        #[cfg(feature = "cli")]
        ReportFormat::Junit => junit::write(report, suite, out),
        #[cfg(feature = "cli")]
        ReportFormat::Html => {
            let page = html::Page::of(report).render(suite).map_err(io::Error::other)?;
            out.write_all(page.as_bytes())
        }
        #[cfg(not(feature = "cli"))]
        ReportFormat::Junit | ReportFormat::Html => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{format} reports need the feature `cli` of robots-conformance"),
        )),
    }
}
