//! Why a web does not start: [`StartError`].

use std::{fmt, io};

/// Why a web did not start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The sites need something that this machine does not have; the text names it.
    NotHere(String),
    /// The sites contradict themselves; the text says how.
    Sites(String),
    /// A socket, a thread or a file could not be created.
    Io(io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotHere(why) => write!(f, "not possible here: {why}"),
            Self::Sites(problem) => write!(f, "the sites cannot be served: {problem}"),
            Self::Io(error) => write!(f, "the web does not start: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
