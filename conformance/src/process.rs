//! Engines that are processes: whatever the language, asked over pipes or started for each question.
//!
//! [`ProcessEngine`] speaks the protocol (`PROTOCOL.md`) with a subject that answers question after
//! question; [`CommandEngine`] starts a command-line tool for each. What such a process does wrong is told
//! by `fault`s in words: a subject that crashes, hangs or babbles loses its own trials and no others.
//! No shell takes part: command lines are split into words here, and nothing is expanded.

mod child;
mod command;
mod engine;
mod exchange;
mod group;
mod pipe;
mod stderr;

use std::io;

pub use self::command::{CommandEngine, Decision};
pub use self::engine::{ProcessEngine, Settings};
pub use self::group::end_all;

/// Splits a command line into words as a POSIX shell does, without expanding anything.
///
/// # Errors
/// Where a quotation is not closed, or there is no word.
fn words(command: &str) -> Result<Vec<String>, String> {
    match shlex::split(command) {
        None => Err(format!("cannot split {command:?} into words: close the quotation")),
        Some(words) if words.is_empty() => Err("the command line is blank".to_owned()),
        Some(words) => Ok(words),
    }
}

/// Says why a program did not start.
fn not_started(program: &str, error: &io::Error) -> String {
    let hint = match error.kind() {
        io::ErrorKind::NotFound if program.contains('/') => {
            "; is the path right, seen from the current folder?"
        }
        io::ErrorKind::NotFound => "; is it installed and in the PATH, or does it need a `./`?",
        io::ErrorKind::PermissionDenied => "; is it executable?",
        _ => "",
    };
    format!("cannot start {program:?}: {error}{hint}")
}
