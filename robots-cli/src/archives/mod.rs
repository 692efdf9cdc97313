//! Answers about archives: one row for each response for robots.txt, as JSON lines or as an Arrow stream.
//!
//! One thread reads the archives, and all processors compute what the responses of a batch mean, by `robots_fetch::warc`, and
//! the verdicts.

mod columns;
mod row;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use clap::{Args, ValueEnum};
use rayon::prelude::*;
use robots_core::fetch::Access;
use robots_core::{Crawler, Edition, Options, Parser, RobotsTxt, RuleKind};
use robots_fetch::Settings;
use robots_fetch::warc::{self, Archive, Undecided};

use robots_console::error::Error;
use robots_console::json;

use self::columns::Columns;
use self::row::{Decided, Row};
use crate::crawler::Named;
use crate::verdicts::Counts;

/// A batch is full if it has at least this number of responses, or responses with at least this number of octets in all.
const BATCH: (usize, usize) = (4096, 4 << 20);

/// A format of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// JSON lines
    #[default]
    Json,
    /// A stream of Arrow
    Arrow,
}

/// The options about archives.
#[derive(Args, Clone, Debug)]
pub(crate) struct ArchivesArgs {
    /// Reads responses for robots.txt from WARC archives (plain, gzip or zstd) instead of lines; `-` is standard input
    #[arg(long = "warc", value_name = "FILE", num_args = 1.., conflicts_with_all = ["files", "fetch"])]
    pub archives: Vec<PathBuf>,
    /// With --warc: a crawler by its product token, or by several with commas between them; repeatable
    #[arg(long = "agent", value_name = "A", requires = "archives")]
    pub agents: Vec<String>,
    /// With --warc: a path whose verdicts are reported; repeatable
    #[arg(long = "path", value_name = "PATH", default_value = "/", requires = "archives")]
    pub paths: Vec<String>,
    /// With --warc: the edition to answer by
    #[arg(long, value_name = "E", default_value_t, requires = "archives")]
    pub edition: Edition,
    /// With --warc: the format of the rows
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t, requires = "archives")]
    pub format: RowFormat,
}

/// The crawlers and paths that are asked about.
struct Asked<'a> {
    crawlers: Vec<(&'a str, Crawler)>,
    arguments: &'a ArchivesArgs,
}

/// Writes a row for each response.
///
/// # Errors
/// Returns a message if an argument is invalid, or if an archive cannot be read to its end.
pub(crate) fn run<P: Parser + Sync>(
    parser: &P,
    arguments: &ArchivesArgs,
    out: impl Write,
) -> Result<Counts, Failure> {
    let crawlers = arguments.agents.iter().map(|agent| {
        let tokens = Named::by_agent(agent)?.tokens;
        let crawler = Crawler::new(&tokens).map_err(|error| Error::new(error.to_string()))?;
        Ok((agent.as_str(), crawler))
    });
    let asked = Asked { crawlers: crawlers.collect::<Result<_, Error>>()?, arguments };
    if let Some(path) = arguments.paths.iter().find(|path| !path.starts_with('/')) {
        return Err(Error::new(format!("--path {path:?}: a path begins with `/`")).into());
    }
    let mut writer = Writer::new(arguments.format, out)?;
    let mut counts = Counts::default();
    thread::scope(|scope| {
        let (sender, batches) = sync_channel(2);
        let settings = Settings::default().edition(arguments.edition);
        scope.spawn(move || {
            for path in &arguments.archives {
                let read = read(path, &settings, |batch| sender.send(Ok((path, batch))).is_ok());
                if let Err(error) = read {
                    let _ = sender.send(Err(format!("--warc {}: {error}", path.display())));
                    return;
                }
            }
        });
        answer(parser, &asked, &batches, &mut writer, &mut counts)
    })?;
    writer.finish()?;
    Ok(counts)
}

type Read = Result<Undecided, warc::Error>;

/// Reads an archive in batches. Reading ends early if `hand_over` returns false.
fn read(
    path: &Path,
    settings: &Settings,
    mut hand_over: impl FnMut(Vec<Read>) -> bool,
) -> io::Result<()> {
    let mut archive = match path.as_os_str().as_encoded_bytes() {
        b"-" => Archive::new(io::stdin(), settings),
        _ => Archive::open(path, settings)?,
    };
    let (mut batch, mut octets) = (Vec::new(), 0);
    let failure = loop {
        let Some(read) = archive.next_undecided() else { break Ok(()) };
        if let Err(error) = &read
            && let Some(failure) = error.source_failure()
        {
            break Err(io::Error::new(failure.kind(), error.to_string()));
        }
        octets += read.as_ref().map_or(0, Undecided::size);
        batch.push(read);
        if batch.len() >= BATCH.0 || octets >= BATCH.1 {
            octets = 0;
            if !hand_over(std::mem::take(&mut batch)) {
                return Ok(());
            }
        }
    };
    hand_over(batch);
    failure
}

type Batch<'a> = Result<(&'a PathBuf, Vec<Read>), String>;

fn answer<P: Parser + Sync, W: Write>(
    parser: &P,
    asked: &Asked<'_>,
    batches: &Receiver<Batch<'_>>,
    writer: &mut Writer<W>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    while let Ok(batch) = batches.recv() {
        let (path, batch) = batch.map_err(Error::new)?;
        let archive = path.display().to_string();
        let (rows, octets): (Vec<Row<'_>>, Vec<u64>) =
            batch.into_par_iter().map(|read| asked.row(parser, &archive, read)).unzip();
        counts.octets += octets.iter().sum::<u64>();
        for row in &rows {
            counts.lines += 1;
            counts.errors += u64::from(row.error.is_some());
            counts.verdicts += row.verdicts.len() as u64;
        }
        writer.write(&rows)?;
    }
    Ok(())
}

impl<'a> Asked<'a> {
    /// Returns the row, and the length of its file in octets.
    fn row<P: Parser>(&'a self, parser: &P, archive: &'a str, read: Read) -> (Row<'a>, u64) {
        let answer = match read {
            Ok(undecided) => undecided.decide(),
            Err(error) => {
                let (offset, text) = (error.offset, Some(error.why()));
                return (Row { archive, offset, url: error.url, error: text, ..Row::default() }, 0);
            }
        };
        let file = answer.meaning.file().unwrap_or_default();
        let row = Row {
            archive,
            offset: answer.offset,
            date: Some(answer.date),
            status: answer.status,
            access: answer.meaning.access().map(|access| access.to_string()),
            reason: answer.meaning.reason(),
            verdicts: self.verdicts(parser, answer.meaning.access(), file),
            url: Some(answer.url),
            truncated: answer.truncated,
            error: None,
        };
        (row, file.len() as u64)
    }

    fn verdicts<P: Parser>(
        &'a self,
        parser: &P,
        access: Option<Access>,
        file: &[u8],
    ) -> Vec<Decided<'a>> {
        let Some(access) = access else { return Vec::new() };
        let paths = &self.arguments.paths;
        let options = Options::from(self.arguments.edition);
        let robots = (access == Access::ConditionalAllow && !self.crawlers.is_empty())
            .then(|| RobotsTxt::parse(parser, file, options));
        let mut decided = Vec::with_capacity(self.crawlers.len() * paths.len());
        for (agent, crawler) in &self.crawlers {
            let mut add = |path: &'a str, is_allowed, disallowed| {
                let verdict = if is_allowed { "allow" } else { "disallow" };
                decided.push(Decided { agent, path, verdict, disallowed });
            };
            if let Some(robots) = &robots {
                let rules = robots.rules_for(crawler);
                let disallowed = disallowed(rules.rules().map(|rule| (rule.kind(), rule.path())));
                for path in paths {
                    add(path, rules.verdict(path).is_allowed(), disallowed);
                }
            } else {
                let allows = access == Access::FullAllow;
                let disallowed = if allows { "nowhere" } else { "everywhere" };
                for path in paths {
                    add(path, allows, disallowed);
                }
            }
        }
        decided
    }
}

/// Returns which part of a site rules disallow. Rules of both kinds count as a part, whichever of them win.
fn disallowed<'r>(rules: impl Iterator<Item = (RuleKind, &'r [u8])>) -> &'static str {
    let (mut everywhere, mut some, mut allows) = (false, false, false);
    for (kind, path) in rules.filter(|(_, path)| !path.is_empty()) {
        match kind {
            RuleKind::Allow => allows = true,
            RuleKind::Disallow => {
                some = true;
                let stars = path.strip_prefix(b"/").unwrap_or(path);
                everywhere |= stars.iter().all(|octet| *octet == b'*');
            }
        }
    }
    match (everywhere && !allows, some) {
        (true, _) => "everywhere",
        (false, true) => "in-part",
        (false, false) => "nowhere",
    }
}

enum Writer<W: Write> {
    Json(W),
    Arrow(Box<Columns<W>>),
}

impl<W: Write> Writer<W> {
    fn new(format: RowFormat, out: W) -> Result<Self, Failure> {
        Ok(match format {
            RowFormat::Json => Self::Json(out),
            RowFormat::Arrow => Self::Arrow(Box::new(Columns::new(out)?)),
        })
    }

    fn write(&mut self, rows: &[Row<'_>]) -> io::Result<()> {
        match self {
            Self::Json(out) => {
                let lines: Vec<Vec<u8>> = rows.par_iter().map(line).collect::<io::Result<_>>()?;
                lines.iter().try_for_each(|line| out.write_all(line))
            }
            Self::Arrow(columns) => columns.write(rows),
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(mut out) => out.flush(),
            Self::Arrow(columns) => columns.finish(),
        }
    }
}

fn line(row: &Row<'_>) -> io::Result<Vec<u8>> {
    let mut line = Vec::with_capacity(256);
    json::line(row, &mut line)?;
    line.push(b'\n');
    Ok(line)
}

/// Why a run ended early: the arguments or the input, or the output.
#[derive(Debug)]
pub(crate) enum Failure {
    Usage(Error),
    Output(io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Usage(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}
