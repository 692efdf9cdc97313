//! Verdicts in bulk: JSON lines in, JSON lines out.
//!
//! [`run`] answers lines that give a file, as text or by its path, on all processors and in the order of the input.
//! [`run_fetching`] also answers lines without a file: it fetches robots.txt for many lines at a time, and writes each
//! answer when it is ready. Both functions use a bounded amount of memory. A line that cannot be answered gets an error
//! object, and the run continues.

mod fetching;
mod files;
mod usage;

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rayon::prelude::*;
use robots_console::lines::{self, read_line};
use robots_console::render;
use robots_core::syntax::Field;
use robots_core::{Crawler, Edition, Options, Parser, RobotsTxt, Verdict};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use robots_console::error::Error;
use robots_console::json;

pub use self::fetching::{Fetch, Fetched, Fetching, run_fetching};
pub use self::files::Files;
use self::usage::Use;

/// A batch is full if it has at least this number of lines, or lines with at least this number of octets in all.
const BATCH: (usize, usize) = (4096, 8 << 20);

/// The number of octets that are read at a time, and the number of batches that may wait for answers.
const AHEAD: (usize, usize) = (1 << 18, 8);

/// The maximum length of a line in octets. A longer line is answered with an error.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The maximum length of all reasons in an answer, in octets. For a question on a line of N octets, it is N times the
/// first number, plus the second number. Each octet of a reason counts as two, because JSON may escape it.
const REASONS: (usize, usize) = (32, 64 * 1024);

/// If a line has at least this number of URLs, compiling the rules saves time.
const MANY: usize = 8;

/// The statistics of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of lines that were read. Blank lines do not count.
    pub lines: u64,
    /// The number of lines that were answered with an error.
    pub errors: u64,
    /// The number of verdicts.
    pub verdicts: u64,
    /// The total length in octets of the robots.txt files that the lines give. Fetched files do not count.
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
    /// The file as base64, if it is not text.
    robots_txt_base64: Option<String>,
    /// The path of the file.
    file: Option<String>,
    /// One product token, or a list of the crawler's product tokens, the most specific first.
    crawler: OneOrMore,
    /// A URL, or several.
    url: OneOrMore,
    /// The id of an edition. The default is `google-2022`.
    edition: Option<String>,
    /// The values of the `Content-Usage` field lines of the responses; only a draft edition reads them.
    content_usage: Option<OneOrMore>,
    /// A value of any type, which the answer repeats unchanged.
    id: Option<Box<RawValue>>,
}

/// A text or a list of texts. `serde` reads it without an intermediate value, so a list needs no more memory than its
/// texts.
struct OneOrMore(Vec<String>);

impl OneOrMore {
    fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = OneOrMore;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<OneOrMore, E> {
                Ok(OneOrMore(vec![text.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMore, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(list)).map(OneOrMore)
            }
        }

        deserializer.deserialize_any(Texts)
    }
}

/// A line of output.
#[derive(Serialize)]
struct Answer {
    /// The number of the question's line, if answers may come in another order than the lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(flatten)]
    outcome: Outcome,
    /// The number of reasons that were omitted, because all reasons together would have been too long.
    #[serde(skip_serializing_if = "json::is_zero")]
    reasons_left_out: usize,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    usage: Option<Use>,
}

impl Decision {
    fn new(url: &str, is_allowed: bool, line: Option<u32>, reason: Option<String>) -> Self {
        let verdict = if is_allowed { "allow" } else { "disallow" };
        Self { url: url.to_owned(), verdict, line, reason, usage: None }
    }
}

/// Answers every line of the input in order. When the input pauses, the function writes the answers to all lines that
/// it has read.
///
/// A line is a JSON object. The object has the robots.txt in one of the keys `robots_txt` (text), `robots_txt_base64`,
/// and `file` (a path below the folder of `files`). `crawler` is a product token or a list of product tokens, and `url`
/// is a URL or a list of URLs. `edition` is optional, and so is `id`, a value of any type, which is copied to the
/// answer. The answer is `{"verdicts":[{"url","verdict","line","reason"}]}` or `{"error":"…"}`. Under a draft edition
/// that defines `Content-Usage`, a verdict also has `usage` and `usage_reason`, and `content_usage` has the field lines
/// of the responses.
///
/// Long values in a reason are cut. Each octet of a reason counts twice, because JSON may escape it. For a line of N
/// octets, the reasons of the answer may have 32 N octets plus 64 KiB. When they reach this limit, the remaining
/// reasons are omitted, and `reasons_left_out` is the number of the omitted reasons. So the answer has at most 64 N
/// octets plus 64 KiB.
///
/// # Errors
/// Returns an error if the input cannot be read or the output cannot be written.
pub fn run<P: Parser + Send>(
    parser: &P,
    files: &Files,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<Counts> {
    let (full, batches) = mpsc::sync_channel(AHEAD.1);
    // The reading thread may wait for input for ever, so this function does not wait for its end.
    thread::spawn(move || read(input, |batch| full.send(batch).is_ok()));
    let mut counts = Counts::default();
    while let Some(batch) = next(&batches)? {
        let answers: Vec<_> =
            batch.par_iter().map(|line| written(answer(parser, files, line))).collect();
        for (answer, line) in answers {
            counts.add(&answer);
            output.write_all(&line)?;
        }
        output.flush()?;
    }
    Ok(counts)
}

/// Lines that were read together, without blank lines.
type Batch = Vec<Line>;

struct Line {
    /// The number of the line in the input, from 1. Blank lines count.
    number: u64,
    /// The octets of the line, or `None` if the line is too long.
    octets: Option<Vec<u8>>,
}

impl Line {
    fn len(&self) -> usize {
        self.octets.as_ref().map_or(0, Vec::len)
    }
}

/// Waits until lines were read, and returns them as one batch. If more lines are ready, they are added until the batch
/// is full. Returns `None` at the end of the input.
fn next(batches: &Receiver<io::Result<Batch>>) -> io::Result<Option<Batch>> {
    let Ok(batch) = batches.recv() else { return Ok(None) };
    let mut batch = batch?;
    let octets = |batch: &Batch| batch.iter().map(Line::len).sum::<usize>();
    let mut sum = octets(&batch);
    while batch.len() < BATCH.0 && sum < BATCH.1 {
        let Ok(more) = batches.try_recv() else { break };
        let more = more?;
        sum += octets(&more);
        batch.extend(more);
    }
    Ok(Some(batch))
}

/// Reads the input to its end, and hands over batches of lines. A batch is handed over when no further line is complete
/// in the buffer. The reading ends early if `hand_over` returns false.
fn read(input: impl Read, hand_over: impl Fn(io::Result<Batch>) -> bool) {
    let mut input = BufReader::with_capacity(AHEAD.0, input);
    let (mut batch, mut octets, mut number) = (Batch::new(), Vec::new(), 0);
    loop {
        let read = read_line(&mut input, &mut octets, LONGEST_LINE);
        number += 1;
        match read {
            Err(error) => {
                hand_over(Err(error));
                return;
            }
            Ok(lines::Read::End) => break,
            Ok(lines::Read::TooLong) => batch.push(Line { number, octets: None }),
            Ok(_) if octets.trim_ascii().is_empty() => {}
            Ok(_) => {
                batch.push(Line { number, octets: Some(std::mem::take(&mut octets)) });
            }
        }
        // Without a complete line in the buffer, the next read may block for a long time.
        let may_pause = !input.buffer().contains(&b'\n');
        if may_pause && !batch.is_empty() && !hand_over(Ok(std::mem::take(&mut batch))) {
            return;
        }
    }
    if !batch.is_empty() {
        hand_over(Ok(batch));
    }
}

/// Answers a line. If the line gives no file, the answer is an error.
fn answer<P: Parser>(parser: &P, files: &Files, line: &Line) -> Answer {
    match question(line) {
        Ok(question) => answer_to(parser, files, question, line.len()),
        Err(answer) => answer,
    }
}

/// Answers a question that gives a file. `len` is the length of its line in octets.
fn answer_to<P: Parser>(parser: &P, files: &Files, question: Question, len: usize) -> Answer {
    let reasons = Reasons::of(len);
    let decided = decide(parser, files, &question, &reasons);
    Answer::new(question.id, decided, &reasons)
}

/// Reads a question from a line. If the line is not a question, returns an answer with the reason.
fn question(line: &Line) -> Result<Question, Answer> {
    match line.octets.as_deref().map(serde_json::from_slice) {
        None => Err(Answer::error(None, &format!("a line of more than {LONGEST_LINE} octets"))),
        Some(Err(problem)) => Err(Answer::error(None, &problem.to_string())),
        Some(Ok(question)) => Ok(question),
    }
}

impl Question {
    fn edition(&self) -> Result<Edition, Error> {
        let id = self.edition.as_ref();
        id.map_or(Ok(Edition::default()), |id| {
            id.parse().map_err(|error| Error::new(format!("{error}")))
        })
    }
}

impl Answer {
    fn new(
        id: Option<Box<RawValue>>,
        decided: Result<(Vec<Decision>, u64), Error>,
        reasons: &Reasons,
    ) -> Self {
        match decided {
            Ok((verdicts, octets)) => Self {
                input_line: None,
                id,
                outcome: Outcome::Verdicts(verdicts),
                reasons_left_out: reasons.left_out.get(),
                octets,
            },
            Err(error) => Self::error(id, &error.to_string()),
        }
    }

    fn error(id: Option<Box<RawValue>>, message: &str) -> Self {
        let outcome = Outcome::Error(render::message(message));
        Self { input_line: None, id, outcome, reasons_left_out: 0, octets: 0 }
    }
}

/// Returns an answer unchanged, together with the line of output that is written for it.
fn written(answer: Answer) -> (Answer, Vec<u8>) {
    let mut line = Vec::new();
    if let Err(error) = json::line(&answer, &mut line) {
        line = serde_json::json!({ "error": error.to_string() }).to_string().into_bytes();
    }
    line.push(b'\n');
    (answer, line)
}

/// The length of the reasons of an answer, counted while the answer is made. `octets` is the length that is left for
/// further reasons, and `left_out` is the number of reasons that were omitted.
struct Reasons {
    octets: Cell<usize>,
    left_out: Cell<usize>,
}

impl Reasons {
    fn of(line: usize) -> Self {
        Self { octets: Cell::new(line * REASONS.0 + REASONS.1), left_out: Cell::new(0) }
    }

    /// Returns a reason as text, or `None` if the reasons of the answer are too long already.
    fn text_of(&self, verdict: &impl fmt::Display) -> Option<String> {
        if self.octets.get() == 0 {
            self.left_out.set(self.left_out.get() + 1);
            return None;
        }
        self.keep(verdict.to_string())
    }

    fn keep(&self, reason: String) -> Option<String> {
        if self.octets.get() == 0 {
            self.left_out.set(self.left_out.get() + 1);
            return None;
        }
        // In JSON, a backslash or a quotation mark takes two octets, so a reason may take twice its length.
        self.octets.set(self.octets.get().saturating_sub(2 * reason.len()));
        Some(reason)
    }
}

fn decide<P: Parser>(
    parser: &P,
    files: &Files,
    question: &Question,
    reasons: &Reasons,
) -> Result<(Vec<Decision>, u64), Error> {
    let edition = question.edition()?;
    let options = Options::from(edition);
    let body = body(question, files, options)?;
    let robots = RobotsTxt::parse(parser, &body, options);
    let crawler =
        Crawler::new(question.crawler.as_slice()).map_err(|error| Error::new(error.to_string()))?;
    let urls = question.url.as_slice();
    let verdicts = if edition.defines(Field::ContentUsage) {
        let rules = robots.rules_for(&crawler);
        let header = question.content_usage.as_ref().map_or(&[][..], OneOrMore::as_slice);
        let header: Vec<&[u8]> = header.iter().map(String::as_bytes).collect();
        let decided = urls.iter().map(|url| {
            let usage = rules.usage(url, &header);
            let verdict = decision(url, &usage.verdict(), reasons);
            Decision { usage: Some(Use::of(&usage, |usage| reasons.text_of(usage))), ..verdict }
        });
        decided.collect()
    } else if question.content_usage.is_some() {
        return Err(Error::new(format!(
            "{edition} does not know `content_usage`; the draft aipref-2026-08 does"
        )));
    } else if urls.len() < MANY {
        urls.iter().map(|url| decision(url, &robots.verdict(&crawler, url), reasons)).collect()
    } else {
        let rules = robots.rules_for(&crawler);
        urls.iter().map(|url| decision(url, &rules.verdict(url), reasons)).collect()
    };
    Ok((verdicts, body.len() as u64))
}

fn decision(url: &str, verdict: &Verdict<'_>, reasons: &Reasons) -> Decision {
    let line = verdict.rule().map(|rule| rule.line().number.get());
    Decision::new(url, verdict.is_allowed(), line, reasons.text_of(verdict))
}

fn body(question: &Question, files: &Files, options: Options) -> Result<Vec<u8>, Error> {
    match (&question.robots_txt, &question.robots_txt_base64, &question.file) {
        (Some(text), None, None) => Ok(text.clone().into_bytes()),
        (None, Some(base64), None) => BASE64_STANDARD
            .decode(base64)
            .map_err(|error| Error::new(format!("robots_txt_base64: {error}"))),
        (None, None, Some(path)) => {
            files.read(path, options).map_err(|error| Error::new(format!("file {path:?}: {error}")))
        }
        _ => Err("give exactly one of `robots_txt`, `robots_txt_base64` and `file`".into()),
    }
}

#[cfg(test)]
mod tests;
