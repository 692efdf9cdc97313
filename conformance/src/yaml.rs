//! Reads YAML mappings key by key, so that every wrong key is reported and not only the first one. Start at
//! [`read_keys`]. [`fields`] returns the names of a struct's keys. [`mapping`] converts the tree of a file to the values
//! that `serde` reads.

use robots_yaml::{Mistake, Node, Place};
use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde_yaml::{Mapping, Number, Value};

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

/// Converts the root of a file to a mapping.
///
/// # Errors
/// Returns a mistake if the root is not a mapping.
pub(crate) fn mapping(root: &Node) -> Result<Mapping, Mistake> {
    match value(root) {
        Value::Mapping(mapping) => Ok(mapping),
        Value::Null => Ok(Mapping::new()),
        _ => Err(Mistake::new(
            Place { line: 1, column: 1 },
            "the file is not a mapping of keys to values",
        )),
    }
}

/// Converts a node to a value that `serde` reads. A scalar without quotes becomes a number or a boolean if it has the
/// form of one in YAML 1.2's core schema.
pub(crate) fn value(node: &Node) -> Value {
    match &node.value {
        robots_yaml::Value::Null => Value::Null,
        robots_yaml::Value::Plain(text) => plain(text),
        robots_yaml::Value::Quoted(text) => Value::String(text.clone()),
        robots_yaml::Value::List(items) => Value::Sequence(items.iter().map(value).collect()),
        robots_yaml::Value::Map(pairs) => {
            pairs.iter().map(|(key, item)| (value(key), value(item))).collect::<Mapping>().into()
        }
    }
}

fn plain(text: &str) -> Value {
    match text {
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number),
    }
}

/// Reads a number. A text such as `007` has a leading zero and is no number.
fn number(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_negative = text.starts_with('-');
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = unsigned.strip_prefix(prefix) {
            let is_digits = digits.starts_with(|first: char| first.is_digit(radix));
            let parsed = i64::from_str_radix(digits, radix).ok().filter(|_| is_digits);
            return parsed.map(|number| if is_negative { -number } else { number }.into());
        }
    }
    match unsigned {
        ".inf" | ".Inf" | ".INF" if is_negative => return Some(f64::NEG_INFINITY.into()),
        ".inf" | ".Inf" | ".INF" => return Some(f64::INFINITY.into()),
        _ => {}
    }
    if let ".nan" | ".NaN" | ".NAN" = text {
        return Some(f64::NAN.into());
    }
    if !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let has_leading_zero =
        unsigned.len() > 1 && unsigned.bytes().all(|octet| octet.is_ascii_digit());
    if has_leading_zero && unsigned.starts_with('0') {
        return None;
    }
    let integer = text.parse::<u64>().map(Number::from);
    let integer = integer.or_else(|_| text.parse::<i64>().map(Number::from));
    let float = || text.parse::<f64>().ok().filter(|float| float.is_finite()).map(Number::from);
    integer.ok().or_else(float)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use robots_yaml::read;
    use rstest::rstest;

    use super::value;

    /// Compares the values with those of the reader of YAML that comes with the types.
    #[rstest]
    #[trace]
    fn scalars_have_the_values_of_the_core_schema(
        #[values(
            "true",
            "True",
            "yes",
            "~",
            "null",
            "",
            "0",
            "-0",
            "7",
            "-7",
            "+7",
            "007",
            "0x1F",
            "-0x1F",
            "0o17",
            "0b11",
            "0x",
            "0x+1",
            "1.5",
            "-1.5e3",
            ".5",
            "5.",
            "1e5",
            "e5",
            ".",
            "+",
            ".inf",
            "-.inf",
            "+.inf",
            ".nan",
            "inf",
            "nan",
            "infinity",
            "18446744073709551615",
            "-9223372036854775808",
            "1_000",
            "1:30",
            "2022-09-01",
            "/fish",
            "a b"
        )]
        text: &str,
    ) {
        let text = format!("a: {text}\n");
        let expected: serde_yaml::Value = serde_yaml::from_str(&text).unwrap();
        assert_eq!(format!("{:?}", value(&read(&text).unwrap().unwrap())), format!("{expected:?}"));
    }

    proptest! {
        #[test]
        fn numbers_have_the_values_of_the_core_schema(text in "[-+]?[0-9.xobeE+-]{1,8}") {
            let text = format!("a: {text}\n");
            if let (Ok(expected), Ok(Some(node))) = (serde_yaml::from_str::<serde_yaml::Value>(&text), read(&text)) {
                prop_assert_eq!(format!("{:?}", value(&node)), format!("{:?}", expected));
            }
        }
    }

    /// The tree of every file of the suite has the values that another reader of YAML finds.
    #[test]
    fn the_files_have_the_same_values_for_another_reader() {
        for (path, text) in robots_spec_cases::files().filter(|(path, _)| path.contains(".yaml")) {
            let root = read(text).unwrap().unwrap();
            assert!(
                value(&root) == serde_yaml::from_str::<serde_yaml::Value>(text).unwrap(),
                "{path}"
            );
        }
    }
}
