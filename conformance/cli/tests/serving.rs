//! Tests that the nom engine gives the same answers in a separate process, over the protocol, as in this process.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
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

/// Lines of hostile clients. Each gets one answer, which is an error, and the questions beside them are answered.
#[test]
fn hostile_lines_are_answered() {
    let ask = |id: &str, file: &str, url: &str| {
        format!(
            r#"{{"id":{id},"ask":"verdict","edition":"rfc9309","robots_txt":"{file}","crawler":["a"],"url":"{url}"}}"#
        )
    };
    let nested = format!("{}1", "[".repeat(1 << 20));
    let long = format!("/{}", "a".repeat(1 << 16));
    let wildcards = base64::prelude::BASE64_STANDARD
        .encode(format!("user-agent: *\ndisallow: {}$\n", "/*a".repeat(1 << 16)));
    let timeline = r#"{"id":9,"ask":"timeline","edition":"rfc9309","crawler":["a"],"steps":[{"at":18446744073709551615,"urls":["http://a/"]}]}"#;
    let lines: [Vec<u8>; 14] = [
        b"\xFF\xFE{}".to_vec(),
        b"{\0}".to_vec(),
        nested.clone().into(),
        format!(r#"{{"id":{nested}"#).into(),
        vec![b'{'; 1 << 20],
        ask("-1", "", "/").into(),
        ask("18446744073709551616", "", "/").into(),
        ask("1e400", "", "/").into(),
        ask("1", "not base64", "/").into(),
        ask("1", "", "\\ud800").into(),
        ask("1", "", "no url").replace("[\"a\"]", "[]").into(),
        br#"{"id":1,"ask":"hello\u0000","protocol":-1}"#.to_vec(),
        timeline.into(),
        ask("3", &wildcards, &long).into(),
    ];
    let mut input = lines.join(&b'\n');
    input.extend_from_slice(format!("\n{}\n", ask("4", "", "/")).as_bytes());
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_robots-conformance"))
        .args(["serve", "--pipeline", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = answers.lines().collect();
    assert_eq!(answers.len(), 15, "{answers:#?}");
    for (answer, line) in answers.iter().zip(&lines[..13]) {
        let is_refused = answer.contains("\"error\"") || answer.contains("\"unsupported\"");
        let line = String::from_utf8_lossy(&line[..line.len().min(100)]);
        assert!(is_refused && answer.len() < 1000, "{line}: {answer}");
    }
    for (answer, id) in answers[13..].iter().zip([3, 4]) {
        assert!(
            answer.starts_with(&format!("{{\"id\":{id},\"verdict\":\"allow\"")),
            "{answer:.1000}"
        );
    }
}

/// Returns the path of the command, quoted.
fn command() -> String {
    robots_console::render::quoted(env!("CARGO_BIN_EXE_robots-conformance"))
}
