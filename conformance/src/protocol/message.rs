//! A line taken apart: the keys that a message may have, each as it stands in the line.
//!
//! Nothing is read further than it is asked for, and no tree is made: a line costs what it is long.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use robots_core::engine::QuestionKind;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::render;

/// A message as it was read.
#[derive(Clone, Debug)]
pub struct Message {
    keys: Keys,
    /// The octets of the line.
    length: usize,
    /// The line's beginning, for messages.
    shown: String,
}

/// Why a line is no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAMessage {
    /// It is no JSON.
    NoJson,
    /// It is JSON, but no object.
    NoObject,
}

impl fmt::Display for NotAMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoJson => "the line is no JSON",
            Self::NoObject => "the line is JSON, but no object",
        })
    }
}

impl Error for NotAMessage {}

impl Message {
    /// Reads a line.
    ///
    /// # Errors
    /// Where it is no JSON object.
    pub fn read(line: &[u8]) -> Result<Self, NotAMessage> {
        let keys = serde_json::from_slice(line).map_err(|_| {
            match serde_json::from_slice::<IgnoredAny>(line) {
                Ok(_) => NotAMessage::NoObject,
                Err(_) => NotAMessage::NoJson,
            }
        })?;
        Ok(Self { keys, length: line.len(), shown: shown(line) })
    }

    /// Returns how many octets the line has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the beginning of the line, as a message shows it.
    #[must_use]
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// Returns the value of a key as it stands in the line, where there is one.
    pub(super) fn raw(&self, key: &str) -> Option<&str> {
        self.keys.0.get(key).map(|value| value.get())
    }

    /// Reads the value of a key; `None` where it is missing or of another type.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_str(self.raw(key)?).ok()
    }

    /// Reads the value of a key, where there is one that is not null; the error says what is wrong with it.
    pub(super) fn read_key<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, String> {
        let value = self.raw(key).filter(|value| *value != "null");
        value.map(serde_json::from_str).transpose().map_err(|error| {
            // The line and the column are those of the value, which begins its only line.
            let error = error.to_string();
            error.split_once(" at line ").map_or(&*error, |(error, _)| error).to_owned()
        })
    }

    /// Returns whether a key is missing or null.
    pub(crate) fn is_null(&self, key: &str) -> bool {
        self.raw(key).is_none_or(|value| value == "null")
    }
}

/// Shows the beginning of a line.
pub(crate) fn shown(line: &[u8]) -> String {
    /// No more of it is looked at.
    const BEGINNING: usize = 1024;
    let beginning = String::from_utf8_lossy(&line[..line.len().min(BEGINNING)]);
    match super::cut(&render::visible(&beginning)) {
        shown if line.len() <= BEGINNING => shown,
        shown => {
            let shown = shown.split_once('…').map_or(&*shown, |(shown, _)| shown);
            format!("{shown}… ({} octets)", line.len())
        }
    }
}

/// The keys that are known, the last of each counting.
#[derive(Clone, Debug)]
struct Keys(BTreeMap<&'static str, Box<RawValue>>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Known;

        impl<'de> Visitor<'de> for Known {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    match known(&key) {
                        Some(key) => drop(keys.insert(key, map.next_value()?)),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Keys(keys))
            }
        }

        deserializer.deserialize_map(Known)
    }
}

fn known(key: &str) -> Option<&'static str> {
    const OTHERS: [&str; 23] = [
        "id",
        // A hello and its question.
        "protocol",
        "name",
        "version",
        "language",
        "answers",
        "editions",
        "roles",
        "pipeline",
        // A question.
        "ask",
        "edition",
        "robots_txt",
        "crawler",
        "identification",
        "robots_url",
        "url",
        "came_from",
        "fetch",
        "copy",
        // An answer.
        "line",
        "evidence",
        "unsupported",
        "error",
    ];
    let kinds = QuestionKind::ALL.iter().map(|kind| kind.id());
    OTHERS.into_iter().chain(kinds).find(|known| *known == key)
}
