//! Reads lines in the same way as the library. [`lines`] splits a file into lines, and [`Record::of`] reads a field and
//! its value.
//!
//! The library stores a line in a C buffer. So the library ignores the octets that do not fit into the buffer, and a
//! NUL ends the line.

use std::iter;

use robots_core::RuleKind;

/// The maximum number of octets of a line that are read, without byte order mark and line ending.
const LINE_OCTETS: usize = 16_663;

/// The byte order mark at the start of a file. The library skips the mark. If a file begins with only the first one or
/// two octets of the mark, the library skips these octets.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The octets that the library removes around a field and around a value.
const WHITE_SPACE: &[u8] = b" \t\x0B\x0C\r\n";

/// A field that the library knows and uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    UserAgent,
    Rule(RuleKind),
}

/// The names of fields that the library knows, including misspelt names. The library checks only whether a field begins
/// with such a name, and ignores ASCII case. So the library reads `allowed` as `allow`.
const FIELDS: [(&[u8], Field); 10] = [
    (b"user-agent", Field::UserAgent),
    (b"useragent", Field::UserAgent),
    (b"user agent", Field::UserAgent),
    (b"allow", Field::Rule(RuleKind::Allow)),
    (b"disallow", Field::Rule(RuleKind::Disallow)),
    (b"dissallow", Field::Rule(RuleKind::Disallow)),
    (b"dissalow", Field::Rule(RuleKind::Disallow)),
    (b"disalow", Field::Rule(RuleKind::Disallow)),
    (b"diasllow", Field::Rule(RuleKind::Disallow)),
    (b"disallaw", Field::Rule(RuleKind::Disallow)),
];

/// A line with a field that the library uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record<'r> {
    pub(crate) field: Field,
    /// The value without white space around it; it may be empty.
    pub(crate) value: &'r [u8],
}

impl<'r> Record<'r> {
    /// Reads a line. Returns `None` if the library does not use the line.
    pub(crate) fn of(line: &'r [u8]) -> Option<Self> {
        let line = before_nul(&line[..line.len().min(LINE_OCTETS)]);
        let text = trim(before(line, b'#'));
        let (name, value) = match memchr::memchr(b':', text) {
            Some(colon) => (&text[..colon], &text[colon + 1..]),
            None => two_words(text)?,
        };
        Some(Self { field: field(trim(name))?, value: trim(value) })
    }
}

/// Splits a file into lines. CR, LF and CR LF end a line; the first line has the number 1.
pub(crate) fn lines(octets: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    let mark = octets.iter().zip(MARK).take_while(|(octet, mark)| octet == mark).count();
    let mut rest = Some(&octets[mark..]);
    let lines = iter::from_fn(move || {
        let octets = rest?;
        let Some(end) = memchr::memchr2(b'\r', b'\n', octets) else {
            rest = None;
            return Some(octets);
        };
        let ending = if octets[end..].starts_with(b"\r\n") { 2 } else { 1 };
        rest = Some(&octets[end + ending..]);
        Some(&octets[..end])
    });
    (1..).zip(lines)
}

/// Returns the octets before the first NUL.
pub(crate) fn before_nul(octets: &[u8]) -> &[u8] {
    before(octets, 0)
}

/// Returns whether a value is the global agent: `*`, alone or followed by white space.
pub(crate) fn is_global(value: &[u8]) -> bool {
    match value {
        [b'*', rest @ ..] => rest.first().is_none_or(|octet| WHITE_SPACE.contains(octet)),
        _ => false,
    }
}

/// Returns whether a user-agent line's value names an agent. The agent must equal the letters, `-` and `_` at the start
/// of the value. The comparison ignores ASCII case.
pub(crate) fn names(value: &[u8], agent: &str) -> bool {
    let is_kept = |octet: &u8| octet.is_ascii_alphabetic() || matches!(octet, b'-' | b'_');
    let end = value.iter().position(|octet| !is_kept(octet)).unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(agent.as_bytes())
}

fn field(name: &[u8]) -> Option<Field> {
    let begins =
        |with: &[u8]| name.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with));
    FIELDS.iter().find(|(with, _)| begins(with)).map(|(_, field)| *field)
}

/// Returns the two words of a text, or `None` if the text does not have exactly two words. If a line has exactly two
/// words, the library accepts it without a colon.
fn two_words(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
    let (first, rest) = text.split_at(text.iter().position(is_space)?);
    let second = &rest[rest.iter().position(|octet| !is_space(octet))?..];
    (!second.iter().any(is_space)).then_some((first, second))
}

fn before(octets: &[u8], end: u8) -> &[u8] {
    &octets[..memchr::memchr(end, octets).unwrap_or(octets.len())]
}

fn trim(octets: &[u8]) -> &[u8] {
    let is_text = |octet: &u8| !WHITE_SPACE.contains(octet);
    let start = octets.iter().position(is_text).unwrap_or(octets.len());
    let end = octets.iter().rposition(is_text).map_or(start, |last| last + 1);
    &octets[start..end]
}

#[cfg(test)]
mod tests {

    use robots_core::RuleKind::{Allow, Disallow};
    use rstest::rstest;

    use super::{Field, LINE_OCTETS, Record, is_global, lines, names};

    #[rstest]
    #[trace]
    #[case("", &[""])]
    #[case("a\nb", &["a", "b"])]
    #[case("a\r\nb\r\rc\n", &["a", "b", "", "c", ""])]
    #[case("a\n\r", &["a", "", ""])]
    #[case("\u{FEFF}a", &["a"])]
    fn endings(#[case] text: &str, #[case] expected: &[&str]) {
        let found: Vec<&[u8]> = lines(text.as_bytes()).map(|(_, line)| line).collect();
        let expected: Vec<&[u8]> = expected.iter().map(|line| line.as_bytes()).collect();
        assert_eq!(found, expected);
        assert_eq!(
            lines(text.as_bytes()).last().map(|(number, _)| number as usize),
            Some(expected.len())
        );
    }

    #[test]
    fn a_part_of_a_byte_order_mark_is_left_out() {
        assert_eq!(lines(b"\xEF\xBBa").next(), Some((1, &b"a"[..])));
    }

    #[rstest]
    #[trace]
    #[case("Allow: /a", Field::Rule(Allow), "/a")]
    #[case("allowed\t:\x0B/a b ", Field::Rule(Allow), "/a b")]
    #[case("disalow: /a # b", Field::Rule(Disallow), "/a")]
    #[case("disallow /a", Field::Rule(Disallow), "/a")]
    #[case("disallow: /a\0b", Field::Rule(Disallow), "/a")]
    #[case("user agent: x", Field::UserAgent, "x")]
    #[case("useragent:", Field::UserAgent, "")]
    fn records(#[case] line: &str, #[case] field: Field, #[case] value: &str) {
        assert_eq!(Record::of(line.as_bytes()), Some(Record { field, value: value.as_bytes() }));
    }

    #[rstest]
    #[trace]
    #[case("")]
    #[case(": /a")]
    #[case("# allow: /")]
    #[case("disallow /a b")]
    #[case("disallow")]
    #[case("sitemap: /a")]
    #[case("crawl-delay: 5")]
    #[case("user: x")]
    fn other_lines(#[case] line: &str) {
        assert_eq!(Record::of(line.as_bytes()), None);
    }

    #[test]
    fn what_is_beyond_the_buffer_is_dropped() {
        let line = [b"allow:/", &b"a".repeat(LINE_OCTETS)[..]].concat();
        assert_eq!(Record::of(&line).unwrap().value.len(), LINE_OCTETS - "allow:".len());
    }

    #[rstest]
    #[trace]
    #[case("MJ12bot", "mj", true)]
    #[case("a-b_c/1", "A-B_C", true)]
    #[case("ab", "a", false)]
    #[case("1", "", true)]
    #[case("", "", true)]
    fn agents(#[case] value: &str, #[case] agent: &str, #[case] is_named: bool) {
        assert_eq!(names(value.as_bytes(), agent), is_named);
    }

    #[rstest]
    #[trace]
    #[case("*", true)]
    #[case("* all", true)]
    #[case("*all", false)]
    #[case("", false)]
    fn the_global_agent(#[case] value: &str, #[case] is: bool) {
        assert_eq!(is_global(value.as_bytes()), is);
    }
}
