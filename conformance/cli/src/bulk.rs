//! Verdicts in bulk: JSON lines in, JSON lines out, all processors, input order kept.
//!
//! Start at [`run`]. It is a plain filter: what is held at a time is two batches of lines, a line that
//! cannot be answered gets an error object in its place, and the run goes on.

use std::fs;
use std::io::{self, BufRead, Write};
use std::sync::mpsc;
use std::thread;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rayon::prelude::*;
use robots_core::{Crawler, Options, Parser, Profile, RobotsTxt, Verdict};
use serde::{Deserialize, Serialize};

/// How much is read before it is answered: so many lines, or so many octets.
const BATCH: (usize, usize) = (4096, 8 << 20);

/// So many URLs of one line make compiling the rules worth it.
const MANY: usize = 8;

/// What a run did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines read, blank ones left out.
    pub lines: u64,
    /// Lines answered with an error.
    pub errors: u64,
    /// Verdicts given.
    pub verdicts: u64,
    /// Octets of robots.txt parsed.
    pub octets: u64,
}

impl Counts {
    fn add(&mut self, answer: &Answer) {
        self.lines += 1;
        self.octets += answer.octets;
        match &answer.outcome {
            Outcome::Verdicts(verdicts) => self.verdicts += verdicts.len() as u64,
            Outcome::Error(_) => self.errors += 1,
        }
    }
}

/// A line of input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The file as text.
    robots_txt: Option<String>,
    /// The file as base64, where it is no text.
    robots_txt_base64: Option<String>,
    /// Where the file lies.
    file: Option<String>,
    /// A product token, or several, most specific first.
    crawler: OneOrMore,
    /// A URL, or several.
    url: OneOrMore,
    /// The id of an edition or google-cpp; google-2022 where there is none.
    edition: Option<String>,
    /// Given back as it came.
    id: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::More(more) => more,
        }
    }
}

/// A line of output.
#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<serde_json::Value>,
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(skip)]
    octets: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Verdicts(Vec<Decision>),
    Error(String),
}

#[derive(Serialize)]
struct Decision {
    url: String,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    reason: String,
}

/// Answers every line of the input, in order.
///
/// A line is an object: `robots_txt` (text), `robots_txt_base64` or `file`; `crawler`, a product token or a
/// list of them; `url`, one or a list; and, if wanted, `edition` and an `id` of any kind that comes back.
/// Its answer is `{"verdicts":[{"url","verdict","line","reason"}]}` or `{"error":"…"}`.
///
/// ```
/// # struct None_; impl robots_core::Parser for None_ {
/// #     fn name(&self) -> &str { "none" }
/// #     fn parse(&self, _: &[u8], _: &mut robots_core::syntax::Report<'_>) {} }
/// let input = br#"{"robots_txt":"","crawler":"examplebot","url":"/x"}"#;
/// let mut output = Vec::new();
/// let counts = robots_conformance_cli::bulk::run(&None_, &input[..], &mut output)?;
/// assert_eq!(counts.verdicts, 1);
/// assert!(output.starts_with(br#"{"verdicts":[{"url":"/x","verdict":"allow""#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Where the input cannot be read or the output not be written.
pub fn run<P: Parser + Send>(
    parser: &P,
    mut input: impl BufRead + Send,
    mut output: impl Write,
) -> io::Result<Counts> {
    thread::scope(|scope| {
        // One batch is read while the one before is answered.
        let (full, batches) = mpsc::sync_channel(0);
        scope.spawn(move || {
            loop {
                let batch = read(&mut input);
                let last = batch.as_ref().map_or(true, Vec::is_empty);
                if full.send(batch).is_err() || last {
                    return;
                }
            }
        });
        let mut counts = Counts::default();
        for batch in batches {
            let answers: Vec<_> = batch?.par_iter().map(|line| answer(parser, line)).collect();
            for (answer, line) in answers {
                counts.add(&answer);
                output.write_all(&line)?;
            }
        }
        output.flush()?;
        Ok(counts)
    })
}

/// Reads a batch of lines, blank ones left out; none at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Vec<Vec<u8>>> {
    let (mut lines, mut octets) = (Vec::new(), 0);
    while lines.len() < BATCH.0 && octets < BATCH.1 {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        octets += line.len();
        if !line.trim_ascii().is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

fn answer<P: Parser>(parser: &P, line: &[u8]) -> (Answer, Vec<u8>) {
    let answer = match serde_json::from_slice::<Question>(line) {
        Err(error) => Answer { id: None, outcome: Outcome::Error(error.to_string()), octets: 0 },
        Ok(question) => match decide(parser, &question) {
            Ok((verdicts, octets)) => {
                Answer { id: question.id, outcome: Outcome::Verdicts(verdicts), octets }
            }
            Err(message) => Answer { id: question.id, outcome: Outcome::Error(message), octets: 0 },
        },
    };
    let mut line = serde_json::to_vec(&answer).unwrap_or_else(|error| {
        serde_json::json!({ "error": error.to_string() }).to_string().into_bytes()
    });
    line.push(b'\n');
    (answer, line)
}

fn decide<P: Parser>(parser: &P, question: &Question) -> Result<(Vec<Decision>, u64), String> {
    let profile: Profile = match &question.edition {
        None => Profile::default(),
        Some(id) => id.parse().map_err(|error| format!("{error}"))?,
    };
    let body = body(question)?;
    let robots = RobotsTxt::parse(parser, &body, Options::default().profile(profile));
    let crawler = match profile.edition() {
        Some(_) => Crawler::new(question.crawler.as_slice()).map_err(|error| error.to_string())?,
        None => Crawler::as_given(question.crawler.as_slice()),
    };
    let urls = question.url.as_slice();
    let verdicts = if urls.len() < MANY {
        urls.iter().map(|url| decision(url, &robots.verdict(&crawler, url))).collect()
    } else {
        let rules = robots.rules_for(&crawler);
        urls.iter().map(|url| decision(url, &rules.verdict(url))).collect()
    };
    Ok((verdicts, body.len() as u64))
}

fn decision(url: &str, verdict: &Verdict<'_>) -> Decision {
    Decision {
        url: url.to_owned(),
        verdict: if verdict.is_allowed() { "allow" } else { "disallow" },
        line: verdict.rule().map(|rule| rule.line().number.get()),
        reason: verdict.to_string(),
    }
}

fn body(question: &Question) -> Result<Vec<u8>, String> {
    match (&question.robots_txt, &question.robots_txt_base64, &question.file) {
        (Some(text), None, None) => Ok(text.clone().into_bytes()),
        (None, Some(base64), None) => {
            BASE64_STANDARD.decode(base64).map_err(|error| format!("robots_txt_base64: {error}"))
        }
        (None, None, Some(path)) => {
            fs::read(path).map_err(|error| format!("file {path:?}: {error}"))
        }
        _ => Err("give exactly one of `robots_txt`, `robots_txt_base64` and `file`".to_owned()),
    }
}
