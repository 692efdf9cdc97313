//! The engine against what was recorded of Google's published C++ library.
//!
//! `triples.tsv` holds the questions and the library's answers: made-up ones, and above them those that
//! once were answered otherwise here. `conformance/peers/observe.py` recorded them and tells the format.
//! `GOOGLE_CPP_TRIPLES` names a further file to replay, of fresh ones say.

use robots_core::engine::Agents;
use robots_google_cpp::verdict;

const KEPT: &str = include_str!("triples.tsv");

#[test]
fn agrees_with_what_was_recorded() {
    assert!(replay(KEPT) > 3_000);
}

#[test]
fn agrees_with_what_is_named() {
    if let Ok(file) = std::env::var("GOOGLE_CPP_TRIPLES") {
        let triples =
            std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(replay(&triples) > 0, "{file}: no triples");
    }
}

/// Asks every question; returns how many they are.
fn replay(triples: &str) -> usize {
    let mut differ = Vec::new();
    let asked: Vec<Triple<'_>> = triples.lines().filter_map(Triple::read).collect();
    for triple in &asked {
        let verdict = verdict(&triple.octets, &triple.agents, &triple.url);
        // The library also names lines that decide nothing, those of empty rules.
        let line = verdict.line().unwrap_or(triple.line);
        if (verdict.is_allowed(), line) != (triple.allowed, triple.line) {
            differ.push(format!("{}\n    here: {verdict}", triple.written));
        }
    }
    let few = &differ[..differ.len().min(20)];
    assert!(few.is_empty(), "{} of {} differ:\n{}", differ.len(), asked.len(), few.join("\n"));
    asked.len()
}

struct Triple<'t> {
    written: &'t str,
    octets: Vec<u8>,
    agents: Agents,
    url: String,
    allowed: bool,
    line: u32,
}

impl<'t> Triple<'t> {
    /// Reads a line, unless it is a comment.
    fn read(written: &'t str) -> Option<Self> {
        if written.starts_with('#') {
            return None;
        }
        let columns: Vec<&str> = written.split('\t').collect();
        let [octets, tokens, url, verdict, line] = columns[..] else {
            panic!("not five columns: {written}");
        };
        let text = |escaped| String::from_utf8(unescaped(escaped)).expect("UTF-8");
        Some(Self {
            written,
            octets: unescaped(octets),
            agents: Agents::new(text(tokens).split('|')).expect("agents"),
            url: text(url),
            allowed: match verdict {
                "allow" => true,
                "disallow" => false,
                _ => panic!("neither allow nor disallow: {written}"),
            },
            line: line.parse().expect("a number"),
        })
    }
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut octets = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        octets.extend_from_slice(before.as_bytes());
        let (octet, behind) = match after.as_bytes() {
            [b'n', ..] => (b'\n', 1),
            [b'r', ..] => (b'\r', 1),
            [b't', ..] => (b'\t', 1),
            [b'\\', ..] => (b'\\', 1),
            [b'x', ..] => (u8::from_str_radix(&after[1..3], 16).expect("two hex digits"), 3),
            _ => panic!("not an escape: \\{after}"),
        };
        octets.push(octet);
        rest = &after[behind..];
    }
    octets.extend_from_slice(rest.as_bytes());
    octets
}
