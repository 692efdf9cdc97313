//! The parser [`NomParser`]: it reads lines with the lenient grammar.
//!
//! Start at [`line()`]. The parser computes the spans of the parts that the grammar's productions took, and does not
//! interpret these parts. The field may be unknown, and the value may be invalid. A line without a colon is reported
//! without field and value.

use nom::Offset;
use robots_core::syntax::{Grammar, GrammarMatch, Line, Parser, Report, Span};

use crate::derive;
use crate::grammar::lenient;

/// The parser whose functions are the productions of a grammar. Combinators of nom connect these functions.
///
/// The grammar is `lenient.abnf`, from which any octets derive. Lines end in CR, LF or CR LF. In a line, the field is
/// before the first colon and the value is after it. Spaces and tabs around the field and the value do not belong to
/// them. The comment begins at the first `#`, and a colon in the comment has no meaning. A byte order mark at the very
/// start belongs to the span of line 1, not to its content. The span of an empty field is at the start of the content.
/// The span of an empty value is directly after the colon. Spans have 32 bits, so there must be fewer than 4 GiB of
/// octets. [`RobotsTxt`](robots_core::RobotsTxt) ensures this.
///
/// ```
/// use robots_nom_parser::{NomParser, robots_core::syntax::lines};
/// let octets = b"Disallow : /x # why\r\nno colon";
/// let lines = lines(&NomParser, octets);
/// assert_eq!(lines.len(), 2);
/// assert_eq!(&octets[lines[0].value.unwrap().range()], b"/x");
/// assert_eq!(&octets[lines[0].comment.unwrap().range()], b"# why");
/// assert_eq!(lines[1].field, None);
/// ```
///
/// [`ScanParser`](crate::ScanParser) reports the same lines and is much faster.
///
/// The recogniser, [`Parser::derives`], supports the grammars of RFC 9309 (section 2.2) and of google-2018 ("formal
/// syntax"). The recogniser checks a file against `robotstxt`. It checks a single line, with its ending, against
/// `startgroupline`, `rule` and `emptyline`, or in google-2018 against `startgroupline`, `groupmemberline`,
/// `nongroupline` and `comment`. Comments have no line ending in google-2018, so a comment line derives only if it is
/// the last line and has no ending.
///
/// ```
/// use robots_nom_parser::{NomParser, robots_core::syntax::{Grammar, Parser}};
/// let derived = NomParser.derives(Grammar::Rfc9309, b"user-agent: a\nsitemap: b\n").unwrap();
/// assert!(!derived.file());
/// assert_eq!(derived.lines(), [true, false]);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NomParser;

impl Parser for NomParser {
    fn name(&self) -> &'static str {
        "nom"
    }

    fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
        for parts in lenient::robotstxt(octets) {
            report.line(line(octets, &parts));
        }
    }

    fn derives(&self, grammar: Grammar, octets: &[u8]) -> Option<GrammarMatch> {
        derive::derivation(grammar, octets)
    }
}

/// Returns the first line if it begins with a byte order mark.
#[inline(never)]
pub(crate) fn marked_line(octets: &[u8]) -> Option<Line> {
    lenient::marked_line(octets).ok().map(|(_, parts)| line(octets, &parts))
}

/// Returns the line that begins at an offset, which must be before the end of the octets. A byte order mark at this
/// offset counts as text.
#[inline(never)]
pub(crate) fn line_at(octets: &[u8], start: usize) -> Line {
    lenient::line(&octets[start..]).map_or_else(
        |_| Line::new(Span::new(start, start), Span::new(start, start)),
        |(_, parts)| line(octets, &parts),
    )
}

/// Converts the parts of a line to a [`Line`] with spans.
fn line(octets: &[u8], parts: &lenient::Line<'_>) -> Line {
    let span = |part: &[u8]| {
        let start = octets.offset(part);
        Span::new(start, start + part.len())
    };
    let empty = |at: usize| Span::new(at, at);
    let all = span(parts.octets);
    let start = parts.byte_order_mark.map_or(all.start(), |mark| span(mark).end());
    let Some(content) = parts.content else { return Line::new(all, empty(start)) };
    let mut line = Line::new(all, span(content.octets));
    if let Some(field_line) = content.field_line {
        let colon = span(field_line.colon);
        let field = field_line.field.map_or(empty(start), span);
        let value = field_line.value.map_or(empty(colon.end()), span);
        line = line.with_record(field, Some(colon), value);
    }
    content.comment.map_or(line, |comment| line.with_comment(span(comment)))
}
