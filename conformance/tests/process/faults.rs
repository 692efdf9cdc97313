//! Tests the faults of fake subjects: each fault has a message, and only the trials with the fault fail.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use robots_conformance::engine::Engine as _;
use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::run::Runner;
use robots_conformance::run::outcome::Outcome;
use robots_console::error::Error;

use crate::common;
use crate::fake::this;

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("faults::each_is_told_apart", each_is_told_apart),
    ("faults::a_second_answer", a_second_answer),
    ("faults::a_start_that_fails", a_start_that_fails),
    ("faults::the_culprit_among_several", the_culprit_among_several),
    ("faults::a_crash_that_is_nobodys", a_crash_that_is_nobodys),
    ("faults::answers_in_any_order", answers_in_any_order),
    ("faults::restarts_are_bounded", restarts_are_bounded),
    ("faults::kinds_not_listed_are_not_asked", kinds_not_listed_are_not_asked),
    #[cfg(target_os = "linux")]
    ("faults::what_a_subject_started_ends_with_it", what_a_subject_started_ends_with_it),
    ("faults::a_lie_fails_and_is_no_error", a_lie_fails_and_is_no_error),
];

fn settings() -> Settings {
    let mut settings = Settings::default();
    (settings.timeout, settings.start_timeout) = (Duration::from_secs(2), Duration::ZERO);
    settings.jobs = Some(1);
    settings
}

fn with_jobs(jobs: Option<usize>) -> Settings {
    let mut settings = settings();
    settings.jobs = jobs;
    settings
}

fn start(mode: &str, settings: Settings) -> Result<ProcessEngine, Error> {
    ProcessEngine::start(&format!("{} fake {mode} /catfish", this()), settings)
}

/// Runs the small suite, and checks that every trial has an outcome.
fn run(engine: &Arc<ProcessEngine>) -> BTreeMap<String, Outcome> {
    let runner = Runner::new(Arc::<ProcessEngine>::clone(engine)).jobs(engine.jobs());
    let runner = runner.timeout(Duration::MAX);
    let trials = runner.trials(&common::suite());
    let finished = runner.run(&trials, |_| {});
    assert_eq!(finished.len(), trials.len());
    assert!(trials.len() >= 6, "{}", trials.len());
    finished.into_iter().map(|done| (done.trial.name().to_owned(), done.outcome)).collect()
}

fn started(mode: &str, settings: Settings) -> Arc<ProcessEngine> {
    Arc::new(start(mode, settings).unwrap_or_else(|message| panic!("{mode}: {message}")))
}

/// The trial at which the fakes misbehave.
const MARKED: &str = "paths::fish-prefix::rfc9309::/catfish";

/// Returns the message of an error, and the `id` of the question.
fn error(outcome: &Outcome) -> (&str, Option<u64>) {
    match outcome {
        Outcome::Errored { message, id, .. } => (message, *id),
        other => panic!("{other:?} is no error"),
    }
}

/// Runs a fake subject, and returns its error with the `id` of the question. Checks that every other trial has the same
/// outcome as with a good subject.
fn error_of(mode: &str) -> (String, Option<u64>) {
    let good = run(&started("good", settings()));
    let mut outcomes = run(&started(mode, settings()));
    let (message, id) = error(&outcomes[MARKED]);
    let error = (message.to_owned(), id);
    outcomes.insert(MARKED.to_owned(), good[MARKED].clone());
    assert_eq!(outcomes, good, "{mode}");
    error
}

fn each_is_told_apart() {
    let mut report = String::new();
    let modes = [
        "crash",
        "hang",
        "no-json",
        "no-object",
        "no-id",
        "text-id",
        "unknown-id",
        "wrong-type",
        "other-kind",
        "no-answer",
        "wrong-line",
        "error",
        "escapes",
        "long-evidence",
        "long-answer",
        "endless-line",
    ];
    for mode in modes {
        let (message, id) = error_of(mode);
        // An error that the subject itself reports is an answer.
        let is_answer = ["error", "escapes"].contains(&mode);
        assert_eq!(id, (!is_answer).then_some(3), "{mode}");
        let _ = writeln!(report, "{mode}: {message}\n");
    }
    insta::assert_snapshot!("each_is_told_apart", report);
}

fn a_second_answer() {
    let good = run(&started("good", settings()));
    let outcomes = run(&started("twice", settings()));
    // The error belongs to the question that waited for an answer when the second answer was read: the question that
    // was answered twice, or the next question.
    let errored: Vec<&String> =
        outcomes.keys().filter(|name| outcomes[*name] != good[*name]).collect();
    assert_eq!(errored.len(), 1, "{errored:?}");
    let (message, _) = error(&outcomes[errored[0]]);
    assert!(message.contains("a second answer to question "), "{message}");
    assert!(message.contains(": {\"id\":"), "{message}");
}

fn a_start_that_fails() {
    let mut report = String::new();
    let modes = [
        "noise-at-start",
        "exit-at-once",
        "hang-at-start",
        "no-hello",
        "old-protocol",
        "unknown-edition",
        "long-name",
        "huge-name",
        "hidden-name",
        "no-character",
    ];
    for mode in modes {
        let mut quick = settings();
        quick.timeout = Duration::from_millis(700);
        let error = start(mode, quick).err().unwrap_or_else(|| panic!("{mode} started"));
        let message = error.to_string();
        let _ =
            writeln!(report, "{mode}: {}\n", message.replace(this().trim_matches('\''), "FAKE"));
    }
    let missing = ["no/such/adapter", "no-such-adapter --x", "'open", " "];
    for command in missing {
        let message = ProcessEngine::start(command, settings()).err().unwrap();
        let _ = writeln!(report, "{message}\n");
    }
    insta::assert_snapshot!("a_start_that_fails", report);
}

fn the_culprit_among_several() {
    for mode in ["crash-pipelined", "drop-pipelined"] {
        let good = run(&started("good", settings()));
        let engine = started(mode, with_jobs(None));
        assert_eq!(engine.jobs(), 8);
        let mut outcomes = run(&engine);
        let (message, id) = error(&outcomes[MARKED]);
        assert!(id.is_some(), "{mode}: {message}");
        let expected = if mode == "crash-pipelined" {
            "the subject ended (exit status: 3) instead of answering"
        } else {
            "no answer within 2 s"
        };
        assert!(message.contains(expected), "{message}");
        outcomes.insert(MARKED.to_owned(), good[MARKED].clone());
        assert_eq!(outcomes, good, "{mode}");
        assert_eq!(engine.notes(), [""; 0], "{mode}");
    }
}

fn a_crash_that_is_nobodys() {
    let good = run(&started("good", settings()));
    let engine = started("crash-crowded", with_jobs(Some(8)));
    assert_eq!(run(&engine), good);
    let notes = engine.notes();
    assert!(!notes.is_empty());
    let fault = " were open: the subject ended (exit status: 3) instead of answering";
    assert!(notes[0].contains(fault), "{}", notes[0]);
    assert!(
        notes[0].ends_with(
            "when it was asked one question at a time, the subject answered all of them"
        ),
        "{}",
        notes[0]
    );
}

fn answers_in_any_order() {
    let engine = started("backwards", with_jobs(Some(8)));
    let outcomes = run(&engine);
    let came_late =
        |outcome: &&Outcome| **outcome == Outcome::Unanswered { reason: "came late".to_owned() };
    assert!(outcomes.values().filter(came_late).count() >= 2, "{outcomes:?}");
    assert!(outcomes.values().all(|outcome| outcome.name() != "errored"), "{outcomes:?}");
}

fn restarts_are_bounded() {
    let command = format!("{} fake crash https://", this());
    let mut limited = settings();
    limited.restarts = 1;
    let engine = Arc::new(ProcessEngine::start(&command, limited).unwrap());
    let outcomes = run(&engine);
    let errors: Vec<(&str, Option<u64>)> = outcomes
        .values()
        .filter(|outcome| matches!(outcome, Outcome::Errored { .. }))
        .map(error)
        .collect();
    let crashed = errors.iter().filter(|(_, id)| *id == Some(1)).count();
    assert_eq!(crashed, 2, "{errors:#?}");
    let reason = "not asked: the subject was given up after 1 restarts; the last fault: question 1: \
                  the subject ended (exit status: 3)";
    let given_up = errors.iter().filter(|(message, _)| message.starts_with(reason)).count();
    let is_asked = |outcome: &&Outcome| !matches!(outcome, Outcome::NotAsked { .. });
    let asked = outcomes.values().filter(is_asked).count();
    assert_eq!(given_up, asked - 2, "{errors:#?}");
}

fn kinds_not_listed_are_not_asked() {
    let outcomes = run(&started("verdicts-only", settings()));
    let reason = "the subject's hello does not list groups questions".to_owned();
    assert_eq!(outcomes["shapes::two-agents::rfc9309"], Outcome::Unanswered { reason });
}

/// If a process that a subject started keeps the subject's pipes open, this process is killed together with the
/// subject.
#[cfg(target_os = "linux")]
fn what_a_subject_started_ends_with_it() {
    let (message, _) = error_of("crash-with-child");
    let child = message.lines().last().unwrap().trim();
    let state = || std::fs::read_to_string(format!("/proc/{child}/stat"));
    let is_gone = || state().map_or(true, |stat| stat.contains(") Z "));
    let start = Instant::now();
    while !is_gone() {
        assert!(start.elapsed() < Duration::from_secs(60), "{message}: {:?}", state());
        std::thread::yield_now();
    }
    assert!(child.parse::<u32>().is_ok(), "{message}");
}

fn a_lie_fails_and_is_no_error() {
    let engine = started("lie", settings());
    assert_eq!(engine.name(), "fake");
    let outcomes = run(&engine);
    assert_eq!(outcomes[MARKED], Outcome::Failed { note: None });
    let start = Instant::now();
    let flooded = run(&started("flood", settings()));
    assert_eq!(
        flooded,
        run(&started("good", settings())),
        "a flood of standard error blocks nothing"
    );
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
