//! The error of a command: [`Error`].
//!
//! A verb that fails returns an [`Error`]. The command prints the message to standard error, and ends with the exit
//! status of a usage error.

use std::fmt;

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

/// Converts an error to its message.
impl From<Error> for String {
    fn from(error: Error) -> Self {
        error.0
    }
}
