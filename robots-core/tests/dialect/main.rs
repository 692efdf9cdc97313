//! Tests the parser interface with a dialect that differs from RFC 9309 in the same way as some real parsers.

use robots_core::syntax::{Line, Parser, Report, Span};
use robots_core::{Options, RobotsTxt};

/// The maximum length of a line in the dialect, in octets. The parser ignores the rest of the line.
const LINE_CAP: usize = 16_664;

/// A parser of the dialect. In this dialect, NUL ends a line, like LF, and long lines are cut. A space may replace the
/// colon. A field is known if its name begins with a known name.
struct Foreign;

impl Parser for Foreign {
    fn name(&self) -> &str {
        "foreign"
    }

    fn parse(&self, octets: &[u8], report: &mut Report<'_>) {
        let mut at = 0;
        for text in octets.split_inclusive(|octet| matches!(octet, b'\n' | 0)) {
            let ending = text.strip_suffix(b"\n").or(text.strip_suffix(b"\0"));
            let content = ending.unwrap_or(text).len();
            let mut line = Line::new(Span::new(at, at + text.len()), Span::new(at, at + content));
            let text = &text[..content.min(LINE_CAP)];
            if let Some(end) = text.iter().position(|octet| matches!(octet, b':' | b' ')) {
                let known = [&b"disallow"[..], b"allow", b"user-agent"];
                let known =
                    known.into_iter().find(|name| text.starts_with(name)).map_or(end, <[u8]>::len);
                let value =
                    end + 1 + text[end + 1..].iter().take_while(|octet| **octet == b' ').count();
                let colon = (text[end] == b':').then(|| Span::new(at + end, at + end + 1));
                let value = Span::new(at + value, at + text.len());
                line = line.with_record(Span::new(at, at + known), colon, value);
            }
            report.line(line);
            at = line.span.end();
        }
    }
}

fn verdict(octets: &[u8], url: &str) -> (bool, Option<u32>) {
    let robots = RobotsTxt::parse(&Foreign, octets, Options::default());
    let verdict = robots.verdict("examplebot", url);
    (verdict.is_allowed(), verdict.rule().map(|rule| rule.line().number.get()))
}

#[test]
fn a_missing_colon_is_the_dialects_to_forgive() {
    assert_eq!(verdict(b"user-agent *\ndisallow /x\n", "/x"), (false, Some(2)));
}

#[test]
fn a_field_known_by_its_beginning_is_the_dialects_to_report() {
    assert_eq!(verdict(b"user-agent: *\ndisallow-all: /x\n", "/x"), (false, Some(2)));
}

#[test]
fn a_line_ends_where_the_dialect_says() {
    assert_eq!(verdict(b"user-agent: *\0disallow: /x\0", "/x"), (false, Some(2)));
}

#[test]
fn a_capped_line_loses_its_end() {
    let long = "a".repeat(20_000);
    let body = format!("user-agent: *\ndisallow: /{long}\n");
    let capped = format!("/{}", &long[..LINE_CAP - "disallow: /".len()]);
    assert_eq!(verdict(body.as_bytes(), &capped), (false, Some(2)));
    assert_eq!(verdict(body.as_bytes(), &capped[..capped.len() - 1]), (true, None));
}
