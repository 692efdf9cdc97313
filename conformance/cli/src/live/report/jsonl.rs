//! The report as JSON lines: a header, a line a crawl, a line a judgement, a footer.
//!
//! A run that was told to end leaves no footer.
//!
//! ```text
//! {"header":{"report":"robots-conformance-live","version":1,"crawler":"wget … {seed}","agent":"wget", … }}
//! {"record":{"case":"wire-status-200","agent":"wget","ended":"by-itself", … }}
//! {"trial":{"name":"wire-status-200::rfc9309","outcome":"passed", … }}
//! {"footer":{"seconds":31.5,"clean":false,"editions":[ … ], … }}
//! ```

use std::io::{self, Write};

use robots_conformance_live::{Record, Report};
use serde::Serialize;
use serde_json::{Value, json};

use super::record::{LiveRecord, TrialRecord};

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Line<'r> {
    Header(Value),
    Record(&'r Record),
    Trial(&'r TrialRecord),
    Footer(Value),
}

/// Writes the lines of a report.
///
/// # Errors
/// Where the writer fails.
pub fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let record = LiveRecord::of(report);
    let header = Line::Header(json!({
        "report": record.report,
        "version": record.version,
        "crawler": record.crawler,
        "agent": record.agent,
        "suite": record.suite,
        "trials": record.trials.len() + record.unasked,
    }));
    let footer = Line::Footer(json!({
        "trials": record.trials.len(),
        "seconds": record.seconds,
        "clean": record.clean,
        "editions": record.editions,
        "stale-deviations": record.stale_deviations,
        "not-on-the-wire": record.not_on_the_wire,
    }));
    let lines = std::iter::once(header)
        .chain(record.records.iter().map(Line::Record))
        .chain(record.trials.iter().map(Line::Trial))
        .chain((record.unasked == 0).then_some(footer));
    for line in lines {
        writeln!(out, "{}", serde_json::to_string(&line).map_err(io::Error::from)?)?;
    }
    Ok(())
}
