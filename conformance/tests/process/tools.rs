//! Tests command-line tools without an adapter: how arguments reach a tool, and how its exit status or its output
//! determines the answer.

use std::time::{Duration, Instant};

use regex_lite::Regex;
use robots_conformance::engine::{Engine, Question};
use robots_conformance::kind::{Agents, Answer, Ask, SitemapsQuestion, VerdictQuestion};
use robots_conformance::process::{CommandEngine, Decision};
use robots_core::Edition;

use crate::fake::{self, this};

pub(crate) const TESTS: &[(&str, fn())] = &[
    ("tools::nothing_reaches_a_shell", nothing_reaches_a_shell),
    ("tools::octets_and_exit_statuses", octets_and_exit_statuses),
    ("tools::faults_are_told", faults_are_told),
    ("tools::a_mebioctet_of_output_decides", a_mebioctet_of_output_decides),
    #[cfg(target_os = "linux")]
    ("tools::an_exit_status_waits_for_nobody", an_exit_status_waits_for_nobody),
    ("tools::broken_templates_are_refused", broken_templates_are_refused),
];

/// A process that left its group keeps standard error open. The engine uses the exit status of the tool, and does not
/// wait for this process.
#[cfg(target_os = "linux")]
fn an_exit_status_waits_for_nobody() {
    let template = "sh -c 'setsid sleep 5 & exit 1' {robots} {agent} {url}";
    let decision = Decision::Exit { allow: 0, disallow: 1 };
    let engine = CommandEngine::start(template, decision, Duration::from_secs(60)).unwrap();
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let before = open();
    let start = Instant::now();
    for _ in 0..100 {
        assert_eq!(ask(&engine, b"", &["a"], "/"), Answer::verdict(false));
    }
    // Other tests of this process open a few file descriptors in the meantime. A leak would leave two hundred of them
    // open.
    while open() > before + 60 {
        assert!(start.elapsed() < Duration::from_secs(4), "{} descriptors are open", open());
        std::thread::yield_now();
    }
}

const TIMEOUT: Duration = Duration::from_secs(1);

fn by_exit(mode: &str, allow: i32, disallow: i32) -> CommandEngine {
    let template = format!("{} tool {mode} {{robots}} {{agent}} {{url}}", this());
    CommandEngine::start(&template, Decision::Exit { allow, disallow }, TIMEOUT).unwrap()
}

fn ask(engine: &CommandEngine, robots_txt: &[u8], tokens: &[&str], url: &str) -> Answer {
    let agents = Agents::new(tokens.iter().copied()).unwrap();
    let profile = Edition::Rfc9309.into();
    let ask = Ask::Verdict(VerdictQuestion {
        robots_txt: robots_txt.into(),
        agents,
        url: url.to_owned(),
    });
    engine.answer(&Question { profile, ask })
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
    let answers = [
        ask(&engine, b"", &["a"], "/"),
        ask(&by_exit("usage", 0, 1), b"", &["a"], "/"),
        ask(&both, b"", &["a"], "/"),
        ask(&both, b"", &["a", "b"], "/"),
        ask(&both, b"", &["a"], "/\0"),
        ask(&both, b"", &["a"], &"/x".repeat(2_000_000)),
        both.answer(&Question {
            profile: edition.into(),
            ask: Ask::Sitemaps(SitemapsQuestion { robots_txt: [].into() }),
        }),
    ];
    let answers = answers.map(|answer| robots_conformance::kind::answer_text(&answer));
    insta::assert_snapshot!("faults_are_told", answers.join("\n"));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// The engine also reads the output after the first mebioctet, so that the tool can end. But this later output does not
/// affect the decision.
fn a_mebioctet_of_output_decides() {
    let answer = |mode: &str| {
        let template = format!("{} tool {mode} {{robots}} {{agent}} {{url}}", this());
        let [allow, disallow] = ["allowed", "refused"].map(|text| Regex::new(text).unwrap());
        let decision = Decision::Match { allow, disallow };
        let engine = CommandEngine::start(&template, decision, Duration::from_secs(60)).unwrap();
        ask(&engine, b"", &["a"], "/")
    };
    assert_eq!(answer("early"), Answer::verdict(true));
    let Answer::Error(message) = answer("late") else { panic!("what came late decided") };
    let why = "the tool's output matches neither of `allowed` and `refused`: \"...";
    assert!(message.starts_with(why) && message.len() < 1024, "{message}");
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
    let answers = templates.map(|template| {
        CommandEngine::start(template, Decision::default(), TIMEOUT).err().unwrap().to_string()
    });
    insta::assert_snapshot!("broken_templates_are_refused", answers.join("\n"));
}
