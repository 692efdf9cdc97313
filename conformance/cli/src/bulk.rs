//! Verdicts in bulk: JSON lines in, JSON lines out.
//!
//! [`run`] answers lines that bring a file, on all processors and in the order of the input. [`run_fetching`] also answers
//! lines that bring none: it fetches their robots.txt, many at a time, and writes each answer when it is ready. Both are
//! plain filters: they hold a bounded number of lines, and a line that cannot be answered gets an error object instead of
//! ending the run.

#[cfg(feature = "fetch")]
mod fetching;
mod files;

use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rayon::prelude::*;
use robots_conformance::lines::{self, read_line};
use robots_conformance::render;
use robots_core::engine::Agents;
use robots_core::{Crawler, Options, Parser, Profile, RobotsTxt, Verdict};
use serde::de::value::SeqAccessDeserializer;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

#[cfg(feature = "fetch")]
pub use self::fetching::{Fetch, Fetched, Fetching, run_fetching};
pub use self::files::{Files, read_to_the_limit};

/// How much is answered at a time: so many lines, or so many octets.
const BATCH: (usize, usize) = (4096, 8 << 20);

/// The octets that are read at a time, and how often that may be ahead of the answers.
const AHEAD: (usize, usize) = (1 << 18, 8);

/// The longest line that is read, in octets; a longer one is answered with an error.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The octets of reasons that an answer has at most: so many for each octet of its line, and so many more.
const REASONS: (usize, usize) = (32, 64 * 1024);

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
    /// Given back as it came, octet by octet.
    id: Option<Box<RawValue>>,
}

/// A text, or a list of them, read as it comes: a list costs what its texts do.
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
    /// The number of the line that it answers, if answers do not come in the order of the lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    input_line: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(flatten)]
    outcome: Outcome,
    /// How many verdicts came without a reason, because the reasons would have been too long together.
    #[serde(skip_serializing_if = "is_zero")]
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
}

/// Answers every line of the input, in its order, and as soon as the input pauses.
///
/// A line is an object: `robots_txt` (text), `robots_txt_base64` or, below the folder of `files`, `file`;
/// `crawler`, a product token or a list of them; `url`, one or a list; and, if wanted, `edition` and an `id` of
/// any kind that comes back. Its answer is `{"verdicts":[{"url","verdict","line","reason"}]}` or
/// `{"error":"…"}`.
///
/// The values that a reason shows are cut. Where the reasons of one answer come to 32 octets for each octet of
/// its line and 64 KiB, the rest is left out, and counted in `reasons_left_out`. So an answer has 64 octets at
/// most for each octet of its line, and 64 KiB.
///
/// ```
/// # struct None_; impl robots_core::Parser for None_ {
/// #     fn name(&self) -> &str { "none" }
/// #     fn parse(&self, _: &[u8], _: &mut robots_core::syntax::Report<'_>) {} }
/// use robots_conformance_cli::bulk::{self, Files};
///
/// let input = br#"{"robots_txt":"","crawler":"examplebot","url":"/x"}"#;
/// let mut output = Vec::new();
/// let counts = bulk::run(&None_, &Files::none(), &input[..], &mut output)?;
/// assert_eq!(counts.verdicts, 1);
/// assert!(output.starts_with(br#"{"verdicts":[{"url":"/x","verdict":"allow""#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Where the input cannot be read or the output not be written.
pub fn run<P: Parser + Send>(
    parser: &P,
    files: &Files,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<Counts> {
    let (full, batches) = mpsc::sync_channel(AHEAD.1);
    // It may wait for input for ever; where the output ends, nobody waits for it.
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

/// Lines; blank ones are left out.
type Batch = Vec<Line>;

struct Line {
    /// Its number in the input, from 1; blank lines count.
    number: u64,
    /// `None` if it is too long.
    octets: Option<Vec<u8>>,
}

impl Line {
    fn len(&self) -> usize {
        self.octets.as_ref().map_or(0, Vec::len)
    }
}

/// Takes what was read meanwhile, as much as is answered at a time; `None` at the end of the input.
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

/// Reads to the end of the input, and hands over what came together, at the latest where the input pauses. It ends early if
/// nobody takes what it hands over.
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
            Ok(lines::Read::Line) if octets.trim_ascii().is_empty() => {}
            Ok(lines::Read::Line) => {
                batch.push(Line { number, octets: Some(std::mem::take(&mut octets)) });
            }
        }
        // Without a whole line in the buffer, the next one may be long in coming.
        let may_pause = !input.buffer().contains(&b'\n');
        if may_pause && !batch.is_empty() && !hand_over(Ok(std::mem::take(&mut batch))) {
            return;
        }
    }
    if !batch.is_empty() {
        hand_over(Ok(batch));
    }
}

/// Answers a line that brings a file.
fn answer<P: Parser>(parser: &P, files: &Files, line: &Line) -> Answer {
    match question(line) {
        Ok(question) => {
            let reasons = Reasons::of(line.len());
            let decided = decide(parser, files, &question, &reasons);
            Answer::new(question.id, decided, &reasons)
        }
        Err(answer) => answer,
    }
}

/// Reads a line; if that fails, the answer says why.
fn question(line: &Line) -> Result<Question, Answer> {
    match line.octets.as_deref().map(serde_json::from_slice) {
        None => Err(Answer::error(None, &format!("a line of more than {LONGEST_LINE} octets"))),
        Some(Err(problem)) => Err(Answer::error(None, &problem.to_string())),
        Some(Ok(question)) => Ok(question),
    }
}

impl Answer {
    fn new(
        id: Option<Box<RawValue>>,
        decided: Result<(Vec<Decision>, u64), String>,
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
            Err(message) => Self::error(id, &message),
        }
    }

    fn error(id: Option<Box<RawValue>>, message: &str) -> Self {
        let outcome = Outcome::Error(render::message(message));
        Self { input_line: None, id, outcome, reasons_left_out: 0, octets: 0 }
    }
}

/// Returns an answer with its line of output.
fn written(answer: Answer) -> (Answer, Vec<u8>) {
    let mut line = serde_json::to_vec(&answer).unwrap_or_else(|error| {
        serde_json::json!({ "error": error.to_string() }).to_string().into_bytes()
    });
    line.push(b'\n');
    (answer, line)
}

/// The room that is left for the reasons of one answer.
struct Reasons {
    octets: Cell<usize>,
    left_out: Cell<usize>,
}

impl Reasons {
    fn of(line: usize) -> Self {
        Self { octets: Cell::new(line * REASONS.0 + REASONS.1), left_out: Cell::new(0) }
    }

    /// Writes a reason, as long as there is room.
    fn tell(&self, verdict: &impl fmt::Display) -> Option<String> {
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
        // JSON doubles backslashes and quotation marks.
        self.octets.set(self.octets.get().saturating_sub(2 * reason.len()));
        Some(reason)
    }
}

fn decide<P: Parser>(
    parser: &P,
    files: &Files,
    question: &Question,
    reasons: &Reasons,
) -> Result<(Vec<Decision>, u64), String> {
    let profile: Profile = match &question.edition {
        None => Profile::default(),
        Some(id) => id.parse().map_err(|error| format!("{error}"))?,
    };
    let Some(edition) = profile.edition() else {
        return observed(files, question, reasons);
    };
    let options = Options::from(edition);
    let body = body(question, files, options)?;
    let robots = RobotsTxt::parse(parser, &body, options);
    let crawler = Crawler::new(question.crawler.as_slice()).map_err(|error| error.to_string())?;
    let urls = question.url.as_slice();
    let verdicts = if urls.len() < MANY {
        urls.iter().map(|url| decision(url, &robots.verdict(&crawler, url), reasons)).collect()
    } else {
        let rules = robots.rules_for(&crawler);
        urls.iter().map(|url| decision(url, &rules.verdict(url), reasons)).collect()
    };
    Ok((verdicts, body.len() as u64))
}

/// How much a question by the observed library may cost: the octets of the file times those of the URLs. It reads the
/// whole file for each URL, so that a long line with both would take hours.
const MOST_OBSERVED: u64 = 1 << 34;

/// Decides as Google's published library was observed to.
fn observed(
    files: &Files,
    question: &Question,
    reasons: &Reasons,
) -> Result<(Vec<Decision>, u64), String> {
    let agents = question.crawler.as_slice();
    let agents = Agents::new(agents).map_err(|error| format!("crawler: {error}"))?;
    let body = body(question, files, Options::default().limit(Options::MOST))?;
    let urls = question.url.as_slice();
    let octets: u64 = urls.iter().map(|url| url.len() as u64 + 1).sum();
    if octets.saturating_mul(body.len() as u64) > MOST_OBSERVED {
        let profile = Profile::GoogleCpp;
        return Err(format!(
            "too many URLs for a file of this size under {profile}; give each line fewer"
        ));
    }
    let verdicts = urls.iter().map(|url| {
        let verdict = robots_google_cpp::verdict(&body, &agents, url);
        Decision {
            url: url.clone(),
            verdict: if verdict.is_allowed() { "allow" } else { "disallow" },
            line: verdict.line(),
            reason: reasons.tell(&verdict),
        }
    });
    Ok((verdicts.collect(), body.len() as u64))
}

fn decision(url: &str, verdict: &Verdict<'_>, reasons: &Reasons) -> Decision {
    Decision {
        url: url.to_owned(),
        verdict: if verdict.is_allowed() { "allow" } else { "disallow" },
        line: verdict.rule().map(|rule| rule.line().number.get()),
        reason: reasons.tell(verdict),
    }
}

fn body(question: &Question, files: &Files, options: Options) -> Result<Vec<u8>, String> {
    match (&question.robots_txt, &question.robots_txt_base64, &question.file) {
        (Some(text), None, None) => Ok(text.clone().into_bytes()),
        (None, Some(base64), None) => {
            BASE64_STANDARD.decode(base64).map_err(|error| format!("robots_txt_base64: {error}"))
        }
        (None, None, Some(path)) => {
            files.read(path, options).map_err(|error| format!("file {path:?}: {error}"))
        }
        _ => Err("give exactly one of `robots_txt`, `robots_txt_base64` and `file`".to_owned()),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
const fn is_zero(count: &usize) -> bool {
    *count == 0
}
