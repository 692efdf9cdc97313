//! The preferences about the use of a URL's content, under the draft edition. The type [`Usage`] owns its data and
//! borrows nothing from the file.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use robots_core::usage::{Category, Preferences, Vocabulary};

use crate::arguments::{quoted, wrong_type};
use crate::pickled;

/// The values of the `Content-Usage` field lines of an answer, in their order.
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
        let wrong = |_| wrong_type("header", "bytes, str, or a sequence of them", &value);
        let lines = value.try_iter().map_err(wrong)?.take(MAX_LINES).map(|line| octets(&line?));
        Ok(Self(lines.collect::<PyResult<_>>()?))
    }
}

/// The maximum number of field lines that are read, because an iterator may be endless. No real server sends so many
/// field lines.
const MAX_LINES: usize = 4096;

fn octets(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(octets) = value.cast::<PyBytes>() {
        return Ok(octets.as_bytes().to_vec());
    }
    let text = value.cast::<PyString>();
    let text = text.map_err(|_| wrong_type("a field line", "bytes or str", value))?;
    Ok(text.to_str()?.as_bytes().to_vec())
}

/// Reads the id of a vocabulary.
pub(crate) fn vocabulary(id: &str) -> PyResult<Vocabulary> {
    id.parse().map_err(|error| PyValueError::new_err(format!("{}: {error}", quoted(id))))
}

/// The preferences about the use of a URL's content, and the reason.
#[pyclass(frozen, eq, hash, module = "robots_verdicts")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Usage {
    pub(crate) preferences: Option<Preferences>,
    pub(crate) vocabulary: Vocabulary,
    /// The line numbers of the deciding lines. The first line of the file is 1.
    #[pyo3(get)]
    pub(crate) lines: Vec<u32>,
    pub(crate) text: String,
}

impl Usage {
    pub(crate) fn of(usage: robots_core::usage::Usage<'_>, vocabulary: Vocabulary) -> Self {
        let usage = usage.by(vocabulary);
        Self {
            preferences: usage.preferences(),
            vocabulary,
            lines: usage.statements().map(|statement| statement.line().number.get()).collect(),
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

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, pickled::Fields)> {
        let preferences = self.preferences.map(|all| {
            let words = Category::ALL.iter().map(|category| (category.label(), all.get(*category)));
            words
                .map(|(label, preference)| (label.to_owned(), preference.id().to_owned()))
                .collect()
        });
        let fields =
            (preferences, self.vocabulary.id().to_owned(), self.lines.clone(), self.text.clone());
        Ok((pickled::function(py, "_usage")?, fields))
    }
}

/// Makes a `Usage` again from its pickled form.
#[pyfunction]
#[pyo3(name = "_usage")]
pub(crate) fn usage(
    preferences: Option<&Bound<'_, PyList>>,
    vocabulary: &str,
    lines: &Bound<'_, PyList>,
    text: String,
) -> PyResult<Usage> {
    let read = |all: Preferences, pair: Bound<'_, PyAny>| {
        let (category, preference): (String, String) = pair.extract()?;
        let category: Category = category.parse().map_err(no_usage)?;
        Ok::<_, PyErr>(all.with(category, preference.parse().map_err(no_usage)?))
    };
    // The code iterates over the list, because a subclass of `list` may report any length.
    let preferences =
        preferences.map(|words| words.iter().try_fold(Preferences::UNKNOWN, read)).transpose()?;
    let lines = lines.iter().map(|line| line.extract()).collect::<PyResult<_>>()?;
    let vocabulary = vocabulary.parse().map_err(no_usage)?;
    Ok(Usage { preferences, vocabulary, lines, text })
}

fn no_usage(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}
