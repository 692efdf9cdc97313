//! The verb `lint`: reports problems in a robots.txt to people, programs, code hosts and CI.
//!
//! The crate [`robots_lint`] finds the problems. This module selects the problems ([`Settings`]), shows them, and
//! writes fixes.

mod counted;
mod explained;
mod fixing;
pub(crate) mod github;
mod input;
mod json;
mod linted;
mod names;
mod portability;
mod replace;
pub(crate) mod revision;
mod sarif;
mod settings;
mod text;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::{Ignored, Level, findings, findings_at};

pub(crate) use self::counted::Counted;
pub(crate) use self::input::Input;
pub(crate) use self::json::placed;
pub(crate) use self::linted::Linted;
use self::portability::{Portability, Software};
pub(crate) use self::settings::Settings;
pub(crate) use self::text::render;
use robots_console::error::Error;
use robots_console::output;

const EXAMPLES: &str = "\
Examples:
  robots lint robots.txt
  robots lint https://example.com
  robots lint --fix --dry-run robots.txt
  robots lint --explain useless-star
  robots lint --ignore useless-star --fail-on warning robots.txt
  robots lint --format sarif public/robots.txt > robots.sarif

A file .robots-lint.yaml in the current folder sets edition, level, fail-on, portability, origin, select and ignore. The \
comment `# robots-lint: ignore useless-star` switches a finding off. On a separate line it applies to the whole file, \
after a rule only to that line.

The exit status is 0 if no finding reaches the level of --fail-on, 1 if one does, 2 if a file cannot be read.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct LintArgs {
    /// A robots.txt file, its URL, a git revision such as `HEAD~1:robots.txt`, or `-` for standard input; repeatable
    #[arg(value_name = "FILE|URL|-", required_unless_present = "explain")]
    pub files: Vec<Input>,
    /// The edition by which the file is read, or the draft aipref-2026-08 [default: google-2022]
    #[arg(long, value_name = "E")]
    pub edition: Option<Edition>,
    /// The format of the findings
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: LintFormat,
    /// Shows findings of this level and above: note, warning or error [default: note]
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<Level>,
    /// The lowest level of a finding that makes the status 1: note, warning, error or never [default: error]
    #[arg(long, value_name = "LEVEL")]
    pub fail_on: Option<FailOn>,
    /// Reports only findings of these kinds; repeatable, or separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub select: Vec<String>,
    /// Does not report findings of these kinds; repeatable, or separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub ignore: Vec<String>,
    /// Shows every finding with its line: nothing is folded, and there is no limit
    #[arg(long)]
    pub all: bool,
    /// Also notes the parts of a file that measured software reads differently: software in current use, or all
    #[arg(long, value_name = "SOFTWARE", num_args = 0..=1, require_equals = true, default_missing_value = "current")]
    pub portability: Option<Software>,
    /// The address of the site, such as `https://example.com`, for suggestions; if a URL is linted, its site is the
    /// default
    #[arg(long, value_name = "URL")]
    pub origin: Option<String>,
    /// Shows the fixes that change no verdict and no preference as a unified diff, and writes them into the file
    #[arg(long)]
    pub fix: bool,
    /// Only shows what --fix would write
    #[arg(long, requires = "fix")]
    pub dry_run: bool,
    /// A config file in place of .robots-lint.yaml in the current folder
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Explains a kind of finding; `all` lists the kinds
    #[arg(long, value_name = "KIND", conflicts_with_all = ["files", "fix"])]
    pub explain: Option<String>,
}

/// A format of the findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// The lowest level of a finding that makes the exit status 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FailOn(Option<Level>);

impl FailOn {
    /// Returns whether a finding of the level makes the status 1.
    fn is_reached(self, level: Level) -> bool {
        self.0.is_some_and(|least| level >= least)
    }
}

impl FromStr for FailOn {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "never" => Ok(Self(None)),
            _ => text.parse().map(|level| Self(Some(level))).map_err(
                |error: robots_core::error::UnknownName| Error::new(format!("{error}, never")),
            ),
        }
    }
}

/// The maximum number of findings of one kind in the output of `explain`. `FOR_PROGRAMS` is the maximum in the formats
/// for programs.
pub(crate) const OF_A_KIND: usize = 3;
pub(crate) const FOR_PROGRAMS: usize = 1000;

/// Checks files, and prints the findings.
///
/// The status is 0 if no finding reaches the level of `--fail-on`, 1 if one does, 2 if a file cannot be read.
pub(crate) fn run<P: Parser + ?Sized>(parser: &P, arguments: &LintArgs) -> ExitCode {
    if let Some(name) = &arguments.explain {
        let edition = arguments.edition.unwrap_or_default();
        let printed = explained::page(parser, name, edition).and_then(|page| output::print(&page));
        return printed.map_or_else(|message| output::usage(&message), |()| ExitCode::SUCCESS);
    }
    let mut out = output::stdout(arguments.format == LintFormat::Text);
    let written =
        Portability::embedded().and_then(|measured| write(parser, arguments, &measured, &mut out));
    match written {
        Ok(fails) => ExitCode::from(u8::from(fails)),
        Err(message) => output::usage(&message),
    }
}

/// Checks files, writes the findings, and returns whether a finding reaches the level of `--fail-on`.
///
/// With `--fix`, it fixes the files first (with `--dry-run`, only in memory). Then it writes the changes and the number
/// of findings that remain.
///
/// # Errors
/// Returns a message if the config or a file cannot be read, or if the writer fails. All files are read before anything
/// is written. A closed pipe is not a failure, because the reader needs no more output.
pub(crate) fn write<P: Parser + ?Sized>(
    parser: &P,
    arguments: &LintArgs,
    measured: &Portability,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let settings = Settings::of(arguments)?;
    let options = Options::from(settings.edition);
    if arguments.fix && arguments.format != LintFormat::Text {
        return Err("--fix writes a unified diff; leave --format out".into());
    }
    let bodies: Result<Vec<Vec<u8>>, Error> = arguments.files.iter().map(Input::read).collect();
    let mut files = Vec::new();
    for (input, mut body) in arguments.files.iter().zip(bodies?) {
        if arguments.fix {
            body = fixed(parser, arguments, &settings, input, body, out)?;
        }
        files.push(RobotsTxt::parse(parser, body, options));
    }
    let most = match arguments.format {
        _ if arguments.all => usize::MAX,
        LintFormat::Text => text::OF_A_KIND,
        LintFormat::Json | LintFormat::Sarif | LintFormat::Github => FOR_PROGRAMS,
    };
    // `fails` also depends on the findings that are not shown.
    let mut fails = false;
    let mut linted = Vec::new();
    for (input, robots) in arguments.files.iter().zip(&files) {
        let ignored = Ignored::of(robots);
        for (line, name) in ignored.unknown() {
            let place = format!("{}, line {line}", input.name());
            output::to_stderr(&format!("warning: {}", names::unknown(&place, name)));
        }
        let found = match settings.origin.as_deref().or(input.origin()) {
            Some(origin) => findings_at(robots, origin),
            None => findings(robots),
        };
        let found = found
            .filter(|found| settings.wants(found.kind().name(), found.line(), &ignored))
            .inspect(|found| fails |= settings.fail_on.is_reached(found.level()))
            .filter(|found| found.level() >= settings.level);
        let found = Counted::new(found, most);
        let mut claims = match settings.portability {
            Software::Nobody => Vec::new(),
            software => measured.claims(robots, software),
        };
        claims.retain(|claim| settings.wants(claim.construct, claim.line, &ignored));
        fails |= !claims.is_empty() && settings.fail_on.is_reached(Level::Note);
        if settings.level > Level::Note {
            claims.clear();
        }
        let (name, place) = (input.name(), input.place());
        let (body, edition) = (robots.body(), settings.edition);
        linted.push(Linted { name, place, body, edition, findings: found, claims });
    }
    let written = match arguments.format {
        // `fixed` has already written the diff and the number of fixes.
        LintFormat::Text if arguments.fix => text::totals(&linted, out),
        LintFormat::Text => text::write(&linted, arguments.all, out),
        LintFormat::Json => json::write(&linted, &mut *out),
        LintFormat::Sarif => sarif::write(&linted, &mut *out),
        LintFormat::Github => github::write(&linted, out),
    };
    output::flushed(written, "the findings", out)?;
    Ok(fails)
}

/// Fixes a file, and returns its octets after the fixes.
fn fixed<P: Parser + ?Sized>(
    parser: &P,
    arguments: &LintArgs,
    settings: &Settings,
    input: &Input,
    body: Vec<u8>,
    out: &mut dyn Write,
) -> Result<Vec<u8>, Error> {
    let options = Options::from(settings.edition);
    let ignored = Ignored::of(&RobotsTxt::parse(parser, &body, options));
    let wanted = |found: &robots_lint::Finding<'_>| {
        settings.wants(found.kind().name(), found.line(), &ignored)
            && found.level() >= settings.level
    };
    let origin = settings.origin.as_deref().or(input.origin());
    let fixing = fixing::Fixing { input, options, origin, is_dry: arguments.dry_run };
    fixing.fix(parser, body, wanted, out)
}

#[cfg(test)]
mod tests;
