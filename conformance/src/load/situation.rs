//! Fetch results and cached copies: the keys `fetch` and `copy` of a case.

use std::time::Duration;

use robots_core::fetch::{CachedCopy, Failure, FetchEnd, FetchResult, Location, Refresh};

use super::problem::KeyProblem;
use super::raw;

/// Reads what came of fetching robots.txt.
pub(super) fn fetch(case: &raw::Case) -> Result<FetchResult, KeyProblem> {
    let raw = case.fetch.as_ref().ok_or_else(|| wrong("id", "nothing is asked; give `fetch`"))?;
    let location = match raw.location.as_deref() {
        None | Some("present") => Location::Present,
        Some("missing") => Location::Missing,
        Some("loop") => Location::Loop,
        Some("disallowed") => Location::Disallowed,
        Some(other) => {
            let known = "present, missing, loop, disallowed";
            return Err(unknown("location", other, known));
        }
    };
    if raw.location.is_some() && !matches!(raw.status, Some(300..=399)) {
        return Err(wrong("location", "`location` belongs to a 3xx status; leave it out"));
    }
    let end = match (raw.status, raw.failure.as_deref()) {
        (Some(status), None) => FetchEnd::Status { status, location },
        (None, Some(word)) => {
            let failure = Failure::ALL.iter().find(|failure| failure.id() == word);
            let known =
                || Failure::ALL.iter().map(|failure| failure.id()).collect::<Vec<_>>().join(", ");
            FetchEnd::Failure(*failure.ok_or_else(|| unknown("failure", word, &known()))?)
        }
        _ => return Err(wrong("fetch", "`fetch` has exactly one of `status` and `failure`")),
    };
    let mut fetch = FetchResult::new(end);
    fetch.redirects = raw.redirects.unwrap_or_default();
    fetch.logical_redirect = raw.logical_redirect.unwrap_or_default();
    fetch.cached_copy_age = raw.cached_copy_age.map(Duration::from_secs);
    fetch.unreachable_for = Duration::from_secs(raw.unreachable_for.unwrap_or_default());
    fetch.server_errors_for_missing_pages = raw.server_errors_for_missing_pages.unwrap_or_default();
    Ok(fetch)
}

/// Reads a cached copy.
pub(super) fn copy(case: &raw::Case) -> Result<CachedCopy, KeyProblem> {
    let raw = case.copy.as_ref().ok_or_else(|| wrong("id", "nothing is asked; give `copy`"))?;
    let refresh = match raw.refresh.as_deref() {
        None | Some("possible") => Refresh::Possible,
        Some("failing") => Refresh::Failing,
        Some(other) => return Err(unknown("refresh", other, "possible, failing")),
    };
    let age = raw.age.ok_or_else(|| wrong("copy", "`copy` needs its `age` in seconds"))?;
    let mut copy = CachedCopy::of_age(Duration::from_secs(age));
    (copy.max_age, copy.refresh) = (raw.max_age.map(Duration::from_secs), refresh);
    Ok(copy)
}

fn wrong(key: &'static str, message: &str) -> KeyProblem {
    KeyProblem { key, message: message.to_owned() }
}

fn unknown(key: &'static str, value: &str, known: &str) -> KeyProblem {
    KeyProblem { key, message: format!("unknown `{key}: {value}`; known here: {known}") }
}
