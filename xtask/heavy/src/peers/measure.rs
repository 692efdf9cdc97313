//! One peer against the whole suite.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_conformance::case::Suite;
use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::robots_core::engine::QuestionKind;
use robots_conformance::run::Report;
use robots_conformance::run::{Finished, Runner};
use robots_conformance_cli::report::record::Record;
use robots_conformance_cli::report::summary::Totals;

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
    let verdicts = verdicts(&finished);
    let failing = finished.iter().filter(|done| done.outcome.is_failure());
    let failing: Vec<String> = failing.map(|done| done.trial.name().to_owned()).collect();
    let engine = runner.engine_name().to_owned();
    let report = Report { engine, finished, stale: Vec::new(), took: start.elapsed(), unasked: 0 };
    let record = Record::of(&report);
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
    };
    Ok((entry, record))
}

/// The outcomes of verdict questions by edition: what every peer can be asked.
fn verdicts(finished: &[Finished]) -> BTreeMap<String, Totals> {
    let mut editions: BTreeMap<String, Vec<&Finished>> = BTreeMap::new();
    for done in finished.iter().filter(|done| done.trial.kind() == QuestionKind::Verdict) {
        editions.entry(done.trial.profile().id().to_owned()).or_default().push(done);
    }
    editions.into_iter().map(|(edition, done)| (edition, Totals::of(done))).collect()
}
