//! Generates octets to test: derived from a grammar, mutated, or composed of special pieces.
//!
//! Random numbers from proptest decide the choices, so that proptest can shrink an input that fails, and store its
//! seed.

use abnf::types::{Node, TerminalValues};
use proptest::collection::vec;
use proptest::prelude::*;

use super::interpreter::Grammar;

/// Pieces that are special in one of the grammars, or similar to such a piece.
const PIECES: [&[u8]; 48] = [
    b"user-agent: a\n",
    b"User-Agent:a\r\n",
    b"disallow:/a",
    b"#\r\n",
    b"user-agent",
    b"User-Agent:",
    b"allow",
    b"disallow:",
    b"Disallow",
    b"sitemap",
    b"sitemap:",
    b":",
    b":",
    b"#",
    b"#",
    b" ",
    b" ",
    b"\t",
    b"\r\n",
    b"\r\n",
    b"\r",
    b"\n",
    b"\n",
    b"\r\n ",
    b"\r\n\t",
    b"\n\r",
    b" # c",
    b"/",
    b"/a",
    b"/*$",
    b"*",
    b"a",
    b"bot-b_c",
    b"http:",
    b"http://a/?b;c",
    b"%",
    b"%4A",
    b"\x7F",
    b"\0",
    b"\xC3\xA9",
    b"\xE2\x80\xA8",
    b"\xF0\x9F\x90\x9F",
    b"\xFF",
    b"\xE0\x80\x80",
    b"\xED\xA0\x80",
    b"\xF0\x80\x80\x80",
    b"\xF4\x90\x80\x80",
    b"\xEF\xBB\xBF",
];

/// Generates octets that derive from the grammar's `robotstxt`. There are fewer than 120 random numbers for the
/// choices, so the number of octets is limited.
pub(crate) fn derived(grammar: &Grammar) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..120).prop_map(|drawn| {
        let mut octets = Vec::new();
        derive(grammar, grammar.rule("robotstxt"), &mut drawn.into_iter(), &mut octets);
        octets
    })
}

/// Generates derived octets with a few changes.
pub(crate) fn mutated(grammar: &Grammar) -> impl Strategy<Value = Vec<u8>> {
    let change = (0..4_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (derived(grammar), vec(change, 1..5)).prop_map(|(mut octets, changes)| {
        for (kind, place, what) in changes {
            let at = place.index(octets.len() + 1);
            let piece = PIECES[what.index(PIECES.len())];
            let end = (at + what.index(8)).min(octets.len());
            match kind {
                0 => drop(octets.splice(at..at, piece.iter().copied())),
                1 => drop(octets.drain(at..end)),
                2 => drop(octets.splice(at..end, piece.iter().copied())),
                _ => octets.extend_from_within(at..end),
            }
        }
        octets
    })
}

/// Generates a sequence of pieces.
pub(crate) fn pieces() -> impl Strategy<Value = Vec<u8>> {
    vec(prop::sample::select(&PIECES[..]), 1..9).prop_map(|pieces| pieces.concat())
}

/// Appends octets that derive from the node. If no numbers are left, the function chooses the first alternatives and
/// the minimum number of repetitions.
fn derive(
    grammar: &Grammar,
    node: &Node,
    drawn: &mut impl Iterator<Item = u8>,
    octets: &mut Vec<u8>,
) {
    match node {
        Node::Alternatives(nodes) => {
            let chosen = usize::from(drawn.next().unwrap_or(0)) % nodes.len();
            derive(grammar, &nodes[chosen], drawn, octets);
        }
        Node::Concatenation(nodes) => {
            for node in nodes {
                derive(grammar, node, drawn, octets);
            }
        }
        Node::Repetition { repeat, node } => {
            let (min, max) = repeat.min_max();
            let mut times = 0;
            while times < min.unwrap_or(0)
                || (max.is_none_or(|max| times < max)
                    && !drawn.next().unwrap_or(0).is_multiple_of(4))
            {
                derive(grammar, node, drawn, octets);
                times += 1;
            }
        }
        Node::Rulename(name) => derive(grammar, grammar.rule(name), drawn, octets),
        Node::Group(node) => derive(grammar, node, drawn, octets),
        Node::Optional(node) => {
            if drawn.next().unwrap_or(0) % 2 == 1 {
                derive(grammar, node, drawn, octets);
            }
        }
        Node::String(literal) => {
            let upper = !literal.is_case_sensitive() && drawn.next().unwrap_or(0) % 2 == 1;
            let text = literal.value();
            octets.extend(if upper { text.to_ascii_uppercase() } else { text.to_owned() }.bytes());
        }
        Node::TerminalValues(TerminalValues::Range(first, last)) => {
            let value = first + u32::from(drawn.next().unwrap_or(0)) % (last - first + 1);
            octets.push(octet(value));
        }
        Node::TerminalValues(TerminalValues::Concatenation(values)) => {
            octets.extend(values.iter().map(|value| octet(*value)));
        }
        Node::Prose(text) => panic!("nothing derives from prose: {text}"),
    }
}

fn octet(value: u32) -> u8 {
    value.try_into().expect("the grammars derive octets")
}
