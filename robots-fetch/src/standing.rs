//! Decides what a record means to the crawler that reads it: its [`Standing`], and while the site fails, the [`Basis`]
//! at a given time.
//!
//! Only this module asks `robots-core` what an answer means. [`access`] returns the meaning of one answer for the
//! retrieval, given the earlier answers. The entries in memory use [`Standing::of`] and [`in_outage`]. [`lacks_answer`]
//! returns whether a crawler must ask the site again at once. [`Outage`] decides which failures belong to the same
//! outage. This module reads no clock: the caller gives times as durations since the Unix epoch.

use std::ops::Range;
use std::time::Duration;

use robots_core::fetch::{Access, Basis, Failure, FetchEnd, FetchResult, LASTING, Retry};

use crate::record::{FileCopy, Last, Record};
use crate::settings::{CLOCK_SKEW, Settings};

/// The kind of data that decides about the URLs of an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The rules of the copy decide.
    Rules,
    /// The crawler is not restricted, because there is no file.
    NoFile,
    /// The site fails. [`in_outage`] returns what decides in this case.
    Failing,
}

impl Standing {
    /// Returns the meaning of a record for a crawler with these settings.
    pub(crate) fn of(record: &Record, settings: &Settings) -> Self {
        let last = &record.last;
        if last.end.is_file() {
            // The last answer was a file, but the record has no copy. This crate never writes such a record. Such a
            // record is not read as an empty file, because an empty file would allow everything.
            return if record.copy.is_some() { Self::Rules } else { Self::Failing };
        }
        match access_alone(last, settings) {
            Access::FullAllow => Self::NoFile,
            _ => Self::Failing,
        }
    }
}

/// Returns whether the record lacks the answer that a crawler with these settings needs. This is the case if the last
/// answer was a file, but the record has no copy. It is also the case if the last answer was a redirect that these
/// settings follow, because a crawler with other settings wrote the record and did not follow it.
pub(crate) fn lacks_answer(record: &Record, settings: &Settings) -> bool {
    if record.last.end.is_file() {
        return record.copy.is_none();
    }
    access_alone(&record.last, settings) == Access::FollowRedirect
}

/// Returns the meaning of an answer under the edition, without the earlier answers.
fn access_alone(last: &Last, settings: &Settings) -> Access {
    settings.edition.access(&result_alone(last, settings))
}

/// Returns whether the site answered 503, which asks for a short pause. The next request then comes sooner than after
/// another failure.
pub(crate) fn asks_for_pause(last: &Last, settings: &Settings) -> bool {
    settings.edition.retry(&result_alone(last, settings)) == Retry::Frequently
}

fn result_alone(last: &Last, settings: &Settings) -> FetchResult {
    last.fetch_result(settings.hops(), settings.edition.redirects())
}

/// Returns the meaning of an answer under the edition, given the earlier answers. `copy` is the file that was fetched
/// before, and `last` contains the time since which the site fails.
pub(crate) fn access(
    last: &Last,
    copy: Option<&FileCopy>,
    settings: &Settings,
    now: Duration,
) -> Access {
    settings.edition.access(&fetch_result(last, copy, settings, now))
}

fn fetch_result(
    last: &Last,
    copy: Option<&FileCopy>,
    settings: &Settings,
    now: Duration,
) -> FetchResult {
    let mut result = result_alone(last, settings);
    result.cached_copy_age = copy.map(|copy| now.saturating_sub(copy.about.validated_at));
    result.unreachable_for = lasted(last, settings, now);
    result
}

/// Returns the basis of verdicts at a time while a site fails: the last copy, no restrictions, or no access.
pub(crate) fn in_outage(record: &Record, settings: &Settings, now: Duration) -> Basis {
    let copy = record.copy.as_ref();
    if copy.is_some_and(|copy| bridged(copy, &record.last, settings).contains(&now)) {
        return Basis::LastCopy;
    }
    let mut result = fetch_result(&record.last, copy, settings, now);
    if record.last.end.is_file() {
        // The record has no file, so its last answer counts as a failure.
        result.end = FetchEnd::Failure(Failure::Connection);
    }
    Basis::in_outage(settings.edition.access(&result))
}

/// Returns the time at which the effect of an outage changes. If this time is not after `now` and before `due`, returns
/// `due`.
pub(crate) fn changes_at(
    record: &Record,
    settings: &Settings,
    now: Duration,
    due: Duration,
) -> Duration {
    let last = &record.last;
    let long = last.unreachable_since.unwrap_or(last.at).saturating_add(LASTING);
    let copy = record.copy.as_ref().map(|copy| bridged(copy, last, settings).end);
    copy.into_iter().chain([long]).filter(|change| *change > now).fold(due, Duration::min)
}

/// A series of failures, with no other answer and no long pause between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outage {
    /// The time of the first failure.
    pub(crate) since: Duration,
    /// The number of failures.
    pub(crate) failures: u32,
}

impl Outage {
    /// Returns the outage that a failure belongs to, given the answer before it. If the answer and the failure are too
    /// far apart, the state of the site during that time is unknown, and a new outage begins. A new outage also begins
    /// if a clock has jumped.
    pub(crate) fn with(before: Option<&Last>, settings: &Settings, now: Duration) -> Self {
        let known = before.and_then(|before| {
            let since = before.unreachable_since?;
            is_near(before, settings, now).then_some((since, before.failures))
        });
        let (since, failures) = known.unwrap_or((now, 0));
        Self { since, failures: failures.saturating_add(1) }
    }
}

/// Returns the time for which a site is known to have failed.
fn lasted(last: &Last, settings: &Settings, now: Duration) -> Duration {
    let since = last.unreachable_since.unwrap_or(last.at);
    let until = if is_near(last, settings, now) { now } else { last.at };
    until.saturating_sub(since)
}

/// Returns whether `now` is so soon after an answer that the site counts as unchanged since then.
fn is_near(last: &Last, settings: &Settings, now: Duration) -> bool {
    now >= known_from(last) && now.saturating_sub(last.at) <= settings.gap()
}

/// Returns the earliest time that the clock of another machine may show at the moment when an answer arrives. The
/// clocks of two machines may differ by at most [`CLOCK_SKEW`].
pub(crate) fn known_from(last: &Last) -> Duration {
    last.at.saturating_sub(CLOCK_SKEW)
}

/// Returns the period in which a copy may be used although the site fails. The period ends when
/// [`Settings::stale_if_error`] (at most [`LASTING`]) has passed since the copy expired or the outage began, whichever
/// is earlier. So failures of the client, which begin no outage, cannot extend the period. The period begins when the
/// copy was confirmed, minus [`CLOCK_SKEW`]: a clock that shows an earlier time is wrong.
fn bridged(copy: &FileCopy, last: &Last, settings: &Settings) -> Range<Duration> {
    let (about, time) = (&copy.about, settings.stale_if_error.min(LASTING));
    let begin = about.validated_at.saturating_sub(CLOCK_SKEW);
    if time.is_zero() {
        return begin..begin;
    }
    let expired = about.validated_at.saturating_add(settings.max_age(about.max_age));
    let failing = last.unreachable_since.unwrap_or(last.at);
    begin..failing.min(expired).saturating_add(time)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use robots_core::Edition;
    use robots_core::fetch::Basis;

    use super::{Outage, in_outage};
    use crate::record::{About, End, FileCopy, Last, Record};
    use crate::settings::Settings;

    const NOW: Duration = Duration::from_secs(1_000_000_000);
    const DAY: Duration = Duration::from_secs(86_400);

    fn failed(at: Duration, since: Duration) -> Last {
        let end = End { status: Some(500), ..End::default() };
        Last { at, end, unreachable_since: Some(since), failures: 3, ..Last::default() }
    }

    /// Tests how many days may be between two failures of one outage. The earlier failure is at `NOW`.
    #[rstest]
    #[trace]
    #[case::soon(1, 7, true)]
    #[case::at_the_bound(7, 7, true)]
    #[case::after_the_bound(8, 7, false)]
    #[case::with_the_machine_off(31, 7, false)]
    #[case::by_a_clock_that_jumps(95 * 365, 7, false)]
    #[case::by_a_clock_that_jumps_back(-31, 7, false)]
    #[case::with_a_longer_gap(31, 40, true)]
    #[case::with_a_gap_that_no_try_could_keep(1, 0, true)]
    fn failures_belong_together(#[case] days: i64, #[case] gap: u32, #[case] one: bool) {
        let settings = Settings::default().outage_gap(gap * DAY);
        let since = NOW.saturating_sub(3 * DAY);
        let time = Duration::from_secs(days.unsigned_abs() * 86_400);
        let now = if days < 0 { NOW.saturating_sub(time) } else { NOW + time };
        let outage = Outage::with(Some(&failed(NOW, since)), &settings, now);
        let expected =
            if one { Outage { since, failures: 4 } } else { Outage { since: now, failures: 1 } };
        assert_eq!(outage, expected);
    }

    #[test]
    fn a_failure_after_an_answer_begins_an_outage() {
        let settings = Settings::default();
        let answered = Last { at: NOW, ..Last::default() };
        for before in [None, Some(&answered)] {
            assert_eq!(Outage::with(before, &settings, NOW), Outage { since: NOW, failures: 1 });
        }
    }

    /// A copy that expires after a day may be used for three days more. The times are in hours after the copy was
    /// confirmed. `since` is the beginning of the outage, or `None` if the client itself failed.
    #[rstest]
    #[trace]
    #[case::the_copy_expired_before(Some(30), 95, Basis::LastCopy)]
    #[case::longer_than_that(Some(30), 96, Basis::Unreachable)]
    #[case::the_outage_began_before(Some(10), 81, Basis::LastCopy)]
    #[case::longer_than_the_outage(Some(10), 82, Basis::Unreachable)]
    #[case::the_client_failed(None, 95, Basis::LastCopy)]
    #[case::the_client_failed_for_longer(None, 96, Basis::Unreachable)]
    #[case::before_it_was_confirmed(None, -1, Basis::Unreachable)]
    fn a_copy_bridges_an_outage(
        #[case] since: Option<u32>,
        #[case] hours: i64,
        #[case] expected: Basis,
    ) {
        const HOUR: Duration = Duration::from_secs(3600);
        let after = |hours: u32| NOW + hours * HOUR;
        let hour = i64::try_from(NOW.as_secs()).unwrap() + hours * 3600;
        let now = Duration::from_secs(hour.unsigned_abs());
        let mut last = failed(now, now);
        last.unreachable_since = since.map(after);
        let about = About { fetched_at: NOW, validated_at: NOW, ..About::default() };
        let copy = Some(FileCopy { body: Vec::new(), about });
        let record = Record { key: "http://example.com".to_owned(), copy, last };
        let settings = Settings::default().edition(Edition::Rfc9309);
        let of = |settings: &Settings| in_outage(&record, settings, now);
        assert_eq!(of(&settings.clone().stale_if_error(3 * DAY)), expected);
        assert_eq!(of(&settings), Basis::Unreachable, "by default, no copy is used");
    }

    /// A long time without requests does not count as an outage.
    #[rstest]
    #[trace]
    #[case(0, 29, Basis::Unreachable)]
    #[case(0, 31, Basis::Unreachable)]
    #[case(0, 95 * 365, Basis::Unreachable)]
    #[case(25, 31, Basis::UnreachableForLong)]
    #[case(25, 33, Basis::Unreachable)]
    #[case(31, 95 * 365, Basis::UnreachableForLong)]
    fn an_outage_lasts_as_long_as_it_was_seen(
        #[case] last_try: u32,
        #[case] asked: u32,
        #[case] expected: Basis,
    ) {
        let record = Record {
            key: "http://example.com".to_owned(),
            copy: None,
            last: failed(NOW + last_try * DAY, NOW),
        };
        assert_eq!(in_outage(&record, &Settings::default(), NOW + asked * DAY), expected);
        // After a long outage, a copy decides if there is one.
        let about = About { validated_at: NOW, ..About::default() };
        let record = Record { copy: Some(FileCopy { body: Vec::new(), about }), ..record };
        let expected =
            if expected == Basis::UnreachableForLong { Basis::LastCopy } else { expected };
        assert_eq!(in_outage(&record, &Settings::default(), NOW + asked * DAY), expected);
    }
}
