//! The state of the loader: [`Loader`]. The other modules add the methods that read each file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::str::FromStr;

use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::source::{Block, Source};
use crate::problem::{Place, Problem};
use crate::suite::Suite;
use crate::yaml::{WrongKey, check_key, from_right_keys, right_keys};

/// The data that was read so far, and the problems that were found.
#[derive(Default)]
pub(super) struct Loader {
    pub(super) suite: Suite,
    /// The ids of the cases that were read, with their places.
    pub(super) ids: BTreeMap<String, Place>,
    /// The keys of the current item that were refused because they are wrong.
    pub(super) refused: BTreeSet<String>,
    pub(super) problems: Vec<Problem>,
}

impl Loader {
    pub(super) fn report(&mut self, place: Place, message: String) {
        self.problems.push(Problem { place, message });
    }

    pub(super) fn yaml(&mut self, source: &Source<'_>) -> Option<Mapping> {
        match source.mapping() {
            Ok(mapping) => Some(mapping),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Reads the keys of an item, for example a requirement. An item that is not a mapping is reported.
    pub(super) fn keys<T: DeserializeOwned + Default>(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        value: &Value,
        what: &str,
    ) -> Option<T> {
        let right = self.right_keys(source, block, value, what, check_key::<T>)?;
        Some(from_right_keys(&right))
    }

    /// Returns the well-formed keys of an item, and reports the other keys. `check` decides whether a key is well-formed.
    /// An item that is not a mapping is reported.
    pub(super) fn right_keys(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        value: &Value,
        what: &str,
        check: impl Fn(&str, &Value) -> Result<(), WrongKey>,
    ) -> Option<Mapping> {
        let Some(mapping) = value.as_mapping() else {
            self.report(source.key(block, "id"), format!("{what} is a mapping of keys to values"));
            return None;
        };
        let who = match mapping.get("id").and_then(Value::as_str) {
            Some(id) => format!("{} {id}", what.trim_start_matches("a ")),
            None => what.to_owned(),
        };
        Some(self.read(mapping, check, |loader, key, message| {
            loader.report(source.key(block, key), format!("{who}: {message}"));
        }))
    }

    /// Returns the well-formed keys of a mapping, and stores the names of the refused keys in `refused`.
    pub(super) fn read(
        &mut self,
        mapping: &Mapping,
        check: impl Fn(&str, &Value) -> Result<(), WrongKey>,
        report: impl Fn(&mut Self, &str, String),
    ) -> Mapping {
        self.refused.clear();
        right_keys(mapping, check, |key, message| {
            self.refused.insert(key.to_owned());
            report(self, key, message);
        })
    }

    /// Converts a name to its value, for example to an edition or a level. The message about an unknown name lists the
    /// known names.
    pub(super) fn named<T: FromStr<Err: Display>>(
        &mut self,
        place: &Place,
        who: &str,
        text: &str,
    ) -> Option<T> {
        let report = |error| self.report(place.clone(), format!("{who}: {text:?}: {error}"));
        text.parse().map_err(report).ok()
    }

    /// Returns the value of a required key, and reports a missing key. A refused key is not reported again.
    pub(super) fn present<T>(
        &mut self,
        place: &Place,
        who: impl Display,
        key: &str,
        value: Option<T>,
    ) -> Option<T> {
        if value.is_none() && !self.refused.contains(key) {
            self.report(place.clone(), format!("{who}: `{key}` is missing"));
        }
        value
    }
}
