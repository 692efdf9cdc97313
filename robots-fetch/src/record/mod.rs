//! What is known of one robots.txt, as data: [`Record`].
//!
//! A record holds facts: what was answered, and when. What they mean under an edition is decided by whoever reads
//! it, so that crawlers of different editions may share one.

mod codec;

use std::time::Duration;

use robots_core::fetch::{Failure, FetchEnd, FetchResult, Location};
use serde::{Deserialize, Serialize};

pub use codec::Unreadable;

/// What is known of one robots.txt: the copy fetched last, and the answer that came last.
///
/// Times are durations since the Unix epoch. [`to_octets`](Self::to_octets) is the form in which stores keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The cache key: scheme, host and port.
    pub key: String,
    /// The file fetched last. It outlives failures, and a 404.
    pub copy: Option<Copy>,
    /// The answer that came last.
    pub last: Last,
}

/// A file that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Copy {
    /// The octets, decoded: one more than the limit where there were more.
    pub body: Vec<u8>,
    /// What is known of them.
    pub about: About,
}

/// What is known of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct About {
    /// When it was fetched.
    #[serde(with = "codec::milliseconds")]
    pub fetched_at: Duration,
    /// When it was fetched or confirmed (304) last: its life counts from here.
    #[serde(with = "codec::milliseconds")]
    pub validated_at: Duration,
    /// What `Cache-Control: max-age` left of its life on arrival.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
    /// The URL from which it came, where redirects led.
    pub url: String,
    /// The `ETag`, which belongs to that URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The `Last-Modified`, which belongs to that URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The `Content-Type`, charset included. It decides nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The limit by which it was read, in octets.
    pub limit: usize,
    /// Whether it went on beyond the limit.
    pub cut: bool,
    /// The identification for which it was sent, where answers vary by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varies_for: Option<String>,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Last {
    /// When it came.
    #[serde(with = "codec::milliseconds")]
    pub at: Duration,
    /// What it was.
    pub end: End,
    /// The redirects on the way to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hops: Vec<Hop>,
    /// The URL that gave it.
    pub url: String,
    /// What `Cache-Control: max-age` left of its life on arrival.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
    /// The identification for which it was sent, where this answer or a redirect on the way to it varies by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varies_for: Option<String>,
    /// Since when every answer was a server error, 429 or a failure.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub unreachable_since: Option<Duration>,
    /// How many of these came in a row.
    pub failures: u32,
    /// When to ask again, where it was one of these.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub next_try: Option<Duration>,
    /// Whether the site is known to answer 5xx for pages that do not exist.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub server_errors_for_missing_pages: bool,
    /// Whether the body redirects by markup.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub logical_redirect: bool,
}

/// A redirect that was followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Hop {
    /// The URL that was asked.
    pub url: String,
    /// The status of its answer.
    pub status: u16,
}

/// How a request ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct End {
    /// The status, where an answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Where a redirect points that is not followed: `missing`, `loop` or `disallowed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The failure below HTTP, by the core's name, where no answer came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The failure in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl End {
    pub(crate) fn new(end: FetchEnd, why: Option<String>) -> Self {
        match end {
            FetchEnd::Status { status, location } => Self {
                status: Some(status),
                location: match location {
                    Location::Present => None,
                    Location::Missing => Some("missing".to_owned()),
                    Location::Loop => Some("loop".to_owned()),
                    Location::Disallowed => Some("disallowed".to_owned()),
                },
                why,
                ..Self::default()
            },
            FetchEnd::Failure(failure) => {
                Self { failure: Some(failure.id().to_owned()), why, ..Self::default() }
            }
        }
    }

    /// Returns the end as the core knows it. What no core knows is a broken connection: it allows nothing.
    pub(crate) fn fetch_end(&self) -> FetchEnd {
        let Some(status) = self.status else {
            let known =
                Failure::ALL.iter().find(|known| Some(known.id()) == self.failure.as_deref());
            return FetchEnd::Failure(known.copied().unwrap_or(Failure::Connection));
        };
        let location = match self.location.as_deref() {
            None => Location::Present,
            Some("missing") => Location::Missing,
            Some("loop") => Location::Loop,
            Some("disallowed") => Location::Disallowed,
            Some(_) => return FetchEnd::Failure(Failure::InvalidResponse),
        };
        FetchEnd::Status { status, location }
    }

    /// Returns whether this is a file, or the confirmation of one.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.status, Some(200..=299 | 304))
    }

    pub(crate) fn is_redirect(&self) -> bool {
        matches!(self.status, Some(300..=303 | 305..=399))
    }

    /// Returns whether it may be over soon: a server error, 429, or no answer. It is what unreachable counts from,
    /// whatever an edition makes of it.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self.status, Some(200..=428 | 430..=499))
    }
}

impl Last {
    /// Returns the result as the core knows it, given how many redirects a crawler follows.
    pub(crate) fn fetch_result(&self, followed: u32, bound: u32) -> FetchResult {
        let hops = u32::try_from(self.hops.len()).unwrap_or(u32::MAX);
        let mut result = FetchResult::new(self.end.fetch_end());
        result.redirects = counted(hops, followed, bound, result.end);
        result.server_errors_for_missing_pages = self.server_errors_for_missing_pages;
        result.logical_redirect = self.logical_redirect;
        result
    }
}

/// Returns the redirects to count: a crawler that follows more than its edition's bound has used that up with the
/// last one that it follows.
pub(crate) fn counted(hops: u32, followed: u32, bound: u32, end: FetchEnd) -> u32 {
    let is_redirect = matches!(end, FetchEnd::Status { status: 300..=399, .. });
    match hops {
        _ if followed <= bound => hops,
        _ if hops > followed => bound + 1,
        _ if hops == followed && is_redirect => bound,
        _ if is_redirect => hops.min(bound - 1),
        _ => hops.min(bound),
    }
}
