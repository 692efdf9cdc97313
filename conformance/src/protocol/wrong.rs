//! The error of a message that does not have the expected form: [`WrongMessage`].

use std::error::Error;
use std::fmt;

/// The error of a line that is not a message, or of a message that is not a hello or not an answer. The text describes
/// the message and the expected form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongMessage(String);

impl WrongMessage {
    pub(super) fn new(problem: String) -> Self {
        Self(problem)
    }
}

impl fmt::Display for WrongMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for WrongMessage {}
