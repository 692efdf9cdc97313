//! For what the content of a URL may be used, under the draft edition. It owns its data and borrows nothing from the file.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use robots_core::usage::{Preferences, Vocabulary};

/// The values of the `Content-Usage` field lines of an answer: one, or several in their order.
#[derive(Default)]
pub(crate) struct Header(Vec<Vec<u8>>);

impl Header {
    pub(crate) fn lines(&self) -> Vec<&[u8]> {
        self.0.iter().map(Vec::as_slice).collect()
    }
}

impl<'py> FromPyObject<'_, 'py> for Header {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::default());
        }
        if let Ok(line) = octets(&value) {
            return Ok(Self(vec![line]));
        }
        let lines = value.try_iter()?.take(MOST_LINES).map(|line| octets(&line?));
        Ok(Self(lines.collect::<PyResult<_>>()?))
    }
}

/// The maximum number of field lines that are read, so that an endless iterator ends. No server sends as many.
const MOST_LINES: usize = 4096;

fn octets(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    match value.cast::<PyBytes>() {
        Ok(octets) => Ok(octets.as_bytes().to_vec()),
        Err(_) => Ok(value.cast::<PyString>()?.to_str()?.as_bytes().to_vec()),
    }
}

/// For what the content of a URL may be used, and why.
#[pyclass(frozen, eq, hash, module = "robots_verdicts")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Usage {
    preferences: Option<Preferences>,
    vocabulary: Vocabulary,
    /// The deciding lines, from 1.
    #[pyo3(get)]
    lines: Vec<u32>,
    text: String,
}

impl Usage {
    pub(crate) fn of(usage: robots_core::usage::Usage<'_>, vocabulary: Vocabulary) -> Self {
        let usage = usage.by(vocabulary);
        Self {
            preferences: usage.preferences(),
            vocabulary,
            lines: usage.statements().map(|own| own.line().number.get()).collect(),
            text: usage.to_string(),
        }
    }
}

#[pymethods]
impl Usage {
    /// Returns whether the URL may be fetched.
    #[getter]
    fn allowed(&self) -> bool {
        self.preferences.is_some()
    }

    /// Returns the preference for each category, or `None` if the URL may not be fetched.
    #[getter]
    fn preferences<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(preferences) = self.preferences else { return Ok(None) };
        let dictionary = PyDict::new(py);
        for category in self.vocabulary.categories() {
            dictionary.set_item(category.label(), preferences.get(*category).id())?;
        }
        Ok(Some(dictionary))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Usage {}>", self.text)
    }
}
