//! Functions that make an object again from its pickle. Python code does not call them.
//!
//! A file is pickled as its octets. Rules are pickled as the lines of their groups, at the same line numbers, so that
//! verdicts have the same evidence.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use robots_core::Options;
use robots_core::usage::{Category, Preferences};

use crate::arguments::{self, options};
use crate::evidence::Reasoned;
use crate::usage::Usage;
use crate::{RobotsTxt, RuleSet};

/// What [`robots`] takes: the octets, the edition, and the limit.
pub(crate) type Robots<'r> = (&'r [u8], &'static str, usize);

/// What [`rules`] takes: the octets, the edition, and the product tokens.
pub(crate) type Rules = (Vec<u8>, &'static str, Vec<String>);

/// What [`verdict`] takes: the fields in order.
pub(crate) type Verdict =
    (bool, String, Option<(String, String)>, Option<u32>, Option<u32>, String);

/// What [`usage`] takes: the preferences by category, the vocabulary, the lines, and the text.
pub(crate) type Fields = (Option<Vec<(String, String)>>, String, Vec<u32>, String);

/// Makes a file again.
#[pyfunction]
#[pyo3(name = "_robots")]
pub(crate) fn robots(
    py: Python<'_>,
    octets: &[u8],
    edition: &str,
    limit: usize,
) -> PyResult<RobotsTxt> {
    let options = options(edition, None)?.limit(limit);
    Ok(RobotsTxt::read(py, octets.to_vec(), options))
}

/// Makes rules again.
#[pyfunction]
#[pyo3(name = "_rules")]
pub(crate) fn rules(
    py: Python<'_>,
    octets: &[u8],
    edition: &str,
    tokens: Vec<String>,
) -> PyResult<RuleSet> {
    let options = options(edition, None)?.limit(Options::MOST);
    Ok(RobotsTxt::read(py, octets.to_vec(), options).compiled(arguments::named(tokens)?))
}

/// Makes a verdict again.
#[pyfunction]
#[pyo3(name = "_verdict")]
pub(crate) fn verdict(
    allowed: bool,
    reason: String,
    rule: Option<(String, String)>,
    line: Option<u32>,
    user_agent_line: Option<u32>,
    text: String,
) -> Reasoned {
    Reasoned { allowed, reason: Cow::Owned(reason), rule, line, user_agent_line, text }
}

/// Makes the answer about a use again.
#[pyfunction]
#[pyo3(name = "_usage")]
pub(crate) fn usage(
    preferences: Option<Vec<(String, String)>>,
    vocabulary: &str,
    lines: Vec<u32>,
    text: String,
) -> PyResult<Usage> {
    let read = |all: Preferences, (category, preference): (String, String)| {
        let category: Category = category.parse().map_err(no_usage)?;
        Ok::<_, PyErr>(all.with(category, preference.parse().map_err(no_usage)?))
    };
    let preferences = preferences
        .map(|words| words.into_iter().try_fold(Preferences::UNKNOWN, read))
        .transpose()?;
    let vocabulary = vocabulary.parse().map_err(no_usage)?;
    Ok(Usage { preferences, vocabulary, lines, text })
}

fn no_usage(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns one of these functions, for `__reduce__`.
pub(crate) fn function(py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
    Ok(py.import("robots_verdicts._native")?.getattr(name)?.unbind())
}

/// Writes the lines of the groups at their numbers.
pub(crate) fn file_of(rules: &robots_core::RuleSet) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut number = 1;
    for line in rules.groups().flat_map(|group| group.lines()) {
        let at = line.line().number.get();
        octets.resize(octets.len() + at.saturating_sub(number) as usize, b'\n');
        octets.extend_from_slice(line.name());
        octets.push(b':');
        octets.extend_from_slice(line.value());
        number = at;
    }
    octets
}
