//! Defines [`Problem`], a mistake in a file with its place. The loader, the reader of deviations files and the coverage
//! check report problems with these types. A message says what is wrong and how to fix it.

use std::fmt;

/// A line of a file of the suite, or of a deviations file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    /// The path. For a file of the suite, the path is relative to `spec-cases/`.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl Place {
    /// Makes a place from a file and a line.
    pub fn new(file: impl Into<String>, line: usize) -> Self {
        Self { file: file.into(), line }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// One problem of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Problem {
    /// The place of the problem.
    pub place: Place,
    /// The problem, and how to fix it.
    pub message: String,
}

impl Problem {
    /// Makes a problem from a place and a message.
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All problems of a suite or of a deviations file. The list is never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// Returns the value if there are no problems.
    ///
    /// # Errors
    /// Returns the problems, if there are any.
    ///
    /// ```
    /// use robots_conformance::problem::{Place, Problem, Problems};
    /// assert_eq!(Problems::none_or(Vec::new(), 7), Ok(7));
    /// let problem = Problem::new(Place::new("a.yaml", 3), "`id` is missing");
    /// let problems = Problems::none_or(vec![problem], 7).unwrap_err();
    /// assert_eq!(problems.to_string(), "a.yaml:3: `id` is missing");
    /// ```
    pub fn none_or<T>(problems: Vec<Problem>, value: T) -> Result<T, Self> {
        if problems.is_empty() { Ok(value) } else { Err(Self(problems)) }
    }

    /// Returns the problems in the order in which they were given.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

/// Converts the problems to a text with a line for each problem.
impl From<Problems> for String {
    fn from(problems: Problems) -> Self {
        problems.to_string()
    }
}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Makes the error of a command from the problems of files: a message with a line for each problem.
impl From<Problems> for robots_console::error::Error {
    fn from(problems: Problems) -> Self {
        Self::new(problems.to_string())
    }
}
