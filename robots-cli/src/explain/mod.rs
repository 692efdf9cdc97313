//! The verb `explain`: reports whether crawlers may fetch URLs, the deciding rules, and the findings that affect the
//! answers.
//!
//! `answers.rs` reads or fetches the file and answers the questions. Each format is a separate module.

mod answers;
mod arguments;
mod json;
mod text;

use std::io::Write;
use std::process::ExitCode;

use robots_core::Parser;

use self::answers::Asked;
pub(crate) use self::arguments::{ExplainArgs, ExplainFormat};
use robots_console::error::Error;
use robots_console::output;

/// Prints the answers, then the findings that affect them.
///
/// The status is 0 if every URL may be fetched, 1 if one may not, 2 if a file, a crawler or a URL cannot be used.
pub(crate) fn run<P: Parser + ?Sized>(parser: &P, arguments: &ExplainArgs) -> ExitCode {
    let mut out = output::stdout(arguments.format == ExplainFormat::Text);
    match write(parser, arguments, &mut out) {
        Ok(all_allowed) => ExitCode::from(u8::from(!all_allowed)),
        Err(message) => output::usage(&message),
    }
}

/// Answers the questions, writes the answers, and returns whether every URL may be fetched.
///
/// # Errors
/// Returns a message if a file, a crawler or a URL cannot be used, or if the writer fails. A closed pipe is not a
/// failure.
pub(crate) fn write<P: Parser + ?Sized>(
    parser: &P,
    arguments: &ExplainArgs,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let crawlers = arguments.crawlers()?;
    let asked: Vec<Asked<'_>> = answers::ask(parser, arguments, &crawlers)?;
    let written = match arguments.format {
        ExplainFormat::Text => text::write(arguments, &asked, out),
        ExplainFormat::Json => json::write(arguments, &asked, &mut *out),
    };
    output::flushed(written, "the answers", out)?;
    Ok(asked.iter().flat_map(|asked| &asked.answers).all(|answer| answer.is_allowed))
}
