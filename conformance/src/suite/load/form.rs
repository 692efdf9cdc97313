//! Reads the keys that cases of every form have: the id, the requirement, the sentence about the case, and the
//! expectations of the editions with level, section and row.
//!
//! A case asks questions, or it has another [`Form`], for example a crawl. Start at [`Loader::case_file`], which reads
//! the list of cases; [`Loader::head`] checks the common keys of one case. An implementation of [`ReadForm`] reads the
//! keys of one form and the expectations. An edition that follows another edition has the same expectation, unless the
//! case states a different one.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use robots_core::Edition;
use serde::de::DeserializeOwned;
use serde_yaml::{Mapping, Value};

use super::loader::Loader;
use super::raw;
use super::source::{Block, Source};
use crate::problem::{Place, Problem};
use crate::suite::case::{Case, Expect};
use crate::yaml::{WrongKey, check_key, fields, from_right_keys, read_keys, right_keys};
use robots_console::render;

/// The word that excludes a case or a requirement from an edition that follows another edition.
pub(super) const NOT_ASKED: &str = "not-asked";

/// The word for an expectation that the lists of a case state: each member has the answer of its list.
pub(super) const AS_LISTED: &str = "as-listed";

/// The keys of a case that is not a question, in addition to the keys that every case has. Every key is optional here.
pub trait Form: DeserializeOwned + Default {
    /// The keys of an expectation, in addition to `level`, `source`, `row` and `why`. Every key is optional here.
    type Keys: DeserializeOwned + Default;
    /// The type of an edition's expectation.
    type Conforming: Clone;

    /// Returns the expectation of an edition, or reports mistakes in the keys. `keys` is `None` if the case says
    /// `as-listed`.
    fn conforming(
        &self,
        keys: Option<Self::Keys>,
        report: &mut dyn FnMut(String),
    ) -> Option<Self::Conforming>;
}

/// The part of the loader that differs between the forms of cases: questions, and every [`Form`].
pub(super) trait ReadForm: Sized {
    /// The type of [`Case::form`] in the case that is made.
    type Form;
    /// The type of an edition's expectation.
    type Conforming: Clone;

    /// Checks a key of a case: a key that every case has, or a key of this form.
    fn check(key: &str, value: &Value) -> Result<(), WrongKey>;

    /// Reads the form from the well-formed keys of a case, or reports why this is not possible. `requirement` is the id
    /// of the requirement that the case tests.
    fn read(
        loader: &mut Loader,
        context: &Context<'_>,
        requirement: &str,
        keys: Mapping,
    ) -> Option<Self>;

    /// Reads the expectation of an edition, with its level, source, row and reason, or reports mistakes.
    fn expectation(
        &self,
        loader: &mut Loader,
        context: &Context<'_>,
        edition: Edition,
        value: &Value,
    ) -> Option<(Self::Conforming, raw::Terms)>;

    /// Returns the form, after the expectations have been read.
    fn form(self) -> Self::Form;
}

impl<F: Form> ReadForm for F {
    type Form = F;
    type Conforming = F::Conforming;

    fn check(key: &str, value: &Value) -> Result<(), WrongKey> {
        check_either::<raw::Case, F>(key, value)
    }

    fn read(_: &mut Loader, _: &Context<'_>, _: &str, keys: Mapping) -> Option<Self> {
        Some(from_right_keys(&keys))
    }

    fn expectation(
        &self,
        loader: &mut Loader,
        context: &Context<'_>,
        edition: Edition,
        value: &Value,
    ) -> Option<(F::Conforming, raw::Terms)> {
        let mut report = |message: String| context.report_edition(loader, edition, message);
        let (keys, terms) = match value {
            Value::Mapping(mapping) => {
                let check = check_either::<raw::Terms, F::Keys>;
                let right = right_keys(mapping, check, |_, message| report(message));
                (Some(from_right_keys(&right)), from_right_keys(&right))
            }
            Value::String(word) if word == AS_LISTED => (None, raw::Terms::default()),
            _ => {
                report(format!("write `{AS_LISTED}`, or a mapping of keys to values"));
                return None;
            }
        };
        Some((self.conforming(keys, &mut report)?, terms))
    }

    fn form(self) -> F {
        self
    }
}

/// A case while it is read, with its place.
pub(super) struct Context<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) block: Option<&'a Block>,
    pub(super) id: &'a str,
}

/// The data that every case has, apart from its expectations.
pub(super) struct Head {
    pub(super) about: String,
    pub(super) requirement: String,
    pub(super) table: Option<String>,
    pub(super) place: Place,
}

/// The place of a case in its file, with the area and the table that the file states for all its cases.
#[derive(Clone, Copy)]
pub(super) struct Item<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) block: Option<&'a Block>,
    pub(super) area: &'a str,
    pub(super) table: Option<&'a str>,
}

impl Context<'_> {
    pub(super) fn place(&self, key: &str) -> Place {
        self.source.key(self.block, key)
    }

    /// Returns the beginning of a message about the case.
    pub(super) fn who(&self) -> String {
        format!("case {}", self.id)
    }

    pub(super) fn report(&self, loader: &mut Loader, key: &str, message: impl Display) {
        loader.report(self.place(key), format!("{}: {message}", self.who()));
    }

    /// Reports a problem with the expectation of an edition.
    pub(super) fn report_edition(
        &self,
        loader: &mut Loader,
        edition: Edition,
        message: impl Display,
    ) {
        let place = self.source.edition(self.block, edition.id());
        loader.report(place, format!("{}: {edition}: {message}", self.who()));
    }
}

impl Loader {
    /// Reads a file of cases, and passes each case to a function.
    pub(super) fn case_file(
        &mut self,
        source: &Source<'_>,
        file: &Mapping,
        mut read: impl FnMut(&mut Self, Item<'_>, &Value),
    ) {
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
        let blocks = source.items("cases");
        let cases = raw.cases.unwrap_or_default();
        if cases.is_empty() {
            self.report(source.place(1), "no cases; a case file has at least one".to_owned());
        }
        for (index, value) in cases.iter().enumerate() {
            let (block, table) = (blocks.get(index), raw.table.as_deref());
            read(self, Item { source, block, area: &stem, table }, value);
        }
    }

    /// Reads a case. Returns `None` if the case has no id, or if the keys of its form cannot be read. An edition whose
    /// expectation cannot be read is left out.
    pub(super) fn case<F: ReadForm>(
        &mut self,
        item: Item<'_>,
        value: &Value,
    ) -> Option<Case<F::Form, F::Conforming>> {
        let Item { source, block, .. } = item;
        let keys = self.right_keys(source, block, value, "a case", F::check)?;
        let raw: raw::Case = from_right_keys(&keys);
        let id = self.present(&source.key(block, "id"), "a case", "id", raw.id.clone())?;
        let context = Context { source, block, id: &id };
        let Head { about, requirement, table, place } = self.head(&context, item, &raw);
        let read = F::read(self, &context, &requirement, keys)?;
        let expect = self.expect(&context, &raw, table.as_deref(), |loader, edition, value| {
            read.expectation(loader, &context, edition, value)
        });
        let (area, form) = (item.area.to_owned(), read.form());
        Some(Case { id, area, requirement, about, form, expect, table, place })
    }

    /// Checks the keys that every case has, apart from its expectations.
    pub(super) fn head(&mut self, context: &Context<'_>, item: Item<'_>, raw: &raw::Case) -> Head {
        let place = context.place("id");
        self.check_id(&place, context.id);
        let who = context.who();
        let about = self.present(&place, &who, "about", raw.about.clone()).unwrap_or_default();
        let requirement = self.present(&place, &who, "requirement", raw.requirement.clone());
        let requirement = requirement.unwrap_or_default();
        self.check_requirement(context, &requirement);
        let table = raw.table.as_deref().or(item.table);
        if let Some(table) = table {
            self.check_table(context, table, raw.table.is_some());
        }
        Head { about, requirement, table: table.map(str::to_owned), place }
    }

    /// Reads the expectations of the editions. `read` returns the expectation of one edition, or reports a problem.
    pub(super) fn expect<C: Clone>(
        &mut self,
        context: &Context<'_>,
        raw: &raw::Case,
        table: Option<&str>,
        mut read: impl FnMut(&mut Self, Edition, &Value) -> Option<(C, raw::Terms)>,
    ) -> BTreeMap<Edition, Expect<C>> {
        let (mut expect, stated) = (BTreeMap::new(), raw.expect.as_ref());
        let requirement = raw.requirement.as_deref().unwrap_or_default();
        if stated.is_none_or(Mapping::is_empty) {
            let message = "`expect` is empty; say what at least one edition expects";
            context.report(self, "expect", message);
        }
        let who = context.who();
        for (key, value) in stated.into_iter().flatten() {
            let Some(edition) = self.edition(context.source, context.block, &who, key) else {
                continue;
            };
            if value.as_str() == Some(NOT_ASKED) {
                if !self.suite.followed.has(edition) {
                    let message = format!(
                        "`{NOT_ASKED}` is for an edition that follows another; leave {edition} out"
                    );
                    context.report(self, "expect", message);
                }
                continue;
            }
            let Some((conforming, terms)) = read(self, edition, value) else { continue };
            let with_terms = self.with_terms(context, edition, requirement, conforming, terms);
            let Some(with_terms) = with_terms else { continue };
            if let Some(row) = &with_terms.row {
                self.check_row(context, edition, table, row);
            }
            expect.insert(edition, with_terms);
        }
        let is_stated =
            |edition: Edition| stated.is_some_and(|stated| stated.contains_key(edition.id()));
        self.suite.followed.inherit(self.suite.requirement(requirement), is_stated, &mut expect);
        expect
    }

    /// Adds the level and the section to the conforming answers of an edition. Each of them comes from the expectation
    /// or, if the expectation does not state it, from the requirement.
    fn with_terms<C>(
        &mut self,
        context: &Context<'_>,
        edition: Edition,
        requirement: &str,
        conforming: C,
        terms: raw::Terms,
    ) -> Option<Expect<C>> {
        let statement = self.suite.requirement(requirement);
        let exists = statement.is_some();
        let statement = statement.and_then(|requirement| requirement.editions.get(&edition));
        let statement = statement.cloned();
        let level = match terms.level.as_deref() {
            Some(word) => {
                let place = context.source.edition(context.block, edition.id());
                self.named(&place, &context.who(), word)
            }
            None => statement.as_ref().map(|statement| statement.level),
        };
        let source =
            terms.source.or_else(|| statement.as_ref().map(|statement| statement.source.clone()));
        let (Some(level), Some(source)) = (level, source) else {
            if exists && statement.is_none() {
                let message = format!(
                    "requirement {requirement} has no such edition in requirements.yaml; give the \
                     expectation its own `level` and `source`, or leave the edition out"
                );
                context.report_edition(self, edition, message);
            }
            return None;
        };
        Some(Expect { conforming, level, source, row: terms.row, why: terms.why })
    }

    /// Reports an id that is not in kebab-case, that another case has, or that was withdrawn.
    fn check_id(&mut self, place: &Place, id: &str) {
        let mut wrong = |message: String| self.problems.push(Problem::new(place.clone(), message));
        if !is_kebab(id) {
            wrong(format!(
                "case {id}: the id is not in kebab-case: a-z, 0-9, single hyphens between"
            ));
        }
        if let Some(first) = self.ids.get(id) {
            wrong(format!("case {id}: the id is already used at {first}; give it another"));
        }
        if let Some(why) = self.suite.withdrawn.get(id) {
            wrong(format!("case {id}: the id was withdrawn ({why}); choose another"));
        }
        self.ids.entry(id.to_owned()).or_insert_with(|| place.clone());
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
}

/// Checks that a key is a field of one of two structs, and that the value has the type of this field.
pub(super) fn check_either<A: DeserializeOwned, B: DeserializeOwned>(
    key: &str,
    value: &Value,
) -> Result<(), WrongKey> {
    if fields::<A>().contains(&key) {
        return check_key::<A>(key, value);
    }
    if fields::<B>().contains(&key) {
        return check_key::<B>(key, value);
    }
    Err(WrongKey::Unknown(fields::<A>().iter().chain(fields::<B>()).copied().collect()))
}

/// Returns whether an id is in kebab-case: words of lower-case letters and digits, joined by `-`.
///
/// ```
/// use robots_conformance::suite::load::is_kebab;
/// assert!(is_kebab("two-words") && !is_kebab("Two--words"));
/// ```
#[must_use]
pub fn is_kebab(id: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty() && word.bytes().all(|o| o.is_ascii_lowercase() || o.is_ascii_digit())
    };
    id.split('-').all(word)
}
