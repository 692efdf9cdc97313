//! The robots.txt files that a crawler knows.
//!
//! `robots_fetch::Cache` stores them, and the class [`Cache`] only converts values. A cache does no network I/O: if it
//! has no valid record, the caller runs a [`Retrieval`].

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use robots_fetch::CacheKey;

use crate::arguments::{crawler, refused_url, wrong_type};
use crate::fetch_verdict::{FetchVerdict, allows};
use crate::judged::may_be_rewritten;
use crate::retrieval::Retrieval;
use crate::settings::Settings;
use crate::state::{State, Turns};
use crate::store;

/// The robots.txt files that a crawler knows, in memory and in a store.
#[pyclass(frozen, module = "robots_verdicts")]
pub(crate) struct Cache(Arc<State>);

#[pymethods]
impl Cache {
    /// Makes an empty cache for a crawler.
    #[new]
    #[pyo3(signature = (
        agent, *, identification = None, settings = None, store = None, memory = 256 << 20, clock = None
    ))]
    fn new(
        agent: &Bound<'_, PyAny>,
        identification: Option<String>,
        settings: Option<&Bound<'_, Settings>>,
        store: Option<&Bound<'_, PyAny>>,
        memory: u64,
        clock: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let crawler = crawler(agent)?;
        let first = crawler.tokens().first();
        let identification =
            identification.or_else(|| first.map(|token| token.as_str().to_owned()));
        let identification = identification.ok_or_else(|| {
            PyValueError::new_err("a crawler without a product token needs an identification")
        })?;
        let settings = settings.map(|settings| settings.get().clone()).unwrap_or_default().values;
        let known = robots_fetch::Cache::new(crawler, identification.clone(), settings, memory)
            .map_err(|error| refused_url(&identification, &error))?;
        let store = store.map(store::shared).transpose()?;
        if let Some(clock) = clock.as_ref().map(|clock| clock.bind(agent.py()))
            && !clock.is_callable()
        {
            return Err(wrong_type("clock", "a function or None", clock));
        }
        Ok(Self(Arc::new(State { known, store, turns: Turns::default(), clock })))
    }

    /// Returns the text that is sent as `User-Agent`.
    #[getter]
    fn identification(&self) -> &str {
        self.0.known.identification()
    }

    /// Returns whether the URL may be fetched, or `None` if robots.txt must be fetched first.
    #[pyo3(signature = (url, *, now = None))]
    fn allows(&self, py: Python<'_>, url: &str, now: Option<f64>) -> PyResult<Option<bool>> {
        let now = self.0.now(py, now)?;
        if !may_be_rewritten(url)
            && let Some(verdict) = self.0.known.known(url, now)
        {
            return Ok(Some(verdict.is_allowed()));
        }
        let Some(origin) = self.0.known.current(&key(url)?, now) else { return Ok(None) };
        allows(&origin, url).map(Some)
    }

    /// Returns whether the URL may be fetched and why, or `None` if robots.txt must be fetched first.
    #[pyo3(signature = (url, *, now = None))]
    fn verdict(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyString>,
        now: Option<f64>,
    ) -> PyResult<Option<FetchVerdict>> {
        let now = self.0.now(py, now)?;
        let text = url.to_str()?;
        let at_hand = self.0.known.known(text, now).map(|verdict| verdict.origin());
        let origin = match at_hand {
            Some(origin) => origin,
            None => match self.0.known.current(&key(text)?, now) {
                Some(origin) => origin,
                None => return Ok(None),
            },
        };
        FetchVerdict::new(origin, url).map(Some)
    }

    /// Makes the retrieval of the robots.txt of a URL's origin.
    #[pyo3(signature = (url, *, server_errors_for_missing_pages = false))]
    fn retrieval(&self, url: &str, server_errors_for_missing_pages: bool) -> PyResult<Retrieval> {
        let key = key(url)?;
        Ok(Retrieval::new(Arc::clone(&self.0), key, server_errors_for_missing_pages))
    }

    /// Returns the cache key of a URL: scheme, host and port of its origin.
    #[staticmethod]
    fn key(url: &str) -> PyResult<String> {
        key(url).map(|key| key.to_string())
    }

    /// Returns the number of origins in memory.
    fn __len__(&self) -> usize {
        usize::try_from(self.0.known.len()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        format!("<Cache of {} origins>", self.__len__())
    }
}

fn key(url: &str) -> PyResult<CacheKey> {
    CacheKey::of(url).map_err(|error| refused_url(url, &error))
}
