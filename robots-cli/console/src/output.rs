//! The output of every command: text to standard output, messages to standard error, and the exit status of wrong
//! usage.
//!
//! [`Output`] has the options that every verb has. [`Output::apply`] applies them to the whole process.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anstyle::AnsiColor;
use clap::{Args, ColorChoice};

use crate::error::Error;
use crate::render;

/// The exit status of a usage error.
pub const USAGE: u8 = 2;

static QUIET: AtomicBool = AtomicBool::new(false);

/// The options about output that every verb has.
#[derive(Args, Clone, Copy, Debug)]
pub struct Output {
    /// When the output is coloured
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Prints answers, findings and failures only: no totals, no hints, no progress
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Output {
    /// Applies the options to the whole process.
    pub fn apply(self) {
        let choice = match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
        QUIET.store(self.quiet, Ordering::Relaxed);
    }
}

/// Returns whether `--quiet` was given.
#[must_use]
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Lists the verbs of a command in groups in its help, each group below its title. A verb without a group is listed
/// last.
#[must_use]
pub fn grouped(mut command: clap::Command, groups: &[(&str, &[&str])]) -> clap::Command {
    let mut verbs: Vec<(String, String)> = Vec::new();
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        let about = verb.get_about().map(ToString::to_string).unwrap_or_default();
        verbs.push((verb.get_name().to_owned(), about));
    }
    verbs.push(("help".to_owned(), "Shows the help of the command, or of a verb".to_owned()));
    let width = verbs.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let mut text = String::new();
    let styles = command.get_styles().clone();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let others: Vec<String> = verbs
        .iter()
        .map(|(name, _)| name.clone())
        .filter(|name| groups.iter().all(|(_, names)| !names.contains(&name.as_str())))
        .collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    for (title, names) in groups.iter().copied().chain([("Other", &others[..])]) {
        if !names.iter().any(|name| verbs.iter().any(|it| it.0 == *name)) {
            continue;
        }
        let _ = writeln!(text, "{header}{title}:{header:#}");
        for (name, about) in names.iter().filter_map(|name| verbs.iter().find(|it| it.0 == *name)) {
            let _ = writeln!(text, "  {literal}{name:<width$}{literal:#}  {about}");
        }
        text.push('\n');
    }
    command = command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{text}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ));
    command
}

/// Prints a message about wrong arguments, and returns the status 2.
pub fn usage(message: &impl Display) -> ExitCode {
    let error = AnsiColor::Red.on_default().bold();
    to_stderr(&format!("{error}error{error:#}: {}", render::visible(&message.to_string())));
    ExitCode::from(USAGE)
}

/// Prints text to standard output. A closed pipe is not an error.
///
/// # Errors
/// Returns a message if the text cannot be written.
pub fn print(text: &str) -> Result<(), Error> {
    let mut stdout = anstream::stdout();
    let written = stdout.write_all(text.as_bytes());
    flushed(written, "to standard output", &mut stdout)
}

/// Reads the value of an option: a time in seconds.
///
/// # Errors
/// Returns a message if the text is not a number above 0.
pub fn seconds(text: &str) -> Result<Duration, Error> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| "a number of seconds above 0".into())
}

/// Returns standard output for a format. Only formats for readers have colours. `anstream` searches the output for
/// colours, which takes longer than writing it, so the other formats do not use `anstream`.
#[must_use]
pub fn stdout(is_for_readers: bool) -> Box<dyn Write> {
    if is_for_readers { Box::new(anstream::stdout().lock()) } else { Box::new(io::stdout().lock()) }
}

/// Ends the output after `written`. `what` completes the message of a failure, for example `the findings`. A closed pipe
/// is not a failure, because the reader needs no more output.
///
/// # Errors
/// Returns a message if `written` or the flush failed.
pub fn flushed(written: io::Result<()>, what: &str, out: &mut dyn Write) -> Result<(), Error> {
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write {what}: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. If the line cannot be written, the command continues without an error.
pub fn to_stderr(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}

/// Writes a line to standard error, unless `--quiet` was given. Callers use it for lines that are neither a failure nor
/// a warning.
pub fn remark(line: &str) {
    if !is_quiet() {
        to_stderr(line);
    }
}
