//! Defines a fake subject and a fake tool. Both are this test binary, started again with other arguments.
//!
//! `fake MODE TEXT` misbehaves at verdict questions whose URL contains `TEXT`, and allows all other URLs. `MODE`
//! selects the fault. `tool MODE ROBOTS AGENT URL` behaves like a command-line tool.

use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Returns the path of this binary, quoted for a shell.
pub(crate) fn this() -> String {
    let path = std::env::current_exe().unwrap();
    robots_console::render::quoted(path.to_str().unwrap())
}

/// Runs a subject with the fault that the mode names.
pub(crate) fn subject(mode: &str, text: &str) -> ExitCode {
    match mode {
        "noise-at-start" => say("Loading the rules …"),
        "exit-at-once" => {
            eprintln!("ImportError: no module named robots");
            return ExitCode::from(3);
        }
        "hang-at-start" => thread::sleep(Duration::from_secs(600)),
        _ => {}
    }
    let (sender, questions) = mpsc::channel::<Value>();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            sender.send(serde_json::from_str(&line.unwrap()).unwrap()).unwrap();
        }
    });
    let mut later: Vec<Value> = Vec::new();
    while let Ok(question) = questions.recv() {
        if question["ask"] == "hello" {
            say(hello(mode));
            continue;
        }
        let id = &question["id"];
        let good = match question["ask"].as_str() {
            Some("verdict") => json!({ "id": id, "verdict": "allow" }),
            _ => json!({ "id": id, "unsupported": "verdicts only" }),
        };
        let marked = question["url"].as_str().is_some_and(|url| url.contains(text));
        if mode == "backwards" {
            // Waits until no further question comes. Then answers the collected questions, the last one first.
            later.push(good);
            while let Ok(question) = questions.recv_timeout(Duration::from_millis(20)) {
                later.push(json!({ "id": question["id"], "unsupported": "came late" }));
            }
            later.drain(..).rev().for_each(say);
            continue;
        }
        if mode == "crash-crowded" {
            // Crashes at any question, but only if another question waits for an answer too.
            match questions.recv_timeout(Duration::from_millis(300)) {
                Ok(_) => return ExitCode::from(3),
                Err(_) => say(good),
            }
            continue;
        }
        if !marked {
            say(good);
            continue;
        }
        match mode {
            "good" | "verdicts-only" => say(good),
            "crash" | "crash-pipelined" => {
                eprintln!("thread panicked\nat line 7 of the adapter");
                return ExitCode::from(3);
            }
            "hang" => thread::sleep(Duration::from_secs(600)),
            "drop-pipelined" => {}
            "no-json" => say("debug: matched rule 3"),
            "no-object" => say(json!([id, "allow"])),
            "no-id" => say(json!({ "verdict": "allow" })),
            "text-id" => say(json!({ "id": id.to_string(), "verdict": "allow" })),
            "unknown-id" => say(json!({ "id": 4711, "verdict": "allow" })),
            "wrong-type" => say(json!({ "id": id, "verdict": true })),
            "other-kind" => say(json!({ "id": id, "sitemaps": [] })),
            "no-answer" => say(json!({ "id": id, "allowed": true })),
            "wrong-line" => say(json!({ "id": id, "verdict": "allow", "line": 0 })),
            "error" => say(json!({ "id": id, "error": "ValueError: no such rule" })),
            "twice" => say(format!("{good}\n{good}")),
            "flood" => {
                let line = "x".repeat(79) + "\n";
                io::stderr().write_all(line.repeat(100_000).as_bytes()).unwrap();
                say(good);
            }
            "long-evidence" => {
                say(json!({ "id": id, "verdict": "allow", "evidence": "e".repeat(9 * 1024) }));
            }
            "long-answer" => {
                say(json!({ "id": id, "verdict": "allow", "more": "m".repeat(40 * 1024) }));
            }
            "endless-line" => {
                let mebibyte = vec![b'x'; 1 << 20];
                for _ in 0..20 {
                    io::stdout().write_all(&mebibyte).unwrap();
                }
            }
            "crash-with-child" => {
                #[expect(clippy::zombie_processes, reason = "it is to be left behind")]
                let child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
                eprintln!("{}", child.id());
                return ExitCode::from(3);
            }
            "escapes" => {
                let error = "\u{1b}]0;title\u{7}\u{1b}[2J\u{202e}\u{fffe}";
                say(json!({ "id": id, "error": error }));
            }
            "lie" => say(json!({ "id": id, "verdict": "disallow" })),
            other => panic!("no mode {other}"),
        }
    }
    ExitCode::SUCCESS
}

fn hello(mode: &str) -> Value {
    let mut hello = json!({ "protocol": 1, "name": "fake", "editions": ["rfc9309"] });
    match mode {
        "old-protocol" => hello["protocol"] = 0.into(),
        "unknown-edition" => hello["editions"] = json!(["rfc-9309"]),
        "long-name" => hello["name"] = "n".repeat(101).into(),
        "huge-name" => hello["name"] = "n".repeat(10 << 20).into(),
        "hidden-name" => hello["name"] = "fake\u{202e}".into(),
        "no-character" => hello["version"] = "1\u{fffe}".into(),
        "no-hello" => return json!({ "ready": true }),
        "verdicts-only" => hello["answers"] = json!(["verdict"]),
        "backwards" | "crash-pipelined" | "crash-crowded" | "drop-pipelined" => {
            hello["pipeline"] = 8.into();
        }
        _ => {}
    }
    hello
}

fn say(line: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

/// A text with characters that are special in a shell, so a shell would change the text.
pub(crate) const NASTY: &str = "https://example.com/a b'\"$(touch x)`;&|{agent}{robots}\\*?~#";

/// Runs a command-line tool: `tool MODE ROBOTS AGENT URL`.
pub(crate) fn tool(arguments: &[String]) -> ExitCode {
    let [mode, robots, agent, url] = arguments else { return ExitCode::from(99) };
    let octets = std::fs::read(robots).unwrap();
    match mode.as_str() {
        "nasty" => ExitCode::from(u8::from(url != NASTY || agent != "a-bot")),
        "octets" => ExitCode::from(if octets == b"\xFF\0\r\n" { 4 } else { 5 }),
        "hang" => {
            eprintln!("thinking");
            thread::sleep(Duration::from_secs(600));
            ExitCode::SUCCESS
        }
        "both" => {
            println!("allowed, not disallowed");
            ExitCode::SUCCESS
        }
        "early" => {
            println!("allowed{}", ".".repeat(4 << 20));
            ExitCode::SUCCESS
        }
        "late" => {
            println!("{}allowed", ".".repeat(1 << 20));
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: tool");
            ExitCode::from(64)
        }
    }
}
