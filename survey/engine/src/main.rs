//! The engine of the tester, a page of the site: a program that reads one question and writes one answer.
//!
//! Standard input is a line of JSON, followed by the octets of a robots.txt. Standard output is one JSON object. If the
//! line gives the length of an older file, the octets of the older file come before those of the robots.txt, and the
//! answer lists the URLs that the change opens or closes. The engine is a WASI program, so it reads and writes octets
//! through streams and needs no unsafe code. The page provides the few WASI functions that the engine calls. The engine
//! also compiles as a native program.

// What a file states about the use of content under the draft editions.
mod usage;
// The meaning of a line in words.
mod meaning;
// Whether a file meets its expectations.
mod intent;
// The URLs that a change of a file opens or closes.
mod changes;

use std::io::{self, Read as _, Write as _};
use std::process::ExitCode;

use robots_core::{Crawler, Edition, Options, RobotsTxt};
use robots_lint::{Finding, constructs, findings};
use robots_nom_parser::ScanParser;
use serde::{Deserialize, Serialize};

use self::changes::Changes;
use self::intent::Intent;
use self::meaning::{Meaning, Meanings};
use self::usage::{Drafts, Use};

/// The questions about a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The edition under which the lines of the file are shown.
    edition: String,
    /// Crawlers. Each text has product tokens with commas between them, most specific first, or is a whole `User-Agent`
    /// header.
    agents: Vec<String>,
    /// URLs, or their path and query.
    urls: Vec<String>,
    /// The length of an older file in octets, if there is one. The octets of the older file come before those of the
    /// file.
    #[serde(default)]
    old: Option<usize>,
    /// The expectations for the file, as YAML.
    #[serde(default)]
    expectations: Option<String>,
    /// Whether the answer must contain expectations that the engine makes from the file.
    #[serde(default)]
    draft: bool,
}

#[derive(Serialize)]
struct Answer<'r> {
    /// The number of octets at the end of the file that are not read, because the file is longer than the limit.
    unread: usize,
    lines: Vec<Line<'r>>,
    findings: Vec<Shown<'r>>,
    constructs: Vec<Used>,
    verdicts: Vec<Row>,
    /// The effects of the change from the older file.
    changes: Option<Changes>,
    /// The result for each expectation.
    intent: Option<Intent>,
    /// Expectations that the file meets, as YAML.
    draft: Option<String>,
}

/// A line, and its meaning.
#[derive(Serialize)]
struct Line<'r> {
    text: std::borrow::Cow<'r, str>,
    means: String,
    has_effect: bool,
}

/// A finding, and its text.
#[derive(Serialize)]
struct Shown<'r> {
    #[serde(flatten)]
    finding: Finding<'r>,
    summary: &'static str,
    source_text: Option<String>,
}

#[derive(Serialize)]
struct Used {
    name: &'static str,
    says: &'static str,
    line: u32,
}

/// The verdicts of all editions on one question.
#[derive(Serialize)]
struct Row {
    agent: String,
    /// The product tokens that were read from `agent`.
    tokens: String,
    url: String,
    /// The reason why there is no verdict.
    refused: Option<String>,
    editions: Vec<Verdict>,
    /// The preferences about the use of the content, by each draft edition, if the file states any.
    drafts: Vec<Use>,
}

#[derive(Serialize)]
struct Verdict {
    edition: &'static str,
    allowed: bool,
    says: String,
    reason: &'static str,
    line: Option<u32>,
    agent_line: Option<u32>,
}

fn main() -> ExitCode {
    let answer = answered().and_then(|answer| {
        let mut out = io::stdout().lock();
        out.write_all(answer.as_bytes()).and_then(|()| out.flush()).map_err(|e| e.to_string())
    });
    match answer {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn answered() -> Result<String, String> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input).map_err(|error| error.to_string())?;
    let end = input.iter().position(|octet| *octet == b'\n').unwrap_or(input.len());
    let question: Question =
        serde_json::from_slice(&input[..end]).map_err(|error| error.to_string())?;
    let bodies = input.get(end + 1..).unwrap_or_default();
    let (old, body) = bodies.split_at(question.old.unwrap_or(0).min(bodies.len()));
    let edition: Edition = question.edition.parse().map_err(|error| format!("{error}"))?;
    let robots = RobotsTxt::parse(&ScanParser, body, Options::from(edition));
    let answer = Answer {
        unread: robots.truncated_at().map_or(0, |read| body.len() - read),
        lines: lines(body, &robots),
        findings: findings(&robots).map(shown).collect(),
        constructs: constructs(&robots)
            .map(|(construct, line, _)| Used {
                name: construct.name(),
                says: construct.says(),
                line: line.get(),
            })
            .collect(),
        verdicts: rows(body, &question),
        changes: question.old.map(|_| {
            let old = RobotsTxt::parse(&ScanParser, old, Options::from(edition));
            Changes::of(&old, &robots)
        }),
        intent: question.expectations.as_deref().map(|text| Intent::of(text, &robots)),
        draft: question.draft.then(|| robots_lint::expect::draft(&robots)),
    };
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}

fn lines<'r>(body: &'r [u8], robots: &RobotsTxt<&[u8]>) -> Vec<Line<'r>> {
    let meanings = Meanings::of(robots);
    let shown = robots.lines().map(|(line, kind)| {
        let Meaning { says, has_effect } = meanings.meaning(body, &line, kind);
        Line { text: String::from_utf8_lossy(&body[line.content.range()]), means: says, has_effect }
    });
    shown.collect()
}

fn shown(finding: Finding<'_>) -> Shown<'_> {
    let source_text = finding.source().map(|source| source.to_string());
    Shown { finding, summary: finding.kind().summary(), source_text }
}

fn rows(body: &[u8], question: &Question) -> Vec<Row> {
    let parse = |edition: &Edition| RobotsTxt::parse(&ScanParser, body, Options::from(*edition));
    let files: Vec<RobotsTxt<&[u8]>> = Edition::ALL.iter().map(parse).collect();
    let drafts = Drafts::of(body);
    let mut rows = Vec::new();
    for agent in &question.agents {
        let crawler = agent.parse::<Crawler>().or_else(|_| Crawler::from_header(agent));
        for url in &question.urls {
            let (agent, url) = (agent.clone(), url.clone());
            let mut row = Row {
                agent,
                tokens: String::new(),
                url,
                refused: None,
                editions: Vec::new(),
                drafts: Vec::new(),
            };
            match &crawler {
                Ok(crawler) => {
                    row.tokens = crawler.to_string();
                    row.drafts = drafts.uses(crawler, &row.url);
                    for robots in &files {
                        match robots.try_verdict(crawler, &row.url) {
                            Ok(verdict) => row.editions.push(Verdict {
                                edition: robots.edition().id(),
                                allowed: verdict.is_allowed(),
                                says: verdict.to_string(),
                                reason: verdict.reason().id(),
                                line: verdict.rule().map(|rule| rule.line().number.get()),
                                agent_line: verdict
                                    .user_agent()
                                    .map(|line| line.line().number.get()),
                            }),
                            Err(error) => row.refused = Some(error.to_string()),
                        }
                    }
                }
                Err(error) => row.refused = Some(error.to_string()),
            }
            rows.push(row);
        }
    }
    rows
}
