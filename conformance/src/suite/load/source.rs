//! Finds the lines of YAML nodes. The values that `serde` returns have no lines, so this module also reads the YAML
//! events of the file.
//!
//! Start at [`Source::new`], which stores the nodes in the order of the file, each with its text, line and depth. The
//! other functions search this list. The lines are used only in messages. If a node is not found, the line of a
//! surrounding node is used. Comments are events too, so this module also finds prose that a comment cuts short.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span};

use super::bounds;
use crate::problem::{Place, Problem};

/// The nodes of a file, each with its line.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    nodes: Vec<Node>,
    /// The lines where a comment cuts short a plain scalar that is prose.
    cut: Vec<usize>,
}

impl<'a> Source<'a> {
    /// Reads the nodes. If the text is not valid YAML, reading ends at the mistake.
    pub(crate) fn new(file: &'a str, text: &'a str) -> Self {
        let mut reader = Reader::default();
        if bounds::refused(text).is_none() {
            let events = Parser::new_from_str(text);
            events.map_while(Result::ok).for_each(|(event, span)| reader.take(event, span));
        }
        Self { file, nodes: reader.nodes, cut: reader.cut }
    }

    /// Returns the place of a line, from 1.
    pub(crate) fn place(&self, line: usize) -> Place {
        Place { file: self.file.to_owned(), line }
    }

    /// Returns the place of a top-level key, or line 1 if the key is missing.
    pub(crate) fn top(&self, key: &str) -> Place {
        let found = self.nodes.iter().find(|node| node.is_key_at(1) && node.text == key);
        self.place(found.map_or(1, |node| node.line))
    }

    /// Returns a block for each item of the list below a top-level key.
    pub(crate) fn items(&self, list: &str) -> Vec<Block> {
        let is_list = |node: &Node| node.is_key_at(1) && node.text == list;
        let Some(head) = self.nodes.iter().position(is_list) else { return Vec::new() };
        let below = self.nodes.iter().enumerate().skip(head + 1);
        let below = below.take_while(|(_, node)| node.depth > 1 || node.part == Part::Value);
        let (mut starts, mut end) = (Vec::new(), head + 1);
        for (index, node) in below {
            if node.depth == 2 && node.part == Part::Item {
                starts.push(index);
            }
            end = index + 1;
        }
        let ends = starts.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
        starts.into_iter().zip(ends).map(|(start, end)| Block(start..end)).collect()
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
        let nodes = self.nodes(block);
        let found = nodes.iter().find(|node| node.text.trim() == text.trim()).or(nodes.first());
        self.place(found.map_or(1, |node| node.line))
    }

    /// Returns the places of the top-level keys, in order.
    pub(crate) fn top_keys(&self) -> Vec<Place> {
        let keys = self.nodes.iter().filter(|node| node.is_key_at(1));
        keys.map(|node| self.place(node.line)).collect()
    }

    /// Returns a problem for each plain scalar of prose that ` #` cuts short, because ` #` begins a YAML comment.
    pub(crate) fn cut_prose(&self) -> Vec<Problem> {
        let problem = |line: &usize| Problem {
            place: self.place(*line),
            message: "` #` begins a comment here and cuts the text short; quote the text"
                .to_owned(),
        };
        self.cut.iter().map(problem).collect()
    }

    /// Returns the place of the first key in `keys` that the block has. If the block has no such key, returns the place
    /// of the block.
    fn first(&self, block: Option<&Block>, keys: &[&str]) -> Place {
        let nodes = self.nodes(block);
        let find =
            |key: &&str| nodes.iter().find(|node| node.part == Part::Key && node.text == *key);
        let found = keys.iter().find_map(find).or(nodes.first());
        self.place(found.map_or(1, |node| node.line))
    }

    fn nodes(&self, block: Option<&Block>) -> &[Node] {
        block.map_or(&[], |Block(range)| &self.nodes[range.clone()])
    }
}

/// The nodes of one item of a list.
pub(crate) struct Block(Range<usize>);

/// A node of the file, which is a key, a value or an item of a list. The text of a scalar is stored. The text of a list
/// or a mapping is empty.
struct Node {
    part: Part,
    text: String,
    /// The line, from 1.
    line: usize,
    /// The number of lists and mappings around the node.
    depth: usize,
}

impl Node {
    fn is_key_at(&self, depth: usize) -> bool {
        self.part == Part::Key && self.depth == depth
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
    Item,
}

/// The state of reading the YAML events.
#[derive(Default)]
struct Reader {
    nodes: Vec<Node>,
    cut: Vec<usize>,
    /// The lists and mappings that are open, innermost last. Each entry is the part that the next node in this list or
    /// mapping will be: a key, a value or an item.
    open: Vec<Part>,
    /// The line where the last plain scalar of prose ended.
    prose: Option<usize>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Scalar(text, style, ..) => {
                let key = self.nodes.last().filter(|node| node.part == Part::Key);
                let is_prose = style == ScalarStyle::Plain
                    && self.open.last() == Some(&Part::Value)
                    && key.is_some_and(|key| PROSE.contains(&&*key.text));
                self.prose = is_prose.then(|| span.end.line());
                self.node(text.into_owned(), span);
            }
            Event::SequenceStart(..) => {
                self.node(String::new(), span);
                self.open.push(Part::Item);
            }
            Event::MappingStart(..) => {
                self.node(String::new(), span);
                self.open.push(Part::Key);
            }
            Event::SequenceEnd | Event::MappingEnd => drop(self.open.pop()),
            Event::Alias(..) => self.node(String::new(), span),
            Event::Comment(..) if self.prose == Some(span.start.line()) => {
                self.cut.push(span.start.line());
            }
            _ => {}
        }
    }

    fn node(&mut self, text: String, span: Span) {
        let depth = self.open.len();
        let Some(next) = self.open.last_mut() else { return };
        let part = *next;
        *next = match part {
            Part::Key => Part::Value,
            Part::Value => Part::Key,
            Part::Item => Part::Item,
        };
        self.nodes.push(Node { part, text, line: span.start.line(), depth });
    }
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
        let [a, b] = items.as_slice() else { panic!("{}", items.len()) };
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
