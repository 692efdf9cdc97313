//! The settings of retrieval and caching, with times in seconds: [`Settings`].
//!
//! The class converts its arguments to the settings of `robots_fetch`. The class also stores the given arguments,
//! because `pickle` needs them.

use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arguments::edition;
use crate::pickled;

/// The settings of retrieval and caching.
#[pyclass(frozen, eq, module = "robots_verdicts")]
#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) values: robots_fetch::Settings,
    edition: robots_core::Edition,
    given: Given,
}

/// The values that the caller gave. The pickled form contains them.
#[derive(Clone, Copy, Default)]
struct Given {
    limit: Option<usize>,
    redirects: Option<u32>,
    times: [Option<f64>; 8],
}

/// Settings are equal if they have the same effect. It does not matter whether a default value was given explicitly.
impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

#[pymethods]
impl Settings {
    /// Makes settings. A value that is not given keeps its default.
    #[new]
    #[pyo3(signature = (
        *, edition = "google-2022", limit = None, redirects = None, shortest_life = None, longest_life = None,
        stale_while_revalidate = None, stale_if_error = None, first_retry = None, retry_after_503 = None,
        longest_retry = None, outage_gap = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python passes the arguments by name")]
    fn new(
        edition: &str,
        limit: Option<usize>,
        redirects: Option<u32>,
        shortest_life: Option<f64>,
        longest_life: Option<f64>,
        stale_while_revalidate: Option<f64>,
        stale_if_error: Option<f64>,
        first_retry: Option<f64>,
        retry_after_503: Option<f64>,
        longest_retry: Option<f64>,
        outage_gap: Option<f64>,
    ) -> PyResult<Self> {
        let times = [
            shortest_life,
            longest_life,
            stale_while_revalidate,
            stale_if_error,
            first_retry,
            retry_after_503,
            longest_retry,
            outage_gap,
        ];
        Self::of(edition, Given { limit, redirects, times })
    }

    /// Returns the edition under which answers are read.
    #[getter]
    fn edition(&self) -> &'static str {
        self.edition.id()
    }

    /// Returns the maximum number of octets of a file that are used, after decoding.
    #[getter]
    fn limit(&self) -> usize {
        self.values.limit()
    }

    fn __repr__(&self) -> String {
        format!("<Settings of {}>", self.edition())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, pickled::Settings)> {
        let Given { limit, redirects, times } = self.given;
        let arguments = (self.edition.id(), limit, redirects, times.into());
        Ok((pickled::function(py, "_settings")?, arguments))
    }
}

impl Settings {
    fn of(edition: &str, given: Given) -> PyResult<Self> {
        type Setter = fn(robots_fetch::Settings, Duration) -> robots_fetch::Settings;
        // The setters are in the order of the arguments of `Settings`.
        const SETTERS: [Setter; 8] = [
            robots_fetch::Settings::shortest_life,
            robots_fetch::Settings::longest_life,
            robots_fetch::Settings::stale_while_revalidate,
            robots_fetch::Settings::stale_if_error,
            robots_fetch::Settings::first_retry,
            robots_fetch::Settings::retry_after_503,
            robots_fetch::Settings::longest_retry,
            robots_fetch::Settings::outage_gap,
        ];
        let edition = self::edition(edition)?;
        let mut settings = robots_fetch::Settings::default().edition(edition);
        if let Some(octets) = given.limit {
            settings = settings.with_limit(octets);
        }
        if let Some(hops) = given.redirects {
            settings = settings.redirects(hops);
        }
        for (time, set) in given.times.into_iter().zip(SETTERS) {
            if let Some(time) = time {
                settings = set(settings, seconds(time)?);
            }
        }
        Ok(Self { values: settings, edition, given })
    }
}

/// Makes settings again from their pickled form.
#[pyfunction]
#[pyo3(name = "_settings")]
pub(crate) fn settings(
    edition: &str,
    limit: Option<usize>,
    redirects: Option<u32>,
    times: pickled::Times,
) -> PyResult<Settings> {
    Settings::of(edition, Given { limit, redirects, times: times.into() })
}

/// Reads a number of seconds.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time).map_err(|_| {
        PyValueError::new_err(format!("{time} is not a number of seconds: use 0 or more"))
    })
}
