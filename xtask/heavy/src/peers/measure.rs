//! One peer against the whole suite.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_conformance::case::Suite;
use robots_conformance::judge::Outcome;
use robots_conformance::kind;
use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::render;
use robots_conformance::report::{Totals, TrialRecord};
use robots_conformance::robots_core::engine::{QuestionKind, Role};
use robots_conformance::run::Report;
use robots_conformance::run::{Finished, Runner};
use robots_conformance_cli::report::record::Record;

use super::document::Entry;
use super::manifest::Peer;

/// How long a question may take. Peers that answer at all take 20 seconds at most on a slow machine, and
/// those that do not would take many minutes, so that the machine decides no outcome.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Asks every question of every edition, also of those the peer does not claim.
pub(super) fn measure(
    peer: &Peer,
    words: Vec<String>,
    suite: &Suite,
) -> Result<(Entry, Record), String> {
    let settings = Settings { timeout: TIME_LIMIT, ..Settings::default() };
    let engine = Arc::new(ProcessEngine::start_words(words, settings)?);
    let version = engine.hello().version.clone().unwrap_or_else(|| peer.version());
    let jobs = engine.jobs();
    let runner = Runner::new(engine).timeout(Duration::MAX).jobs(jobs).insist();
    let trials = runner.trials(suite);
    let start = Instant::now();
    let finished = runner.run(&trials, |_| {});
    let failing = finished.iter().filter(|done| done.outcome.is_failure());
    let failing: Vec<String> = failing.map(|done| done.trial.name().to_owned()).collect();
    let answers = finished.iter().filter_map(answer).collect();
    let engine = runner.engine_name().to_owned();
    let report = Report {
        engine,
        finished,
        stale: Vec::new(),
        took: start.elapsed(),
        is_selection: false,
        unasked: 0,
    };
    let record = Record::of(&report);
    let verdicts = verdicts(&report.finished, &record.trials);
    let entry = Entry {
        name: peer.name.clone(),
        version,
        language: peer.language.clone(),
        registry: peer.registry.clone(),
        usage: peer.usage.clone(),
        editions: peer.editions.clone(),
        claims: peer.claims.clone(),
        unmeasured: None,
        verdicts,
        areas: record.areas.clone(),
        failing,
        answers,
    };
    Ok((entry, record))
}

/// Returns what was answered to a trial, where that is not told by what the trial expects.
fn answer(done: &Finished) -> Option<(String, String)> {
    let told = match (&done.outcome, &done.answer) {
        (Outcome::Errored { message }, _) => {
            format!("error: {}", render::message(unnumbered(message)))
        }
        (
            Outcome::Failed { .. } | Outcome::Contested { .. } | Outcome::Open { .. },
            Some(answer),
        ) => render::message(&kind::answer_text(answer)),
        _ => return None,
    };
    Some((done.trial.name().to_owned(), told))
}

/// The outcomes of a parser's verdict questions by edition: what every peer can be asked.
fn verdicts(finished: &[Finished], trials: &[TrialRecord]) -> BTreeMap<String, Totals> {
    let mut editions: BTreeMap<String, Vec<&TrialRecord>> = BTreeMap::new();
    for (done, trial) in finished.iter().zip(trials) {
        if done.trial.kind() == QuestionKind::Verdict && done.trial.role() == Role::Parser {
            editions.entry(trial.edition.clone()).or_default().push(trial);
        }
    }
    editions.into_iter().map(|(edition, trials)| (edition, Totals::of(trials))).collect()
}

/// Returns a message without the number of the question before it, which changes from run to run.
fn unnumbered(message: &str) -> &str {
    let numbered = message.strip_prefix("question ").and_then(|rest| rest.split_once(": "));
    match numbered {
        Some((number, rest)) if number.bytes().all(|octet| octet.is_ascii_digit()) => rest,
        _ => message,
    }
}
