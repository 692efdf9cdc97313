//! The rows about archives: [`Row`]. As JSON lines and as columns, they have the same keys.

use serde::{Serialize, Serializer};

/// A response, or a place that cannot be read.
#[derive(Default, Serialize)]
pub(super) struct Row {
    /// The path of the archive.
    pub(super) archive: String,
    /// Where the record begins in the archive, in octets.
    pub(super) offset: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    /// The time of the request, in milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "iso")]
    pub(super) date: Option<i64>,
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
    pub(super) verdicts: Vec<Decided>,
}

/// The verdict on one path for one crawler.
#[derive(Clone, Serialize)]
pub(super) struct Decided {
    pub(super) agent: String,
    pub(super) path: String,
    pub(super) verdict: &'static str,
    /// Which part of the site the crawler may not fetch: `everywhere`, `in-part` or `nowhere`.
    pub(super) disallowed: &'static str,
}

/// Writes a time as `2024-05-01T12:00:00Z`.
#[expect(clippy::ref_option, reason = "serde calls this function")]
fn iso<S: Serializer>(milliseconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    let seconds = milliseconds.unwrap_or_default().div_euclid(1000);
    let time =
        time::OffsetDateTime::from_unix_timestamp(seconds).map_err(serde::ser::Error::custom)?;
    let (year, month, day) = time.to_calendar_date();
    let (hour, minute, second) = time.to_hms();
    serializer.collect_str(&format_args!(
        "{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z",
        u8::from(month)
    ))
}
