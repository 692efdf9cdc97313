//! The verb `diff`: reports which URLs a change of a robots.txt opens or closes, or whose preferences it changes, and for
//! which crawlers.
//!
//! [`robots_lint::effect`] compares the files, and this module reads them. Each format is a separate module; `words`
//! has the texts that the formats share.

mod compared;
mod json;
mod markdown;
mod sarif;
mod text;
mod words;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use robots_core::{Edition, Options, Parser, RobotsTxt};
use robots_lint::effect::{self, Change, Effect};

use self::compared::{Compared, sitemaps_missing_in};
use crate::lint::{FOR_PROGRAMS, Input};
use robots_console::error::Error;
use robots_console::output;

const EXAMPLES: &str = "\
Examples:
  robots diff HEAD:robots.txt robots.txt
  robots diff https://example.com/robots.txt public/robots.txt
  robots diff --fail-on closed HEAD~1:robots.txt robots.txt
  robots diff --format markdown old.txt new.txt >> \"$GITHUB_STEP_SUMMARY\"

The exit status is 1 if a change was found (with --fail-on, a change of that kind), 2 if a file cannot be read, 3 if the \
files were too large to compare exactly and the sample contains no such change, else 0. Sitemaps and Crawl-delay that \
change are reported, but do not change the status.";

/// The arguments of the verb.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The old robots.txt: a file, a URL, a git revision such as `HEAD~1:robots.txt`, or `-` for standard input
    #[arg(value_name = "OLD")]
    pub old: Input,
    /// The new robots.txt, given in the same way
    #[arg(value_name = "NEW")]
    pub new: Input,
    /// The edition that defines how both files are read
    #[arg(long, value_name = "E", default_value_t)]
    pub edition: Edition,
    /// The format of the changes
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    pub format: DiffFormat,
    /// Sets the exit status to 1 only if URLs were opened, only if URLs were closed, or only if preferences changed
    #[arg(long, value_name = "KIND")]
    pub fail_on: Option<Kind>,
    /// Shows every change. By default, text and Markdown show the first 50, and the other formats 1,000
    #[arg(long)]
    pub all: bool,
}

/// A format of the changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiffFormat {
    /// Text for readers
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Markdown, for a comment or the summary of a job
    Markdown,
}

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// URLs that may be fetched after the change
    Opened,
    /// URLs that may not be fetched after the change
    Closed,
    /// URLs with another preference after the change
    Preference,
}

impl Kind {
    fn is(self, effect: Effect) -> bool {
        match self {
            Self::Opened => effect == Effect::Opened,
            Self::Closed => effect == Effect::Closed,
            Self::Preference => matches!(effect, Effect::Preference(_)),
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// There is a change of the kind in `--fail-on`, or any change if no kind is given.
    Change,
    /// No change of the kind in `--fail-on` was found, but the comparison was not exact.
    NothingInSample,
    /// There is no change of the kind in `--fail-on`.
    Nothing,
}

impl Found {
    /// Returns the exit status.
    #[must_use]
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Change => 1,
            Self::NothingInSample => 3,
            Self::Nothing => 0,
        }
    }
}

/// The maximum number of changes that the formats for readers show without `--all`.
const FOR_PEOPLE: usize = 50;

/// Compares two files and prints the changes.
///
/// [`Found::status`] gives the exit status. If a file cannot be read, the status is 2.
pub(crate) fn run<P: Parser + ?Sized>(parser: &P, arguments: &DiffArgs) -> ExitCode {
    let mut out = output::stdout(arguments.format == DiffFormat::Text);
    match write(parser, arguments, &mut out) {
        Ok(found) => ExitCode::from(found.status()),
        Err(message) => output::usage(&message),
    }
}

/// Compares two files, writes the changes, and returns the result of the comparison.
///
/// # Errors
/// Returns a message if a file cannot be read, or if the writer fails. A closed pipe is not a failure.
pub(crate) fn write<P: Parser + ?Sized>(
    parser: &P,
    arguments: &DiffArgs,
    out: &mut dyn Write,
) -> Result<Found, Error> {
    let DiffArgs { old, new, edition, format, fail_on, all } = arguments;
    if (old, new) == (&Input::Stdin, &Input::Stdin) {
        return Err("OLD and NEW are both standard input; name a file for one of them".into());
    }
    if let (Input::File(one), Input::File(other)) = (old, new)
        && [one, other].iter().all(|it| it.parse::<Edition>().is_ok() && !Path::new(it).exists())
    {
        return Err(format!(
            "{one} and {other} are editions, not files; compare them by `robots-conformance editions {one} {other}`"
        )
        .into());
    }
    let options = Options::from(*edition);
    let read = |input: &Input| Ok::<_, String>(RobotsTxt::parse(parser, input.read()?, options));
    let files = [read(old)?, read(new)?];
    let difference = effect::compare(&files[0], &files[1]);
    let most = match format {
        _ if *all => usize::MAX,
        DiffFormat::Text | DiffFormat::Markdown => FOR_PEOPLE,
        DiffFormat::Json | DiffFormat::Sarif => FOR_PROGRAMS,
    };
    let sitemaps = [(&files[1], &files[0]), (&files[0], &files[1])]
        .map(|(other, of)| sitemaps_missing_in(other, of));
    let compared =
        Compared { old, new, edition: *edition, difference: &difference, sitemaps, most };
    let written = match format {
        DiffFormat::Text => text::write(&compared, out),
        DiffFormat::Json => json::write(&compared, &mut *out),
        DiffFormat::Sarif => sarif::write(&compared, &mut *out),
        DiffFormat::Markdown => markdown::write(&compared, out),
    };
    output::flushed(written, "the changes", out)?;
    let is_asked_for = |change: &Change<'_>| fail_on.is_none_or(|kind| kind.is(change.effect()));
    Ok(if difference.changes().iter().any(is_asked_for) {
        Found::Change
    } else if difference.is_sampled() {
        Found::NothingInSample
    } else {
        Found::Nothing
    })
}
