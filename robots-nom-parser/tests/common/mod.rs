//! Checks the lines of any octets, well-formed or not: they must cover all octets, and the two parsers must agree.

use robots_nom_parser::robots_core::syntax::{Line, lines};
use robots_nom_parser::{NomParser, ScanParser};

/// Returns the lines of the octets, after checking that they cover every octet and that the two parsers report the same
/// lines.
pub(crate) fn accounted_lines(octets: &[u8]) -> Vec<Line> {
    let scanned = lines(&ScanParser, octets);
    let lines = lines(&NomParser, octets);
    assert_eq!(scanned, lines, "the parsers differ in {}", octets.escape_ascii());
    let mut reached = 0;
    for (number, line) in (1..).zip(&lines) {
        assert_eq!(line.number.get(), number, "lines count up");
        assert_eq!(line.span.start(), reached, "line {number} begins where the one before ends");
        assert!(!line.span.is_empty(), "line {number} is empty");
        reached = line.span.end();
        check_line(octets, line);
    }
    assert_eq!(reached, octets.len(), "the last line ends with the octets");
    lines
}

/// Checks the parts of a line. The octets outside them must be a byte order mark, white space or the line ending.
fn check_line(octets: &[u8], line: &Line) {
    let at = format!("in line {}, {line:?}", line.number);
    let part = |start: usize, end: usize| &octets[start..end];
    let is_white = |octets: &[u8]| octets.iter().all(|octet| matches!(octet, b' ' | b'\t'));

    let mark = part(line.span.start(), line.content.start());
    assert!(mark.is_empty() || (mark == b"\xEF\xBB\xBF" && line.number.get() == 1), "{at}");
    let ending = part(line.content.end(), line.span.end());
    let is_last = line.span.end() == octets.len();
    assert!(matches!(ending, b"\r" | b"\n" | b"\r\n") || (is_last && ending.is_empty()), "{at}");
    assert!(ending != b"\r" || octets.get(line.span.end()) != Some(&b'\n'), "CR LF parted {at}");
    assert!(!octets[line.content.range()].iter().any(|o| matches!(o, b'\r' | b'\n')), "{at}");

    let text_end = line.comment.map_or(line.content.end(), |comment| {
        assert_eq!(comment.end(), line.content.end(), "{at}");
        assert_eq!(octets[comment.start()], b'#', "{at}");
        comment.start()
    });
    let text = part(line.content.start(), text_end);
    assert!(!text.contains(&b'#'), "{at}");
    let (Some(field), Some(colon), Some(value)) = (line.field, line.colon, line.value) else {
        assert!(line.field.is_none() && line.colon.is_none() && line.value.is_none(), "{at}");
        assert!(!text.contains(&b':'), "a colon is lost {at}");
        return;
    };
    assert!(is_white(part(line.content.start(), field.start())), "{at}");
    assert!(is_white(part(field.end(), colon.start())), "{at}");
    assert_eq!(&octets[colon.range()], b":", "{at}");
    assert!(is_white(part(colon.end(), value.start())), "{at}");
    assert!(is_white(part(value.end(), text_end)), "{at}");
    for part in [&octets[field.range()], &octets[value.range()]] {
        assert_eq!(part, trimmed(part), "{at}");
    }
    assert!(!octets[field.range()].contains(&b':'), "not the first colon {at}");
}

fn trimmed(mut octets: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = octets {
        octets = rest;
    }
    octets
}
