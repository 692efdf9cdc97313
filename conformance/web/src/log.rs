//! The access log of a server: the requests in the order of arrival, each with its answer ([`LogEntry`]).
//!
//! The connections of a server write to one [`Log`]. Of the requests with the same origin, method and target, only the
//! first thousand are stored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// One request and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct LogEntry {
    /// The time of the request, in microseconds since the start of the server.
    pub at: u64,
    /// The name of the origin, which is its key in [`Sites`](crate::Sites).
    pub origin: String,
    /// The number of the connection, from 1.
    pub connection: u64,
    /// The method; for FTP the command.
    pub method: String,
    /// The request target as the crawler sent it, normally a path with a query.
    pub target: String,
    /// The headers as the crawler sent them, but with names in lower case. In their values, quotation marks,
    /// backslashes and octets outside printable ASCII are escaped. For FTP, the only entry is `user` with the user
    /// name.
    pub headers: Vec<(String, String)>,
    /// The answer; `None` if it has not begun yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Answer {
    /// The time when the answer began, in microseconds since the start of the server.
    pub at: u64,
    /// A phrase for messages that begin with the request target, for example `answered 503` or `was reset`.
    pub what: String,
    /// The value of the header `Location`, if the answer has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

impl LogEntry {
    /// Returns the value of the first header of this name. The name must be in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The maximum number of stored requests that have the same origin, method and target. If a crawler in a loop sends
/// more such requests, they add no information.
const KEPT: usize = 1_000;

/// The log of a running server. Clones share the stored requests.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    start: Instant,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: Vec<LogEntry>,
    /// The number of requests for each origin, method and target.
    times: HashMap<(String, String, String), usize>,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), kept: Arc::default() }
    }

    /// Adds a request, and returns its index. If [`KEPT`] requests with this origin, method and target are already
    /// stored, this request is not stored, and the result is `None`.
    pub(crate) fn request(
        &self,
        origin: &str,
        connection: u64,
        method: &str,
        target: &str,
        headers: Vec<(String, String)>,
    ) -> Option<usize> {
        let mut kept = self.lock();
        let same = (origin.to_owned(), method.to_owned(), target.to_owned());
        let times = kept.times.entry(same).or_default();
        *times += 1;
        if *times > KEPT {
            return None;
        }
        kept.entries.push(LogEntry {
            at: self.now(),
            origin: origin.to_owned(),
            connection,
            method: method.to_owned(),
            target: target.to_owned(),
            headers,
            answer: None,
        });
        Some(kept.entries.len() - 1)
    }

    /// Stores the answer with the request that has the index `place`. Does nothing if that request was not stored.
    pub(crate) fn answer(&self, place: Option<usize>, what: String, location: Option<&str>) {
        let answer = Answer { at: self.now(), what, location: location.map(str::to_owned) };
        if let Some(place) = place
            && let Some(entry) = self.lock().entries.get_mut(place)
        {
            entry.answer = Some(answer);
        }
    }

    pub(crate) fn entries(&self) -> Vec<LogEntry> {
        self.lock().entries.clone()
    }

    fn now(&self) -> u64 {
        let elapsed: Duration = self.start.elapsed();
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
