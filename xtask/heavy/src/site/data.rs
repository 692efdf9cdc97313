//! What the pages show, from the suite and from what was measured.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::case::{Case, Conforming, Suite};
use robots_conformance::question;
use robots_conformance::robots_core::Edition;
use robots_conformance_cli::lint::portability::{Portability, Reader, says};
use serde::Serialize;

use crate::crawlers::{self, Fetched};
use crate::peers::{Document, Entry};

/// The edition by which what is read otherwise is listed.
const SHOWN: &str = "rfc9309";

/// The longest answer in a cell, in characters.
const CELL: usize = 160;

/// What was measured.
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
        for peer in peers.measured() {
            for case in peer.failing_cases().into_keys() {
                failed.entry(case).or_default().insert(peer.name.clone());
            }
        }
        Self {
            asked: peers.measured().filter_map(|peer| peer.asked(SHOWN)).max().unwrap_or(0),
            peers: peers.measured().map(score).collect(),
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
        name: peer.name.clone(),
        version: peer.version.clone(),
        language: peer.language.clone(),
        rfc,
        google,
        wrong: row.wrong,
        unanswered: row.unanswered,
    }
}

/// What is read otherwise than RFC 9309, where the cases that show it are still there.
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
    /// Who answered a question of the case otherwise.
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

/// What the editions expect of a case, those that expect the same together.
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

/// What an edition expects of all members of a case, and whether any is contested.
fn answer(case: &std::sync::Arc<Case>, edition: Edition) -> Option<(String, bool)> {
    let trials = question::of_case(case);
    let own: Vec<_> = trials.iter().filter(|trial| trial.profile() == edition).collect();
    let contested = own.iter().any(|trial| matches!(trial.conforming(), Conforming::Readings(_)));
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    for trial in &own {
        let told = trial.conforming().text();
        let member = trial.member().name.clone().unwrap_or_default();
        match answers.iter_mut().find(|(other, _)| *other == told) {
            Some((_, members)) => members.push(member),
            None => answers.push((told, vec![member])),
        }
    }
    let one = answers.len() == 1;
    let told = answers.into_iter().map(|(told, members)| {
        let members: Vec<String> = members.into_iter().filter(|name| !name.is_empty()).collect();
        if one || members.is_empty() { told } else { format!("{}: {told}", members.join(" ")) }
    });
    (!own.is_empty()).then(|| (cut(&told.collect::<Vec<_>>().join("; ")), contested))
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

/// The cases of which two editions that speak expect different answers.
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
