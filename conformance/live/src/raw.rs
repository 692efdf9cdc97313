//! The keys of a case file.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;

use robots_conformance::suite::requirement::Level;
use robots_test_web::Sites;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) requirement: String,
    pub(crate) about: String,
    pub(crate) sites: Sites,
    pub(crate) links: Option<Vec<String>>,
    #[serde(default)]
    pub(crate) controls: Vec<String>,
    pub(crate) follows: Option<String>,
    #[serde(default)]
    pub(crate) fetched: Vec<String>,
    #[serde(default)]
    pub(crate) not_fetched: Vec<String>,
    #[serde(default)]
    pub(crate) either: Vec<String>,
    #[serde(default)]
    pub(crate) log: Vec<Check>,
    pub(crate) expect: BTreeMap<String, Expectation>,
}

/// The probes, by expectation.
#[derive(Clone)]
pub(crate) struct Lists {
    pub(crate) fetched: Vec<String>,
    pub(crate) not_fetched: Vec<String>,
    pub(crate) either: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Check {
    #[serde(rename = "check")]
    pub(crate) kind: CheckKind,
    pub(crate) origin: String,
    pub(crate) times: Option<usize>,
    pub(crate) level: Option<CheckLevel>,
    pub(crate) source: Option<String>,
    pub(crate) requirement: Option<String>,
}

/// A level, or `advice` for a property that no document requires.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckLevel {
    Must,
    Should,
    May,
    Advice,
}

impl CheckLevel {
    pub(crate) const fn level(self) -> Option<Level> {
        match self {
            Self::Must => Some(Level::Must),
            Self::Should => Some(Level::Should),
            Self::May => Some(Level::May),
            Self::Advice => None,
        }
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckKind {
    RobotsFirst,
    Get,
    Unconditional,
    AtLeast,
    AtMost,
    NamesToken,
    Anonymous,
}

/// `as-listed` or a map. `None` means `not-asked`, which only an edition that follows another one can be.
#[derive(Clone)]
pub(crate) struct Expectation(pub(crate) Option<Keys>);

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(crate) struct Keys {
    pub(crate) fetched: Option<Vec<String>>,
    pub(crate) not_fetched: Option<Vec<String>>,
    pub(crate) either: Option<Vec<String>>,
    pub(crate) level: Option<Level>,
    pub(crate) source: Option<String>,
    pub(crate) why: Option<String>,
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
