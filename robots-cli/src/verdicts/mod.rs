//! Verdicts in bulk: JSON lines in, JSON lines out.
//!
//! [`run`] answers lines that give a file, as text or by its path, on all processors and in the order of the input.
//! [`run_fetching`] also answers lines without a file: it fetches robots.txt for many lines at a time, and writes each
//! answer when it is ready. Both functions use a bounded amount of memory: for a line, at most eight times its length,
//! because URLs are read from the line and answered one at a time. A line that cannot be answered gets an error
//! object, and the run continues.

mod fetching;
mod files;
mod usage;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::iter;
use std::ops::AddAssign;
use std::sync::mpsc::{self, Receiver};
use std::thread;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rayon::prelude::*;
use robots_console::lines::{self, read_line};
use robots_console::render;
use robots_core::syntax::Field;
use robots_core::usage::{Preference, Preferences};
use robots_core::{Crawler, Edition, Options, Parser, RobotsTxt, Verdict};
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use robots_console::error::Error;
use robots_console::json;

pub(crate) use self::fetching::{Fetch, Fetched, Fetching, run_fetching};
pub(crate) use self::files::Files;
use self::usage::Use;

/// A batch is full if it has at least this number of lines, or lines with at least this number of octets in all.
const BATCH: (usize, usize) = (4096, 8 << 20);

/// A line of more octets than the first number is answered alone, and its answer is not kept in memory. Shorter lines are
/// answered together, with at most as many octets in all as the second number.
const TOGETHER: (usize, usize) = (1 << 20, 2 << 20);

/// The number of octets that are read at a time, and the number of batches that may wait for answers.
const AHEAD: (usize, usize) = (1 << 18, 8);

/// The maximum length of a line in octets. A longer line is answered with an error.
pub(crate) const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The maximum length of all reasons in an answer, in octets. For a question on a line of N octets, it is N times the
/// first number, plus the second number. Each octet of a reason counts as two, because JSON may escape it.
const REASONS: (usize, usize) = (32, 64 * 1024);

/// The statistics of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The number of lines that were read. Blank lines do not count.
    pub lines: u64,
    /// The number of lines that were answered with an error.
    pub errors: u64,
    /// The number of verdicts.
    pub verdicts: u64,
    /// The total length in octets of the robots.txt files that the lines give. Fetched files do not count.
    pub octets: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.errors += other.errors;
        self.verdicts += other.verdicts;
        self.octets += other.octets;
    }
}

/// A line of input.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question<'l> {
    /// The file as text.
    robots_txt: Option<String>,
    /// The file as base64, if it is not text.
    robots_txt_base64: Option<String>,
    /// The path of the file.
    file: Option<String>,
    /// One product token, or a list of the crawler's product tokens, the most specific first.
    #[serde(borrow)]
    crawler: Texts<'l>,
    /// A URL, or several.
    #[serde(borrow)]
    url: Texts<'l>,
    /// The id of an edition. The default is `google-2022`.
    edition: Option<String>,
    /// The values of the `Content-Usage` field lines of the responses; only a draft edition reads them.
    #[serde(borrow)]
    content_usage: Option<Texts<'l>>,
    /// A value of any type, which the answer repeats unchanged.
    #[serde(borrow)]
    id: Option<&'l RawValue>,
}

/// A text or a list of texts, as it is in the line. The texts are read when they are needed, because a list of short
/// texts would need many times the memory of the line.
#[derive(Clone, Copy)]
struct Texts<'l>(&'l RawValue);

impl<'l> Texts<'l> {
    fn iter(self) -> impl Iterator<Item = Cow<'l, str>> + Clone {
        let mut rest = self.0.get();
        iter::from_fn(move || {
            rest = rest.trim_start_matches([' ', '\t', '\n', '\r', '[', ',']);
            let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Text<'l>>();
            // At the end of a list, the rest is `]`, which is no value.
            let text = values.next()?.ok()?;
            rest = &rest[values.byte_offset()..];
            Some(text.0)
        })
    }
}

#[derive(Deserialize)]
struct Text<'l>(#[serde(borrow)] Cow<'l, str>);

/// Checks that the value is a text or a list of texts, and keeps it as it is.
impl<'de: 'l, 'l> Deserialize<'de> for Texts<'l> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Check;

        impl<'de> Visitor<'de> for Check {
            type Value = ();

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of texts")
            }

            fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
                Ok(())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
                while let Some(Text(_)) = list.next_element()? {}
                Ok(())
            }
        }

        let raw = <&RawValue>::deserialize(deserializer)?;
        match serde_json::Deserializer::from_str(raw.get()).deserialize_any(Check) {
            Ok(()) => Ok(Self(raw)),
            Err(error) => {
                // The position is that in the value, not in the line.
                let text = error.to_string();
                Err(de::Error::custom(
                    text.rsplit_once(" at line ").map_or(&*text, |(what, _)| what),
                ))
            }
        }
    }
}

#[derive(Serialize)]
struct Decision<'u> {
    url: &'u str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(flatten)]
    usage: Option<Use>,
}

impl<'u> Decision<'u> {
    fn new(url: &'u str, is_allowed: bool, line: Option<u32>, reason: Option<String>) -> Self {
        let verdict = if is_allowed { "allow" } else { "disallow" };
        Self { url, verdict, line, reason, usage: None }
    }

    fn of(url: &'u str, verdict: &Verdict<'_>, reasons: &Reasons) -> Self {
        let line = verdict.rule().map(|rule| rule.line().number.get());
        Self::new(url, verdict.is_allowed(), line, reasons.text_of(verdict))
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
pub(crate) fn run<P: Parser + Send>(
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
        let mut rest = &batch[..];
        while let Some(line) = rest.first() {
            let mut octets = 0;
            let is_together = |line: &&Line| {
                octets += line.len();
                line.len() <= TOGETHER.0 && octets <= TOGETHER.1
            };
            let together = rest.iter().take_while(is_together).count();
            if together == 0 {
                counts += answer(parser, files, line, None, &mut output)?;
            }
            let (lines, after) = rest.split_at(together.max(1));
            let answers: Vec<_> = lines[..together]
                .par_iter()
                .map(|line| in_memory(|out| answer(parser, files, line, None, out)))
                .collect();
            for answer in answers {
                let (counted, answer) = answer?;
                counts += counted;
                output.write_all(&answer)?;
            }
            rest = after;
        }
        output.flush()?;
    }
    Ok(counts)
}

fn in_memory(
    write: impl FnOnce(&mut Vec<u8>) -> io::Result<Counts>,
) -> io::Result<(Counts, Vec<u8>)> {
    let mut out = Vec::new();
    let counts = write(&mut out)?;
    Ok((counts, out))
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
fn answer<P: Parser>(
    parser: &P,
    files: &Files,
    line: &Line,
    number: Option<u64>,
    out: &mut impl Write,
) -> io::Result<Counts> {
    match question(line) {
        Ok(question) => answer_to(parser, files, question, line.len(), number, out),
        Err(error) => Head { number, id: None }.error(&error, out),
    }
}

/// Reads a question from a line.
fn question(line: &Line) -> Result<Question<'_>, Error> {
    let Some(octets) = line.octets.as_deref() else {
        return Err(Error::new(format!("a line of more than {LONGEST_LINE} octets")));
    };
    // `serde` would read a list as the values of the keys in order.
    if octets.trim_ascii_start().starts_with(b"[") {
        return Err("a line is a JSON object, not a list".into());
    }
    serde_json::from_slice(octets).map_err(|problem| Error::new(problem.to_string()))
}

impl Question<'_> {
    fn edition(&self) -> Result<Edition, Error> {
        let id = self.edition.as_ref();
        id.map_or(Ok(Edition::default()), |id| {
            id.parse().map_err(|error| Error::new(format!("{error}")))
        })
    }

    /// Returns the crawler's tokens, at most one more than a crawler may have.
    fn tokens(&self) -> Vec<String> {
        self.crawler.iter().take(Crawler::MAX + 1).map(Cow::into_owned).collect()
    }

    /// Returns the preferences of `content_usage` as one short line of a header. Each verdict reads the header, and a
    /// question may have many URLs, so the values themselves are read only here.
    fn header(&self) -> Option<String> {
        let mut values = self.content_usage?.iter();
        // Several lines of a header mean the same as one line, and a list of them would need many times the memory.
        let mut header = values.next()?.into_owned();
        values.for_each(|value| header.extend([", ", &*value]));
        let stated = Preferences::read_header(&[header.as_bytes()]).stated();
        let members = stated.map(|(category, preference)| {
            format!("{category}={}", if preference == Preference::Allowed { "y" } else { "n" })
        });
        Some(members.collect::<Vec<_>>().join(", "))
    }
}

/// The beginning of an answer.
struct Head<'l> {
    /// The number of the question's line, if answers may come in another order than the lines.
    number: Option<u64>,
    id: Option<&'l RawValue>,
}

impl Head<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(b"{")?;
        if let Some(number) = self.number {
            write!(out, "\"input_line\":{number},")?;
        }
        if let Some(id) = self.id {
            write!(out, "\"id\":{},", id.get())?;
        }
        Ok(())
    }

    /// Writes an answer that is an error.
    fn error(&self, error: &Error, out: &mut impl Write) -> io::Result<Counts> {
        self.write(out)?;
        out.write_all(b"\"error\":")?;
        json::line(&render::message(&error.to_string()), &mut *out)?;
        out.write_all(b"}\n")?;
        Ok(Counts { lines: 1, errors: 1, ..Counts::default() })
    }

    /// Begins an answer with verdicts.
    fn verdicts<W: Write>(&self, mut out: W) -> io::Result<Verdicts<W>> {
        self.write(&mut out)?;
        out.write_all(b"\"verdicts\":[")?;
        Ok(Verdicts { out, count: 0 })
    }
}

/// An answer with verdicts, which are written one at a time.
struct Verdicts<W> {
    out: W,
    count: u64,
}

impl<W: Write> Verdicts<W> {
    fn add(&mut self, decision: &Decision<'_>) -> io::Result<()> {
        if self.count > 0 {
            self.out.write_all(b",")?;
        }
        self.count += 1;
        json::line(decision, &mut self.out)
    }

    fn end(mut self, reasons: &Reasons) -> io::Result<Counts> {
        self.out.write_all(b"]")?;
        let left_out = reasons.left_out.get();
        if left_out > 0 {
            write!(self.out, ",\"reasons_left_out\":{left_out}")?;
        }
        self.out.write_all(b"}\n")?;
        Ok(Counts { lines: 1, verdicts: self.count, ..Counts::default() })
    }
}

/// The length of the reasons of an answer, counted while the answer is written. `octets` is the length that is left for
/// further reasons, and `left_out` is the number of reasons that were omitted.
struct Reasons {
    octets: Cell<usize>,
    left_out: Cell<usize>,
}

impl Reasons {
    /// `most` is the maximum for each octet of the line, and a number of octets that is added to it.
    fn of(line: usize, most: (usize, usize)) -> Self {
        Self { octets: Cell::new(line * most.0 + most.1), left_out: Cell::new(0) }
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

/// Answers a question that gives a file. `len` is the length of its line in octets.
fn answer_to<P: Parser>(
    parser: &P,
    files: &Files,
    mut question: Question<'_>,
    len: usize,
    number: Option<u64>,
    out: &mut impl Write,
) -> io::Result<Counts> {
    let head = Head { number, id: question.id };
    let checked = question.edition().and_then(|edition| {
        let body = body(&mut question, files, Options::from(edition))?;
        let crawler =
            Crawler::new(question.tokens()).map_err(|error| Error::new(error.to_string()))?;
        if question.content_usage.is_some() && !edition.defines(Field::ContentUsage) {
            return Err(Error::new(format!(
                "{edition} does not know `content_usage`; the draft aipref-2026-08 does"
            )));
        }
        Ok((edition, body, crawler))
    });
    let (edition, body, crawler) = match checked {
        Ok(checked) => checked,
        Err(error) => return head.error(&error, out),
    };
    let robots = RobotsTxt::parse(parser, &body, Options::from(edition));
    let (urls, reasons) = (question.url, Reasons::of(len, REASONS));
    let mut answer = head.verdicts(out)?;
    if edition.defines(Field::ContentUsage) {
        let rules = robots.rules_for(&crawler);
        let header = question.header();
        let header: Vec<&[u8]> = header.iter().map(String::as_bytes).collect();
        for url in urls.iter() {
            let usage = rules.usage(&url, &header);
            let verdict = Decision::of(&url, &usage.verdict(), &reasons);
            let usage = Some(Use::of(&usage, |usage| reasons.text_of(usage)));
            answer.add(&Decision { usage, ..verdict })?;
        }
    } else {
        let mut written = Ok(());
        robots.verdicts(&crawler, urls.iter(), |url, verdict| {
            if written.is_ok() {
                written = answer.add(&Decision::of(&url, &verdict, &reasons));
            }
        });
        written?;
    }
    let counts = answer.end(&reasons)?;
    Ok(Counts { octets: body.len() as u64, ..counts })
}

fn body(question: &mut Question<'_>, files: &Files, options: Options) -> Result<Vec<u8>, Error> {
    let Question { robots_txt, robots_txt_base64, file, .. } = question;
    match (robots_txt.take(), robots_txt_base64.take(), file.take()) {
        (Some(text), None, None) => Ok(text.into_bytes()),
        (None, Some(base64), None) => BASE64_STANDARD
            .decode(base64)
            .map_err(|error| Error::new(format!("robots_txt_base64: {error}"))),
        (None, None, Some(path)) => files
            .read(&path, options)
            .map_err(|error| Error::new(format!("file {path:?}: {error}"))),
        _ => Err("give exactly one of `robots_txt`, `robots_txt_base64` and `file`".into()),
    }
}

#[cfg(test)]
mod tests;
