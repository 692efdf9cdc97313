//! The lenient grammar, in the order of `spec-cases/grammar/lenient.abnf`: it divides any octets into lines, and a line
//! into its parts.
//!
//! Start at [`robotstxt`]. The grammar uses first-match choice and greedy repetition, as nom does. If a production has
//! parts, its function returns these parts. No function searches beyond the end of the line, so each octet is read only
//! a few times.

use memchr::{memchr, memchr2, memchr3};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, take};
use nom::combinator::{consumed, opt, peek, recognize};
use nom::multi::many0_count;
use nom::sequence::{preceded, terminated};

use super::{Found, Taken, octet};

/// A line and its parts.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// The whole line, with its byte order mark and its ending, if it has them.
    pub(crate) octets: &'a [u8],
    pub(crate) byte_order_mark: Option<&'a [u8]>,
    pub(crate) content: Option<Content<'a>>,
}

/// The content of a line and its parts.
#[derive(Clone, Copy)]
pub(crate) struct Content<'a> {
    pub(crate) octets: &'a [u8],
    pub(crate) field_line: Option<FieldLine<'a>>,
    pub(crate) comment: Option<&'a [u8]>,
}

/// The content of a line with a colon, and its parts.
#[derive(Clone, Copy)]
pub(crate) struct FieldLine<'a> {
    pub(crate) field: Option<&'a [u8]>,
    pub(crate) colon: &'a [u8],
    pub(crate) value: Option<&'a [u8]>,
    comment: Option<&'a [u8]>,
}

/// Returns the lines in order. Every octet string derives, so no octets remain.
///
/// ```abnf
/// robotstxt = [marked-line] *line
/// ```
pub(crate) fn robotstxt(input: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let first = opt(marked_line).parse(input);
    let (mut rest, marked) = first.unwrap_or((input, None));
    let lines = core::iter::from_fn(move || {
        let (next, line) = line(rest).ok()?;
        rest = next;
        Some(line)
    });
    marked.into_iter().chain(lines)
}

/// ```abnf
/// marked-line = byte-order-mark [content] [NL]
/// ```
pub(crate) fn marked_line(input: &[u8]) -> Found<'_, Line<'_>> {
    consumed((byte_order_mark, opt(content), opt(nl)))
        .map(|(octets, (mark, content, _))| Line { octets, byte_order_mark: Some(mark), content })
        .parse(input)
}

/// ```abnf
/// line = content [NL] / NL
/// ```
pub(crate) fn line(input: &[u8]) -> Found<'_, Line<'_>> {
    consumed(alt((terminated(content, opt(nl)).map(Some), nl.map(|_| None))))
        .map(|(octets, content)| Line { octets, byte_order_mark: None, content })
        .parse(input)
}

/// ```abnf
/// content = field-line / text [comment] / comment
/// ```
pub(super) fn content(input: &[u8]) -> Found<'_, Content<'_>> {
    consumed(alt((
        field_line.map(|field_line| (Some(field_line), field_line.comment)),
        preceded(text, opt(comment)).map(|comment| (None, comment)),
        comment.map(|comment| (None, Some(comment))),
    )))
    .map(|(octets, (field_line, comment))| Content { octets, field_line, comment })
    .parse(input)
}

/// ```abnf
/// field-line = [*WS field] *WS ":" [*WS value] *WS [comment]
/// ```
pub(super) fn field_line(input: &[u8]) -> Found<'_, FieldLine<'_>> {
    (
        opt(preceded(many0_count(ws), field)),
        preceded(many0_count(ws), tag(":")),
        opt(preceded(many0_count(ws), value)),
        preceded(many0_count(ws), opt(comment)),
    )
        .map(|(field, colon, value, comment)| FieldLine { field, colon, value, comment })
        .parse(input)
}

/// ```abnf
/// field = 1*text-octet *(1*WS 1*text-octet)
/// ```
pub(super) fn field(input: &[u8]) -> Taken<'_> {
    preceded(peek(text_octet), without_ws_at_end(before(colon_hash_or_nl))).parse(input)
}

/// ```abnf
/// value = 1*(text-octet / ":") *(1*WS 1*(text-octet / ":"))
/// ```
pub(super) fn value(input: &[u8]) -> Taken<'_> {
    preceded(peek(alt((text_octet, tag(":")))), without_ws_at_end(before(hash_or_nl))).parse(input)
}

/// ```abnf
/// text = 1*(text-octet / WS)
/// ```
pub(super) fn text(input: &[u8]) -> Taken<'_> {
    preceded(peek(alt((text_octet, ws))), before(colon_hash_or_nl)).parse(input)
}

/// ```abnf
/// text-octet = %x00-08 / %x0B-0C / %x0E-1F / %x21-22 / %x24-39 / %x3B-FF
/// ```
pub(super) fn text_octet(input: &[u8]) -> Taken<'_> {
    octet(|o| !matches!(o, b'\t' | b'\n' | b'\r' | b' ' | b'#' | b':'))(input)
}

/// ```abnf
/// comment = "#" *(%x00-09 / %x0B-0C / %x0E-FF)
/// ```
pub(super) fn comment(input: &[u8]) -> Taken<'_> {
    recognize((tag("#"), before(|input| memchr2(b'\r', b'\n', input)))).parse(input)
}

/// ```abnf
/// NL = %x0D.0A / %x0D / %x0A
/// ```
pub(super) fn nl(input: &[u8]) -> Taken<'_> {
    alt((tag("\r\n"), tag("\r"), tag("\n"))).parse(input)
}

/// ```abnf
/// WS = %x20 / %x09
/// ```
pub(super) fn ws(input: &[u8]) -> Taken<'_> {
    octet(is_ws)(input)
}

/// ```abnf
/// byte-order-mark = %xEF.BB.BF
/// ```
pub(super) fn byte_order_mark(input: &[u8]) -> Taken<'_> {
    tag(&b"\xEF\xBB\xBF"[..])(input)
}

/// Makes a production that takes the octets before the first octet that the search finds, or all octets if it finds
/// nothing.
///
/// A search for the few octets that end a part is many times faster than a step for each octet.
fn before(search: impl Fn(&[u8]) -> Option<usize>) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| take(search(input).unwrap_or(input.len()))(input)
}

/// Makes a production that takes the octets of another production, without white space at the end.
fn without_ws_at_end(part: impl Fn(&[u8]) -> Taken<'_>) -> impl Fn(&[u8]) -> Taken<'_> {
    move |input| {
        let (_, part) = part(input)?;
        take(part.iter().rposition(|o| !is_ws(*o)).map_or(0, |last| last + 1))(input)
    }
}

fn hash_or_nl(input: &[u8]) -> Option<usize> {
    memchr3(b'#', b'\r', b'\n', input)
}

fn colon_hash_or_nl(input: &[u8]) -> Option<usize> {
    let colon_or_nl = memchr3(b':', b'\r', b'\n', input);
    memchr(b'#', &input[..colon_or_nl.unwrap_or(input.len())]).or(colon_or_nl)
}

const fn is_ws(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}
