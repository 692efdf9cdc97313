//! The access log of a server: the requests in the order of arrival, each with its answer ([`LogEntry`]).
//!
//! The connections of a server write to one [`Log`]. Of the requests with the same origin, method and target, only the
//! first thousand are stored. A log that has no space for a request is *cut*: it stores no further request.

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

/// The maximum size of a log in octets. A crawler that sends ever new targets must not use up the memory.
const SPACE: usize = 64 << 20;

/// The size of a stored request without its texts, in octets.
const ENTRY: usize = 256;

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
    /// The size of the stored requests, in octets.
    size: usize,
    is_cut: bool,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), kept: Arc::default() }
    }

    /// Adds a request, and returns its index. If [`KEPT`] requests with this origin, method and target are already
    /// stored, or if the log is cut, this request is not stored, and the result is `None`.
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
        if kept.times.get(&same).is_some_and(|times| *times == KEPT) {
            return None;
        }
        let texts = headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        // The target is also part of a key of `times`.
        kept.size = kept.size.saturating_add(ENTRY + texts + 2 * target.len());
        kept.is_cut |= kept.size > SPACE;
        if kept.is_cut {
            return None;
        }
        *kept.times.entry(same).or_default() += 1;
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

    pub(crate) fn is_cut(&self) -> bool {
        self.lock().is_cut
    }

    fn now(&self) -> u64 {
        let elapsed: Duration = self.start.elapsed();
        u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_cut_at_its_size() {
        let log = Log::new();
        let target = "/a".repeat(1 << 20);
        let ask = |target: &str| log.request("main", 1, "GET", target, Vec::new()).is_some();
        let stored = (0..64).filter(|number| ask(&format!("{target}{number}"))).count();
        assert!(log.is_cut() && stored < 17, "{stored} requests of 2 MiB, each stored twice");
        assert!(!ask("/small"), "a later request would follow a gap");
        assert_eq!(log.entries().len(), stored);
    }

    #[test]
    fn the_same_request_is_stored_a_thousand_times() {
        let log = Log::new();
        let stored = (0..2 * KEPT).filter(|_| log.request("o", 1, "GET", "/", vec![]).is_some());
        assert_eq!(stored.count(), KEPT);
        assert!(!log.is_cut());
    }
}
