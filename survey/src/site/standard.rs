//! The data of the annotated documents: for each section its sentences, the requirements that come from them, their
//! cases, and the software that violates them. Start at [`documents`]. The texts are our summaries in
//! `documents.yaml`, never those of the documents.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::suite::load;
use robots_conformance::suite::requirement::{Sentence as Listed, address};
use serde::Serialize;

use super::data::{self, TableData};
use crate::suite::{EDITIONS, Requirement, Suite};

/// A document, section by section.
#[derive(Serialize)]
pub(super) struct Document<'s> {
    pub(super) edition: &'static str,
    pub(super) file: String,
    sections: Vec<Section<'s>>,
}

impl Document<'_> {
    /// Returns the title of the page about a document of Google.
    pub(super) fn title(&self) -> String {
        format!("{}, annotated", self.edition.replacen("google-", "Google's text of ", 1))
    }
}

#[derive(Serialize)]
struct Section<'s> {
    name: String,
    anchor: String,
    /// The address of the section, or `None` if the document of this edition is no longer online.
    link: Option<String>,
    sentences: Vec<Sentence>,
    /// The requirements that the section states. A requirement is in one section only.
    requirements: Vec<Required<'s>>,
}

#[derive(Serialize)]
struct Sentence {
    says: String,
    requirements: Vec<String>,
    /// The reason why no requirement comes from it.
    because: Option<String>,
}

#[derive(Serialize)]
struct Required<'s> {
    #[serde(flatten)]
    of: data::Required<'s>,
    level: &'s str,
    /// The causes that violate it.
    causes: Vec<Violation>,
}

#[derive(Serialize)]
struct Violation {
    software: String,
    title: String,
    link: String,
}

/// Returns the file of a document on the site.
pub(super) fn file(edition: &str) -> String {
    format!("standard-{edition}.html")
}

/// Returns the published documents, oldest first.
///
/// # Errors
/// Returns a message if the suite cannot be loaded, or a requirement is in no section of its document.
pub(super) fn documents<'s>(
    suite: &'s Suite,
    tables: &[TableData],
) -> Result<Vec<Document<'s>>, String> {
    let sentences = load::embedded().map_err(|problems| problems.to_string())?.sentences;
    EDITIONS.into_iter().map(|edition| document(edition, &sentences, suite, tables)).collect()
}

fn document<'s>(
    edition: &'static str,
    listed: &[Listed],
    suite: &'s Suite,
    tables: &[TableData],
) -> Result<Document<'s>, String> {
    let mut cases = data::cases(suite, &BTreeMap::new(), Some(edition));
    let mut left: Vec<&Requirement> =
        suite.requirements.iter().filter(|it| it.editions.contains_key(edition)).collect();
    let listed: Vec<&Listed> = listed.iter().filter(|it| it.edition.id() == edition).collect();
    let known: BTreeSet<&str> = listed.iter().map(|it| it.section.as_str()).collect();
    let mut sections = Vec::new();
    for of_section in listed.chunk_by(|one, next| one.section == next.section) {
        let section = &of_section[0].section;
        let sentence = |it: &&Listed| Sentence {
            says: it.gloss.clone(),
            requirements: it.requirements.clone(),
            because: it.not_testable.clone(),
        };
        let sentences: Vec<Sentence> = of_section.iter().map(sentence).collect();
        let names = |id: &String| sentences.iter().any(|it| it.requirements.contains(id));
        // A requirement whose source names no section of the list belongs to the first one with its sentence.
        let is_here = |it: &mut &Requirement| match it.editions[edition].source.as_str() {
            source if known.contains(source) => source == section,
            _ => names(&it.id),
        };
        let requirements = left.extract_if(.., is_here).map(|it| Required {
            level: &it.editions[edition].level,
            causes: violations(edition, &it.id, tables),
            of: data::Required::of(it, cases.remove(it.id.as_str()).unwrap_or_default()),
        });
        sections.push(Section {
            requirements: requirements.collect(),
            name: section.clone(),
            anchor: format!("section-{}", data::anchor(&section.replace('.', "-"))),
            link: link(edition, section),
            sentences,
        });
    }
    match left.first() {
        Some(lost) => Err(format!("{} is in no section of {edition}", lost.id)),
        None => Ok(Document { edition, file: file(edition), sections }),
    }
}

fn violations(edition: &str, requirement: &str, tables: &[TableData]) -> Vec<Violation> {
    let rows = tables.iter().flat_map(TableData::rows);
    let violated = rows.flat_map(|row| {
        let causes = row
            .causes
            .iter()
            .filter(move |it| it.document == edition && it.requirement == requirement);
        causes.map(move |cause| Violation {
            software: format!("{} {}", row.name, row.version),
            title: cause.title.clone(),
            link: format!("{}#{}", row.file, cause.id),
        })
    });
    violated.collect()
}

fn link(edition: &str, section: &str) -> Option<String> {
    // Only the current text of Google is online.
    let of_google = || {
        "https://developers.google.com/search/docs/crawling-indexing/robots/robots_txt".to_owned()
    };
    address(edition, section).or_else(|| (edition == "google-2022").then(of_google))
}

#[cfg(test)]
mod tests {
    use super::{documents, file};
    use crate::suite::Suite;

    /// Each requirement has one anchor, to which the README of the vectors and failures point.
    #[test]
    fn each_document_has_its_requirements_once() {
        let suite = Suite::of_the_checkout();
        let documents = documents(suite, &[]).unwrap();
        let rfc = documents.iter().find(|it| it.file == file("rfc9309")).unwrap();
        let mut ids: Vec<&str> =
            rfc.sections.iter().flat_map(|it| &it.requirements).map(|it| it.of.id).collect();
        ids.sort_unstable();
        let mut stated: Vec<&str> = suite
            .requirements
            .iter()
            .filter(|it| it.editions.contains_key("rfc9309"))
            .map(|it| it.id.as_str())
            .collect();
        stated.sort_unstable();
        assert_eq!(ids, stated);
        let section = rfc.sections.iter().find(|it| it.name == "2.2.2").unwrap();
        assert_eq!(section.anchor, "section-2-2-2");
        let fish = section.requirements.iter().find(|it| it.of.id == "MATCH-PREFIX").unwrap();
        assert!(fish.level == "must" && fish.of.cases.len() > 3, "{}", fish.of.cases.len());
        let place = robots_conformance::report::failure::place("rfc9309", "2.2.2", "MATCH-PREFIX");
        let anchor = format!("{}#MATCH-PREFIX, ", file("rfc9309"));
        assert!(place.as_ref().is_some_and(|place| place.starts_with(&anchor)), "{place:?}");
    }
}
