//! The data of the pages, from the suite and from the measurements.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::robots_core::Edition;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance::suite::case::{Case, Conforming};
use robots_conformance_cli::lint::portability::{Portability, Reader, says};
use serde::Serialize;

use crate::crawlers::{self, Fetched};
use crate::peers::{Document, Entry};

/// The edition of the list of constructs that are read differently.
const SHOWN: &str = "rfc9309";

/// The maximum length of an answer in a cell, in characters.
const CELL: usize = 160;

/// The measurements.
#[derive(Serialize)]
pub(super) struct Scores {
    pub(super) asked: usize,
    pub(super) peers: Vec<Score>,
    pub(super) crawlers: Vec<Fetched>,
    pub(super) claims: Vec<Claimed>,
    /// The names of the peers that failed a case, by `area::case`.
    #[serde(skip)]
    failed: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Serialize)]
pub(super) struct Score {
    name: String,
    version: String,
    language: String,
    rfc: String,
    google: String,
    wrong: usize,
    unanswered: usize,
}

#[derive(Serialize)]
pub(super) struct Claimed {
    says: &'static str,
    readers: Vec<Reader>,
}

impl Scores {
    pub(super) fn of(
        peers: &Document,
        crawlers: &crawlers::Document,
        suite: &Suite,
        claims: &Portability,
    ) -> Self {
        let mut failed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for peer in &peers.measured {
            for case in peer.failing_cases().into_keys() {
                failed.entry(case).or_default().insert(peer.subject.name.clone());
            }
        }
        Self {
            asked: peers.measured.iter().filter_map(|peer| peer.asked(SHOWN)).max().unwrap_or(0),
            peers: peers.measured.iter().map(score).collect(),
            crawlers: crawlers.fetched(),
            claims: claimed(suite, claims),
            failed,
        }
    }
}

fn score(peer: &Entry) -> Score {
    let row = peer.score();
    let [rfc, google] = row.shares;
    Score {
        name: peer.subject.name.clone(),
        version: peer.subject.version.clone(),
        language: peer.subject.language.clone(),
        rfc,
        google,
        wrong: row.wrong,
        unanswered: row.unanswered,
    }
}

/// The constructs that are read differently from RFC 9309, if their cases still exist.
fn claimed(suite: &Suite, claims: &Portability) -> Vec<Claimed> {
    let ids: BTreeSet<String> = suite.cases.iter().map(|case| id(case)).collect();
    let shown = claims.all().filter(|(edition, ..)| *edition == SHOWN);
    shown
        .filter_map(|(_, construct, readers)| {
            let mut readers = readers.to_vec();
            readers.retain(|reader| reader.cases.iter().all(|case| ids.contains(case)));
            Some(Claimed { says: says(construct)?, readers })
        })
        .filter(|claim| !claim.readers.is_empty())
        .collect()
}

#[derive(Serialize)]
pub(super) struct Required {
    id: String,
    says: String,
    editions: Vec<Stated>,
    not_testable: Option<String>,
    cases: Vec<Shown>,
}

#[derive(Serialize)]
struct Stated {
    id: &'static str,
    level: &'static str,
    source: String,
}

#[derive(Serialize)]
struct Shown {
    id: String,
    about: String,
    expected: Vec<Expects>,
    /// The software that answered a question of the case wrongly.
    failed: Vec<String>,
}

#[derive(Serialize)]
struct Expects {
    editions: String,
    contested: bool,
    answer: String,
}

/// Every requirement with its cases.
pub(super) fn requirements(suite: &Suite, scores: &Scores) -> Vec<Required> {
    let mut cases: BTreeMap<&str, Vec<Shown>> = BTreeMap::new();
    for case in &suite.cases {
        let id = id(case);
        let failed = scores.failed.get(&id).into_iter().flatten().cloned().collect();
        let about = case.about.trim().to_owned();
        cases.entry(&case.requirement).or_default().push(Shown {
            id,
            about,
            expected: expected(case),
            failed,
        });
    }
    let requirements = suite.requirements.iter().map(|requirement| Required {
        id: requirement.id.clone(),
        says: requirement.says.trim().to_owned(),
        editions: requirement
            .editions
            .iter()
            .map(|(edition, stated)| Stated {
                id: edition.id(),
                level: stated.level.id(),
                source: stated.source.clone(),
            })
            .collect(),
        not_testable: requirement.not_testable.clone(),
        cases: cases.remove(requirement.id.as_str()).unwrap_or_default(),
    });
    requirements.collect()
}

/// Returns the expectations of the editions for a case; equal ones are combined.
fn expected(case: &std::sync::Arc<Case>) -> Vec<Expects> {
    let mut answers: Vec<(String, bool, Vec<&str>)> = Vec::new();
    for &edition in Edition::ALL {
        let Some((answer, contested)) = answer(case, edition) else { continue };
        match answers.iter_mut().find(|(other, ..)| *other == answer) {
            Some((.., editions)) => editions.push(edition.id()),
            None => answers.push((answer, contested, vec![edition.id()])),
        }
    }
    answers
        .into_iter()
        .map(|(answer, contested, editions)| Expects {
            editions: editions.join(", "),
            contested,
            answer,
        })
        .collect()
}

/// Returns the expectation of an edition for all members of a case, and whether any of them is contested.
fn answer(case: &std::sync::Arc<Case>, edition: Edition) -> Option<(String, bool)> {
    let trials = trial::of_case(case);
    let own: Vec<_> = trials.iter().filter(|trial| trial.profile() == edition).collect();
    let contested = own.iter().any(|trial| matches!(trial.conforming(), Conforming::Readings(_)));
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    for trial in &own {
        let text = trial.conforming().text();
        let member = trial.member().name.clone().unwrap_or_default();
        match answers.iter_mut().find(|(other, _)| *other == text) {
            Some((_, members)) => members.push(member),
            None => answers.push((text, vec![member])),
        }
    }
    let one = answers.len() == 1;
    let text = answers.into_iter().map(|(text, members)| {
        let members: Vec<String> = members.into_iter().filter(|name| !name.is_empty()).collect();
        if one || members.is_empty() { text } else { format!("{}: {text}", members.join(" ")) }
    });
    (!own.is_empty()).then(|| (cut(&text.collect::<Vec<_>>().join("; ")), contested))
}

fn cut(text: &str) -> String {
    let text = text.replace('\n', " ");
    match text.char_indices().nth(CELL) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text,
    }
}

fn id(case: &Case) -> String {
    format!("{}::{}", case.area, case.id)
}

#[derive(Serialize)]
pub(super) struct Difference {
    id: String,
    about: String,
    answers: Vec<String>,
}

/// Returns the cases for which two editions expect different answers.
pub(super) fn differences(suite: &Suite) -> Vec<Difference> {
    let differing = suite.cases.iter().filter_map(|case| {
        let answers: Vec<Option<String>> = Edition::ALL
            .iter()
            .map(|edition| answer(case, *edition).map(|(answer, _)| answer))
            .collect();
        let distinct: BTreeSet<&String> = answers.iter().flatten().collect();
        (distinct.len() > 1).then(|| Difference {
            id: id(case),
            about: case.about.trim().to_owned(),
            answers: answers
                .into_iter()
                .map(|answer| answer.unwrap_or_else(|| "–".to_owned()))
                .collect(),
        })
    });
    differing.collect()
}
