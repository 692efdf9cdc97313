//! Compares the verdicts of the tester with the verdicts of the command, and measures the time of the tester.

use std::io::Write as _;
use std::process::{Command, Stdio};

use robots_core::Edition;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::files::{self, Asked};
use crate::server::{SITE, Server};
use crate::tester;

/// The number of files that the test sends to the page at a time.
const BATCH: usize = 20;

/// The script that asks the tester. The script returns verdicts as texts of the form `edition agent URL verdict line`.
const ASK: &str = "
    return Promise.all(arguments[0].map(async ({ octets, question }) => {
      const body = Uint8Array.from(atob(octets), (octet) => octet.charCodeAt(0));
      const { reply, took } = await robots.ask(body, question);
      const verdicts = reply.verdicts.flatMap((row) => row.refused
        ? [`refused ${row.agent} ${row.url}: ${row.refused}`]
        : row.editions.map((found) =>
          `${found.edition} ${row.agent} ${row.url} ${found.allowed ? 'allow' : 'disallow'} ${found.line ?? 0}`));
      return { verdicts, took };
    }))";

pub(crate) fn same(browser: &Browser, server: &Server) {
    let files = files::files();
    let expected = by_the_command(&files);
    let got = by_the_tester(browser, server, &files);
    let asked: usize = files.iter().map(|file| file.agents.len() * file.urls.len()).sum();
    assert!(asked >= files::FILES * files::URLS, "{asked}");
    assert_eq!(got.len(), asked * Edition::ALL.len());
    let mut differing = expected.iter().zip(&got).filter(|(expected, got)| expected != got);
    if let Some((expected, got)) = differing.next() {
        panic!("the command: {expected}\nthe tester: {got}\nand {} more", differing.count());
    }
    assert_eq!(got.len(), expected.len());
    let denied = got.iter().filter(|verdict| verdict.contains(" disallow ")).count();
    assert!(denied > got.len() / 20 && denied < got.len(), "{denied} of {}", got.len());
    println!(
        "{} verdicts of {} files are the command's, {denied} disallow",
        got.len(),
        files.len()
    );
}

fn by_the_tester(browser: &Browser, server: &Server, files: &[Asked]) -> Vec<String> {
    browser.visit(&server.url("tester.html"));
    tester::ready(browser);
    let mut verdicts = Vec::new();
    for batch in files.chunks(BATCH) {
        let answers =
            browser.run_with(ASK, &json!([batch.iter().map(question).collect::<Vec<_>>()]));
        for answer in answers.as_array().unwrap() {
            let found = answer["verdicts"].as_array().unwrap();
            verdicts.extend(found.iter().map(|verdict| verdict.as_str().unwrap().to_owned()));
        }
    }
    verdicts.sort_unstable();
    verdicts
}

fn question(file: &Asked) -> Value {
    let question = json!({ "edition": "rfc9309", "agents": file.agents, "urls": file.urls });
    json!({ "octets": tester::base64(&file.body), "question": question })
}

fn by_the_command(files: &[Asked]) -> Vec<String> {
    let mut input = String::new();
    let mut asked = Vec::new();
    for file in files {
        let octets = tester::base64(&file.body);
        for agent in &file.agents {
            for edition in Edition::ALL {
                let question = json!({
                    "robots_txt_base64": octets,
                    "crawler": agent,
                    "url": file.urls,
                    "edition": edition.id(),
                });
                input.push_str(&question.to_string());
                input.push('\n');
                asked.push((edition.id(), agent));
            }
        }
    }
    let mut command = Command::new(std::env::var_os("CARGO").expect("Cargo runs the tests"));
    let mut child = command
        .args(["run", "--quiet", "--package", "robots-cli", "--", "verdicts"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success());
    let output = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.lines().count(), asked.len());
    let mut verdicts = Vec::new();
    for (line, (edition, agent)) in output.lines().zip(asked) {
        let answer: Value = serde_json::from_str(line).unwrap();
        let found = answer["verdicts"].as_array().unwrap_or_else(|| panic!("{answer}"));
        verdicts.extend(found.iter().map(|verdict| {
            let [url, word] = ["url", "verdict"].map(|key| verdict[key].as_str().unwrap());
            let line = verdict["line"].as_u64().unwrap_or(0);
            format!("{edition} {agent} {url} {word} {line}")
        }));
    }
    verdicts.sort_unstable();
    verdicts
}

/// Prints the sizes and times, which docs/benchmarks.md lists. The limits of the test are far above these numbers.
pub(crate) fn quick(browser: &Browser, server: &Server) {
    let mut sizes = Vec::new();
    for file in ["tester.html", "index.html", "parsers.html", "crawlers.html", "requirements.html"]
    {
        let octets = std::fs::metadata(SITE.join(file)).unwrap().len();
        sizes.push(format!("{file} {octets}"));
    }
    println!("octets: {}", sizes.join(", "));
    let mut paints = Vec::new();
    let mut readies = Vec::new();
    for _ in 0..5 {
        browser.visit(&server.url("tester.html"));
        tester::ready(browser);
        browser.until(
            "it is painted",
            "performance.getEntriesByName('first-contentful-paint').length === 1",
        );
        paints
            .push(number(&browser.run(
                "return performance.getEntriesByName('first-contentful-paint')[0].startTime",
            )));
        readies.push(number(
            &browser.run("return performance.getEntriesByName('ready')[0].startTime"),
        ));
    }
    let (paint, ready) = (median(&mut paints), median(&mut readies));
    println!("first paint: {paint:.0} ms; the first verdict appears after: {ready:.0} ms");
    let mut took = Vec::new();
    for file in files::files() {
        let one = Asked {
            agents: vec![file.agents[0].clone()],
            urls: vec![file.urls[0].clone()],
            ..file
        };
        let answers = browser.run_with(ASK, &json!([[question(&one)]]));
        took.push((number(&answers[0]["took"]), one.body.len()));
    }
    let slowest = took.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
    let mut times: Vec<f64> = took.iter().map(|(time, _)| *time).collect();
    let middle = median(&mut times);
    println!(
        "one URL under four editions, all lines and findings: median {middle:.1} ms, {:.1} ms at most ({} octets)",
        slowest.0, slowest.1
    );
    assert!(paint < 2000.0 && ready < 5000.0 && middle < 100.0 && slowest.0 < 5000.0);
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
