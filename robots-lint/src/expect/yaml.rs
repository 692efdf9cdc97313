//! Reads YAML as a tree in which every node has its place ([`read()`]). Tags are ignored. Aliases are mistakes, so a
//! short text cannot become a large tree.
//!
//! Expectations are read from such a tree, and so are the settings of the command `robots lint`.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

use granit_parser::{Event, Parser, ScalarStyle};

use super::{Mistake, Place};

/// The maximum depth of nested lists and maps. Expectations need four levels.
const DEEPEST: usize = 8;

/// A node and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The place where the node begins.
    pub place: Place,
    /// The value.
    pub value: Value,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A key without a value.
    Nothing,
    /// A text, a number or a word.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys with their values.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns a mistake at the place of this node.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake { place: self.place, message: message.into() }
    }

    /// Returns the text of the node, or `None` if its value is not a text.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the nodes of a list. Any other node counts as a list with one item, except that a key without a value
    /// counts as an empty list.
    #[must_use]
    pub fn list(&self) -> &[Self] {
        match &self.value {
            Value::List(nodes) => nodes,
            Value::Nothing => &[],
            _ => core::slice::from_ref(self),
        }
    }

    /// Returns the keys with their values.
    ///
    /// # Errors
    /// Returns a mistake with the message `wanted` if the node has a text or a list.
    pub fn map(&self, wanted: &str) -> Result<&[(Self, Self)], Mistake> {
        match &self.value {
            Value::Map(pairs) => Ok(pairs),
            Value::Nothing => Ok(&[]),
            _ => Err(self.mistake(wanted)),
        }
    }
}

/// Reads a text. Returns `None` if the text is empty or has only comments.
///
/// ```
/// use robots_lint::expect::yaml;
/// let root = yaml::read("level: note\n")?.expect("the text has a key");
/// let [(key, value)] = root.map("write keys with values")? else { panic!() };
/// assert_eq!((key.text(), value.text(), value.place.column), (Some("level"), Some("note"), 8));
/// # Ok::<(), robots_lint::expect::Mistake>(())
/// ```
///
/// # Errors
/// Returns the first mistake, with its line and column.
pub fn read(text: &str) -> Result<Option<Node>, Mistake> {
    // Directives are refused. A directive can define a long prefix for a short tag, so each short tag could become a
    // long text.
    let mut lines = (1..).zip(text.lines());
    let directive = |line: &str| line.trim_start_matches('\u{feff}').starts_with('%');
    if let Some((line, _)) = lines.find(|(_, line)| directive(line)) {
        let message = "a line that begins with `%` is a YAML directive; remove it".to_owned();
        return Err(Mistake { place: Place { line, column: 1 }, message });
    }
    // The lists and maps that have not ended, and the root of the document.
    let mut open: Vec<(Place, bool, Vec<Node>)> = Vec::new();
    let mut root = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let marker = error.marker();
            Mistake {
                place: Place { line: marker.line().max(1), column: marker.col() + 1 },
                message: match error.info() {
                    info if info.is_empty() => {
                        "this is not YAML; quote a text that contains a special character"
                            .to_owned()
                    }
                    info => info,
                },
            }
        })?;
        let place = Place { line: span.start.line().max(1), column: span.start.col() + 1 };
        let done = match event {
            Event::Scalar(text, style, ..) => {
                let is_nothing = style == ScalarStyle::Plain && matches!(&*text, "" | "~" | "null");
                let value =
                    if is_nothing { Value::Nothing } else { Value::Text((*text).to_owned()) };
                Some(Node { place, value })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == DEEPEST {
                    let message = "lists are nested too deeply".to_owned();
                    return Err(Mistake { place, message });
                }
                open.push((place, matches!(event, Event::MappingStart(..)), Vec::new()));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|(place, is_map, nodes)| {
                let value = if is_map { Value::Map(pairs(nodes)) } else { Value::List(nodes) };
                Node { place, value }
            }),
            Event::Alias(..) => {
                let message = "an alias such as `*` cannot be used here; quote the text".to_owned();
                return Err(Mistake { place, message });
            }
            _ => None,
        };
        let Some(node) = done else { continue };
        match open.last_mut() {
            Some((.., nodes)) => nodes.push(node),
            None if root.is_none() => root = Some(node),
            None => {
                return Err(node.mistake("a second document begins here; remove the line `---`"));
            }
        }
    }
    Ok(root)
}

fn pairs(nodes: Vec<Node>) -> Vec<(Node, Node)> {
    let mut pairs = Vec::new();
    let mut nodes = nodes.into_iter();
    while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
        pairs.push((key, value));
    }
    pairs
}
