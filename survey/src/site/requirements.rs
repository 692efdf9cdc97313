//! The requirements and the differences between the editions, as the pages show them.
//!
//! [`requirements()`] combines the catalogue with the measurements: each case has the number of parsers or crawlers
//! that fail it. [`differences()`] finds the cases for which two published editions expect different answers. The two
//! functions return data for the templates. This module writes no HTML.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use robots_conformance::report::{CaseRecord, grouped};
use robots_conformance::robots_core::Edition;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming, on_one_line};
use serde::Serialize;

use crate::crawlers::cases::fetching;
use crate::peers;

/// The maximum length of an answer in a cell, in characters.
const CELL: usize = 160;

/// The requirements of an area.
#[derive(Serialize)]
pub(super) struct Area {
    pub(super) id: String,
    pub(super) requirements: Vec<Required>,
}

#[derive(Serialize)]
pub(super) struct Required {
    pub(super) id: String,
    pub(super) says: String,
    role: &'static str,
    note: Option<String>,
    editions: Vec<Stated>,
    not_testable: Option<String>,
    cases: Vec<Shown>,
    crawls: Vec<Shown>,
}

#[derive(Serialize)]
struct Stated {
    id: &'static str,
    level: &'static str,
    source: String,
}

/// A case, and how many parsers or crawlers fail it.
#[derive(Serialize)]
struct Shown {
    id: String,
    about: String,
    failed: usize,
}

/// Returns every requirement with its cases, by area.
pub(super) fn requirements(
    suite: &Suite,
    peers: &peers::Document,
    crawlers: &crate::crawlers::Document,
    crawled: &[CaseRecord],
) -> Vec<Area> {
    let mut failed: BTreeMap<&str, usize> = BTreeMap::new();
    for case in peers.measured.iter().flat_map(peers::Entry::failed_cases) {
        *failed.entry(case).or_default() += 1;
    }
    let mut cases: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    for case in &suite.cases {
        let failed = failed.get(&*format!("{}::{}", case.area, case.id)).copied().unwrap_or(0);
        let shown = Shown { id: case.id.clone(), about: case.about.trim().to_owned(), failed };
        cases.entry(&case.requirement).or_default().push(shown);
    }
    let mut crawls: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    for case in fetching(crawled) {
        let failed = crawlers.failing(&case.id);
        let shown = Shown { id: case.id.clone(), about: case.about.clone(), failed };
        crawls.entry(&case.requirement).or_default().push(shown);
    }
    let required = suite.requirements.iter().map(|requirement| {
        let required = Required {
            id: requirement.id.clone(),
            says: requirement.says.trim().to_owned(),
            role: requirement.role.id(),
            note: requirement.note.as_deref().map(|note| note.trim().to_owned()),
            editions: requirement
                .shown()
                .map(|(edition, stated)| Stated {
                    id: edition.id(),
                    level: stated.level.id(),
                    source: stated.source.clone(),
                })
                .collect(),
            not_testable: requirement.not_testable.as_deref().map(|why| why.trim().to_owned()),
            cases: cases.remove(requirement.id.as_str()).unwrap_or_default(),
            crawls: crawls.remove(requirement.id.as_str()).unwrap_or_default(),
        };
        (requirement.area.clone(), required)
    });
    let areas = grouped(required).into_iter();
    areas.map(|(id, requirements)| Area { id, requirements }).collect()
}

/// A case for which two editions expect different answers.
#[derive(Clone, Serialize)]
pub(super) struct Difference {
    id: String,
    area: String,
    about: String,
    answers: Vec<Option<String>>,
    /// The pairs of editions that differ, as `a~b`.
    pairs: String,
}

/// Returns the cases for which two editions expect different answers.
pub(super) fn differences(suite: &Suite) -> Vec<Difference> {
    let differing = suite.cases.iter().filter_map(|case| {
        let answers: Vec<Option<String>> =
            Edition::ALL.iter().map(|edition| answer(case, *edition)).collect();
        let distinct: BTreeSet<&String> = answers.iter().flatten().collect();
        let mut pairs = Vec::new();
        for (one, first) in Edition::ALL.iter().zip(&answers) {
            for (other, second) in Edition::ALL.iter().zip(&answers) {
                if first.is_some() && second.is_some() && first != second && one < other {
                    pairs.push(format!("{}~{}", one.id(), other.id()));
                }
            }
        }
        (distinct.len() > 1).then(|| Difference {
            id: case.id.clone(),
            area: case.area.clone(),
            about: case.about.trim().to_owned(),
            answers,
            pairs: pairs.join(" "),
        })
    });
    differing.collect()
}

/// Returns, as one text, the answers that an edition expects for all questions (members) of a case.
fn answer(case: &Arc<Case>, edition: Edition) -> Option<String> {
    let trials = trial::of_case(case);
    let of_edition: Vec<_> = trials.iter().filter(|trial| trial.profile() == edition).collect();
    let contested =
        of_edition.iter().any(|trial| matches!(trial.conforming(), Conforming::Readings(_)));
    let answers = grouped(of_edition.iter().map(|trial| {
        let member = trial.member().name.clone().unwrap_or_default();
        (on_one_line(&trial.conforming().text()), member)
    }));
    let one = answers.len() == 1;
    let text = answers.into_iter().map(|(text, members)| {
        let members: Vec<String> = members.into_iter().filter(|name| !name.is_empty()).collect();
        if one || members.is_empty() { text } else { format!("{}: {text}", members.join(" ")) }
    });
    let text = cut(&text.collect::<Vec<_>>().join("; "));
    (!of_edition.is_empty()).then(|| if contested { format!("contested: {text}") } else { text })
}

fn cut(text: &str) -> String {
    let text = text.replace('\n', " ");
    match text.char_indices().nth(CELL) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}
