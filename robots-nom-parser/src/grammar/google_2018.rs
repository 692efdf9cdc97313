//! The productions for lines of google-2018, in the order of `spec-cases/grammar/google-2018.abnf`. Comments in that
//! file explain each choice where the published text is unclear. The module `alternatives` recognises whole files.
//!
//! Start at [`startgroupline`]. In this grammar, white space may fold a line, and a comment alone in a line has no line
//! ending. So a file may have several derivations, and the first one that fits may not reach the end of the file. In a
//! single line, no text follows the ending, so white space cannot fold the line. If any derivation reaches the end of
//! the line, the first one does. The functions in this module take the first derivation.

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{opt, recognize};
use nom::multi::{many0_count, many1_count};

use super::uri::{absolute_uri, path};
use super::utf8::{utf8_2, utf8_3, utf8_4};
use super::{Taken, literal, octet};

/// ```abnf
/// startgroupline = [LWS] "user-agent" [LWS] ":" [LWS] agentvalue [comment] EOL
/// ```
pub(crate) fn startgroupline(input: &[u8]) -> Taken<'_> {
    recognize((
        opt(lws),
        literal("user-agent"),
        opt(lws),
        tag(":"),
        opt(lws),
        agentvalue,
        opt(comment),
        eol,
    ))
    .parse(input)
}

/// ```abnf
/// groupmemberline = [LWS] ( pathmemberfield [LWS] ":" [LWS] pathvalue
///                         / othermemberfield [LWS] ":" [LWS] textvalue ) [comment] EOL
/// ```
pub(crate) fn groupmemberline(input: &[u8]) -> Taken<'_> {
    recognize((
        opt(lws),
        alt((
            recognize((pathmemberfield, opt(lws), tag(":"), opt(lws), pathvalue)),
            recognize((othermemberfield, opt(lws), tag(":"), opt(lws), textvalue)),
        )),
        opt(comment),
        eol,
    ))
    .parse(input)
}

/// ```abnf
/// nongroupline = [LWS] ( urlnongroupfield [LWS] ":" [LWS] urlvalue
///                      / othernongroupfield [LWS] ":" [LWS] textvalue ) [comment] EOL
/// ```
pub(crate) fn nongroupline(input: &[u8]) -> Taken<'_> {
    recognize((
        opt(lws),
        alt((
            recognize((urlnongroupfield, opt(lws), tag(":"), opt(lws), urlvalue)),
            recognize((othernongroupfield, opt(lws), tag(":"), opt(lws), textvalue)),
        )),
        opt(comment),
        eol,
    ))
    .parse(input)
}

/// ```abnf
/// comment = [LWS] "#" *anychar
/// ```
pub(crate) fn comment(input: &[u8]) -> Taken<'_> {
    recognize((opt(lws), tag("#"), many0_count(anychar))).parse(input)
}

/// ```abnf
/// agentvalue = textvalue
/// ```
pub(super) fn agentvalue(input: &[u8]) -> Taken<'_> {
    textvalue(input)
}

/// ```abnf
/// pathmemberfield = "disallow" / "allow"
/// ```
pub(super) fn pathmemberfield(input: &[u8]) -> Taken<'_> {
    alt((literal("disallow"), literal("allow"))).parse(input)
}

/// ```abnf
/// othermemberfield = ""
/// ```
pub(super) fn othermemberfield(input: &[u8]) -> Taken<'_> {
    tag("").parse(input)
}

/// ```abnf
/// urlnongroupfield = "sitemap"
/// ```
pub(super) fn urlnongroupfield(input: &[u8]) -> Taken<'_> {
    literal("sitemap")(input)
}

/// ```abnf
/// othernongroupfield = ""
/// ```
pub(super) fn othernongroupfield(input: &[u8]) -> Taken<'_> {
    tag("").parse(input)
}

/// ```abnf
/// pathvalue = "/" path
/// ```
pub(super) fn pathvalue(input: &[u8]) -> Taken<'_> {
    recognize((tag("/"), path)).parse(input)
}

/// ```abnf
/// urlvalue = absoluteURI
/// ```
pub(super) fn urlvalue(input: &[u8]) -> Taken<'_> {
    absolute_uri(input)
}

/// ```abnf
/// textvalue = *(valuechar / SP)
/// ```
pub(super) fn textvalue(input: &[u8]) -> Taken<'_> {
    recognize(many0_count(alt((valuechar, sp)))).parse(input)
}

/// ```abnf
/// valuechar = %x20-22 / %x24-7E / UTF8-2 / UTF8-3 / UTF8-4
/// ```
pub(super) fn valuechar(input: &[u8]) -> Taken<'_> {
    alt((octet(|o| matches!(o, 0x20..=0x22 | 0x24..=0x7E)), utf8_2, utf8_3, utf8_4)).parse(input)
}

/// ```abnf
/// anychar = %x20-7E / UTF8-2 / UTF8-3 / UTF8-4
/// ```
pub(super) fn anychar(input: &[u8]) -> Taken<'_> {
    alt((octet(|o| matches!(o, 0x20..=0x7E)), utf8_2, utf8_3, utf8_4)).parse(input)
}

/// This function tries CR LF before CR, because CR alone would leave an LF, and no record begins with an LF.
///
/// ```abnf
/// EOL = CR / LF / (CR LF)
/// ```
pub(super) fn eol(input: &[u8]) -> Taken<'_> {
    alt((recognize((cr, lf)), cr, lf)).parse(input)
}

/// ```abnf
/// LWS = [CRLF] 1*(SP / HT)
/// ```
pub(super) fn lws(input: &[u8]) -> Taken<'_> {
    recognize((opt(crlf), many1_count(alt((sp, ht))))).parse(input)
}

/// ```abnf
/// CRLF = CR LF
/// ```
pub(super) fn crlf(input: &[u8]) -> Taken<'_> {
    recognize((cr, lf)).parse(input)
}

/// ```abnf
/// CR = %x0D
/// ```
pub(super) fn cr(input: &[u8]) -> Taken<'_> {
    octet(|o| o == b'\r')(input)
}

/// ```abnf
/// LF = %x0A
/// ```
pub(super) fn lf(input: &[u8]) -> Taken<'_> {
    octet(|o| o == b'\n')(input)
}

/// ```abnf
/// SP = %x20
/// ```
pub(super) fn sp(input: &[u8]) -> Taken<'_> {
    octet(|o| o == b' ')(input)
}

/// ```abnf
/// HT = %x09
/// ```
pub(super) fn ht(input: &[u8]) -> Taken<'_> {
    octet(|o| o == b'\t')(input)
}
