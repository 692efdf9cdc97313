//! The formats of reports: [`ReportFormat`]. [`write()`] writes records in a format.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use robots_console::error::Error;
use robots_console::json;

use super::badge::Badge;
#[cfg(feature = "html")]
use super::html;
#[cfg(feature = "junit")]
use super::junit;
use super::record::RunRecord;
use super::{Cases, Sources, jsonl, markdown, terminal};

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
    /// The number of kept requirements, as the JSON of an endpoint badge of shields.io.
    Badge,
    /// The same badge as an SVG image. It has no name of its own: a badge whose file ends with `.svg` is one.
    BadgeSvg,
}

impl ReportFormat {
    /// Contains every format with a name, in the order in which messages list them.
    pub const ALL: [Self; 7] = [
        Self::Terminal,
        Self::Json,
        Self::Jsonl,
        Self::Junit,
        Self::Markdown,
        Self::Html,
        Self::Badge,
    ];

    /// Returns the format as the command line writes it.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Terminal => "terminal",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Junit => "junit",
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Badge | Self::BadgeSvg => "badge",
        }
    }

    /// Returns whether this build writes the format.
    pub const fn is_built(self) -> bool {
        match self {
            Self::Terminal
            | Self::Json
            | Self::Jsonl
            | Self::Markdown
            | Self::Badge
            | Self::BadgeSvg => true,
            Self::Junit => cfg!(feature = "junit"),
            Self::Html => cfg!(feature = "html"),
        }
    }

    /// Returns a sentence that explains how to get a report in a format that this build cannot write. The feature has
    /// the same name as the format.
    pub fn left_out(self) -> String {
        format!(
            "this build leaves {self} reports out, because it lacks the feature `{self}`; in a checkout, \
             `cargo xtask install conformance` installs the command with all formats"
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

/// Writes a report in one of the formats, about one subject or several subjects. The cases provide the texts of the
/// questions. If `sources` is given, Markdown and HTML link to it.
///
/// # Errors
/// Returns an error if the writer fails, or if this build cannot write the format (features `junit`, `html`).
pub fn write(
    format: ReportFormat,
    records: &[RunRecord],
    cases: &Cases,
    sources: Option<&Sources>,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        ReportFormat::Terminal => {
            let tables: Vec<String> = records.iter().map(terminal::table).collect();
            out.write_all(tables.join("\n").as_bytes())
        }
        ReportFormat::Json => match records {
            [record] => json::pretty(record, out),
            records => json::pretty(records, out),
        },
        ReportFormat::Jsonl => {
            records.iter().try_for_each(|record| jsonl::write(record, &mut *out))
        }
        ReportFormat::Markdown => {
            let pages = records.iter().map(|record| markdown::page(record, cases, sources));
            out.write_all(pages.collect::<Vec<_>>().join("\n").as_bytes())
        }
        ReportFormat::Badge => json::pretty(&Badge::of(records), out),
        ReportFormat::BadgeSvg => out.write_all(Badge::of(records).svg().as_bytes()),
        #[cfg(feature = "junit")]
        ReportFormat::Junit => junit::write(records, cases, out),
        #[cfg(feature = "html")]
        ReportFormat::Html => html::write(records, cases, sources, out),
        #[cfg(not(all(feature = "html", feature = "junit")))]
        _ => Err(io::Error::new(io::ErrorKind::Unsupported, format.left_out())),
    }
}
