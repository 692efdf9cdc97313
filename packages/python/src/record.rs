//! The stored data about one robots.txt, as the Python class [`Record`]. The class contains a record of `robots_fetch`.
//!
//! A store and a pickle contain a record in its stored form.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use robots_fetch::Origin;

use crate::arguments::{UrlText, crawler, refused_url};
use crate::fetch_verdict::FetchVerdict;
use crate::pickled;
use crate::settings::{Settings, seconds};
use crate::state::system_time;

/// The stored data about one robots.txt: the last copy and the last answer. Times are seconds since the Unix epoch.
#[pyclass(frozen, eq, module = "robots_verdicts")]
#[derive(Clone)]
pub(crate) struct Record(pub(crate) robots_fetch::Record);

/// Records are equal if their stored forms are equal. The stored form rounds times to whole milliseconds. So a record
/// that was stored and read is equal to the original record.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.0.to_octets() == other.0.to_octets()
    }
}

#[pymethods]
impl Record {
    /// Reads a record from its stored form.
    #[staticmethod]
    fn from_octets(octets: &[u8]) -> PyResult<Self> {
        robots_fetch::Record::from_octets(octets)
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// Returns the verdict on a URL that a cache with these settings gives from this record.
    #[pyo3(signature = (agent, url, *, settings = None, now = None))]
    fn verdict(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        url: UrlText<'_>,
        settings: Option<&Bound<'_, Settings>>,
        now: Option<f64>,
    ) -> PyResult<FetchVerdict> {
        let crawler = crawler(agent)?;
        let settings = settings.map(|settings| settings.get().values.clone()).unwrap_or_default();
        let now = now.map_or_else(|| Ok(system_time()), seconds)?;
        let origin = py.detach(|| Origin::of(self.0.clone(), &crawler, &settings, now));
        let origin = origin.map_err(|error| refused_url(&self.0.key, &error))?;
        FetchVerdict::new(origin, &url.0)
    }

    /// Returns the record in its stored form.
    fn to_octets<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.to_octets())
    }

    /// Returns the cache key: scheme, host and port.
    #[getter]
    fn key(&self) -> &str {
        &self.0.key
    }

    /// Returns the last file that was fetched, or `None` if there is none.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.0.copy.as_ref().map(|copy| PyBytes::new(py, &copy.body))
    }

    /// Returns the time at which the file in `body` was last fetched or confirmed.
    #[getter]
    fn validated_at(&self) -> Option<f64> {
        self.0.copy.as_ref().map(|copy| copy.about.validated_at.as_secs_f64())
    }

    /// Returns the time at which the last answer arrived or the last request failed.
    #[getter]
    fn at(&self) -> f64 {
        self.0.last.at.as_secs_f64()
    }

    /// Returns the URL of the last answer.
    #[getter]
    fn url(&self) -> &str {
        &self.0.last.url
    }

    /// Returns the redirects before the last answer: for each, the URL that was requested, and the status.
    #[getter]
    fn hops(&self) -> Vec<(String, u16)> {
        self.0.last.hops.iter().map(|hop| (hop.url.clone(), hop.status)).collect()
    }

    /// Returns the status of the last answer, if one arrived.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.0.last.end.status
    }

    /// Returns the kind of the failure, if no answer arrived.
    #[getter]
    fn failure(&self) -> Option<&str> {
        self.0.last.end.failure.as_deref()
    }

    /// Returns the last answer or failure as text.
    #[getter]
    fn end(&self) -> String {
        self.0.last.end.to_string()
    }

    /// Returns the time since which every answer was a server error, a 429 or a failure.
    #[getter]
    fn unreachable_since(&self) -> Option<f64> {
        self.0.last.unreachable_since.as_ref().map(Duration::as_secs_f64)
    }

    /// Returns the time of the next request, if the last answer was a server error, a 429 or a failure.
    #[getter]
    fn next_try(&self) -> Option<f64> {
        self.0.last.next_try.as_ref().map(Duration::as_secs_f64)
    }

    fn __repr__(&self) -> String {
        format!("<Record of {}: {}>", self.0.key, self.0.last.end)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((pickled::function(py, "_record")?, (self.to_octets(py),)))
    }
}

/// Makes a record again from its pickled form, which is its stored form.
#[pyfunction]
#[pyo3(name = "_record")]
pub(crate) fn record(octets: &[u8]) -> PyResult<Record> {
    Record::from_octets(octets)
}
