//! An interpreter of ABNF with first-match choice and greedy repetition. The interpreter finds the only derivation of
//! octets from a production, with the span of each part. The header of `lenient.abnf` defines this choice and this
//! repetition.
//!
//! Start at [`derive`]. The interpreter shares no code with the parser.

use std::ops::Range;

use abnf::types::{Node, TerminalValues};

use super::interpreter::Grammar;

/// The octets that a production took, and its parts in order: productions and quoted strings.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The production's name, or the string in its quotes.
    pub(crate) name: String,
    pub(crate) span: Range<usize>,
    pub(crate) parts: Vec<Tree>,
}

impl Tree {
    /// Returns the first part with this name, at any depth.
    pub(crate) fn find(&self, name: &str) -> Option<&Self> {
        self.parts.iter().find_map(
            |part| {
                if part.name == name { Some(part) } else { part.find(name) }
            },
        )
    }
}

/// Returns the part that the production takes from the start of the octets, or `None` if the production does not fit.
///
/// # Panics
/// Panics if the grammar repeats an element that took no octets, because greedy repetition would not end.
pub(crate) fn derive(grammar: &Grammar, rule: &str, octets: &[u8]) -> Option<Tree> {
    let reading = Reading { grammar, octets };
    let mut parts = Vec::new();
    reading.named(rule, grammar.rule(rule), 0, &mut parts)?;
    parts.pop()
}

struct Reading<'a> {
    grammar: &'a Grammar,
    octets: &'a [u8],
}

impl Reading<'_> {
    /// Returns the end of the octets that a node takes at an offset, and adds its parts. If the node does not fit,
    /// returns `None` and adds no part.
    fn end(&self, node: &Node, at: usize, parts: &mut Vec<Tree>) -> Option<usize> {
        match node {
            Node::Alternatives(nodes) => nodes.iter().find_map(|node| self.end(node, at, parts)),
            Node::Concatenation(nodes) => {
                let before = parts.len();
                let end = nodes.iter().try_fold(at, |at, node| self.end(node, at, parts));
                if end.is_none() {
                    parts.truncate(before);
                }
                end
            }
            Node::Repetition { repeat, node } => {
                let (min, max) = repeat.min_max();
                self.repeated(node, (min.unwrap_or(0), max), at, parts)
            }
            Node::Optional(node) => self.repeated(node, (0, Some(1)), at, parts),
            Node::Group(node) => self.end(node, at, parts),
            Node::Rulename(name) => self.named(name, self.grammar.rule(name), at, parts),
            Node::String(literal) => {
                let text = literal.value();
                let end = at + text.len();
                let fits = |part: &&[u8]| {
                    if literal.is_case_sensitive() {
                        *part == text.as_bytes()
                    } else {
                        part.eq_ignore_ascii_case(text.as_bytes())
                    }
                };
                self.octets.get(at..end).filter(fits)?;
                parts.push(Tree { name: format!("\"{text}\""), span: at..end, parts: Vec::new() });
                Some(end)
            }
            Node::TerminalValues(TerminalValues::Range(first, last)) => {
                let octet = u32::from(*self.octets.get(at)?);
                (*first..=*last).contains(&octet).then_some(at + 1)
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                let rest = self.octets[at..].iter().map(|octet| u32::from(*octet));
                rest.take(values.len()).eq(values.iter().copied()).then_some(at + values.len())
            }
            Node::Prose(text) => panic!("prose cannot be interpreted: {text}"),
        }
    }

    fn named(&self, name: &str, node: &Node, at: usize, parts: &mut Vec<Tree>) -> Option<usize> {
        let mut inner = Vec::new();
        let end = self.end(node, at, &mut inner)?;
        parts.push(Tree { name: name.to_owned(), span: at..end, parts: inner });
        Some(end)
    }

    /// Takes the node as often as it fits, up to the maximum.
    fn repeated(
        &self,
        node: &Node,
        (min, max): (usize, Option<usize>),
        at: usize,
        parts: &mut Vec<Tree>,
    ) -> Option<usize> {
        let (before, mut reached, mut times) = (parts.len(), at, 0);
        while max.is_none_or(|max| times < max)
            && let Some(end) = self.end(node, reached, parts)
        {
            assert!(end > reached || max.is_some(), "a repeated element took nothing: {node}");
            (reached, times) = (end, times + 1);
        }
        if times < min {
            parts.truncate(before);
            return None;
        }
        Some(reached)
    }
}

#[cfg(test)]
mod tests {
    use super::{Grammar, derive};

    const GRAMMAR: &str = "choice = \"a\" / \"ab\"\n\
         greedy = *\"a\" \"a\"\n\
         words = word *(*\" \" word)\n\
         word = 1*%x61-7A\n\
         counted = 2*3\"a\" [\"b\" \"c\"]\n\
         back = word \"!\" / word\n\
         pair = %x61.62\n\
         nothing = *[\"a\"]\n";

    fn taken(rule: &str, text: &str) -> Option<usize> {
        derive(&Grammar::read(GRAMMAR), rule, text.as_bytes()).map(|tree| tree.span.end)
    }

    #[test]
    fn the_first_alternative_that_fits_is_taken() {
        assert_eq!(taken("choice", "ab"), Some(1));
        assert_eq!(taken("choice", "b"), None);
    }

    #[test]
    fn a_repetition_gives_nothing_back() {
        assert_eq!(taken("greedy", "aa"), None);
    }

    #[test]
    fn a_repetition_stops_before_what_does_not_fit_as_a_whole() {
        assert_eq!(taken("words", "a bc  d  "), Some(7));
        assert_eq!(taken("counted", "aaaa"), Some(3));
        assert_eq!(taken("counted", "aabc"), Some(4));
        assert_eq!(taken("counted", "aab"), Some(2));
        assert_eq!(taken("counted", "a"), None);
        assert_eq!(taken("pair", "ab"), Some(2));
        assert_eq!(taken("pair", "a"), None);
    }

    #[test]
    fn parts_of_what_does_not_fit_are_not_kept() {
        let tree = derive(&Grammar::read(GRAMMAR), "back", b"ab").unwrap();
        let parts: Vec<_> =
            tree.parts.iter().map(|part| (&*part.name, part.span.clone())).collect();
        assert_eq!(parts, [("word", 0..2)]);
    }

    #[test]
    #[should_panic(expected = "a repeated element took nothing")]
    fn a_repetition_without_end_is_refused() {
        taken("nothing", "b");
    }
}
