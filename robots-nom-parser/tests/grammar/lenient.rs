//! Compares the lenient grammar with the two parsers. Any octets have exactly one derivation, and each parser must
//! report the lines of this derivation.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use robots_nom_parser::robots_core::syntax::{Line, Parser, Span, lines};
use robots_nom_parser::{NomParser, ScanParser};

use super::first_match::{Tree, derive};
use super::generator::{derived, mutated, pieces};
use super::interpreter::Grammar;
use super::published;

static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| Grammar::read(published::LENIENT));

/// One octet of each class that the grammar distinguishes, except the tab and the octets of the byte order mark.
const TELLING: [u8; 6] = *b"\r\n :#a";

#[test]
fn on_every_short_string() {
    for len in 0..=6 {
        for number in 0..TELLING.len().pow(len) {
            let digit = |place| TELLING[number / TELLING.len().pow(place) % TELLING.len()];
            let octets: Vec<u8> = (0..len).map(digit).collect();
            agree(&octets).unwrap();
        }
    }
}

#[test]
fn on_every_octet() {
    for octet in 0..=u8::MAX {
        for around in [["", ""], ["a", "b"], ["a", ":b"], ["a: ", ""], ["a:b", " c"], ["# ", "\n"]]
        {
            let [before, behind] = around.map(str::as_bytes);
            agree(&[before, &[octet], behind].concat()).unwrap();
        }
    }
}

#[test]
fn on_byte_order_marks() {
    for mark in [&b"\xEF\xBB\xBF"[..], b"\xEF\xBB", b"\xEF\xBB\xBF\xEF\xBB\xBF", b"\xFE\xFF"] {
        for behind in ["", "\n", "\r\n", " ", "a", " a : b # c\r\n", ":", "#", "\n\u{FEFF}a"] {
            agree(&[mark, behind.as_bytes()].concat()).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 4096,
        failure_persistence: Some(Box::new(FileFailurePersistence::Direct(
            "proptest-regressions/lenient.txt",
        ))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn on_octets_derived_from_the_grammar(octets in derived(&GRAMMAR)) {
        agree(&octets)?;
    }

    #[test]
    fn on_mutations(octets in mutated(&GRAMMAR)) {
        agree(&octets)?;
    }

    #[test]
    fn on_pieces(octets in pieces()) {
        agree(&octets)?;
    }

    #[test]
    fn on_any_octets(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        agree(&octets)?;
    }
}

/// Checks that the octets derive, and that the two parsers report the lines of the derivation.
fn agree(octets: &[u8]) -> Result<(), TestCaseError> {
    let tree = derive(&GRAMMAR, "robotstxt", octets)
        .filter(|tree| tree.span.end == octets.len())
        .ok_or_else(|| {
        TestCaseError::fail(format!("does not derive: {}", octets.escape_ascii()))
    })?;
    let expected: Vec<Line> = tree.parts.iter().map(line).collect();
    for parser in [&NomParser as &dyn Parser, &ScanParser] {
        let lines = lines(parser, octets);
        let numbers = lines.iter().map(|line| line.number.get());
        prop_assert!(numbers.eq(1..=u32::try_from(lines.len()).unwrap()));
        let lines: Vec<_> = lines.iter().map(unnumbered).collect();
        prop_assert_eq!(&lines, &expected, "{} in {}", parser.name(), octets.escape_ascii());
    }
    Ok(())
}

/// Converts the derivation of a `marked-line` or `line` to a [`Line`].
fn line(tree: &Tree) -> Line {
    let span = |tree: &Tree| Span::new(tree.span.start, tree.span.end);
    let empty = |at: usize| Span::new(at, at);
    let part = |name: &str| tree.find(name).map(span);
    let start = part("byte-order-mark").map_or(tree.span.start, Span::end);
    let mut line = Line::new(span(tree), part("content").unwrap_or(empty(start)));
    if let Some(field_line) = tree.find("field-line") {
        let part = |name: &str| field_line.parts.iter().find(|part| part.name == name).map(span);
        let colon = part("\":\"").expect("a field-line has a colon");
        let field = part("field").unwrap_or(empty(start));
        line = line.with_record(field, Some(colon), part("value").unwrap_or(empty(colon.end())));
    }
    part("comment").map_or(line, |comment| line.with_comment(comment))
}

/// Returns the line without its number.
fn unnumbered(line: &Line) -> Line {
    let mut unnumbered = Line::new(line.span, line.content);
    if let (Some(field), Some(value)) = (line.field, line.value) {
        unnumbered = unnumbered.with_record(field, line.colon, value);
    }
    line.comment.map_or(unnumbered, |comment| unnumbered.with_comment(comment))
}
