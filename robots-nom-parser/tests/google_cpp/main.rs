//! The observed profile google-cpp against what was recorded of Google's published C++ library.
//!
//! `triples.tsv` holds the questions and the library's answers: made-up ones, and above them those that
//! once were answered otherwise here. `conformance/peers/observe.py` recorded them and tells the format.
//! `GOOGLE_CPP_TRIPLES` names a further file to replay, of fresh ones say.

use robots_nom_parser::NomParser;
use robots_nom_parser::robots_core::{Crawler, Options, Profile, RobotsTxt};

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

/// Asks every question twice, of the file and of the crawler's compiled rules; returns how many they are.
fn replay(triples: &str) -> usize {
    let mut differ = Vec::new();
    let asked: Vec<Triple<'_>> = triples.lines().filter_map(Triple::read).collect();
    for triple in &asked {
        let options = Options::default().profile(Profile::GoogleCpp);
        let robots = RobotsTxt::parse(&NomParser, &triple.octets, options);
        let rules = robots.rules_for(&triple.crawler);
        for verdict in [robots.verdict(&triple.crawler, &triple.url), rules.verdict(&triple.url)] {
            // The library also names lines that decide nothing, those of empty rules.
            let line = verdict.rule().map_or(triple.line, |rule| rule.line().number.get());
            if (verdict.is_allowed(), line) != (triple.allowed, triple.line) {
                differ.push(format!("{}\n    here: {verdict}", triple.written));
            }
        }
    }
    let few = &differ[..differ.len().min(20)];
    assert!(few.is_empty(), "{} of {} differ:\n{}", differ.len(), asked.len() * 2, few.join("\n"));
    asked.len()
}

struct Triple<'t> {
    written: &'t str,
    octets: Vec<u8>,
    crawler: Crawler,
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
            crawler: Crawler::as_given(text(tokens).split('|')),
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
