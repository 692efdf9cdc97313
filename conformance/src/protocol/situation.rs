//! The situations that a question describes: what came of a fetch, and how old a copy is.

use std::time::Duration;

use robots_core::fetch::{CachedCopy, Failure, FetchEnd, FetchResult, Location, Refresh};
use serde::{Deserialize, Serialize};

use super::word::As;

/// The value of `fetch`; what is left out has its default. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FetchMessage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<As<Location>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<As<Failure>>,
    #[serde(default, skip_serializing_if = "is_default")]
    redirects: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    logical_redirect: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cached_copy_age: Option<u64>,
    #[serde(default, skip_serializing_if = "is_default")]
    unreachable_for: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    server_errors_for_missing_pages: bool,
}

/// The value of `copy`; times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CopyMessage {
    age: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_age: Option<u64>,
    #[serde(default)]
    refresh: Option<As<Refresh>>,
}

impl From<&FetchResult> for FetchMessage {
    fn from(fetch: &FetchResult) -> Self {
        let (status, location, failure) = match fetch.end {
            FetchEnd::Status { status, location } => {
                let says = location != Location::Present || (300..400).contains(&status);
                (Some(status), says.then_some(As(location)), None)
            }
            FetchEnd::Failure(failure) => (None, None, Some(As(failure))),
        };
        Self {
            status,
            location,
            failure,
            redirects: fetch.redirects,
            logical_redirect: fetch.logical_redirect,
            cached_copy_age: fetch.cached_copy_age.map(|age| age.as_secs()),
            unreachable_for: fetch.unreachable_for.as_secs(),
            server_errors_for_missing_pages: fetch.server_errors_for_missing_pages,
        }
    }
}

impl TryFrom<FetchMessage> for FetchResult {
    type Error = String;

    fn try_from(message: FetchMessage) -> Result<Self, String> {
        let end = match (message.status, message.failure) {
            (Some(status), None) => FetchEnd::Status {
                status,
                location: message.location.map(|As(location)| location).unwrap_or_default(),
            },
            (None, Some(As(failure))) => FetchEnd::Failure(failure),
            _ => return Err("`fetch` has exactly one of `status` and `failure`".to_owned()),
        };
        let mut fetch = Self::new(end);
        fetch.redirects = message.redirects;
        fetch.logical_redirect = message.logical_redirect;
        fetch.cached_copy_age = message.cached_copy_age.map(Duration::from_secs);
        fetch.unreachable_for = Duration::from_secs(message.unreachable_for);
        fetch.server_errors_for_missing_pages = message.server_errors_for_missing_pages;
        Ok(fetch)
    }
}

impl From<&CachedCopy> for CopyMessage {
    fn from(copy: &CachedCopy) -> Self {
        Self {
            age: copy.age.as_secs(),
            max_age: copy.max_age.map(|age| age.as_secs()),
            refresh: Some(As(copy.refresh)),
        }
    }
}

impl From<CopyMessage> for CachedCopy {
    fn from(message: CopyMessage) -> Self {
        let mut copy = Self::of_age(Duration::from_secs(message.age));
        copy.max_age = message.max_age.map(Duration::from_secs);
        copy.refresh = message.refresh.map(|As(refresh)| refresh).unwrap_or_default();
        copy
    }
}

/// Returns whether a value is what is meant where it is left out.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
