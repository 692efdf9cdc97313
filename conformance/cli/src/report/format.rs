//! The formats of reports, and their destinations: `FORMAT[=FILE]`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use robots_console::error::Error;

/// A format of a report of `run` and `live`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportFormat {
    /// A table for readers.
    #[default]
    Terminal,
    /// One JSON object.
    Json,
    /// A JSON line for each trial when it ends. The report is complete only with its footer.
    Jsonl,
    /// `JUnit`'s XML, which CI systems read.
    Junit,
    /// Markdown, for a job summary or a page.
    Markdown,
    /// One self-contained page.
    Html,
}

impl ReportFormat {
    /// Contains every format, in the order in which messages list them.
    pub const ALL: [Self; 6] =
        [Self::Terminal, Self::Json, Self::Jsonl, Self::Junit, Self::Markdown, Self::Html];

    /// Returns the format as the command line writes it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }

    /// Returns whether this build writes the format.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Self::Terminal | Self::Json | Self::Jsonl | Self::Markdown => true,
            Self::Junit => cfg!(feature = "junit"),
            Self::Html => cfg!(feature = "html"),
        }
    }

    /// Returns a sentence that explains how to get a report in a format that this build cannot write. The feature has
    /// the same name as the format.
    #[must_use]
    pub fn left_out(self) -> String {
        format!(
            "this build leaves {self} reports out, because it lacks the feature `{self}`; in a checkout, \
             `cargo xtask install command` installs the command with all formats"
        )
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for ReportFormat {
    type Err = Error;

    /// Reads the name of a format.
    ///
    /// # Errors
    /// Returns a message that lists the formats, if the text names none of them.
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|format| format.id() == name).ok_or_else(|| {
            let formats = Self::ALL.map(Self::id).join(", ");
            Error::new(format!("unknown format {name:?}; the formats are {formats}"))
        })
    }
}

/// A requested report: `FORMAT=FILE`. `-` or no file means standard output.
///
/// ```
/// use robots_conformance_cli::report::{ReportFormat, ReportTarget};
/// let target: ReportTarget = "junit=out/junit.xml".parse()?;
/// assert_eq!(target.format, ReportFormat::Junit);
/// assert_eq!(target.file.unwrap().to_str(), Some("out/junit.xml"));
/// assert_eq!("json=-".parse::<ReportTarget>()?.file, None);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportTarget {
    /// The format of the report.
    pub format: ReportFormat,
    /// The file, or standard output if no file is given.
    pub file: Option<PathBuf>,
}

impl ReportTarget {
    /// Returns the help text of `--report`, which lists every format.
    pub(crate) fn help() -> String {
        let [formats @ .., last] = ReportFormat::ALL.map(ReportFormat::id);
        format!(
            "Writes a report, to standard output if FILE is `-` or missing: {} or {last}; repeatable [default: {}]",
            formats.join(", "),
            ReportFormat::default()
        )
    }
}

impl FromStr for ReportTarget {
    type Err = Error;

    /// Reads `FORMAT[=FILE]`.
    ///
    /// # Errors
    /// Returns a message if the format is unknown or the name of the file is missing.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("no file is named after `=` in {text:?}").into()),
            Some((name, "-")) => (name, None),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        Ok(Self { format: name.parse()?, file })
    }
}
