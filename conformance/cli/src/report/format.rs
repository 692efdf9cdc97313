//! The formats of reports, and their destinations: `FORMAT[=FILE]`.
//!
//! [`Format`] is the only table of formats. The writers match on the enums [`ReportFormat`] (for `run` and `live`),
//! [`LintFormat`], [`DiffFormat`], [`CheckFormat`] and [`ExplainFormat`], so the compiler reports a format without a
//! writer.

use robots_console::error::Error;
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
    /// A JSON line for each trial when it ends. The report is complete only with its footer.
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

/// A row of the table.
struct Row {
    /// The name on the command line.
    id: &'static str,
    /// The format as `run` and `live` name it, or `None` if they cannot write it.
    report: Option<ReportFormat>,
    /// The format as `lint` names it, or `None` if `lint` cannot write it.
    lint: Option<LintFormat>,
    /// The format as `diff` names it, or `None` if `diff` cannot write it.
    diff: Option<DiffFormat>,
    /// The format as `check` names it, or `None` if `check` cannot write it.
    check: Option<CheckFormat>,
    /// The format as `explain` names it, or `None` if `explain` cannot write it.
    explain: Option<ExplainFormat>,
}

impl Format {
    /// Contains every format.
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
        use {
            CheckFormat as Check, DiffFormat as Diff, ExplainFormat as Explain, LintFormat as Lint,
            ReportFormat as Report,
        };
        let none = Row { id: "", report: None, lint: None, diff: None, check: None, explain: None };
        match self {
            Self::Terminal => Row { id: "terminal", report: Some(Report::Terminal), ..none },
            Self::Text => Row {
                id: "text",
                lint: Some(Lint::Text),
                diff: Some(Diff::Text),
                check: Some(Check::Text),
                explain: Some(Explain::Text),
                ..none
            },
            Self::Json => Row {
                id: "json",
                report: Some(Report::Json),
                lint: Some(Lint::Json),
                diff: Some(Diff::Json),
                check: Some(Check::Json),
                explain: Some(Explain::Json),
            },
            Self::Jsonl => Row { id: "jsonl", report: Some(Report::Jsonl), ..none },
            Self::Junit => {
                Row { id: "junit", report: Some(Report::Junit), check: Some(Check::Junit), ..none }
            }
            Self::Markdown => Row {
                id: "markdown",
                report: Some(Report::Markdown),
                diff: Some(Diff::Markdown),
                ..none
            },
            Self::Html => Row { id: "html", report: Some(Report::Html), ..none },
            Self::Sarif => Row {
                id: "sarif",
                lint: Some(Lint::Sarif),
                diff: Some(Diff::Sarif),
                check: Some(Check::Sarif),
                ..none
            },
            Self::Github => {
                Row { id: "github", lint: Some(Lint::Github), check: Some(Check::Github), ..none }
            }
        }
    }

    /// Returns the format as the command line writes it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.row().id
    }

    /// Reads the name of a format. `verb` is the name of a verb, and `of` returns the format of this verb in a row of
    /// the table.
    fn read<T>(name: &str, verb: &str, of: impl Fn(Row) -> Option<T>) -> Result<T, Error> {
        let known = Self::ALL.into_iter().find(|format| format.id() == name);
        if let Some(format) = known.and_then(|format| of(format.row())) {
            return Ok(format);
        }
        let formats = Self::ALL.into_iter().filter(|format| of(format.row()).is_some());
        let formats = formats.map(Self::id).collect::<Vec<_>>().join(", ");
        Err(match known {
            Some(_) => {
                Error::new(format!("{verb} does not write {name}; its formats are {formats}"))
            }
            None => Error::new(format!("unknown format {name:?}; the formats are {formats}")),
        })
    }
}

// This check fails unless `ALL` has each variant once, in order.
const _: () = {
    let mut index = 0;
    while index < Format::ALL.len() {
        assert!(Format::ALL[index] as usize == index);
        index += 1;
    }
    assert!(Format::Github as usize + 1 == Format::ALL.len());
};

/// Makes the enum of the formats that a verb can write.
macro_rules! formats_of {
    ($(#[$about:meta])* $name:ident = $verb:literal, $column:ident: $first:ident $(, $format:ident)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            #[doc = concat!("See [`Format::", stringify!($first), "`].")]
            #[default]
            $first,
            $(#[doc = concat!("See [`Format::", stringify!($format), "`].")] $format,)*
        }

        impl $name {
            /// Contains every format, in the order in which messages list them.
            pub const ALL: [Self; [Self::$first $(, Self::$format)*].len()] =
                [Self::$first $(, Self::$format)*];

            /// Returns the row of the table.
            #[must_use]
            pub const fn format(self) -> Format {
                match self {
                    Self::$first => Format::$first,
                    $(Self::$format => Format::$format,)*
                }
            }

            /// Returns the format as the command line writes it.
            #[must_use]
            pub const fn id(self) -> &'static str {
                self.format().id()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.id())
            }
        }

        impl FromStr for $name {
            type Err = Error;

            /// Reads the name of a format.
            ///
            /// # Errors
            /// Returns a message that lists the formats, if the text names none of them.
            fn from_str(name: &str) -> Result<Self, Error> {
                Format::read(name, $verb, |row| row.$column)
            }
        }
    };
}

formats_of! {
    /// A format of the findings of `lint`.
    LintFormat = "lint", lint: Text, Json, Sarif, Github
}

formats_of! {
    /// A format of the changes that `diff` reports.
    DiffFormat = "diff", diff: Text, Json, Sarif, Markdown
}

formats_of! {
    /// A format of the result of `check`.
    CheckFormat = "check", check: Text, Json, Junit, Sarif, Github
}

formats_of! {
    /// A format of the answers of `explain`.
    ExplainFormat = "explain", explain: Text, Json
}

formats_of! {
    /// A format of a report of `run` and `live`.
    ReportFormat = "this verb", report: Terminal, Json, Jsonl, Junit, Markdown, Html
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

#[cfg(test)]
mod tests {
    use super::{
        CheckFormat, DiffFormat, ExplainFormat, Format, LintFormat, ReportFormat, ReportTarget,
    };

    #[test]
    fn each_verb_reads_its_own_formats() {
        for format in Format::ALL {
            let report = format.id().parse::<ReportFormat>().map(ReportFormat::format);
            let lint = format.id().parse::<LintFormat>().map(LintFormat::format);
            let diff = format.id().parse::<DiffFormat>().map(DiffFormat::format);
            let check = format.id().parse::<CheckFormat>().map(CheckFormat::format);
            let explain = format.id().parse::<ExplainFormat>().map(ExplainFormat::format);
            let written = [report, lint, diff, check, explain];
            assert!(written.iter().flatten().all(|read| *read == format), "{written:?}");
            assert!(written.contains(&Ok(format)), "no verb writes {format:?}");
        }
        let reports: Vec<_> =
            Format::ALL.into_iter().filter_map(|format| format.row().report).collect();
        assert_eq!(reports, ReportFormat::ALL, "`ReportFormat::ALL` lists the rows with a report");
        let problem = "sarif".parse::<ReportTarget>().unwrap_err().to_string();
        assert!(
            problem.starts_with("this verb does not write sarif; its formats are terminal, json"),
            "{problem}"
        );
        let problem = "html".parse::<LintFormat>().unwrap_err().to_string();
        assert_eq!(problem, "lint does not write html; its formats are text, json, sarif, github");
    }
}
