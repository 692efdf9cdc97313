//! Tests that the nom engine gives the same answers in a separate process, over the protocol, as in this process.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use robots_conformance::engine::{Engine, Interpreted};
use robots_conformance::process::{ProcessEngine, Settings};
use robots_conformance::run::{Finished, Runner};
use robots_conformance::suite::load;
use robots_nom_parser::NomParser;

fn run(engine: Arc<dyn Engine>, jobs: usize) -> Vec<Finished> {
    let runner = Runner::new(engine).jobs(jobs).timeout(Duration::MAX);
    let trials = runner.trials(&load::embedded().unwrap());
    runner.run(&trials, |_| {})
}

/// Checks that the subject has the same outcomes, answers and evidence as the engine itself.
fn same_as_in_process(subject: &str) {
    let expected = run(Arc::new(Interpreted(NomParser)), 2);
    let engine = ProcessEngine::start(&format!("{} {subject}", command()), Settings::default());
    let engine = engine.unwrap_or_else(|message| panic!("{message}"));
    let jobs = engine.jobs();
    let got = run(Arc::new(engine), jobs);
    assert_eq!(got.len(), expected.len());
    for (got, expected) in got.iter().zip(&expected) {
        let name = expected.trial.name();
        assert_eq!(got.trial.name(), name);
        assert_eq!(got.outcome, expected.outcome, "{name}");
        // If the edition leaves a meaning undefined, the engine's answer also contains a safe meaning, which the
        // protocol omits.
        let undefined = format!("{:?}", expected.answer).contains("Undefined");
        assert!(undefined || got.answer == expected.answer, "{name}: {:?}", got.answer);
    }
}

#[test]
fn the_whole_suite_as_in_process() {
    same_as_in_process("serve");
}

#[test]
fn one_question_at_a_time() {
    same_as_in_process("serve --pipeline 1");
}

/// The command ends when its output is closed, even if questions are still waiting.
#[test]
fn a_reader_that_goes_ends_the_subject() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .arg("serve")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let question = b"{\"ask\":\"hello\",\"protocol\":1}\n";
    // The writes fail when the command has ended.
    let writer = thread::spawn(move || while input.write_all(question).is_ok() {});
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("the command waits for a reader that has gone");
        }
        thread::sleep(Duration::from_millis(10));
    }
    writer.join().unwrap();
}

/// Returns the path of the command, quoted.
fn command() -> String {
    robots_console::render::quoted(env!("CARGO_BIN_EXE_robots-conformance"))
}
