//! The robots.txt files that a crawler knows.
//!
//! `robots_fetch::Cache` stores these files, and the class [`Cache`] only converts values. A cache does no network I/O:
//! if it has no valid record, the caller runs a [`Retrieval`].

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use robots_fetch::{CacheKey, Lookup, Origin};

use crate::arguments::{UrlText, crawler, refused_url, wrong_type};
use crate::fetch_verdict::{FetchVerdict, allows};
use crate::retrieval::Retrieval;
use crate::settings::Settings;
use crate::state::State;
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
        let (store, turns) = store.map(store::shared).transpose()?.unzip();
        let turns = turns.unwrap_or_default();
        if let Some(clock) = clock.as_ref().map(|clock| clock.bind(agent.py()))
            && !clock.is_callable()
        {
            return Err(wrong_type("clock", "a function or None", clock));
        }
        Ok(Self(Arc::new(State { known, store, turns, clock })))
    }

    /// Returns the text that is sent as `User-Agent`.
    #[getter]
    fn identification(&self) -> &str {
        self.0.known.identification()
    }

    /// Returns whether the URL may be fetched, or `None` if robots.txt must be fetched first.
    #[pyo3(signature = (url, *, now = None))]
    fn allows(&self, py: Python<'_>, url: UrlText<'_>, now: Option<f64>) -> PyResult<Option<bool>> {
        let (url, now) = (url.to_str()?, self.0.now(py, now)?);
        let Some(origin) = self.origin(url, now)? else { return Ok(None) };
        allows(py, &origin, url).map(Some)
    }

    /// Returns whether the URL may be fetched and why, or `None` if robots.txt must be fetched first.
    #[pyo3(signature = (url, *, now = None))]
    fn verdict(
        &self,
        py: Python<'_>,
        url: UrlText<'_>,
        now: Option<f64>,
    ) -> PyResult<Option<FetchVerdict>> {
        let now = self.0.now(py, now)?;
        let Some(origin) = self.origin(url.to_str()?, now)? else { return Ok(None) };
        FetchVerdict::new(origin, &url.0).map(Some)
    }

    /// Makes the retrieval of the robots.txt of a URL's origin.
    #[pyo3(signature = (url, *, server_errors_for_missing_pages = false))]
    fn retrieval(
        &self,
        url: UrlText<'_>,
        server_errors_for_missing_pages: bool,
    ) -> PyResult<Retrieval> {
        let key = key(url.to_str()?)?;
        Ok(Retrieval::new(Arc::clone(&self.0), key, server_errors_for_missing_pages))
    }

    /// Returns the cache key of a URL: scheme, host and port of its origin.
    #[staticmethod]
    fn key(url: UrlText<'_>) -> PyResult<String> {
        key(url.to_str()?).map(|key| key.to_string())
    }

    /// Returns the number of origins in memory.
    fn __len__(&self) -> usize {
        usize::try_from(self.0.known.len()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        format!("<Cache of {} origins>", self.__len__())
    }
}

impl Cache {
    /// Returns the handle of a URL's origin, or `None` if robots.txt must be fetched first.
    fn origin(&self, url: &str, now: Duration) -> PyResult<Option<Origin>> {
        match self.0.known.look_up(url, now) {
            Ok(Lookup::Fresh(origin)) => Ok(Some(origin)),
            Ok(Lookup::Stale(_) | Lookup::Missing) => Ok(None),
            Err(error) => Err(refused_url(url, &error)),
        }
    }
}

fn key(url: &str) -> PyResult<CacheKey> {
    CacheKey::of(url).map_err(|error| refused_url(url, &error))
}
