//! Reads `requirements.yaml`: the catalogue of requirements and tables.
//!
//! Start at [`Loader::requirements`]. The loader reads this file before the cases, because they refer to it. The
//! mapping `same-as` is read before the requirements. It names the editions that follow another edition. Such an
//! edition has the requirements and tables of the other edition, unless the file states different ones. A mistake is
//! reported with its place, and reading continues. Case files also use [`Loader::edition`].

use std::collections::BTreeMap;

use crate::kind::Role;
use robots_core::Edition;
use serde::Deserialize;
use serde_yaml::{Mapping, Value};

use super::form::NOT_ASKED;
use super::loader::Loader;
use super::source::{Block, Source};
use crate::suite::requirement::{Requirement, Statement, Table};
use crate::yaml::{check_key, from_right_keys, read_keys};

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(rename = "same-as")]
    same_as: Option<Mapping>,
    withdrawn: Option<BTreeMap<String, String>>,
    requirements: Option<Vec<Value>>,
    tables: Option<Vec<Value>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct RawRequirement {
    id: Option<String>,
    area: Option<String>,
    says: Option<String>,
    role: Option<String>,
    note: Option<String>,
    editions: Option<Mapping>,
    not_testable: Option<String>,
    #[serde(default)]
    on_the_wire: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStatement {
    level: Option<String>,
    source: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    id: Option<String>,
    edition: Option<String>,
    source: Option<String>,
    rows: Option<Vec<String>>,
}

impl Loader {
    /// Reads the catalogue.
    pub(super) fn requirements(&mut self, source: &Source<'_>, file: &Mapping) {
        let raw: RawFile = read_keys(file, |key, message| self.report(source.top(key), message));
        if raw.requirements.is_none() {
            self.report(
                source.place(1),
                "`requirements` is missing: a list of requirements".into(),
            );
        }
        self.suite.withdrawn = raw.withdrawn.unwrap_or_default();
        self.same_as(source, &raw.same_as.unwrap_or_default());
        let blocks = source.items("requirements");
        for (index, value) in raw.requirements.iter().flatten().enumerate() {
            self.requirement(source, blocks.get(index), value);
        }
        let blocks = source.items("tables");
        for (index, value) in raw.tables.iter().flatten().enumerate() {
            self.table(source, blocks.get(index), value);
        }
        self.follow_tables();
    }

    fn requirement(&mut self, source: &Source<'_>, block: Option<&Block>, value: &Value) {
        let place = source.key(block, "id");
        let Some(raw) = self.keys::<RawRequirement>(source, block, value, "a requirement") else {
            return;
        };
        let Some(id) = self.present(&place, "a requirement", "id", raw.id) else { return };
        let who = format!("requirement {id}");
        let area = self.present(&place, &who, "area", raw.area).unwrap_or_default();
        let says = self.present(&place, &who, "says", raw.says).unwrap_or_default();
        let stated = self.present(&place, &who, "editions", raw.editions).unwrap_or_default();
        if stated.is_empty() {
            self.report(source.key(block, "editions"), format!("{who}: no edition states it"));
        }
        if raw.not_testable.as_ref().is_some_and(|reason| reason.trim().is_empty()) {
            let message = format!("{who}: `not-testable` is blank; give the reason");
            self.report(source.key(block, "not-testable"), message);
        }
        let role = match raw.role.as_deref() {
            None => Role::default(),
            Some(word) => self.named(&source.key(block, "role"), &who, word).unwrap_or_default(),
        };
        let mut editions = BTreeMap::new();
        for (key, value) in &stated {
            let Some(edition) = self.edition(source, block, &who, key) else { continue };
            if value.as_str() == Some(NOT_ASKED) && self.suite.followed.has(edition) {
                continue;
            }
            let place = source.edition(block, edition.id());
            let Some(raw) = value.as_mapping() else {
                self.report(place, format!("{who}: {edition} needs {{ level, source }}"));
                continue;
            };
            let report = |loader: &mut Self, _: &str, message| {
                loader.report(place.clone(), format!("{who}: {edition}: {message}"));
            };
            let raw: RawStatement =
                from_right_keys(&self.read(raw, check_key::<RawStatement>, report));
            let level = self.present(&place, &who, "level", raw.level);
            let level = level.and_then(|level| self.named(&place, &who, &level));
            let text = self.present(&place, &who, "source", raw.source);
            if let (Some(level), Some(source)) = (level, text) {
                editions.insert(edition, Statement { level, source });
            }
        }
        let is_stated = |edition: Edition, _| stated.contains_key(edition.id());
        self.suite.followed.complete(is_stated, &mut editions);
        if let Some(first) = self.suite.requirement(&id) {
            let message =
                format!("{who}: the id is already used at {}; choose another", first.place);
            return self.report(place, message);
        }
        if raw.on_the_wire && raw.not_testable.is_some() {
            let message =
                format!("{who}: `on-the-wire` and `not-testable` exclude each other; remove one");
            self.report(source.key(block, "not-testable"), message);
        }
        let RawRequirement { note, not_testable, on_the_wire, .. } = raw;
        let requirement =
            Requirement { id, area, says, role, note, editions, not_testable, on_the_wire, place };
        self.suite.requirements.push(requirement);
    }

    /// Reads which edition follows which other edition.
    fn same_as(&mut self, source: &Source<'_>, raw: &Mapping) {
        for (key, value) in raw {
            let edition = self.edition(source, None, "same-as", key);
            let base = self.edition(source, None, "same-as", value);
            let (Some(edition), Some(base)) = (edition, base) else { continue };
            if edition == base || self.suite.followed.has(base) {
                let message = format!(
                    "same-as: {edition} follows {base}, but {base} must not be in the list itself"
                );
                self.report(source.top("same-as"), message);
            } else {
                self.suite.followed.insert(edition, base);
            }
        }
    }

    /// Copies tables to the editions that follow another edition.
    fn follow_tables(&mut self) {
        for (edition, base) in self.suite.followed.clone().iter() {
            let has = |id: &String| {
                self.suite.tables.iter().any(|table| table.id == *id && table.edition == edition)
            };
            let of_base = self.suite.tables.iter().filter(|table| table.edition == base);
            let more: Vec<Table> = of_base
                .filter(|table| !has(&table.id))
                .map(|table| Table { edition, ..table.clone() })
                .collect();
            self.suite.tables.extend(more);
        }
    }

    fn table(&mut self, source: &Source<'_>, block: Option<&Block>, value: &Value) {
        let place = source.key(block, "id");
        let Some(raw) = self.keys::<RawTable>(source, block, value, "a table") else { return };
        let Some(id) = self.present(&place, "a table", "id", raw.id) else { return };
        let who = format!("table {id}");
        let edition = self.present(&place, &who, "edition", raw.edition);
        let edition =
            edition.and_then(|edition| self.edition(source, block, &who, &Value::String(edition)));
        let text = self.present(&place, &who, "source", raw.source).unwrap_or_default();
        let rows = self.present(&place, &who, "rows", raw.rows).unwrap_or_default();
        let Some(edition) = edition else { return };
        if rows.is_empty() {
            self.report(source.key(block, "rows"), format!("{who}: no rows; list the key of each"));
        }
        for (index, row) in rows.iter().enumerate() {
            if rows[..index].contains(row) {
                let message =
                    format!("{who}: the row {row:?} occurs twice; a key must name one row");
                self.report(source.key(block, "rows"), message);
            }
        }
        let same = |table: &&Table| table.id == id && table.edition == edition;
        if let Some(first) = self.suite.tables.iter().find(same) {
            let message =
                format!("{who}: {edition} already has this table at {}; join them", first.place);
            return self.report(place, message);
        }
        self.suite.tables.push(Table { id, edition, source: text, rows, place });
    }

    /// Reads an edition's id.
    pub(super) fn edition(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        who: &str,
        key: &Value,
    ) -> Option<Edition> {
        let text = key.as_str().unwrap_or_default();
        self.named(&source.edition(block, text), who, text)
    }
}
