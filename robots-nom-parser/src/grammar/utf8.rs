//! The productions for characters outside ASCII, which the two published grammars use (RFC 3629, section 4).

use nom::Parser;
use nom::branch::alt;
use nom::combinator::recognize;

use super::{Taken, octet};

/// ```abnf
/// UTF8-2 = %xC2-DF UTF8-tail
/// ```
pub(super) fn utf8_2(input: &[u8]) -> Taken<'_> {
    recognize((octet(|o| matches!(o, 0xC2..=0xDF)), utf8_tail)).parse(input)
}

/// ```abnf
/// UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2UTF8-tail
///        / %xED %x80-9F UTF8-tail / %xEE-EF 2UTF8-tail
/// ```
pub(super) fn utf8_3(input: &[u8]) -> Taken<'_> {
    alt((
        recognize((octet(|o| o == 0xE0), octet(|o| matches!(o, 0xA0..=0xBF)), utf8_tail)),
        recognize((octet(|o| matches!(o, 0xE1..=0xEC)), utf8_tail, utf8_tail)),
        recognize((octet(|o| o == 0xED), octet(|o| matches!(o, 0x80..=0x9F)), utf8_tail)),
        recognize((octet(|o| matches!(o, 0xEE..=0xEF)), utf8_tail, utf8_tail)),
    ))
    .parse(input)
}

/// ```abnf
/// UTF8-4 = %xF0 %x90-BF 2UTF8-tail / %xF1-F3 3UTF8-tail / %xF4 %x80-8F 2UTF8-tail
/// ```
pub(super) fn utf8_4(input: &[u8]) -> Taken<'_> {
    alt((
        recognize((
            octet(|o| o == 0xF0),
            octet(|o| matches!(o, 0x90..=0xBF)),
            utf8_tail,
            utf8_tail,
        )),
        recognize((octet(|o| matches!(o, 0xF1..=0xF3)), utf8_tail, utf8_tail, utf8_tail)),
        recognize((
            octet(|o| o == 0xF4),
            octet(|o| matches!(o, 0x80..=0x8F)),
            utf8_tail,
            utf8_tail,
        )),
    ))
    .parse(input)
}

/// ```abnf
/// UTF8-tail = %x80-BF
/// ```
pub(super) fn utf8_tail(input: &[u8]) -> Taken<'_> {
    octet(|o| matches!(o, 0x80..=0xBF))(input)
}
