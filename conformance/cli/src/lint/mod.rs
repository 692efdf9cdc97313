//! The verb `lint`: what is amiss in a robots.txt, for people, programs, code hosts and CI.
//!
//! The crate [`robots_lint`] finds the problems; this module only shows them.

mod github;
mod input;
mod json;
pub mod portability;
mod sarif;
mod text;

use std::process::ExitCode;

use clap::Args;
use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::{Finding, Level};

pub use self::input::Input;
use self::portability::{Claim, Portability};
pub use self::text::render;
use crate::report::LintFormat;
use crate::run;

const EXAMPLES: &str = "\
Examples:
  robots-conformance lint robots.txt
  curl -s https://example.com/robots.txt | robots-conformance lint -
  robots-conformance lint --format sarif public/robots.txt > robots.sarif
  robots-conformance lint --edition rfc9309 --level warning --fail-on warning robots.txt

The status is 0 where no finding reaches the level of --fail-on, 1 where one does, 2 where a file cannot be read.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct LintArgs {
    /// A robots.txt file, its URL, or `-` for standard input; repeatable
    #[arg(value_name = "FILE|URL|-", required = true)]
    pub files: Vec<Input>,
    /// The edition by which the file is read
    #[arg(long, value_name = "E", value_parser = run::edition, default_value_t)]
    pub edition: Edition,
    /// How the findings are written: text, json, sarif or github
    #[arg(long, value_name = "FORMAT", default_value_t)]
    pub format: LintFormat,
    /// Shows findings of this level and above: note, warning or error
    #[arg(long, value_name = "LEVEL", default_value = "note")]
    pub level: Level,
    /// The level from which on findings make the status 1: note, warning, error or never
    #[arg(long, value_name = "LEVEL", default_value = "error", value_parser = fail_on)]
    pub fail_on: FailOn,
    /// Shows every finding as text, and not five of a kind
    #[arg(long)]
    pub all: bool,
    /// Leaves out which measured software reads parts of the file otherwise
    #[arg(long)]
    pub no_portability: bool,
}

/// From which level on findings make the status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FailOn(Option<Level>);

fn fail_on(text: &str) -> Result<FailOn, String> {
    match text {
        "never" => Ok(FailOn(None)),
        _ => text
            .parse()
            .map(|level| FailOn(Some(level)))
            .map_err(|error: robots_lint::error::UnknownLevel| format!("{error}, never")),
    }
}

/// A file that was looked at.
pub struct Linted<'r> {
    /// Its name, for reports.
    pub name: &'r str,
    /// Its octets.
    pub body: &'r [u8],
    /// The edition by which it was read.
    pub edition: Edition,
    /// Its findings, in order.
    pub findings: Vec<Finding<'r>>,
    /// What measured software reads otherwise, by line.
    pub claims: Vec<Claim<'r>>,
}

/// Looks at files, and prints what it finds.
///
/// The status is 0 where no finding reaches the level of `--fail-on`, 1 where one does, 2 where a file cannot be
/// read.
pub fn run<P: Parser + ?Sized>(parser: &P, arguments: &LintArgs) -> ExitCode {
    let written = Portability::embedded()
        .and_then(|measured| written(parser, arguments, &measured))
        .and_then(|(text, fails)| run::print(&text).map(|()| fails));
    match written {
        Ok(fails) => ExitCode::from(u8::from(fails)),
        Err(message) => run::usage(&message),
    }
}

/// Looks at files, and returns what is to be printed, and whether a finding reaches the level of `--fail-on`.
///
/// # Errors
/// A message where a file cannot be read.
pub fn written<P: Parser + ?Sized>(
    parser: &P,
    arguments: &LintArgs,
    measured: &Portability,
) -> Result<(String, bool), String> {
    let options = Options::from(arguments.edition);
    let with_claims = !arguments.no_portability && arguments.level == Level::Note;
    let mut files = Vec::new();
    for input in &arguments.files {
        files.push(RobotsTxt::parse(parser, input.read()?, options));
    }
    let linted: Vec<Linted<'_>> = arguments
        .files
        .iter()
        .zip(&files)
        .map(|(input, robots)| Linted {
            name: input.name(),
            body: robots.body(),
            edition: arguments.edition,
            findings: robots_lint::findings(robots)
                .filter(|found| found.level() >= arguments.level)
                .collect(),
            claims: if with_claims { measured.claims(robots) } else { Vec::new() },
        })
        .collect();
    let text = match arguments.format {
        LintFormat::Text => text::write(&linted, arguments.all),
        LintFormat::Json => json::write(&linted)?,
        LintFormat::Sarif => sarif::write(&linted)?,
        LintFormat::Github => github::write(&linted),
    };
    // What is not shown counts too.
    let levels = files.iter().flat_map(robots_lint::findings).map(|finding| finding.level());
    let fails =
        arguments.fail_on.0.is_some_and(|least| levels.max().is_some_and(|most| most >= least));
    Ok((text, fails))
}

/// The columns of a finding, from 1, and of what lies behind it.
///
/// They count what an editor counts, UTF-16 code units, octets outside UTF-8 as one each.
fn columns(body: &[u8], finding: &Finding<'_>) -> (usize, usize) {
    let span = finding.span();
    let start = line_start(body, span.start());
    let units = |octets: &[u8]| String::from_utf8_lossy(octets).encode_utf16().count();
    let before = units(&body[start..span.start()]);
    let end = line_end(body, span.start()).min(span.end());
    (before + 1, before + 1 + units(&body[span.start()..end.max(span.start())]))
}

/// Returns where the line around an offset begins.
fn line_start(body: &[u8], at: usize) -> usize {
    let before = &body[..at.min(body.len())];
    before.iter().rposition(|octet| matches!(octet, b'\r' | b'\n')).map_or(0, |end| end + 1)
}

/// Returns where the line around an offset ends, its ending not included.
fn line_end(body: &[u8], at: usize) -> usize {
    let behind = &body[at.min(body.len())..];
    let len = behind.iter().position(|octet| matches!(octet, b'\r' | b'\n'));
    at + len.unwrap_or(behind.len())
}
