//! The times of access logs, as milliseconds since 1970 in UTC.
//!
//! Start at [`read`]. It accepts the three forms that servers write: the form of the common log format
//! (`10/Oct/2000:13:55:36 -0700`), ISO 8601 (`2000-10-10T13:55:36.123Z`), and a number since 1970. A time without an
//! offset is UTC. The functions read fixed positions, because a log has a time in every line and a general parser of
//! formats takes longer than all other fields together. `time` checks the calendar.

use time::{Date, Month};

/// Reads a time in any of the forms. Returns `None` if it has another form, or is not a time of the calendar.
pub(super) fn read(text: &[u8]) -> Option<i64> {
    match text {
        [_, _, b'/', ..] => common(text),
        [_, _, _, _, b'-', ..] => {
            let (date, rest) = text.split_at_checked(10)?;
            let [b'T' | b' ', clock @ ..] = rest else { return None };
            self::clock(date_of(date)?, clock)
        }
        _ => number(text),
    }
}

/// Reads the date and the time of two columns, which are in UTC: `2000-10-10` and `13:55:36`.
pub(super) fn columns(date: &[u8], time: &[u8]) -> Option<i64> {
    clock(date_of(date)?, time)
}

const MONTHS: &[u8; 36] = b"JanFebMarAprMayJunJulAugSepOctNovDec";

/// `10/Oct/2000:13:55:36 -0700`
fn common(text: &[u8]) -> Option<i64> {
    let [d, e, b'/', month @ .., b':', _, _, b':', _, _, b':', _, _] = text.get(..20)? else {
        return None;
    };
    let (month, year) = month.split_at_checked(3)?;
    let [b'/', year @ ..] = year else { return None };
    let month = MONTHS.chunks_exact(3).position(|name| name == month)?;
    let day = midnight(digits(year)?, u8::try_from(month).ok()? + 1, digits(&[*d, *e])?)?;
    clock(day, &text[12..])
}

/// `2000-10-10`
fn date_of(text: &[u8]) -> Option<i64> {
    let [year @ .., b'-', m, n, b'-', d, e] = text else { return None };
    if year.len() != 4 {
        return None;
    }
    midnight(digits(year)?, u8::try_from(digits(&[*m, *n])?).ok()?, digits(&[*d, *e])?)
}

/// Returns the time at which a day begins.
fn midnight(year: u32, month: u8, day: u32) -> Option<i64> {
    const JULIAN_DAY_OF_1970: i64 = 2_440_588;
    let month = Month::try_from(month).ok()?;
    let year = i32::try_from(year).ok()?;
    let date = Date::from_calendar_date(year, month, u8::try_from(day).ok()?).ok()?;
    Some((i64::from(date.to_julian_day()) - JULIAN_DAY_OF_1970) * 86_400_000)
}

/// Adds `13:55:36`, a fraction of a second, and an offset to a day.
fn clock(day: i64, text: &[u8]) -> Option<i64> {
    let (clock, rest) = text.split_at_checked(8)?;
    if clock[2] != b':' || clock[5] != b':' {
        return None;
    }
    let [hour, minute, second] = [&clock[..2], &clock[3..5], &clock[6..]].map(digits);
    let (hour, minute, second) = (hour?, minute?, second?);
    // A server may write a leap second.
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let (fraction, rest) = match rest {
        [b'.' | b',', rest @ ..] => {
            let end = rest.iter().take_while(|octet| octet.is_ascii_digit()).count();
            let (fraction, rest) = rest.split_at(end);
            (milliseconds(fraction), rest)
        }
        _ => (0, rest),
    };
    let second = i64::from(hour * 3600 + minute * 60 + second);
    Some(day + second * 1000 + fraction - offset(rest)? * 60_000)
}

/// Reads an offset to UTC in minutes: `Z`, `+02:00`, `-0700`, or nothing.
fn offset(text: &[u8]) -> Option<i64> {
    let text = text.strip_prefix(b" ").unwrap_or(text);
    let (sign, h, i, m, n) = match text {
        b"" | b"Z" | b"z" | b"UTC" | b"GMT" => return Some(0),
        [sign, h, i, m, n] | [sign, h, i, b':', m, n] => (sign, h, i, m, n),
        _ => return None,
    };
    let minutes = i64::from(digits(&[*h, *i])? * 60 + digits(&[*m, *n])?);
    match sign {
        b'+' => Some(minutes),
        b'-' => Some(-minutes),
        _ => None,
    }
}

/// Reads a number since 1970. Its length decides its unit: seconds, milliseconds, microseconds or nanoseconds. So a
/// time is between 1973 and 5138, which no log leaves.
fn number(text: &[u8]) -> Option<i64> {
    let end = text.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let (whole, fraction) = text.split_at(end);
    let value = str::from_utf8(whole).ok()?.parse::<i64>().ok()?;
    match (end, fraction) {
        (9..=11, []) => Some(value * 1000),
        (9..=11, [b'.', digits @ ..]) if digits.iter().all(u8::is_ascii_digit) => {
            Some(value * 1000 + milliseconds(digits))
        }
        (12..=14, []) => Some(value),
        (15..=17, []) => Some(value / 1000),
        (18..=19, []) => Some(value / 1_000_000),
        _ => None,
    }
}

/// Returns the milliseconds of the digits after a decimal point.
fn milliseconds(fraction: &[u8]) -> i64 {
    let digit = |at: usize| fraction.get(at).map_or(0, |octet| i64::from(octet - b'0'));
    digit(0) * 100 + digit(1) * 10 + digit(2)
}

/// Reads a few decimal digits.
fn digits(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |value, octet| {
        octet.is_ascii_digit().then(|| value * 10 + u32::from(octet - b'0'))
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{columns, read};

    #[rstest]
    #[trace]
    #[case("10/Oct/2000:13:55:36 -0700", 971_211_336_000)]
    #[case("29/Feb/2024:23:59:60 +0000", 1_709_251_200_000)]
    #[case("2000-10-10T20:55:36Z", 971_211_336_000)]
    #[case("2000-10-10T13:55:36.123456-07:00", 971_211_336_123)]
    #[case("2000-10-10T20:55:36+0000", 971_211_336_000)]
    #[case("2000-10-10 20:55:36,5", 971_211_336_500)]
    #[case("971211336", 971_211_336_000)]
    #[case("1646861401.5241024", 1_646_861_401_524)]
    #[case("1646861401524", 1_646_861_401_524)]
    #[case("1646861401524102", 1_646_861_401_524)]
    #[case("1646861401524102400", 1_646_861_401_524)]
    fn a_time_has_one_of_three_forms(#[case] text: &str, #[case] milliseconds: i64) {
        assert_eq!(read(text.as_bytes()), Some(milliseconds));
    }

    #[rstest]
    #[trace]
    fn other_text_is_no_time(
        #[values(
            "",
            "-",
            "x",
            "0",
            "12345678",
            "10/Oct/2000",
            "10/Okt/2000:13:55:36 -0700",
            "30/Feb/2024:00:00:00 +0000",
            "10/Oct/2000:24:00:00 +0000",
            "10/Oct/2000:13:55:36 0700",
            "10/Oct/2000:13:55:36 +07",
            "2000-13-01T00:00:00Z",
            "2000-10-10",
            "2000-10-10T20:55",
            "2000-10-10X20:55:36",
            "1646861401.5x",
            "99999999999999999999",
            "10/Oct/2000:13:55:36 -0\u{0661}0",
            "\u{fffd}\u{fffd}/"
        )]
        text: &str,
    ) {
        assert_eq!(read(text.as_bytes()), None);
    }

    #[test]
    fn date_and_time_may_be_two_columns() {
        assert_eq!(columns(b"2000-10-10", b"20:55:36"), Some(971_211_336_000));
        assert_eq!(columns(b"-", b"20:55:36"), None);
    }
}
