//! The productions that the 2018 grammar imports from RFC 1945 (section 3.2.1) and RFC 1808 (section 2.2): URLs and
//! paths. Start at [`absolute_uri`] and [`path`].
//!
//! In a line of the 2018 grammar, the octets that can follow a URL or a path are never part of a URL or a path. So each
//! function takes as many octets as possible.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::recognize;
use nom::multi::{many0_count, many1_count};

use super::{Taken, octet};

/// ```abnf
/// ALPHA = %x41-5A / %x61-7A
/// ```
pub(super) fn alpha(input: &[u8]) -> Taken<'_> {
    octet(|o| o.is_ascii_alphabetic())(input)
}

/// ```abnf
/// DIGIT = %x30-39
/// ```
pub(super) fn digit(input: &[u8]) -> Taken<'_> {
    octet(|o| o.is_ascii_digit())(input)
}

/// ```abnf
/// HEX = DIGIT / "A" / "B" / "C" / "D" / "E" / "F"
/// ```
pub(super) fn hex(input: &[u8]) -> Taken<'_> {
    alt((digit, octet(|o| matches!(o, b'A'..=b'F' | b'a'..=b'f')))).parse(input)
}

/// ```abnf
/// absoluteURI = scheme ":" *(uchar / reserved)
/// ```
pub(super) fn absolute_uri(input: &[u8]) -> Taken<'_> {
    recognize((scheme, tag(":"), many0_count(alt((uchar, reserved))))).parse(input)
}

/// ```abnf
/// scheme = 1*(ALPHA / DIGIT / "+" / "-" / ".")
/// ```
pub(super) fn scheme(input: &[u8]) -> Taken<'_> {
    recognize(many1_count(alt((alpha, digit, octet(|o| matches!(o, b'+' | b'-' | b'.'))))))
        .parse(input)
}

/// ```abnf
/// uchar = unreserved / escape
/// ```
pub(super) fn uchar(input: &[u8]) -> Taken<'_> {
    alt((unreserved, escape)).parse(input)
}

/// ```abnf
/// unreserved = ALPHA / DIGIT / safe / extra / national
/// ```
pub(super) fn unreserved(input: &[u8]) -> Taken<'_> {
    alt((alpha, digit, safe, extra, national)).parse(input)
}

/// ```abnf
/// escape = "%" HEX HEX
/// ```
pub(super) fn escape(input: &[u8]) -> Taken<'_> {
    recognize((tag("%"), hex, hex)).parse(input)
}

/// ```abnf
/// reserved = ";" / "/" / "?" / ":" / "@" / "&" / "=" / "+"
/// ```
pub(super) fn reserved(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+'))(input)
}

/// ```abnf
/// extra = "!" / "*" / "'" / "(" / ")" / ","
/// ```
pub(super) fn extra(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, b'!' | b'*' | b'\'' | b'(' | b')' | b','))(input)
}

/// ```abnf
/// safe = "$" / "-" / "_" / "."
/// ```
pub(super) fn safe(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, b'$' | b'-' | b'_' | b'.'))(input)
}

/// ```abnf
/// national = %x5B-5E / %x60 / %x7B-7E / %x80-FF
/// ```
pub(super) fn national(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, 0x5B..=0x5E | 0x60 | 0x7B..=0x7E | 0x80..=0xFF))(input)
}

/// ```abnf
/// path = fsegment *("/" segment)
/// ```
pub(super) fn path(input: &[u8]) -> Taken<'_> {
    recognize((fsegment, many0_count((tag("/"), segment)))).parse(input)
}

/// ```abnf
/// fsegment = 1*pchar
/// ```
pub(super) fn fsegment(input: &[u8]) -> Taken<'_> {
    recognize(many1_count(pchar)).parse(input)
}

/// ```abnf
/// segment = *pchar
/// ```
pub(super) fn segment(input: &[u8]) -> Taken<'_> {
    recognize(many0_count(pchar)).parse(input)
}

/// ```abnf
/// pchar = path-uchar / ":" / "@" / "&" / "="
/// ```
pub(super) fn pchar(input: &[u8]) -> Taken<'_> {
    alt((path_uchar, octet(|o| matches!(o, b':' | b'@' | b'&' | b'=')))).parse(input)
}

/// ```abnf
/// path-uchar = path-unreserved / escape
/// ```
pub(super) fn path_uchar(input: &[u8]) -> Taken<'_> {
    alt((path_unreserved, escape)).parse(input)
}

/// ```abnf
/// path-unreserved = ALPHA / DIGIT / path-safe / extra
/// ```
pub(super) fn path_unreserved(input: &[u8]) -> Taken<'_> {
    alt((alpha, digit, path_safe, extra)).parse(input)
}

/// ```abnf
/// path-safe = "$" / "-" / "_" / "." / "+"
/// ```
pub(super) fn path_safe(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, b'$' | b'-' | b'_' | b'.' | b'+'))(input)
}
