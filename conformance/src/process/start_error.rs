//! The error of a program that cannot be used as an engine: [`StartError`]. The command line may be wrong, the program
//! may not start, or it may not send a hello.

use std::error::Error;
use std::fmt;
use std::io;

/// The reason why a program cannot be used as an engine. Most messages explain how to fix the mistake.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The command line has no word.
    Blank,
    /// A quotation in the command line is not closed.
    OpenQuotation {
        /// The command line.
        command: String,
    },
    /// The template of a command lacks a placeholder.
    MissingPlaceholder {
        /// The template.
        template: String,
        /// The placeholder, for example `{url}`.
        placeholder: &'static str,
        /// The meaning of the placeholder.
        meaning: &'static str,
    },
    /// The template of a command has a placeholder that does not exist.
    UnknownPlaceholder {
        /// The template.
        template: String,
        /// The placeholder.
        placeholder: String,
        /// The placeholders that exist.
        known: &'static [&'static str],
    },
    /// The temporary file for the robots.txt cannot be written.
    TemporaryFile(io::Error),
    /// The current folder is not known, for example because it was removed.
    CurrentFolder(io::Error),
    /// The program does not start.
    NotStarted {
        /// The program.
        program: String,
        /// The system's error.
        error: io::Error,
    },
    /// The program starts, but does not begin with the hello of the protocol.
    NotASubject {
        /// The program.
        program: String,
        /// The behaviour of the program.
        problem: String,
    },
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => {
                f.write_str("the command line is blank; name the program and its arguments")
            }
            Self::OpenQuotation { command } => {
                write!(f, "cannot split {command:?} into words: close the quotation")
            }
            Self::MissingPlaceholder { template, placeholder, meaning } => {
                write!(f, "the template {template:?} does not use {placeholder}: {meaning}")
            }
            Self::UnknownPlaceholder { template, placeholder, known } => write!(
                f,
                "the template {template:?} has {placeholder}; the placeholders are {}",
                known.join(", ")
            ),
            Self::TemporaryFile(error) => {
                write!(f, "cannot write a temporary file: {error}; set TMPDIR")
            }
            Self::CurrentFolder(error) => {
                write!(f, "cannot find the current folder: {error}; change to another one")
            }
            Self::NotStarted { program, error } => {
                let hint = match error.kind() {
                    io::ErrorKind::NotFound if program.contains('/') => {
                        "; is the path right, relative to the current folder?"
                    }
                    io::ErrorKind::NotFound => {
                        "; is it installed and in the PATH, or does it need a `./`?"
                    }
                    io::ErrorKind::PermissionDenied => "; is it executable?",
                    _ => "",
                };
                write!(f, "cannot start {program:?}: {error}{hint}")
            }
            Self::NotASubject { program, problem } => {
                write!(f, "{program:?} does not work as a subject: {problem}")
            }
        }
    }
}

impl Error for StartError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::TemporaryFile(error)
            | Self::CurrentFolder(error)
            | Self::NotStarted { error, .. } => Some(error),
            _ => None,
        }
    }
}
