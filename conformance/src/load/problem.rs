//! What is wrong with a file, where, and how to mend it; all of it, not the first.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use crate::case::Place;

/// One thing that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What, and how to mend it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Everything that is wrong with a suite or a deviations file; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            write!(f, "{}{problem}", if index == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Reads a struct of optional keys key by key, so that each wrong one is reported by its name, and
/// makes it of the right ones.
pub(crate) fn read_keys<T: DeserializeOwned + Default>(
    mapping: &Mapping,
    mut wrong: impl FnMut(&str, String),
) -> T {
    let mut right = Mapping::new();
    for (key, value) in mapping {
        let Some(name) = key.as_str() else {
            wrong("", format!("the key {} is no text; quote it", inline(key)));
            continue;
        };
        let alone = Mapping::from_iter([(key.clone(), value.clone())]);
        match serde_yaml::from_value::<T>(Value::Mapping(alone)) {
            Ok(_) => drop(right.insert(key.clone(), value.clone())),
            Err(error) => wrong(name, key_message(name, &error.to_string())),
        }
    }
    serde_yaml::from_value(Value::Mapping(right)).unwrap_or_default()
}

/// Renders a YAML value on one line.
pub(crate) fn inline(value: &Value) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| format!("{value:?}"))
}

/// Rewords a message of serde's: what is wrong, and what is known instead.
fn key_message(key: &str, message: &str) -> String {
    let Some(unknown) = message.strip_prefix("unknown field") else {
        return format!("`{key}`: {message}");
    };
    let unknown = unknown.replace(", expected one of ", "; known here: ");
    format!("unknown key{}", unknown.replace(", expected ", "; known here: "))
}
