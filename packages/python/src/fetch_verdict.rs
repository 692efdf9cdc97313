//! The verdict on a URL whose robots.txt was fetched, and the reason for this verdict: [`FetchVerdict`].
//!
//! HTTP clients change some URLs before they send them, so the verdict is about the URL as clients send it. The module
//! `judged` makes this form of the URL. The verdict contains the handle of the origin (`robots_fetch::Origin`), and
//! computes its text and its evidence when they are needed.

use std::time::UNIX_EPOCH;

use pyo3::prelude::*;
use pyo3::types::PyString;
use robots_fetch::{Basis, Origin};

use crate::arguments::{UrlText, refused_url};
use crate::evidence::Reasoned;
use crate::judged::rewritten;
use crate::record::Record;
use crate::state::reading;
use crate::usage::{Header, Usage, vocabulary};

/// Whether a URL may be fetched, the reason, and the time until which the verdict is valid.
#[pyclass(frozen, module = "robots_verdicts")]
pub(crate) struct FetchVerdict {
    /// Whether the URL may be fetched.
    #[pyo3(get)]
    allowed: bool,
    basis: Basis,
    /// The URL that was judged.
    #[pyo3(get)]
    url: Py<PyString>,
    origin: Origin,
}

impl FetchVerdict {
    /// Makes the verdict on a URL of an origin, in the form in which HTTP clients send the URL.
    pub(crate) fn new(origin: Origin, url: &Bound<'_, PyString>) -> PyResult<Self> {
        let text = url.to_str()?;
        let Some(sent) = rewritten(&origin.record().key, text) else {
            return Self::as_written(origin, url);
        };
        // This call returns an error for a URL of another origin.
        decide(url.py(), &origin, text)?;
        Self::as_written(origin, &PyString::new(url.py(), &sent))
    }

    /// Makes the verdict on a URL of an origin, exactly as the URL is written.
    fn as_written(origin: Origin, url: &Bound<'_, PyString>) -> PyResult<Self> {
        let (allowed, basis) = decide(url.py(), &origin, url.to_str()?)?;
        Ok(Self { allowed, basis, url: url.clone().unbind(), origin })
    }

    /// Returns what `read` takes from the file.
    fn of_file<T: Send>(&self, py: Python<'_>, read: impl FnOnce(&Origin) -> T + Send) -> T {
        reading(py, &self.origin, || read(&self.origin))
    }

    /// Computes the verdict again, and returns what `read` takes from it, for example the text or the evidence.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&robots_fetch::Verdict<'_>) -> T + Send,
    ) -> PyResult<T> {
        let text = self.url.bind(py).to_str()?;
        let verdict =
            reading(py, &self.origin, || self.origin.verdict(text).map(|verdict| read(&verdict)));
        verdict.map_err(|error| refused_url(text, &error))
    }
}

/// Decides about a URL, exactly as it is written.
fn decide(py: Python<'_>, origin: &Origin, url: &str) -> PyResult<(bool, Basis)> {
    let decision = reading(py, origin, || {
        origin.verdict(url).map(|verdict| (verdict.is_allowed(), verdict.basis()))
    });
    decision.map_err(|error| refused_url(url, &error))
}

/// Returns whether a URL may be fetched. The verdict is about the form of the URL that HTTP clients send.
pub(crate) fn allows(py: Python<'_>, origin: &Origin, url: &str) -> PyResult<bool> {
    // This call returns an error for a URL of another origin.
    let (allowed, _) = decide(py, origin, url)?;
    match rewritten(&origin.record().key, url) {
        None => Ok(allowed),
        Some(sent) => decide(py, origin, &sent).map(|(allowed, _)| allowed),
    }
}

#[pymethods]
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a path such as `Verdict::source` fits one lifetime, but `with` needs every lifetime"
)]
impl FetchVerdict {
    /// Returns the basis of the verdict as one word, for example `rules`.
    #[getter]
    fn basis(&self) -> &'static str {
        self.basis.id()
    }

    /// Returns the verdict of the file's rules, if they decided.
    #[getter]
    fn evidence(&self, py: Python<'_>) -> PyResult<Option<Reasoned>> {
        self.with(py, |verdict| verdict.evidence().as_ref().map(Reasoned::of))
    }

    /// Returns the preferences about the use of the URL's content, or `None` if a failing site forbids the URL.
    #[pyo3(signature = (*, header = Header::default(), vocabulary = "vocab-07"))]
    fn usage(&self, py: Python<'_>, header: Header, vocabulary: &str) -> PyResult<Option<Usage>> {
        let vocabulary = self::vocabulary(vocabulary)?;
        self.with(py, |verdict| {
            verdict.usage(&header.lines()).map(|usage| Usage::of(usage, vocabulary))
        })
    }

    /// Returns the sections of the documents that explain the basis, if the file's rules alone did not decide. Returns
    /// `None` for other bases.
    #[getter]
    fn source(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        self.with(py, |verdict| verdict.source())
    }

    /// Returns the time until which the verdict is valid, in seconds since the Unix epoch.
    #[getter]
    fn until(&self) -> f64 {
        self.origin.until().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
    }

    /// Returns the seconds of the first valid `crawl-delay` for the crawler, or `None` if no file decides. No edition
    /// defines this field.
    #[getter]
    fn crawl_delay(&self, py: Python<'_>) -> Option<f64> {
        self.of_file(py, Origin::crawl_delay).map(|delay| delay.as_secs_f64())
    }

    /// Returns the sitemaps as written.
    #[getter]
    fn sitemaps(&self, py: Python<'_>) -> Vec<String> {
        self.of_file(py, Origin::sitemaps)
    }

    /// Returns the values of a field for the crawler, as written.
    fn values(&self, py: Python<'_>, name: &str) -> Vec<String> {
        self.of_file(py, |origin| origin.values(name))
    }

    /// Returns the stored data about the robots.txt.
    #[getter]
    fn record(&self) -> Record {
        Record(self.origin.record().clone())
    }

    /// Returns the verdict on another URL of the same origin, from the same robots.txt. If `as_written` is true, the
    /// client sends the URL exactly as it is written, with its dot segments.
    #[pyo3(signature = (url, *, as_written = false))]
    fn beside(&self, url: UrlText<'_>, as_written: bool) -> PyResult<Self> {
        let make = if as_written { Self::as_written } else { Self::new };
        make(self.origin.clone(), &url.0)
    }

    fn __bool__(&self) -> bool {
        self.allowed
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |verdict| verdict.to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<FetchVerdict {}>", self.__str__(py)?))
    }
}
