//! Measures one peer with the whole suite.
//!
//! Start at [`measure()`]. The peer is a process that speaks the protocol, and it is asked every question of every
//! published edition. A failure counts under the requirement that the peer violates. If one fault explains several
//! failures, all of them count under the requirement of this fault ([`Offences`]). If no verdict conforms, the adapter
//! is probably broken, so the result is an error and not an entry.

use std::collections::{BTreeMap, BTreeSet};

use robots_conformance::kind;
use robots_conformance::render;
use robots_conformance::report::{Totals, TrialRecord};
use robots_conformance::robots_core::Profile;
use robots_conformance::robots_core::engine::{QuestionKind, Role};
use robots_conformance::run::Finished;
use robots_conformance::run::outcome::Outcome;
use robots_conformance::run::trial;
use robots_conformance::suite::Suite;
use robots_conformance_cli::report::record::RunRecord;

use super::entry::Entry;
use super::manifest::Peer;
use crate::measured::{Subject, asked, by_edition};
use crate::offences::{Faults, Offences};

/// Asks every question of every published edition, including editions that the peer does not claim.
pub(super) fn measure(
    peer: &Peer,
    words: Vec<String>,
    suite: &Suite,
    faults: &Faults,
) -> Result<(Entry, RunRecord), String> {
    let (version, report) = asked(words, &peer.packages, &trial::published(suite))?;
    let finished = &report.trials;
    let failed = cases(finished, Outcome::is_failure);
    let answered =
        cases(finished, |outcome| outcome.is_failure() || matches!(outcome, Outcome::Passed));
    let offences: BTreeMap<Profile, Offences<'_>> = failed
        .iter()
        .map(|(edition, failed)| {
            let is_answered =
                |case: &str| answered.get(edition).is_some_and(|cases| cases.contains(case));
            (*edition, Offences::of(failed, is_answered, faults))
        })
        .collect();
    let mut failing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut unranked = BTreeSet::new();
    for done in finished.iter().filter(|done| done.outcome.is_failure()) {
        let name = done.trial.name();
        let case = done.trial.case();
        let profile = done.trial.profile();
        let edition = profile.edition();
        let is_required = |id: &str| {
            let requirement = suite.requirement(id);
            edition.zip(requirement).is_some_and(|(it, found)| found.editions.contains_key(&it))
        };
        let requirement = offences[&profile].requirement(&case.requirement, &case.id, is_required);
        let charges = failing.entry(requirement.to_owned()).or_default();
        charges.push(name.to_owned());
        if !is_verdict(done) {
            unranked.insert(name.to_owned());
        }
    }
    let late = finished
        .iter()
        .filter(|done| matches!(done.outcome, Outcome::Errored { is_late: true, .. }))
        .map(|done| done.trial.name().to_owned())
        .collect();
    let answers: BTreeMap<String, String> = finished.iter().filter_map(answer).collect();
    let record = RunRecord::of(&report);
    let verdicts = verdicts(&report.trials, &record.trials);
    // A broken adapter must not look like a parser that gets everything wrong.
    if verdicts.values().all(|totals| totals.conforming() == 0) {
        let why = answers.values().next().map_or("it answered nothing", String::as_str);
        return Err(format!("no answer conforms; one of them is: {why}"));
    }
    let entry = Entry {
        subject: Subject::of(peer, version),
        usage: peer.usage.clone(),
        editions: peer.editions.clone(),
        claim: peer.claims.clone(),
        verdicts,
        areas: record.areas.clone(),
        failing,
        unranked,
        late,
        like_the_library: BTreeSet::new(),
        answers,
    };
    Ok((entry, record))
}

/// Returns the cases with a question whose outcome `is_such` accepts, by edition.
fn cases(
    finished: &[Finished],
    is_such: impl Fn(&Outcome) -> bool,
) -> BTreeMap<Profile, BTreeSet<&str>> {
    let mut cases: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for done in finished.iter().filter(|done| is_such(&done.outcome)) {
        cases.entry(done.trial.profile()).or_default().insert(&done.trial.case().id);
    }
    cases
}

/// Returns the name of a trial and the answer, or `None` if the answer follows from the expectation.
fn answer(done: &Finished) -> Option<(String, String)> {
    let text = match (&done.outcome, &done.answer) {
        (Outcome::Errored { message, .. }, _) => {
            format!("error: {}", render::message(message))
        }
        (
            Outcome::Failed { .. } | Outcome::Contested { .. } | Outcome::Open { .. },
            Some(answer),
        ) => render::message(&kind::answer_text(answer)),
        _ => return None,
    };
    Some((done.trial.name().to_owned(), text))
}

/// Returns the outcomes of the verdict questions for parsers, by edition. Every peer can answer such questions.
fn verdicts(finished: &[Finished], trials: &[TrialRecord]) -> BTreeMap<String, Totals> {
    let asked = finished.iter().zip(trials).filter(|(done, _)| is_verdict(done));
    by_edition(asked.map(|(_, trial)| trial))
}

/// Returns whether a trial is a verdict question for parsers.
fn is_verdict(done: &Finished) -> bool {
    done.trial.kind() == QuestionKind::Verdict && done.trial.role() == Role::Parser
}
