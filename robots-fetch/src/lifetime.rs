//! The lifetime of a record: [`due`] returns when robots.txt must be fetched again. The lifetime depends on the record
//! and on the settings of the crawler that reads it. The module `standing` decides what the record means until then, and
//! [`basis`] joins both.

use std::time::Duration;

use robots_core::fetch::Basis;

use crate::record::Record;
use crate::settings::Settings;
use crate::standing::{self, Standing};

impl Record {
    /// Returns what decides about the URLs of the origin at a time, for a crawler with these settings that has not
    /// fetched robots.txt again since. `now` is the time since the Unix epoch.
    ///
    /// If rules decide, they are those of the [`copy`](Self::copy). The URL of robots.txt itself may be fetched in any
    /// case.
    ///
    /// ```
    /// use robots_fetch::retrieval::{Response, Retrieval};
    /// use robots_fetch::{Basis, CacheKey, Settings};
    /// use std::time::Duration;
    ///
    /// let (key, settings) = (CacheKey::of("http://example.com/")?, Settings::default());
    /// let now = Duration::from_secs(1_000_000_000);
    /// let mut retrieval = Retrieval::new(&key, &settings, "examplebot/1.0", None);
    /// retrieval.answered(Response::new(503, []), now);
    /// let record = retrieval.into_record().unwrap();
    /// assert_eq!(record.basis(&settings, now), Basis::Unreachable);
    /// # Ok::<(), robots_fetch::Error>(())
    /// ```
    #[must_use]
    pub fn basis(&self, settings: &Settings, now: Duration) -> Basis {
        basis(self, Standing::of(self, settings), due(self, settings), settings, now)
    }
}

/// Returns what decides at a time, given the standing of the record and the time at which it is due.
#[inline]
pub(crate) fn basis(
    record: &Record,
    standing: Standing,
    due: Duration,
    settings: &Settings,
    now: Duration,
) -> Basis {
    match standing {
        Standing::Rules if now < due => Basis::Rules,
        Standing::Rules => Basis::StaleRules,
        Standing::NoFile => Basis::NoFile,
        Standing::Failing => standing::in_outage(record, settings, now),
    }
}

/// Returns the time at which robots.txt must be fetched again. The record is valid until then. Zero means at once.
pub(crate) fn due(record: &Record, settings: &Settings) -> Duration {
    if standing::lacks_answer(record, settings) {
        return Duration::ZERO;
    }
    let last = &record.last;
    if let Some(next_try) = last.next_try {
        return next_try;
    }
    let (from, max_age) = match &record.copy {
        Some(copy) if last.end.is_file() => {
            // The file was cut at a smaller limit than the limit of these settings, so a longer part of the file is
            // needed.
            if copy.about.cut && copy.about.limit < settings.limit() {
                return Duration::ZERO;
            }
            (copy.about.validated_at, copy.about.max_age)
        }
        _ => (last.at, last.max_age),
    };
    // A copy is fresh while its age is less than `max-age` (RFC 9111, 4.2). Without `max-age`, a copy that is exactly
    // 24 hours old is still fresh.
    let whole = Duration::from_nanos(u64::from(max_age.is_none()));
    from.saturating_add(settings.max_age(max_age)).saturating_add(whole)
}

/// Returns whether a robots.txt must be fetched again now. If the time of a record is more than five minutes in the
/// future, a clock was wrong, and robots.txt must be fetched at once.
pub(crate) fn is_due(record: &Record, settings: &Settings, now: Duration) -> bool {
    !(standing::known_from(&record.last)..due(record, settings)).contains(&now)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::{due, is_due};
    use crate::record::{About, End, FileCopy, Last, Record};
    use crate::settings::Settings;

    const NOW: Duration = Duration::from_secs(1_000_000_000);

    /// The clocks of machines that share a store may differ by at most five minutes.
    #[rstest]
    #[trace]
    #[case(0, false)]
    #[case(300, false)]
    #[case(301, true)]
    #[case(600, true)]
    fn a_record_of_the_future_is_due(#[case] seconds: u64, #[case] due: bool) {
        let end = End { status: Some(404), ..End::default() };
        let at = NOW + Duration::from_secs(seconds);
        let last = Last { at, end, ..Last::default() };
        let record = Record { key: "http://example.com".to_owned(), copy: None, last };
        assert_eq!(is_due(&record, &Settings::default(), NOW), due);
    }

    /// An older copy does not affect the lifetime of a later 404.
    #[test]
    fn a_missing_file_lives_as_long_as_its_own_answer() {
        let end = End { status: Some(404), ..End::default() };
        let last =
            Last { at: NOW, end, max_age: Some(Duration::from_secs(600)), ..Last::default() };
        let about = About { validated_at: NOW.saturating_sub(NOW / 2), ..About::default() };
        let copy = Some(FileCopy { body: Vec::new(), about });
        let record = Record { key: "http://example.com".to_owned(), copy, last };
        assert_eq!(due(&record, &Settings::default()), NOW + Duration::from_secs(600));
    }
}
