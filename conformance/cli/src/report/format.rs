//! Which reports are written, and where to: `FORMAT[=FILE]`.
//!
//! [`Format`] is the one table of all formats, of `run`, `live` and `lint`. The enums [`ReportFormat`] and [`LintFormat`]
//! are what the two kinds of writers match on, so the compiler names a format without a writer.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A format that the command writes: a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for readers.
    Terminal,
    /// Findings for readers.
    Text,
    /// One JSON object.
    Json,
    /// A JSON line for each trial as it ends; whole only with its footer.
    Jsonl,
    /// `JUnit`'s XML, which CI systems read.
    Junit,
    /// Markdown, for a job summary or a page.
    Markdown,
    /// One self-contained page.
    Html,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

/// What the table has in a row.
struct Row {
    /// The name on the command line.
    id: &'static str,
    /// The format of `run` and `live`, if they write it.
    report: Option<ReportFormat>,
    /// The format of `lint`, if it writes it.
    lint: Option<LintFormat>,
}

impl Format {
    /// Holds every format.
    pub const ALL: [Self; 9] = [
        Self::Terminal,
        Self::Text,
        Self::Json,
        Self::Jsonl,
        Self::Junit,
        Self::Markdown,
        Self::Html,
        Self::Sarif,
        Self::Github,
    ];

    const fn row(self) -> Row {
        use ReportFormat as Report;
        match self {
            Self::Terminal => Row { id: "terminal", report: Some(Report::Terminal), lint: None },
            Self::Text => Row { id: "text", report: None, lint: Some(LintFormat::Text) },
            Self::Json => {
                Row { id: "json", report: Some(Report::Json), lint: Some(LintFormat::Json) }
            }
            Self::Jsonl => Row { id: "jsonl", report: Some(Report::Jsonl), lint: None },
            Self::Junit => Row { id: "junit", report: Some(Report::Junit), lint: None },
            Self::Markdown => Row { id: "markdown", report: Some(Report::Markdown), lint: None },
            Self::Html => Row { id: "html", report: Some(Report::Html), lint: None },
            Self::Sarif => Row { id: "sarif", report: None, lint: Some(LintFormat::Sarif) },
            Self::Github => Row { id: "github", report: None, lint: Some(LintFormat::Github) },
        }
    }

    /// Returns the format as the command line writes it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// Reads the name of a format; `of` returns what a verb writes of a row, and `verb` names the verb.
    fn read<T>(name: &str, verb: &str, of: impl Fn(Row) -> Option<T>) -> Result<T, String> {
        let known = Self::ALL.into_iter().find(|format| format.id() == name);
        if let Some(format) = known.and_then(|format| of(format.row())) {
            return Ok(format);
        }
        let formats = Self::ALL.into_iter().filter(|format| of(format.row()).is_some());
        let formats = formats.map(Self::id).collect::<Vec<_>>().join(", ");
        Err(match known {
            Some(_) => format!("{verb} writes no {name}; its formats are {formats}"),
            None => format!("unknown format {name:?}; the formats are {formats}"),
        })
    }
}

// `ALL` has each variant once, in order.
const _: () = {
    let mut index = 0;
    while index < Format::ALL.len() {
        assert!(Format::ALL[index] as usize == index);
        index += 1;
    }
    assert!(Format::Github as usize + 1 == Format::ALL.len());
};

/// A format of the findings of `lint`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LintFormat {
    /// See [`Format::Text`].
    #[default]
    Text,
    /// See [`Format::Json`].
    Json,
    /// See [`Format::Sarif`].
    Sarif,
    /// See [`Format::Github`].
    Github,
}

impl LintFormat {
    /// Returns the row of the table.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::Text => Format::Text,
            Self::Json => Format::Json,
            Self::Sarif => Format::Sarif,
            Self::Github => Format::Github,
        }
    }
}

impl fmt::Display for LintFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.format().id())
    }
}

impl FromStr for LintFormat {
    type Err = String;

    /// Reads the name of a format of `lint`.
    fn from_str(name: &str) -> Result<Self, String> {
        Format::read(name, "lint", |row| row.lint)
    }
}

/// A format of a report of `run` and `live`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReportFormat {
    /// See [`Format::Terminal`].
    #[default]
    Terminal,
    /// See [`Format::Json`].
    Json,
    /// See [`Format::Jsonl`].
    Jsonl,
    /// See [`Format::Junit`].
    Junit,
    /// See [`Format::Markdown`].
    Markdown,
    /// See [`Format::Html`].
    Html,
}

impl ReportFormat {
    /// Holds every format of a report.
    pub const ALL: [Self; 6] =
        [Self::Terminal, Self::Json, Self::Jsonl, Self::Junit, Self::Markdown, Self::Html];

    /// Returns the row of the table.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::Terminal => Format::Terminal,
            Self::Json => Format::Json,
            Self::Jsonl => Format::Jsonl,
            Self::Junit => Format::Junit,
            Self::Markdown => Format::Markdown,
            Self::Html => Format::Html,
        }
    }

    /// Returns the format as the command line writes it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.format().id()
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
        let format = Format::read(name, "this verb", |row| row.report)?;
        Ok(Self { format, file })
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, LintFormat, ReportFormat, ReportTarget};

    #[test]
    fn each_verb_reads_its_own_formats() {
        for format in Format::ALL {
            let report = format.id().parse::<ReportTarget>().map(|target| target.format.format());
            let lint = format.id().parse::<LintFormat>().map(LintFormat::format);
            assert!(report == Ok(format) || lint == Ok(format), "nobody writes {format:?}");
        }
        assert!(ReportFormat::ALL.iter().all(|format| Format::ALL.contains(&format.format())));
        let problem = "sarif".parse::<ReportTarget>().unwrap_err();
        assert!(
            problem.starts_with("this verb writes no sarif; its formats are terminal, json"),
            "{problem}"
        );
        let problem = "html".parse::<LintFormat>().unwrap_err();
        assert_eq!(problem, "lint writes no html; its formats are text, json, sarif, github");
    }
}
