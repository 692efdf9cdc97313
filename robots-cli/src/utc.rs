//! Times since the Unix epoch as text, in UTC.

use std::time::Duration;

use time::UtcDateTime;

/// Returns a time as text, such as `2026-01-31 12:00:00` (UTC).
pub(crate) fn time(time: Duration) -> String {
    let (date, clock) = parts(time);
    format!("{date} {clock}")
}

/// Returns a time as RFC 3339 writes it.
pub(crate) fn rfc3339(time: Duration) -> String {
    let (date, clock) = parts(time);
    format!("{date}T{clock}Z")
}

/// Returns the date of a time.
pub(crate) fn date(time: Duration) -> String {
    parts(time).0
}

fn parts(time: Duration) -> (String, String) {
    let seconds = i64::try_from(time.as_secs()).ok();
    let time = seconds.and_then(|it| UtcDateTime::from_unix_timestamp(it).ok());
    let time = time.unwrap_or(UtcDateTime::UNIX_EPOCH);
    let (hour, minute, second) = time.time().as_hms();
    (time.date().to_string(), format!("{hour:02}:{minute:02}:{second:02}"))
}
