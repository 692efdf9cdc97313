//! How long a record holds for whoever reads it.

use std::time::Duration;

use robots_core::fetch::Access;

use crate::record::{Last, Record};
use crate::settings::Settings;

/// How far the clocks of machines that share a store may be apart.
const SKEW: Duration = Duration::from_secs(5 * 60);

/// Returns when a record is to be fetched anew: before that it holds.
pub(crate) fn due(record: &Record, settings: &Settings) -> Duration {
    let last = &record.last;
    // A file that is not there, or a redirect that another edition did not follow: it tells this reader nothing.
    if (last.end.is_file() && record.copy.is_none())
        || (last.end.is_redirect() && follows(record, settings))
    {
        return Duration::ZERO;
    }
    if let Some(next_try) = last.next_try {
        return next_try;
    }
    let (from, max_age) = match &record.copy {
        Some(copy) if last.end.is_file() => {
            // A reader with a larger limit needs more of the file.
            if copy.about.cut && copy.about.limit < settings.limit() {
                return Duration::ZERO;
            }
            (copy.about.validated_at, copy.about.max_age)
        }
        _ => (last.at, last.max_age),
    };
    // With `max-age` a copy is fresh while its age is below (RFC 9111, 4.2); a day without is the whole day.
    let whole = Duration::from_nanos(u64::from(max_age.is_none()));
    from.saturating_add(settings.max_age(max_age)).saturating_add(whole)
}

fn follows(record: &Record, settings: &Settings) -> bool {
    let result = record.last.fetch_result(settings.hops(), settings.edition.redirects());
    settings.edition.access(&result) == Access::FollowRedirect
}

/// Returns whether it is to be fetched anew now. What a clock that went wrong has left is not waited for.
pub(crate) fn is_due(record: &Record, settings: &Settings, now: Duration) -> bool {
    !(from(&record.last)..due(record, settings)).contains(&now)
}

/// Returns the earliest time at which an answer can be known: the clocks of two machines may differ so much, and no more.
pub(crate) fn from(last: &Last) -> Duration {
    last.at.saturating_sub(SKEW)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::is_due;
    use crate::record::{End, Last, Record};
    use crate::settings::Settings;

    const NOW: Duration = Duration::from_secs(1_000_000_000);

    /// Machines that share a store may be five minutes apart, and no more.
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
}
