//! The reports of a run: opened before it, so that a wrong path costs nothing; written as it goes on and
//! after it.
//!
//! A report to a file is written beside it, and takes its place once it is whole; what stood there before stays
//! until then. Each report is written whatever becomes of the others.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anstyle::{AnsiColor, Style};
use tempfile::NamedTempFile;

use crate::report::jsonl;
use crate::report::{self, ReportFormat, ReportTarget, Sources};
use robots_conformance::case::Suite;
use robots_conformance::run::{Finished, Report};

/// The reports of one run.
pub(super) struct Reports {
    open: Vec<Open>,
}

enum Open {
    /// Written once the run is over.
    Whole(ReportTarget, Output),
    /// Written line by line.
    Lines(ReportTarget, jsonl::Writer<Output>),
}

impl Reports {
    /// Opens every target for a run of so many trials.
    pub(super) fn open(
        targets: &[ReportTarget],
        engine: &str,
        trials: usize,
    ) -> Result<Self, String> {
        disjoint(targets)?;
        if let Some(target) = targets.iter().find(|target| !report::is_built(target.format)) {
            return Err(report::not_built(target.format));
        }
        let open = |target: &ReportTarget| {
            let output =
                Output::open(target.file.as_deref()).map_err(|error| failed(target, &error))?;
            Ok(match target.format {
                ReportFormat::Jsonl => {
                    Open::Lines(target.clone(), jsonl::Writer::new(output, engine, trials))
                }
                _ => Open::Whole(target.clone(), output),
            })
        };
        Ok(Self { open: targets.iter().map(open).collect::<Result<_, String>>()? })
    }

    /// Takes a trial that ended.
    pub(super) fn trial(&mut self, done: &Finished) {
        for open in &mut self.open {
            if let Open::Lines(_, writer) = open {
                writer.trial(done);
            }
        }
    }

    /// Writes what is left, each report on its own.
    ///
    /// # Errors
    /// What could not be written, a line each. A reader that went away is no error: it has seen enough.
    pub(super) fn finish(
        self,
        report: &Report,
        suite: &Suite,
        sources: Option<&Sources>,
    ) -> Result<(), String> {
        let written = self.open.into_iter().map(|open| {
            let (target, written) = match open {
                Open::Lines(target, writer) => {
                    (target, writer.finish(report).and_then(Output::close))
                }
                Open::Whole(target, mut output) => {
                    let written = write(&target, report, suite, sources, &mut output);
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
        let problems: Vec<String> = written.filter_map(Result::err).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
    }
}

/// Refuses two reports to one place.
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
                "the reports {first} and {second} both go to {file}; give each a file of its own"
            ));
        }
    }
    Ok(())
}

/// Opens a place for each report, so that a wrong path costs no run.
#[cfg(feature = "live")]
pub(crate) fn outputs(targets: &[ReportTarget]) -> Result<Vec<Output>, String> {
    disjoint(targets)?;
    if let Some(target) = targets.iter().find(|target| !report::is_built(target.format)) {
        return Err(report::not_built(target.format));
    }
    let open = |target: &ReportTarget| {
        Output::open(target.file.as_deref()).map_err(|error| failed(target, &error))
    };
    targets.iter().map(open).collect()
}

fn write(
    target: &ReportTarget,
    report: &Report,
    suite: &Suite,
    sources: Option<&Sources>,
    output: &mut Output,
) -> io::Result<()> {
    if target.format == ReportFormat::Terminal && target.file.is_none() {
        let mut text = Vec::new();
        report::write(target.format, report, suite, sources, &mut text)?;
        return output.write_all(painted(&String::from_utf8_lossy(&text)).as_bytes());
    }
    report::write(target.format, report, suite, sources, output)
}

pub(crate) fn failed(target: &ReportTarget, error: &io::Error) -> String {
    match &target.file {
        Some(file) => format!("cannot write {}: {error}; name another file", file.display()),
        None => format!("cannot write to standard output: {error}"),
    }
}

/// Standard output, without colour where it is no terminal, or a file.
pub(crate) enum Output {
    Stdout(anstream::Stdout),
    /// A pipe or a device, written as it is.
    Stream(BufWriter<File>),
    /// A file, and what takes its place.
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
        // As any new file: the umask takes from it.
        #[cfg(unix)]
        beside.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        Ok(Self::File(BufWriter::new(beside), path))
    }

    /// Ends the writing; what was written beside a file takes its place.
    pub(crate) fn close(mut self) -> io::Result<()> {
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

/// Returns where a path leads, through links where there are any.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = || {
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Colours the lines of the editions, which stand behind the last blank line.
fn painted(text: &str) -> String {
    let (table, editions) = text.rsplit_once("\n\n").unwrap_or(("", text));
    let paint = |line: &str| {
        let colour = if line.ends_with("conforms") { AnsiColor::Green } else { AnsiColor::Yellow };
        let colour = if line.contains("-failure") { AnsiColor::Red } else { colour };
        let style = Style::new().fg_color(Some(colour.into())).bold();
        format!("{style}{line}{style:#}\n")
    };
    let editions: String = editions.lines().map(paint).collect();
    format!("{table}\n\n{editions}")
}
