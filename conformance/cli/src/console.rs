//! The output of every command: text to standard output, messages to standard error, and the exit status of wrong
//! usage.

use crate::error::Error;
use std::fmt::Display;
use std::io::Write as _;
use std::process::ExitCode;

use anstyle::AnsiColor;
use robots_conformance::render;

/// The exit status of a usage error.
pub const USAGE: u8 = 2;

/// Prints what is wrong with the arguments, and returns the status 2.
pub fn usage(message: &impl Display) -> ExitCode {
    let error = AnsiColor::Red.on_default().bold();
    tell(&format!("{error}error{error:#}: {}", render::visible(&message.to_string())));
    ExitCode::from(USAGE)
}

/// Prints text to standard output. A closed pipe is not an error.
///
/// # Errors
/// A message if the text cannot be written.
pub fn print(text: &str) -> Result<(), Error> {
    let mut stdout = anstream::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {error}").into())
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error. If that fails, the error is ignored, because it is no reason to stop.
pub fn tell(line: &str) {
    let _ = writeln!(anstream::stderr(), "{line}");
}
