//! The retrieval of one robots.txt, without network I/O.
//!
//! Start at [`Retrieval::step`]. This method advances a `Flight`, which is the retrieval in `robots_fetch`, and reads
//! and writes the store itself. The method returns the steps that only the caller can do: send a request, or wait.

use std::sync::Arc;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use robots_core::fetch::Failure;
use robots_core::syntax::Shown;
use robots_fetch::flight::{Flight, Lease, Step};
use robots_fetch::retrieval::{BodyError, Progress, Reading, Response};
use robots_fetch::store::StoreError;
use robots_fetch::{CacheKey, Lookup, Origin};

use crate::arguments::{UrlText, quoted, refused_url, wrong_type};
use crate::fetch_verdict::{FetchVerdict, allows};
use crate::state::{LARGE, State};
use crate::store::warn;
use crate::turns::Turn;

/// The time between two checks whether another retrieval of the origin has ended, in seconds.
const POLL: f64 = 0.05;

/// A request that the caller must send. It is always a `GET` request without a body.
#[pyclass(frozen, get_all, module = "robots_verdicts")]
pub(crate) struct Request {
    /// The URL.
    url: String,
    /// The fields to send, with names in lower case.
    fields: Vec<(String, String)>,
    /// The maximum number of octets of the decoded file that are used.
    limit: usize,
}

#[pymethods]
impl Request {
    /// Returns the fields as a new dictionary.
    #[getter]
    fn headers(&self) -> std::collections::HashMap<&str, &str> {
        self.fields.iter().map(|(name, value)| (&**name, &**value)).collect()
    }

    fn __repr__(&self) -> String {
        format!("<Request {}>", self.url)
    }
}

/// A time to wait, because another retrieval of the same origin is running.
#[pyclass(frozen, get_all, module = "robots_verdicts")]
pub(crate) struct Wait {
    /// The time to wait, in seconds.
    seconds: f64,
}

#[pymethods]
impl Wait {
    fn __repr__(&self) -> String {
        format!("<Wait {} s>", self.seconds)
    }
}

/// The next step of a retrieval.
#[derive(IntoPyObject)]
pub(crate) enum Next {
    Request(Request),
    Wait(Wait),
}

/// The retrieval of one robots.txt, without network I/O. One caller executes its steps.
#[pyclass(module = "robots_verdicts")]
pub(crate) struct Retrieval {
    cache: Arc<State>,
    key: CacheKey,
    server_errors_for_missing_pages: bool,
    stage: Stage,
    /// The time at which this retrieval first found that it must wait, because another retrieval has the turn for the
    /// origin.
    waits_since: Option<Duration>,
    turn: Option<Turn>,
}

enum Stage {
    Begin,
    /// The caller must ask for the next step.
    Flying(Flight),
    /// The caller has a request, and no part of the answer has arrived.
    Open(Flight),
    /// The answer is arriving.
    Arriving(Flight, Box<Reading>),
    Ended(Origin),
}

impl Retrieval {
    pub(crate) fn new(
        cache: Arc<State>,
        key: CacheKey,
        server_errors_for_missing_pages: bool,
    ) -> Self {
        let stage = Stage::Begin;
        Self { cache, key, server_errors_for_missing_pages, stage, waits_since: None, turn: None }
    }

    /// Returns the first stage: the handle of the origin, if its robots.txt is already known, or else a new `Flight`.
    /// Returns `None` as long as this retrieval must wait because another retrieval has the turn.
    fn begin(&mut self, now: Duration) -> Option<Stage> {
        let cache = Arc::clone(&self.cache);
        let turn = cache.turns.take(&self.key);
        // Another retrieval may have ended after the caller found no record and before this step.
        if let Ok(Lookup::Fresh(origin)) = cache.known.look_up(self.key.as_str(), now) {
            return Some(Stage::Ended(origin));
        }
        if turn.is_none() {
            let since = *self.waits_since.get_or_insert(now);
            // The other retrieval may be abandoned but not yet dropped, so the waiting time is limited.
            if now >= since && now.saturating_sub(since) < Lease::WAIT {
                return None;
            }
        }
        self.turn = turn;
        let mut flight = cache.known.flight(&self.key);
        if self.server_errors_for_missing_pages {
            flight = flight.with_server_errors_for_missing_pages();
        }
        if cache.store.is_some() {
            flight = flight.with_store();
        }
        Some(Stage::Flying(flight))
    }

    /// Does all steps up to the next request, and returns the request. If no further request is needed, stores the
    /// record and returns `None`.
    fn fly(&mut self, py: Python<'_>, mut flight: Flight, now: Duration) -> PyResult<Option<Next>> {
        let cache = Arc::clone(&self.cache);
        let store = cache.store.as_deref();
        loop {
            match (flight.step(now), store) {
                (Step::Request(request), _) => {
                    let url = request.url().as_str();
                    if flight.follows_redirect() && py.detach(|| cache.known.forbids(url, now)) {
                        flight.disallowed(now);
                        continue;
                    }
                    let fields = request.fields();
                    let fields = fields.map(|(name, value)| (name.to_owned(), value.to_owned()));
                    let next = Request {
                        url: url.to_owned(),
                        fields: fields.collect(),
                        limit: cache.known.settings().limit(),
                    };
                    self.stage = Stage::Open(flight);
                    return Ok(Some(Next::Request(next)));
                }
                (Step::Get { key }, Some(store)) => match py.detach(|| store.get(&key)) {
                    Ok(octets) => flight.found(octets, now),
                    Err(why) => missed(py, "read", &key, &why, &mut flight)?,
                },
                (Step::Lease { key, time }, Some(store)) => {
                    match py.detach(|| store.lease(&key, time)) {
                        Ok(Some(lease)) => flight.leased(lease),
                        // The stores of the module `store` serve one process and grant every lease. Between the
                        // retrievals of the process, `Turns` does the work of leases.
                        Ok(None) | Err(_) => flight.store_failed(),
                    }
                }
                (Step::Put { key, record, keep }, Some(store)) => {
                    match py.detach(|| store.put(&key, record, keep)) {
                        Ok(()) => flight.done(),
                        Err(why) => missed(py, "write", &key, &why, &mut flight)?,
                    }
                }
                (Step::Release { key, lease }, Some(store)) => {
                    // If the lease cannot be released, this is ignored, because a lease ends by itself.
                    let _ = store.release(&key, lease);
                    flight.done();
                }
                (Step::Get { .. } | Step::Lease { .. } | Step::Put { .. }, None) => {
                    flight.store_failed();
                }
                (Step::Wait { .. } | Step::Release { .. }, _) => flight.done(),
                _ => break,
            }
        }
        let origin = cache.known.keep(flight.into_record(), now);
        let origin = origin.map_err(|error| refused_url(self.key.as_str(), &error))?;
        self.stage = Stage::Ended(origin);
        self.turn = None;
        Ok(None)
    }

    /// Takes the `Flight` out of `stage` if a request is open, together with the part of the answer that has arrived.
    fn take_open(&mut self) -> PyResult<(Flight, Option<Box<Reading>>)> {
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Open(flight) => Ok((flight, None)),
            Stage::Arriving(flight, reading) => Ok((flight, Some(reading))),
            other => {
                self.stage = other;
                Err(PyRuntimeError::new_err(
                    "no request is open: call step() and send the request first",
                ))
            }
        }
    }

    fn now(&self, py: Python<'_>, now: Option<f64>) -> PyResult<Duration> {
        self.cache.now(py, now)
    }

    /// Reports an answer that cannot be read.
    fn invalid(&mut self, mut flight: Flight, error: &BodyError, now: Duration) {
        flight.failed(Failure::InvalidResponse, error.to_string(), now);
        self.stage = Stage::Flying(flight);
    }

    fn origin(&self) -> PyResult<&Origin> {
        match &self.stage {
            Stage::Ended(origin) => Ok(origin),
            _ => Err(PyRuntimeError::new_err(
                "the retrieval has not ended: call step() until it returns None",
            )),
        }
    }
}

#[pymethods]
impl Retrieval {
    /// Returns the next step: a request to send, or a time to wait. Returns `None` if the retrieval has ended.
    #[pyo3(signature = (*, now = None))]
    fn step(&mut self, py: Python<'_>, now: Option<f64>) -> PyResult<Option<Next>> {
        let now = self.now(py, now)?;
        if let Stage::Begin = self.stage {
            match self.begin(now) {
                Some(stage) => self.stage = stage,
                None => return Ok(Some(Next::Wait(Wait { seconds: POLL }))),
            }
        }
        match std::mem::replace(&mut self.stage, Stage::Begin) {
            Stage::Flying(flight) | Stage::Open(flight) | Stage::Arriving(flight, _) => {
                self.fly(py, flight, now)
            }
            other => {
                self.stage = other;
                Ok(None)
            }
        }
    }

    /// Reports status and fields of an answer. Returns whether its body must be read.
    #[pyo3(signature = (status, fields, *, decoded = false, now = None))]
    fn head(
        &mut self,
        py: Python<'_>,
        status: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        decoded: bool,
        now: Option<f64>,
    ) -> PyResult<bool> {
        let now = self.now(py, now)?;
        let status = self::status(status)?;
        let fields = self::fields(fields, decoded)?;
        let (flight, _) = self.take_open()?;
        let limit = self.cache.known.settings().limit();
        let fields = fields.iter().map(|(name, value)| (&**name, &**value));
        match Reading::new(status, fields, limit) {
            Ok(reading) => {
                let wants_body = reading.wants_body();
                self.stage = Stage::Arriving(flight, Box::new(reading));
                Ok(wants_body)
            }
            Err(error) => {
                self.invalid(flight, &error, now);
                Ok(false)
            }
        }
    }

    /// Reports the next octets of the body: as received, or decoded if `head` was called with `decoded`. Returns
    /// whether more octets are needed.
    #[pyo3(signature = (octets, *, now = None))]
    fn data(&mut self, py: Python<'_>, octets: &[u8], now: Option<f64>) -> PyResult<bool> {
        let Stage::Arriving(_, reading) = &mut self.stage else { return Ok(false) };
        let read = |reading: &mut Reading| reading.push(octets);
        let progress =
            if octets.len() < LARGE { read(reading) } else { py.detach(|| read(reading)) };
        match progress {
            Ok(progress) => Ok(progress == Progress::More),
            Err(error) => {
                let now = self.now(py, now)?;
                let (flight, _) = self.take_open()?;
                self.invalid(flight, &error, now);
                Ok(false)
            }
        }
    }

    /// Reports that the answer is complete, or that the rest of it is not needed.
    #[pyo3(signature = (*, now = None))]
    fn end(&mut self, py: Python<'_>, now: Option<f64>) -> PyResult<()> {
        // `head` or `data` has already reported an answer that cannot be read.
        if let Stage::Flying(_) = self.stage {
            return Ok(());
        }
        let now = self.now(py, now)?;
        let (mut flight, reading) = self.take_open()?;
        let Some(reading) = reading else {
            self.stage = Stage::Open(flight);
            return Err(PyRuntimeError::new_err("no answer has begun: call head() first"));
        };
        match reading.finish() {
            Ok(response) => {
                py.detach(|| flight.answered(response, now));
                self.stage = Stage::Flying(flight);
            }
            Err(error) => self.invalid(flight, &error, now),
        }
        Ok(())
    }

    /// Reports a whole answer. One call does the work of `head`, `data` and `end`.
    #[pyo3(signature = (status, fields, body = None, *, decoded = false, now = None))]
    fn answered(
        &mut self,
        py: Python<'_>,
        status: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        body: Option<&Bound<'_, PyBytes>>,
        decoded: bool,
        now: Option<f64>,
    ) -> PyResult<()> {
        let wants_body = self.head(py, status, fields, decoded, now)?;
        if let Some(body) = body.filter(|_| wants_body) {
            self.data(py, body.as_bytes(), now)?;
        }
        self.end(py, now)
    }

    /// Reports that no whole answer arrived.
    #[pyo3(signature = (failure, why = "", *, here = false, now = None))]
    fn failed(
        &mut self,
        py: Python<'_>,
        failure: &str,
        why: &str,
        here: bool,
        now: Option<f64>,
    ) -> PyResult<()> {
        // The answer was already reported as unreadable, so a failure of its rest does not matter.
        if let Stage::Flying(_) = self.stage {
            return Ok(());
        }
        let now = self.now(py, now)?;
        let known = Failure::ALL.iter().find(|known| known.id() == failure);
        let failure = known.ok_or_else(|| {
            let names: Vec<_> = Failure::ALL.iter().map(|known| known.id()).collect();
            PyValueError::new_err(format!(
                "{} is not a failure: use {}",
                quoted(failure),
                names.join(", ")
            ))
        })?;
        let (mut flight, _) = self.take_open()?;
        let why = if why.is_empty() { failure.to_string() } else { why.to_owned() };
        if here {
            flight.failed_here(*failure, why, now);
        } else {
            flight.failed(*failure, why, now);
        }
        self.stage = Stage::Flying(flight);
        Ok(())
    }

    /// Returns the verdict that may be used for a URL while the retrieval is running, or `None` if the URL must wait.
    #[pyo3(signature = (url, *, now = None))]
    fn meanwhile(
        &self,
        py: Python<'_>,
        url: UrlText<'_>,
        now: Option<f64>,
    ) -> PyResult<Option<FetchVerdict>> {
        let now = self.now(py, now)?;
        match self.cache.known.look_up(self.key.as_str(), now) {
            Ok(Lookup::Stale(origin)) => FetchVerdict::new(origin, &url.0).map(Some),
            _ => Ok(None),
        }
    }

    /// Returns the verdict on a URL of the origin, after the retrieval has ended.
    fn verdict(&self, url: UrlText<'_>) -> PyResult<FetchVerdict> {
        FetchVerdict::new(self.origin()?.clone(), &url.0)
    }

    /// Returns whether a URL of the origin may be fetched, after the retrieval has ended.
    fn allows(&self, py: Python<'_>, url: UrlText<'_>) -> PyResult<bool> {
        allows(py, self.origin()?, url.to_str()?)
    }

    /// Returns the cache key: scheme, host and port.
    #[getter]
    fn key(&self) -> &str {
        self.key.as_str()
    }

    /// Returns whether a request is open: `step` returned it, and the caller has not yet reported a whole answer or a
    /// failure.
    #[getter]
    fn open(&self) -> bool {
        matches!(self.stage, Stage::Open(_) | Stage::Arriving(..))
    }

    /// Returns whether the retrieval has ended.
    #[getter]
    fn ended(&self) -> bool {
        matches!(self.stage, Stage::Ended(_))
    }

    fn __repr__(&self) -> String {
        format!("<Retrieval of {}>", self.key)
    }
}

/// Logs a failure of the store. The retrieval continues without the store.
fn missed(
    py: Python<'_>,
    what: &str,
    key: &str,
    why: &StoreError,
    flight: &mut Flight,
) -> PyResult<()> {
    flight.store_failed();
    let text = "the store cannot %s the record of %s, and the cache continues without it: %s";
    warn(py, (text, what, key, why.to_string()))
}

/// Reads a status.
fn status(given: &Bound<'_, PyAny>) -> PyResult<u16> {
    given.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyTypeError>(given.py()) {
            return wrong_type("status", "int", given);
        }
        // Python raises an error if a number of more than 4,300 digits is converted to text.
        let shown =
            given.str().map_or_else(|_| "a long number".to_owned(), |text| text.to_string());
        PyValueError::new_err(format!(
            "status must be from 0 to {}, not {}",
            u16::MAX,
            Shown(shown.as_bytes())
        ))
    })
}

/// Reads fields: pairs of a name and a value, each of them text or octets.
fn fields(given: &Bound<'_, PyAny>, decoded: bool) -> PyResult<Vec<(String, Vec<u8>)>> {
    let mut fields = Vec::new();
    let no_pairs =
        |value: &Bound<'_, PyAny>| wrong_type("fields", "pairs of name and value", value);
    for pair in given.try_iter().map_err(|_| no_pairs(given))? {
        let pair = pair?;
        let [name, value]: [Bound<'_, PyAny>; 2] = pair.extract().map_err(|_| no_pairs(&pair))?;
        let name = String::from_utf8_lossy(&octets(&name)?).into_owned();
        fields.push((name, octets(&value)?));
    }
    let is = |given: &str, name: &str| given.eq_ignore_ascii_case(name);
    let is_coded = fields.iter().any(|(name, coding)| {
        is(name, "content-encoding") && !coding.trim_ascii().eq_ignore_ascii_case(b"identity")
    });
    // The body is already decoded, so its coding does not matter. The field `content-length` is the length of the
    // encoded body.
    if decoded && is_coded {
        fields.retain(|(name, _)| !is(name, "content-encoding") && !is(name, "content-length"));
    }
    Ok(fields)
}

/// Returns the HTTP status that corresponds to a permanent refusal by an FTP server, or `None` if the text of the
/// refusal shows no such status.
#[pyfunction]
#[pyo3(name = "_ftp_refusal")]
pub(crate) fn ftp_refusal(reply: &[u8]) -> Option<u16> {
    Response::of_ftp_refusal(reply).map(|response| response.status())
}

/// Returns the octets of a name or a value. Most HTTP libraries read octets as Latin-1, so text is encoded as Latin-1
/// if possible.
fn octets(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(octets) = value.cast::<PyBytes>() {
        return Ok(octets.as_bytes().to_vec());
    }
    let text =
        value.cast::<PyString>().map_err(|_| wrong_type("a field", "bytes or str", value))?;
    if let Ok(text) = text.to_str()
        && text.is_ascii()
    {
        return Ok(text.as_bytes().to_vec());
    }
    // The code calls `str.encode` itself, because the `encode` of a subclass may return anything.
    let encode = value.py().get_type::<PyString>().getattr("encode")?;
    let encoded = encode
        .call1((text, "latin-1"))
        .or_else(|_| encode.call1((text, "utf-8", "surrogateescape")))?;
    Ok(encoded.cast::<PyBytes>()?.as_bytes().to_vec())
}
