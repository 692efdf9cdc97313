//! The rows about archives: [`Row`]. As JSON lines and as columns, they have the same keys.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::utc::rfc3339;

/// A response, or a place that cannot be read.
#[derive(Default, Serialize)]
pub(super) struct Row<'a> {
    /// The path of the archive.
    pub(super) archive: &'a str,
    /// Where the record begins in the archive, in octets.
    pub(super) offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    /// The time of the request since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "iso")]
    pub(super) date: Option<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<u16>,
    /// What the response means, or `None` if the archive does not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) access: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) truncated: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) verdicts: Vec<Decided<'a>>,
}

/// The verdict on one path for one crawler.
#[derive(Serialize)]
pub(super) struct Decided<'a> {
    pub(super) agent: &'a str,
    pub(super) path: &'a str,
    pub(super) verdict: &'static str,
    /// Which part of the site the crawler may not fetch: `everywhere`, `in-part` or `nowhere`.
    pub(super) disallowed: &'static str,
}

/// Writes a time as `2024-05-01T12:00:00Z`.
#[expect(clippy::ref_option, reason = "serde calls this function")]
fn iso<S: Serializer>(date: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(date.unwrap_or_default()))
}
