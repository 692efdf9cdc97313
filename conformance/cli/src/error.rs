//! The error of a command: [`Error`].
//!
//! The functions of this library return an [`Error`]. The command prints the message to standard error, and ends with
//! the exit status of a usage error.

use std::fmt;

use robots_conformance::problem::Problems;

/// The error of a command, as a message for the user: the place of the mistake, the mistake, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(String);

impl Error {
    /// Makes an error from its message.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl From<String> for Error {
    fn from(message: String) -> Self {
        Self(message)
    }
}

impl From<&str> for Error {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

/// Makes an error from the problems of files: a message with a line for each problem.
impl From<Problems> for Error {
    fn from(problems: Problems) -> Self {
        Self(problems.to_string())
    }
}

/// Converts an error to its message.
impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.0
    }
}
