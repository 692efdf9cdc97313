//! Compares the engine with recorded answers of Google's published C++ library.
//!
//! `triples.tsv` contains questions and the library's answers. The first questions are those that this engine once
//! answered wrongly. The other questions are generated. `conformance/google-cpp/observe.py` recorded the answers and
//! documents the format. `GOOGLE_CPP_TRIPLES` names another file to replay, for example with new recordings.

use robots_conformance::kind::Agents;
use robots_google_cpp::verdict;
use robots_spec_cases::unescape;

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

/// Asks every question, and returns the number of questions.
fn replay(triples: &str) -> usize {
    let mut differ = Vec::new();
    let asked: Vec<Triple<'_>> = triples.lines().filter_map(Triple::read).collect();
    for triple in &asked {
        let verdict = verdict(&triple.octets, &triple.agents, &triple.url);
        // The library also reports a line if an empty rule matches. In this case, this engine reports no line, because
        // an empty rule decides nothing.
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
    /// Reads a line, or returns `None` for a comment.
    fn read(written: &'t str) -> Option<Self> {
        if written.starts_with('#') {
            return None;
        }
        let columns: Vec<&str> = written.split('\t').collect();
        let [octets, tokens, url, verdict, line] = columns[..] else {
            panic!("not five columns: {written}");
        };
        let text = |escaped| String::from_utf8(unescape(escaped).expect("escapes")).expect("UTF-8");
        Some(Self {
            written,
            octets: unescape(octets).expect("escapes"),
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
