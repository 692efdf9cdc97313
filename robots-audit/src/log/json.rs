//! Lines of JSON: one object in each line, with a mapping from its keys to fields.
//!
//! Start at [`Mapping::read`]. `serde_json` reads the line; a visitor keeps the mapped values and skips all others. A
//! path of keys names a value in an inner object, such as `request.uri`. The first element stands for a list, because
//! Caddy and Vercel write a header as a list.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::{Field, Fields, NAMES, complete};
use crate::request::valid;

/// A mapping: a tree of keys, whose leaves are fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Mapping {
    key: String,
    /// The field, and the place of the key in the mapping.
    field: Option<(Field, u8)>,
    inner: Vec<Mapping>,
}

impl Mapping {
    /// Makes a mapping from the names of fields and the paths of keys: `time=ts address=request.remote_ip`. A comma or
    /// a space separates two fields. If several paths have one field, the first of the mapping that has a value counts.
    ///
    /// Returns a message if a field has no such name, or if the mapping is not complete.
    pub(super) fn new(text: &str) -> Result<Self, String> {
        let mut root = Self::default();
        let pairs = text.split([' ', ',']).filter(|pair| !pair.is_empty());
        for (rank, pair) in (0_u8..=u8::MAX).zip(pairs) {
            let (name, path) = pair
                .split_once('=')
                .ok_or_else(|| format!("{pair:?} is not a field, `=` and a key"))?;
            let field = NAMES.iter().find(|(known, _)| *known == name).ok_or_else(|| {
                let names = NAMES.map(|(name, _)| name).join(", ");
                format!("{name:?} is not a field; the fields are {names}")
            })?;
            let mut node = &mut root;
            for key in path.split('.') {
                let at =
                    node.inner.iter().position(|inner| inner.key == key).unwrap_or_else(|| {
                        node.inner.push(Self { key: key.to_owned(), ..Self::default() });
                        node.inner.len() - 1
                    });
                node = &mut node.inner[at];
            }
            node.field = Some((field.1, rank));
        }
        let example = |field| match field {
            Field::Time => "time=KEY",
            Field::Status => "status=KEY",
            _ => "url=KEY or request=KEY",
        };
        complete(|field| root.has(field), example)?;
        Ok(root)
    }

    /// Returns whether a line may have the field.
    pub(super) fn has(&self, field: Field) -> bool {
        self.field.is_some_and(|(it, _)| it == field)
            || self.inner.iter().any(|inner| inner.has(field))
    }

    /// Reads a line. Returns `None` if it is not a JSON object.
    pub(super) fn read<'l>(&self, line: &'l [u8]) -> Option<Fields<'l>> {
        let mut fields = Fields::default();
        if let Ok(line) = str::from_utf8(line) {
            self.fill(line, |(field, rank), value| fields.set_ranked(field, rank, value))?;
        } else {
            let line = valid(line);
            self.fill(&line, |(field, rank), value| {
                fields.set_ranked(field, rank, Cow::Owned(value.into_owned()));
            })?;
        }
        Some(fields)
    }

    fn fill<'l>(
        &self,
        line: &'l str,
        mut set: impl FnMut((Field, u8), Cow<'l, [u8]>),
    ) -> Option<()> {
        if !line.trim_start().starts_with('{') {
            return None;
        }
        let mut json = serde_json::Deserializer::from_str(line);
        Value { mapping: self, set: &mut set }.deserialize(&mut json).ok()?;
        json.end().ok()
    }
}

/// A value of the line, and the part of the mapping that applies to it.
struct Value<'v, F> {
    mapping: &'v Mapping,
    set: &'v mut F,
}

impl<'l, F: FnMut((Field, u8), Cow<'l, [u8]>)> Value<'_, F> {
    fn set(self, value: Cow<'l, [u8]>) {
        if let Some(field) = self.mapping.field {
            (self.set)(field, value);
        }
    }
}

impl<'l, F: FnMut((Field, u8), Cow<'l, [u8]>)> DeserializeSeed<'l> for Value<'_, F> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'l, F: FnMut((Field, u8), Cow<'l, [u8]>)> Visitor<'l> for Value<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, value: &'l str) -> Result<(), E> {
        self.set(Cow::Borrowed(value.as_bytes()));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.set(Cow::Owned(value.as_bytes().to_vec()));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_str(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.visit_str(&value.to_string())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.visit_str(if value { "on" } else { "off" })
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        list.next_element_seed(self)?;
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'l>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(mapping) = object.next_key_seed(Key(self.mapping))? {
            match mapping {
                Some(mapping) => object.next_value_seed(Value { mapping, set: &mut *self.set })?,
                None => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// A key of the line. The result is the part of the mapping that applies to its value.
struct Key<'m>(&'m Mapping);

impl<'l, 'm> DeserializeSeed<'l> for Key<'m> {
    type Value = Option<&'m Mapping>;

    fn deserialize<D: Deserializer<'l>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'m> Visitor<'_> for Key<'m> {
    type Value = Option<&'m Mapping>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.inner.iter().find(|inner| inner.key == key))
    }
}
