//! Verdicts on lines without a file: robots.txt is fetched for many of these lines at a time.
//!
//! Start at [`run_fetching`]. An answer is written when it is ready, so a site that does not answer delays only the
//! lines about it. [`WINDOW`] limits how many lines are open, that is, wait for a server.

use std::collections::VecDeque;
use std::future::Future;
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::thread;

use rayon::prelude::*;
use robots_core::{Edition, Parser};
use tokio::runtime;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{
    AHEAD, Counts, Decision, Files, Head, Line, Question, Reasons, TOGETHER, answer, in_memory,
    question, read,
};

use robots_console::error::Error;

/// Fetches robots.txt for input lines that give no file.
pub(crate) trait Fetch: Send + Sync {
    /// Returns the verdict on a URL according to the robots.txt of its origin.
    ///
    /// # Errors
    /// Returns a message if the URL or the crawler is invalid.
    fn verdict<'a>(&'a self, agents: &'a [String], edition: Edition, url: &'a str) -> Fetching<'a>;
}

/// The future that fetches robots.txt and returns the verdict.
pub(crate) type Fetching<'a> = Pin<Box<dyn Future<Output = Result<Fetched, Error>> + Send + 'a>>;

/// A verdict from a fetched robots.txt.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The number of the deciding line, from 1.
    pub line: Option<u32>,
    /// The reason.
    pub reason: String,
}

/// The maximum number of open lines, and the maximum number of octets in them. A single line may have more octets.
const WINDOW: (usize, usize) = (4096, 8 << 20);

/// The maximum length of all reasons in an answer, as [`REASONS`](super::REASONS). It is smaller, because an answer is
/// kept in memory until all its URLs are answered.
const REASONS: (usize, usize) = (2, 64 * 1024);

/// Answers every line of the input like [`run`](super::run), and fetches robots.txt for lines without a file.
///
/// Answers are written when they are ready, in any order. The key `input_line` of an answer is the number of the
/// question's line, from 1. At most 4,096 lines wait for servers at a time.
///
/// # Errors
/// Returns an error if the input cannot be read, the output cannot be written, or the system has no resources for the
/// network.
pub(crate) fn run_fetching<P: Parser + Send>(
    parser: &P,
    files: &Files,
    fetch: &Arc<dyn Fetch>,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> io::Result<Counts> {
    // The network has a thread of its own, because the work on a line with a file may occupy this thread for a long
    // time. If the network code had to wait for that work, a site that answered in time could count as late.
    let runtime = runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (full, mut batches) = mpsc::channel(AHEAD.1);
    // The reading thread may wait for input for ever, so this function does not wait for its end.
    thread::spawn(move || read(input, |batch| full.blocking_send(batch).is_ok()));
    let mut output = Output { output, counts: Counts::default() };
    let mut open = Open::default();
    let mut ended = false;
    runtime.block_on(async {
        while !ended || !open.is_empty() {
            tokio::select! {
                batch = batches.recv(), if !ended && open.has_room() => match batch {
                    None => ended = true,
                    Some(batch) => {
                        let steps: Vec<Step> = batch?
                            .into_par_iter()
                            .map(|line| step(parser, files, line))
                            .collect();
                        for step in steps {
                            match step {
                                Step::Answered(answered) => output.write(answered?)?,
                                Step::Asked(line) => open.waiting.push_back(line),
                                Step::Long(line) => {
                                    let number = Some(line.number);
                                    let Output { output, counts } = &mut output;
                                    *counts += answer(parser, files, &line, number, output)?;
                                }
                            }
                        }
                    }
                },
                Some(done) = open.lines.join_next() => {
                    let (answered, octets) = done.map_err(io::Error::other)?;
                    open.octets -= octets;
                    output.write(answered?)?;
                }
            }
            open.start(fetch);
            if open.lines.is_empty() || batches.is_empty() {
                output.output.flush()?;
            }
        }
        output.output.flush()
    })?;
    Ok(output.counts)
}

struct Output<W> {
    output: W,
    counts: Counts,
}

impl<W: Write> Output<W> {
    fn write(&mut self, (counts, answer): (Counts, Vec<u8>)) -> io::Result<()> {
        self.counts += counts;
        self.output.write_all(&answer)
    }
}

/// The lines for which robots.txt is being fetched, and the lines that wait for room in the window.
#[derive(Default)]
struct Open {
    /// Each task returns its answer and the length of its line in octets.
    lines: JoinSet<(Answered, usize)>,
    octets: usize,
    /// Lines of the last batch for which the window had no room yet.
    waiting: VecDeque<Line>,
}

impl Open {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.waiting.is_empty()
    }

    fn has_room(&self) -> bool {
        self.waiting.is_empty() && self.lines.len() < WINDOW.0 && self.octets < WINDOW.1
    }

    fn start(&mut self, fetch: &Arc<dyn Fetch>) {
        while self.lines.len() < WINDOW.0
            && self.octets < WINDOW.1
            && let Some(line) = self.waiting.pop_front()
        {
            self.octets += line.len();
            let fetch = Arc::clone(fetch);
            self.lines.spawn(async move { (fetched(&line, &*fetch).await, line.len()) });
        }
    }
}

/// The counts and the text of an answer.
type Answered = io::Result<(Counts, Vec<u8>)>;

enum Step {
    Answered(Answered),
    /// A line without a file.
    Asked(Line),
    /// A line with a file that is so long that its answer is not kept in memory.
    Long(Line),
}

/// Answers a line that gives a file. For a line without a file, returns the line, because robots.txt must be fetched
/// first.
fn step<P: Parser>(parser: &P, files: &Files, line: Line) -> Step {
    if question(&line).is_ok_and(|question| brings_no_file(&question)) {
        Step::Asked(line)
    } else if line.len() > TOGETHER.0 {
        Step::Long(line)
    } else {
        let number = Some(line.number);
        Step::Answered(in_memory(|out| answer(parser, files, &line, number, out)))
    }
}

fn brings_no_file(question: &Question<'_>) -> bool {
    question.robots_txt.is_none() && question.robots_txt_base64.is_none() && question.file.is_none()
}

/// Fetches robots.txt for each URL of a line without a file, and returns the answer.
async fn fetched(line: &Line, fetch: &dyn Fetch) -> Answered {
    let number = Some(line.number);
    let question = match question(line) {
        Ok(question) => question,
        Err(error) => return in_memory(|out| Head { number, id: None }.error(&error, out)),
    };
    let head = Head { number, id: question.id };
    match verdicts(&question, &head, line.len(), fetch).await {
        Ok(answered) => Ok(answered),
        Err(error) => in_memory(|out| head.error(&error, out)),
    }
}

async fn verdicts(
    question: &Question<'_>,
    head: &Head<'_>,
    len: usize,
    fetch: &dyn Fetch,
) -> Result<(Counts, Vec<u8>), Error> {
    let failed = |error: io::Error| Error::new(error.to_string());
    let (edition, tokens) = (question.edition()?, question.tokens());
    let reasons = Reasons::of(len, REASONS);
    let mut out = Vec::new();
    let mut answer = head.verdicts(&mut out).map_err(failed)?;
    for url in question.url.iter() {
        let Fetched { allowed, line, reason } = fetch.verdict(&tokens, edition, &url).await?;
        let verdict = Decision::new(&url, allowed, line, reasons.keep(reason));
        answer.add(&verdict).map_err(failed)?;
    }
    let counts = answer.end(&reasons).map_err(failed)?;
    Ok((counts, out))
}

#[cfg(test)]
mod tests {
    use std::future;
    use std::io::{self, Read};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use robots_core::{Edition, Parser};
    use rstest::rstest;
    use tokio::runtime;

    use super::{Fetch, Fetched, Fetching, Open, WINDOW, run_fetching};
    use crate::verdicts::{Files, Line};

    const LINE: &str = r#"{"crawler":"a","url":"http://a.example/"}"#;

    /// A server that never answers.
    struct Silent;

    impl Fetch for Silent {
        fn verdict<'a>(&'a self, _: &'a [String], _: Edition, _: &'a str) -> Fetching<'a> {
            Box::pin(future::pending())
        }
    }

    struct NoParser;

    impl Parser for NoParser {
        fn name(&self) -> &'static str {
            "none"
        }

        fn parse(&self, _: &[u8], _: &mut robots_core::syntax::Report<'_>) {}
    }

    /// An input with lines of 64 KiB, and with three times as many octets as the window holds. The counter is the
    /// number of octets that were read.
    struct Lines(Arc<AtomicUsize>);

    impl Read for Lines {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            const LENGTH: usize = 1 << 16;
            let start = self.0.load(Ordering::Relaxed);
            let most = (3 * WINDOW.1).saturating_sub(start).min(buffer.len());
            for (octet, at) in buffer[..most].iter_mut().zip(start..) {
                *octet = match at % LENGTH {
                    at if at < LINE.len() => LINE.as_bytes()[at],
                    at if at == LENGTH - 1 => b'\n',
                    _ => b' ',
                };
            }
            self.0.fetch_add(most, Ordering::Relaxed);
            Ok(most)
        }
    }

    /// A site that allows everything after 50 ms. `is_asked` says whether the site was asked, and `has_answered` says
    /// whether it has answered.
    struct Slow {
        is_asked: AtomicBool,
        has_answered: AtomicBool,
    }

    impl Fetch for Slow {
        fn verdict<'a>(&'a self, _: &'a [String], _: Edition, _: &'a str) -> Fetching<'a> {
            Box::pin(async {
                self.is_asked.store(true, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(50)).await;
                self.has_answered.store(true, Ordering::SeqCst);
                Ok(Fetched { allowed: true, line: None, reason: "slow".to_owned() })
            })
        }
    }

    /// Waits until a flag is set, for at most about ten seconds, and returns whether it is set.
    fn awaited(flag: &AtomicBool) -> bool {
        (0..1000).any(|_| {
            thread::sleep(Duration::from_millis(10));
            flag.load(Ordering::SeqCst)
        })
    }

    /// A parser that does not return until the site has answered.
    struct Toiling(Arc<Slow>);

    impl Parser for Toiling {
        fn name(&self) -> &'static str {
            "toiling"
        }

        fn parse(&self, _: &[u8], _: &mut robots_core::syntax::Report<'_>) {
            assert!(awaited(&self.0.has_answered), "the network stands still");
        }
    }

    /// An input of two lines. The first has no file. The second has a file, and it comes after the site is asked.
    struct Mixed(Arc<Slow>, u8);

    impl Read for Mixed {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            let line = match self.1 {
                1 => format!("{LINE}\n"),
                2 if awaited(&self.0.is_asked) => {
                    let line = LINE.replace('{', r#"{"robots_txt":"","#);
                    format!("{line}\n")
                }
                _ => return Ok(0),
            };
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }

    /// The work on a line with a file may take long. Meanwhile the network serves the open lines. If the network code
    /// had to wait, a site that answered in time could count as late.
    #[test]
    fn work_on_a_file_does_not_stop_the_network() {
        let slow = Arc::new(Slow { is_asked: false.into(), has_answered: false.into() });
        let fetch: Arc<dyn Fetch> = slow.clone();
        let input = Mixed(slow.clone(), 0);
        let mut output = Vec::new();
        let counts =
            run_fetching(&Toiling(slow), &Files::none(), &fetch, input, &mut output).unwrap();
        let output = String::from_utf8(output).unwrap();
        assert_eq!((output.lines().count(), counts.errors), (2, 0), "{output}");
    }

    /// A single line may have more octets than the window.
    #[rstest]
    #[trace]
    #[case::short_lines(5000, 100, WINDOW.0)]
    #[case::long_lines(20, 1 << 20, 8)]
    #[case::one_line_that_is_too_long(2, WINDOW.1 + 1, 1)]
    #[case::all(100, 100, 100)]
    fn open_lines_are_bounded(#[case] lines: u64, #[case] octets: usize, #[case] expected: usize) {
        let runtime = runtime::Builder::new_current_thread().build().unwrap();
        let fetch: Arc<dyn Fetch> = Arc::new(Silent);
        let mut open = Open::default();
        open.waiting.extend((0..lines).map(|number| {
            let mut line = LINE.as_bytes().to_vec();
            line.resize(octets, b' ');
            Line { number, octets: Some(line) }
        }));
        let _guard = runtime.enter();
        open.start(&fetch);
        assert_eq!(open.lines.len(), expected);
        assert_eq!(open.waiting.len() + expected, usize::try_from(lines).unwrap());
        assert_eq!(open.has_room(), open.waiting.is_empty());
    }

    /// While the window is full and no server answers, the reading stops.
    #[test]
    fn reading_stops_while_no_server_answers() {
        let read = Arc::new(AtomicUsize::new(0));
        let input = Lines(Arc::clone(&read));
        // The run never ends, so its thread ends only with the process.
        thread::spawn(move || {
            let fetch: Arc<dyn Fetch> = Arc::new(Silent);
            run_fetching(&NoParser, &Files::none(), &fetch, input, io::sink())
        });
        // The reading stops when the window is full. On a busy machine it may also pause earlier.
        let mut before = 0;
        for _ in 0..200 {
            thread::sleep(Duration::from_millis(300));
            let now = read.load(Ordering::Relaxed);
            if now == before && now >= WINDOW.1 {
                break;
            }
            before = now;
        }
        // `before` counts the octets in the window, and in the batches that wait for room in the window.
        assert!((WINDOW.1..2 * WINDOW.1).contains(&before), "{before}");
    }
}
