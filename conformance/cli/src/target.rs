//! The destination of a report: [`ReportTarget`], which the command line writes as `FORMAT[=FILE]`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use robots_conformance::report::ReportFormat;
use robots_console::error::Error;

/// A requested report: `FORMAT=FILE`. `-` or no file means standard output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReportTarget {
    /// The format of the report.
    pub(crate) format: ReportFormat,
    /// The file, or standard output if no file is given.
    pub(crate) file: Option<PathBuf>,
}

impl ReportTarget {
    /// Returns the help text of `--report`, which lists every format.
    pub(crate) fn help() -> String {
        let [formats @ .., last] = ReportFormat::ALL.map(ReportFormat::id);
        format!(
            "Writes a report, to standard output if FILE is `-` or missing: {} or {last} (an image if FILE ends with \
             .svg); repeatable [default: {}]",
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
        let extension = file.as_deref().and_then(Path::extension);
        let is_image = extension.is_some_and(|it| it.eq_ignore_ascii_case("svg"));
        let format = match name.parse()? {
            ReportFormat::Badge if is_image => ReportFormat::BadgeSvg,
            format => format,
        };
        Ok(Self { format, file })
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{ReportFormat, ReportTarget};

    #[rstest]
    #[trace]
    #[case("junit=out/junit.xml", ReportFormat::Junit, Some("out/junit.xml"))]
    #[case("badge=badge.json", ReportFormat::Badge, Some("badge.json"))]
    #[case("badge=badge.svg", ReportFormat::BadgeSvg, Some("badge.svg"))]
    #[case("json=-", ReportFormat::Json, None)]
    #[case("terminal", ReportFormat::Terminal, None)]
    fn a_target_has_a_format_and_a_file(
        #[case] text: &str,
        #[case] format: ReportFormat,
        #[case] file: Option<&str>,
    ) {
        let target: ReportTarget = text.parse().unwrap();
        assert_eq!(
            (target.format, target.file.as_deref()),
            (format, file.map(std::path::Path::new))
        );
    }
}
