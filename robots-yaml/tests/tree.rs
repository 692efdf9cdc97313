//! Tests the tree: the values of scalars, the places of nodes, and the limits for hostile texts.

use std::fmt::Write as _;

use proptest::prelude::*;
use robots_yaml::{Node, Value, read};
use rstest::rstest;

fn root(text: &str) -> Node {
    read(text).unwrap().unwrap()
}

#[rstest]
#[trace]
#[case("a: 1\nb:\n  - x\n", &[("a", 1, 1), ("1", 1, 4), ("b", 2, 1), ("x", 3, 5)])]
#[case("{ a: \"x\",\n  'b': ä , c: y }", &[("a", 1, 3), ("x", 1, 6), ("b", 2, 3), ("ä", 2, 8), ("c", 2, 12), ("y", 2, 15)])]
#[case("a: &x 1\nb: *x\n", &[("a", 1, 1), ("1", 1, 7), ("b", 2, 1), ("1", 2, 4)])]
fn every_scalar_has_its_place(#[case] text: &str, #[case] places: &[(&str, usize, usize)]) {
    fn scalars(node: &Node, into: &mut Vec<(String, usize, usize)>) {
        into.extend(node.text().map(|text| (text.to_owned(), node.place.line, node.place.column)));
        node.items().iter().for_each(|item| scalars(item, into));
        for (key, value) in node.pairs() {
            scalars(key, into);
            scalars(value, into);
        }
    }
    let mut found = Vec::new();
    scalars(&root(text), &mut found);
    let found: Vec<_> =
        found.iter().map(|(text, line, column)| (&**text, *line, *column)).collect();
    assert_eq!(found, places);
}

#[test]
fn a_comment_belongs_to_the_scalar_without_quotes_before_it() {
    let node = root("a: x # cut\nb: \"y\" # not\nc: z\n# its own line\nd: [u, v # cut\n ]\n");
    let commented = |key| node.get(key).unwrap().has_comment;
    assert_eq!(["a", "b", "c"].map(commented), [true, false, false]);
    assert_eq!(
        node.get("d").unwrap().items().iter().map(|item| item.has_comment).collect::<Vec<_>>(),
        [false, true]
    );
}

#[rstest]
#[trace]
#[case("a: b\na: c\n", 2, 1, "`a` is there twice; put both into one")]
#[case("a: [\n", 1, 4, "this is not YAML")]
#[case("a: *b\n", 1, 4, "`*b` is a YAML alias, and `&b` is missing; quote the text")]
#[case("a: &b [*b]\n", 1, 8, "this alias is within the node that it repeats")]
#[case("a: !b c\n", 1, 7, "a text that begins with `!` is a YAML tag; quote the text")]
#[case("%TAG !a! tag:x\n---\na: !a!b x\n", 1, 1, "a line that begins with `%` is a YAML directive")]
#[case("\u{feff}%YAML 1.2\n---\na: b\n", 1, 1, "a line that begins with `%` is a YAML directive")]
#[case("---\na: b\n---\nc: d\n", 4, 1, "a second document begins here; remove the line `---`")]
fn mistakes(#[case] text: &str, #[case] line: usize, #[case] column: usize, #[case] message: &str) {
    let mistake = read(text).unwrap_err();
    assert_eq!((mistake.place.line, mistake.place.column), (line, column), "{mistake}");
    assert!(mistake.message.starts_with(message), "{mistake}");
}

#[rstest]
#[trace]
#[case("[", 64, 65)]
#[case("- ", 64, 65)]
#[case("a: {b: [", 15, 22)]
fn depth_is_limited(#[case] open: &str, #[case] read_times: usize, #[case] refused_times: usize) {
    let is_too_deep = |times| {
        let mistake = read(&open.repeat(times)).err();
        mistake.is_some_and(|mistake| {
            mistake.message.starts_with("lists and mappings nest more than 64 deep")
        })
    };
    assert!(is_too_deep(100_000) && is_too_deep(refused_times) && !is_too_deep(read_times));
}

/// The size of everything that aliases repeat is at most a mebioctet.
#[rstest]
#[trace]
#[case::below(1000, true)]
#[case::above(1100, false)]
fn repeated_nodes_are_limited(#[case] times: usize, #[case] is_read: bool) {
    let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(1000), "*a,".repeat(times));
    assert_eq!(read(&text).is_ok(), is_read);
}

/// Each list contains the list before it ten times, or each node with an anchor contains the one before it.
#[test]
fn nested_aliases_are_limited() {
    let mut text = "l0: &l0 [x]\n".to_owned();
    for level in 1..20 {
        let before = format!("*l{}, ", level - 1).repeat(10);
        let _ = writeln!(text, "l{level}: &l{level} [{before}]");
    }
    assert!(read(&text).unwrap_err().message.starts_with("aliases repeat too much"));
    let mut text = "l0: &l0 [x]\n".to_owned();
    for level in 1..100_000 {
        let _ = writeln!(text, "l{level}: &l{level} [*l{}]", level - 1);
    }
    assert!(read(&text).unwrap_err().message.starts_with("aliases repeat too much"));
}

#[test]
fn a_text_without_nodes_has_no_tree() {
    for text in ["", "# a comment\n", "---\n"] {
        let read = read(text).unwrap();
        assert!(read.is_none_or(|node| node.value == Value::Null), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_has_a_mistake(text in "[-a&*!%#:,\\[\\]{}\"'|> \n]{0,60}") {
        if let Err(mistake) = read(&text) {
            prop_assert!(mistake.place.line > 0 && mistake.place.column > 0);
        }
    }
}
