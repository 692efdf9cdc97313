//! Defines the errors of this crate. [`StartError`] means that a web server cannot start, and [`NotSites`] means that a
//! text does not describe sites.

use std::{fmt, io};

/// The reason why a web server did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The sites need something that this machine or the chosen network does not have. The text names it.
    NotHere(String),
    /// The sites contain a mistake, for example an invalid escape in a body. The text describes it.
    Sites(String),
    /// A socket, a thread or a file could not be created.
    Io(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHere(why) => write!(f, "not possible here: {why}"),
            Self::Sites(problem) => write!(f, "the sites cannot be served: {problem}"),
            Self::Io(error) => write!(f, "the test server does not start: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// The error of a text that does not describe sites: the first mistake, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSites(pub(crate) String);

impl fmt::Display for NotSites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotSites {}
