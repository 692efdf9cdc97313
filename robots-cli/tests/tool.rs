//! Tests the verb `explain` as a command-line tool that `robots-conformance run --exec` starts for each question.

use std::sync::Arc;
use std::time::Duration;

use regex_lite::Regex;
use robots_conformance::engine::{Engine, Interpreted};
use robots_conformance::process::{CommandEngine, Decision};
use robots_conformance::run::Runner;
use robots_conformance::suite::load;
use robots_core::Edition;
use robots_nom_parser::NomParser;

/// `robots explain` prints its verdict first. As a tool, the command gives the same answers as the nom parser in this
/// process.
#[test]
fn a_real_tool_by_what_it_prints() {
    let template = format!(
        "{} explain --edition {{edition}} --agent {{agent}} {{robots}} {{url}}",
        robots_console::render::quoted(env!("CARGO_BIN_EXE_robots"))
    );
    let [allow, disallow] = ["^allow", "^disallow"].map(|pattern| Regex::new(pattern).unwrap());
    let decision = Decision::Match { allow, disallow };
    let engine = CommandEngine::start(&template, decision, Duration::from_secs(5)).unwrap();
    assert_eq!(engine.name(), "robots");
    let run = |engine: Arc<dyn Engine>| {
        let runner = Runner::new(engine).jobs(2).timeout(Duration::MAX);
        let mut trials = runner.trials(&load::embedded().unwrap());
        trials.retain(|trial| {
            trial.profile() == Edition::Rfc9309
                && ["path-matching", "user-agent"].contains(&trial.case().area.as_str())
        });
        let finished = runner.run(&trials, |_| {});
        finished.into_iter().map(|done| (done.trial.name().to_owned(), done.outcome.name()))
    };
    let expected = run(Arc::new(Interpreted(NomParser)));
    let mut asked = 0;
    for ((name, got), (_, expected)) in run(Arc::new(engine)).zip(expected) {
        // A tool is asked only questions for parsers with one product token. Other questions stay unanswered.
        let silent = ["unanswered", "not-asked"].contains(&got);
        assert!(got == expected || silent, "{name}: {got}, not {expected}");
        asked += usize::from(!silent);
    }
    assert!(asked > 100, "{asked}");
}
