//! Reading keys one by one, so that everything that is wrong is told, not the first.

use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

/// Something wrong with what a case asks: the key it is about, and the message.
pub(super) struct KeyProblem {
    pub(super) key: &'static str,
    pub(super) message: String,
}

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
    let all = |parts: Vec<String>| parts.join(",");
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) => format!("{text:?}"),
        Value::Sequence(items) => format!("[{}]", all(items.iter().map(inline).collect())),
        Value::Mapping(pairs) => {
            let pair = |(key, value)| format!("{}:{}", inline(key), inline(value));
            format!("{{{}}}", all(pairs.iter().map(pair).collect()))
        }
        Value::Tagged(tagged) => format!("{} {}", tagged.tag, inline(&tagged.value)),
    }
}

/// Rewords a message of serde's: what is wrong, and what is known instead.
fn key_message(key: &str, message: &str) -> String {
    let Some(unknown) = message.strip_prefix("unknown field") else {
        return format!("`{key}`: {message}");
    };
    let unknown = unknown.replace(", expected one of ", "; known here: ");
    format!("unknown key{}", unknown.replace(", expected ", "; known here: "))
}
