//! Path patterns as automata: computes the position in each pattern after some octets of a path.
//!
//! Start at [`Positions`]. A pattern consists of literal segments with wildcards between them. If a segment occurs at
//! several places in a path, the first place leaves the most octets for the next segments, so only this place must be
//! tried. So an automaton is at only one position at a time. Within a segment, a failed comparison continues with the
//! algorithm of Knuth, Morris and Pratt.

use alloc::vec::Vec;

use robots_core::path::Pattern;

/// A position in a pattern. The part of the pattern before this position matches the octets that were read. All
/// positions of all patterns are numbered consecutively.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Position(u32);

/// The result of the next octet of a path, for a pattern that is at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// The pattern cannot match any more.
    Dead,
    To(Position),
    /// The pattern matches, whatever octets follow.
    Matched,
}

/// The positions of many patterns. Each field is a table with one entry for each position.
#[derive(Default)]
pub(super) struct Positions {
    /// The pattern of each position.
    owners: Vec<u32>,
    /// The octet that moves the pattern to its next position. `None` at the end of a pattern that ends with `$`.
    expected: Vec<Option<u8>>,
    /// The move for the expected octet.
    next: Vec<Move>,
    /// The position at which any other octet is tried again. At this position, fewer octets of the segment match. If
    /// the fallback is the position itself, the octet is skipped.
    fallback: Vec<Move>,
    /// The move for an octet that neither this position nor any of its fallbacks expects.
    otherwise: Vec<Move>,
}

impl Positions {
    /// Adds a pattern and returns its state before the first octet.
    pub(super) fn add(&mut self, owner: u32, pattern: &Pattern<'_>) -> Move {
        let Shape { octets, segments, anchored } = Shape::of(pattern);
        let base = self.owners.len();
        let at = |local: usize| Move::To(Position::at(base + local));
        let end = if anchored { at(octets.len()) } else { Move::Matched };
        for segment in &segments {
            let links = links(&octets[segment.start..segment.end]);
            for local in segment.start..segment.end {
                let behind = local + 1;
                let next = if behind == octets.len() { end } else { at(behind) };
                let back = segment.fallback(local, &links);
                self.push(
                    owner,
                    Some(octets[local]),
                    next,
                    back.map_or(Move::Dead, at),
                    segment.otherwise().map_or(Move::Dead, at),
                );
            }
            if anchored && segment.end == octets.len() {
                let back = segment.fallback(segment.end, &links);
                self.push(
                    owner,
                    None,
                    Move::Dead,
                    back.map_or(Move::Dead, at),
                    segment.otherwise().map_or(Move::Dead, at),
                );
            }
        }
        if octets.is_empty() { end } else { at(0) }
    }

    fn push(
        &mut self,
        owner: u32,
        expected: Option<u8>,
        next: Move,
        fallback: Move,
        otherwise: Move,
    ) {
        self.owners.push(owner);
        self.expected.push(expected);
        self.next.push(next);
        self.fallback.push(fallback);
        self.otherwise.push(otherwise);
    }

    /// Returns the pattern of a position.
    pub(super) fn owner(&self, position: Position) -> u32 {
        self.owners[position.index()]
    }

    /// Returns the move for every octet that neither the position nor any of its fallbacks expects.
    pub(super) fn otherwise(&self, position: Position) -> Move {
        self.otherwise[position.index()]
    }

    /// Returns whether the pattern matches if the path ends here.
    pub(super) fn accepts_end(&self, position: Position) -> bool {
        self.expected[position.index()].is_none()
    }

    /// Returns the octets whose move is not [`otherwise`](Self::otherwise), with their moves. If the iterator returns
    /// an octet twice, only the first move is valid.
    pub(super) fn moves(&self, position: Position) -> impl Iterator<Item = (u8, Move)> {
        let mut next = Some(position);
        core::iter::from_fn(move || {
            loop {
                let at = next?;
                next = match self.fallback[at.index()] {
                    Move::To(back) if back != at => Some(back),
                    _ => None,
                };
                if let Some(octet) = self.expected[at.index()] {
                    return Some((octet, self.next[at.index()]));
                }
            }
        })
    }
}

impl Position {
    fn at(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the number of the position.
    pub(super) fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A pattern without its wildcards.
struct Shape {
    /// The octets of all segments.
    octets: Vec<u8>,
    segments: Vec<Segment>,
    /// Whether the pattern must match up to the end of the path.
    anchored: bool,
}

/// A run of literal octets.
struct Segment {
    start: usize,
    end: usize,
    /// Whether a wildcard comes before the segment.
    is_wild: bool,
}

impl Shape {
    fn of(pattern: &Pattern<'_>) -> Self {
        let mut rest = pattern.as_octets();
        let mut anchored = pattern.is_anchored();
        // A wildcard at the end of a pattern matches any rest of the path, so a `$` after it has no effect.
        while let Some((b'*', before)) = rest.split_last() {
            (rest, anchored) = (before, false);
        }
        let (mut octets, mut segments) = (Vec::with_capacity(rest.len()), Vec::new());
        for (place, part) in rest.split(|octet| *octet == b'*').enumerate() {
            if !part.is_empty() {
                let start = octets.len();
                octets.extend_from_slice(part);
                segments.push(Segment { start, end: octets.len(), is_wild: place > 0 });
            }
        }
        Self { octets, segments, anchored }
    }
}

impl Segment {
    /// Returns the position to try again after a failed comparison in the segment, or `None` if the pattern can no
    /// longer match.
    fn fallback(&self, local: usize, links: &[usize]) -> Option<usize> {
        self.is_wild.then(|| self.start + links[local - self.start])
    }

    fn otherwise(&self) -> Option<usize> {
        self.is_wild.then_some(self.start)
    }
}

/// Returns one length for each prefix of a text, beginning with the empty prefix: the length of the longest border
/// ([`borders`]) whose next octet differs from the next octet of the prefix.
///
/// A border with the same next octet would fail in the same way, so it is omitted. The number of remaining borders of a
/// prefix grows only with the logarithm of the text's length, so it is at most about thirty.
fn links(text: &[u8]) -> Vec<usize> {
    let mut links = borders(text);
    for prefix in 1..text.len() {
        let border = links[prefix];
        if text[border] == text[prefix] {
            links[prefix] = links[border];
        }
    }
    links
}

/// Returns the length of the longest border of each prefix of a text, beginning with the empty prefix. A border is a
/// proper prefix that is also a suffix.
fn borders(text: &[u8]) -> Vec<usize> {
    let mut borders = Vec::with_capacity(text.len() + 1);
    borders.push(0);
    let mut length = 0;
    for end in 1..=text.len() {
        if end > 1 {
            let octet = text[end - 1];
            while length > 0 && text[length] != octet {
                length = borders[length];
            }
            length += usize::from(text[length] == octet);
        }
        borders.push(length);
    }
    borders
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robots_core::path::{PathAndQuery, Pattern};
    use rstest::rstest;

    use super::{Move, Positions, borders, links};

    /// Returns whether the automaton of a pattern matches a path.
    fn matches(pattern: &Pattern<'_>, path: &[u8]) -> bool {
        let mut positions = Positions::default();
        let mut at = positions.add(0, pattern);
        for octet in path {
            at = match at {
                Move::To(position) => positions
                    .moves(position)
                    .find(|(expected, _)| expected == octet)
                    .map_or(positions.otherwise(position), |(_, next)| next),
                other => return other == Move::Matched,
            };
        }
        match at {
            Move::To(position) => positions.accepts_end(position),
            other => other == Move::Matched,
        }
    }

    #[rstest]
    #[trace]
    #[case("", &[0])]
    #[case("abab", &[0, 0, 0, 1, 2])]
    #[case("aaab", &[0, 0, 1, 2, 0])]
    fn borders_of_prefixes(#[case] text: &str, #[case] expected: &[usize]) {
        assert_eq!(borders(text.as_bytes()), expected);
    }

    #[rstest]
    #[trace]
    #[case("", &[0])]
    #[case("abab", &[0, 0, 0, 0, 2])]
    #[case("aaab", &[0, 0, 0, 2, 0])]
    fn links_of_prefixes(#[case] text: &str, #[case] expected: &[usize]) {
        assert_eq!(links(text.as_bytes()), expected);
    }

    /// Fibonacci words have the maximum number of borders to try.
    #[test]
    fn few_borders_are_tried() {
        let (mut before, mut word) = (b"b".to_vec(), b"a".to_vec());
        while word.len() < 100_000 {
            (before, word) = (word.clone(), [word, before].concat());
        }
        for text in [word, vec![b'a'; 100_000]] {
            let links = links(&text);
            let tried = |mut prefix: usize| {
                let mut count = 0;
                while prefix > 0 {
                    (prefix, count) = (links[prefix], count + 1);
                }
                count
            };
            assert!((0..text.len()).all(|prefix| tried(prefix) < 32));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        /// The matcher of the core is the reference implementation.
        #[test]
        fn an_automaton_matches_what_its_pattern_matches(pattern in "[/*][/ab*]{0,8}\\$?", path in "/[/ab]{0,12}") {
            let pattern = Pattern::new(pattern.as_bytes());
            let path = PathAndQuery::parse(&path).unwrap();
            prop_assert_eq!(matches(&pattern, path.as_octets()), pattern.matches(&path));
        }
    }
}
