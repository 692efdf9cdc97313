//! The verb `check`: reports whether a robots.txt meets its expectations.
//!
//! [`robots_lint::expect`] reads the expectations and compares them with the file. This module reads the files, and
//! each format is a separate module.

mod checked;
mod github;
mod json;
mod junit;
mod sarif;
mod text;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use robots_console::file;
use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::expect::{self, Expectations};

use self::checked::CheckedFile;
use crate::lint::Input;
use robots_console::error::Error;
use robots_console::output;

const EXAMPLES: &str = "\
Examples:
  robots check --init robots.txt > robots-expect.yaml
  robots check robots-expect.yaml robots.txt
  robots check robots-expect.yaml robots.txt https://example.com
  robots check --format junit robots-expect.yaml robots.txt > robots.xml

The expectations:
  never-blocked: [Googlebot, Bingbot]
  blocked: [ai]
  lists:
    ai: [GPTBot, ClaudeBot]
  urls:
    - allow: [/, /shop/]
      disallow: [/private/]
    - agents: [Googlebot]
      allow: [/news/]
  sitemaps: [https://example.com/sitemap.xml]

The exit status is 0 if every expectation is met, 1 if one is not, 2 if a file cannot be read.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckArgs {
    /// The expectations, a YAML file
    #[arg(value_name = "EXPECTATIONS", required_unless_present = "init")]
    pub expectations: Option<PathBuf>,
    /// The robots.txt to check: a file, a URL as it is served, a git revision, or `-` for standard input; repeatable
    #[arg(value_name = "FILE|URL|-", required_unless_present = "init")]
    pub files: Vec<Input>,
    /// Writes expectations that describe the present behaviour of this file
    #[arg(long, value_name = "FILE|URL|-", conflicts_with_all = ["expectations", "files"])]
    pub init: Option<Input>,
    /// The edition by which the file is read
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
    /// The format of the result
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: CheckFormat,
}

/// A format of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
    /// `JUnit`'s XML
    Junit,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// Checks files and prints the expectations that they do not meet.
///
/// The status is 0 if every expectation is met, 1 if one is not, 2 if a file cannot be read.
pub(crate) fn run<P: Parser + ?Sized>(parser: &P, arguments: &CheckArgs) -> ExitCode {
    let mut out = output::stdout(arguments.format == CheckFormat::Text);
    match write(parser, arguments, &mut out) {
        Ok(is_met) => ExitCode::from(u8::from(!is_met)),
        Err(message) => output::usage(&message),
    }
}

/// Checks files, writes the results, and returns whether every expectation is met.
///
/// # Errors
/// Returns a message if a file cannot be read, if the expectations have a mistake, or if the writer fails. A closed
/// pipe is not a failure.
pub(crate) fn write<P: Parser + ?Sized>(
    parser: &P,
    arguments: &CheckArgs,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let options = Options::from(arguments.edition);
    if let Some(input) = &arguments.init {
        let robots = RobotsTxt::parse(parser, input.read()?, options);
        let draft = expect::draft(&robots);
        let written = out.write_all(draft.as_bytes());
        return output::flushed(written, "the result", out).map(|()| true);
    }
    let path = arguments.expectations.as_deref().unwrap_or(Path::new("-"));
    let name = path.display();
    let text = file::text(path)
        .map_err(|error| Error::new(format!("cannot read the expectations {name}: {error}")))?;
    let expectations =
        Expectations::read(&text).map_err(|mistake| Error::new(format!("{name}, {mistake}")))?;
    if expectations.all.is_empty() {
        return Err(Error::new(format!(
            "{name} expects nothing; `check --init FILE` writes expectations"
        )));
    }
    let mut files = Vec::new();
    for input in &arguments.files {
        let robots = RobotsTxt::parse(parser, input.read()?, options);
        let checked = expect::check(&expectations, &robots);
        let (name, place) = (input.name(), input.place());
        files.push(CheckedFile { expectations: path, name, place, checked });
    }
    let is_met = files.iter().all(|file| file.failed().next().is_none());
    let done = match arguments.format {
        CheckFormat::Text => text::write(&files, out),
        CheckFormat::Json => json::write(&files, &mut *out),
        CheckFormat::Junit => junit::write(&files, &mut *out),
        CheckFormat::Sarif => sarif::write(&files, &mut *out),
        CheckFormat::Github => github::write(&files, out),
    };
    output::flushed(done, "the result", out)?;
    Ok(is_met)
}
