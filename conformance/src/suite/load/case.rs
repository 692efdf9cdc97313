//! Reads a case file: makes cases from raw structs, and reports all problems.
//!
//! Start at [`Loader::case_file`]. Keys that are unknown or have the wrong form are reported and removed first, so the
//! steps after this read only well-formed keys. The module `kind` reads the keys that belong to a question and its
//! answers; this module knows no kind. [`Expecting`] reads what one edition expects. An edition that follows another
//! one has the expectation of that edition, unless the case states a different one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use robots_core::Edition;
use robots_core::engine::{QuestionKind, Role};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::loader::Loader;
use super::raw;
use super::source::{Block, Source};
use crate::kind::{self, KeyProblem};
use crate::octets::{self, WrittenPart};
use crate::problem::{Place, Problem};
use crate::render;
use crate::suite::case::{Case, Conforming, Expect, Reading, Stated};
use crate::yaml::{WrongKey, check_key, fields, read_keys, right_keys};

/// The word that excludes a case or a requirement from an edition that follows another one.
pub(super) const NOT_ASKED: &str = "not-asked";

/// A case while it is read, with its place.
pub(super) struct Context<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) block: Option<&'a Block>,
    pub(super) id: &'a str,
}

impl Context<'_> {
    pub(super) fn place(&self, key: &str) -> Place {
        self.source.key(self.block, key)
    }

    pub(super) fn report(&self, loader: &mut Loader, key: &str, message: impl std::fmt::Display) {
        loader.report(self.place(key), format!("case {}: {message}", self.id));
    }
}

impl Loader {
    pub(super) fn case_file(&mut self, source: &Source<'_>, file: &Mapping) {
        let raw: raw::CaseFile =
            read_keys(file, |key, message| self.report(source.top(key), message));
        let stem = Path::new(source.file).file_stem().unwrap_or_default().to_string_lossy();
        match &raw.area {
            Some(area) if *area == stem => {}
            Some(area) => {
                let message =
                    format!("the area {area:?} is not the file's stem; write `area: {stem}`");
                self.report(source.top("area"), message);
            }
            None => {
                self.report(source.place(1), format!("`area` is missing; write `area: {stem}`"));
            }
        }
        self.each_case(source, raw.cases, |loader, block, value| {
            loader.case(source, block, &stem, raw.table.as_ref(), value);
        });
    }

    /// Passes each item of the list `cases` to a function, with its nodes.
    pub(super) fn each_case(
        &mut self,
        source: &Source<'_>,
        cases: Option<Vec<Value>>,
        mut read: impl FnMut(&mut Self, Option<&Block>, &Value),
    ) {
        let blocks = source.items("cases");
        let cases = cases.unwrap_or_default();
        if cases.is_empty() {
            self.report(source.place(1), "no cases; a case file has at least one".to_owned());
        }
        for (index, value) in cases.iter().enumerate() {
            read(self, blocks.get(index), value);
        }
    }

    /// Reports an id that is not in kebab-case, or that another case has or had.
    pub(super) fn check_id(&mut self, place: &Place, id: &str) {
        let mut wrong =
            |message: String| self.problems.push(Problem { place: place.clone(), message });
        if !is_kebab(id) {
            wrong(format!(
                "case {id}: the id is not in kebab-case: a-z, 0-9, single hyphens between"
            ));
        }
        if let Some(first) = self.ids.get(id) {
            wrong(format!("case {id}: the id is already used at {first}; give it another"));
        }
        if let Some(why) = self.withdrawn.get(id) {
            wrong(format!("case {id}: the id was withdrawn ({why}); choose another"));
        }
        self.ids.entry(id.to_owned()).or_insert_with(|| place.clone());
    }

    fn case(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        area: &str,
        table: Option<&String>,
        value: &Value,
    ) {
        let Some(keys) = self.case_keys(source, block, value) else { return };
        let raw: raw::Case = own(&keys);
        let place = source.key(block, "id");
        let Some(id) = self.present(&place, "a case", "id", raw.id.clone()) else { return };
        let context = Context { source, block, id: &id };
        self.check_id(&place, &id);
        let who = format!("case {id}");
        let about = self.present(&place, &who, "about", raw.about.clone()).unwrap_or_default();
        let requirement = self.present(&place, &who, "requirement", raw.requirement.clone());
        let requirement = requirement.unwrap_or_default();
        self.check_requirement(&context, &requirement);
        let Some(ask) = self.ask(&context, raw.ask.as_deref()) else { return };
        let table = raw.table.clone().or_else(|| table.cloned());
        if let Some(table) = &table {
            self.check_table(&context, table, raw.table.is_some());
        }
        let members = match kind::members(&keys, ask) {
            Ok(members) => members,
            Err(problems) => {
                for KeyProblem { key, message } in problems {
                    // The key may be missing only because it was refused.
                    if key != "id" || self.refused.is_empty() {
                        context.report(self, key, message);
                    }
                }
                Vec::new()
            }
        };
        let parts: OnlyParts = own(&keys);
        let expect =
            self.expect(&context, &keys, raw.expect.as_ref(), ask, &requirement, table.as_deref());
        let case = Case {
            id,
            area: area.to_owned(),
            role: self.role(ask, &requirement),
            requirement,
            about,
            ask,
            members,
            // An invalid escape is already reported.
            robots_parts: octets::resolve(&parts.robots_parts.unwrap_or_default())
                .unwrap_or_default(),
            expect,
            observed: None,
            table,
            place,
        };
        self.suite.cases.push(Arc::new(case));
    }

    /// Returns the role that is asked. This is *retriever* if only retrievers are asked questions of this kind.
    /// Otherwise it is the role that the requirement addresses.
    fn role(&self, ask: QuestionKind, requirement: &str) -> Role {
        let addressed = || self.suite.requirement(requirement).map(|found| found.role);
        let only = ask.role().filter(|role| *role == Role::Retriever);
        only.or_else(addressed).unwrap_or_default()
    }

    /// Returns the well-formed keys of a case: the keys that every case has, and the keys of all kinds.
    fn case_keys(
        &mut self,
        source: &Source<'_>,
        block: Option<&Block>,
        value: &Value,
    ) -> Option<Mapping> {
        let Some(case) = value.as_mapping() else {
            let message = "a case is a mapping of keys to values".to_owned();
            self.report(source.key(block, "id"), message);
            return None;
        };
        let who = match case.get("id").and_then(Value::as_str) {
            Some(id) => format!("case {id}"),
            None => "a case".to_owned(),
        };
        let check = |key: &str, value: &Value| {
            if fields::<raw::Case>().contains(&key) {
                return check_key::<raw::Case>(key, value);
            }
            match kind::check(key, value) {
                Some(checked) => checked.map_err(|error| WrongKey::Value(error.to_string())),
                None => Err(WrongKey::Unknown(known_keys())),
            }
        };
        self.refused.clear();
        Some(right_keys(case, check, |key, message| {
            self.refused.insert(key.to_owned());
            self.report(source.key(block, key), format!("{who}: {message}"));
        }))
    }

    fn check_requirement(&mut self, context: &Context<'_>, id: &str) {
        if id.is_empty() || self.suite.requirement(id).is_some() {
            return;
        }
        let known = self.suite.requirements.iter().map(|requirement| requirement.id.as_str());
        let meant =
            render::nearest(id, known).map_or_else(String::new, |near| format!("; is it {near}?"));
        let message = format!("unknown requirement {id}{meant}; requirements.yaml lists them");
        context.report(self, "requirement", message);
    }

    fn check_table(&mut self, context: &Context<'_>, id: &str, own: bool) {
        if self.suite.tables.iter().any(|table| table.id == id) {
            return;
        }
        let mut known: Vec<&str> =
            self.suite.tables.iter().map(|table| table.id.as_str()).collect();
        known.dedup();
        let message = format!("unknown table {id}; the tables are {}", known.join(", "));
        if own {
            context.report(self, "table", message);
        } else {
            // This is reported once for each file, not for each case.
            let problem = Problem { place: context.source.top("table"), message };
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    fn ask(&mut self, context: &Context<'_>, word: Option<&str>) -> Option<QuestionKind> {
        let Some(word) = word else { return Some(QuestionKind::Verdict) };
        let ask = word.parse().ok();
        if ask.is_none() {
            let known: Vec<&str> = QuestionKind::ALL.iter().map(|kind| kind.id()).collect();
            let message = format!("unknown `ask: {word}`; known here: {}", known.join(", "));
            context.report(self, "ask", message);
        }
        ask
    }

    fn expect(
        &mut self,
        context: &Context<'_>,
        keys: &Mapping,
        stated: Option<&Mapping>,
        ask: QuestionKind,
        requirement: &str,
        table: Option<&str>,
    ) -> BTreeMap<Edition, Expect> {
        let mut expect = BTreeMap::new();
        if stated.is_none_or(Mapping::is_empty) {
            let message = "`expect` is empty; say what at least one edition expects";
            context.report(self, "expect", message);
        }
        let who = format!("case {}", context.id);
        for (key, value) in stated.into_iter().flatten() {
            let Some(edition) = self.edition(context.source, context.block, &who, key) else {
                continue;
            };
            if value.as_str() == Some(NOT_ASKED) {
                if !self.followed.has(edition) {
                    let message = format!(
                        "`{NOT_ASKED}` is for an edition that follows another; leave {edition} out"
                    );
                    context.report(self, "expect", message);
                }
                continue;
            }
            let asked = Expecting { context, keys, ask, edition };
            let Some(own) = self.expectation(&asked, requirement, value) else { continue };
            if let Some(row) = &own.row {
                self.check_row(&asked, table, row);
            }
            expect.insert(edition, own);
        }
        let is_stated =
            |edition: Edition| stated.is_some_and(|stated| stated.contains_key(edition.id()));
        self.followed.inherit(self.suite.requirement(requirement), is_stated, &mut expect);
        expect
    }

    fn expectation(
        &mut self,
        asked: &Expecting<'_>,
        requirement: &str,
        value: &Value,
    ) -> Option<Expect> {
        let raw = asked.raw_expect(value, |message| asked.report(self, message));
        let conforming = match asked.conforming(&raw) {
            Ok(conforming) => conforming,
            Err(message) => {
                asked.report(self, message);
                return None;
            }
        };
        let statement = self.suite.requirement(requirement);
        let exists = statement.is_some();
        let statement =
            statement.and_then(|requirement| requirement.editions.get(&asked.edition)).cloned();
        let level = match raw.level.as_deref() {
            Some(word) => {
                let place = asked.context.source.edition(asked.context.block, asked.edition.id());
                self.level(&place, &format!("case {}", asked.context.id), word)
            }
            None => statement.as_ref().map(|statement| statement.level),
        };
        let source =
            raw.source.or_else(|| statement.as_ref().map(|statement| statement.source.clone()));
        let (Some(level), Some(source)) = (level, source) else {
            if exists && statement.is_none() {
                let message = format!(
                    "requirement {requirement} has no such edition in requirements.yaml; give the \
                     expectation its own `level` and `source`, or leave the edition out"
                );
                asked.report(self, message);
            }
            return None;
        };
        Some(Expect { conforming, level, source, row: raw.row, why: raw.why })
    }

    fn check_row(&mut self, asked: &Expecting<'_>, table: Option<&str>, row: &str) {
        let Some(id) = table else {
            return asked.report(
                self,
                format!("the row {row:?} needs a `table`, here or at the file's top"),
            );
        };
        let edition = asked.edition;
        let found =
            self.suite.tables.iter().find(|table| table.id == id && table.edition == edition);
        match found {
            Some(table) if table.rows.iter().any(|known| known == row) => {}
            Some(table) => {
                let rows: Vec<String> = table.rows.iter().map(|row| format!("{row:?}")).collect();
                asked.report(
                    self,
                    format!("unknown row {row:?}; the rows of {id} are {}", rows.join(", ")),
                );
            }
            // An unknown table is already reported.
            None if !self.suite.tables.iter().any(|table| table.id == id) => {}
            None => asked.report(self, format!("the row {row:?}: {edition} has no table {id}")),
        }
    }
}

/// One edition's expectation while it is read.
struct Expecting<'a> {
    context: &'a Context<'a>,
    keys: &'a Mapping,
    ask: QuestionKind,
    edition: Edition,
}

impl Expecting<'_> {
    fn report(&self, loader: &mut Loader, message: impl std::fmt::Display) {
        let Context { source, block, id } = self.context;
        let message = format!("case {id}: {}: {message}", self.edition);
        loader.report(source.edition(*block, self.edition.id()), message);
    }

    /// Reads the mapping of an expectation. A bare answer is an expectation too.
    fn raw_expect(&self, value: &Value, mut wrong: impl FnMut(String)) -> raw::Expect {
        const KEYS: [&str; 7] = ["answer", "any-of", "readings", "level", "source", "row", "why"];
        let bare = || raw::Expect { answer: Some(value.clone()), ..raw::Expect::default() };
        let Some(mapping) = value.as_mapping() else { return bare() };
        // A bare answer may be a mapping too, but it has none of the keys of an expectation.
        if !KEYS.iter().any(|key| mapping.contains_key(*key))
            && kind::expected(self.ask, value).is_ok()
        {
            return bare();
        }
        read_keys(mapping, |_, message| wrong(message))
    }

    fn conforming(&self, raw: &raw::Expect) -> Result<Conforming<Stated>, String> {
        let lists = kind::are_listed(self.keys, self.ask);
        match (&raw.answer, &raw.any_of, &raw.readings) {
            (Some(value), None, None) if value.as_str() == Some("undefined") => {
                Ok(Conforming::Undefined)
            }
            (Some(value), None, None) => {
                let stated = self.stated(value)?;
                if lists && stated != Stated::AsListed {
                    return Err(
                        "a case with lists expects `as-listed`; the lists define the answers"
                            .into(),
                    );
                }
                Ok(Conforming::One(stated))
            }
            (None, Some(values), None) => {
                let answers: Vec<Stated> =
                    values.iter().map(|value| self.stated(value)).collect::<Result<_, _>>()?;
                two_different(&answers, "any-of")?;
                Ok(Conforming::AnyOf(answers))
            }
            (None, None, Some(readings)) => {
                let read = |reading: &raw::Reading| {
                    let passage = reading.passage.clone();
                    if passage.trim().is_empty() {
                        return Err("a reading's `passage` is blank; name the passage".to_owned());
                    }
                    Ok(Reading { answer: self.stated(&reading.answer)?, passage })
                };
                let readings: Vec<Reading<Stated>> =
                    readings.iter().map(read).collect::<Result<_, _>>()?;
                let answers: Vec<Stated> =
                    readings.iter().map(|reading| reading.answer.clone()).collect();
                two_different(&answers, "readings")?;
                Ok(Conforming::Readings(readings))
            }
            (None, None, None) => {
                Err("nothing is expected; give `answer`, `any-of` or `readings`".to_owned())
            }
            _ => Err("`answer`, `any-of` and `readings` exclude each other; keep one".to_owned()),
        }
    }

    fn stated(&self, value: &Value) -> Result<Stated, String> {
        match value.as_str() {
            Some("as-listed") if kind::are_listed(self.keys, self.ask) => Ok(Stated::AsListed),
            Some("as-listed") => {
                Err("`as-listed` needs lists; this case asks one question, so state its answer"
                    .into())
            }
            _ => {
                let answer = kind::expected(self.ask, value)?;
                Ok(Stated::Answer(kind::complete(self.keys, answer)))
            }
        }
    }
}

/// The parts of a robots.txt. A case keeps them, because some writers need the file in parts.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
struct OnlyParts {
    robots_parts: Option<Vec<WrittenPart>>,
}

/// Reads a struct from the keys that are present; all of them are well-formed.
fn own<T: DeserializeOwned + Default>(keys: &Mapping) -> T {
    serde_yaml::from_value(Value::Mapping(keys.clone())).unwrap_or_default()
}

/// Returns the names of all keys of a case: the keys that every case has, and the keys of the kinds of question.
fn known_keys() -> Vec<&'static str> {
    fields::<raw::Case>().iter().copied().chain(kind::known_keys()).collect()
}

fn two_different(answers: &[Stated], key: &str) -> Result<(), String> {
    if answers.len() < 2 {
        return Err(format!("`{key}` has fewer than two answers; write `answer`"));
    }
    for (index, answer) in answers.iter().enumerate() {
        if answers[..index].contains(answer) {
            return Err(format!("`{key}` states an answer twice; keep one"));
        }
    }
    Ok(())
}

fn is_kebab(id: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|o| o.is_ascii_lowercase() || o.is_ascii_digit())
    };
    id.split('-').all(word)
}
