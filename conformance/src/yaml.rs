//! Reads YAML mappings key by key, so that every wrong key is reported and not only the first one.

use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_yaml::{Mapping, Value};

/// A text or a list of texts.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub(crate) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    pub(crate) fn into_vec(self) -> Vec<T> {
        match self {
            Self::One(one) => vec![one],
            Self::Many(many) => many,
        }
    }
}

/// Reads a struct of optional keys from the well-formed keys. Every other key is reported by its name.
pub(crate) fn read_keys<T: DeserializeOwned + Default>(
    mapping: &Mapping,
    wrong: impl FnMut(&str, String),
) -> T {
    let check = |key: &str, value: &Value| {
        let alone = Mapping::from_iter([(key.into(), value.clone())]);
        match serde_yaml::from_value::<T>(Value::Mapping(alone)) {
            Ok(_) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    };
    serde_yaml::from_value(Value::Mapping(right_keys(mapping, check, wrong))).unwrap_or_default()
}

/// Returns the well-formed keys of a mapping. `check` returns serde's message about a wrong key.
pub(crate) fn right_keys(
    mapping: &Mapping,
    check: impl Fn(&str, &Value) -> Result<(), String>,
    mut wrong: impl FnMut(&str, String),
) -> Mapping {
    let mut right = Mapping::new();
    for (key, value) in mapping {
        let Some(name) = key.as_str() else {
            wrong("", format!("the key {} is not a text; quote it", inline(key)));
            continue;
        };
        match check(name, value) {
            Ok(()) => drop(right.insert(key.clone(), value.clone())),
            Err(message) => wrong(name, key_message(name, &message)),
        }
    }
    right
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

/// Rewords a message of serde: the problem, and the known names.
fn key_message(key: &str, message: &str) -> String {
    let Some(unknown) = message.strip_prefix("unknown field") else {
        return format!("`{key}`: {message}");
    };
    let unknown = unknown.replace(", expected one of ", "; known here: ");
    format!("unknown key{}", unknown.replace(", expected ", "; known here: "))
}

/// Returns the names of a struct's fields, which serde asks for.
pub(crate) fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Fields<'f>(&'f mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for Fields<'_> {
        type Error = Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
            Err(de::Error::custom("only a struct has fields"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Error> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Fields(&mut fields));
    fields
}
