//! An interpreter of ABNF: it decides whether octets derive from a production. ABNF is read as a context-free grammar.
//!
//! For a node and an offset, the interpreter computes every offset where a derivation may end. So the order of
//! alternatives does not matter. A repetition ends when it reaches no new offset. The interpreter shares no code with
//! the parser.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use abnf::types::{Node, Repeat, TerminalValues};

use super::published::rules;

/// Offsets in the octets.
type Places = Rc<BTreeSet<usize>>;

pub(crate) struct Grammar {
    rules: HashMap<String, Node>,
}

impl Grammar {
    pub(crate) fn read(abnf: &str) -> Self {
        let named =
            |rule: abnf::types::Rule| (rule.name().to_ascii_lowercase(), rule.node().clone());
        Self { rules: rules(abnf).into_iter().map(named).collect() }
    }

    pub(crate) fn rule(&self, name: &str) -> &Node {
        let name = name.to_ascii_lowercase();
        self.rules.get(&name).unwrap_or_else(|| panic!("no rule is called {name}"))
    }

    pub(crate) fn derives(&self, rule: &str, octets: &[u8]) -> bool {
        let derivation = Derivation { grammar: self, octets, known: RefCell::default() };
        derivation.ends_of_rule(rule, 0).contains(&octets.len())
    }
}

struct Derivation<'g> {
    grammar: &'g Grammar,
    octets: &'g [u8],
    /// For a rule's node and an offset: the offsets where a derivation that begins there may end. The value is `None`
    /// while they are being computed.
    known: RefCell<HashMap<(*const Node, usize), Option<Places>>>,
}

impl Derivation<'_> {
    fn ends_of_rule(&self, name: &str, at: usize) -> Places {
        let node = self.grammar.rule(name);
        let key = (std::ptr::from_ref(node), at);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone().unwrap_or_else(|| panic!("{name} is left-recursive"));
        }
        self.known.borrow_mut().insert(key, None);
        let ends = Rc::new(self.ends(node, at));
        self.known.borrow_mut().insert(key, Some(Rc::clone(&ends)));
        ends
    }

    fn ends(&self, node: &Node, at: usize) -> BTreeSet<usize> {
        match node {
            Node::Alternatives(nodes) => {
                nodes.iter().flat_map(|node| self.ends(node, at)).collect()
            }
            Node::Concatenation(nodes) => nodes
                .iter()
                .fold(BTreeSet::from([at]), |starts, node| self.ends_from(node, &starts)),
            Node::Repetition { repeat, node } => self.repeated(repeat, node, at),
            Node::Rulename(name) => (*self.ends_of_rule(name, at)).clone(),
            Node::Group(node) => self.ends(node, at),
            Node::Optional(node) => {
                let mut ends = self.ends(node, at);
                ends.insert(at);
                ends
            }
            Node::String(literal) => {
                let text = literal.value().as_bytes();
                let same = |part: &[u8]| {
                    part == text
                        || (!literal.is_case_sensitive() && part.eq_ignore_ascii_case(text))
                };
                let end = at + text.len();
                self.octets
                    .get(at..end)
                    .filter(|part| same(part))
                    .map(|_| end)
                    .into_iter()
                    .collect()
            }
            Node::TerminalValues(TerminalValues::Range(first, last)) => {
                let fits = |octet: &&u8| (*first..=*last).contains(&u32::from(**octet));
                self.octets.get(at).filter(fits).map(|_| at + 1).into_iter().collect()
            }
            Node::TerminalValues(TerminalValues::Concatenation(values)) => {
                let end = at + values.len();
                let same =
                    |part: &&[u8]| part.iter().map(|o| u32::from(*o)).eq(values.iter().copied());
                self.octets.get(at..end).filter(same).map(|_| end).into_iter().collect()
            }
            Node::Prose(text) => panic!("prose cannot be interpreted: {text}"),
        }
    }

    fn ends_from(&self, node: &Node, starts: &BTreeSet<usize>) -> BTreeSet<usize> {
        starts.iter().flat_map(|&start| self.ends(node, start)).collect()
    }

    fn repeated(&self, repeat: &Repeat, node: &Node, at: usize) -> BTreeSet<usize> {
        let (min, max) = repeat.min_max();
        let min = min.unwrap_or(0);
        let mut reached =
            (0..min).fold(BTreeSet::from([at]), |from, _| self.ends_from(node, &from));
        let mut newest = reached.clone();
        let mut left = max.map_or(usize::MAX, |max| max - min);
        while left > 0 && !newest.is_empty() {
            let ends = self.ends_from(node, &newest);
            newest = ends.difference(&reached).copied().collect();
            reached.extend(&newest);
            left -= 1;
        }
        reached
    }
}

#[cfg(test)]
mod tests {
    use super::Grammar;

    #[test]
    fn it_reads_abnf_as_rfc_5234_has_it() {
        let grammar = Grammar::read(
            "start = *nullable \"End\"\n\
             nullable = *(%x61 / %x61.62) [\"b\" \"c\"]\n\
             counted = 2%x30-39 1*2\"x\"\n",
        );
        for derived in ["end", "aEND", "abcend", "aabend", "bcbcEnd"] {
            assert!(grammar.derives("start", derived.as_bytes()), "{derived}");
        }
        for other in ["", "en", "bend", "ende", "Aend"] {
            assert!(!grammar.derives("start", other.as_bytes()), "{other}");
        }
        assert!(grammar.derives("Counted", b"07x") && grammar.derives("counted", b"42xX"));
        assert!(!grammar.derives("counted", b"0xx") && !grammar.derives("counted", b"42xxx"));
    }
}
