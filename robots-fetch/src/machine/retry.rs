//! [`wait`] computes how long to wait after a failure before the next request. The wait doubles with each failure, up
//! to a maximum. If the site sends `Retry-After`, that value is used, with a minimum and a maximum. This module has no
//! clock and no source of randomness.

use std::time::Duration;

use crate::settings::{MAX_RETRY_AFTER, Settings};

/// The shortest wait that a `Retry-After` can set. A shorter value counts as this time.
const MIN_RETRY_AFTER: Duration = Duration::from_secs(60);

/// Returns the time to wait after a number of successive failures; the first failure counts as one.
///
/// Up to a tenth is added to the time, depending on a hash of the key and the number of failures. So origins that fail
/// together are not asked again together. The same record gives the same time on every machine, and no source of
/// randomness is needed.
pub(crate) fn wait(
    settings: &Settings,
    key: &str,
    failures: u32,
    asked_for_a_pause: bool,
    retry_after: Option<Duration>,
) -> Duration {
    let bounded = if let Some(asked_for) = retry_after {
        // The site's value has a minimum and a maximum, so that a mistake of the site's operator cannot stop requests
        // for a year, or cause them continuously.
        asked_for.clamp(MIN_RETRY_AFTER, MAX_RETRY_AFTER)
    } else {
        let first = if asked_for_a_pause { settings.retry_after_503 } else { settings.first_retry };
        let doubled = first.saturating_mul(1 << failures.saturating_sub(1).min(20));
        doubled.min(settings.longest_retry)
    };
    let jitter = bounded.mul_f64(f64::from(hash(key, failures) % 1000) / 10_000.0);
    bounded.saturating_add(jitter)
}

/// Returns the FNV-1a hash of a key and a number.
fn hash(key: &str, failures: u32) -> u32 {
    let octets = key.bytes().chain(failures.to_be_bytes());
    octets.fold(0x811c_9dc5, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::wait;
    use crate::settings::Settings;

    #[rstest]
    #[trace]
    #[case(1, false, None, 3600)]
    #[case(2, false, None, 7200)]
    #[case(1, true, None, 300)]
    #[case(3, true, None, 1200)]
    #[case(60, false, None, 86_400)]
    #[case(1, true, Some(7200), 7200)]
    #[case(1, false, Some(7200), 7200)]
    #[case(1, true, Some(120), 120)]
    #[case(1, false, Some(120), 120)]
    #[case(9, true, Some(120), 120)]
    #[case(1, true, Some(10), 60)]
    #[case(1, true, Some(u64::MAX), 86_400)]
    fn waits(
        #[case] failures: u32,
        #[case] pause: bool,
        #[case] retry_after: Option<u64>,
        #[case] seconds: u64,
    ) {
        let retry_after = retry_after.map(Duration::from_secs);
        let wait = wait(&Settings::default(), "http://example.com", failures, pause, retry_after)
            .as_secs();
        assert!((seconds..=seconds + seconds / 10).contains(&wait), "{wait}");
    }

    #[test]
    fn origins_that_fail_together_come_back_apart() {
        let wait = |host: u32| {
            wait(&Settings::default(), &format!("http://{host}.example.com"), 1, false, None)
        };
        let waits: std::collections::BTreeSet<_> = (0..100).map(wait).collect();
        assert!(waits.len() > 80, "{}", waits.len());
    }
}
