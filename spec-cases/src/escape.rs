//! Reads and writes escapes for octets that a text file cannot contain.

use std::error::Error;
use std::fmt::{self, Write as _};

/// Turns escaped text into octets.
///
/// The escapes are `\r`, `\n`, `\t`, `\\` and `\xNN` with two hex digits. All other characters mean their UTF-8 octets.
/// [`README`](crate::README) defines the escapes under `robots-escaped`. The recorded verdicts of Google's library and
/// the bodies of a test server use the same escapes.
///
/// # Errors
/// Returns an error if a backslash begins no escape.
///
/// ```
/// use robots_spec_cases::unescape;
/// assert_eq!(unescape(r"disallow: /\xFF\r\n").unwrap(), b"disallow: /\xFF\r\n");
/// assert_eq!(
///     unescape(r"\q").unwrap_err().to_string(),
///     r"bad escape `\q`; the escapes are \r, \n, \t, \\ and \xNN with two hex digits",
/// );
/// ```
pub fn unescape(text: &str) -> Result<Vec<u8>, BadEscape> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        octets.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let bad = || BadEscape { begin: escape.chars().take(3).collect() };
        let (octet, length) = match escape.as_bytes() {
            [b'r', ..] => (b'\r', 1),
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'\\', ..] => (b'\\', 1),
            [b'x', high, low, ..] => (hex(*high, *low).ok_or_else(bad)?, 3),
            _ => return Err(bad()),
        };
        octets.push(octet);
        rest = &escape[length..];
    }
    octets.extend_from_slice(rest.as_bytes());
    Ok(octets)
}

/// Writes octets as text with escapes, so that [`unescape`] returns the octets again. Printable characters of ASCII stay
/// as they are, except the backslash.
///
/// ```
/// use robots_spec_cases::{escape, unescape};
/// let octets = b"disallow: /\\\xFF\r\n";
/// assert_eq!(escape(octets), r"disallow: /\\\xFF\r\n");
/// assert_eq!(unescape(&escape(octets)).unwrap(), octets);
/// ```
#[must_use]
pub fn escape(octets: &[u8]) -> String {
    let mut text = String::with_capacity(octets.len());
    for octet in octets {
        match octet {
            b'\r' => text.push_str("\\r"),
            b'\n' => text.push_str("\\n"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            b' '..=b'~' => text.push(char::from(*octet)),
            // Writing to a string cannot fail.
            _ => drop(write!(text, "\\x{octet:02X}")),
        }
    }
    text
}

/// Reads two hex digits.
fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |octet| char::from(octet).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    Some(digit(high)? * 16 + digit(low)?)
}

/// The error for a backslash that begins no escape.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadEscape {
    /// The characters after the backslash, at most three.
    pub begin: String,
}

impl fmt::Display for BadEscape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { begin } = self;
        write!(
            f,
            "bad escape `\\{begin}`; the escapes are \\r, \\n, \\t, \\\\ and \\xNN with two hex digits"
        )
    }
}

impl Error for BadEscape {}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn every_octet_is_read_as_it_was_written() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert!(escape(&all).is_ascii());
        assert_eq!(unescape(&escape(&all)).unwrap(), all);
    }

    #[test]
    fn escapes() {
        let cases: [(&str, Option<&[u8]>); 8] = [
            (r"a\r\n\t\\", Some(b"a\r\n\t\\")),
            (r"\xEF\xbbü", Some(b"\xEF\xBB\xC3\xBC")),
            (r"\q", None),
            (r"\x1", None),
            (r"\x+1", None),
            (r"\x1ü", None),
            (r"\", None),
            ("", Some(b"")),
        ];
        for (text, octets) in cases {
            assert_eq!(unescape(text).ok().as_deref(), octets, "{text}");
        }
    }
}
