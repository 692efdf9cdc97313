//! Reads YAML mappings key by key, so that every wrong key is reported and not only the first one. Start at
//! [`read_keys`]. [`fields`] returns the names of a struct's keys.

use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_yaml::{Mapping, Value};

/// A value or a list of values.
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

/// The reason why a key of a mapping cannot be read.
pub(crate) enum WrongKey {
    /// The format has no key with this name. The list contains the known names.
    Unknown(Vec<&'static str>),
    /// The value is wrong; the text is serde's message about it.
    Value(String),
}

impl WrongKey {
    /// Returns the message about the key.
    fn message(&self, key: &str) -> String {
        match self {
            Self::Unknown(known) => {
                let known: Vec<String> = known.iter().map(|key| format!("`{key}`")).collect();
                format!("unknown key `{key}`; known here: {}", known.join(", "))
            }
            Self::Value(message) => format!("`{key}`: {message}"),
        }
    }
}

/// Reads a struct of optional keys from the well-formed keys, and reports every other key.
pub(crate) fn read_keys<T: DeserializeOwned + Default>(
    mapping: &Mapping,
    wrong: impl FnMut(&str, String),
) -> T {
    let right = right_keys(mapping, check_key::<T>, wrong);
    serde_yaml::from_value(Value::Mapping(right)).unwrap_or_default()
}

/// Checks a key and its value against a struct of optional keys.
pub(crate) fn check_key<T: DeserializeOwned>(key: &str, value: &Value) -> Result<(), WrongKey> {
    let known = fields::<T>();
    if !known.contains(&key) {
        return Err(WrongKey::Unknown(known.to_vec()));
    }
    let alone = Mapping::from_iter([(key.into(), value.clone())]);
    match serde_yaml::from_value::<T>(Value::Mapping(alone)) {
        Ok(_) => Ok(()),
        Err(error) => Err(WrongKey::Value(error.to_string())),
    }
}

/// Returns the well-formed keys of a mapping. `check` decides whether a key belongs to the format.
pub(crate) fn right_keys(
    mapping: &Mapping,
    check: impl Fn(&str, &Value) -> Result<(), WrongKey>,
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
            Err(why) => wrong(name, why.message(name)),
        }
    }
    right
}

/// Reads a struct from the keys of its fields. All keys must be well-formed.
pub(crate) fn from_right_keys<T: DeserializeOwned + Default>(keys: &Mapping) -> T {
    let known = fields::<T>();
    let is_known = |key: &Value| key.as_str().is_some_and(|key| known.contains(&key));
    let keys = keys.iter().filter(|(key, _)| is_known(key));
    let keys = keys.map(|(key, value)| (key.clone(), value.clone())).collect();
    serde_yaml::from_value(Value::Mapping(keys)).unwrap_or_default()
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

/// Returns the names of a struct's fields. serde passes them to the deserializer.
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
