//! Tests the harness as a test binary: this binary starts itself as a harness around a fake engine, and checks the
//! effect of libtest's arguments.

mod common;

use std::process::{Command, ExitCode, Output};

use common::{Clockless, Fake, suite};
use libtest_mimic::{Arguments, Failed, Trial};
use robots_conformance::engine::Profile;
use robots_conformance::engine::Question;
use robots_conformance::harness::Harness;
use robots_conformance::kind::{Answer, Ask, VerdictQuestion};
use robots_conformance::suite::Suite;
use robots_core::Edition;

const ROLE: &str = "CONFORMANCE_HARNESS_ROLE";
const FILE: &str = "CONFORMANCE_HARNESS_FILE";
const RFC9309: &[Profile] = &[Profile::Edition(Edition::Rfc9309)];

fn main() -> ExitCode {
    match std::env::var(ROLE).as_deref() {
        Ok("clockless") => {
            Harness::new(Clockless(RFC9309, |_: &Question| Answer::unsupported("nothing"))).run()
        }
        Ok(role) => harness(role).run(),
        Err(_) => libtest_mimic::run(&Arguments::from_args(), tests()).exit_code(),
    }
}

fn harness(role: &str) -> Harness {
    let engine = Fake(RFC9309, |question: &Question| match &question.ask {
        Ask::Verdict(VerdictQuestion { url, .. }) => Answer::verdict(!url.ends_with("/fish")),
        _ => Answer::unsupported("verdicts only"),
    });
    match role {
        "empty" => Harness::new(engine).suite(Suite::default()),
        "missing" => Harness::new(engine).suite(suite()).deviations("no/such/file.yaml"),
        "stale" => Harness::new(engine).suite(suite()).deviations("tests/fixtures/stale.yaml"),
        "written" => {
            let file = std::env::var_os(FILE).unwrap_or_default();
            Harness::new(engine).suite(suite()).deviations(file)
        }
        _ => Harness::new(engine).suite(suite()),
    }
}

fn tests() -> Vec<Trial> {
    let tests: [(&str, fn()); 8] = [
        ("list", list),
        ("exact", exact),
        ("filter", filter),
        ("a_failure_names_its_rerun", a_failure_names_its_rerun),
        ("unanswered_is_ignored_with_its_reason", unanswered_is_ignored_with_its_reason),
        (
            "what_is_not_asked_is_ignored_with_its_reason",
            what_is_not_asked_is_ignored_with_its_reason,
        ),
        ("a_first_deviations_file_is_written", a_first_file),
        ("nothing_to_ask_and_broken_deviations_are_errors", errors),
    ];
    let test = |(name, test): (&str, fn())| {
        Trial::test(name, move || {
            test();
            Ok::<(), Failed>(())
        })
    };
    tests.into_iter().map(test).collect()
}

fn run(role: &str, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(arguments)
        .env(ROLE, role)
        .env("CARGO_PKG_NAME", "mine")
        .output()
        .unwrap();
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    (output, text)
}

/// Checks the list that cargo-nextest reads: one line for each trial, which ends in `: test`.
fn list() {
    let (output, _) = run("plain", &["--list", "--format", "terse"]);
    let listed = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = listed.lines().collect();
    assert_eq!(names[0], "fake::paths::fish-prefix::rfc9309::/fish: test");
    assert_eq!(names.len(), 7, "{listed}");
    assert!(names.iter().all(|name| name.ends_with(": test")), "{listed}");
}

/// If there is no deviations file and the environment requests one, the run writes it. After its reasons are filled in,
/// the next run accepts it.
fn a_first_file() {
    let file = std::env::temp_dir().join(format!("first-{}.yaml", std::process::id()));
    let run = |write: bool| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.env(ROLE, "written").env(FILE, &file);
        if write {
            command.env("ROBOTS_CONFORMANCE_WRITE_DEVIATIONS", "1");
        }
        command.output().unwrap()
    };
    let first = run(true);
    let written = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, written.replace("why: ''", "why: It is fake.")).unwrap();
    let second = run(false);
    std::fs::remove_file(&file).unwrap();
    assert!(!first.status.success());
    assert!(written.contains("\n  why: ''\n"), "{written}");
    assert!(second.status.success(), "{}", String::from_utf8_lossy(&second.stdout));
}

fn exact() {
    let name = "fake::paths::fish-prefix::rfc9309::/catfish";
    let (output, text) = run("plain", &["--exact", name]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed; 0 failed; 0 ignored"), "{text}");
}

fn filter() {
    let (output, text) = run("plain", &["fish-prefix"]);
    assert_eq!(output.status.code(), Some(101), "{text}");
    assert!(text.contains("2 passed; 1 failed; 0 ignored; 0 measured; 4 filtered out"), "{text}");
}

fn a_failure_names_its_rerun() {
    let (_, text) = run("plain", &["fish-prefix"]);
    let rerun = "cargo test -p mine --test harness -- --exact fake::paths::fish-prefix::rfc9309::/fishheads";
    assert!(text.contains(rerun), "{text}");
    assert!(text.contains("spec-cases/paths.yaml:4"), "{text}");
}

fn unanswered_is_ignored_with_its_reason() {
    let (output, text) = run("plain", &["two-agents", "--test-threads=1"]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("ignored (verdicts only)"), "{text}");
    assert!(text.contains("0 passed; 0 failed; 1 ignored"), "{text}");
}

/// A retriever is not asked about files, because of its role. If it cannot use the runner's clock, it is not asked some
/// timelines.
fn what_is_not_asked_is_ignored_with_its_reason() {
    for (name, reason) in [
        ("path-fish-prefix::rfc9309::/catfish", "the subject is not a parser"),
        ("timeline-status-500-a-minute-later", "the subject does not take the runner's clock"),
    ] {
        let (output, text) = run("clockless", &[name, "--test-threads=1"]);
        assert!(output.status.success(), "{text}");
        assert!(text.contains(&format!("ignored (not asked: {reason})")), "{text}");
        assert!(text.contains("0 passed; 0 failed; 1 ignored"), "{text}");
    }
}

fn errors() {
    let (output, text) = run("empty", &[]);
    assert_eq!(output.status.code(), Some(101));
    assert!(text.contains("the suite has no trial for fake"), "{text}");
    let (output, text) = run("missing", &[]);
    assert_eq!(output.status.code(), Some(101));
    assert!(text.contains("no/such/file.yaml:1: cannot read the deviations file"), "{text}");
    assert!(text.contains("with ROBOTS_CONFORMANCE_WRITE_DEVIATIONS=1"), "{text}");
    let (output, text) = run("stale", &["deviations"]);
    assert_eq!(output.status.code(), Some(101));
    assert!(text.contains("tests/fixtures/stale.yaml:1: fake::gone: stale"), "{text}");
}
