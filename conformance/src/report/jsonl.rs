//! The report as JSON lines: a header, a line for each trial, a line for each crawl, and a footer.
//!
//! [`Writer`] writes them during a run of questions, or after a run of crawls, and [`read`] makes a [`RunRecord`] from
//! them. A run that was interrupted has no footer, so its lines are not a report.
//!
//! ```text
//! {"header":{"report":"robots-conformance","version":2,"subject":"nom","suite":"0.1.0","trials":5244}}
//! {"trial":{"name":"nom::caching::copy-of-an-hour::google-2018", … }}
//! {"footer":{"trials":5244,"seconds":0.4,"clean":true,"totals":{ … }, … }}
//! ```

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

use crate::report::{AreaRecord, EditionRecord, RequirementRecord, Totals, TrialRecord};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use robots_console::error::Error;
use robots_console::json;

use super::record::{KIND, RunRecord, VERSION, check};

/// Writes the lines of several runs in succession.
///
/// Each line is written completely and at once. After the first error nothing more is written, and [`Writer::close`]
/// returns this error. So [`Writer::trial`] returns no error, and a run can call it for each trial.
pub struct Writer<W> {
    out: W,
    written: usize,
    error: Option<io::Error>,
}

impl<W: Write> Writer<W> {
    /// Makes a writer that has written nothing.
    pub const fn new(out: W) -> Self {
        Self { out, written: 0, error: None }
    }

    /// Writes the header of a run. `trials` is the expected number of trials.
    pub fn begin(&mut self, subject: &str, command: Option<&str>, trials: usize) {
        self.written = 0;
        self.line(&Line::Header(Header {
            report: KIND.to_owned(),
            version: VERSION,
            subject: subject.to_owned(),
            command: command.map(str::to_owned),
            suite: env!("CARGO_PKG_VERSION").to_owned(),
            trials,
        }));
    }

    /// Writes the line of a finished trial.
    pub fn trial(&mut self, trial: &TrialRecord) {
        self.line(&Line::Trial(Box::new(trial.clone())));
        self.written += 1;
    }

    /// Writes the crawls and the footer of a run. A run that was interrupted gets no footer.
    pub fn end(&mut self, record: &RunRecord) {
        for crawl in &record.crawls {
            self.line(&Line::Crawl(crawl.clone()));
        }
        if record.unasked == 0 {
            self.line(&Line::Footer(Footer {
                trials: self.written,
                seconds: record.seconds,
                clean: record.clean,
                selection: record.selection,
                totals: record.totals,
                editions: record.editions.clone(),
                areas: record.areas.clone(),
                requirements: record.requirements.clone(),
                stale_deviations: record.stale_deviations.clone(),
                not_on_the_wire: record.not_on_the_wire.clone(),
            }));
        }
    }

    /// Returns the underlying writer.
    ///
    /// # Errors
    /// Returns the first error that occurred while lines were written.
    pub fn close(self) -> io::Result<W> {
        self.error.map_or(Ok(self.out), Err)
    }

    fn line(&mut self, line: &Line) {
        if self.error.is_none() {
            let mut octets = Vec::new();
            let written = json::line(line, &mut octets).and_then(|()| {
                octets.push(b'\n');
                self.out.write_all(&octets)?;
                self.out.flush()
            });
            self.error = written.err();
        }
    }
}

/// Writes the lines of a finished run.
///
/// # Errors
/// Returns an error if the writer fails.
pub fn write(record: &RunRecord, out: impl Write) -> io::Result<()> {
    let mut writer = Writer::new(out);
    let trials = record.trials.len() + record.unasked;
    writer.begin(&record.subject, record.command.as_deref(), trials);
    record.trials.iter().for_each(|trial| writer.trial(trial));
    writer.end(record);
    writer.close().map(drop)
}

/// Reads the lines of a complete report. The trials of the record are in the order in which they ended.
///
/// # Errors
/// Returns an error if the footer is missing or a line cannot be read. Other errors are a line that does not belong to
/// a report, and a wrong number of trials in the header or the footer. The message begins with the number of the line;
/// if lines are missing at the end, this is the first missing line.
///
/// ```
/// use robots_conformance::report::jsonl;
/// let cut = r#"{"header":{"report":"robots-conformance","version":2,"subject":"e","suite":"1","trials":2}}"#;
/// assert_eq!(
///     jsonl::read(cut.as_bytes()).unwrap_err().to_string(),
///     "line 2: the footer is missing: the run was cut short after 0 of 2 trials; run it again",
/// );
/// ```
pub fn read(lines: impl BufRead) -> Result<RunRecord, Error> {
    let mut header: Option<Header> = None;
    let (mut trials, mut crawls) = (Vec::new(), Vec::new());
    let mut footer: Option<Footer> = None;
    let mut last = 0;
    for (index, text) in lines.lines().enumerate() {
        last = index + 1;
        let broken = |message: String| problem(last, &message);
        let text = text.map_err(|error| broken(format!("cannot be read: {error}")))?;
        if footer.is_some() {
            return Err(broken("nothing may follow the footer; remove the line".to_owned()));
        }
        let line = serde_json::from_str(&text).map_err(|error| {
            broken(format!("is not a complete line of a report ({error}); write the report again"))
        })?;
        match (line, &header) {
            (Line::Header(read), None) => header = Some(read.checked().map_err(broken)?),
            (Line::Header(_), Some(_)) => {
                return Err(broken("is a second header; a file contains one report".to_owned()));
            }
            (_, None) => return Err(broken("the header must come first".to_owned())),
            (Line::Trial(trial), Some(_)) => trials.push(*trial),
            (Line::Crawl(crawl), Some(_)) => crawls.push(crawl),
            (Line::Footer(read), Some(_)) => footer = Some(read),
        }
    }
    let broken = |message: String| problem(last + 1, &message);
    let header = header
        .ok_or_else(|| broken("the header is missing, so this is not a report".to_owned()))?;
    let count = trials.len();
    let footer = footer.ok_or_else(|| {
        let asked = header.trials;
        broken(format!(
            "the footer is missing: the run was cut short after {count} of {asked} trials; run it again"
        ))
    })?;
    if [header.trials, footer.trials, footer.totals.trials()] != [count; 3] {
        return Err(broken(format!(
            "there are {count} trials, but the header announces {}, the footer counts {} and its totals \
             {}; run it again",
            header.trials,
            footer.trials,
            footer.totals.trials()
        )));
    }
    Ok(RunRecord {
        report: header.report,
        version: header.version,
        subject: header.subject,
        command: header.command,
        suite: header.suite,
        seconds: footer.seconds,
        clean: footer.clean,
        selection: footer.selection,
        unasked: 0,
        totals: footer.totals,
        editions: footer.editions,
        areas: footer.areas,
        requirements: footer.requirements,
        stale_deviations: footer.stale_deviations,
        not_on_the_wire: footer.not_on_the_wire,
        trials,
        crawls,
    })
}

fn problem(line: usize, message: &str) -> Error {
    Error::new(format!("line {line}: {message}"))
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Header(Header),
    Trial(Box<TrialRecord>),
    Crawl(Value),
    Footer(Footer),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Header {
    report: String,
    version: u32,
    subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    suite: String,
    trials: usize,
}

impl Header {
    fn checked(self) -> Result<Self, String> {
        check(&self.report, self.version)?;
        Ok(self)
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Footer {
    trials: usize,
    seconds: f64,
    clean: bool,
    #[serde(default)]
    selection: bool,
    totals: Totals,
    editions: Vec<EditionRecord>,
    areas: Vec<AreaRecord>,
    #[serde(default)]
    requirements: Vec<RequirementRecord>,
    stale_deviations: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    not_on_the_wire: BTreeMap<String, Vec<String>>,
}
