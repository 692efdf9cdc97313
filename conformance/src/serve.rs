//! The subject's side of the protocol. This module turns an engine into a subject.
//!
//! A Rust implementation of [`Engine`] calls [`serve`] to become a program that the runner can ask. This module reads
//! the questions, and its threads ask the engine and write the answers unchanged.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::engine::{Engine, Question};
use crate::kind::{Answer, Ask, Delivered, Network, NetworkFailure, Role, SentRequest};
use serde_json::json;

use crate::kind::network::wire::{REPLY, REQUEST, Reply, Request};
use crate::protocol::{self, Hello, Message, reply};
use robots_console::lines::{Read, read_line};

/// The maximum length of a question in octets. A longer line is answered with an error.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// A line, or `None` if it is too long.
type Line = Option<Vec<u8>>;

/// Answers questions with an engine until the reader ends.
///
/// At most 64 questions may be open, even if `pipeline` is greater. If about this number of questions are read and not
/// answered, reading stops until one of them is answered; then the requests of timelines count as refused, because no
/// reply can be read. If `pipeline` is more than 1, several threads answer questions, in any order. There is at most one
/// thread for each processor. If the engine panics, the answer to the question is an error.
///
/// # Errors
/// Returns an error if the reader or the writer fails.
///
/// ```
/// use robots_conformance::engine::IsAllowed;
///
/// let engine = IsAllowed { name: "open", f: |_: &[u8], _: &str, _: &str| true };
/// let questions = r#"{"ask":"hello","protocol":1}
/// {"id":1,"ask":"verdict","edition":"rfc9309","robots_txt":"","crawler":["a"],"url":"/x"}
/// "#;
/// let mut answers = Vec::new();
/// robots_conformance::serve::serve(&engine, None, 1, questions.as_bytes(), &mut answers)?;
/// assert!(answers.ends_with(b"\n{\"id\":1,\"verdict\":\"allow\"}\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn serve(
    engine: &dyn Engine,
    version: Option<&str>,
    pipeline: usize,
    reader: impl BufRead,
    writer: impl Write + Send,
) -> io::Result<()> {
    let hello = Hello {
        name: engine.name().to_owned(),
        version: version.map(str::to_owned),
        language: Some("rust".to_owned()),
        answers: None,
        editions: engine.profiles().to_vec(),
        roles: engine.roles().to_vec(),
        pipeline: pipeline.clamp(1, MOST_OPEN),
        clock: engine.takes_clock() && engine.roles().contains(&Role::Retriever),
    };
    let workers = match hello.pipeline {
        1 => 1,
        open => thread::available_parallelism().map_or(1, Into::into).min(open),
    };
    let writer = Mutex::new(writer);
    // A client that keeps to the pipeline never fills the channel.
    let (questions, asked) = mpsc::sync_channel::<Line>(hello.pipeline);
    let asked = Arc::new(Mutex::new(asked));
    let replies = Replies::default();
    thread::scope(|scope| {
        let (hello, replies, writer) = (&hello, &replies, &writer);
        let answering: Vec<_> = (0..workers)
            .map(|_| {
                let asked = Arc::clone(&asked);
                scope.spawn(move || answer_all(engine, hello, &asked, replies, writer))
            })
            .collect();
        // If the writer fails, the workers end. The last one drops the receiver, so the reader ends too.
        drop(asked);
        let read = read_all(reader, &questions, replies);
        replies.close();
        drop(questions);
        let written = answering.into_iter().map(|worker| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        });
        written.fold(read, Result::and)
    })
}

/// The maximum number of open questions, even if `pipeline` is greater.
const MOST_OPEN: usize = 64;

/// The timelines that wait for replies to their requests, by the number of the question.
#[derive(Default)]
struct Replies(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    of: BTreeMap<u64, Sender<Delivered>>,
    /// Whether no more replies can be read: the reader has ended, or more questions are open than may be.
    is_closed: bool,
}

impl Replies {
    /// Returns the receiver of the reply to the next request of a question.
    fn wait(&self, id: u64) -> Receiver<Delivered> {
        let (sender, receiver) = mpsc::channel();
        let mut waiting = self.waiting();
        if !waiting.is_closed {
            waiting.of.insert(id, sender);
        }
        receiver
    }

    /// If a line is a reply that a timeline waits for, passes the reply on and returns true. If such a reply cannot be
    /// read, the wait ends without a reply.
    fn take(&self, line: &[u8]) -> bool {
        let mut waiting = self.waiting();
        if waiting.of.is_empty() {
            return false;
        }
        let Ok(message) = Message::read(line) else { return false };
        let Some(id) = message.get("id").filter(|_| !message.is_null(REPLY)) else { return false };
        let Some(sender) = waiting.of.remove(&id) else { return false };
        let reply: Option<Reply<'static>> = message.get(REPLY);
        // If the reply cannot be read, the sender is dropped, and the request counts as refused.
        if let Some(delivered) = reply.and_then(Reply::into_delivered) {
            let _ = sender.send(delivered);
        }
        true
    }

    fn close(&self) {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        waiting.of.clear();
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read_all(
    mut reader: impl BufRead,
    questions: &SyncSender<Line>,
    replies: &Replies,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let asked = match read_line(&mut reader, &mut line, LONGEST_LINE)? {
            Read::End => return Ok(()),
            Read::Line if replies.take(&line) => continue,
            Read::Line => Some(std::mem::take(&mut line)),
            Read::TooLong => None,
        };
        // A timeline that waited for a reply would keep its worker, so this thread would wait for the worker for ever.
        let sent = questions.try_send(asked).or_else(|error| match error {
            TrySendError::Full(asked) => {
                replies.close();
                questions.send(asked).map_err(|_| ())
            }
            TrySendError::Disconnected(_) => Err(()),
        });
        if sent.is_err() {
            return Ok(());
        }
    }
}

fn answer_all(
    engine: &dyn Engine,
    hello: &Hello,
    asked: &Mutex<Receiver<Line>>,
    replies: &Replies,
    writer: &Mutex<impl Write>,
) -> io::Result<()> {
    let write = |mut line: String| {
        line.push('\n');
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(line.as_bytes())?;
        writer.flush()
    };
    loop {
        let next = asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(line) = next else { return Ok(()) };
        write(match line {
            Some(line) => answer(engine, hello, &line, |id, request| {
                let reply = replies.wait(id);
                let sent = write(request);
                sent.ok().and_then(|()| reply.recv().ok())
            }),
            None => unnumbered(format!("a line of more than {LONGEST_LINE} octets")),
        })?;
    }
}

/// Answers a line. `send` writes the line of a request, and returns its reply.
fn answer(
    engine: &dyn Engine,
    hello: &Hello,
    line: &[u8],
    send: impl Fn(u64, String) -> Option<Delivered>,
) -> String {
    let message = match Message::read(line) {
        Ok(message) => message,
        Err(error) => return unnumbered(error.to_string()),
    };
    if message.get("ask").is_some_and(|ask: String| ask == "hello") {
        return protocol::line(&hello.message());
    }
    let Some(id) = message.get("id") else {
        return unnumbered("a question has a number as its `id`".to_owned());
    };
    let answer = match protocol::read_question(&message) {
        Ok(question) => {
            let answer = |question: &Question| {
                panic::catch_unwind(AssertUnwindSafe(|| engine.answer(question)))
                    .unwrap_or_else(|_| Answer::Error("the engine panicked".to_owned()))
            };
            match question.ask {
                Ask::Timeline(_) => over_time(question, answer, |step, request| {
                    let request = json!({ "id": id, REQUEST: Request::new(step, request) });
                    send(id, protocol::line(&request))
                }),
                _ => answer(&question),
            }
        }
        Err(answer) => answer,
    };
    protocol::line(&reply(id, &answer))
}

/// A request of an engine: the index of its step, the request, and the sender that passes the result back.
type Asked = (usize, SentRequest, Sender<Delivered>);

/// Answers a timeline. The engine runs on a separate thread; this thread sends its requests.
fn over_time(
    mut question: Question,
    answer: impl Fn(&Question) -> Answer + Send,
    send: impl Fn(usize, &SentRequest) -> Option<Delivered>,
) -> Answer {
    let refused = Delivered::failed(NetworkFailure::Refused);
    let (requests, asked) = mpsc::channel::<Asked>();
    if let Ask::Timeline(timeline) = &mut question.ask {
        let refused = refused.clone();
        let ask = move |step: usize, request: &SentRequest| {
            let (back, delivered) = mpsc::channel();
            let passed_on = requests.send((step, request.clone(), back));
            let delivered = passed_on.ok().and_then(|()| delivered.recv().ok());
            delivered.unwrap_or_else(|| refused.clone())
        };
        timeline.network = Network::Elsewhere(Arc::new(ask));
    }
    thread::scope(|scope| {
        // The new thread owns the question, which contains the sender of requests. When the thread drops the question,
        // the loop below ends.
        let answering = scope.spawn(move || {
            let answered = answer(&question);
            drop(question);
            answered
        });
        for (step, request, back) in asked {
            let _ = back.send(send(step, &request).unwrap_or_else(|| refused.clone()));
        }
        let panicked = |_| Answer::Error("the engine panicked".to_owned());
        answering.join().unwrap_or_else(panicked)
    })
}

/// Returns the answer to a line that is not a question.
fn unnumbered(error: String) -> String {
    protocol::line(&protocol::reply_to_no_question(&Answer::Error(error)))
}
