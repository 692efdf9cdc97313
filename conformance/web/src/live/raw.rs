//! The keys of a case file.

use indexmap::IndexMap;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use std::fmt;

use super::case::Level;
use crate::sites::Sites;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) requirement: String,
    pub(super) about: String,
    pub(super) sites: Sites,
    pub(super) links: Option<Vec<String>>,
    #[serde(default)]
    pub(super) controls: Vec<String>,
    pub(super) follows: Option<String>,
    #[serde(default)]
    pub(super) fetched: Vec<String>,
    #[serde(default)]
    pub(super) not_fetched: Vec<String>,
    #[serde(default)]
    pub(super) either: Vec<String>,
    #[serde(default)]
    pub(super) log: Vec<Check>,
    pub(super) expect: IndexMap<String, Expectation>,
}

/// The probes, by what is to become of them.
#[derive(Clone)]
pub(super) struct Lists {
    pub(super) fetched: Vec<String>,
    pub(super) not_fetched: Vec<String>,
    pub(super) either: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Check {
    #[serde(rename = "check")]
    pub(super) kind: CheckKind,
    pub(super) origin: String,
    pub(super) times: Option<usize>,
    pub(super) level: Option<Level>,
    pub(super) source: Option<String>,
    pub(super) requirement: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CheckKind {
    RobotsFirst,
    Get,
    Unconditional,
    AtLeast,
    AtMost,
    NamesToken,
}

/// `as-listed`, or a map; nothing where an edition that follows another is `not-asked`.
#[derive(Clone)]
pub(super) struct Expectation(pub(super) Option<Keys>);

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Keys {
    pub(super) fetched: Option<Vec<String>>,
    pub(super) not_fetched: Option<Vec<String>>,
    pub(super) either: Option<Vec<String>>,
    pub(super) level: Option<Level>,
    pub(super) source: Option<String>,
    pub(super) why: Option<String>,
}

impl<'de> Deserialize<'de> for Expectation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Expectation;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "`as-listed`, `not-asked`, or a map of `fetched`, `not-fetched`, `either`",
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Expectation, E> {
                match text {
                    "as-listed" => Ok(Expectation(Some(Keys::default()))),
                    "not-asked" => Ok(Expectation(None)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Expectation, A::Error> {
                Keys::deserialize(MapAccessDeserializer::new(map))
                    .map(|keys| Expectation(Some(keys)))
            }
        }

        deserializer.deserialize_any(Reader)
    }
}
