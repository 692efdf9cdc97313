//! Reads YAML as a tree in which every node has its place. The suite reads cases and deviations with this crate, and the
//! tools for site owners read expectations and settings.
//!
//! Start at [`read()`]. The parser returns events; `Reader` builds the nodes from them. Anybody may write these files, so
//! the depth of the tree is limited, and so is the size of everything that aliases repeat. Directives are refused, because
//! a directive can give a short tag a long prefix. This crate does not know what the files mean.

use std::collections::{HashMap, HashSet};
use std::fmt;

use granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span, options};

/// The maximum depth of nested lists and mappings.
const DEEPEST: usize = 64;

/// The maximum size of all nodes that aliases repeat, together with the nodes that have anchors. Each node counts as one,
/// and each octet of a scalar adds one.
const REPEATED: usize = 1024 * 1024;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(clippy::exhaustive_structs, reason = "a place has only a line and a column")]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
}

/// The reason why a text is not read, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mistake {
    /// The place of the mistake.
    pub place: Place,
    /// The mistake, and how to fix it.
    pub message: String,
}

impl Mistake {
    /// Makes a mistake from its place and a message.
    pub fn new(place: Place, message: impl Into<String>) -> Self {
        Self { place, message: message.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Mistake {}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Node {
    /// The place where the node begins. The place of a node that an alias repeats is the place of the alias.
    pub place: Place,
    /// The value of the node.
    pub value: Value,
    /// Whether a comment follows on the last line of a scalar without quotes. The author may have meant the comment as
    /// text.
    pub has_comment: bool,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "YAML has no other kinds of nodes")]
pub enum Value {
    /// No value, `~` or `null`.
    Null,
    /// A scalar without quotes: a text, a number, or `true` or `false`.
    Plain(String),
    /// A scalar in quotes, or a block scalar: always a text.
    Quoted(String),
    /// A list of nodes.
    List(Vec<Node>),
    /// Keys and their values, in the order of the text. No scalar is the key of two pairs.
    Map(Vec<(Node, Node)>),
}

impl Node {
    /// Returns the text of a scalar, or `None` if the node is a list, a mapping or null.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Plain(text) | Value::Quoted(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the items of a list, or nothing if the node is not a list.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the items of a list. Null is an empty list, and any other node is a list with one item.
    #[must_use]
    pub fn list(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            Value::Null => &[],
            _ => std::slice::from_ref(self),
        }
    }

    /// Returns the pairs of a mapping, or nothing if the node is not a mapping.
    #[must_use]
    pub fn pairs(&self) -> &[(Self, Self)] {
        match &self.value {
            Value::Map(pairs) => pairs,
            _ => &[],
        }
    }

    /// Returns the pairs of a mapping. Null is an empty mapping.
    ///
    /// # Errors
    /// Returns a mistake with the message `wanted` if the node is a scalar or a list.
    pub fn map(&self, wanted: &str) -> Result<&[(Self, Self)], Mistake> {
        match &self.value {
            Value::Map(_) | Value::Null => Ok(self.pairs()),
            _ => Err(self.mistake(wanted)),
        }
    }

    /// Returns the value of a key of a mapping.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Self> {
        let pair = self.pairs().iter().find(|(name, _)| name.text() == Some(key));
        pair.map(|(_, value)| value)
    }

    /// Makes a mistake at the place of the node.
    pub fn mistake(&self, message: impl Into<String>) -> Mistake {
        Mistake::new(self.place, message)
    }

    /// Returns the number of nodes below this node, itself included, plus the octets of their scalars.
    fn size(&self) -> usize {
        let below = match &self.value {
            Value::Null => 0,
            Value::Plain(text) | Value::Quoted(text) => text.len(),
            Value::List(items) => items.iter().map(Self::size).sum(),
            Value::Map(pairs) => pairs.iter().map(|(key, value)| key.size() + value.size()).sum(),
        };
        1 + below
    }
}

/// Reads a text. Returns `None` if the text is empty or has only comments.
///
/// # Errors
/// Returns the first mistake: the text is not YAML, has a tag or a directive, nests too deeply, has two documents, or the
/// same key twice in a mapping, or its aliases repeat too much.
///
/// ```
/// let tree = robots_yaml::read("urls:\n- /a\n- /b\n").unwrap().unwrap();
/// let urls = tree.get("urls").unwrap().items();
/// assert_eq!((urls[1].text(), urls[1].place.line), (Some("/b"), 3));
/// let mistake = robots_yaml::read("urls:\n- [/a\n").unwrap_err();
/// assert_eq!(mistake.place.line, 2);
/// ```
pub fn read(text: &str) -> Result<Option<Node>, Mistake> {
    let mut reader = Reader::default();
    for event in Parser::new_from_str_with_options(text, limits()) {
        let (event, span) = event.map_err(|error| mistake(&error))?;
        reader.take(event, span)?;
    }
    Ok(reader.root)
}

fn limits() -> Options {
    options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        flow_nesting_limit: DEEPEST,
        block_nesting_limit: DEEPEST,
    }
}

fn mistake(error: &ScanError) -> Mistake {
    let marker = error.marker();
    let place = Place { line: marker.line().max(1), column: marker.col() + 1 };
    let message = match error.kind() {
        ErrorKind::DirectiveDisallowed => {
            "a line that begins with `%` is a YAML directive; remove it".to_owned()
        }
        ErrorKind::RecursionLimitExceeded => too_deep(),
        _ if error.info().is_empty() => {
            "this is not YAML; quote a text that contains a special character".to_owned()
        }
        _ => format!("this is not YAML: {}", error.info()),
    };
    Mistake { place, message }
}

fn too_deep() -> String {
    format!("lists and mappings nest more than {DEEPEST} deep; no such file needs that")
}

/// The state of reading.
#[derive(Default)]
struct Reader {
    /// The lists and mappings that have not ended, innermost last.
    open: Vec<Open>,
    /// The nodes that have an anchor.
    anchors: HashMap<usize, Node>,
    /// The size of the nodes that are repeated or have anchors.
    repeated: usize,
    /// The line where the last scalar without quotes ended.
    plain: Option<usize>,
    root: Option<Node>,
}

struct Open {
    place: Place,
    anchor: usize,
    is_map: bool,
    nodes: Vec<Node>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Mistake> {
        let place = Place { line: span.start.line().max(1), column: span.start.col() + 1 };
        if let Event::Comment(..) = event {
            if self.plain == Some(place.line)
                && let Some(node) = self.open.last_mut().and_then(|open| open.nodes.last_mut())
            {
                node.has_comment = true;
            }
            return Ok(());
        }
        self.plain = None;
        match event {
            Event::Scalar(.., Some(_))
            | Event::SequenceStart(.., Some(_))
            | Event::MappingStart(.., Some(_)) => {
                let message = "a text that begins with `!` is a YAML tag; quote the text";
                Err(Mistake::new(place, message))
            }
            Event::Scalar(text, style, anchor, None) => {
                let value = match (style, &*text) {
                    (ScalarStyle::Plain, "" | "~" | "null" | "Null" | "NULL") => Value::Null,
                    (ScalarStyle::Plain, _) => Value::Plain(text.into_owned()),
                    _ => Value::Quoted(text.into_owned()),
                };
                if matches!(value, Value::Plain(_)) {
                    self.plain = Some(span.end.line());
                }
                self.node(Node { place, value, has_comment: false }, anchor)
            }
            Event::SequenceStart(_, anchor, None) => self.begin(place, anchor, false),
            Event::MappingStart(_, anchor, None) => self.begin(place, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(Open { place, anchor, is_map, nodes }) = self.open.pop() else {
                    return Ok(());
                };
                let value = if is_map { Value::Map(pairs(nodes)?) } else { Value::List(nodes) };
                self.node(Node { place, value, has_comment: false }, anchor)
            }
            Event::Alias(anchor) => self.repeat(anchor, place),
            Event::UnresolvedAlias(name) => {
                let message =
                    format!("`*{name}` is a YAML alias, and `&{name}` is missing; quote the text");
                Err(Mistake::new(place, message))
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, place: Place, anchor: usize, is_map: bool) -> Result<(), Mistake> {
        // The parser limits lists and mappings with brackets, and those without, each by itself.
        if self.open.len() == DEEPEST {
            return Err(Mistake::new(place, too_deep()));
        }
        self.open.push(Open { place, anchor, is_map, nodes: Vec::new() });
        Ok(())
    }

    /// Adds a copy of the node that has the anchor.
    fn repeat(&mut self, anchor: usize, place: Place) -> Result<(), Mistake> {
        let Some(node) = self.anchors.get(&anchor) else {
            let message = "this alias is within the node that it repeats; write the node again";
            return Err(Mistake::new(place, message));
        };
        let node = Node { place, ..node.clone() };
        self.charge(&node)?;
        self.node(node, 0)
    }

    /// Counts the copy of a node.
    fn charge(&mut self, node: &Node) -> Result<(), Mistake> {
        self.repeated += node.size();
        if self.repeated > REPEATED {
            return Err(node.mistake("aliases repeat too much; write fewer of them"));
        }
        Ok(())
    }

    fn node(&mut self, node: Node, anchor: usize) -> Result<(), Mistake> {
        if anchor > 0 {
            self.charge(&node)?;
            self.anchors.insert(anchor, node.clone());
        }
        match self.open.last_mut() {
            Some(open) => open.nodes.push(node),
            None if self.root.is_none() => self.root = Some(node),
            None => {
                return Err(node.mistake("a second document begins here; remove the line `---`"));
            }
        }
        Ok(())
    }
}

fn pairs(nodes: Vec<Node>) -> Result<Vec<(Node, Node)>, Mistake> {
    let mut pairs = Vec::with_capacity(nodes.len() / 2);
    let mut seen = HashSet::new();
    let mut nodes = nodes.into_iter();
    while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
        if let Some(text) = key.text()
            && !seen.insert(text.to_owned())
        {
            let text = text.escape_debug();
            return Err(key.mistake(format!("`{text}` is there twice; put both into one")));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
