//! A file that is read: its tree, and the places of its nodes for messages.
//!
//! Start at [`Source::new`]. The values that `serde` returns have no places, so the other functions find a node in the
//! tree by its key or text. If a node is not found, the place of a surrounding node is used. The tree also shows which
//! scalars a comment follows, so this module finds prose that a comment cuts short.

use std::iter;

use crate::yaml;
use robots_yaml::{Mistake, Node};
use serde_yaml::Mapping;

use crate::problem::{Place, Problem};

/// A file and its tree.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    text: &'a str,
    /// The root of the tree, which an empty file does not have, or the first mistake.
    root: Result<Option<Node>, Mistake>,
}

/// An item of a list.
pub(crate) type Block = Node;

impl<'a> Source<'a> {
    /// Reads the tree.
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, root: robots_yaml::read(text) }
    }

    /// Returns the file as a mapping. A raw CR is refused.
    pub(crate) fn mapping(&self) -> Result<Mapping, Problem> {
        if let Some(at) = self.text.find('\r') {
            let line = self.text[..at].matches('\n').count() + 1;
            let message = "a raw CR, which an editor or a checkout may change; end lines in LF alone, and \
                           write a CR in octets as `\\r` in `robots-escaped`";
            return Err(Problem { place: self.place(line), message: message.to_owned() });
        }
        let problem = |mistake: &Mistake| Problem {
            place: self.place(mistake.place.line),
            message: mistake.message.clone(),
        };
        match &self.root {
            Ok(None) => Ok(Mapping::new()),
            Ok(Some(root)) => yaml::mapping(root).map_err(|mistake| problem(&mistake)),
            Err(mistake) => Err(problem(mistake)),
        }
    }

    /// Returns the place of a line, from 1.
    pub(crate) fn place(&self, line: usize) -> Place {
        Place { file: self.file.to_owned(), line }
    }

    /// Returns the place of a top-level key, or line 1 if the key is missing.
    pub(crate) fn top(&self, key: &str) -> Place {
        let found = self.pairs().iter().find(|(name, _)| name.text() == Some(key));
        self.place(found.map_or(1, |(name, _)| name.place.line))
    }

    /// Returns the items of the list below a top-level key.
    pub(crate) fn items(&self, list: &str) -> &[Block] {
        self.root().and_then(|root| root.get(list)).map_or(&[], Node::items)
    }

    /// Returns the place of a key in a block, or the place of the block's `id:` if the key is not found.
    pub(crate) fn key(&self, block: Option<&Block>, key: &str) -> Place {
        self.first(block, &[key, "id"])
    }

    /// Returns the place of an edition in a block, or the place of the surrounding mapping if the edition is not found.
    pub(crate) fn edition(&self, block: Option<&Block>, id: &str) -> Place {
        self.first(block, &[id, "expect", "editions", "id"])
    }

    /// Returns the place of a text in a block, or the place of the block if the text is not found.
    pub(crate) fn text(&self, block: Option<&Block>, text: &str) -> Place {
        let is_text = |node: &&Node| node.text().is_some_and(|found| found.trim() == text.trim());
        let found = block.and_then(|block| nodes(block).find(is_text)).or(block);
        self.place(found.map_or(1, |node| node.place.line))
    }

    /// Returns the places of the top-level keys, in order.
    pub(crate) fn top_keys(&self) -> Vec<Place> {
        self.pairs().iter().map(|(name, _)| self.place(name.place.line)).collect()
    }

    /// Returns a problem for each scalar of prose that ` #` cuts short, because ` #` begins a YAML comment.
    pub(crate) fn cut_prose(&self) -> Vec<Problem> {
        let pairs = self.root().into_iter().flat_map(nodes).flat_map(Node::pairs);
        let is_prose = |key: &Node| key.text().is_some_and(|key| PROSE.contains(&key));
        let cut = pairs.filter(|(key, value)| is_prose(key) && value.has_comment);
        let problem = |(_, value): &(Node, Node)| Problem {
            place: self.place(value.place.line),
            message: "` #` begins a comment here and cuts the text short; quote the text"
                .to_owned(),
        };
        cut.map(problem).collect()
    }

    /// Returns the place of the first key in `keys` that the block has. If the block has no such key, returns the place
    /// of the block.
    fn first(&self, block: Option<&Block>, keys: &[&str]) -> Place {
        let find = |block: &Block, key: &str| {
            let mut pairs = nodes(block).flat_map(Node::pairs);
            pairs.find(|(name, _)| name.text() == Some(key)).map(|(name, _)| name.place.line)
        };
        let line = block.map_or(1, |block| {
            keys.iter().find_map(|key| find(block, key)).unwrap_or(block.place.line)
        });
        self.place(line)
    }

    fn root(&self) -> Option<&Node> {
        self.root.as_ref().ok().and_then(Option::as_ref)
    }

    fn pairs(&self) -> &[(Node, Node)] {
        self.root().map_or(&[], Node::pairs)
    }
}

/// Returns a node and all nodes below it, in the order of the text.
fn nodes(node: &Node) -> impl Iterator<Item = &Node> {
    let mut rest = vec![node];
    iter::from_fn(move || {
        let node = rest.pop()?;
        rest.extend(node.items().iter().rev());
        rest.extend(node.pairs().iter().rev().flat_map(|(key, value)| [value, key]));
        Some(node)
    })
}

/// The keys whose values may be sentences.
const PROSE: [&str; 7] = ["about", "says", "why", "passage", "not-testable", "note", "because"];

#[cfg(test)]
mod tests {
    use super::Source;

    #[test]
    fn prose_that_a_comment_cuts_short_is_found() {
        let text = "cases:
  - id: a # a comment of the file's own
    about: A # before the colon leaves a line without one.
    # about: a comment # of its own
  - id: b
    about: \"A `#` in quotes is text.\"
    why: Nothing is cut#here.
  - says: >-
      Folded # text has no comments.
";
        let cut = Source::new("x.yaml", text).cut_prose();
        let places: Vec<String> = cut.iter().map(|problem| problem.place.to_string()).collect();
        assert_eq!(places, ["x.yaml:3"]);
    }

    #[test]
    fn places_are_those_of_the_nodes_however_they_are_written() {
        let text = "{ area: x, # a comment: id\n  cases: [\n    { id: a,\n      \"about\": \"id: b\" },\n    { 'id': b,\n\n      \
                    expect: { rfc9309: allow } }\n  ],\n  id: top }\n";
        let source = Source::new("x.yaml", text);
        let line = |place: crate::problem::Place| place.line;
        let items = source.items("cases");
        let [a, b] = items else { panic!("{}", items.len()) };
        assert_eq!(line(source.key(Some(a), "id")), 3);
        assert_eq!(line(source.key(Some(a), "about")), 4);
        assert_eq!(line(source.key(Some(a), "expect")), 3, "its id");
        assert_eq!(line(source.key(Some(b), "id")), 5);
        assert_eq!(line(source.edition(Some(b), "rfc9309")), 7);
        assert_eq!(line(source.edition(Some(b), "google-2018")), 7, "its map");
        assert_eq!(line(source.text(Some(a), "id: b")), 4);
        assert_eq!(line(source.text(Some(b), "allow")), 7, "the last node of the list");
        assert_eq!(line(source.text(Some(b), "top")), 5, "not in the list");
        assert_eq!(line(source.top("id")), 9);
        assert_eq!(source.top_keys().into_iter().map(line).collect::<Vec<_>>(), [1, 2, 9]);
        let source = Source::new("x.yaml", "a: &x 1\nb: *x\nc: *x\n");
        assert_eq!(source.top_keys().into_iter().map(line).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
