//! The grammar of RFC 9309, section 2.2, in the order of `spec-cases/grammar/rfc9309.abnf`.
//!
//! Start at [`robotstxt`]. Except in [`nl`], alternatives are tried in the order of the document, and the first one
//! that fits is the only one that can lead to the end of the file. Repetitions take as many elements as possible, which
//! does not change whether a file derives. So the recogniser is exact, and each octet is read a bounded number of
//! times.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, recognize};
use nom::multi::{many0_count, many1_count};

use super::utf8::{utf8_2, utf8_3, utf8_4};
use super::{Taken, literal, octet};

/// A group takes every line that may belong to it. A group could also end earlier: before an emptyline, or between two
/// startgrouplines, because rules are optional. This choice does not change whether the file derives.
///
/// ```abnf
/// robotstxt = *(group / emptyline)
/// ```
pub(crate) fn robotstxt(input: &[u8]) -> Taken<'_> {
    recognize(many0_count(alt((group, emptyline)))).parse(input)
}

/// ```abnf
/// group = startgroupline *(startgroupline / emptyline) *(rule / emptyline)
/// ```
pub(super) fn group(input: &[u8]) -> Taken<'_> {
    recognize((
        startgroupline,
        many0_count(alt((startgroupline, emptyline))),
        many0_count(alt((rule, emptyline))),
    ))
    .parse(input)
}

/// ```abnf
/// startgroupline = *WS "user-agent" *WS ":" *WS product-token EOL
/// ```
pub(crate) fn startgroupline(input: &[u8]) -> Taken<'_> {
    recognize((
        many0_count(ws),
        literal("user-agent"),
        many0_count(ws),
        tag(":"),
        many0_count(ws),
        product_token,
        eol,
    ))
    .parse(input)
}

/// ```abnf
/// rule = *WS ("allow" / "disallow") *WS ":" *WS (path-pattern / empty-pattern) EOL
/// ```
pub(crate) fn rule(input: &[u8]) -> Taken<'_> {
    recognize((
        many0_count(ws),
        alt((literal("allow"), literal("disallow"))),
        many0_count(ws),
        tag(":"),
        many0_count(ws),
        alt((path_pattern, empty_pattern)),
        eol,
    ))
    .parse(input)
}

/// ```abnf
/// product-token = identifier / "*"
/// ```
pub(super) fn product_token(input: &[u8]) -> Taken<'_> {
    alt((identifier, tag("*"))).parse(input)
}

/// ```abnf
/// path-pattern = "/" *UTF8-char-noctl
/// ```
pub(super) fn path_pattern(input: &[u8]) -> Taken<'_> {
    recognize((tag("/"), many0_count(utf8_char_noctl))).parse(input)
}

/// In a file, this production takes no octets, because the `*WS` before it in `rule` has already taken the white space.
///
/// ```abnf
/// empty-pattern = *WS
/// ```
pub(super) fn empty_pattern(input: &[u8]) -> Taken<'_> {
    recognize(many0_count(ws)).parse(input)
}

/// ```abnf
/// identifier = 1*(%x2D / %x41-5A / %x5F / %x61-7A)
/// ```
pub(super) fn identifier(input: &[u8]) -> Taken<'_> {
    recognize(many1_count(octet(|o| matches!(o, b'-' | b'A'..=b'Z' | b'_' | b'a'..=b'z'))))
        .parse(input)
}

/// ```abnf
/// comment = "#" *(UTF8-char-noctl / WS / "#")
/// ```
pub(super) fn comment(input: &[u8]) -> Taken<'_> {
    recognize((tag("#"), many0_count(alt((utf8_char_noctl, ws, tag("#")))))).parse(input)
}

/// ```abnf
/// emptyline = EOL
/// ```
pub(crate) fn emptyline(input: &[u8]) -> Taken<'_> {
    eol(input)
}

/// ```abnf
/// EOL = *WS [comment] NL
/// ```
pub(super) fn eol(input: &[u8]) -> Taken<'_> {
    recognize((many0_count(ws), opt(comment), nl)).parse(input)
}

/// This function tries CR LF before CR, because CR alone would leave the LF, which would be another emptyline.
///
/// ```abnf
/// NL = %x0D / %x0A / %x0D.0A
/// ```
pub(super) fn nl(input: &[u8]) -> Taken<'_> {
    alt((tag("\r\n"), tag("\r"), tag("\n"))).parse(input)
}

/// ```abnf
/// WS = %x20 / %x09
/// ```
pub(super) fn ws(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, b' ' | b'\t'))(input)
}

/// ```abnf
/// UTF8-char-noctl = UTF8-1-noctl / UTF8-2 / UTF8-3 / UTF8-4
/// ```
pub(super) fn utf8_char_noctl(input: &[u8]) -> Taken<'_> {
    alt((utf8_1_noctl, utf8_2, utf8_3, utf8_4)).parse(input)
}

/// The class includes DEL (%x7F), although DEL is a control character.
///
/// ```abnf
/// UTF8-1-noctl = %x21 / %x22 / %x24-7F
/// ```
pub(super) fn utf8_1_noctl(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, 0x21 | 0x22 | 0x24..=0x7F))(input)
}
