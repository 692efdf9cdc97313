//! The keys of a question in a vector, which is one line of a flat file.
//!
//! The flat files contain the suite for test frameworks of any language; `robots-conformance vectors` writes them.
//! Each kind of question writes the keys of its own vectors with [`VectorKeys`]. So the code that writes the files does
//! not need to know the kinds.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::octets::Part;

/// A function that writes the keys of a question.
pub(crate) type WriteVector<Q> = fn(&Q, &mut VectorKeys<'_>);

/// If a body is longer than this limit and its parts are known, it is written in parts.
const WHOLE: usize = 1024;

/// The keys of a vector that belong to its question, in the order in which they are written.
pub(crate) struct VectorKeys<'p> {
    keys: Map<String, Value>,
    /// The parts of the robots.txt, if the case writes it in parts.
    robots_parts: &'p [Part],
}

impl<'p> VectorKeys<'p> {
    pub(super) fn new(robots_parts: &'p [Part]) -> Self {
        Self { keys: Map::new(), robots_parts }
    }

    pub(super) fn into_map(self) -> Map<String, Value> {
        self.keys
    }

    pub(super) fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.keys.insert(key.to_owned(), value.into());
    }

    /// Writes the robots.txt.
    pub(super) fn robots_txt(&mut self, octets: &[u8]) {
        self.octets("robots_txt", octets, self.robots_parts);
    }

    /// Writes octets under the key for their form: as text, as base64 or in parts. For parts, the function also writes
    /// the total length, so that readers can check the joined parts.
    pub(super) fn octets(&mut self, key: &str, octets: &[u8], parts: &[Part]) {
        if octets.len() > WHOLE && !parts.is_empty() {
            self.put(&format!("{key}_parts"), parts.iter().map(part).collect::<Vec<_>>());
            return self.put(&format!("{key}_length"), octets.len());
        }
        match str::from_utf8(octets) {
            Ok(text) => self.put(key, text),
            Err(_) => self.put(&format!("{key}_base64"), BASE64.encode(octets)),
        }
    }

    /// Writes a URL, and its path and query.
    pub(super) fn url(&mut self, url: &str) {
        self.put("url", url);
        self.put("path_and_query", path_and_query(url));
    }
}

fn part(part: &Part) -> Value {
    let mut value = match str::from_utf8(&part.octets) {
        Ok(text) => json!({ "text": text }),
        Err(_) => json!({ "base64": BASE64.encode(&part.octets) }),
    };
    if part.times != 1 {
        value["times"] = part.times.into();
    }
    if let Some(counter) = &part.counter {
        value["counter"] = counter.as_str().into();
    }
    value
}

/// Returns path and query of a URL's text, for parsers that do not accept whole URLs. The function removes the
/// fragment, scheme and authority, and adds a missing `/` at the start. It does not decode, encode or resolve anything.
fn path_and_query(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.find(['/', '?']).map_or("", |at| &rest[at..]);
    if rest.starts_with('/') { rest.to_owned() } else { format!("/{rest}") }
}
