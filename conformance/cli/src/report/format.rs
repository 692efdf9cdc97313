//! Which reports are written, and where to: `FORMAT[=FILE]`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportFormat {
    /// A table for readers.
    #[default]
    Terminal,
    /// One JSON object.
    Json,
    /// A JSON line a trial, written as it ends; whole only with its footer.
    Jsonl,
    /// `JUnit`'s XML, which CI systems read.
    Junit,
    /// Markdown, for a job summary or a page.
    Markdown,
    /// One self-contained page.
    Html,
}

impl ReportFormat {
    /// Holds every format.
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
}

impl ReportFormat {
    /// Returns whether this build writes the format.
    #[must_use]
    pub const fn is_built(self) -> bool {
        match self {
            Self::Terminal | Self::Json | Self::Jsonl | Self::Markdown => true,
            Self::Junit => cfg!(feature = "junit"),
            Self::Html => cfg!(feature = "html"),
        }
    }

    /// Returns the sentence that says how to get a report that this build leaves out.
    #[must_use]
    pub fn left_out(self) -> String {
        format!(
            "this build leaves {self} reports out; the command writes them: in a checkout \
             `cargo run --package robots-conformance-cli -- run --report {self}=FILE`"
        )
    }
}

impl fmt::Display for ReportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// A report that is asked for: `FORMAT=FILE`, where `-` or no file is standard output.
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
    /// How it is written.
    pub format: ReportFormat,
    /// Where to; standard output where there is no file.
    pub file: Option<PathBuf>,
}

impl FromStr for ReportTarget {
    type Err = String;

    /// Reads `FORMAT[=FILE]`.
    ///
    /// # Errors
    /// A sentence that lists the formats, or asks for the file's name.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err(format!("no file is named after `=` in {text:?}")),
            Some((name, "-")) => (name, None),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        match ReportFormat::ALL.into_iter().find(|format| format.id() == name) {
            Some(format) => Ok(Self { format, file }),
            None => Err(format!(
                "unknown format {name:?}; the formats are {}",
                ReportFormat::ALL.map(ReportFormat::id).join(", ")
            )),
        }
    }
}
