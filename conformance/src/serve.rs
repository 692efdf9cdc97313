//! The other side of the protocol: an engine as a subject.
//!
//! [`serve`] is all an implementation in Rust needs to be asked as a process; what it answers is exactly
//! what the engine does.

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use robots_core::engine::{Answer, Engine};

use crate::lines::{Read, read_line};
use crate::protocol::{self, AnswerMessage, Hello, Message, NotAQuestion, reply};

/// The longest question that is read, in octets; a longer line is answered with an error.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// A line, `None` for one that is too long.
type Line = Option<Vec<u8>>;

/// Answers questions with an engine until the reader ends.
///
/// Up to `pipeline` questions are taken at a time, and no more are read while so many wait; where that is more than 1, as many threads as there
/// are processors answer them, in any order. A panic of the engine is the error of its question.
///
/// # Errors
/// Where the reader or the writer fails.
///
/// ```
/// use robots_core::engine::IsAllowed;
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
        pipeline: pipeline.max(1),
    };
    let workers = match hello.pipeline {
        1 => 1,
        open => thread::available_parallelism().map_or(1, Into::into).min(open),
    };
    let writer = Mutex::new(writer);
    // What is answered is out of the channel.
    let (questions, asked) = mpsc::sync_channel::<Line>(hello.pipeline.min(MOST_WAITING) - 1);
    let asked = Mutex::new(asked);
    thread::scope(|scope| {
        let answering: Vec<_> = (0..workers)
            .map(|_| scope.spawn(|| answer_all(engine, &hello, &asked, &writer)))
            .collect();
        let read = read_all(reader, &questions);
        drop(questions);
        let written = answering.into_iter().map(|worker| {
            worker.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
        });
        written.fold(read, Result::and)
    })
}

/// How many questions wait at most, however many may be open.
const MOST_WAITING: usize = 64;

fn read_all(mut reader: impl BufRead, questions: &SyncSender<Line>) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let asked = match read_line(&mut reader, &mut line, LONGEST_LINE)? {
            Read::End => return Ok(()),
            Read::Line => Some(std::mem::take(&mut line)),
            Read::TooLong => None,
        };
        if questions.send(asked).is_err() {
            return Ok(());
        }
    }
}

fn answer_all(
    engine: &dyn Engine,
    hello: &Hello,
    asked: &Mutex<Receiver<Line>>,
    writer: &Mutex<impl Write>,
) -> io::Result<()> {
    loop {
        let next = asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(line) = next else { return Ok(()) };
        let mut out = match line {
            Some(line) => answer(engine, hello, &line),
            None => nobodys(format!("a line of more than {LONGEST_LINE} octets")),
        };
        out.push('\n');
        let mut writer = writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.write_all(out.as_bytes())?;
        writer.flush()?;
    }
}

fn answer(engine: &dyn Engine, hello: &Hello, line: &[u8]) -> String {
    let message = match Message::read(line) {
        Ok(message) => message,
        Err(error) => return nobodys(error.to_string()),
    };
    if message.get("ask").is_some_and(|ask: String| ask == "hello") {
        return protocol::line(&hello.message());
    }
    let Some(id) = message.get("id") else {
        return nobodys("a question has a number as its `id`".to_owned());
    };
    let answer = match protocol::read_question(&message) {
        Ok(question) => {
            let answer = AssertUnwindSafe(|| engine.answer(&question));
            panic::catch_unwind(answer)
                .unwrap_or_else(|_| Answer::Error("the engine panicked".to_owned()))
        }
        Err(NotAQuestion::Unknown(what)) => Answer::Unsupported(what),
        Err(NotAQuestion::Wrong(what)) => Answer::Error(what),
    };
    protocol::line(&reply(id, &answer))
}

/// Returns the answer to what is no question.
fn nobodys(error: String) -> String {
    protocol::line(&AnswerMessage::to_no_question(error))
}
