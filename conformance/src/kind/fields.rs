//! The keys of a message of the protocol, and the mistakes in them.
//!
//! A line is first split into its keys, without parsing their values. A value is parsed when a kind of question reads
//! it. No tree of values is built, so the cost of a line is proportional to its length.

use std::collections::BTreeMap;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The reason why a message is not a question.
pub(crate) enum NotAQuestion {
    /// The message is well-formed, but this version does not know its kind or its edition.
    Unknown(String),
    /// The message is malformed.
    Wrong(String),
}

/// A key of an answer whose value is wrong.
pub(crate) struct WrongKey {
    /// The key.
    pub(crate) key: &'static str,
    /// The expected form of the value.
    pub(crate) expected: String,
}

impl WrongKey {
    pub(super) fn new(key: &'static str, expected: impl Into<String>) -> Self {
        Self { key, expected: expected.into() }
    }
}

/// The known keys of a message, each with its value as written. If a key occurs several times, its last value is used.
#[derive(Clone, Debug)]
pub(crate) struct Fields(BTreeMap<&'static str, Box<RawValue>>);

impl Fields {
    /// Returns the value of a key as written.
    pub(crate) fn raw(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.get())
    }

    /// Reads the value of a key. Returns `None` if the key is missing or has a value of another type.
    pub(crate) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        serde_json::from_str(self.raw(key)?).ok()
    }

    /// Returns whether a key is missing or null.
    pub(crate) fn is_null(&self, key: &str) -> bool {
        self.raw(key).is_none_or(|value| value == "null")
    }

    /// Reads a key that a question must have.
    ///
    /// # Errors
    /// Returns [`NotAQuestion::Wrong`] if the key is missing, null or of another type.
    pub(crate) fn key<T: DeserializeOwned>(&self, key: &str) -> Result<T, NotAQuestion> {
        self.optional(key)?.ok_or_else(|| NotAQuestion::Wrong(format!("`{key}` is missing")))
    }

    /// Reads a key that may be missing or null.
    ///
    /// # Errors
    /// Returns [`NotAQuestion::Wrong`] if the value is of another type.
    pub(crate) fn optional<T: DeserializeOwned>(
        &self,
        key: &str,
    ) -> Result<Option<T>, NotAQuestion> {
        let value = self.raw(key).filter(|value| *value != "null");
        value.map(serde_json::from_str).transpose().map_err(|error| {
            // The line and column in serde's message refer to the value alone, so they are removed.
            let error = error.to_string();
            let error = error.split_once(" at line ").map_or(&*error, |(error, _)| error);
            NotAQuestion::Wrong(format!("`{key}` is wrong: {error}"))
        })
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Known;

        impl<'de> Visitor<'de> for Known {
            type Value = Fields;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut keys = BTreeMap::new();
                while let Some(key) = map.next_key::<String>()? {
                    match known(&key) {
                        Some(key) => drop(keys.insert(key, map.next_value()?)),
                        None => drop(map.next_value::<IgnoredAny>()?),
                    }
                }
                Ok(Fields(keys))
            }
        }

        deserializer.deserialize_map(Known)
    }
}

/// Returns the known key that equals this name, or `None` if no message of the protocol has such a key.
fn known(key: &str) -> Option<&'static str> {
    const EVERY: [&str; 14] = [
        "id",
        // The keys of a hello, and of the message that asks for it.
        "protocol",
        "name",
        "version",
        "language",
        "answers",
        "editions",
        "roles",
        "pipeline",
        "clock",
        // The other keys that no kind of question declares.
        "ask",
        "edition",
        "unsupported",
        "error",
    ];
    let of_kinds = crate::kind::QuestionKind::ALL.iter().flat_map(|kind| super::wire::keys(*kind));
    EVERY.into_iter().chain(of_kinds).find(|known| *known == key)
}
