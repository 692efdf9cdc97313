//! The logs of a command line, merged by time: [`Logs::read`].
//!
//! Rotated files come in any order and overlap little. The file whose next request is the earliest is read until another
//! file has an earlier one. A file is open only while its requests are due, so memory does not grow with the number of
//! files.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use robots_audit::{Line, LogReader, Request};
use robots_console::error::Error;
use robots_console::render;

use super::lines::{Lines, Present};

/// The logs of a command line.
pub(super) struct Logs(Vec<Log>);

/// One log, and the numbers of its lines.
pub(super) struct Log {
    path: PathBuf,
    /// The file, while it is read. Standard input stays open.
    lines: Option<Lines>,
    reader: LogReader,
    /// The time of the first request, as far as the first lines show it.
    first: Duration,
    pub(super) counts: Counts,
}

/// The numbers of lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// All lines, except empty ones and directives.
    pub(super) lines: u64,
    /// Lines that are of the format, but have no URL, because the client sent no valid request.
    pub(super) no_url: u64,
    pub(super) unreadable: u64,
    /// The number of the first unreadable line.
    pub(super) first_unreadable: Option<u64>,
    /// Whether the last line is not complete, because the server still writes it.
    pub(super) is_cut: bool,
}

impl Logs {
    /// Opens logs, and finds the format of each, unless `format` states it.
    pub(super) fn open(paths: &[PathBuf], format: Option<&LogReader>) -> Result<Self, Error> {
        if paths.iter().filter(|path| is_stdin(path)).count() > 1 {
            return Err("standard input can be only one of the logs".into());
        }
        let logs = paths.iter().map(|path| Log::open(path, format));
        Ok(Self(logs.collect::<Result<_, _>>()?))
    }

    /// Passes every request to a function, in the order of their times.
    pub(super) fn read(&mut self, mut request: impl FnMut(&Request<'_>)) -> Result<(), Error> {
        let firsts = self.0.iter().enumerate().map(|(index, log)| Reverse((log.first, index)));
        let mut due: BinaryHeap<_> = firsts.collect();
        while let Some(Reverse((_, index))) = due.pop() {
            let until = due.peek().map_or(Duration::MAX, |Reverse((time, _))| *time);
            let log = &mut self.0[index];
            let next = log.read_until(until, &mut request).map_err(|error| log.failed(&error))?;
            due.extend(next.map(|time| Reverse((time, index))));
        }
        Ok(())
    }

    /// Returns an error if more than 5 % of the lines of a log are unreadable, unless this is allowed.
    pub(super) fn check(&self, is_allowed: bool) -> Result<(), Error> {
        let unknown = |log: &&Log| log.counts.unreadable * 20 > log.counts.lines;
        let Some(log) = self.0.iter().find(unknown).filter(|_| !is_allowed) else { return Ok(()) };
        let Counts { lines, unreadable, first_unreadable, .. } = log.counts;
        let (name, format) = (log.name(), log.reader.name());
        let first = first_unreadable.unwrap_or_default();
        Err(Error::new(format!(
            "{name}: {unreadable} of {lines} lines are not of the format {format}, line {first} is the first; state the format \
             by --log-format, or accept the report of the others by --allow-unreadable"
        )))
    }

    /// Leaves out the folders in the names of the logs, once all are read.
    pub(super) fn forget_folders(&mut self) {
        for log in &mut self.0 {
            log.path = log.path.file_name().map_or_else(PathBuf::new, PathBuf::from);
        }
    }

    /// Returns the logs, with the numbers of their lines.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Log> {
        self.0.iter()
    }
}

impl Log {
    fn open(path: &Path, format: Option<&LogReader>) -> Result<Self, Error> {
        let cannot = |error| Error::new(format!("cannot read {}: {error}", path.display()));
        let mut lines = Lines::open(path).map_err(cannot)?;
        let first_lines = lines.first().map_err(cannot)?;
        let is_empty = first_lines.iter().all(|line| line.is_empty());
        let reader = match format {
            Some(format) => Some(format.clone()),
            None if is_empty => LogReader::named("combined").ok(),
            None => LogReader::detect(&first_lines),
        };
        let reader = reader.ok_or_else(|| {
            Error::new(format!(
                "{}: no known format reads the first lines; state the format by --log-format, as the server's \
                 configuration has it",
                path.display()
            ))
        })?;
        let (mut first, mut trial) = (None, reader.clone());
        for line in first_lines {
            trial.read(line, |request| first = first.or(Some(request.time)));
        }
        // Only standard input cannot be opened again when its requests are due.
        let lines = is_stdin(path).then_some(lines);
        let first = first.unwrap_or_default();
        Ok(Self { path: path.to_owned(), lines, reader, first, counts: Counts::default() })
    }

    /// Reads requests until one is later than `until`, and returns the time of that one. Returns `None` at the end.
    fn read_until(
        &mut self,
        until: Duration,
        mut request: impl FnMut(&Request<'_>),
    ) -> io::Result<Option<Duration>> {
        let Self { lines: open, reader, counts, .. } = self;
        let lines = match open {
            Some(lines) => lines,
            None => open.insert(Lines::open(&self.path)?),
        };
        loop {
            let number = lines.number();
            let present = lines.present()?;
            let (kind, is_ended) = match present {
                Present::End => {
                    *open = None;
                    return Ok(None);
                }
                Present::TooLong => (Line::Unreadable, true),
                Present::Line(line) | Present::Unended(line) => {
                    let mut later = None;
                    let kind = reader.read(line, |found| {
                        if found.time > until {
                            later = Some(found.time);
                        } else {
                            request(found);
                        }
                    });
                    if later.is_some() {
                        return Ok(later);
                    }
                    (kind, matches!(present, Present::Line(_)))
                }
            };
            counts.add(kind, number, is_ended);
            lines.advance()?;
        }
    }

    /// Returns the name of the log in reports.
    pub(super) fn name(&self) -> String {
        let name = if is_stdin(&self.path) {
            "standard input".into()
        } else {
            self.path.display().to_string()
        };
        render::name(&name)
    }

    pub(super) fn reader(&self) -> &LogReader {
        &self.reader
    }

    fn failed(&self, error: &io::Error) -> Error {
        Error::new(format!("cannot read {}: {error}", self.name()))
    }
}

impl Counts {
    fn add(&mut self, kind: Line, number: u64, is_ended: bool) {
        match kind {
            Line::Other => return,
            Line::Request => {}
            Line::NoUrl => self.no_url += 1,
            Line::Unreadable if !is_ended => {
                self.is_cut = true;
                return;
            }
            Line::Unreadable => {
                self.unreadable += 1;
                self.first_unreadable.get_or_insert(number);
            }
        }
        self.lines += 1;
    }
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}
