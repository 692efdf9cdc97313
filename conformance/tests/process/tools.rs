//! Command-line tools without an adapter.

use std::sync::Arc;
use std::time::{Duration, Instant};

use regex::Regex;
use robots_conformance::load;
use robots_conformance::process::{CommandEngine, Decision};
use robots_conformance::run::Runner;
use robots_core::{Answer, Crawler, Edition, Engine, Interpreted, Question};
use robots_nom_parser::NomParser;

use crate::{command, fake, this};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("tools::a_real_tool_by_what_it_prints", a_real_tool_by_what_it_prints),
    ("tools::nothing_reaches_a_shell", nothing_reaches_a_shell),
    ("tools::octets_and_exit_statuses", octets_and_exit_statuses),
    ("tools::faults_are_told", faults_are_told),
    ("tools::broken_templates_are_refused", broken_templates_are_refused),
];

const TIMEOUT: Duration = Duration::from_secs(1);

fn by_exit(mode: &str, allow: i32, disallow: i32) -> CommandEngine {
    let template = format!("{} tool {mode} {{robots}} {{agent}} {{url}}", this());
    CommandEngine::start(&template, Decision::Exit { allow, disallow }, TIMEOUT).unwrap()
}

fn ask(engine: &CommandEngine, robots_txt: &[u8], tokens: &[&str], url: &str) -> Answer {
    let crawler = Crawler::new(tokens.iter().copied());
    let profile = Edition::Rfc9309.into();
    engine.answer(&Question::Verdict { profile, robots_txt, crawler: &crawler, url })
}

/// `robots-conformance explain` prints its verdict first: it answers as the engine in it does.
fn a_real_tool_by_what_it_prints() {
    let template =
        format!("{} explain --edition {{edition}} --agent {{agent}} {{robots}} {{url}}", command());
    let [allow, disallow] = ["^allow", "^disallow"].map(|pattern| Regex::new(pattern).unwrap());
    let decision = Decision::Match { allow, disallow };
    let engine = CommandEngine::start(&template, decision, Duration::from_secs(5)).unwrap();
    assert_eq!(engine.name(), "robots-conformance");
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
        // A tool is a parser, and is given one product token.
        let silent = ["unanswered", "not-asked"].contains(&got);
        assert!(got == expected || silent, "{name}: {got}, not {expected}");
        asked += usize::from(!silent);
    }
    assert!(asked > 100, "{asked}");
}

fn nothing_reaches_a_shell() {
    let engine = by_exit("nasty", 0, 1);
    assert_eq!(ask(&engine, b"", &["a-bot"], fake::NASTY), Answer::verdict(true));
    assert_eq!(ask(&engine, b"", &["a-bot"], "/"), Answer::verdict(false));
}

fn octets_and_exit_statuses() {
    let engine = by_exit("octets", 4, 5);
    assert_eq!(ask(&engine, b"\xFF\0\r\n", &["a"], "/"), Answer::verdict(true));
    assert_eq!(ask(&engine, b"\xFF\0\n", &["a"], "/"), Answer::verdict(false));
}

fn faults_are_told() {
    let start = Instant::now();
    let engine = by_exit("hang", 0, 1);
    let both = format!("{} tool both {{robots}} {{agent}} {{url}}", this());
    let [allow, disallow] = ["allowed", "disallowed"].map(|pattern| Regex::new(pattern).unwrap());
    let both = CommandEngine::start(&both, Decision::Match { allow, disallow }, TIMEOUT).unwrap();
    let edition = Edition::Rfc9309;
    let told = [
        ask(&engine, b"", &["a"], "/"),
        ask(&by_exit("usage", 0, 1), b"", &["a"], "/"),
        ask(&both, b"", &["a"], "/"),
        ask(&both, b"", &["a", "b"], "/"),
        ask(&both, b"", &["a"], "/\0"),
        ask(&both, b"", &["a"], &"/x".repeat(2_000_000)),
        both.answer(&Question::Sitemaps { edition, robots_txt: b"" }),
    ];
    let told = told.map(|answer| robots_conformance::render::answer(&answer));
    insta::assert_snapshot!("faults_are_told", told.join("\n"));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

fn broken_templates_are_refused() {
    let templates = [
        "tool {robots} {agent}",
        "tool {agent} {url}",
        "tool {robots} {url}",
        "tool {robots} {agent} {url} {user}",
        "tool '{robots} {agent} {url}",
        "no-such-tool {robots} {agent} {url}",
    ];
    let told = templates.map(|template| {
        CommandEngine::start(template, Decision::default(), TIMEOUT).err().unwrap()
    });
    insta::assert_snapshot!("broken_templates_are_refused", told.join("\n"));
}
