//! Engines that are programs in any language. Such a program either answers questions over pipes, or is started for
//! each question.
//!
//! [`ProcessEngine`] speaks the protocol (`PROTOCOL.md`) with a subject that answers many questions. [`CommandEngine`]
//! starts a command-line tool for each question. If such a process crashes, hangs or writes invalid output, the error
//! of the trial describes the fault, and other trials are not affected. No shell is used: this module splits command
//! lines into words and expands nothing. [`Template`] and [`ProcessGroup`] also start crawlers, in the crate
//! `robots-conformance-live`.

mod child;
mod command;
mod engine;
mod exchange;
mod group;
mod pipe;
mod stderr;
mod template;
mod timeline;

pub use self::command::{CommandEngine, Decision};
pub use self::engine::{ProcessEngine, Settings};
pub use self::group::{ProcessGroup, end_all};
pub use self::template::Template;

use std::io;

use robots_console::error::Error;

const BLANK: &str = "the command line is blank; name the program and its arguments";

/// Splits a command line into words as a POSIX shell does, without expanding anything.
///
/// # Errors
/// Returns an error if a quotation is not closed, or if there is no word.
fn words(command: &str) -> Result<Vec<String>, Error> {
    match shlex::split(command) {
        None => Err(format!("cannot split {command:?} into words: close the quotation").into()),
        Some(words) if words.is_empty() => Err(BLANK.into()),
        Some(words) => Ok(words),
    }
}

/// Makes the error of a program that does not start.
fn not_started(program: &str, error: &io::Error) -> Error {
    let hint = match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => {
            "; is the path right, relative to the current folder?"
        }
        io::ErrorKind::NotFound => "; is it installed and in the PATH, or does it need a `./`?",
        io::ErrorKind::PermissionDenied => "; is it executable?",
        _ => "",
    };
    Error::new(format!("cannot start {program:?}: {error}{hint}"))
}
