//! The reports of a run. The reports are opened before the run, so that a wrong path is found early, and are written
//! during the run or after it.
//!
//! A report to a file is written to a temporary file, which replaces the old file when the report is complete. Each
//! report is written even if another one fails.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use tempfile::NamedTempFile;

use robots_conformance::report::{Cases, TrialRecord};

use crate::target::ReportTarget;
use robots_conformance::report::EditionRecord;
use robots_conformance::report::record::RunRecord;
use robots_conformance::report::{self, ReportFormat, Sources, jsonl, terminal};
use robots_console::output;

/// The reports of a command.
pub(crate) struct Reports {
    open: Vec<Open>,
}

enum Open {
    /// A report that is written at once, after the run.
    Whole(ReportTarget, Output),
    /// A report that is written line by line during the run.
    Lines(ReportTarget, jsonl::Writer<Output>),
}

impl Reports {
    /// Opens every requested destination. If none is requested, opens standard output for a table. With `--quiet`, it
    /// opens nothing then: the failures are printed in any case.
    pub(crate) fn open(requested: &[ReportTarget]) -> Result<Self, String> {
        let default = [ReportTarget::default()];
        let targets = match requested {
            [] if output::is_quiet() => &[],
            [] => &default[..],
            requested => requested,
        };
        disjoint(targets)?;
        if let Some(target) = targets.iter().find(|target| !target.format.is_built()) {
            return Err(target.format.left_out());
        }
        let open = |target: &ReportTarget| {
            let output =
                Output::open(target.file.as_deref()).map_err(|error| failed(target, &error))?;
            Ok(match target.format {
                ReportFormat::Jsonl => Open::Lines(target.clone(), jsonl::Writer::new(output)),
                _ => Open::Whole(target.clone(), output),
            })
        };
        Ok(Self { open: targets.iter().map(open).collect::<Result<_, String>>()? })
    }

    fn lines(&mut self) -> impl Iterator<Item = &mut jsonl::Writer<Output>> {
        self.open.iter_mut().filter_map(|open| match open {
            Open::Lines(_, writer) => Some(writer),
            Open::Whole(..) => None,
        })
    }

    /// Begins the report about a subject. `trials` is the number of its trials.
    pub(crate) fn begin(&mut self, subject: &str, command: Option<&str>, trials: usize) {
        self.lines().for_each(|writer| writer.begin(subject, command, trials));
    }

    /// Returns whether a report is written line by line, so that it needs each trial as soon as the trial ends.
    pub(crate) fn follows(&self) -> bool {
        self.open.iter().any(|open| matches!(open, Open::Lines(..)))
    }

    /// Adds a finished trial.
    pub(crate) fn trial(&mut self, trial: &TrialRecord) {
        self.lines().for_each(|writer| writer.trial(trial));
    }

    /// Ends the report about a subject.
    pub(crate) fn end(&mut self, record: &RunRecord) {
        self.lines().for_each(|writer| writer.end(record));
    }

    /// Writes the remaining output of each report, and the drafts of known failures. If one of them cannot be
    /// written, the others are still written.
    ///
    /// # Errors
    /// Returns the files that could not be written, one on each line. A closed pipe is not an error, because the reader
    /// has stopped reading.
    pub(crate) fn finish<'d>(
        self,
        records: &[RunRecord],
        cases: &Cases,
        sources: Option<&Sources>,
        drafts: impl IntoIterator<Item = (&'d Path, String)>,
    ) -> Result<(), String> {
        let written = self.open.into_iter().map(|open| {
            let (target, written) = match open {
                Open::Lines(target, writer) => (target, writer.close().and_then(Output::close)),
                Open::Whole(target, mut output) => {
                    let written = write(&target, records, cases, sources, &mut output);
                    (target, written.and_then(|()| output.close()))
                }
            };
            match written {
                Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                    Err(failed(&target, &error))
                }
                _ => Ok(()),
            }
        });
        let drafts = drafts.into_iter().filter_map(|(path, text)| {
            let error = fs::write(path, text).err()?;
            Some(format!("cannot write {}: {error}; name another file", path.display()))
        });
        let problems: Vec<String> = written.filter_map(Result::err).chain(drafts).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}

/// Refuses two reports with the same destination.
fn disjoint(targets: &[ReportTarget]) -> Result<(), String> {
    let to_stdout = targets.iter().filter(|target| target.file.is_none());
    let formats: Vec<&str> = to_stdout.map(|target| target.format.id()).collect();
    if let [first, second, ..] = formats.as_slice() {
        return Err(format!(
            "the reports {first} and {second} both go to standard output; give one a file: \
             --report {second}=FILE"
        ));
    }
    for (at, target) in targets.iter().enumerate() {
        let same = |other: &&ReportTarget| {
            other.file.is_some()
                && other.file.as_deref().map(resolved) == target.file.as_deref().map(resolved)
        };
        if let Some(other) = targets[..at].iter().find(same) {
            let (first, second) = (other.format.id(), target.format.id());
            let file = target.file.as_deref().unwrap_or(Path::new("")).display();
            return Err(format!(
                "the reports {first} and {second} both go to {file}; use a different file for each"
            ));
        }
    }
    Ok(())
}

fn write(
    target: &ReportTarget,
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
    output: &mut Output,
) -> io::Result<()> {
    if target.format == ReportFormat::Terminal && target.file.is_none() {
        let tables: Vec<String> = records.iter().map(painted).collect();
        return output.write_all(tables.join("\n").as_bytes());
    }
    report::write(target.format, records, cases, sources, output)
}

fn failed(target: &ReportTarget, error: &io::Error) -> String {
    match &target.file {
        Some(file) => format!("cannot write {}: {error}; name another file", file.display()),
        None => format!("cannot write to standard output: {error}"),
    }
}

/// The destination of a report.
enum Output {
    Stdout(anstream::Stdout),
    /// A pipe or a device, which is written directly.
    Stream(BufWriter<File>),
    /// A file, and the temporary file that replaces it.
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    fn open(file: Option<&Path>) -> io::Result<Self> {
        let Some(path) = file else { return Ok(Self::Stdout(anstream::stdout())) };
        let path = resolved(path);
        if fs::metadata(&path).is_ok_and(|file| !file.is_file()) {
            return Ok(Self::Stream(BufWriter::new(File::options().write(true).open(path)?)));
        }
        let mut beside = tempfile::Builder::new();
        beside.prefix(".report-").suffix(".part");
        // The usual mode of a new file, from which the system removes the bits of the umask.
        #[cfg(unix)]
        beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Self::File(BufWriter::new(beside), path))
    }

    /// Writes the octets that are still in the buffer. If there is a temporary file, it then replaces the old file.
    fn close(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::File(beside, path) => {
                let beside = beside.into_inner().map_err(io::IntoInnerError::into_error)?;
                beside.persist(path).map(drop).map_err(|error| error.error)
            }
            Self::Stdout(_) | Self::Stream(_) => Ok(()),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(stdout) => stdout,
            Self::Stream(stream) => stream,
            Self::File(file, _) => file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.writer().write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// Returns the path after all symbolic links are followed.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = || {
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Renders the table of a record, with colours in the lines of the editions.
fn painted(record: &RunRecord) -> String {
    let paint = |edition: &EditionRecord| {
        let is_wrong = !edition.is_observed() && edition.has_failures();
        let colour = if is_wrong {
            AnsiColor::Red
        } else if edition.conforms && !edition.is_observed() && edition.advice == 0 {
            AnsiColor::Green
        } else {
            AnsiColor::Yellow
        };
        let style = Style::new().fg_color(Some(colour.into())).bold();
        format!("{style}{}{style:#}\n", terminal::edition(record, edition))
    };
    let editions: String = record.editions.iter().map(paint).collect();
    terminal::head(record) + &editions
}
