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
mod start_error;
mod stderr;
mod template;
mod timeline;

pub use self::command::{CommandEngine, Decision};
pub use self::engine::{ProcessEngine, Settings};
pub use self::group::{Pipes, ProcessGroup, end_all};
pub use self::start_error::StartError;
pub use self::template::Template;

/// Splits a command line into words as a POSIX shell does, without expanding anything.
///
/// # Errors
/// Returns an error if a quotation is not closed, or if there is no word.
fn words(command: &str) -> Result<Vec<String>, StartError> {
    match shlex::split(command) {
        None => Err(StartError::OpenQuotation { command: command.to_owned() }),
        Some(words) if words.is_empty() => Err(StartError::Blank),
        Some(words) => Ok(words),
    }
}
