//! A [`Record`] is the stored data about one robots.txt.
//!
//! A record contains facts: which answers came, and when. A crawler that reads these facts decides what they mean under
//! its edition, so crawlers with different editions can share a record. Start at [`Record`]; `codec.rs` writes and
//! reads the stored form.

mod codec;

use std::time::Duration;

use robots_core::fetch::{Failure, FetchEnd, FetchResult, Location};
use serde::{Deserialize, Serialize};

pub use codec::Unreadable;

/// The stored data about one robots.txt: the last copy and the last answer.
///
/// Times are durations since the Unix epoch. Stores keep the form that [`to_octets`](Self::to_octets) returns.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// The cache key: scheme, host and port.
    pub key: String,
    /// The last file that was fetched. The record keeps this file after failures, and after a 404.
    pub copy: Option<FileCopy>,
    /// The last answer, or the failure of the last request.
    pub last: Last,
}

/// A file that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileCopy {
    /// The decoded octets. If the file was longer than the limit, there is one more octet than the limit.
    pub body: Vec<u8>,
    /// The data about the file: when and from where it came, and how it was read.
    pub about: About,
}

/// The data about a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct About {
    /// The time at which the file was fetched.
    #[serde(with = "codec::milliseconds")]
    pub fetched_at: Duration,
    /// The time at which the file was last fetched or confirmed (304). The lifetime of the file begins at this time.
    #[serde(with = "codec::milliseconds")]
    pub validated_at: Duration,
    /// The remaining `Cache-Control: max-age` on arrival.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
    /// The age of the file on arrival, by `Age` and `Date` (RFC 9111, 4.2.3). If a cache answered, this is the time
    /// since the origin server sent or confirmed the file.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub age: Option<Duration>,
    /// The URL that sent the file, at the end of the redirects.
    pub url: String,
    /// The `ETag`, which is valid only for this URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// The `Last-Modified`, which is valid only for this URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<String>,
    /// The `Content-Type`, with charset. This field does not affect any decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The limit with which the file was read, in octets.
    pub limit: usize,
    /// Whether the file was longer than the limit.
    pub cut: bool,
    /// The identification for which the file was sent, if answers vary by identification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varies_for: Option<String>,
}

/// An answer, or the failure of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Last {
    /// The time of the answer or of the failure.
    #[serde(with = "codec::milliseconds")]
    pub at: Duration,
    /// The way in which the request ended.
    pub end: End,
    /// The redirects before the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hops: Vec<Hop>,
    /// The URL that sent the answer, or whose request failed.
    pub url: String,
    /// The remaining `Cache-Control: max-age` on arrival.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub max_age: Option<Duration>,
    /// The identification for which the answer was sent, if this answer or a redirect before it varies by
    /// identification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub varies_for: Option<String>,
    /// The time since which every answer was a server error, a 429 or a failure.
    #[serde(with = "codec::optional_milliseconds", skip_serializing_if = "Option::is_none")]
    pub unreachable_since: Option<Duration>,
    /// The number of server errors, 429s and failures in a row.
    pub failures: u32,
    /// The time of the next request, if this answer was a server error, a 429 or a failure.
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
    /// The URL that was requested.
    pub url: String,
    /// The status of its answer.
    pub status: u16,
}

/// The way in which a request ended: with a status or with a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct End {
    /// The status, if a valid answer arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// If a redirect is not followed, this is the kind of its target: `missing`, `loop` or `disallowed`. It is absent if
    /// the target is another URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The name of the failure in `robots-core`, if no valid answer arrived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The reason of the failure, as a part of a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl End {
    pub(crate) fn new(end: FetchEnd, why: Option<String>) -> Self {
        match end {
            FetchEnd::Status { status, location } => Self {
                status: Some(status),
                location: (location != Location::Present).then(|| location.id().to_owned()),
                why,
                ..Self::default()
            },
            FetchEnd::Failure(failure) => {
                Self { failure: Some(failure.id().to_owned()), why, ..Self::default() }
            }
        }
    }

    /// Returns how the request ended, as a type of `robots-core`. An unknown name of a failure counts as
    /// [`Failure::Connection`].
    pub(crate) fn fetch_end(&self) -> FetchEnd {
        let Some(status) = self.status else {
            let failure = self.failure.as_deref().and_then(|failure| failure.parse().ok());
            return FetchEnd::Failure(failure.unwrap_or(Failure::Connection));
        };
        match self.location.as_deref().map_or(Ok(Location::Present), str::parse) {
            Ok(location) => FetchEnd::Status { status, location },
            Err(_) => FetchEnd::Failure(Failure::InvalidResponse),
        }
    }

    /// Returns whether the answer is a file, or the confirmation of a file (304).
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.status, Some(200..=299 | 304))
    }

    /// Returns whether the request ended with a failure that may be temporary: a server error, a 429, or no valid
    /// answer. An outage begins with the first such failure, whatever the edition decides about this failure.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(self.status, Some(200..=428 | 430..=499))
    }
}

impl Last {
    /// Returns the result of the request as a type of `robots-core`. `followed` is the number of redirects that the
    /// crawler follows at most, and `bound` is the number that its edition names.
    pub(crate) fn fetch_result(&self, followed: u32, bound: u32) -> FetchResult {
        let hops = u32::try_from(self.hops.len()).unwrap_or(u32::MAX);
        let mut result = FetchResult::new(self.end.fetch_end());
        result.redirects = counted(hops, followed, bound, result.end);
        result.server_errors_for_missing_pages = self.server_errors_for_missing_pages;
        result.logical_redirect = self.logical_redirect;
        result
    }
}

#[cfg(feature = "cache")]
impl Record {
    /// Returns the number of octets that the record holds outside its own value. A server decides the length of most of
    /// its texts.
    pub(crate) fn size(&self) -> usize {
        let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let Last { end, hops, url, varies_for, .. } = &self.last;
        let hops: usize = hops.iter().map(|hop| size_of::<Hop>() + hop.url.len()).sum();
        let last = url.len() + of(varies_for) + of(&end.location) + of(&end.failure) + of(&end.why);
        let copy = self.copy.as_ref().map_or(0, |FileCopy { body, about }| {
            let validators = of(&about.etag) + of(&about.last_modified);
            let about = about.url.len() + of(&about.content_type) + of(&about.varies_for);
            body.capacity() + validators + about
        });
        self.key.len() + last + hops + copy
    }
}

/// Returns the number of redirects that is passed to the edition for its decision. If a crawler follows more redirects
/// than its edition names, the last redirect that the crawler follows counts as the last one that the edition names.
pub(crate) fn counted(hops: u32, followed: u32, bound: u32, end: FetchEnd) -> u32 {
    let is_redirect = matches!(end, FetchEnd::Status { status: 300..=399, .. });
    match hops {
        _ if hops > followed => bound + 1,
        _ if hops == followed && is_redirect => bound,
        _ if is_redirect => hops.min(bound - 1),
        _ => hops.min(bound),
    }
}

#[cfg(test)]
mod tests {
    use robots_core::fetch::{Failure, FetchEnd, Location};
    use rstest::rstest;

    use super::{End, counted};

    const FILE: u16 = 200;
    const REDIRECT: u16 = 301;

    /// If a crawler follows more than the five redirects that the edition names, the last redirect that it follows
    /// counts as the fifth.
    #[rstest]
    #[trace]
    #[case::as_the_edition(0, 5, FILE, 0)]
    #[case::as_the_edition(4, 5, REDIRECT, 4)]
    #[case::as_the_edition(5, 5, FILE, 5)]
    #[case::as_the_edition(5, 5, REDIRECT, 5)]
    #[case::as_the_edition(6, 5, REDIRECT, 6)]
    #[case::more(3, 8, FILE, 3)]
    #[case::more(3, 8, REDIRECT, 3)]
    #[case::more(7, 8, REDIRECT, 4)]
    #[case::more(8, 8, FILE, 5)]
    #[case::more(8, 8, REDIRECT, 5)]
    #[case::more_than_it_follows(9, 8, REDIRECT, 6)]
    #[case::more_than_it_follows(9, 8, FILE, 6)]
    fn redirects_are_counted(
        #[case] hops: u32,
        #[case] followed: u32,
        #[case] status: u16,
        #[case] expected: u32,
    ) {
        let end = FetchEnd::Status { status, location: Location::Present };
        assert_eq!(counted(hops, followed, 5, end), expected);
    }

    #[test]
    fn a_failure_is_read_as_it_was_written() {
        for failure in Failure::ALL {
            let end = End::new(FetchEnd::Failure(*failure), None);
            assert_eq!(end.fetch_end(), FetchEnd::Failure(*failure));
        }
        for unknown in [None, Some("of another version".to_owned())] {
            let end = End { failure: unknown, ..End::default() };
            assert_eq!(end.fetch_end(), FetchEnd::Failure(Failure::Connection));
        }
    }
}
