//! Tests that the nom engine gives the same answers in a separate process, over the protocol, as in this process.

use std::sync::Arc;
use std::time::Duration;

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

/// Returns the path of the command, quoted.
fn command() -> String {
    robots_console::render::quoted(env!("CARGO_BIN_EXE_robots-conformance"))
}
